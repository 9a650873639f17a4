/*
 * jsonrpc.c - see jsonrpc.h.
 */
#include "proto/jsonrpc.h"

#include <stdio.h>
#include <string.h>

static int rpc_read_id(const struct json *j, json_ref id, struct rpc *out)
{
	struct sv raw;

	if (id == JSON_NO || json_is(j, id, JSON_NULL))
		return 0;
	if (!json_is(j, id, JSON_STRING) && !json_is(j, id, JSON_NUMBER))
		return -1;
	raw = json_raw(j, id);
	if (raw.n > RPC_ID_MAX)
		return -1;
	out->id = raw;
	return 0;
}

int rpc_read(const struct json *j, struct arena *a, struct rpc *out, struct err *e)
{
	json_ref method;

	*out = (struct rpc){ .params = JSON_NO, .result = JSON_NO, .error = JSON_NO };
	if (!json_is(j, 0, JSON_OBJECT))
		return err_set(e, "rpc_invalid", "a message must be a JSON object");
	if (rpc_read_id(j, json_get(j, 0, "id"), out) != 0)
		return err_set(e, "rpc_invalid",
			"id must be a number or a string of at most %d bytes", RPC_ID_MAX);
	method = json_get(j, 0, "method");
	out->params = json_get(j, 0, "params");
	out->result = json_get(j, 0, "result");
	out->error = json_get(j, 0, "error");
	if (method != JSON_NO) {
		out->method = json_str(j, method, a);
		if (out->method.n == 0 || out->method.n > RPC_ID_MAX)
			return err_set(e, "rpc_invalid", "method must be a short string");
		if (out->params != JSON_NO && !json_is(j, out->params, JSON_OBJECT) &&
		    !json_is(j, out->params, JSON_ARRAY))
			return err_set(e, "rpc_invalid", "params must be an object");
		out->type = out->id.n > 0 ? RPC_REQUEST : RPC_NOTE;
		return 0;
	}
	if (out->id.n == 0 || (out->result == JSON_NO) == (out->error == JSON_NO))
		return err_set(e, "rpc_invalid",
			"neither a request (method) nor a response (id and result or error)");
	out->type = out->error != JSON_NO ? RPC_ERROR : RPC_RESULT;
	return 0;
}

/* One line or nothing: a half line would desynchronise the peer. */
static int rpc_end(struct buf *out, size_t before)
{
	if (buf_addc(out, '\n') == 0)
		return 0;
	out->n = before;
	return -1;
}

static void rpc_head(struct buf *out, struct sv id)
{
	buf_adds(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	buf_addsv(out, id.n > 0 ? id : SV("null"));
}

int rpc_put_result(struct buf *out, struct sv id, struct jv *owned_result)
{
	size_t before = out->n;

	rpc_head(out, id);
	buf_adds(out, ",\"result\":");
	jv_write(owned_result, out);
	buf_addc(out, '}');
	jv_free(&owned_result);
	return rpc_end(out, before);
}

int rpc_put_error(struct buf *out, struct sv id, int code, const char *word,
	const char *text, struct jv *owned_data)
{
	struct jv *err = jv_obj();
	size_t before = out->n;

	if (owned_data == NULL)
		owned_data = jv_obj();
	jv_put_s(owned_data, "error", word);
	jv_put_i(err, "code", code);
	jv_put_s(err, "message", text);
	jv_put(err, "data", owned_data);
	rpc_head(out, id);
	buf_adds(out, ",\"error\":");
	jv_write(err, out);
	buf_addc(out, '}');
	jv_free(&err);
	return rpc_end(out, before);
}

static int rpc_put_call(struct buf *out, const char *id, const char *method,
	struct jv *owned_params)
{
	struct jv *name = jv_strv(sv_of(method));
	size_t before = out->n;

	buf_adds(out, "{\"jsonrpc\":\"2.0\",");
	if (id != NULL)
		buf_addf(out, "\"id\":%s,", id);
	buf_adds(out, "\"method\":");
	jv_write(name, out);
	jv_free(&name);
	if (owned_params != NULL) {
		buf_adds(out, ",\"params\":");
		jv_write(owned_params, out);
		jv_free(&owned_params);
	}
	buf_addc(out, '}');
	return rpc_end(out, before);
}

int rpc_put_request(struct buf *out, uint64_t id, const char *method,
	struct jv *owned_params)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)id);
	return rpc_put_call(out, text, method, owned_params);
}

int rpc_put_note(struct buf *out, const char *method, struct jv *owned_params)
{
	return rpc_put_call(out, NULL, method, owned_params);
}

int ndjson_line(struct sv buffered, size_t *looked, struct sv *line, size_t *used)
{
	const char *lf = NULL;
	size_t n;

	if (*looked > buffered.n)
		*looked = 0;
	if (buffered.n > *looked)
		lf = memchr(buffered.p + *looked, '\n', buffered.n - *looked);
	if (lf == NULL) {
		*looked = buffered.n;
		return buffered.n > NDJSON_LINE_MAX + 1 ? -1 : 0;
	}
	n = (size_t)(lf - buffered.p);
	*used = n + 1;
	if (n > 0 && buffered.p[n - 1] == '\r')
		n--;
	if (n > NDJSON_LINE_MAX)
		return -1;
	*line = (struct sv){ buffered.p, n };
	*looked = 0;
	return 1;
}
