/*
 * jsonrpc.h - JSON-RPC 2.0 over NDJSON: what one line is, and how lines that
 * we send are built.
 *
 * Hides: the envelope. Ids are kept as the peer wrote them (source text), so
 * that an answer carries exactly the id that came.
 * Frees: nothing is kept; struct jv arguments are taken and freed.
 * Must not include: anything but base/. No sockets.
 */
#ifndef OBSTAT_PROTO_JSONRPC_H
#define OBSTAT_PROTO_JSONRPC_H

#include "base/err.h"
#include "base/json.h"
#include "base/json_out.h"
#include "base/mem.h"

#define NDJSON_LINE_MAX JSON_MAX_BYTES  /* bytes of one line, LF not counted */
#define RPC_ID_MAX 256                  /* bytes of an id's source text */

enum rpc_type { RPC_REQUEST, RPC_NOTE, RPC_RESULT, RPC_ERROR };
struct rpc {
	enum rpc_type type;
	struct sv id;        /* source text; SV_NONE for a note */
	struct sv method;    /* decoded, in the arena or borrowed */
	json_ref params;     /* object or array; JSON_NO when absent */
	json_ref result;     /* of RPC_RESULT */
	json_ref error;      /* of RPC_ERROR */
};
enum rpc_code {
	RPC_PARSE = -32700, RPC_INVALID = -32600, RPC_NO_METHOD = -32601,
	RPC_PARAMS = -32602, RPC_APP = -32000,
};
/* The envelope of a scanned line. A missing "jsonrpc" and unknown members are
 * accepted. -1 with code rpc_invalid; out->id is then set when it could be
 * read, so that the error can be answered. */
int rpc_read(const struct json *j, struct arena *a, struct rpc *out, struct err *e);

/* Lines to send; each adds one line with its LF to out. -1 when out is over
 * its maximum (nothing is added). id "" is written as null. */
int rpc_put_result(struct buf *out, struct sv id, struct jv *owned_result);
/* data.error is the stable word; text is for people; data may be NULL or an
 * object that the word is put into. */
int rpc_put_error(struct buf *out, struct sv id, int code, const char *word,
	const char *text, struct jv *owned_data);
int rpc_put_request(struct buf *out, uint64_t id, const char *method,
	struct jv *owned_params);
int rpc_put_note(struct buf *out, const char *method, struct jv *owned_params);

/*
 * The first line of buffered bytes. *looked is how many bytes are known to
 * hold no LF (start with 0, keep between calls, set to 0 after a line was
 * taken). 1: *line is the line without LF (or CR LF) and *used its bytes with
 * them; 0: not yet; -1: over NDJSON_LINE_MAX.
 */
int ndjson_line(struct sv buffered, size_t *looked, struct sv *line, size_t *used);

#endif
