BASE_CORE = src/base/i18n.h \
  src/base/mem.h src/base/mem.c src/base/sv.c \
  src/base/clock.h src/base/clock.c src/base/clock_fmt.c \
  src/base/testpoint.h src/base/testpoint.c \
  src/base/hash.h src/base/hash.c \
  src/base/crc.h src/base/crc.c \
  src/base/err.h src/base/err.c \
  src/base/sock.h src/base/sock.c \
  src/base/json_out.h src/base/json_out.c \
  src/base/fs.h src/base/fs.c \
  src/base/loop.h src/base/loop_int.h src/base/loop.c src/base/loop_fd.c \
  src/base/loop_proc.c src/base/loop_work.c
