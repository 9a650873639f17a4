/*
 * theme.c - see theme.h.
 */
#include "config/theme.h"

#include <stdio.h>
#include <string.h>

#define THEME_MAX_BYTES 65536
#define THEME_DEPTH 4

static const uint8_t mono_attrs[ROLE_N] = {
	[ROLE_CHROME_DIM] = STYLE_DIM,
	[ROLE_TITLE] = STYLE_BOLD,
	[ROLE_KEY] = STYLE_BOLD,
	[ROLE_LINENO] = STYLE_DIM,
	[ROLE_KIND] = STYLE_BOLD,
	[ROLE_NAME] = STYLE_BOLD,
	[ROLE_ESCAPE] = STYLE_REVERSE,
	[ROLE_WORDS] = STYLE_DIM,
	[ROLE_ADD] = STYLE_BOLD,
	[ROLE_DEL] = STYLE_UNDERLINE,
	[ROLE_ADD_WORD] = STYLE_BOLD | STYLE_REVERSE,
	[ROLE_DEL_WORD] = STYLE_UNDERLINE | STYLE_REVERSE,
	[ROLE_HUNK] = STYLE_DIM,
	[ROLE_FILE] = STYLE_BOLD | STYLE_UNDERLINE,
	[ROLE_WARN] = STYLE_BOLD,
	[ROLE_DANGER] = STYLE_BOLD | STYLE_REVERSE,
	[ROLE_DIM] = STYLE_DIM,
	[ROLE_CURSOR] = STYLE_REVERSE,
	[ROLE_PROMPT] = STYLE_BOLD,
	[ROLE_INPUT] = STYLE_UNDERLINE,
};

