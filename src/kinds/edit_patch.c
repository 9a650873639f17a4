/*
 * edit_patch.c - a unified diff that the agent wrote itself: its lines as they
 * are, coloured by what they claim to be.
 *
 * Inside a hunk a line that begins with "-" is a deleted line, even if it
 * reads "--- a/x": only the counts in "@@" tell, so they are followed.
 */
#include <string.h>

#include "kinds/edit_priv.h"

struct patch {
	uint64_t old_left, new_left;   /* lines the hunk still claims */
};

/* "N" or "N,M" at p; the count M, or 1. */
static bool read_range(struct sv *s, uint64_t *count)
{
	size_t i = 0, comma = 0;
	bool has_comma = false;
	uint64_t start;

	while (i < s->n && ((s->p[i] >= '0' && s->p[i] <= '9') ||
	    (s->p[i] == ',' && !has_comma))) {
		if (s->p[i] == ',') {
			has_comma = true;
			comma = i;
		}
		i++;
	}
	*count = 1;
	if (!sv_u64((struct sv){ s->p, has_comma ? comma : i }, &start) ||
	    (has_comma && !sv_u64((struct sv){ s->p + comma + 1, i - comma - 1 },
	    count)))
		return false;
	s->p += i;
	s->n -= i;
	return true;
}

static bool hunk_header(struct sv line, struct patch *p)
{
	struct sv s = line;

	if (!sv_starts(s, "@@ -"))
		return false;
	s.p += 4;
	s.n -= 4;
	if (!read_range(&s, &p->old_left) || !sv_starts(s, " +"))
		return false;
	s.p += 2;
	s.n -= 2;
	return read_range(&s, &p->new_left) && sv_starts(s, " @@");
}

static enum role line_role(struct sv line, struct patch *p)
{
	char c = line.n > 0 ? line.p[0] : ' ';

	if (p->old_left == 0 && p->new_left == 0) {
		if (hunk_header(line, p))
			return ROLE_HUNK;
		return ROLE_TEXT;
	}
	if (c == '+' && p->new_left > 0) {
		p->new_left--;
		return ROLE_ADD;
	}
	if (c == '-' && p->old_left > 0) {
		p->old_left--;
		return ROLE_DEL;
	}
	if (c == ' ' && p->old_left > 0 && p->new_left > 0) {
		p->old_left--;
		p->new_left--;
		return ROLE_CONTEXT;
	}
	if (c == '\\')
		return ROLE_HUNK;
	/* Not what the header claimed: coloured as nothing in particular. */
	p->old_left = p->new_left = 0;
	return hunk_header(line, p) ? ROLE_HUNK : ROLE_TEXT;
}

void edit_patch(struct view *v, struct sv patch, uint32_t *added,
	uint32_t *deleted)
{
	struct patch p = { 0, 0 };
	size_t at = 0;
	uint32_t no = 1;

	*added = *deleted = 0;
	while (at < patch.n) {
		const char *nl = memchr(patch.p + at, '\n', patch.n - at);
		size_t len = nl != NULL ? (size_t)(nl - (patch.p + at)) : patch.n - at;
		struct sv line = { patch.p + at, len };
		enum role r = line_role(line, &p);

		*added += r == ROLE_ADD;
		*deleted += r == ROLE_DEL;
		if (v != NULL) {
			doc_line(v->d, LINE_PAYLOAD);
			doc_lineno(v->d, 0, no);
			doc_span_raw(v->d, r, line, ESC_CODE, at);
			if (r == ROLE_HUNK && line.p[0] == '@')
				doc_mark(v->d, MARK_HUNK, SV("@@"));
			if (doc_over(v->d))
				return;
		}
		at += len + (nl != NULL);
		no++;
	}
	if (v != NULL && patch.n > 0)
		view_last_newline(v, patch);
}
