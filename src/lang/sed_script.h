/*
 * sed_script.h - does a sed script only edit its stream?
 *
 * Must not include: anything above lang/.
 */
#ifndef OBSTAT_LANG_SED_SCRIPT_H
#define OBSTAT_LANG_SED_SCRIPT_H

#include "base/mem.h"

/* True if script holds only commands that neither run anything (e, s///e) nor
 * touch a file (r, R, w, W, s///w): what is not understood is false. */
bool sed_script_tame(struct sv script);

#endif
