/*
 * i18n.h - gettext's short names. _() where a text is shown, N_() in tables.
 * Logs, database rows, JSON and the gate are never translated: what the hub says
 * in them is marked N_() where it stands, and translated where it is shown.
 */
#ifndef OBSTAT_BASE_I18N_H
#define OBSTAT_BASE_I18N_H

#include <libintl.h>

#define _(s) gettext(s)
#define N_(s) s
#define P_(one, many, n) ngettext((one), (many), (unsigned long)(n))

#endif
