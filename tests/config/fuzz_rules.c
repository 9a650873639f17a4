/*
 * Fuzz target: a rules file. The first byte chooses whose file it is. What is
 * accepted must be whole: every allow names a tool and something narrow, and a
 * workspace's file only asks and denies; and it must read the same again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ruleset *r = NULL, *again = NULL;
	struct err e = ERR_INIT;
	enum rules_source source = size > 0 ? data[0] % 3 : RULES_USER;
	struct sv text = { (const char *)data + 1, size > 0 ? size - 1 : 0 };

	if (size == 0)
		return 0;
	if (rules_parse(text, "f", source, &r, &e) != 0) {
		need(r == NULL && e.code[0] != '\0' && e.text[0] != '\0');
		return 0;
	}
	need(rules_parse(text, "f", source, &again, &e) == 0 && again->n == r->n);
	for (size_t i = 0; i < r->n; i++) {
		const struct rule *x = &r->rules[i];

		need(digest_eq(&x->id, &again->rules[i].id));
		need(x->name[0] != '\0' && x->line > 0 && x->source == source);
		need(x->decide != DECIDE_NONE || x->has_care);
		need(source != RULES_WORKSPACE || x->decide != DECIDE_ALLOW);
		if (x->decide == DECIDE_ALLOW)
			need(x->tool != NULL && x->tool[0] != '*' && (x->path != NULL ||
				x->n_arg > 0 || x->host != NULL));
	}
	need(source != RULES_WORKSPACE || r->n_agents + r->n_workspaces == 0);
	ruleset_free(&r);
	ruleset_free(&again);
	return 0;
}
