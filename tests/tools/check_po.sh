#!/bin/sh
# A catalogue that lacks a string, has it fuzzy, or has it wrong is refused.
set -eu
top=$(cd "${srcdir:-.}" && pwd)
command -v xgettext >/dev/null || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/obstat-check-po.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/ui" "$work/po"
cat >"$work/src/ui/a.c" <<'C'
static const char *const names[] = { N_("deny") };
const char *f(int n) { return P_("%d line", "%d lines", n); }
const char *g(void) { return _("%s waits"); }
C
failed=0

# catalogue < ENTRIES: a German catalogue of these entries.
catalogue() {
	cat - >"$work/entries"
	{
		printf 'msgid ""\nmsgstr ""\n'
		printf '"Project-Id-Version: obstat\\n"\n"PO-Revision-Date: 2026-11-30 12:00+0000\\n"\n'
		printf '"Last-Translator: obstat\\n"\n"Language-Team: German\\n"\n"Language: de\\n"\n'
		printf '"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
		printf '"Content-Transfer-Encoding: 8bit\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
		cat "$work/entries"
	} >"$work/po/de.po"
}

# expect CODE [WORDS]: check-po exits so and says so.
expect() {
	rc=0
	OBSTAT_SOURCE="$work" "$top/tools/check-po" >"$work/out" 2>&1 || rc=$?
	if [ "$rc" -ne "$1" ] || ! grep -qF -e "${2-}" "$work/out"; then
		echo "FAIL: wanted exit $1 and '${2-}', got exit $rc and:"
		cat "$work/out"
		failed=1
	fi
}

whole='msgid "deny"
msgstr "ablehnen"

#, c-format
msgid "%d line"
msgid_plural "%d lines"
msgstr[0] "%d Zeile"
msgstr[1] "%d Zeilen"
'
printf '%s\n#, c-format\nmsgid "%%s waits"\nmsgstr "%%s wartet"\n' "$whole" | catalogue
expect 0 '3 translated messages.'
printf '%s' "$whole" | catalogue
expect 1 'msgid "%s waits"'
printf '%s\n#, fuzzy, c-format\nmsgid "%%s waits"\nmsgstr "%%s wartet"\n' "$whole" | catalogue
expect 1 'only-fuzzy'
printf '%s\n#, c-format\nmsgid "%%s waits"\nmsgstr "%%d wartet"\n' "$whole" | catalogue
expect 1 'format specifications'
exit "$failed"
