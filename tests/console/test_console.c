/*
 * test_console.c - runs key scripts: the whole console on a terminal in
 * memory, a fake hub and a clock that only scripts move.
 *
 *   test_console [SCRIPT.keys ...]      default: all of SCRIPT_DIR
 *
 * A script is one command a line; "#" begins a comment:
 *   size W H                       the terminal's size
 *   row ID KIND CARE FIXTURE TEXT  a new pending action (fake_hub.h)
 *   set ID FIELD VALUE             state, outcome, by, linked, session, ...
 *   tell ID METHOD                 queue/changed or queue/closed for it
 *   hub short|forget|hold|store TEXT|refused N|warning TEXT|red|session
 *   hub presence ID NAME
 *   type TEXT                      one read (\e \r \n \t \\ \xHH)
 *   cursor ID                      puts the queue's cursor there
 *   queue TEXT                     as type, but read with the next type
 *   wait MS · stall on|off · drop · connect · hangup
 *   sent METHOD [TEXT]             was sent, holding TEXT, since the last check
 *   quiet METHOD                   was not sent since the last check
 *   screen TEXT · absent TEXT      stands, or not, on the screen
 *   approved N                     approvals that the hub took so far
 *   golden NAME                    the screen is tests/golden/ui/NAME
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/screen.h"
#include "tests/console/fake_hub.h"
#include "tests/support/clock_test.h"
#include "ui/term_mem.h"

struct world {
	const char *script;
	unsigned line, failures;
	struct app app;
	struct fake_hub hub;
	struct term *term;
	struct screen screen;
	size_t log_at;
};

static void bad(struct world *w, const char *what, const char *detail)
{
	fprintf(stderr, "%s:%u: %s: %s\n", w->script, w->line, what, detail);
	w->failures++;
}

/* Turns until nothing moves any more, as the loop would make them. */
static void settle(struct world *w)
{
	for (int i = 0; i < 50; i++) {
		uint64_t now = clock_boot_ms();

		fake_pump(&w->hub, now);
		if (screen_read(&w->screen, now) != 0)
			w->app.quit = true;
		app_tick(&w->app, now);
		(void)screen_turn(&w->screen, now);
		if (w->hub.in.n == 0 && !w->app.dirty)
			return;
		if (screen_turn(&w->screen, now) == 0 && w->hub.in.n == 0)
			return; /* stalled */
	}
	bad(w, "does not settle", "");
}

static void advance(struct world *w, uint64_t ms)
{
	uint64_t end = clock_boot_ms() + ms;

	for (;;) {
		uint64_t due = app_due(&w->app), now = clock_boot_ms();

		if (due == 0 || due > end)
			break;
		if (due > now)
			clock_test_advance(due - now);
		settle(w);
	}
	clock_test_advance(end - clock_boot_ms());
	settle(w);
}

static size_t unescape(const char *s, char *out, size_t max)
{
	size_t n = 0;

	for (; *s != '\0' && n < max; s++) {
		if (*s != '\\') {
			out[n++] = *s;
			continue;
		}
		switch (*++s) {
		case 'e': out[n++] = '\033'; break;
		case 'r': out[n++] = '\r'; break;
		case 'n': out[n++] = '\n'; break;
		case 't': out[n++] = '\t'; break;
		case 's': out[n++] = ' '; break;
		case 'x': {
			char hex[3] = { s[1], s[2], 0 };
			out[n++] = (char)strtoul(hex, NULL, 16);
			s += 2;
			break;
		}
		default: out[n++] = *s; break;
		}
	}
	return n;
}

/* The screen's glyphs, rows joined by LF. */
static char *glyphs(struct world *w)
{
	const struct frame *f = term_mem_screen(w->term);
	struct buf b;
	char *s;

	buf_init(&b, 1u << 22);
	for (int y = 0; y < f->h; y++) {
		for (int x = 0; x < f->w; x++)
			buf_add(&b, f->cells[y * f->w + x].g, f->cells[y * f->w + x].n);
		buf_addc(&b, '\n');
	}
	s = xmemdup0(b.p, b.n);
	buf_free(&b);
	return s;
}

