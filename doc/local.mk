# doc
EXTRA_DIST += doc/record-format.md
