/*
 * fix.c - see fix.h.
 */
#include "fix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "proto/dialect.h"

struct evidence *fix_evidence(const struct fix_file *files, size_t n)
{
	struct evidence *e = evidence_new();

	e->files = arena_alloc(e->arena, n * sizeof(*e->files));
	e->n_files = n;
	e->workspace = SV("/srv/pay");
	for (size_t i = 0; i < n; i++) {
		const struct fix_file *f = &files[i];
		struct ev_file *o = &e->files[i];
		size_t len = f->content == NULL ? 0 : f->n > 0 ? f->n :
			strlen(f->content);

		*o = (struct ev_file){ .path = sv_of(f->path),
			.real = sv_of(f->real != NULL ? f->real : f->path),
			.state = f->state, .git = f->git, .error = f->error,
			.nlink = f->nlink > 0 ? f->nlink : 1, .mode = 0100644,
			.via_link = f->link, .in_workspace = !f->outside,
			.too_big = f->too_big, .size = len };
		if (f->state == FILE_UNKNOWN)
			o->real = SV_NONE;
		if (f->content != NULL && !f->too_big) {
			o->has_content = true;
			o->content = (struct sv){ f->content, len };
		}
		if (f->state == FILE_REGULAR) {
			o->has_digest = true;
			o->digest = sha256((struct sv){ f->content, len });
		}
	}
	return e;
}

void fix_evidence_free(struct evidence **e)
{
	if (*e == NULL)
		return;
	(*e)->n_files = 0;     /* contents are the test's, not mapped */
	evidence_free(e);
}

struct action *fix_action(struct sv json)
{
	struct json *j = json_parse(json, NULL);
	const struct dialect *d;
	struct action *a = NULL;
	struct event ev;
	struct err e;

	if (j == NULL)
		return NULL;
	d = dialect_find(json_get(j, 0, "hook_event_name") != JSON_NO ?
		SV("claude") : SV("native"));
	if (d->decode(json, j, true, &ev, &e) == 0 && ev.type == EVENT_ASK) {
		a = ev.action;
		ev.action = NULL;
	}
	event_clear(&ev);
	json_free(&j);
	return a;
}

struct action *fix_native(const char *kind, const char *action_json)
{
	char *text = xasprintf("{\"method\":\"approval/request\",\"params\":{\"key\":"
		"\"00112233445566778899aabbccddeeff\",\"kind\":\"%s\",\"tool\":\"t\","
		"\"action\":%s}}", kind, action_json);
	struct action *a = fix_action(sv_of(text));

	free(text);
	return a;
}

char *fix_read(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	struct buf b;
	char part[65536];
	size_t got;

	if (f == NULL)
		return NULL;
	buf_init(&b, (size_t)1 << 30);
	while ((got = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(&b, part, got);
	fclose(f);
	return buf_steal(&b, n);
}

static void dump_line(const struct doc *d, uint32_t line, struct buf *out)
{
	static const char kinds[] = { [LINE_OURS] = 'o', [LINE_PAYLOAD] = 'p',
		[LINE_WORDS] = 'w' };
	uint32_t old_no, new_no, n = doc_line_spans(d, line);

	doc_line_nos(d, line, &old_no, &new_no);
	buf_addf(out, "%c %3u %3u |", kinds[doc_line_kind(d, line)], old_no, new_no);
	for (uint32_t i = 0; i < n; i++)
		buf_addsv(out, doc_line_span(d, line, i).text);
	buf_adds(out, "\n          |");
	for (uint32_t i = 0; i < n; i++) {
		struct doc_span s = doc_line_span(d, line, i);
		size_t at = 0, used;

		while ((used = grapheme_next(s.text, at, NULL)) > 0) {
			buf_addc(out, role_letter(s.role));
			at += used;
		}
	}
	buf_addc(out, '\n');
}

void fix_dump(const struct doc *d, struct buf *out)
{
	static const char *const names[] = { "file", "hunk", "flag" };
	uint32_t added, deleted;

	for (uint32_t i = 0; i < doc_lines(d); i++)
		dump_line(d, i, out);
	for (int m = 0; m < MARK_N; m++)
		for (uint32_t i = 0; i < doc_marks(d, (enum doc_mark)m); i++) {
			buf_addf(out, "mark %s %u ", names[m],
				doc_mark_line(d, (enum doc_mark)m, i));
			buf_addsv(out, doc_mark_label(d, (enum doc_mark)m, i));
			buf_addc(out, '\n');
		}
	kinds_edit_counts(d, &added, &deleted);
	buf_addf(out, "counts +%u -%u hidden %u%s\n", added, deleted,
		esc_hidden(doc_counts(d)), doc_over(d) ? " over" : "");
}