static void check_screen(struct world *w, const char *text, bool want)
{
	char *s = glyphs(w);

	if ((strstr(s, text) != NULL) != want) {
		bad(w, want ? "not on the screen" : "on the screen", text);
		fputs(s, stderr);
	}
	free(s);
}

static void check_sent(struct world *w, const char *method, const char *text, bool want)
{
	const char *p = w->hub.log.p + w->log_at, *end = w->hub.log.p + w->hub.log.n;
	bool found = false;

	while (w->hub.log.n > w->log_at && p < end) {
		const char *lf = memchr(p, '\n', (size_t)(end - p));
		size_t n = strlen(method);

		if (strncmp(p, method, n) == 0 && p[n] == ' '
			&& memmem(p, (size_t)(lf - p), text, strlen(text)) != NULL)
			found = true;
		p = lf + 1;
	}
	if (found != want) {
		bad(w, want ? "not sent" : "sent", method);
		fprintf(stderr, "%.*s", (int)(w->hub.log.n - w->log_at),
			w->hub.log.p + w->log_at);
	}
	if (want)
		w->log_at = w->hub.log.n;
}

static struct sv next_line(struct sv *s)
{
	const char *lf = s->n > 0 ? memchr(s->p, '\n', s->n) : NULL;
	struct sv line = { s->p, lf != NULL ? (size_t)(lf - s->p) : s->n };
	size_t used = line.n + (lf != NULL);

	s->p += used;
	s->n -= used;
	return line;
}

/* The first few lines that differ. */
static void show_differences(struct sv want, struct sv have)
{
	for (int shown = 0; shown < 6 && (want.n > 0 || have.n > 0);) {
		struct sv a = next_line(&want), b = next_line(&have);

		if (sv_eq(a, b))
			continue;
		fprintf(stderr, "-%.*s\n+%.*s\n", SVFMT(a), SVFMT(b));
		shown++;
	}
}

static void check_golden(struct world *w, const char *name)
{
	struct buf b, file;
	char path[PATH_MAX];
	FILE *f;

	buf_init(&b, 1u << 22);
	buf_init(&file, 1u << 22);
	snprintf(path, sizeof(path), "%s/%s", GOLDEN_DIR, name);
	frame_dump(term_mem_screen(w->term), &b);
	if (getenv("UPDATE_GOLDEN") != NULL) {
		f = fopen(path, "we");
		if (f == NULL || fwrite(b.p, 1, b.n, f) != b.n || fclose(f) != 0)
			bad(w, "cannot write", path);
	} else if ((f = fopen(path, "re")) == NULL) {
		bad(w, "no golden (UPDATE_GOLDEN=1 writes it)", path);
	} else {
		buf_reserve(&file, 1u << 21);
		file.n = fread(file.p, 1, 1u << 21, f);
		fclose(f);
		if (file.n != b.n || memcmp(file.p, b.p, b.n) != 0) {
			bad(w, "differs from", path);
			show_differences(buf_sv(&file), buf_sv(&b));
		}
	}
	buf_free(&b);
	buf_free(&file);
}

static void set(struct world *w, uint64_t id, const char *field, const char *value)
{
	struct fake_row *r = fake_find(&w->hub, id);
	struct {
		const char *name;
		char *to;
		size_t n;
	} fields[] = {
#define F(x) { #x, r->x, sizeof(r->x) }
		F(state), F(outcome), F(by), F(session), F(channel), F(confirm), F(why_not),
		F(verb), F(kind),
#undef F
	};

	if (strcmp(field, "linked") == 0)
		r->linked = strtoull(value, NULL, 10);
	else if (strcmp(field, "expires") == 0)
		r->expires_at = clock_boot_ms() + strtoull(value, NULL, 10);
	else if (strcmp(field, "warn") == 0)
		r->warn = true;
	else if (strcmp(field, "can_reason") == 0)
		r->can_reason = false;
	else if (strcmp(field, "lines") == 0)
		r->big = (uint32_t)strtoul(value, NULL, 10);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcmp(fields[i].name, field) == 0)
			snprintf(fields[i].to, fields[i].n, "%s", value);
}

