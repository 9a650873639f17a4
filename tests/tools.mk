# What holds for the source itself, and that the tools which say so can fail.
TESTS += tools/check-layers tools/check-po \
  tests/tools/check_layers.sh tests/tools/check_po.sh
EXTRA_DIST += tests/tools/check_layers.sh tests/tools/check_po.sh
