/*
 * cmd_show.c - one action: what it was, its life record by record, and the
 * document as it was drawn for whoever decided.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/text.h"
#include "cli/act.h"
#include "cli/cli.h"
#include "model/doc.h"

#define BAR "\xE2\x96\x8C"
#define BODY_SHOWN_MAX ((size_t)BODY_MAX + 16)

enum { OPT_STATE, OPT_JSON, OPT_RAW };
const struct cli_opt cmd_show_opts[] = {
	[OPT_STATE] = CLI_OPT_STATE,
	[OPT_JSON] = { "json", 0, NULL, N_("as one JSON object") },
	[OPT_RAW] = { "raw", 0, NULL,
		N_("the bytes as received (escaped on a terminal)") },
	{ NULL, 0, NULL, NULL },
};

/* One row a fact: shown once, in this order, from the first record that has
 * it. All other fields stand with their record. */
static const struct {
	enum rec_field f;
	const char *label;
} facts[] = {
	{ RF_KIND, N_("kind") },
	{ RF_TOOL, N_("tool") },
	{ RF_TARGET, N_("target") },
	{ RF_TITLE, N_("title") },
	{ RF_CWD, N_("directory") },
	{ RF_CHANNEL, N_("agent") },
	{ RF_SESSION, N_("session") },
	{ RF_SUBAGENT, N_("subagent") },
	{ RF_TASK, N_("task") },
	{ RF_TURN, N_("turn") },
	{ RF_CALL, N_("call") },
	{ RF_DIALECT, N_("dialect") },
	{ RF_PEER_UID, N_("peer uid") },
	{ RF_PEER_PID, N_("peer pid") },
	{ RF_EXE, N_("program") },
	{ RF_SETUP, N_("set-up") },
	{ RF_GRADE, N_("grade") },
	{ RF_REVERSIBILITY, N_("reversibility") },
	{ RF_CARE, N_("care") },
	{ RF_RAW_DIGEST, N_("received bytes") },
	{ RF_ACTION_DIGEST, N_("action") },
	{ RF_DOC_DIGEST, N_("document") },
	{ RF_RULES_DIGEST, N_("rules") },
};
#define N_FACTS (sizeof(facts) / sizeof(facts[0]))
#define LABEL_CELLS 16

struct show {
	uint64_t id;
	bool single;               /* not an action: one record alone */
	struct jv *json;           /* --json: records */
	struct buf fact[N_FACTS];
	struct buf life;
	unsigned n;
	uint64_t doc_seq, raw_seq, answer_seq;  /* which record has that body */
};

static int fact_of(enum rec_field f)
{
	for (size_t i = 0; i < N_FACTS; i++)
		if (facts[i].f == f)
			return (int)i;
	return -1;
}

static void life_line(struct show *s, const struct rec_view *v)
{
	enum rec_field f;
	struct sv val;
	size_t at = 0;
	char t[40];
	int k;

	clock_local(v->real_ms, t, sizeof(t));
	buf_addf(&s->life, "  %s  %-10s", t, rec_type_name(v->type));
	while (rec_view_next(v, &at, &f, &val)) {
		struct buf text;

		k = fact_of(f);
		buf_init(&text, 1 << 20);
		rec_value_text(f, val, &text);
		if (k >= 0 && s->fact[k].n == 0)
			buf_addsv(&s->fact[k], buf_sv(&text));
		if ((k < 0 || !sv_eq(buf_sv(&s->fact[k]), buf_sv(&text))) &&
		    (f != RF_ACTION || s->single)) {
			buf_addf(&s->life, "  %s ", rec_field_name(f));
			cli_add(&s->life, buf_sv(&text));
		}
		buf_free(&text);
	}
	buf_addc(&s->life, '\n');
}

static bool show_rec(void *arg, const struct rec_view *v)
{
	struct show *s = arg;
	struct rec_body b;

	if (v->seq != s->id && (s->single || act_of(v) != s->id))
		return true;
	if (s->n++ == 0)
		s->single = act_of(v) != v->seq;
	for (size_t i = 0; rec_view_body(v, i, &b); i++) {
		if (sv_eqs(b.name, "doc"))
			s->doc_seq = v->seq;
		else if (sv_eqs(b.name, "raw") && s->raw_seq == 0)
			s->raw_seq = v->seq;
		else if (sv_eqs(b.name, "answer"))
			s->answer_seq = v->seq;
	}
	if (s->json != NULL)
		jv_add(s->json, rec_json(v));
	else
		life_line(s, v);
	return !s->single;
}

