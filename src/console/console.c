/*
 * console.c - the loop: terminal, hub, signals, one timer. See console.h.
 */
#include "console/console.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "console/client.h"
#include "console/screen.h"

#define RETRY_FIRST_MS 250
#define RETRY_MAX_MS 5000
#define BELL_MS 60000

struct console {
	const struct console_options *o;
	struct loop *loop;
	struct theme theme;
	struct term *term;
	struct app app;
	struct screen screen;
	struct client client;
	struct loop_fd *tty;
	struct loop_timer *timer, *retry;
	struct loop_signal *sig[6];
	uint64_t retry_ms, bell_at;
	bool hung_up;
};

static void retry_later(struct console *c)
{
	loop_timer_arm(c->retry, c->retry_ms);
	c->retry_ms = c->retry_ms * 2 > RETRY_MAX_MS ? RETRY_MAX_MS : c->retry_ms * 2;
}

static void try_connect(void *arg)
{
	struct console *c = arg;

	if (client_connect(&c->client, c->o->socket, NULL) != 0) {
		retry_later(c);
		return;
	}
	c->retry_ms = RETRY_FIRST_MS;
	app_connected(&c->app, clock_boot_ms());
}

static void on_line(void *arg, struct sv line)
{
	struct console *c = arg;

	app_line(&c->app, line, clock_boot_ms());
}

static void on_gone(void *arg)
{
	struct console *c = arg;

	app_disconnected(&c->app, clock_boot_ms());
	retry_later(c);
}

static void send_line(void *arg, struct sv line)
{
	struct console *c = arg;

	client_send(&c->client, line);
}

static void stop(struct console *c)
{
	c->app.quit = true;
	loop_stop(c->loop);
}

static void on_tty(void *arg, int events)
{
	struct console *c = arg;

	if ((events & (LOOP_READ | LOOP_HUP)) == 0)
		return;
	if (screen_read(&c->screen, clock_boot_ms()) != 0) {
		c->hung_up = true;
		stop(c);
	}
}

static void on_timer(void *arg)
{
	struct console *c = arg;

	app_tick(&c->app, clock_boot_ms());
}

static void take_size(struct console *c)
{
	int w, h;

	term_size(c->term, &w, &h);
	app_size(&c->app, w, h);
}

static void on_signal(void *arg, int signo)
{
	struct console *c = arg;

	switch (signo) {
	case SIGWINCH:
		term_resized(c->term);
		take_size(c);
		break;
	case SIGTSTP: c->app.suspend = true; break;
	case SIGCONT:
		term_resume(c->term);
		take_size(c);
		break;
	default: /* HUP, TERM, INT: what is undecided stays undecided */
		c->hung_up = signo == SIGHUP;
		stop(c);
		break;
	}
}

/* Once a loop turn: one frame, one timer. */
static void on_turn(void *arg)
{
	struct console *c = arg;
	uint64_t now = clock_boot_ms(), due;
	int rc;

	if (c->app.quit) {
		loop_stop(c->loop);
		return;
	}
	if (c->app.suspend) {
		c->app.suspend = false;
		term_suspend(c->term);
		take_size(c);
		now = clock_boot_ms();
	}
	if (c->app.bell && (c->o->no_bell || now < c->bell_at))
		c->app.bell = false;
	else if (c->app.bell)
		c->bell_at = now + BELL_MS;
	app_tick(&c->app, now);
	rc = screen_turn(&c->screen, now);
	if (rc < 0) {
		c->hung_up = true;
		stop(c);
		return;
	}
	loop_fd_want(c->tty, LOOP_READ | (rc == 0 ? LOOP_WRITE : 0));
	due = app_due(&c->app);
	if (due == 0)
		loop_timer_stop(c->timer);
	else
		loop_timer_arm(c->timer, due > now ? due - now : 1);
}

/* Two consoles of one person must be told apart by what they decided. */
static void name_console(struct app *a)
{
	uint8_t b[4];
	char hex[9];

	random_bytes(b, sizeof(b));
	hex_of(b, sizeof(b), hex);
	snprintf(a->name, sizeof(a->name), "obstat-%s", hex);
}

static int open_all(struct console *c, struct err *e)
{
	static const int signals[6] = { SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGTERM, SIGINT };
	const char *dirs[3] = { c->o->theme_dir != NULL ? c->o->theme_dir
		: PKGDATADIR "/themes", PKGDATADIR "/themes", NULL };
	struct err te = ERR_INIT;
	bool bad = theme_load(&c->theme, c->o->theme != NULL ? c->o->theme : "dark", dirs,
		&te) != 0;
	struct term_options to = { &c->theme, c->o->no_colour };

	c->term = term_open(&to, e);
	if (c->term == NULL)
		return -1;
	c->loop = loop_new();
	app_init(&c->app, send_line, c);
	name_console(&c->app);
	screen_init(&c->screen, &c->app, c->term);
	client_init(&c->client, c->loop, on_line, on_gone, c);
	c->timer = loop_timer_new(c->loop, on_timer, c);
	c->retry = loop_timer_new(c->loop, try_connect, c);
	c->tty = loop_fd_new(c->loop, term_fd(c->term), on_tty, c);
	loop_fd_want(c->tty, LOOP_READ);
	for (int i = 0; i < 6; i++)
		c->sig[i] = loop_signal_new(c->loop, signals[i], on_signal, c);
	loop_on_turn(c->loop, on_turn, c);
	if (bad)
		app_say(&c->app, ROLE_WARN, "%s", te.text);
	return 0;
}

static void close_all(struct console *c)
{
	for (int i = 0; i < 6; i++)
		loop_signal_free(&c->sig[i]);
	loop_fd_free(&c->tty);
	client_free(&c->client);
	loop_timer_free(&c->timer);
	loop_timer_free(&c->retry);
	screen_free(&c->screen);
	app_free(&c->app);
	loop_free(&c->loop);
	term_close(&c->term);
}

int console_main(const struct console_options *o)
{
	static struct console c; /* large; one a process */
	struct err e = ERR_INIT;

	memset(&c, 0, sizeof(c));
	c.o = o;
	c.retry_ms = RETRY_FIRST_MS;
	if (open_all(&c, &e) != 0) {
		fprintf(stderr, "obstat: %s\n", e.text);
		return 1;
	}
	try_connect(&c);
	on_turn(&c); /* the first frame does not wait for the hub */
	loop_run(c.loop);
	close_all(&c);
	return 0;
}
