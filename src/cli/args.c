#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/cli.h"

__attribute__((format(printf, 1, 0)))
static void fail_line(const char *fmt, va_list ap)
{
	char text[2048];
	struct buf b;

	vsnprintf(text, sizeof(text), fmt, ap);
	buf_init(&b, 64 << 10);
	esc_line(sv_of(text), ESC_PROSE, 0, &b, NULL, NULL, NULL);
	fprintf(stderr, "obstat: %.*s\n", (int)b.n, b.n > 0 ? b.p : "");
	buf_free(&b);
}

int cli_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail_line(fmt, ap);
	va_end(ap);
	return CLI_FAIL;
}

int cli_fail_err(const struct err *e)
{
	return cli_fail("%s", e->text);
}

int cli_misuse(const struct cli_cmd *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail_line(fmt, ap);
	va_end(ap);
	return cli_fail(_("try \"obstat %s --help\""), c->name);
}

void cli_usage(const struct cli_cmd *c, FILE *to)
{
	char left[64];

	fprintf(to, _("usage: obstat %s [OPTION]..."), c->name);
	fprintf(to, "%s%s\n", c->args[0] != '\0' ? " " : "",
		c->args[0] != '\0' ? _(c->args) : "");
	fprintf(to, "  %s\n\n", _(c->help));
	for (const struct cli_opt *o = c->opts; o->name != NULL; o++) {
		snprintf(left, sizeof(left), "%s%c%s--%s%s%s", o->letter != 0 ? "-" : " ",
			o->letter != 0 ? o->letter : ' ', o->letter != 0 ? ", " : "  ",
			o->name, o->arg != NULL ? " " : "",
			o->arg != NULL ? _(o->arg) : "");
		fprintf(to, "  %-24s %s\n", left, _(o->help));
	}
	fprintf(to, "  %-24s %s\n", "    --help", _("this text"));
}

/* The row of "--name", "--name=value", "-l" or "-lvalue"; the value that
 * hangs on it in *value. -1 when there is no such row. */
static int opt_find(const struct cli_opt *opts, char *arg, char **value)
{
	char *eq = strchr(arg, '=');
	size_t n = eq != NULL ? (size_t)(eq - arg) : strlen(arg);

	*value = NULL;
	for (int i = 0; opts[i].name != NULL; i++) {
		if (arg[1] == '-') {
			if (strlen(opts[i].name) + 2 != n ||
			    strncmp(arg + 2, opts[i].name, n - 2) != 0)
				continue;
			*value = eq != NULL ? eq + 1 : NULL;
			return i;
		}
		if (opts[i].letter != 0 && arg[1] == opts[i].letter) {
			*value = arg[2] != '\0' ? arg + 2 : NULL;
			return i;
		}
	}
	return -1;
}

static int opt_take(const struct cli_cmd *c, int argc, char **argv, int *i,
	struct cli_args *a)
{
	char *value;
	int k = opt_find(c->opts, argv[*i], &value);

	if (k < 0)
		return cli_misuse(c, _("there is no option \"%.64s\""), argv[*i]);
	if (c->opts[k].arg == NULL) {
		if (value != NULL)
			return cli_misuse(c, _("--%s takes no value"), c->opts[k].name);
		a->value[k] = "";
		return 0;
	}
	if (value == NULL && *i + 1 < argc)
		value = argv[++*i];
	if (value == NULL)
		return cli_misuse(c, _("--%s needs a value"), c->opts[k].name);
	a->value[k] = value;
	return 0;
}

int cli_parse(const struct cli_cmd *c, int argc, char **argv, struct cli_args *a)
{
	bool opts = true;
	int rc;

	memset(a, 0, sizeof(*a));
	a->cmd = c;
	a->rest = argv;
	for (int i = 0; i < argc; i++) {
		if (opts && strcmp(argv[i], "--help") == 0) {
			cli_usage(c, stdout);
			return CLI_STOP + CLI_YES;
		}
		if (opts && strcmp(argv[i], "--") == 0) {
			opts = false;
		} else if (opts && argv[i][0] == '-' && argv[i][1] != '\0') {
			if ((rc = opt_take(c, argc, argv, &i, a)) != 0)
				return CLI_STOP + rc;
		} else {
			/* Never ahead of i: the kept ones close ranks. */
			a->rest[a->n_rest++] = argv[i];
		}
	}
	if (a->n_rest < c->min_rest)
		return CLI_STOP + cli_misuse(c, _("%s needs %s"), c->name, _(c->args));
	if (c->max_rest >= 0 && a->n_rest > c->max_rest)
		return CLI_STOP + cli_misuse(c, _("\"%.64s\" is one argument too many"),
			a->rest[c->max_rest]);
	return CLI_YES;
}
