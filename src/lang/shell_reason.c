/*
 * shell_reason.c - why something is opaque, in words for people.
 */
#include "lang/shell.h"

#include <string.h>

#include "base/i18n.h"

static const struct {
	const char *why, *text;
} reasons[] = {
	{ "syntax", N_("shells do not agree about how to read it") },
	{ "unterminated_quote", N_("a quote is not closed") },
	{ "unterminated_heredoc", N_("a here-document has no end") },
	{ "too_long", N_("it is too long to be read") },
	{ "too_deep", N_("it nests too deep to be followed") },
	{ "too_many", N_("it has too many commands or words") },
	{ "variable_command", N_("what it runs is the value of a variable") },
	{ "substitution_command", N_("what it runs is the output of a command") },
	{ "eval", N_("it evaluates text as commands") },
	{ "source", N_("it runs a file inside the shell") },
	{ "alias", N_("it changes what names mean") },
	{ "function", N_("it defines a function") },
	{ "glob_command", N_("what it runs is a file name pattern") },
	{ "brace_command", N_("what it runs is made by braces") },
	{ "interpreter_code", N_("it runs a program given as text") },
	{ "interpreter_stdin", N_("an interpreter runs its standard input") },
	{ "piped_to_shell", N_("a shell runs what another command writes") },
	{ "decoded_to_shell", N_("a shell runs what is decoded first") },
	{ "remote_command", N_("it opens a session somewhere else") },
	{ "wrapper_options", N_("it runs another command in a way that is not understood") },
	{ "unknown_shell", N_("what it runs depends on the shell that reads it") },
	{ "zsh_syntax", N_("zsh reads it in a way of its own") },
	{ "powershell", N_("it runs PowerShell") },
	{ "control_character", N_("it holds a control character") },
	{ "hidden_character", N_("it holds a hidden or reordering character") },
	{ "invalid_utf8", N_("it holds bytes that are no text") },
	{ "lookalike_command", N_("a command's name holds unusual characters") },
	{ "assignment_env", N_("it sets a variable that changes what programs run") },
	{ "process_substitution", N_("an interpreter reads what another command writes") },
	{ "coproc", N_("it runs a command beside the shell") },
	{ "trap", N_("it runs a command later, on a signal") },
	{ "exec_redirect", N_("it redirects all that follows") },
};

const char *shell_reason(const char *opaque)
{
	for (size_t i = 0; opaque != NULL && i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strcmp(reasons[i].why, opaque) == 0)
			return reasons[i].text;
	}
	return opaque;
}
