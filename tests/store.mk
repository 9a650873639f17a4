# tests of store
STORE_TEST_LIBS = libstore.a libbase.a $(SQLITE_LIBS) $(ZSTD_LIBS) \
  $(CRYPTO_LIBS) $(UTF8PROC_LIBS) $(UV_LIBS) $(CMOCKA_LIBS) -lpthread
EXTRA_DIST += tests/store/rig.h tests/store/rig.c
if HAVE_CMOCKA
check_PROGRAMS += test_store test_verify test_trouble
TESTS += test_store test_verify test_trouble

test_store_SOURCES = tests/store/test_store.c tests/store/rig.c
test_store_LDADD = $(STORE_TEST_LIBS)
test_verify_SOURCES = tests/store/test_verify.c tests/store/rig.c
test_verify_LDADD = $(STORE_TEST_LIBS)
test_trouble_SOURCES = tests/store/test_trouble.c tests/store/rig.c \
  tests/support/testpoint_on.c
test_trouble_LDADD = $(STORE_TEST_LIBS)
endif
