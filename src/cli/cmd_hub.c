/*
 * cmd_hub.c - the subcommands about the hub: serve, status, ls, stop, reload.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/hubline.h"
#include "cli/self.h"
#include "hub/hub.h"

static int paths_of(const struct cli_args *a, struct paths *p)
{
	struct err e = ERR_INIT;

	/* Every table here begins with --state and --config. */
	if (paths_get(p, a->value[0], a->value[1], &e) != 0)
		return cli_fail_err(&e);
	return 0;
}

static struct hubline *line_of(const struct cli_args *a, struct paths *p, int *rc)
{
	struct err e = ERR_INIT;
	struct hubline *h;

	*rc = paths_of(a, p);
	if (*rc != 0)
		return NULL;
	h = hubline_open(p, &e);
	if (h == NULL) {
		cli_fail_err(&e);
		*rc = CLI_FAIL;
	}
	return h;
}

static int call_failed(struct hubline **h, const struct err *e)
{
	hubline_close(h);
	return cli_fail_err(e);
}

/* ---- serve ---- */

const struct cli_opt cmd_serve_opts[] = {
	CLI_OPT_STATE, CLI_OPT_CONFIG,
	{ "detach", 'd', NULL, N_("go to the background, log to STATE/log") },
	{ NULL, 0, NULL, NULL },
};

int cmd_serve(const struct cli_args *a)
{
	struct hub_options o = { .self = cli_self() };
	int rc = paths_of(a, &o.paths);

	if (rc != 0)
		return rc;
	o.detach = a->value[2] != NULL;
	o.log_stderr = !o.detach;
	return hub_main(&o);
}

/* ---- status ---- */

const struct cli_opt cmd_status_opts[] = {
	CLI_OPT_STATE, CLI_OPT_CONFIG,
	{ "json", 'j', NULL, N_("as one JSON object") },
	{ NULL, 0, NULL, NULL },
};

static void print_json(const struct jv *v)
{
	struct buf b;

	buf_init(&b, 64u << 20);
	if (jv_write_clean(v, true, &b) == 0)
		buf_addc(&b, '\n');
	cli_put(&b);
	buf_free(&b);
}

static void status_lines(const struct paths *p, const struct hubline *h,
	const struct jv *s)
{
	const struct jv *hello = hubline_hello(h);
	const struct jv *warnings = jv_get(hello, "warnings");
	struct buf b;

	buf_init(&b, 1u << 20);
	buf_addf(&b, _("hub      pid %lld, state "),
		(long long)jv_get_i(jv_get(hello, "hub"), "pid", 0));
	cli_add(&b, sv_of(p->state));
	buf_addf(&b, _("\nset-up   "));
	cli_add(&b, jv_get_sv(hello, "setup"));
	buf_addf(&b, _("\nwaiting  %lld\nconsoles %lld\nrecord   "),
		(long long)jv_get_i(s, "waiting", 0),
		(long long)jv_get_i(s, "consoles", 0));
	cli_add(&b, jv_get_sv(s, "store"));
	if (jv_get_b(s, "hold", false))
		buf_addf(&b, _("\nSTOPPED  new requests are held back"));
	buf_addc(&b, '\n');
	for (size_t i = 0; i < jv_len(warnings); i++) {
		buf_adds(&b, "!        ");
		cli_add(&b, jv_sv(jv_at(warnings, i)));
		buf_addc(&b, '\n');
	}
	cli_put(&b);
	buf_free(&b);
}

/* 0: something waits; 1: nothing does; 2: no hub. */
int cmd_status(const struct cli_args *a)
{
	struct err e = ERR_INIT;
	struct paths p;
	struct jv *s;
	int rc;
	struct hubline *h = line_of(a, &p, &rc);

	if (h == NULL)
		return rc;
	s = hubline_call(h, "hub/status", NULL, &e);
	if (s == NULL)
		return call_failed(&h, &e);
	if (a->value[2] != NULL)
		print_json(s);
	else
		status_lines(&p, h, s);
	rc = jv_get_i(s, "waiting", 0) > 0 ? CLI_YES : CLI_NO;
	jv_free(&s);
	hubline_close(&h);
	return rc;
}

/* ---- ls ---- */

const struct cli_opt cmd_ls_opts[] = {
	CLI_OPT_STATE, CLI_OPT_CONFIG,
	{ "json", 'j', NULL, N_("one JSON object a line") },
	{ NULL, 0, NULL, NULL },
};

