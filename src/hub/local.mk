# src/hub: obstat serve. See core.h. Sources of this room only.
noinst_LIBRARIES += libhub.a
libhub_a_SOURCES = src/hub/hub.h src/hub/hub.c src/hub/core.h \
  src/hub/detach.h src/hub/detach.c src/hub/conn.h src/hub/conn.c \
  src/hub/listen.c src/hub/budget.c src/hub/peerinfo.c src/hub/refuse.c \
  src/hub/ndjson.h src/hub/ndjson.c src/hub/gate_peer.c \
  src/hub/native_peer.c src/hub/call.h src/hub/console_peer.c \
  src/hub/console_actions.c src/hub/console_hub.c src/hub/facts_json.h \
  src/hub/facts_json.c src/hub/rows.c src/hub/req.h src/hub/req.c \
  src/hub/done.c src/hub/scan.c src/hub/intake.c src/hub/observe.h \
  src/hub/observe.c src/hub/sessions.h src/hub/sessions.c \
  src/hub/assess.h src/hub/assess.c src/hub/opener.c src/hub/verdict.c \
  src/hub/docwork.c src/hub/decide.c src/hub/release.c src/hub/answer.c \
  src/hub/restart.c src/hub/decode.c src/hub/trash.c src/hub/judge.c
