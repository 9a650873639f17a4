/*
 * fuzz_main.c - runs a fuzz target (LLVMFuzzerTestOneInput) without libFuzzer.
 *
 *   fuzz_x                        replays CORPUS_DIR, a macro of the build
 *   fuzz_x DIR|FILE...            replays every regular file
 *   fuzz_x -t SECONDS -s SEED ... replays, then mutates the files that long
 *   fuzz_x -o FILE ...            puts each input into FILE before it is run,
 *                                 so that what crashed is there afterwards
 *   fuzz_x -m BYTES ...           longest mutated input (default 4096)
 *
 * The mutator is small and deterministic for a seed: it finds shallow faults
 * on any machine; libFuzzer (--enable-fuzzing) finds the deep ones.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	uint8_t *p;
	size_t n;
};

static struct input *inputs;
static size_t ninputs;
static const char *keep_path;
static uint64_t rng = 1;

static void die(const char *what)
{
	fprintf(stderr, "fuzz: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void *need(void *p)
{
	if (p == NULL)
		die("memory");
	return p;
}

/* xorshift64*: good enough to choose mutations, the same everywhere. */
static uint32_t rnd(uint32_t below)
{
	rng ^= rng >> 12;
	rng ^= rng << 25;
	rng ^= rng >> 27;
	uint64_t x = rng * UINT64_C(2685821657736338717);
	return below == 0 ? 0 : (uint32_t)((x >> 32) % below);
}

static void keep(const uint8_t *p, size_t n)
{
	int fd = open(keep_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		die(keep_path);
	for (size_t at = 0; at < n;) {
		ssize_t w = write(fd, p + at, n - at);
		if (w <= 0)
			die(keep_path);
		at += (size_t)w;
	}
	close(fd);
}

/* A block of exactly n bytes, so that a sanitizer sees a read past its end. */
static void run(const uint8_t *p, size_t n)
{
	if (keep_path != NULL)
		keep(p, n);
	uint8_t *exact = need(malloc(n > 0 ? n : 1));
	if (n > 0)
		memcpy(exact, p, n);
	(void)LLVMFuzzerTestOneInput(exact, n);
	free(exact);
}

static void load_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (f == NULL)
		die(path);
	struct input in = { NULL, 0 };
	for (;;) {
		in.p = need(realloc(in.p, in.n + 65536));
		size_t got = fread(in.p + in.n, 1, 65536, f);
		in.n += got;
		if (got < 65536)
			break;
	}
	if (ferror(f))
		die(path);
	fclose(f);
	inputs = need(realloc(inputs, (ninputs + 1) * sizeof(*inputs)));
	inputs[ninputs++] = in;
}

static void load(const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0)
		die(path);
	if (!S_ISDIR(st.st_mode)) {
		load_file(path);
		return;
	}
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort); /* sorted: deterministic */
	if (n < 0)
		die(path);
	for (int i = 0; i < n; i++) {
		char *full = NULL;
		if (asprintf(&full, "%s/%s", path, list[i]->d_name) < 0)
			die("memory");
		if (list[i]->d_name[0] != '.' && stat(full, &st) == 0
			&& S_ISREG(st.st_mode))
			load_file(full);
		free(full);
		free(list[i]);
	}
	free(list);
}

static const uint8_t tricky[] = { 0, 1, 0x7f, 0x80, 0xc0, 0xe2, 0xff, ' ', '\n',
	'\r', '\t', 0x1b, '"', '\\', '/', '\'', '{', '}', '[', ']', '(', ')', ':', ',',
	';', '<', '>', '%', '$', '`', '&', '|', '-', '0', '9', 'u', 'D', 'a' };

static size_t insert(uint8_t *b, size_t n, size_t max, const uint8_t *p, size_t len)
{
	if (len > max - n)
		len = max - n;
	size_t at = rnd((uint32_t)n + 1);
	memmove(b + at + len, b + at, n - at);
	memcpy(b + at, p, len);
	return n + len;
}

