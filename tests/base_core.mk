# Tests of base's core. BASE_TEST_LIBS is what every user of err.h needs.
BASE_TEST_LIBS = libbase.a $(UTF8PROC_LIBS) $(CMOCKA_LIBS)
EXTRA_DIST += tests/check.h tests/support/clock_test.h tests/support/clock_test.c \
  tests/support/testpoint_on.h tests/support/testpoint_on.c
if HAVE_CMOCKA
check_PROGRAMS += test_mem test_hash test_err test_sock test_json_out test_fs \
  test_loop test_loop_fd test_loop_real
TESTS += test_mem test_hash test_err test_sock test_json_out test_fs \
  test_loop test_loop_fd test_loop_real

test_mem_SOURCES = tests/base/test_mem.c
test_mem_LDADD = $(BASE_TEST_LIBS)

test_hash_SOURCES = tests/base/test_hash.c
test_hash_LDADD = $(BASE_TEST_LIBS) $(CRYPTO_LIBS)

test_err_SOURCES = tests/base/test_err.c tests/support/clock_test.c
test_err_LDADD = $(BASE_TEST_LIBS)

test_sock_SOURCES = tests/base/test_sock.c
test_sock_LDADD = $(BASE_TEST_LIBS)

test_json_out_SOURCES = tests/base/test_json_out.c
test_json_out_LDADD = $(BASE_TEST_LIBS) $(JANSSON_LIBS) $(CRYPTO_LIBS)

test_fs_SOURCES = tests/base/test_fs.c tests/support/testpoint_on.c
test_fs_LDADD = $(BASE_TEST_LIBS) $(CRYPTO_LIBS)

test_loop_SOURCES = tests/base/test_loop.c tests/support/clock_test.c
test_loop_LDADD = $(BASE_TEST_LIBS) $(UV_LIBS) -lpthread

test_loop_fd_SOURCES = tests/base/test_loop_fd.c
test_loop_fd_LDADD = $(BASE_TEST_LIBS) $(UV_LIBS) -lpthread

test_loop_real_SOURCES = tests/base/test_loop_real.c
test_loop_real_LDADD = $(BASE_TEST_LIBS) $(UV_LIBS) -lpthread
endif
