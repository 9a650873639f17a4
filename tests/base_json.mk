# tests of base_json
BASE_JSON_LIBS = libbase.a $(UTF8PROC_LIBS) $(CRYPTO_LIBS)
EXTRA_DIST += tests/corpus/json

if HAVE_CMOCKA
JSON_TESTS = test_json test_json_portable test_json_dup test_json_read
check_PROGRAMS += $(JSON_TESTS)
TESTS += $(JSON_TESTS)
test_json_SOURCES = tests/base/test_json.c tests/base/json_cases.h tests/base/json_check.h
test_json_LDADD = $(BASE_JSON_LIBS) $(CMOCKA_LIBS)
# The same tests on the code for machines without SSE2.
test_json_portable_SOURCES = $(test_json_SOURCES) $(BASE_JSON)
test_json_portable_CPPFLAGS = $(AM_CPPFLAGS) -DJSON_PORTABLE
test_json_portable_LDADD = $(BASE_JSON_LIBS) $(CMOCKA_LIBS)
test_json_dup_SOURCES = tests/base/test_json_dup.c tests/base/json_check.h
test_json_dup_LDADD = $(BASE_JSON_LIBS) $(CMOCKA_LIBS)
test_json_read_SOURCES = tests/base/test_json_read.c tests/base/json_check.h
test_json_read_LDADD = $(BASE_JSON_LIBS) $(CMOCKA_LIBS)
endif

check_PROGRAMS += fuzz_json
fuzz_json_SOURCES = tests/base/fuzz_json.c
fuzz_json_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/json\"
fuzz_json_LDADD = $(BASE_JSON_LIBS)
if FUZZING
fuzz_json_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
fuzz_json_SOURCES += tests/support/fuzz_main.c
TESTS += fuzz_json
endif

check_PROGRAMS += bench_json
bench_json_SOURCES = tests/bench/bench_json.c
bench_json_LDADD = $(BASE_JSON_LIBS)