static void hub(struct world *w, const char *what, const char *rest)
{
	char name[64] = "";
	unsigned long id = strtoul(rest, NULL, 10);

	if (strcmp(what, "hold") == 0) {
		w->hub.hold = true;
		fake_hub_state(&w->hub, "ok", NULL, 0);
	} else if (strcmp(what, "short") == 0) {
		w->hub.short_answers = true;
	} else if (strcmp(what, "forget") == 0) {
		fake_forget(&w->hub);
	} else if (strcmp(what, "store") == 0) {
		fake_hub_state(&w->hub, "full", rest, 0);
	} else if (strcmp(what, "refused") == 0) {
		fake_hub_state(&w->hub, "ok", NULL, atoi(rest));
	} else if (strcmp(what, "warning") == 0) {
		fake_warning(&w->hub, rest);
	} else if (strcmp(what, "red") == 0 || strcmp(what, "session") == 0) {
		fake_session(&w->hub, "claude", "s1", strcmp(what, "red") == 0);
	} else if (strcmp(what, "presence") == 0 && sscanf(rest, "%lu %63s", &id, name) == 2) {
		fake_presence(&w->hub, id, name);
	} else {
		bad(w, "no such hub command", what);
	}
}

static void new_row(struct world *w, const char *rest)
{
	char kind[16], care[16], fixture[32];
	unsigned long id;
	int used = 0;

	if (sscanf(rest, "%lu %15s %15s %31s %n", &id, kind, care, fixture, &used) != 4) {
		bad(w, "cannot read", rest);
		return;
	}
	w->hub.now = clock_boot_ms();
	fake_tell(&w->hub, "queue/added",
		fake_row(&w->hub, id, kind, care, fixture, rest + used));
}

static bool terminal(struct world *w, const char *cmd, const char *rest)
{
	char bytes[4096];
	int width, height;

	if (strcmp(cmd, "size") == 0 && sscanf(rest, "%d %d", &width, &height) == 2) {
		term_mem_size(width, height);
		term_resized(w->term);
		app_size(&w->app, width, height);
	} else if (strcmp(cmd, "type") == 0) {
		term_mem_type(w->term, bytes, unescape(rest, bytes, sizeof(bytes)));
	} else if (strcmp(cmd, "stall") == 0) {
		term_mem_stall(w->term, strcmp(rest, "on") == 0);
	} else if (strcmp(cmd, "hangup") == 0) {
		term_mem_hangup(w->term);
	} else {
		return false;
	}
	return true;
}

static bool checks(struct world *w, const char *cmd, char *rest)
{
	char *space = strchr(rest, ' ');

	if (strcmp(cmd, "sent") == 0) {
		if (space != NULL)
			*space++ = '\0';
		check_sent(w, rest, space != NULL ? space : "", true);
	} else if (strcmp(cmd, "quiet") == 0) {
		check_sent(w, rest, "", false);
	} else if (strcmp(cmd, "screen") == 0 || strcmp(cmd, "absent") == 0) {
		check_screen(w, rest, cmd[0] == 's');
	} else if (strcmp(cmd, "golden") == 0) {
		check_golden(w, rest);
	} else if (strcmp(cmd, "approved") == 0) {
		if (w->hub.approved != (unsigned)atoi(rest))
			bad(w, "approvals differ from", rest);
	} else if (strcmp(cmd, "asks_at_most") == 0) {
		if (w->hub.max_lines > (unsigned)atoi(rest))
			bad(w, "too many lines asked for at once", rest);
	} else if (strcmp(cmd, "quits") == 0) {
		if (!w->app.quit)
			bad(w, "did not quit", "");
	} else if (strcmp(cmd, "sleeps") == 0) {
		if (app_due(&w->app) != 0)
			bad(w, "would wake by itself", "");
	} else {
		return false;
	}
	return true;
}

