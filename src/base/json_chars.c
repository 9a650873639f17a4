/* json_chars.c - inside strings and numbers: strict UTF-8, escapes, digits. */
#include "base/json_priv.h"

#include <string.h>
#if defined(__SSE2__) && !defined(JSON_PORTABLE)
#include <emmintrin.h>
#endif

/*
 * Past the bytes that need no thought: ASCII but controls, quote, backslash.
 * Stops at the first other byte, or less than a block before stop.
 */
#if defined(__SSE2__) && !defined(JSON_PORTABLE)
static inline const uint8_t *skip_blocks(const uint8_t *p, const uint8_t *stop)
{
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
	const __m128i space = _mm_set1_epi8(' ');

	while (stop - p >= 16) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
		/* Signed: bytes of 0x80 and more are below the space too. */
		__m128i odd = _mm_or_si128(_mm_cmplt_epi8(x, space),
			_mm_or_si128(_mm_cmpeq_epi8(x, quote), _mm_cmpeq_epi8(x, slash)));
		unsigned mask = (unsigned)_mm_movemask_epi8(odd);
		if (mask != 0)
			return p + __builtin_ctz(mask);
		p += 16;
	}
	return p;
}
#else
static inline const uint8_t *skip_blocks(const uint8_t *p, const uint8_t *stop)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;

	while (stop - p >= 8) {
		uint64_t x;
		memcpy(&x, p, 8);
		uint64_t q = x ^ (ones * '"'), s = x ^ (ones * '\\');
		/* Each term has a high bit set if some byte is zero (q, s) or
		 * below the space; false alarms only cost the slow way. */
		if ((((q - ones) & ~q) | ((s - ones) & ~s) | (x - ones * ' ') | x) & high)
			break;
		p += 8;
	}
	return p;
}
#endif

static inline const uint8_t *skip_plain(const uint8_t *p, const uint8_t *stop)
{
	p = skip_blocks(p, stop);
	while (p < stop && *p >= ' ' && *p < 0x80 && *p != '"' && *p != '\\')
		p++;
	return p;
}

static inline bool cont(uint8_t c)
{
	return (c & 0xc0) == 0x80;
}

/* Length of the character at p, of n bytes that are there; 0: not UTF-8.
 * RFC 3629, section 4: the second byte's range depends on the first. */
static inline size_t utf8_len(const uint8_t *p, size_t n)
{
	uint8_t c = p[0];

	if (c >= 0xe1 && c <= 0xef && c != 0xed)
		return n >= 3 && cont(p[1]) && cont(p[2]) ? 3 : 0;
	if (c >= 0xc2 && c <= 0xdf)
		return n >= 2 && cont(p[1]) ? 2 : 0;
	if (c == 0xe0 || c == 0xed) {
		uint8_t lo = c == 0xe0 ? 0xa0 : 0x80, hi = c == 0xe0 ? 0xbf : 0x9f;
		return n >= 3 && p[1] >= lo && p[1] <= hi && cont(p[2]) ? 3 : 0;
	}
	if (c >= 0xf0 && c <= 0xf4) {
		uint8_t lo = c == 0xf0 ? 0x90 : 0x80, hi = c == 0xf4 ? 0x8f : 0xbf;
		return n >= 4 && p[1] >= lo && p[1] <= hi && cont(p[2]) && cont(p[3])
			? 4 : 0;
	}
	return 0;
}

static bool hex4(const uint8_t *p, uint32_t *out)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++) {
		uint8_t c = p[i], low = c | 0x20;
		if (c >= '0' && c <= '9')
			v = v << 4 | (uint32_t)(c - '0');
		else if (low >= 'a' && low <= 'f')
			v = v << 4 | (uint32_t)(low - 'a' + 10);
		else
			return false;
	}
	*out = v;
	return true;
}

/* The escape at p, of n bytes left: its length, or 0 with the code and text
 * of what is wrong with it. */
static size_t escape_len(const uint8_t *p, size_t n, const char **code,
	const char **what)
{
	uint32_t u, low;

	*code = "json_syntax";
	*what = "ends inside a string";
	if (n < 2)
		return 0;
	if (p[1] != 'u') {
		*what = "unknown escape";
		return p[1] != '\0' && strchr("\"\\/bfnrt", p[1]) != NULL ? 2 : 0;
	}
	*what = "\\u needs four hexadecimal digits";
	if (n < 6 || !hex4(p + 2, &u))
		return 0;
	if (u < 0xd800 || u > 0xdfff)
		return 6;
	*code = "json_surrogate";
	*what = "half of a surrogate pair stands alone";
	if (u > 0xdbff || n < 12 || p[6] != '\\' || p[7] != 'u' || !hex4(p + 8, &low)
		|| low < 0xdc00 || low > 0xdfff)
		return 0;
	return 12;
}