void theme_mono(struct theme *t)
{
	memset(t, 0, sizeof(*t));
	memcpy(t->name, "mono", 5);
	for (int r = 0; r < ROLE_N; r++)
		t->style[r] = (struct style){ COLOUR_DEFAULT, COLOUR_DEFAULT, mono_attrs[r] };
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct sv trim(struct sv s)
{
	while (s.n > 0 && is_blank(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* Cuts the first word off s. */
static struct sv word(struct sv *s)
{
	struct sv w = { s->p, 0 };

	*s = trim(*s);
	w.p = s->p;
	while (w.n < s->n && !is_blank(s->p[w.n]))
		w.n++;
	s->p += w.n;
	s->n -= w.n;
	return w;
}

static bool colour_hex(struct sv w, int32_t *out)
{
	int32_t v = 0;

	if (w.n != 7)
		return false;
	for (size_t i = 1; i < 7; i++) {
		char c = w.p[i];
		int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
			: c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
		if (d < 0)
			return false;
		v = v * 16 + d;
	}
	*out = COLOUR_RGB | v;
	return true;
}

static bool colour_parse(struct sv w, int32_t *out)
{
	static const char *const names[] = { "black", "red", "green", "yellow", "blue",
		"magenta", "cyan", "white" };
	uint64_t v;
	int32_t bright = 0;

	if (sv_eqs(w, "default")) {
		*out = COLOUR_DEFAULT;
		return true;
	}
	if (w.n > 0 && w.p[0] == '#')
		return colour_hex(w, out);
	if (sv_u64(w, &v)) {
		*out = (int32_t)v;
		return v < 256;
	}
	if (sv_starts(w, "bright-")) {
		bright = 8;
		w.p += 7;
		w.n -= 7;
	}
	for (int32_t i = 0; i < 8; i++)
		if (sv_eqs(w, names[i])) {
			*out = i + bright;
			return true;
		}
	return false;
}

static uint8_t attr_parse(struct sv w)
{
	static const struct {
		const char *name;
		enum style_attr attr;
	} attrs[] = { { "bold", STYLE_BOLD }, { "dim", STYLE_DIM },
		{ "italic", STYLE_ITALIC }, { "underline", STYLE_UNDERLINE },
		{ "reverse", STYLE_REVERSE } };

	for (size_t i = 0; i < sizeof(attrs) / sizeof(attrs[0]); i++)
		if (sv_eqs(w, attrs[i].name))
			return (uint8_t)attrs[i].attr;
	return 0;
}

static bool style_parse(struct sv value, struct style *out)
{
	struct style st = { COLOUR_DEFAULT, COLOUR_DEFAULT, 0 };
	bool fg = false;

	for (;;) {
		struct sv w = word(&value);
		uint8_t attr;

		if (w.n == 0)
			break;
		if (sv_eqs(w, "on")) {
			if (!colour_parse(word(&value), &st.bg))
				return false;
		} else if ((attr = attr_parse(w)) != 0) {
			st.attrs |= attr;
		} else if (fg || !colour_parse(w, &st.fg)) {
			return false;
		} else {
			fg = true;
		}
	}
	*out = st;
	return true;
}

static int parse_line(struct theme *t, struct sv line, char *parent, struct err *e,
	const char *where)
{
	const char *eq = memchr(line.p, '=', line.n);
	struct sv key, value;
	enum role r;

	if (eq == NULL)
		return err_set(e, "theme", "%s: expected \"role = look\"", where);
	key = trim((struct sv){ line.p, (size_t)(eq - line.p) });
	value = trim((struct sv){ eq + 1, line.n - (size_t)(eq - line.p) - 1 });
	if (sv_eqs(key, "inherit")) {
		if (parent == NULL || parent[0] != '\0' || value.n == 0 || value.n > 31)
			return err_set(e, "theme", "%s: inherit is not allowed here", where);
		memcpy(parent, value.p, value.n);
		parent[value.n] = '\0';
		return 0;
	}
	if (!role_from_name(key, &r))
		return err_set(e, "theme", "%s: no such role: %.*s", where, SVFMT(key));
	if (!style_parse(value, &t->style[r]))
		return err_set(e, "theme", "%s: cannot read the look \"%.*s\"", where,
			SVFMT(value));
	return 0;
}

int theme_parse(struct theme *t, struct sv bytes, const char *file, char *parent,
	struct err *e)
{
	struct theme next = *t;
	char where[300];
	unsigned lineno = 0;

	if (parent != NULL)
		parent[0] = '\0';
	while (bytes.n > 0) {
		const char *lf = memchr(bytes.p, '\n', bytes.n);
		size_t len = lf != NULL ? (size_t)(lf - bytes.p) : bytes.n;
		struct sv line = trim((struct sv){ bytes.p, len });

		lineno++;
		if (lf != NULL)
			len++;
		bytes.p += len;
		bytes.n -= len;
		if (line.n == 0 || line.p[0] == '#')
			continue;
		snprintf(where, sizeof(where), "%.250s:%u", file, lineno);
		if (parse_line(&next, line, parent, e, where) != 0)
			return -1;
	}
	*t = next;
	return 0;
}

static bool name_ok(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return n >= 1 && n <= 31 && name[n] == '\0';
}

/* The file's bytes; false when there is none. whole: all of it was read. */
static bool read_file(const char *path, struct buf *out, bool *whole)
{
	FILE *f = fopen(path, "re");

	if (f == NULL)
		return false;
	if (buf_reserve(out, THEME_MAX_BYTES) == 0)
		out->n = fread(out->p, 1, THEME_MAX_BYTES, f);
	*whole = feof(f) != 0 && ferror(f) == 0;
	fclose(f);
	return true;
}

/* -1 with code "theme_none" when no directory has it. */
static int find_file(const char *name, const char *const *dirs, struct buf *out,
	char *path, size_t path_n, struct err *e)
{
	static const char *const here[] = { "", NULL };
	bool is_path = strchr(name, '/') != NULL, whole;

	for (dirs = is_path ? here : dirs; *dirs != NULL; dirs++) {
		int n = is_path ? snprintf(path, path_n, "%s", name)
			: snprintf(path, path_n, "%s/%s.theme", *dirs, name);

		if (n < 0 || (size_t)n >= path_n || !read_file(path, out, &whole))
			continue;
		if (!whole)
			return err_set(e, "theme", "%s: cannot be read or is over %d bytes",
				path, THEME_MAX_BYTES);
		return 0;
	}
	return err_set(e, "theme_none", "no theme \"%s\"", name);
}

static int load(struct theme *t, const char *name, const char *const *dirs, int depth,
	struct err *e)
{
	struct err own = ERR_INIT;
	struct buf bytes;
	struct theme scratch = *t;
	char path[600], parent[32] = "";
	int rc;

	if (e == NULL)
		e = &own;
	if (!name_ok(name) && (depth > 0 || strchr(name, '/') == NULL))
		return err_set(e, "theme", "not a theme's name: %s", name);
	if (strcmp(name, "mono") == 0)
		return 0;
	if (depth >= THEME_DEPTH)
		return err_set(e, "theme", "themes inherit more than %d deep", THEME_DEPTH);
	buf_init(&bytes, THEME_MAX_BYTES + 1);
	rc = find_file(name, dirs, &bytes, path, sizeof(path), e);
	if (rc != 0 && strcmp(name, "dark") == 0 && e != NULL
		&& strcmp(e->code, "theme_none") == 0) {
		snprintf(path, sizeof(path), "dark");
		rc = buf_adds(&bytes, theme_dark);
	}
	/* First to learn the parent, then again over the parent's looks. */
	if (rc == 0)
		rc = theme_parse(&scratch, buf_sv(&bytes), path, parent, e);
	if (rc == 0 && parent[0] != '\0')
		rc = load(t, parent, dirs, depth + 1, e);
	if (rc == 0)
		rc = theme_parse(t, buf_sv(&bytes), path, parent, e);
	buf_free(&bytes);
	return rc;
}

int theme_load(struct theme *t, const char *name, const char *const *dirs,
	struct err *e)
{
	theme_mono(t);
	if (load(t, name, dirs, 0, e) != 0) {
		theme_mono(t);
		return -1;
	}
	snprintf(t->name, sizeof(t->name), "%.31s", name);
	return 0;
}

/* The 256-colour cube as xterm draws it: 16 named, 6x6x6, 24 greys. */
static int32_t rgb_of(int i)
{
	static const int32_t named[16] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00,
		0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
		0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff };
	static const int32_t level[6] = { 0, 95, 135, 175, 215, 255 };

	if (i < 16)
		return named[i];
	if (i < 232) {
		i -= 16;
		return level[i / 36] << 16 | level[i / 6 % 6] << 8 | level[i % 6];
	}
	i = 8 + 10 * (i - 232);
	return i << 16 | i << 8 | i;
}

static int nearest(int32_t rgb, int from, int to)
{
	int best = from;
	int32_t best_d = INT32_MAX;

	for (int i = from; i < to; i++) {
		int32_t c = rgb_of(i);
		int32_t r = (c >> 16 & 255) - (rgb >> 16 & 255);
		int32_t g = (c >> 8 & 255) - (rgb >> 8 & 255);
		int32_t b = (c & 255) - (rgb & 255);
		int32_t d = 3 * r * r + 4 * g * g + 2 * b * b;
		if (d < best_d) {
			best_d = d;
			best = i;
		}
	}
	return best;
}

int colour_to_rgb(int32_t c)
{
	if (c < 8) /* also -1: as the terminal has it */
		return (int)c;
	return c < 256 ? (int)rgb_of((int)c) : (int)(c & 0xffffff);
}

int colour_to_256(int32_t c)
{
	if (c < 0)
		return -1;
	return c < 256 ? (int)c : nearest(c & 0xffffff, 16, 256);
}

int colour_to_16(int32_t c)
{
	if (c < 0)
		return -1;
	return c < 16 ? (int)c : nearest(c < 256 ? rgb_of((int)c) : c & 0xffffff, 0, 16);
}