static void command(struct world *w, char *line)
{
	char *rest = strchr(line, ' '), field[32], value[300] = "";
	unsigned long id;

	if (rest != NULL)
		*rest++ = '\0';
	else
		rest = line + strlen(line);
	if (terminal(w, line, rest) || checks(w, line, rest)) {
		settle(w);
	} else if (strcmp(line, "queue") == 0) { /* typed, but read with the next line */
		char bytes[4096];
		term_mem_type(w->term, bytes, unescape(rest, bytes, sizeof(bytes)));
	} else if (strcmp(line, "wait") == 0) {
		advance(w, strtoull(rest, NULL, 10));
	} else if (strcmp(line, "row") == 0) {
		new_row(w, rest);
	} else if (strcmp(line, "set") == 0
		&& sscanf(rest, "%lu %31s %299[^\n]", &id, field, value) >= 2) {
		set(w, id, field, value);
	} else if (strcmp(line, "tell") == 0 && sscanf(rest, "%lu %31s", &id, field) == 2) {
		w->hub.now = clock_boot_ms();
		fake_tell(&w->hub, field, fake_find(&w->hub, id));
	} else if (strcmp(line, "cursor") == 0) {
		w->app.queue.cursor = strtoull(rest, NULL, 10);
		w->app.dirty = true;
	} else if (strcmp(line, "hub") == 0) {
		char *more = strchr(rest, ' ');
		if (more != NULL)
			*more++ = '\0';
		hub(w, rest, more != NULL ? more : "");
	} else if (strcmp(line, "drop") == 0) {
		w->hub.up = false;
		app_disconnected(&w->app, clock_boot_ms());
	} else if (strcmp(line, "connect") == 0) {
		w->hub.up = true;
		app_connected(&w->app, clock_boot_ms());
	} else {
		bad(w, "no such command", line);
	}
	if (strcmp(line, "queue") != 0)
		settle(w);
}

static void open_world(struct world *w, const char *path)
{
	const char *base = strrchr(path, '/');
	struct term_options o = { NULL, false };

	memset(w, 0, sizeof(*w));
	w->script = base != NULL ? base + 1 : path;
	clock_test_reset();
	term_mem_size(80, 24);
	w->term = term_open(&o, NULL);
	app_init(&w->app, fake_send, &w->hub);
	fake_init(&w->hub, &w->app);
	screen_init(&w->screen, &w->app, w->term);
	app_connected(&w->app, clock_boot_ms());
	settle(w);
}

static unsigned run(const char *path)
{
	static struct world w;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	FILE *f = fopen(path, "re");

	if (f == NULL) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return 1;
	}
	open_world(&w, path);
	while ((n = getline(&line, &cap, f)) >= 0) {
		w.line++;
		while (n > 0 && line[n - 1] == '\n')
			line[--n] = '\0';
		if (n > 0 && line[0] != '#')
			command(&w, line);
	}
	free(line);
	fclose(f);
	screen_free(&w.screen);
	app_free(&w.app);
	fake_free(&w.hub);
	term_close(&w.term);
	printf("%s %s\n", w.failures == 0 ? "ok" : "FAILED", w.script);
	return w.failures;
}

static int is_script(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 5 && strcmp(d->d_name + n - 5, ".keys") == 0;
}

int main(int argc, char **argv)
{
	struct dirent **list;
	unsigned failures = 0;
	int n;

	setenv("TZ", "UTC", 1);
	for (int i = 1; i < argc; i++)
		failures += run(argv[i]);
	if (argc > 1)
		return failures > 0;
	n = scandir(SCRIPT_DIR, &list, is_script, alphasort);
	if (n <= 0) {
		fprintf(stderr, "no scripts in %s\n", SCRIPT_DIR);
		return 1;
	}
	for (int i = 0; i < n; i++) {
		char path[PATH_MAX];
		snprintf(path, sizeof(path), "%s/%s", SCRIPT_DIR, list[i]->d_name);
		failures += run(path);
		free(list[i]);
	}
	free(list);
	return failures > 0;
}
