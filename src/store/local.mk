# src/store: the record. The only room with sqlite3 and zstd.
noinst_LIBRARIES += libstore.a
libstore_a_SOURCES = src/store/store.h src/store/store_priv.h \
  src/store/store.c src/store/store_thread.c src/store/commit.c \
  src/store/reserve.c src/store/rec.h src/store/rec.c src/store/rec_table.c \
  src/store/body.c src/store/db.h src/store/db.c src/store/walroom.c src/store/lockwho.c \
  src/store/reader.h src/store/reader.c src/store/verify.c
