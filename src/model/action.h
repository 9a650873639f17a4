/*
 * action.h - what an agent asks to do: one action, in the words of its own
 * payload, and who asked.
 *
 * Hides: nothing; plain data, all of it living in one arena.
 * Frees: action_free() frees the arena, and with it everything; byte strings
 * may also point into raw, which the arena holds.
 * Must not include: anything above base/.
 *
 * Values are the received bytes, decoded once (JSON escapes), never
 * re-written. Names inside messages are labels: shown quoted, they may
 * restrict but never allow.
 */
#ifndef OBSTAT_MODEL_ACTION_H
#define OBSTAT_MODEL_ACTION_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/sock.h"

enum kind { KIND_EDIT, KIND_COMMAND, KIND_HTTP, KIND_SQL, KIND_TOOL,
	KIND_MESSAGE, KIND_PAYMENT, KIND_MEMORY, KIND_QUESTION, KIND_GRANT,
	KIND_OTHER, KIND_N };
const char *kind_name(enum kind k);            /* "edit", ... "other" */
bool kind_from_name(struct sv name, enum kind *out);

/* One leaf of the action object, in the order received. path is like
 * "arguments.items[3].name"; value is decoded text for strings, the source
 * text for numbers, true, false and null; empty containers appear as one leaf
 * with value "{}" or "[]". */
enum leaf_type { LEAF_STRING, LEAF_NUMBER, LEAF_BOOL, LEAF_NULL, LEAF_EMPTY };
struct leaf {
	struct sv path;
	struct sv value;
	enum leaf_type type;
	size_t raw_from, raw_to;   /* byte range in action.raw, quotes included */
};

enum change_op { CHANGE_ADD, CHANGE_MODIFY, CHANGE_DELETE, CHANGE_MOVE,
	CHANGE_WRITE };            /* WRITE: whole new content, add or modify is
	                            * known only when the file has been looked at */
struct change {
	enum change_op op;
	struct sv path, old_path;      /* as given */
	struct sv old_text, new_text;  /* fragment: the replaced and the new part */
	bool has_old, has_new;
	bool fragment;                 /* old_text is a part of the file */
	bool replace_all;
	bool binary;
	struct sv patch;               /* unified diff, if that is all there is */
	struct sv mode;
	struct sv note;                /* e.g. a notebook cell's id */
};

enum tool_default { TOOL_ASKS, TOOL_PASSES_READ_ONLY, TOOL_PASSES_IN_WORKSPACE,
	TOOL_NO_OPINION };         /* recorded, no opinion: AskUserQuestion */

struct action {
	struct arena *arena;
	enum kind kind;
	enum tool_default deflt;       /* the dialect table's word on this tool */
	struct sv tool;                /* "Bash", "mcp__pay__refund" */
	struct sv server;              /* MCP server, as claimed */
	struct sv title, words;        /* the agent's own prose: quoted, dimmed */
	struct sv cwd;                 /* absolute, as claimed; may be empty */
	struct sv target;              /* one line that names what is acted on:
	                                * path, command, host, name (decoded bytes) */
	struct sv command;             /* kind command: the line as given */
	bool have_argv;                /* kind command by argv (native) */
	struct sv *argv;
	size_t n_argv;
	struct leaf *leaves;           /* every leaf of the action object */
	size_t n_leaves;
	struct change *changes;        /* kind edit */
	size_t n_changes;
	struct sv *read_paths;         /* paths a reading tool names */
	size_t n_read_paths;
	struct sv host;                /* kind http: host of the URL, as given */
	bool secret;                   /* question that says it wants a secret */
	struct sv raw;                 /* the whole message(s) as received */
	const char *why_not;           /* not NULL: cannot be approved; a stable
	                                * word: "empty", "unreadable", "over_limit" */
};
struct action *action_new(size_t arena_max);
void action_free(struct action **a);
const struct leaf *action_leaf(const struct action *a, const char *path);
/* path made absolute with a->cwd, in ar; not resolved: ".." stays, since only
 * the kernel knows where links lead. SV_NONE when it has no absolute form
 * (relative and no absolute cwd), holds a NUL, or is over 4,095 bytes. */
struct sv action_abs_path(const struct action *a, struct sv path,
	struct arena *ar);

/* Who asked, from the socket (channel, peer) and from the message (the rest:
 * claimed labels). Byte strings live in the request's own arena. */
#define KEY_LEN 16
struct origin {
	struct sv channel;             /* the agent socket's name: identity */
	struct peer peer;              /* from the socket */
	struct sv dialect;             /* "claude", "native" */
	struct sv session, turn, call, task, agent_name, agent_version;
	struct sv subagent, subagent_id;  /* its sort and its id, as claimed */
	struct sv session_title;
	uint8_t key[KEY_LEN];
};

/*
 * action_digest: SHA-256 over "obstat action 1\0" and a fixed binary encoding
 * of kind, tool, cwd, target, each leaf's path, type and decoded bytes (the
 * words and title leaves left out by the dialect are not leaves), and the
 * digests of the referenced files as read. Equal for equal effects: no ids,
 * no prose. file_digests are n_files pairs in the order of their paths.
 */
struct digest action_digest(const struct action *a, const struct digest *files,
	size_t n_files);

#endif