/* ---- the document ---- */

static void line_nos(struct buf *b, uint32_t n, int w)
{
	if (n > 0)
		buf_addf(b, "%*lu ", w, (unsigned long)n);
	else
		buf_addf(b, "%*s ", w, "");
}

static void doc_line_add(const struct doc *d, uint32_t i, int w, struct buf *b)
{
	uint32_t old_no, new_no;

	buf_adds(b, doc_line_kind(d, i) == LINE_PAYLOAD ? BAR " " : "  ");
	doc_line_nos(d, i, &old_no, &new_no);
	if (w > 0 && doc_line_kind(d, i) == LINE_PAYLOAD) {
		line_nos(b, old_no, w);
		line_nos(b, new_no, w);
	}
	for (uint32_t k = 0; k < doc_line_spans(d, i); k++)
		buf_addsv(b, doc_line_span(d, i, k).text);
	buf_addc(b, '\n');
}

static void doc_print(const struct doc *d)
{
	uint32_t old_no, new_no, most = 0;
	struct buf b;
	int w = 0;

	for (uint32_t i = 0; i < doc_lines(d); i++) {
		doc_line_nos(d, i, &old_no, &new_no);
		most = old_no > most ? old_no : most;
		most = new_no > most ? new_no : most;
	}
	for (; most > 0; most /= 10)
		w++;
	buf_init(&b, 256 << 20);
	for (uint32_t i = 0; i < doc_lines(d); i++) {
		buf_clear(&b);
		doc_line_add(d, i, w, &b);
		cli_put(&b);
	}
	buf_free(&b);
}

/* Bytes as received: line by line through the escaper behind the bar. */
static void raw_print(struct sv raw)
{
	struct buf b;

	buf_init(&b, 2048u << 20);
	while (raw.n > 0) {
		const char *nl = memchr(raw.p, '\n', raw.n);
		size_t n = nl != NULL ? (size_t)(nl - raw.p) : raw.n;

		buf_clear(&b);
		buf_adds(&b, BAR " ");
		esc_line((struct sv){ raw.p, n }, ESC_CODE, 2, &b, NULL, NULL, NULL);
		buf_addc(&b, '\n');
		cli_put(&b);
		n += nl != NULL;
		raw.p += n;
		raw.n -= n;
	}
	buf_free(&b);
}

/* The body, or why there is none (on stderr for an error). */
static int body_get(struct reader *r, uint64_t seq, const char *name, struct buf *out)
{
	struct err e = ERR_INIT;
	int rc;

	if (seq == 0)
		return 1;
	rc = reader_body(r, seq, name, out, &e);
	if (rc == -1)
		return cli_fail_err(&e), -1;
	return rc;
}

static int show_raw(struct show *s, struct reader *r)
{
	struct buf b;
	int rc;

	buf_init(&b, BODY_SHOWN_MAX);
	rc = body_get(r, s->raw_seq, "raw", &b);
	if (rc == 0 && cli_is_tty())
		raw_print(buf_sv(&b));
	else if (rc == 0)
		cli_put(&b);
	else if (rc > 0)
		cli_fail(rc == 2 ? _("the bytes of %llu were forgotten") :
			_("no bytes were kept of %llu"), (unsigned long long)s->id);
	buf_free(&b);
	return rc == 0 ? CLI_YES : rc > 0 ? CLI_NO : CLI_FAIL;
}

static int show_doc(struct show *s, struct reader *r)
{
	struct err e = ERR_INIT;
	struct doc *d = NULL;
	struct buf b;
	int rc;

	buf_init(&b, BODY_SHOWN_MAX);
	rc = body_get(r, s->doc_seq, "doc", &b);
	if (rc == 0) {
		d = doc_decode(buf_sv(&b), &e);
		rc = d != NULL ? 0 : (cli_fail_err(&e), -1);
	}
	if (rc == 0) {
		printf(_("\nas it was drawn:\n"));
		doc_print(d);
	} else if (rc == 2) {
		puts(_("\nthe document was forgotten"));
	} else if (rc == 1) {
		/* No person decided, so nothing was drawn: what came in, then. */
		buf_clear(&b);
		rc = body_get(r, s->raw_seq, "raw", &b);
		if (rc == 0) {
			puts(_("\nno document is on record; as it was received:"));
			raw_print(buf_sv(&b));
		} else if (rc > 0) {
			puts(_("\nneither a document nor the received bytes are on record"));
		}
	}
	doc_free(&d);
	buf_free(&b);
	return rc < 0 ? CLI_FAIL : CLI_YES;
}

