/*
 * logargs.c - appends its arguments to the file $LOG in one write, for
 * test_shell_real: byte 1, each argument behind argv[0] ended by NUL, byte 2.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char rec[1 << 16];
	size_t n = 1;
	const char *log = getenv("LOG");
	int fd = open(log != NULL ? log : "", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	rec[0] = 1;
	for (int i = 1; i < argc; i++) {
		size_t len = strlen(argv[i]) + 1;

		if (len > sizeof(rec) - n - 1)
			return 2;
		memcpy(rec + n, argv[i], len);
		n += len;
	}
	rec[n++] = 2;
	return fd >= 0 && write(fd, rec, n) == (ssize_t)n ? 0 : 1;
}
