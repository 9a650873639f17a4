BASE_CORE = src/base/mem.h src/base/err.h src/base/clock.h src/base/testpoint.h src/base/hash.h src/base/loop.h src/base/sock.h src/base/json_out.h src/base/i18n.h
