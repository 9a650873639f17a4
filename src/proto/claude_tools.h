/*
 * claude_tools.h - the row of a Claude Code tool (private to proto/).
 */
#ifndef OBSTAT_PROTO_CLAUDE_TOOLS_H
#define OBSTAT_PROTO_CLAUDE_TOOLS_H

#include "model/action.h"

enum claude_shape { CLAUDE_PLAIN, CLAUDE_COMMAND, CLAUDE_EDIT, CLAUDE_MULTI_EDIT,
	CLAUDE_WRITE, CLAUDE_NOTEBOOK, CLAUDE_READ, CLAUDE_SEARCH, CLAUDE_URL,
	CLAUDE_MCP, CLAUDE_QUESTION };
struct claude_tool {
	const char *name;
	enum kind kind;
	enum tool_default deflt;
	enum claude_shape shape;
	const char *field;         /* what names the target */
	const char *pattern;       /* CLAUDE_SEARCH: a pattern of names in it */
};
extern const struct claude_tool claude_tools[];
extern const size_t n_claude_tools;

#endif
