/*
 * demo_print.c - what the demo prints: lines as the console draws them, what
 * the agent was told, what is on record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/json_out.h"
#include "base/text.h"
#include "cli/act.h"
#include "cli/cli.h"
#include "cli/demo.h"
#include "ui/lines.h"
#include "ui/pager.h"

#define COLUMNS 80
#define DIR_SHOWN "DEMO"

/* The folder is new each time; the transcript is not. */
static void put_dir_short(const struct demo *d, struct buf *b, struct sv s)
{
	size_t n = strlen(d->dir);

	while (s.n > 0) {
		const char *hit = n > 0 ? memmem(s.p, s.n, d->dir, n) : NULL;
		size_t before = hit != NULL ? (size_t)(hit - s.p) : s.n;

		buf_add(b, s.p, before);
		if (hit != NULL) {
			buf_adds(b, DIR_SHOWN);
			before += n;
		}
		s.p += before;
		s.n -= before;
	}
}

void demo_add(const struct demo *d, struct buf *b, struct sv s)
{
	struct buf t;

	buf_init(&t, 1u << 20);
	put_dir_short(d, &t, s);
	if (esc_is_clean(buf_sv(&t)))
		buf_addsv(b, buf_sv(&t));    /* the hub's own, escaped already */
	else
		cli_add(b, buf_sv(&t));
	buf_free(&t);
}

/* ---- a line of the document ---- */

static void put_row(struct frame *f)
{
	struct buf b;

	buf_init(&b, COLUMNS * CELL_BYTES + 1);
	for (int x = 0; x < f->w; x++) {
		const struct cell *c = frame_at(f, x, 0);

		buf_add(&b, c->g, c->w > 0 ? c->n : 0);
	}
	while (b.n > 0 && b.p[b.n - 1] == ' ')
		b.n--;
	buf_addc(&b, '\n');
	cli_put(&b);
	buf_free(&b);
}

static uint32_t add_line(const struct demo *d, struct lines *l, const struct jv *line)
{
	const struct jv *parts = jv_at(line, 3);
	struct sv kind = jv_sv(jv_at(line, 0));
	struct ui_line *at;

	lines_begin(l, sv_eqs(kind, "p") ? LINE_PAYLOAD :
		sv_eqs(kind, "w") ? LINE_WORDS : LINE_OURS);
	at = &l->line[l->n - 1];
	at->old_no = (uint32_t)jv_i(jv_at(line, 1), 0);
	at->new_no = (uint32_t)jv_i(jv_at(line, 2), 0);
	for (size_t i = 0; i < jv_len(parts); i++) {
		struct buf b;

		buf_init(&b, 32u << 20);
		put_dir_short(d, &b, jv_sv(jv_at(jv_at(parts, i), 1)));
		lines_span(l, ROLE_TEXT, buf_sv(&b));
		buf_free(&b);
	}
	at = &l->line[l->n - 1];
	return at->old_no > at->new_no ? at->old_no : at->new_no;
}

void demo_print_lines(const struct demo *d, const struct jv *lines)
{
	struct lines l = { 0 };
	struct line_source src;
	struct pager at = { 0, 0 }, before;
	struct frame f;
	uint32_t most = 0;

	for (size_t i = 0; i < jv_len(lines); i++) {
		uint32_t no = add_line(d, &l, jv_at(lines, i));

		most = no > most ? no : most;
	}
	src = lines_source(&l);
	src.max_no = most;
	frame_init(&f, COLUMNS, 1);
	do {
		frame_clear(&f);
		pager_draw(&at, &src, &f, 0, 1, NULL);
		put_row(&f);
		before = at;
		pager_move(&at, &src, COLUMNS, 1);
	} while (at.line != before.line || at.row != before.row);
	frame_free(&f);
	lines_free(&l);
}

/* ---- what the agent was told ---- */

/* The action's number differs from run to run: "#12" becomes "#N". */
static void add_numberless(const struct demo *d, struct buf *b, struct sv s)
{
	struct buf t;

	buf_init(&t, 1u << 20);
	for (size_t i = 0; i < s.n; i++) {
		buf_addc(&t, s.p[i]);
		if (s.p[i] != '#' || i + 1 >= s.n || s.p[i + 1] < '0' || s.p[i + 1] > '9')
			continue;
		while (i + 1 < s.n && s.p[i + 1] >= '0' && s.p[i + 1] <= '9')
			i++;
		buf_addc(&t, 'N');
	}
	demo_add(d, b, buf_sv(&t));
	buf_free(&t);
}

