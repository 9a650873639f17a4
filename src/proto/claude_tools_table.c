/*
 * claude_tools_table.c - Claude Code's tools (2.1.332): kind and default.
 *
 * One row a tool; a name that is not here is kind tool and asks. A trailing
 * '*' matches a prefix. The defaults: obstat(5), "What asks"; what passes only
 * reads, or keeps the agent's own lists.
 */
#include "proto/claude_tools.h"

const struct claude_tool claude_tools[] = {
	{ "Bash", KIND_COMMAND, TOOL_ASKS, CLAUDE_COMMAND, NULL, NULL },
	{ "Edit", KIND_EDIT, TOOL_ASKS, CLAUDE_EDIT, NULL, NULL },
	{ "MultiEdit", KIND_EDIT, TOOL_ASKS, CLAUDE_MULTI_EDIT, NULL, NULL },
	{ "Write", KIND_EDIT, TOOL_ASKS, CLAUDE_WRITE, NULL, NULL },
	{ "NotebookEdit", KIND_EDIT, TOOL_ASKS, CLAUDE_NOTEBOOK, NULL, NULL },
	{ "Read", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_READ, "file_path", NULL },
	{ "Glob", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_SEARCH, "path",
		"pattern" },
	{ "Grep", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_SEARCH, "path", "glob" },
	{ "LS", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_READ, "path", NULL },
	{ "NotebookRead", KIND_TOOL, TOOL_PASSES_IN_WORKSPACE, CLAUDE_READ,
		"notebook_path", NULL },
	{ "TodoWrite", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "TodoRead", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "TaskCreate", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "TaskGet", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "TaskList", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "TaskUpdate", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "TaskOutput", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "BashOutput", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "ListAgents", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "CronList", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "ReportFindings", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "ToolSearch", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "EnterPlanMode", KIND_TOOL, TOOL_PASSES_READ_ONLY, CLAUDE_PLAIN, NULL, NULL },
	{ "AskUserQuestion", KIND_QUESTION, TOOL_NO_OPINION, CLAUDE_QUESTION, NULL, NULL },
	{ "ExitPlanMode", KIND_GRANT, TOOL_NO_OPINION, CLAUDE_PLAIN, NULL, NULL },
	{ "WebFetch", KIND_HTTP, TOOL_ASKS, CLAUDE_URL, "url", NULL },
	{ "WebSearch", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "Agent", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "Task", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	/* What acts, now or later: more agents, commands, prompts and settings. */
	{ "CronCreate", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "CronDelete", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "EnterWorktree", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "ExitWorktree", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "KillShell", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "Monitor", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "ScheduleWakeup", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "SendMessage", KIND_MESSAGE, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "Skill", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "TaskStop", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "Workflow", KIND_TOOL, TOOL_ASKS, CLAUDE_PLAIN, NULL, NULL },
	{ "mcp__*", KIND_TOOL, TOOL_ASKS, CLAUDE_MCP, NULL, NULL },
};
const size_t n_claude_tools = sizeof(claude_tools) / sizeof(claude_tools[0]);
