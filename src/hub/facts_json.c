/*
 * facts_json.c - see facts_json.h. All text from outside goes through the
 * escaper here, so that a console may draw it as it is.
 */
#include "hub/facts_json.h"

#include "hub/call.h"
#include "hub/sessions.h"

#define LABEL_CELLS 4096

static void put_clean(struct jv *o, const char *key, struct sv s)
{
	struct buf b;

	if (s.n == 0) {
		jv_put(o, key, jv_null());
		return;
	}
	buf_init(&b, (size_t)1 << 20);
	if (s.n > 16384)
		esc_label(s, LABEL_CELLS, &b);
	else
		esc_line(s, ESC_STRICT, 0, &b, NULL, NULL, NULL);
	jv_put_sv(o, key, buf_sv(&b));
	buf_free(&b);
}

/* A claude hook is held only when nothing in a project or a home can switch
 * it off: by managed settings without a fault when the session began. Of a
 * native peer nothing was proven. */
const char *grade_name(const struct req *r)
{
	if (!sv_eqs(sv_of(r->dialect->name), "claude"))
		return "not verified";
	return r->session != NULL && r->session->held ? "held" : "asked";
}

static struct jv *facts_json(const struct req *r)
{
	const struct origin *g = r->origin;
	struct jv *o = jv_obj(), *p = jv_obj();

	jv_put_s(o, "kind", kind_name(r->act->kind));
	put_clean(o, "tool", r->act->tool);
	put_clean(o, "server", r->act->server);
	put_clean(o, "cwd", r->act->cwd);
	put_clean(o, "target", r->act->target);
	put_clean(o, "workspace", r->session != NULL ?
		sv_of(r->session->workspace) : SV_NONE);
	jv_put_s(o, "reversibility", r->assessed ? reversibility_name(r->facts.rev) : NULL);
	jv_put_s(o, "why_rev", r->assessed ? r->facts.why_rev : NULL);
	jv_put_i(p, "uid", g->peer.uid);
	jv_put_i(p, "pid", g->peer.pid);
	put_clean(p, "exe", sv_of(r->exe));
	jv_put(o, "peer", p);
	jv_put_s(o, "setup", hub_same_user(r->hub) ? "same_user" : "split_user");
	jv_put_s(o, "grade", grade_name(r));
	jv_put_s(o, "dialect", r->dialect->name);
	put_clean(o, "session", g->session);
	put_clean(o, "session_title", g->session_title.n > 0 || r->session == NULL ?
		g->session_title : sv_of(r->session->title));
	put_clean(o, "session_parent", r->session != NULL ?
		sv_of(r->session->parent) : SV_NONE);
	put_clean(o, "turn", g->turn);
	put_clean(o, "subagent", g->subagent);
	put_clean(o, "task", g->task);
	put_clean(o, "title", r->act->title);
	return o;
}

static struct jv *marks_json(const struct doc *d)
{
	static const char *const names[MARK_N] = {
		[MARK_FILE] = "file", [MARK_HUNK] = "hunk", [MARK_FLAG] = "flag",
	};
	struct jv *o = jv_obj();

	for (int m = 0; m < MARK_N; m++) {
		struct jv *a = jv_arr();
		uint32_t n = doc_marks(d, (enum doc_mark)m);

		for (uint32_t i = 0; i < n && i < 10000; i++) {
			struct jv *pair = jv_arr();

			jv_add(pair, jv_int(doc_mark_line(d, (enum doc_mark)m, i)));
			jv_add(pair, jv_strv(doc_mark_label(d, (enum doc_mark)m, i)));
			jv_add(a, pair);
		}
		jv_put(o, names[m], a);
	}
	return o;
}

static struct jv *hidden_json(const struct doc *d)
{
	static const char *const names[ESC_N] = {
		[ESC_CONTROL] = "control", [ESC_BIDI] = "bidi",
		[ESC_ZERO_WIDTH] = "zero_width", [ESC_TAG] = "tag",
		[ESC_INVALID] = "invalid", [ESC_BLANK_RUN] = "blank_run",
		[ESC_COMBINING] = "combining", [ESC_OTHER] = "other",
	};
	struct jv *o = jv_obj();

