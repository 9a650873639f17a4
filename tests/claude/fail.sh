#!/bin/bash
# The real Claude Code with something broken between it and the person: nothing
# runs that nobody approved, and it says why. In each case the tool itself is
# allowed, so without the gate it would run.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/product.sh"
product_start "$@"
setup_managed
cp "$RIG_SETTINGS" "$RIG/good.json"

# broken FILTER: the managed settings as obstat wrote them, then through jq.
broken() { jq "$1" "$RIG/good.json" >"$RIG_SETTINGS"; }
good() { cat "$RIG/good.json" >"$RIG_SETTINGS"; }
pre='.hooks.PreToolUse[0].hooks[0]'
deadline() { broken "$pre.args[6] = \"$1\""; }
[ "$(jq -r "$pre.args[5]" "$RIG/good.json")" = --deadline ] || fail "the arguments are not where this test changes them"

try() { agent "$TOUCH" --allowedTools Bash; }
# blocked WHAT [WORDS]: it ends, and by a denial.
blocked() {
	agent_wait || fail "$1: claude exits $?: $(cat "$RIG/err")"
	must_not_run "$1"
	[ -z "${2-}" ] || must_tell "$1" "$2"
	# The call, its result, and an end: an agent that is held by Stop asks more.
	[ "$(jq -s 'map(select(.role == "main")) | length' "$RIG_LOG")" -eq 2 ] ||
		fail "$1: goes round in circles"
}
# the one action there is, on record
outcome() { [ "$(record .outcome)" = "\"$2\"" ] || fail "$1: on record: $(record '{outcome, by}')"; }

# ---- no hub ----
try
blocked 'hub never started' 'OBSTAT-E03 no hub at'
agent '[{"say": "bye"}]'
agent_wait || fail "Stop without a hub: claude exits $?"
[ "$(jq -s 'map(select(.role == "main")) | length' "$RIG_LOG")" -eq 1 ] || fail "Stop without a hub loops"

# ---- the gate ----
hub_fresh
broken "$pre.command = \"/nowhere/obstat-gate\""
try
blocked 'gate missing' 'onFailure'
good

try
decide wait 'touch ran' print >"$RIG/row" || fail "gate killed: not asked"
kill -9 "$(jq .facts.peer.pid "$RIG/row")"
blocked 'gate killed' 'onFailure'
outcome 'gate killed' withdrawn

hub_fresh
printf '#!/bin/sh\nexec %s/obstat-gate "$@" >&-\n' "$RIG_BIN" >"$RIG_BIN/noout"
chmod 755 "$RIG_BIN/noout"
broken "$pre.command = \"$RIG_BIN/noout\""
try
blocked 'stdout closed' 'OBSTAT-E06'
good

# ---- nobody answers ----
deadline 2
try
agent_wait
must_not_run deadline
model_results | grep -qi 'nobody answered in time' || fail "deadline: $(model_results)"
record .outcome | grep -qE 'expired|withdrawn' || fail "deadline: on record: $(record .outcome)"

# ---- the hub dies while it waits ----
hub_fresh
deadline 4
try
decide wait 'touch ran' || fail "hub killed: not asked"
hub_kill
blocked 'hub killed while waiting' 'OBSTAT-E1'
good

hub_start
try
decide wait 'touch ran' || fail "hub restarted: not asked"
hub_kill
hub_start
decide wait 'touch ran' approve closed approved || fail "hub restarted: not asked again"
agent_wait
must_run 'hub restarted while waiting, then approved'
[ "$(record 'select(.outcome == "approved") | .records[].type' | grep -c reattached)" -ge 1 ] ||
	fail "hub restarted: no re-attachment on record: $(record '[.records[].type]')"

# ---- answers that are none ----
hub_stop
person mkdir -p "${RIG_SOCK%/*}"
# fake HOW [USER]: a hub of the test at the real one's place.
fake() {
	mkfifo "$RIG/fake"
	person claude_fakehub "$RIG_SOCK" "$1" >"$RIG/fake" &
	FAKE_PID=$!
	read -r -t 20 <"$RIG/fake" || fail "no fake hub"
	rm "$RIG/fake"
}
fake_end() {
	kill "$FAKE_PID"
	wait "$FAKE_PID" 2>/dev/null
	rm -f "$RIG_SOCK"
}
fake allow
try
agent_wait
must_run 'the fake hub with a whole answer (else the next ones show nothing)'
fake_end
for how in cut crc more; do
	fake "$how"
	try
	blocked "answer: $how" 'OBSTAT-E08'
	fake_end
done
deadline 3
fake empty
try
blocked 'answer: empty' 'OBSTAT-E1'
fake_end
good

# ---- the runtime goes away ----
for signal in KILL TERM; do
	hub_fresh
	try
	decide_on "$RIG/rows" wait 'touch ran' print closed withdrawn
	read -r row <"$RIG/rows"
	claude_pid=$(ps -o ppid= -p "$(jq .facts.peer.pid <<<"$row")")
	[ "$(ps -o comm= -p $claude_pid)" = claude ] ||
		fail "SIG$signal: $claude_pid is not the runtime: $(ps -o args= -p $claude_pid)"
	kill -s "$signal" $claude_pid
	decide_wait || fail "runtime dead by SIG$signal: its row is not withdrawn"
	agent_wait && fail "SIG$signal: claude exits 0"
	must_not_run "SIG$signal"
	outcome "SIG$signal" withdrawn
done
exit "$RIG_FAILED"