static struct jv *told_row(const struct demo *d, size_t row)
{
	struct sv all = buf_sv(&d->told);
	struct err e = ERR_INIT;
	char head[24];

	snprintf(head, sizeof(head), "%zu ", row);
	while (all.n > 0) {
		const char *nl = memchr(all.p, '\n', all.n);
		struct sv line = { all.p, nl != NULL ? (size_t)(nl - all.p) : all.n };
		size_t k = strlen(head);

		if (sv_starts(line, head))
			return jv_read((struct sv){ line.p + k, line.n - k }, &e);
		k = line.n + (nl != NULL);
		all.p += k;
		all.n -= k;
	}
	return NULL;
}

void demo_print_told(const struct demo *d)
{
	struct buf b;

	buf_init(&b, 1u << 20);
	buf_adds(&b, _("\n== what the agent was told ==\n"));
	for (size_t i = 0; i < n_demo_actions; i++) {
		struct jv *o = told_row(d, i);

		buf_addf(&b, "%s: ", _(demo_actions[i].title));
		if (o == NULL) {
			buf_adds(&b, _("no answer\n"));
			continue;
		}
		demo_add(d, &b, jv_get_sv(o, "outcome"));
		buf_adds(&b, ": ");
		add_numberless(d, &b, jv_get_sv(o, "tell"));
		buf_addc(&b, '\n');
		jv_free(&o);
	}
	cli_put(&b);
	buf_free(&b);
}

/* ---- what is on record ---- */

struct on_record {
	const struct demo *d;
	uint64_t id[32];             /* of the row's action; 0 none */
	struct buf life[32];
};

static void record_line(struct on_record *o, struct buf *b, const struct rec_view *v)
{
	static const enum rec_field shown[] = { RF_VERB, RF_OUTCOME, RF_BY_KIND, RF_RULE,
		RF_REASON, RF_TYPED, RF_SEEN_LINES, RF_TOTAL_LINES, RF_DELIVERY, RF_STATUS };

	buf_addf(b, "  %-10s", rec_type_name(v->type));
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		struct sv val = rec_view_get(v, shown[i]);
		struct buf text;

		if (val.n == 0)
			continue;
		buf_init(&text, 1u << 20);
		rec_value_text(shown[i], val, &text);
		buf_addf(b, "  %s ", rec_field_name(shown[i]));
		demo_add(o->d, b, buf_sv(&text));
		buf_free(&text);
	}
	while (b->n > 0 && b->p[b->n - 1] == ' ')
		b->n--;
	buf_addc(b, '\n');
}

static bool record_take(void *arg, const struct rec_view *v)
{
	struct on_record *o = arg;
	uint64_t id = act_of(v);

	for (size_t i = 0; id != 0 && i < n_demo_actions; i++) {
		if (v->type == REC_RECEIVED && o->id[i] == 0 &&
		    sv_eqs(rec_view_get(v, RF_TURN), demo_actions[i].name))
			o->id[i] = id;
		if (o->id[i] == id) {
			record_line(o, &o->life[i], v);
			break;
		}
	}
	return true;
}

int demo_print_record(const struct demo *d, struct err *e)
{
	struct on_record *o = xcalloc(1, sizeof(*o));
	struct reader *r = reader_open(d->paths.state, e);
	int rc = r != NULL ? 0 : -1;

	o->d = d;
	for (size_t i = 0; i < n_demo_actions; i++)
		buf_init(&o->life[i], 1u << 20);
	if (rc == 0)
		rc = reader_each(r, 1, record_take, o, e);
	puts(_("\n== what is on record =="));
	for (size_t i = 0; i < n_demo_actions; i++) {
		printf("%s\n", _(demo_actions[i].title));
		cli_put(&o->life[i]);
		buf_free(&o->life[i]);
	}
	reader_close(&r);
	free(o);
	return rc;
}