/* A row's text has been through the escaper in the hub; a second time would
 * make its notation look like letters of the agent's. */
static void ls_text(struct buf *b, struct sv s, size_t room)
{
	size_t at = 0, cells = 0, n;
	int w;

	if (!esc_is_clean(s)) {
		cli_add(b, s);
		return;
	}
	while ((n = grapheme_next(s, at, &w)) > 0 &&
	    (room == 0 || cells + (size_t)w < room)) {
		at += n;
		cells += (size_t)w;
	}
	buf_addsv(b, sv_sub(s, 0, at));
	if (at < s.n)
		buf_adds(b, "\u2026");
}

static void ls_row(struct buf *b, const struct jv *row, size_t width)
{
	char id[24], age[32];

	snprintf(id, sizeof(id), "%lld", (long long)jv_get_i(row, "id", 0));
	cli_span(jv_get_i(row, "age_ms", -1), age, sizeof(age));
	cli_cell(b, sv_of(id), 7, false);
	cli_cell(b, jv_get_sv(row, "state"), 9, false);
	cli_cell(b, jv_get_sv(row, "kind"), 8, false);
	cli_cell(b, jv_get_sv(row, "channel"), 12, false);
	cli_cell(b, sv_of(age), 7, false);
	cli_cell(b, jv_get_sv(row, "care"), 7, false);
	ls_text(b, jv_get_sv(row, "text"), width == 0 ? 0 : width > 60 ? width - 57 : 20);
	buf_addc(b, '\n');
}

int cmd_ls(const struct cli_args *a)
{
	struct err e = ERR_INIT;
	struct paths p;
	struct jv *s;
	struct buf b;
	int rc;
	struct hubline *h = line_of(a, &p, &rc);

	if (h == NULL)
		return rc;
	s = hubline_call(h, "queue/subscribe", NULL, &e);
	if (s == NULL)
		return call_failed(&h, &e);
	buf_init(&b, 64u << 20);
	rc = CLI_NO;
	for (size_t i = 0; i < jv_len(jv_get(s, "rows")); i++) {
		const struct jv *row = jv_at(jv_get(s, "rows"), i);

		if (sv_eqs(jv_get_sv(row, "state"), "closed"))
			continue;
		rc = CLI_YES;
		if (a->value[2] == NULL) {
			ls_row(&b, row, cli_width());
		} else {
			jv_write_clean(row, false, &b);
			buf_addc(&b, '\n');
		}
	}
	cli_put(&b);
	buf_free(&b);
	jv_free(&s);
	hubline_close(&h);
	return rc;
}

/* ---- stop, reload ---- */

const struct cli_opt cmd_stop_opts[] = {
	CLI_OPT_STATE, CLI_OPT_CONFIG,
	{ "deny", 0, NULL, N_("deny what waits; without it, what waits comes back "
		"to the next hub") },
	{ NULL, 0, NULL, NULL },
};

int cmd_stop(const struct cli_args *a)
{
	struct jv *params, *s;
	struct err e = ERR_INIT;
	struct paths p;
	int rc;
	struct hubline *h = line_of(a, &p, &rc);

	if (h == NULL)
		return rc;
	params = jv_obj();
	jv_put_b(params, "deny", a->value[2] != NULL);
	s = hubline_call(h, "hub/drain", params, &e);
	/* The hub may be gone before its answer is read: that is what was asked. */
	if (s == NULL && strcmp(e.code, "hub_gone") != 0)
		return call_failed(&h, &e);
	if (s != NULL)
		jv_free(&s);
	hubline_close(&h);
	return CLI_YES;
}

const struct cli_opt cmd_reload_opts[] = {
	CLI_OPT_STATE, CLI_OPT_CONFIG,
	{ NULL, 0, NULL, NULL },
};

int cmd_reload(const struct cli_args *a)
{
	struct err e = ERR_INIT;
	struct paths p;
	struct jv *s;
	int rc;
	struct hubline *h = line_of(a, &p, &rc);

	if (h == NULL)
		return rc;
	s = hubline_call(h, "rules/reload", NULL, &e);
	if (s == NULL) {
		hubline_close(&h);
		cli_fail_err(&e);
		return CLI_NO;
	}
	printf(_("%lld rules in force\n"), (long long)jv_get_i(s, "rules", 0));
	jv_free(&s);
	hubline_close(&h);
	return CLI_YES;
}
