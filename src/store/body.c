#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "store/rec.h"

/* Below this a frame's own bytes eat the gain. */
#define PACK_FROM 512
#define PACK_LEVEL 1

/* Only a smaller result is kept, so a body that does not compress (an image)
 * costs one try and no second copy. */
static void body_pack(struct body *b)
{
	size_t room, n;
	char *p;

	if (b->full_len <= PACK_FROM)
		return;
	room = ZSTD_compressBound((size_t)b->full_len);
	p = xmalloc(room);
	n = ZSTD_compress(p, room, b->full, (size_t)b->full_len, PACK_LEVEL);
	if (ZSTD_isError(n) || n >= b->full_len) {
		free(p);
		return;
	}
	b->packed = xreallocarray(p, n, 1);
	b->packed_len = n;
}

bool body_here(const struct body *b)
{
	return b->full != NULL || b->packed != NULL;
}

struct sv body_stored(const struct body *b)
{
	if (b->packed != NULL)
		return (struct sv){ b->packed, b->packed_len };
	return (struct sv){ b->full, (size_t)b->full_len };
}

void body_seal(struct body *b)
{
	if (b->sealed || b->full == NULL)
		return;
	b->sealed = true;
	body_pack(b);
	random_bytes(b->key, sizeof(b->key));
	b->stored = sha256(body_stored(b));
	b->commitment = hmac_sha256((struct sv){ (const char *)b->key, sizeof(b->key) },
		(struct sv){ b->full, (size_t)b->full_len });
	if (b->packed != NULL) {     /* it may wait for the disk for long */
		free(b->full);
		b->full = NULL;
	}
}

void rec_seal(struct rec *r)
{
	for (size_t i = 0; i < r->n_bodies; i++)
		body_seal(&r->bodies[i]);
}

struct rec_blob {
	struct body body;
};

struct rec_blob *rec_blob_new(const char *name, struct sv bytes)
{
	struct rec_blob *b = xcalloc(1, sizeof(*b));

	body_init(&b->body, name, bytes);
	body_seal(&b->body);
	return b;
}

void rec_blob_free(struct rec_blob **bp)
{
	struct rec_blob *b = *bp;

	if (b == NULL)
		return;
	free(b->body.full);
	free(b->body.packed);
	free(b);
	*bp = NULL;
}

size_t rec_blob_memory(const struct rec_blob *b)
{
	return sizeof(*b) + (body_here(&b->body) ? body_stored(&b->body).n : 0);
}

void rec_add_blob(struct rec *r, const struct rec_blob *b)
{
	const struct body *from = &b->body;
	struct body *to = rec_body_slot(r);

	*to = *from;
	if (from->full != NULL)
		to->full = xmemdup0(from->full, (size_t)from->full_len);
	if (from->packed != NULL)
		to->packed = xmemdup0(from->packed, from->packed_len);
}

/* out gets exactly full_len bytes or -1: the frame's own word on its size is
 * not believed. */
static int body_unpack(struct sv stored, uint64_t full_len, struct buf *out)
{
	size_t n;

	if (buf_reserve(out, (size_t)full_len + 1) != 0)
		return -1;
	n = ZSTD_decompress(out->p + out->n, (size_t)full_len, stored.p, stored.n);
	if (ZSTD_isError(n) || n != full_len)
		return -1;
	out->n += n;
	return 0;
}

int body_open(const struct rec_body *entry, struct sv key, struct sv stored,
	struct buf *out, struct err *e)
{
	struct digest d = sha256(stored);
	size_t from = out->n;

	if (key.n != BODY_KEY_LEN || stored.n != entry->stored_len ||
	    !digest_eq(&d, &entry->stored))
		return err_set(e, "body", "its body \"%.*s\" was changed",
			SVFMT(entry->name));
	if (entry->full_len > BODY_MAX)
		return err_set(e, "body", "its body \"%.*s\" claims to be over the limit",
			SVFMT(entry->name));
	if (entry->codec == BODY_ZSTD ? body_unpack(stored, entry->full_len, out) != 0 :
	    stored.n != entry->full_len || buf_addsv(out, stored) != 0)
		return err_set(e, "body", "its body \"%.*s\" has not the recorded length "
			"(or does not fit in memory)", SVFMT(entry->name));
	d = hmac_sha256(key, sv_sub(buf_sv(out), from, out->n));
	if (!digest_eq(&d, &entry->commitment))
		return err_set(e, "body", "its body \"%.*s\" is not what was committed to",
			SVFMT(entry->name));
	return 0;
}
