/*
 * kind_raw.c - tool calls, and every kind that has no view of its own yet:
 * the target first, then each leaf, whole.
 */
#include "kinds/kinds_priv.h"

#include "base/i18n.h"

static void target_first(struct view *v)
{
	const struct action *a = v->a;

	for (size_t i = 0; a->target.n > 0 && i < a->n_leaves; i++)
		if (a->leaves[i].type == LEAF_STRING &&
		    sv_eq(a->leaves[i].value, a->target)) {
			view_leaf(v, i);
			return;
		}
}

/* Never nothing: a payload without leaves is shown as its bytes. */
static void leaves_or_bytes(struct view *v)
{
	if (v->a->n_leaves > 0) {
		view_leaves(v, NULL);
		return;
	}
	view_ours(v, ROLE_WARN, _("the payload has no fields; the bytes as received:"));
	view_text(v, ROLE_TEXT, v->a->raw, ESC_CODE);
}

void kind_raw_view(struct view *v)
{
	if (v->a->kind == KIND_OTHER)
		view_ours(v, ROLE_WARN,
			_("a kind of action that is not known: shown as it came"));
	target_first(v);
	leaves_or_bytes(v);
	/* What it calls itself stands in none of its fields. */
	if (v->a->kind == KIND_OTHER && v->a->n_leaves > 0) {
		view_ours(v, ROLE_CHROME, _("the bytes as received:"));
		view_text(v, ROLE_TEXT, v->a->raw, ESC_CODE);
	}
}

void kind_tool_view(struct view *v)
{
	const struct action *a = v->a;

	view_field(v, LINE_PAYLOAD, _("tool"), ROLE_TEXT, a->tool);
	if (a->server.n > 0)
		view_field(v, LINE_PAYLOAD, _("server"), ROLE_TEXT, a->server);
	view_leaf_done(v, "server", a->server);
	if (sv_eq(a->target, a->tool))
		view_leaf_done(v, "name", a->tool);
	if (a->n_leaves == 0 || (a->n_leaves == 1 && a->leaves[0].path.n == 0 &&
	    a->leaves[0].type == LEAF_EMPTY))
		view_ours(v, ROLE_CHROME, _("no arguments"));
	else
		view_leaves(v, NULL);
}
