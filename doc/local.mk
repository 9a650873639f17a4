# doc
EXTRA_DIST += doc/record-format.md
dist_man_MANS += doc/obstat-gate.1 doc/obstat.1 doc/obstat.5
dist_man_MANS += doc/obstat-protocol.7
