/*
 * claude_tools_table.c - Claude Code's tools (2.1.332): kind and default.
 *
 * One row a tool; a name that is not here is kind tool and asks. A trailing
 * '*' matches a prefix. The defaults: obstat(5), "What asks".
 */
#include "proto/claude_tools.h"

const struct claude_tool claude_tools[] = {
	{ "Bash", KIND_COMMAND, TOOL_ASKS, CLAUDE_COMMAND, NULL },
	{ "Edit", KIND_EDIT, TOOL_ASKS, CLAUDE_EDIT, NULL },
	{ "MultiEdit", KIND_EDIT, TOOL_ASKS, CLAUDE_MULTI_EDIT, NULL },
	{ "Write", KIND_EDIT, TOOL_ASKS, CLAUDE_WRITE, NULL },
	{ "NotebookEdit", KIND_EDIT, TOOL_ASKS, CLAUDE_NOTEBOOK, NULL },
	{ "Read", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_READ, "file_path" },
	{ "Glob", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_READ, "path" },
	{ "Grep", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_READ, "path" },
	{ "LS", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_READ, "path" },
	{ "NotebookRead", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_READ,
		"notebook_path" },
	{ "TodoWrite", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "TodoRead", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "TaskCreate", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "TaskGet", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "TaskList", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "TaskUpdate", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "TaskOutput", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "BashOutput", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "ToolSearch", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "EnterPlanMode", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL },
	{ "AskUserQuestion", KIND_QUESTION, TOOL_NO_OPINION, CLAUDE_QUESTION, NULL },
	{ "ExitPlanMode", KIND_GRANT, TOOL_NO_OPINION, CLAUDE_PLAIN, NULL },
	{ "WebFetch", KIND_HTTP, TOOL_ASKS, CLAUDE_URL, "url" },
	{ "WebSearch", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL },
	{ "Agent", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL },
	{ "Task", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL },
	{ "mcp__*", KIND_TOOL, TOOL_ASKS, CLAUDE_MCP, NULL },
};
const size_t n_claude_tools = sizeof(claude_tools) / sizeof(claude_tools[0]);
