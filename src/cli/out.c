#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/cli.h"

bool cli_is_tty(void)
{
	return isatty(STDOUT_FILENO) == 1;
}

size_t cli_width(void)
{
	struct winsize w;

	if (!cli_is_tty())
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0 || w.ws_col < 20)
		return 80;
	return w.ws_col;
}

void cli_put(const struct buf *b)
{
	if (b->n > 0)
		fwrite(b->p, 1, b->n, stdout);
}

void cli_add(struct buf *b, struct sv s)
{
	esc_line(s, ESC_STRICT, 0, b, NULL, NULL, NULL);
}

void cli_cell(struct buf *b, struct sv s, size_t w, bool last)
{
	size_t from = b->n, cells;

	esc_label(s, w, b);
	if (last)
		return;
	cells = text_cells(sv_sub(buf_sv(b), from, b->n));
	for (; cells < w + 1; cells++)
		buf_addc(b, ' ');
}

void cli_span(int64_t ms, char *out, size_t n)
{
	long long s = ms / 1000;

	if (ms < 0)
		snprintf(out, n, "?");
	else if (s < 60)
		snprintf(out, n, "%llds", s);
	else if (s < 3600)
		snprintf(out, n, "%lldm", s / 60);
	else if (s < 86400)
		snprintf(out, n, "%lldh %lldm", s / 3600, s / 60 % 60);
	else
		snprintf(out, n, "%lldd %lldh", s / 86400, s / 3600 % 24);
}

int cli_finish(int status)
{
	if (fflush(stdout) == 0 && ferror(stdout) == 0)
		return status;
	return cli_fail(_("the output could not be written: %s"), strerror(errno));
}