	/* Tabs and literals hide nothing: without a name here. */
	for (int i = 0; i < ESC_N; i++)
		if (names[i] != NULL)
			jv_put_i(o, names[i], doc_counts(d)->n[i]);
	return o;
}

static struct jv *evidence_json(const struct evidence *ev)
{
	static const char *const states[] = {
		[FILE_UNKNOWN] = "unknown", [FILE_ABSENT] = "absent",
		[FILE_REGULAR] = "regular", [FILE_DIRECTORY] = "directory",
		[FILE_SPECIAL] = "special",
	};
	static const char *const gits[] = {
		[GIT_UNKNOWN] = "unknown", [GIT_NO_REPO] = "no_repo",
		[GIT_CLEAN] = "clean", [GIT_DIRTY] = "dirty",
		[GIT_UNTRACKED] = "untracked", [GIT_IGNORED] = "ignored",
	};
	struct jv *a = jv_arr();

	for (size_t i = 0; ev != NULL && i < ev->n_files && i < 1000; i++) {
		const struct ev_file *f = &ev->files[i];
		struct jv *o = jv_obj();

		put_clean(o, "path", f->path);
		put_clean(o, "real", f->real);
		jv_put_s(o, "state", states[f->state]);
		jv_put_i(o, "size", (int64_t)f->size);
		jv_put_s(o, "git", gits[f->git]);
		if (f->has_digest)
			jv_put_digest(o, "digest", &f->digest);
		else
			jv_put(o, "digest", jv_null());
		jv_add(a, o);
	}
	return a;
}

static struct jv *seen_json(struct req *r, uid_t uid)
{
	struct seen *s = req_seen(r, uid, false);
	struct jv *a = jv_arr();
	uint32_t from, to;

	for (size_t i = 0; s != NULL && i < cover_ranges(s->cover); i++) {
		struct jv *pair = jv_arr();

		cover_range(s->cover, i, &from, &to);
		jv_add(pair, jv_int(from));
		jv_add(pair, jv_int(to));
		jv_add(a, pair);
	}
	return a;
}

struct jv *action_json(struct req *r, uid_t uid, const struct conn *asker)
{
	struct jv *o = jv_obj();

	jv_put(o, "row", row_json(r));
	jv_put(o, "facts", facts_json(r));
	put_clean(o, "words", r->act->words);
	jv_put_digest(o, "raw_digest", &r->raw_digest);
	if (r->assessed)
		jv_put_digest(o, "action_digest", &r->act_digest);
	if (r->ready && r->doc != NULL) {
		jv_put_digest(o, "doc_digest", &r->doc_digest);
		jv_put_i(o, "lines", doc_lines(r->doc));
		jv_put(o, "marks", marks_json(r->doc));
		jv_put(o, "hidden", hidden_json(r->doc));
	}
	jv_put(o, "seen", seen_json(r, uid));
	jv_put(o, "presence", console_presence(r->hub, r->id, asker));
	jv_put(o, "evidence", evidence_json(r->evidence));
	return o;
}

void base64_add(struct buf *b, struct sv s)
{
	static const char set[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)s.p;

	for (size_t i = 0; i < s.n; i += 3) {
		size_t left = s.n - i;
		uint32_t v = (uint32_t)p[i] << 16;
		char out[4];

		v |= left > 1 ? (uint32_t)p[i + 1] << 8 : 0;
		v |= left > 2 ? p[i + 2] : 0;
		out[0] = set[v >> 18 & 63];
		out[1] = set[v >> 12 & 63];
		out[2] = left > 1 ? set[v >> 6 & 63] : '=';
		out[3] = left > 2 ? set[v & 63] : '=';
		buf_add(b, out, 4);
	}
}
