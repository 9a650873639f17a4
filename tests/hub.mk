# tests of hub
OB_HUBLIBS = libhub.a libevidence.a libkinds.a libstore.a libpolicy.a \
  libproto.a libconfig.a libdiff.a libmodel.a liblang.a libbase.a
check_PROGRAMS += obstat-testhub
obstat_testhub_SOURCES = tests/hub/testhub.c tests/support/clock_test.c \
  tests/support/clock_test.h tests/support/testpoint_on.c \
  tests/support/testpoint_on.h
obstat_testhub_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)
obstat_testhub_LDADD = $(OB_HUBLIBS) $(OB_EXTLIBS)
if HAVE_CMOCKA
HUB_RIG = tests/hub/rig.c tests/hub/rig.h tests/hub/rig_gate.c \
  tests/hub/rig_priv.h tests/check.h
HUB_TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir) \
  -DTESTHUB=\"$(abs_builddir)/obstat-testhub\"
HUB_TEST_LIBS = libstore.a libmodel.a libbase.a $(CMOCKA_LIBS) $(OB_EXTLIBS)
check_PROGRAMS += test_hub test_hub_life test_hub_crash test_hub_hostile \
  test_hub_long test_hub_peers test_hub_native test_hub_time \
  test_jsonrpc
TESTS += test_hub test_hub_life test_hub_crash test_hub_hostile \
  test_hub_long test_hub_peers test_hub_native test_hub_time \
  test_jsonrpc
test_hub_SOURCES = tests/hub/test_hub.c $(HUB_RIG)
test_hub_CPPFLAGS = $(HUB_TEST_CPPFLAGS)
test_hub_LDADD = $(HUB_TEST_LIBS)
test_hub_life_SOURCES = tests/hub/test_hub_life.c $(HUB_RIG)
test_hub_life_CPPFLAGS = $(HUB_TEST_CPPFLAGS)
test_hub_life_LDADD = $(HUB_TEST_LIBS)
test_hub_crash_SOURCES = tests/hub/test_hub_crash.c $(HUB_RIG)
test_hub_crash_CPPFLAGS = $(HUB_TEST_CPPFLAGS)
test_hub_crash_LDADD = $(HUB_TEST_LIBS)
test_hub_hostile_SOURCES = tests/hub/test_hub_hostile.c $(HUB_RIG)
test_hub_hostile_CPPFLAGS = $(HUB_TEST_CPPFLAGS)
test_hub_hostile_LDADD = $(HUB_TEST_LIBS)
test_hub_long_SOURCES = tests/hub/test_hub_long.c $(HUB_RIG)
test_hub_long_CPPFLAGS = $(HUB_TEST_CPPFLAGS)
test_hub_long_LDADD = $(HUB_TEST_LIBS)
test_hub_peers_SOURCES = tests/hub/test_hub_peers.c $(HUB_RIG)
test_hub_peers_CPPFLAGS = $(HUB_TEST_CPPFLAGS)
test_hub_peers_LDADD = $(HUB_TEST_LIBS)
test_hub_native_SOURCES = tests/hub/test_hub_native.c $(HUB_RIG)
test_hub_native_CPPFLAGS = $(HUB_TEST_CPPFLAGS)
test_hub_native_LDADD = $(HUB_TEST_LIBS)
test_hub_time_SOURCES = tests/hub/test_hub_time.c $(HUB_RIG)
test_hub_time_CPPFLAGS = $(HUB_TEST_CPPFLAGS)
test_hub_time_LDADD = $(HUB_TEST_LIBS)
test_jsonrpc_SOURCES = tests/hub/test_jsonrpc.c tests/check.h
test_jsonrpc_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)
test_jsonrpc_LDADD = libproto.a libbase.a $(CMOCKA_LIBS) $(OB_EXTLIBS)
endif
