/*
 * shell.h - a lexer and parser for POSIX sh and bash: bytes in, simple
 * commands out, and "opaque, because" where it cannot tell.
 *
 * Hides: quoting, expansion, heredocs, nesting. Iterative or bounded depth.
 * Frees: all in the caller's arena. Words borrow from the text given where
 * they stand in it as they are, so the text must live as long as the result.
 * Must not include: anything above lang/ (base only).
 *
 * It never guesses: a word is literal only when its value follows from the
 * bytes alone. What is executed in the end (wrappers such as sudo, env, xargs,
 * find -exec, ssh, sh -c, heredocs to interpreters) is followed through a
 * table, one row a wrapper (wrappers_table.c); each inner command is a row of
 * its own with its depth and how it was reached.
 *
 * Where dash, bash and zsh read the same bytes differently, the answer is
 * opaque or a word that is not literal, never one shell's reading.
 */
#ifndef OBSTAT_LANG_SHELL_H
#define OBSTAT_LANG_SHELL_H

#include "base/mem.h"

#define SHELL_MAX_BYTES (1u << 20)
#define SHELL_MAX_COMMANDS 10000u
#define SHELL_MAX_WORDS 65536u      /* and redirections, assignments */
#define SHELL_MAX_DEPTH 16u
/* What a text at its limits takes of the arena, at most. */
#define SHELL_ARENA (64u << 20)

enum shell_part { SHELL_LITERAL = 0, SHELL_VARIABLE = 1, SHELL_SUBSTITUTION = 2,
	SHELL_GLOB = 4, SHELL_BRACE = 8, SHELL_TILDE = 16, SHELL_ARITHMETIC = 32,
	SHELL_ANSI_C = 64 /* $'..' , decoded: literal, but not to dash */,
	SHELL_PROCESS = 128 /* <(..) */ };
struct shell_word {
	struct sv text;            /* its value when literal (parts has nothing but
	                            * SHELL_ANSI_C), else as written */
	unsigned parts;            /* enum shell_part bits */
	bool quoted;               /* any part was quoted */
	bool odd_quotes;           /* quotes or backslashes inside a word that needs
	                            * none: r''m, r\m, '--for'ce (deceptive) */
	size_t from, to;           /* bytes in the top-level text; of inner text that
	                            * was decoded (sh -c '...'): of the outer word */
};
enum shell_redir_op { SHELL_IN, SHELL_OUT, SHELL_APPEND, SHELL_CLOBBER,
	SHELL_INOUT, SHELL_DUP_IN, SHELL_DUP_OUT, SHELL_BOTH, SHELL_BOTH_APPEND,
	SHELL_HEREDOC, SHELL_HERESTRING };
struct shell_redirect {
	enum shell_redir_op op;
	int fd;                    /* -1: the operator's own, -2: {name} */
	struct shell_word target;  /* of a heredoc: its delimiter */
	struct sv body;            /* heredoc's text: its value when body_literal */
	bool body_literal;         /* its delimiter was quoted, or nothing expands */
};
/* What joins a command to the one after it. */
enum shell_join { SHELL_END, SHELL_SEQ, SHELL_AND, SHELL_OR, SHELL_PIPE,
	SHELL_PIPE_BOTH, SHELL_BACKGROUND };
/* A program handed to an interpreter that is not a shell. */
struct shell_code {
	const char *lang;          /* "python" "perl" "ruby" "node" "awk" "sed" "vim"
	                            * "psql" "mysql" "sqlite3" ...; NULL: none */
	struct sv text;            /* its value when literal, else as written */
	bool literal;
	size_t from, to;           /* bytes in the top-level text */
};
struct shell_command {
	struct shell_word *words;  /* after assignments; n_words may be 0: only
	                            * assignments, or a compound's redirections */
	size_t n_words;
	struct shell_word *assigns;/* VAR=value as written (literal: its value) */
	size_t n_assigns;
	struct shell_redirect *redirects;
	size_t n_redirects;
	enum shell_join join;
	bool in_loop, in_condition, in_function, in_subshell;
	bool more_words;           /* words not seen here come after (xargs) */
	unsigned depth;            /* 0: of the line itself */
	size_t parent;             /* index of the command it was reached through,
	                            * SIZE_MAX none */
	const char *via;           /* "sudo", "sh -c", "xargs", "substitution" ...;
	                            * NULL at depth 0 */
	const char *opaque;        /* a stable reason word, or NULL */
	struct shell_code code;    /* the first, when it has one */
	size_t from, to;           /* bytes in the top-level text */
};
struct shell {
	struct shell_command *commands;   /* in the order written, inner after outer */
	size_t n_commands;
	const char *opaque;        /* the first reason anywhere, or NULL */
	size_t opaque_at;          /* byte */
	bool simple_list;          /* only simple commands joined by ; && || | newline,
	                            * no expansion or assignment, redirections only
	                            * between descriptors or to /dev/null, nothing
	                            * opaque: what an allow rule may cover (obstat(5)) */
	bool compound;             /* if, for, {}, (), functions, ! or time */
};
/* Never fails: what cannot be parsed is opaque ("syntax", "too_long", ...); the
 * commands before that are kept, as a shell would have run them.
 * Reasons: syntax unterminated_quote unterminated_heredoc too_long too_deep
 * too_many variable_command substitution_command eval source alias function
 * glob_command brace_command interpreter_code interpreter_stdin piped_to_shell
 * decoded_to_shell remote_command wrapper_options unknown_shell zsh_syntax
 * powershell control_character hidden_character invalid_utf8 lookalike_command
 * assignment_env process_substitution coproc trap exec_redirect */
void shell_parse(struct sv text, struct arena *a, struct shell *out);
/* A stable reason as a sentence (English, N_()). */
const char *shell_reason(const char *opaque);

/* Is it worth "literal" to every shell: no part at all, ANSI_C neither. */
static inline bool shell_word_plain(const struct shell_word *w)
{
	return w->parts == SHELL_LITERAL;
}

#endif
