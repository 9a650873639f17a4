/*
 * host_look.c - does a host look like another? By skeletons (UTS #39's idea,
 * with a table of our own): each character becomes the ASCII it looks like.
 */
#include <string.h>

#include "base/text.h"
#include "lang/host_priv.h"

static enum script script_of(uint32_t cp)
{
	size_t lo = 0, hi = n_script_ranges;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (cp < script_ranges[mid].from)
			hi = mid;
		else if (cp > script_ranges[mid].to)
			lo = mid + 1;
		else
			return script_ranges[mid].script;
	}
	return cp < 0x80 ? SCRIPT_COMMON : SCRIPT_OTHER;
}

static const char *alike_of(uint32_t cp)
{
	size_t lo = 0, hi = n_alikes;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (cp == alikes[mid].cp)
			return alikes[mid].ascii;
		if (cp < alikes[mid].cp)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* Scripts that are written together (UTS #39, highly restrictive). */
static bool together(uint32_t set)
{
	static const uint32_t sets[] = {
		1u << SCRIPT_LATIN | 1u << SCRIPT_HAN | 1u << SCRIPT_KANA,
		1u << SCRIPT_LATIN | 1u << SCRIPT_HAN | 1u << SCRIPT_HANGUL,
		1u << SCRIPT_LATIN | 1u << SCRIPT_HAN | 1u << SCRIPT_BOPOMOFO,
	};

	if ((set & (set - 1)) == 0)
		return true;
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		if ((set & ~sets[i]) == 0)
			return true;
	}
	return false;
}

static void scripts(struct host *h)
{
	uint32_t set = 0, cp;
	bool foreign = false, alike = true;
	size_t i = 0, n;

	for (;;) {
		bool end = i >= h->u_label.n;
		n = end ? 0 : utf8_decode(h->u_label.p + i, h->u_label.n - i, &cp);
		if (!end && n == 0)
			return;
		if (end || cp == '.') {
			h->mixed_script |= !together(set);
			h->whole_script_lookalike |= foreign && alike &&
				(set & (1u << SCRIPT_LATIN)) == 0;
			set = 0;
			foreign = false;
			alike = true;
			if (end)
				return;
		} else {
			enum script s = script_of(cp);
			if (s != SCRIPT_COMMON)
				set |= 1u << s;
			if (cp >= 0x80) {
				foreign = true;
				alike = alike && alike_of(cp) != NULL;
			}
		}
		i += n;
	}
}

/* Letters and digits that are told apart with difficulty become one. */
static size_t fold_ascii(char *s, size_t n)
{
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		char c = s[i], next = i + 1 < n ? s[i + 1] : 0;
		if (c == 'r' && next == 'n') {
			c = 'm';
			i++;
		} else if (c == 'v' && next == 'v') {
			c = 'w';
			i++;
		} else if (c == 'c' && next == 'l') {
			c = 'd';
			i++;
		} else if (c == '0') {
			c = 'o';
		} else if (c == '1' || c == 'i') {
			c = 'l';
		} else if (c == '5') {
			c = 's';
		} else if (c == '-' || c == '_') {
			continue;
		}
		s[out++] = c;
	}
	return out;
}

static size_t skeleton(struct sv s, char *out, size_t cap)
{
	size_t n = 0, used;
	uint32_t cp;

	for (size_t i = 0; i < s.n; i += used) {
		const char *as;
		size_t len;
		used = utf8_decode(s.p + i, s.n - i, &cp);
		if (used == 0)
			return 0;
		as = cp >= 0x80 ? alike_of(cp) : NULL;
		len = as != NULL ? strlen(as) : used;
		if (n + len > cap)
			return 0;
		memcpy(out + n, as != NULL ? as : s.p + i, len);
		n += len;
	}
	return fold_ascii(out, n);
}

static bool suffix_at_dot(const char *s, size_t n, const char *end, size_t len)
{
	return n >= len && memcmp(s + n - len, end, len) == 0 &&
		(n == len || s[n - len - 1] == '.');
}

/* paypal.com.example, paypal.com-login.example: a known name at the front. */
static bool held_as_part(struct sv s, struct sv known)
{
	const char *p = s.p;
	size_t left = s.n;

	while (left >= known.n && (p = memmem(p, left, known.p, known.n)) != NULL) {
		const char *end = p + known.n;
		if ((p == s.p || p[-1] == '.' || p[-1] == '-') && end < s.p + s.n &&
			(*end == '.' || *end == '-'))
			return true;
		p++;
		left = (size_t)(s.p + s.n - p);
	}
	return false;
}

void host_look(struct host *h)
{
	char mine[2 * HOST_MAX_BYTES], theirs[128];
	size_t n, len;

	scripts(h);
	for (size_t i = 0; i < n_known_hosts; i++) {
		struct sv k = sv_of(known_hosts[i]);
		if (suffix_at_dot(h->a_label.p, h->a_label.n, k.p, k.n))
			return; /* it is that host, or one below it */
	}
	n = skeleton(h->u_label, mine, sizeof(mine));
	for (size_t i = 0; i < n_known_hosts && n > 0; i++) {
		struct sv k = sv_of(known_hosts[i]);
		len = skeleton(k, theirs, sizeof(theirs));
		if (len > 0 && (suffix_at_dot(mine, n, theirs, len) ||
			held_as_part(h->a_label, k) || held_as_part((struct sv){ mine, n },
			(struct sv){ theirs, len }))) {
			h->lookalike_of = k;
			return;
		}
	}
}