/* ---- JSON ---- */

static struct jv *doc_json(const struct doc *d)
{
	static const char *const kinds[] = { "ours", "payload", "words" };
	struct jv *lines = jv_arr();
	struct buf b;

	buf_init(&b, 256 << 20);
	for (uint32_t i = 0; i < doc_lines(d); i++) {
		struct jv *l = jv_arr();

		buf_clear(&b);
		for (uint32_t k = 0; k < doc_line_spans(d, i); k++)
			buf_addsv(&b, doc_line_span(d, i, k).text);
		jv_add(l, jv_strv(sv_of(kinds[doc_line_kind(d, i)])));
		jv_add(l, jv_strv(buf_sv(&b)));
		jv_add(lines, l);
	}
	buf_free(&b);
	return lines;
}

static int show_json(struct show *s, struct reader *r)
{
	struct err e = ERR_INIT;
	struct jv *o = jv_obj();
	struct doc *d = NULL;
	struct buf b;
	int rc;

	jv_put_i(o, "id", (int64_t)s->id);
	jv_put(o, "records", s->json);
	s->json = NULL;
	buf_init(&b, 512 << 20);
	rc = body_get(r, s->doc_seq, "doc", &b);
	if (rc == 0)
		d = doc_decode(buf_sv(&b), &e);
	if (rc == 0 && d == NULL)
		rc = (cli_fail_err(&e), -1);
	jv_put(o, "document", d != NULL ? doc_json(d) : jv_null());
	if (rc == 2)
		jv_put_b(o, "forgotten", true);
	doc_free(&d);
	buf_clear(&b);
	if (rc >= 0 && (jv_write_clean(o, false, &b) != 0 || buf_addc(&b, '\n') != 0))
		rc = (cli_fail(_("%llu is too big to print"), (unsigned long long)s->id), -1);
	if (rc >= 0)
		cli_put(&b);
	buf_free(&b);
	jv_free(&o);
	return rc < 0 ? CLI_FAIL : CLI_YES;
}

/* ---- the command ---- */

static void show_facts(struct show *s)
{
	struct buf b;
	char id[32];

	buf_init(&b, 8 << 20);
	snprintf(id, sizeof(id), "%llu", (unsigned long long)s->id);
	buf_addf(&b, s->single ? _("record %s\n") : _("action %s\n"), id);
	for (size_t i = 0; i < N_FACTS; i++) {
		if (s->fact[i].n == 0)
			continue;
		buf_adds(&b, "  ");
		cli_cell(&b, sv_of(_(facts[i].label)), LABEL_CELLS, false);
		cli_add(&b, buf_sv(&s->fact[i]));
		buf_addc(&b, '\n');
	}
	buf_adds(&b, _("\nits life:\n"));
	buf_addsv(&b, buf_sv(&s->life));
	cli_put(&b);
	buf_free(&b);
}

static int show_all(struct show *s, struct reader *r, const struct cli_args *a)
{
	if (a->value[OPT_RAW] != NULL)
		return show_raw(s, r);
	if (a->value[OPT_JSON] != NULL)
		return show_json(s, r);
	show_facts(s);
	return s->single && s->doc_seq == 0 && s->raw_seq == 0 ? CLI_YES : show_doc(s, r);
}

int cmd_show(const struct cli_args *a)
{
	struct err e = ERR_INIT;
	struct show s = { 0 };
	struct reader *r;
	int rc;

	if (!sv_u64(sv_of(a->rest[0]), &s.id) || s.id == 0)
		return cli_misuse(a->cmd, _("\"%.64s\" is not a number"), a->rest[0]);
	r = record_open(a->value[OPT_STATE]);
	if (r == NULL)
		return CLI_FAIL;
	buf_init(&s.life, 64 << 20);
	for (size_t i = 0; i < N_FACTS; i++)
		buf_init(&s.fact[i], 1 << 20);
	if (a->value[OPT_JSON] != NULL)
		s.json = jv_arr();
	rc = reader_each(r, s.id, show_rec, &s, &e);
	if (rc != 0)
		rc = cli_fail_err(&e);
	else if (s.n == 0)
		rc = (cli_fail(_("there is no %llu on record"), (unsigned long long)s.id),
			CLI_NO);
	else
		rc = show_all(&s, r, a);
	for (size_t i = 0; i < N_FACTS; i++)
		buf_free(&s.fact[i]);
	buf_free(&s.life);
	jv_free(&s.json);
	reader_close(&r);
	return rc;
}
