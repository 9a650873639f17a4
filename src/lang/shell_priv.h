/*
 * shell_priv.h - what the files of the shell parser share. Only they include
 * it.
 *
 * Hides: nothing; see shell.h for the contract.
 * Frees: struct sp owns its stacks until shell_parse() returns.
 */
#ifndef OBSTAT_LANG_SHELL_PRIV_H
#define OBSTAT_LANG_SHELL_PRIV_H

#include "lang/shell.h"
#include "lang/wrappers.h"

/* How deep compound commands, quotes and substitutions may nest in all: each
 * level is a few frames of the C stack. */
#define SP_MAX_NEST 64u
#define SP_NO_ROW SIZE_MAX

/* A text being read. fixed: it was decoded, so all of it is at [base, end) of
 * the top-level text. */
struct sp_src {
	const char *p;
	size_t n, i;
	size_t base, end;
	bool fixed;
};
/* What a command stands in. */
struct sp_where {
	bool loop, condition, function, subshell;
	bool piped;            /* its standard input is a pipe */
	bool decoded;          /* and something in front of that decodes */
	unsigned depth;
	size_t parent;
	const char *via;
};
struct sp_heredoc {
	size_t row, redirect;  /* whose redirects[] are final only with the row */
	struct sv delim;
	bool quoted, tabs;
	size_t reader;         /* the row that runs the body, or SP_NO_ROW */
	const char *lang;      /* as what; NULL: as a shell script */
	const char *via;
};
struct sp {
	struct arena *a;
	struct sp_src s;
	struct sp_where at;
	bool stop;             /* this text is not parsed any further */
	bool stop_all;         /* nor is any other */
	bool cond;             /* inside [[ ]] */
	unsigned nest;
	size_t n_words_all;
	struct shell_command *rows;
	size_t n_rows, cap_rows;
	struct shell_word *words;     /* stack of the words of open commands */
	size_t n_words, cap_words;
	struct shell_redirect *redirs;
	size_t n_redirs, cap_redirs;
	struct sp_heredoc *docs;      /* waiting for the next newline */
	size_t n_docs, cap_docs;
	size_t docs_from;      /* those before it belong to a text around this one */
	bool docs_outer;       /* which stands in the same bytes */
	size_t redirs_from;    /* redirs of the command being read begin here */
	size_t row;            /* the command being read, parent of what is in it */
	struct sv *functions;
	size_t n_functions, cap_functions;
	struct buf bytes;             /* stack of the bytes of open words */
	const char *opaque;
	size_t opaque_at;
	bool compound;
	bool decoder;          /* a command of this pipeline decodes its input */
	size_t stdin_row;             /* whose redirections feed what is followed */
};

/* shell.c */
bool sp_done(const struct sp *p);
size_t sp_pos(const struct sp *p, size_t i);
void sp_opaque_at(struct sp *p, const char *why, size_t at);
void sp_row_opaque(struct sp *p, size_t row, const char *why);
void sp_stop(struct sp *p, const char *why, size_t at);   /* at: in s */
bool sp_enter(struct sp *p);              /* one level deeper, or stops */
void sp_leave(struct sp *p);
size_t sp_row_new(struct sp *p);          /* SP_NO_ROW when over a limit */
void *sp_grow(void *v, size_t n, size_t *cap, size_t size);
/* Parses text as a script of its own, reached from row by via. */
void sp_script(struct sp *p, size_t row, const char *via, struct sv text,
	size_t from, size_t to);

/* shell_lex.c */
enum sp_lex { SP_WORD, SP_DELIM };
/* The word at s.i. A word that could be an assignment gives the place of its
 * value in *eq (offset in s; 0: none). */
bool sp_word(struct sp *p, enum sp_lex mode, struct shell_word *w, size_t *eq);
void sp_blanks(struct sp *p);             /* blanks and continued lines */
int sp_peek(const struct sp *p, size_t k);/* the byte k on, -1 at the end */
bool sp_is_delim(int c);
bool sp_name_char(int c, bool first);

/* shell_expand.c: s.i at the '$' or '`' or '<'; adds to *parts. */
void sp_dollar(struct sp *p, bool dquoted, unsigned *parts, bool *odd);
void sp_backquote(struct sp *p, bool dquoted, unsigned *parts);
void sp_process(struct sp *p, unsigned *parts);
/* The value of an unquoted heredoc's body, [at, end) of the top-level text
 * (copied: raw is not those bytes), and the commands in it. */
void sp_heredoc_body(struct sp *p, size_t row, struct shell_redirect *r,
	struct sv raw, size_t at, bool copied, size_t end);
void sp_arithmetic(struct sp *p);         /* from after "((" to after "))" */

/* shell_cmd.c */
void sp_list(struct sp *p, int close);    /* until close (')' or -1) or the end */
void sp_comment(struct sp *p);
size_t sp_function(struct sp *p, struct sv name);

/* shell_simple.c */
bool sp_redirect_here(const struct sp *p);
/* A row of its own for the redirections of a compound command; the row whose
 * join counts: it, or inner when there are none. */
size_t sp_redirects_only(struct sp *p, size_t inner);
bool sp_docs_open(const struct sp *p);
size_t sp_simple(struct sp *p);
size_t sp_condition(struct sp *p);        /* [[ .. ]] */
void sp_newline(struct sp *p);            /* s.i at it: heredocs follow */
bool sp_push_word(struct sp *p, const struct shell_word *w);

/* shell_follow.c, shell_wrap.c */
void sp_follow(struct sp *p, size_t row); /* what does this row run in the end */
void sp_follow_words(struct sp *p, size_t row, const char *via, size_t from,
	size_t to, bool more);
void sp_follow_line(struct sp *p, size_t row, const char *via,
	const struct shell_word *w);
void sp_follow_joined(struct sp *p, size_t row, const char *via, size_t from,
	size_t to);
void sp_code(struct sp *p, size_t row, const struct wrapper *wr,
	const struct shell_word *w);
/* The row runs what feeds it. */
void sp_stdin(struct sp *p, size_t row, const struct wrapper *wr);
struct sv sp_basename(struct sv s);
/* from: the first word behind the wrapper's name. */
void sp_wrapper(struct sp *p, size_t row, const struct wrapper *wr, size_t from);
/* shell_env.c */
bool sp_assign_risky(struct sv word);     /* NAME=value, dangerous NAME */
bool sp_assign_harmless(struct sv word);
bool sp_ssh_tame(struct sv value);        /* of ssh -o */
/* shell_special.c: rows whose words follow no getopt rule */
void sp_find(struct sp *p, size_t row);
void sp_fd(struct sp *p, size_t row);
void sp_git(struct sp *p, size_t row);
void sp_tar(struct sp *p, size_t row);
void sp_env_split(struct sp *p, size_t row, size_t word, struct sv value);
void sp_builtin(struct sp *p, size_t row);

static inline bool sp_literal(const struct shell_word *w)
{
	return (w->parts & ~(unsigned)SHELL_ANSI_C) == 0;
}

#endif
