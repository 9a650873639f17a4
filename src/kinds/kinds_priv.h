/*
 * kinds_priv.h - what the builders share (private to kinds/).
 *
 * To add a kind: one file kind_NAME.c with its builder, one row in kinds.c.
 */
#ifndef OBSTAT_KINDS_KINDS_PRIV_H
#define OBSTAT_KINDS_KINDS_PRIV_H

#include "kinds/kinds.h"

/* What a builder works on. leaf_shown[i]: leaf i is already in the document,
 * in whatever form; the leaf view draws the others. */
struct view {
	struct doc *d;
	const struct action *a;
	const struct evidence *ev;
	const struct facts *f;
	struct arena *ar;
	bool *leaf_shown;
};

void kind_edit_view(struct view *v);
void kind_command_view(struct view *v);
void kind_tool_view(struct view *v);
void kind_raw_view(struct view *v);

/* A line of ours. */
void view_ours(struct view *v, enum role r, const char *text);
/* The same, in bytes that are not ours: NAME: VALUE, value strict. */
void view_field(struct view *v, enum doc_line_kind k, const char *name,
	enum role r, struct sv value);
/* A text as payload lines. One line: unnumbered. A last newline is shown. */
void view_text(struct view *v, enum role r, struct sv text,
	enum esc_context ctx);
/* "<U+000A>" where text ends in a newline and its last line, which is the
 * document's, does not say so yet. */
void view_last_newline(struct view *v, struct sv text);
/* One leaf as "name: value", or its lines below its name. */
void view_leaf(struct view *v, size_t i);
/* Marks leaf i as shown when it is named path and holds value. */
void view_leaf_done(struct view *v, const char *path, struct sv value);
/* Every leaf that is not shown yet. heading: a line of ours before the first,
 * or NULL. */
void view_leaves(struct view *v, const char *heading);

#endif
