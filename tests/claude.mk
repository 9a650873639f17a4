# Tests with the real Claude Code; each skips where it is not installed.
CLAUDE_TESTS = tests/claude/facts.sh
TESTS += $(CLAUDE_TESTS)
EXTRA_DIST += $(CLAUDE_TESTS) tests/claude/lib.sh tests/claude/model.mjs \
  tests/claude/NOTES.md
