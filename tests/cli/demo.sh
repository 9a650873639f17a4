#!/bin/sh
# obstat demo without a terminal: its transcript is the golden file, it ends
# its hub and its agent, and a signal ends all of it early.
#   OBSTAT_UPDATE_GOLDEN=1 rewrites the golden file.
set -u
obstat=${OBSTAT:-./obstat}
golden=${srcdir:-.}/tests/golden/demo/transcript.txt
work=$(mktemp -d /tmp/obstat-t.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
TMPDIR=$work LC_ALL=C LANGUAGE=C
export TMPDIR LC_ALL LANGUAGE

fail() {
	echo "FAIL: $*"
	exit 1
}
# The folder of the one demo that is there.
folder() {
	set -- "$work"/obstat-demo-*
	echo "$1"
}
# Waits until the pattern is in the hub's log, at most 20 s.
logged() {
	n=0
	until grep -q "$1" "$(folder)/state/log" 2>/dev/null; do
		n=$((n + 1))
		[ $n -lt 400 ] || fail "the hub's log never said: $1"
		sleep 0.05
	done
}

"$obstat" demo >"$work/out" 2>"$work/err" </dev/null || {
	cat "$work/out" "$work/err"
	fail "exit status"
}
grep -q "$(folder)/state" "$work/err" || fail "does not say where the record is"
[ "$(stat -c %a "$(folder)")" = 700 ] || fail "the folder is not private"
grep -q 'ended in good order' "$(folder)/state/log" || fail "the hub did not end"
"$obstat" verify --state "$(folder)/state" >/dev/null || fail "verify"
if [ "${OBSTAT_UPDATE_GOLDEN:-}" = 1 ]; then
	cp "$work/out" "$golden"
fi
diff -u "$golden" "$work/out" || fail "the transcript differs"
rm -rf "$(folder)"

"$obstat" demo >"$work/out" 2>"$work/err" </dev/null &
demo=$!
logged ' serves '
hub=$(sed -n 's/.* serves .* as pid \([0-9]*\)$/\1/p' "$(folder)/state/log")
kill -TERM "$demo"
wait "$demo"
rc=$?
[ $rc -eq 2 ] || fail "exit status $rc after SIGTERM"
grep -q 'was ended' "$work/err" || fail "does not say that it was ended"
kill -0 "$hub" 2>/dev/null && fail "the hub outlived the demo"
rm -rf "$(folder)"

# Even when nobody can tidy up.
"$obstat" demo >"$work/out" 2>"$work/err" </dev/null &
demo=$!
logged ' serves '
kill -KILL "$demo"
wait "$demo" 2>/dev/null
logged 'ended in good order'
exit 0
