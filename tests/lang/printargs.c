/*
 * printargs.c - prints what execve() gave it, for test_words: "@" and each
 * argument from argv[0] on, each ended by NUL, then a newline. argv[0] is
 * given by its last part, because the shell makes it a path or not.
 */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/');
	int i;

	fwrite("@", 1, 2, stdout);
	for (i = 0; i < argc; i++) {
		const char *s = i == 0 && name != NULL ? name + 1 : argv[i];

		fwrite(s, 1, strlen(s) + 1, stdout);
	}
	putchar('\n');
	return fflush(stdout) == 0 ? 0 : 1;
}
