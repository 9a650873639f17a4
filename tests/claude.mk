# Tests with the real Claude Code; each skips where it is not installed.
CLAUDE_TESTS = tests/claude/facts.sh tests/claude/decide.sh tests/claude/fail.sh \
  tests/claude/redteam.sh tests/claude/setup.sh tests/claude/manual.sh
TESTS += $(CLAUDE_TESTS)
EXTRA_DIST += $(CLAUDE_TESTS) tests/claude/lib.sh tests/claude/product.sh \
  tests/claude/model.mjs tests/claude/NOTES.md tests/claude/redteam.tab \
  tests/claude/evil.c

check_PROGRAMS += claude_decider claude_fakehub
claude_decider_SOURCES = tests/claude/decider.c
claude_decider_LDADD = libbase.a $(OB_EXTLIBS)
claude_fakehub_SOURCES = tests/claude/fakehub.c
claude_fakehub_LDADD = libproto.a libbase.a $(OB_EXTLIBS)

# What a hostile project would preload.
check_DATA += claude_evil.so
CLEANFILES += claude_evil.so
claude_evil.so: $(srcdir)/tests/claude/evil.c
	$(AM_V_CC)$(CC) -shared -fPIC -O1 -o $@ $(srcdir)/tests/claude/evil.c
