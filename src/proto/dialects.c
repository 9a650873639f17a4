/*
 * dialects.c - the table of dialects. To add one: a file dialect_NAME.c that
 * defines a struct dialect, and its row here.
 */
#include "proto/dialects.h"

#include <stddef.h>

static const struct dialect *const dialects[] = {
	&dialect_claude,
	&dialect_native,
};

const struct dialect *dialect_find(struct sv name)
{
	for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++)
		if (sv_eqs(name, dialects[i]->name))
			return dialects[i];
	return NULL;
}

void event_clear(struct event *ev)
{
	action_free(&ev->action);
	arena_free(&ev->arena);
	*ev = (struct event){ 0 };
}
