#include "store/store.h"

/* Names of record types and fields, as --json shows them. The numbers are on
 * disk for ever; the names are what programs rely on. */
static const struct {
	enum rec_type type;
	const char *name;
} types[] = {
	{ REC_HUB_STARTED, "hub_started" },
	{ REC_HUB_STOPPED, "hub_stopped" },
	{ REC_RULES, "rules" },
	{ REC_RECEIVED, "received" },
	{ REC_EVIDENCE, "evidence" },
	{ REC_DECIDED, "decided" },
	{ REC_TAKEN_BACK, "taken_back" },
	{ REC_OUTCOME, "outcome" },
	{ REC_DELIVERY, "delivery" },
	{ REC_RAN, "ran" },
	{ REC_REATTACHED, "reattached" },
	{ REC_EXTENDED, "extended" },
	{ REC_REASON, "reason" },
	{ REC_OBSERVED, "observed" },
	{ REC_SESSION, "session" },
	{ REC_PAST_GATE, "past_gate" },
	{ REC_GAP, "gap" },
	{ REC_REFUSED, "refused" },
	{ REC_REFUSED_MANY, "refused_many" },
	{ REC_HOLD, "hold" },
	{ REC_DISK_FULL, "disk_full" },
	{ REC_CLOCK_JUMP, "clock_jump" },
	{ REC_FORGOTTEN, "forgotten" },
};

const char *rec_type_name(enum rec_type t)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].type == t)
			return types[i].name;
	return "unknown";
}

static const struct {
	const char *name;
	enum rec_field_type type;
} fields[RF_N] = {
	[RF_ACTION] = { "action", RFT_INT },
	[RF_CHANNEL] = { "channel", RFT_TEXT },
	[RF_PEER_UID] = { "peer_uid", RFT_INT },
	[RF_PEER_PID] = { "peer_pid", RFT_INT },
	[RF_PEER_START] = { "peer_start", RFT_INT },
	[RF_DIALECT] = { "dialect", RFT_TEXT },
	[RF_KEY] = { "key", RFT_HEX },
	[RF_SESSION] = { "session", RFT_TEXT },
	[RF_TURN] = { "turn", RFT_TEXT },
	[RF_CALL] = { "call", RFT_TEXT },
	[RF_SUBAGENT] = { "subagent", RFT_TEXT },
	[RF_TASK] = { "task", RFT_TEXT },
	[RF_KIND] = { "kind", RFT_TEXT },
	[RF_TOOL] = { "tool", RFT_TEXT },
	[RF_CWD] = { "cwd", RFT_TEXT },
	[RF_TARGET] = { "target", RFT_TEXT },
	[RF_TITLE] = { "title", RFT_TEXT },
	[RF_RAW_DIGEST] = { "raw_digest", RFT_DIGEST },
	[RF_ACTION_DIGEST] = { "action_digest", RFT_DIGEST },
	[RF_DOC_DIGEST] = { "doc_digest", RFT_DIGEST },
	[RF_EVIDENCE_DIGEST] = { "evidence_digest", RFT_DIGEST },
	[RF_OUTCOME] = { "outcome", RFT_TEXT },
	[RF_VERB] = { "verb", RFT_TEXT },
	[RF_BY_KIND] = { "by_kind", RFT_TEXT },
	[RF_BY_NAME] = { "by_name", RFT_TEXT },
	[RF_BY_UID] = { "by_uid", RFT_INT },
	[RF_BY_TTY] = { "by_tty", RFT_TEXT },
	[RF_ATTESTED] = { "attested", RFT_INT },
	[RF_RULE] = { "rule", RFT_TEXT },
	[RF_RULES_DIGEST] = { "rules_digest", RFT_DIGEST },
	[RF_REASON] = { "reason", RFT_TEXT },
	[RF_WHY] = { "why", RFT_TEXT },
	[RF_CARE] = { "care", RFT_TEXT },
	[RF_REVERSIBILITY] = { "reversibility", RFT_TEXT },
	[RF_DELIVERY] = { "delivery", RFT_TEXT },
	[RF_STATUS] = { "status", RFT_TEXT },
	[RF_EVENT] = { "event", RFT_TEXT },
	[RF_COUNT] = { "count", RFT_INT },
	[RF_FIRST] = { "first", RFT_DIGEST },
	[RF_LAST] = { "last", RFT_DIGEST },
	[RF_SEEN_LINES] = { "seen_lines", RFT_INT },
	[RF_TOTAL_LINES] = { "total_lines", RFT_INT },
	[RF_VIEW_MS] = { "view_ms", RFT_INT },
	[RF_COLS] = { "cols", RFT_INT },
	[RF_ROWS] = { "rows", RFT_INT },
	[RF_SETUP] = { "setup", RFT_TEXT },
	[RF_GRADE] = { "grade", RFT_TEXT },
	[RF_VERSION] = { "version", RFT_TEXT },
	[RF_TEXT] = { "text", RFT_TEXT },
	[RF_DEADLINE] = { "deadline", RFT_INT },
	[RF_LINKED] = { "linked", RFT_INT },
	[RF_CODE] = { "code", RFT_TEXT },
	[RF_TYPED] = { "typed", RFT_TEXT },
	[RF_MODE] = { "mode", RFT_TEXT },
	[RF_UNREAD] = { "unread", RFT_INT },
	[RF_EXE] = { "exe", RFT_TEXT },
	[RF_CUT] = { "cut", RFT_TEXT },
	[RF_SEQ_FIRST] = { "seq_first", RFT_INT },
	[RF_SEQ_LAST] = { "seq_last", RFT_INT },
	[RF_PARENT] = { "parent", RFT_TEXT },
	[RF_WORKSPACE] = { "workspace", RFT_TEXT },
};

const char *rec_field_name(enum rec_field f)
{
	if ((unsigned)f >= RF_N || fields[f].name == NULL)
		return "unknown";
	return fields[f].name;
}

enum rec_field_type rec_field_type(enum rec_field f)
{
	if ((unsigned)f >= RF_N || fields[f].name == NULL)
		return RFT_HEX;
	return fields[f].type;
}
