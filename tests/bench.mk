# Benches: built by "make check", run by "make bench" (all of them) and by
# "make bench-NAME". Each prints its goals and what was measured, and fails
# when a goal is missed.
BENCH_LIB = tests/bench/bench.h tests/bench/figures.c tests/bench/scene.c \
  tests/bench/client.c
BENCH_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -DOBSTAT=\"$(abs_builddir)/obstat\" \
  -DGATE=\"$(abs_builddir)/obstat-gate\" -DNULL_PROGRAM=\"$(abs_builddir)/bench_null\"
BENCH_LIBS = libbase.a $(UTF8PROC_LIBS) $(CRYPTO_LIBS) $(JANSSON_LIBS) $(UV_LIBS) -lpthread
EXTRA_DIST += tests/bench/run

BENCHES = bench_json bench_store bench_gate bench_edit bench_shell
check_PROGRAMS += bench_store bench_gate bench_edit
bench_store_SOURCES = tests/bench/bench_store.c $(BENCH_LIB)
bench_store_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_store_LDADD = libstore.a $(BENCH_LIBS) $(SQLITE_LIBS) $(ZSTD_LIBS)
bench_gate_SOURCES = tests/bench/bench_gate.c $(BENCH_LIB)
bench_gate_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_gate_LDADD = $(BENCH_LIBS)
bench_edit_SOURCES = tests/bench/bench_edit.c $(BENCH_LIB)
bench_edit_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_edit_LDADD = $(BENCH_LIBS)

# These look at a screen.
if HAVE_VTERM
BENCHES += bench_console bench_idle
check_PROGRAMS += bench_console bench_idle
bench_console_SOURCES = tests/bench/bench_console.c tests/bench/screen.c $(BENCH_LIB)
bench_console_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_console_LDADD = $(BENCH_LIBS) $(VTERM_LIBS)
bench_idle_SOURCES = tests/bench/bench_idle.c tests/bench/screen.c $(BENCH_LIB)
bench_idle_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_idle_LDADD = $(BENCH_LIBS) $(VTERM_LIBS)
endif

BENCH_NEEDS = obstat obstat-gate bench_null
BENCH_RUN = $(SHELL) $(srcdir)/tests/bench/run
.PHONY: bench bench-json bench-store bench-diff bench-shell bench-gate bench-edit bench-console \
  bench-idle
bench: $(BENCHES) $(BENCH_NEEDS)
	$(BENCH_RUN) $(BENCHES:%=./%)
bench-json bench-store bench-diff bench-shell: bench-%: bench_%
	$(BENCH_RUN) ./bench_$*
bench-gate bench-edit bench-console bench-idle: bench-%: bench_% $(BENCH_NEEDS)
	$(BENCH_RUN) ./bench_$*
