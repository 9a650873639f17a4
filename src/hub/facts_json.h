/*
 * facts_json.h - one action as a console sees it: action/get's answer.
 *
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_FACTS_JSON_H
#define OBSTAT_HUB_FACTS_JSON_H

#include "hub/req.h"

struct jv *action_json(struct req *r, uid_t uid, const struct conn *asker);
const char *grade_name(const struct req *r);   /* held, asked, not verified */
void base64_add(struct buf *b, struct sv s);   /* RFC 4648, padded */

#endif