/* An integer at a random place, of 1, 2, 4 or 8 bytes, at an edge. */
static void edge_int(uint8_t *b, size_t n)
{
	static const uint64_t edges[] = { 0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff,
		0xffff, 0x10000, 0xffffff, 0x1000000, 0x1000001, 0x7fffffff, 0xffffffff,
		UINT64_MAX };
	size_t len = (size_t)1 << rnd(4);
	if (len > n)
		return;
	uint64_t v = edges[rnd(sizeof(edges) / sizeof(edges[0]))];
	size_t at = rnd((uint32_t)(n - len + 1));
	for (size_t i = 0; i < len; i++)
		b[at + i] = (uint8_t)(v >> (8 * i));
}

static size_t mutate_once(uint8_t *b, size_t n, size_t max)
{
	uint8_t piece[64];
	size_t len = rnd(n > 64 ? 64 : (uint32_t)n) + 1;
	size_t at = n > 0 ? rnd((uint32_t)n) : 0;
	const struct input *other = &inputs[rnd((uint32_t)ninputs)];

	switch (n == 0 ? 1 : rnd(8)) {
	case 0:
		b[at] ^= (uint8_t)(1u << rnd(8));
		return n;
	case 1:
		return insert(b, n, max, &tricky[rnd(sizeof(tricky))], 1);
	case 2:
		b[at] = tricky[rnd(sizeof(tricky))];
		return n;
	case 3: /* cut a piece */
		if (len > n - at)
			len = n - at;
		memmove(b + at, b + at + len, n - at - len);
		return n - len;
	case 4: /* double a piece */
		if (len > n - at)
			len = n - at;
		if (len > sizeof(piece))
			len = sizeof(piece);
		memcpy(piece, b + at, len);
		return insert(b, n, max, piece, len);
	case 5: /* cut off the end */
		return rnd(4) == 0 ? at : n;
	case 6:
		edge_int(b, n);
		return n;
	default: /* a piece of another seed */
		if (other->n == 0)
			return n;
		at = rnd((uint32_t)other->n);
		len = rnd((uint32_t)(other->n - at)) + 1;
		return insert(b, n, max, other->p + at, len);
	}
}

static unsigned long mutate_for(double seconds, size_t max)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	double end = (double)t.tv_sec + (double)t.tv_nsec / 1e9 + seconds;
	uint8_t *b = need(malloc(max));
	unsigned long runs = 0;

	for (;;) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		if ((double)t.tv_sec + (double)t.tv_nsec / 1e9 >= end)
			break;
		const struct input *in = &inputs[rnd((uint32_t)ninputs)];
		size_t n = in->n < max ? in->n : max;
		if (n > 0)
			memcpy(b, in->p, n);
		for (uint32_t k = rnd(6) + 1; k > 0; k--)
			n = mutate_once(b, n, max);
		run(b, n);
		runs++;
	}
	free(b);
	return runs;
}

int main(int argc, char **argv)
{
	double seconds = 0;
	size_t max = 4096;
	int opt;

	while ((opt = getopt(argc, argv, "t:s:o:m:")) != -1) {
		switch (opt) {
		case 't': seconds = strtod(optarg, NULL); break;
		case 's': rng = strtoull(optarg, NULL, 0) * 2 + 1; break;
		case 'o': keep_path = optarg; break;
		case 'm': max = strtoul(optarg, NULL, 0); break;
		default: return 2;
		}
	}
#ifdef CORPUS_DIR
	if (optind == argc)
		load(CORPUS_DIR);
#endif
	for (int i = optind; i < argc; i++)
		load(argv[i]);
	if (ninputs == 0 || max == 0 || max > (1u << 30)) {
		fprintf(stderr, "fuzz: nothing to run\n");
		return 2;
	}
	for (size_t i = 0; i < ninputs; i++)
		run(inputs[i].p, inputs[i].n);
	printf("%zu inputs replayed\n", ninputs);
	fflush(stdout); /* a crash below must not lose it */
	if (seconds > 0)
		printf("%lu mutated inputs\n", mutate_for(seconds, max));
	for (size_t i = 0; i < ninputs; i++)
		free(inputs[i].p);
	free(inputs);
	return 0;
}