static enum json_run bad_byte(struct json *j, size_t pos)
{
	uint8_t c = j->p[pos];

	if (c >= 0x80)
		return json_fail(j, "json_utf8", pos, "not valid UTF-8");
	return json_fail(j, "json_syntax", pos, "a control character in a string");
}

enum json_run json_text_run(struct json *j)
{
	const uint8_t *p = j->p + j->pos, *stop = j->p + j->stop, *end = j->p + j->n;
	const char *code, *what;
	size_t n;

	for (;;) {
		p = skip_plain(p, stop);
		if (p >= stop)
			break;
		if (*p == '"') {
			j->pos = (size_t)(p - j->p);
			return RUN_GO;
		}
		if (*p == '\\') {
			n = escape_len(p, (size_t)(end - p), &code, &what);
			if (n == 0)
				return json_fail(j, code, (size_t)(p - j->p), what);
			j->esc = true;
			p += n;
			continue;
		}
		do {
			n = utf8_len(p, (size_t)(end - p));
			if (n == 0)
				return bad_byte(j, (size_t)(p - j->p));
			p += n;
		} while (p < stop && *p >= 0x80);
	}
	j->pos = (size_t)(p - j->p);
	if (p < end)
		return RUN_YIELD;
	return json_fail(j, "json_syntax", j->n, "ends inside a string");
}

/* RFC 8259, section 6. A row names what may follow; 0 ends the number. */
enum { N_START, N_MINUS, N_ZERO, N_INT, N_DOT, N_FRAC, N_E, N_SIGN, N_EXP, N_STATES };
enum { C_OTHER, C_ZERO, C_DIGIT, C_DOT, C_E, C_PLUS, C_MINUS, C_N };

static const uint8_t number_next[N_STATES][C_N] = {
	[N_START] = { [C_MINUS] = N_MINUS, [C_ZERO] = N_ZERO, [C_DIGIT] = N_INT },
	[N_MINUS] = { [C_ZERO] = N_ZERO, [C_DIGIT] = N_INT },
	[N_ZERO] = { [C_DOT] = N_DOT, [C_E] = N_E },
	[N_INT] = { [C_ZERO] = N_INT, [C_DIGIT] = N_INT, [C_DOT] = N_DOT, [C_E] = N_E },
	[N_DOT] = { [C_ZERO] = N_FRAC, [C_DIGIT] = N_FRAC },
	[N_FRAC] = { [C_ZERO] = N_FRAC, [C_DIGIT] = N_FRAC, [C_E] = N_E },
	[N_E] = { [C_ZERO] = N_EXP, [C_DIGIT] = N_EXP, [C_PLUS] = N_SIGN,
		[C_MINUS] = N_SIGN },
	[N_SIGN] = { [C_ZERO] = N_EXP, [C_DIGIT] = N_EXP },
	[N_EXP] = { [C_ZERO] = N_EXP, [C_DIGIT] = N_EXP },
};

static const bool number_whole[N_STATES] = {
	[N_ZERO] = true, [N_INT] = true, [N_FRAC] = true, [N_EXP] = true,
};

static const uint8_t number_class[256] = {
	['0'] = C_ZERO, ['1'] = C_DIGIT, ['2'] = C_DIGIT, ['3'] = C_DIGIT,
	['4'] = C_DIGIT, ['5'] = C_DIGIT, ['6'] = C_DIGIT, ['7'] = C_DIGIT,
	['8'] = C_DIGIT, ['9'] = C_DIGIT, ['.'] = C_DOT, ['e'] = C_E, ['E'] = C_E,
	['+'] = C_PLUS, ['-'] = C_MINUS,
};

enum json_run json_number_run(struct json *j)
{
	uint8_t state = j->number;
	size_t pos = j->pos, stop = j->stop;

	while (pos < stop) {
		uint8_t class = number_class[j->p[pos]];
		uint8_t next = number_next[state][class];
		if (next == 0) {
			j->pos = pos;
			if (!number_whole[state])
				return json_fail(j, "json_syntax", pos, "expected a digit");
			if (class == C_ZERO || class == C_DIGIT)
				return json_fail(j, "json_syntax", pos, "a number with a leading zero");
			return RUN_GO;
		}
		state = next;
		pos++;
	}
	j->pos = pos;
	j->number = state;
	if (pos < j->n)
		return RUN_YIELD;
	if (!number_whole[state])
		return json_fail(j, "json_syntax", pos, "ends inside a number");
	return RUN_GO;
}
