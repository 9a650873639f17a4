#!/bin/sh
# Plants one wrong thing at a time in a copy of src/ and asserts that
# tools/check-layers says exactly that, and nothing about the right things.
set -eu
top=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/obstat-layers.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/t"
cp -R "$top/src" "$work/t/src"
chmod -R u+w "$work/t"
check="$top/tools/check-layers"
failed=0

report() {
	rc=0
	"$check" "$work/t" >"$work/out" 2>"$work/err" || rc=$?
	sed 's/^src\///' "$work/out" | grep 'planted' >"$work/new" || :
}

# plant FILE CODE MESSAGE: with CODE in FILE, MESSAGE is what is said of it.
plant() {
	mkdir -p "$(dirname "$work/t/src/$1")"
	printf '%b\n' "$2" >"$work/t/src/$1"
	report
	if [ "$rc" -ne 1 ] || [ "$(cat "$work/new")" != "$1:$3" ]; then
		echo "FAIL: $1: wanted '$1:$3', exit 1; got exit $rc and:"
		cat "$work/new"
		failed=1
	fi
	rm "$work/t/src/$1"
}

# fine FILE CODE: nothing is said.
fine() {
	mkdir -p "$(dirname "$work/t/src/$1")"
	printf '%b\n' "$2" >"$work/t/src/$1"
	report
	if [ -s "$work/new" ]; then
		echo "FAIL: $1 is right, and yet:"
		cat "$work/new"
		failed=1
	fi
	rm "$work/t/src/$1"
}

inc() { printf '#include "%s"' "$1"; }
lines() { awk -v n="$1" -v s="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s\\n", s }'; }

# Upward, sideways, alone.
plant base/planted.c "$(inc model/action.h)" '1: base (floor 0) may not include model (floor 1)'
plant lang/planted.h "$(inc model/action.h)" '1: lang (floor 1) may not include model (floor 1)'
plant flag/planted.c "/* */\n$(inc kinds/kind.h)" '2: flag (floor 2) may not include kinds (floor 3)'
plant config/planted.c "$(inc policy/rule.h)" '1: config (floor 2) may not include policy (floor 2)'
plant hub/planted.c "$(inc console/console.h)" '1: hub (floor 4) may not include console (floor 4)'
plant hub/planted.c "$(inc cli/cli.h)" '1: hub (floor 4) may not include cli (floor 4)'
plant gate/planted.c "$(inc base/mem.h)" '1: gate stands alone: it may not include base'
plant hub/planted.c "$(inc gate/frame.h)" '1: gate stands alone: hub may not include it'
plant ui/planted.c "$(inc ui/view_queue.h)" "1: ui's core may not include its views (view_queue.h)"
plant hub/planted.c "$(inc mem.h)" '1: write "room/mem.h", not "mem.h"'
plant hub/planted.c "$(inc attic/mem.h)" '1: "attic/mem.h" is in no room'
plant attic/planted.c "int x;" '1: no such room: give it a floor in tools/layers.tab'
plant store/planted.c "#  include\t\"ui/view.h\"" '1: store (floor 2) may not include ui (floor 3)'

# Walled libraries.
plant hub/planted.c '#include <uv.h>' '1: <uv.h> is walled: only base/loop*.c base/loop_int.h may include it'
plant base/planted.h '#include <uv.h>' '1: <uv.h> is walled: only base/loop*.c base/loop_int.h may include it'
plant base/planted.c '#include <jansson.h>' '1: <jansson.h> is walled: only base/json_out*.c may include it'
plant hub/planted.c '#include <openssl/evp.h>' '1: <openssl/evp.h> is walled: only base/hash*.c may include it'
plant policy/planted.c '#include <git2.h>' '1: <git2.h> is walled: only diff/ config/ may include it'
plant ui/planted.c '#include <ncursesw/curses.h>' '1: <ncursesw/curses.h> is walled: only ui/term_curses.c may include it'
plant gate/planted.c '#include <sqlite3.h>' '1: <sqlite3.h> is walled: only store/ may include it'

plant hub/planted.c "$(inc base/loop_int.h)" '1: <base/loop_int.h> is walled: only base/loop*.c may include it'

# Calls.
for f in strcpy strcat sprintf gets system popen alloca strtok localtime gmtime; do
	plant model/planted.c "void f(void)\n{\n\t$f (a);\n}" "3: $f() is banned"
done
plant ui/planted.c 'void f(void)\n{\n\tsetlocale(LC_ALL, "");\n}' '3: setlocale() is banned outside cli/'
plant model/planted.c 'typedef struct a a_t;' "1: structs are not typedef'd"

# Sizes.
plant model/planted.c "$(lines 501 'int x;')" '502: file of 502 lines (at most 500)'
plant model/planted.c "static int f(int a,\n\tint b)\n{\n$(lines 59 '\tg();')}" \
	'3: function f of 61 lines (at most 60)'

# What is right.
fine model/planted.c "$(inc base/mem.h)\n#include <string.h>\n$(inc model/action.h)\n$(inc config.h)"
fine policy/planted.c "$(inc config/settings.h)"
fine cli/planted.c "$(inc hub/hub.h)\n$(inc console/console.h)\nvoid f(void)\n{\n\tsetlocale(LC_ALL, \"\");\n}"
fine gate/planted.c "$(inc gate/frame.h)\n#include <sys/socket.h>"
fine ui/view_planted.c "$(inc ui/view_queue.h)\n$(inc ui/wrap.h)"
fine base/loop_planted.c '#include <uv.h>'
fine diff/planted.c '#include <git2.h>\n#include <git2/sys/repository.h>'
fine model/planted.c '/* strcpy(a, b) */\nstatic const char s[] = "system(x) /* ";\n/*\n * popen(x)\n#include "hub/hub.h"\n */\nvoid f(void)\n{\n\to->system(1);\n\to.gets(1);\n\tmy_system(1);\n\tlocaltime_r(a, b);\n\tc = \0047"\0047; /* strcat(a) */\n}'
fine model/planted_table.c "$(lines 600 'int x;')"
fine model/planted.c "static const int t[] = {\n$(lines 200 '\t1,')};\nint f(void)\n{\n$(lines 58 '\tg();')}"

# An empty or absent tree is not a clean one.
rc=0
"$check" "$work" >/dev/null 2>&1 || rc=$?
[ "$rc" -eq 2 ] || { echo "FAIL: no src/ gave exit $rc, not 2"; failed=1; }
exit "$failed"
