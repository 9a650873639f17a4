#!/bin/bash
# The real Claude Code asks, obstat shows, a scripted person decides: what runs,
# what does not, what the model reads, what is on record.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/product.sh"
product_start "$@"

# A command that Claude Code itself denies in this mode when nobody allows it.
OUT=$RIG_HOME/outside
outside() { printf '[{"tool": "Bash", "input": {"command": "cp /etc/hostname %s"}}, {"say": "bye"}]' "$OUT"; }
# A clean tracked file, read first, as Claude Code wants it.
EDIT='[{"tool": "Read", "input": {"file_path": "@/a.txt"}},
	{"tool": "Edit", "input": {"file_path": "@/a.txt", "old_string": "one", "new_string": "two"}}, {"say": "bye"}]'
EDIT=${EDIT//@/$RIG_PROJECT}
echo one >"$RIG_PROJECT/a.txt"
chown "$RIG_UID:$RIG_UID" "$RIG_PROJECT/a.txt"
person git add a.txt
person git -c user.name=rig -c user.email=rig@rig.invalid commit -qm first

# ---- without us ----
agent "$(outside)"
agent_wait
[ ! -e "$OUT" ] || fail "the control is none: Claude Code runs it by itself"

# ---- a person decides; managed settings ----
setup_managed
hub_start
agent "$(outside)"
decide wait outside print approve closed approved >"$RIG/row" || fail "approve"
agent_wait || fail "approve: claude exits $?"
[ -e "$OUT" ] || fail "approved, and did not run: $(model_results)"
[ "$(jq -r .facts.grade "$RIG/row")" = held ] || fail "managed settings are not called held"
[ "$(jq -r .facts.workspace "$RIG/row")" = "$RIG_PROJECT" ] || fail "workspace: $(cat "$RIG/row")"
rm -f "$OUT"

agent "$TOUCH" --allowedTools Bash
decide wait 'touch ran' deny 'not before the backup' closed denied || fail "deny"
agent_wait
must_not_run deny
must_tell deny 'not before the backup'
must_tell deny 'Denied by a person (obstat #'

agent "$TOUCH" --allowedTools Bash
decide wait 'touch ran' stop 'wrong repository' closed denied || fail "stop"
agent_wait
must_not_run stop
must_tell stop 'wrong repository'
must_tell stop 'Stop here'

# ---- what passes by default is left to Claude Code's own mode ----
agent "$EDIT"
agent_wait
grep -q one "$RIG_PROJECT/a.txt" || fail "our pass let an edit through that Claude Code asks for"
jq -e '.permission_denials[] | select(.tool_name == "Edit")' "$RIG/out.json" >/dev/null ||
	fail "Claude Code did not decide the edit: $(cat "$RIG/out.json")"
agent "$EDIT" --permission-mode acceptEdits
agent_wait
grep -q two "$RIG_PROJECT/a.txt" || fail "a clean tracked file: $(model_results)"
# Now it is dirty, and asks.
agent "${EDIT/\"one\"/\"two\"}" --permission-mode acceptEdits
decide wait a.txt deny 'commit first' closed denied || fail "a dirty file does not ask"
agent_wait
must_tell 'dirty file' 'commit first'

# ---- a subagent's call says whose it is ----
agent '[{"tool": "Agent", "input": {"description": "helps", "prompt": "marker-sub go",
	"subagent_type": "general-purpose", "run_in_background": false}},
	{"as": "marker-sub", "tool": "Bash", "input": {"command": "touch ran"}}, {"say": "bye"}]'
decide wait Agent approve wait 'touch ran' print approve closed approved >"$RIG/row" || fail "subagent"
agent_wait
must_run subagent
[ "$(jq -r .row.subagent "$RIG/row")" = general-purpose ] || fail "subagent: $(cat "$RIG/row")"
decide calm || fail "a session is red that kept to the gate"

# ---- messages by hand: what -p does not offer, and a call past the gate ----
hook() {
	printf '{"session_id": "by-hand", "cwd": "%s", "hook_event_name": "%s", "tool_name": "%s", "tool_use_id": "%s", "tool_input": %s}\n' \
		"$RIG_PROJECT" "$2" "$3" "$4" "$5" |
		person obstat-gate "$1" --socket "$RIG_SOCK" --hub-uid self --deadline 20 --dialect claude
}
for tool in AskUserQuestion ExitPlanMode; do
	hook decide PreToolUse "$tool" "t-$tool" '{"questions": [{"question": "Which?"}], "plan": "all"}' \
		>"$RIG/said" 2>&1 || fail "$tool: exit $?: $(cat "$RIG/said")"
	[ ! -s "$RIG/said" ] || fail "$tool: not without opinion: $(cat "$RIG/said")"
done
hook observe PostToolUse AskUserQuestion t-AskUserQuestion '{}'
decide calm || fail "red by a call that came through the gate"
hook observe PostToolUse Bash t-unseen '{"command": "true"}'
decide red sessions >"$RIG/sessions" || fail "a call past the gate does not turn the session red"
jq -es '.[] | select(.session == "by-hand" and .red)' "$RIG/sessions" >/dev/null || fail "red: $(cat "$RIG/sessions")"

hub_stop
person obstat verify >"$RIG/said" || fail "verify: $(cat "$RIG/said")"
record . >"$RIG/record"
has() { jq -es "[.[] | $2] | length >= ${3:-1}" "$RIG/record" >/dev/null || fail "on record: $1"; }
has 'approved, with all that came of it' "select(.target | strings | test(\"hostname\")) | select(.outcome == \"approved\" and .by.kind == \"human\"
	and ([.records[] | select(.type == \"delivery\" and .fields.delivery == \"delivered\")] | length) == 1
	and ([.records[] | select(.type == \"ran\" and .fields.status == \"ok\")] | length) >= 1)"
has 'the denial and its words' 'select(.outcome == "denied") | .records[] | select(.type == "outcome") | select(.fields.reason == "not before the backup")'
has 'passes' 'select(.outcome == "passed" and (.tool == "Edit" or .tool == "Read"))' 4
has 'passed without opinion' 'select(.outcome == "passed" and (.tool == "AskUserQuestion" or .tool == "ExitPlanMode"))' 2
has 'whose call it was' '.records[] | select(.fields.subagent == "general-purpose" and .type == "received")'
has 'how well it is held' '.records[] | select(.type == "received" and .fields.grade == "held")'

# ---- rules ----
hub_fresh '[rule "copy"]
	tool = Bash
	arg = cp
	arg = /etc/hostname
	arg = '"$OUT"'
	decide = allow'
agent "$(outside)"
agent_wait
[ -e "$OUT" ] || fail "a rule allows it, and it did not run: $(model_results)"
rm -f "$OUT"
hub_fresh '[rule "no-touch"]
	tool = Bash
	arg = touch
	decide = deny
	reason = the disk is full
	more = any'
agent "$TOUCH" --allowedTools Bash
agent_wait
must_not_run 'rule deny'
must_tell 'rule deny' 'Denied by rule no-touch: the disk is full'
hub_stop
record 'select(.outcome == "denied" and .by.kind == "rule")' | grep -q touch || fail "rule deny: not on record"

# ---- user settings: asked, not held; a hook removed in mid-session is seen ----
setup_none
setup_user
hub_fresh
cat >"$RIG_PROJECT/tidy" <<'EOF'
#!/bin/sh
jq 'del(.hooks.PreToolUse)' ~/.claude/settings.json >s && cat s >~/.claude/settings.json
EOF
chmod 755 "$RIG_PROJECT/tidy"
# Claude Code takes up a changed file some time later: the agent goes on until
# a call of its own came past the gate, or for twenty calls.
again='{"tool": "Bash", "input": {"command": "echo x >>ran"}},'
many=$(printf "$again%.0s" {1..20})
agent '[{"tool": "Bash", "input": {"command": "./tidy"}},'"$many"'{"say": "bye"}]' --allowedTools Bash
decide calm wait tidy print approve closed approved past 'echo x' >"$RIG/row" ||
	fail "a hook removed in mid-session is not seen"
agent_wait
must_run 'a hook removed in mid-session (this is what user settings are worth)'
[ "$(jq -r .facts.grade "$RIG/row")" = asked ] || fail "user settings are not called asked: $(cat "$RIG/row")"
hub_stop

# ---- managed, but weak: not held either ----
setup_none
setup_managed
settings_change 'del(.hooks.PreToolUse[0].hooks[0].onFailure)'
hub_fresh
agent "$TOUCH"
decide wait 'touch ran' print deny no closed denied >"$RIG/row" || fail "weak managed settings"
agent_wait
[ "$(jq -r .facts.grade "$RIG/row")" = asked ] || fail "weak managed settings are called held"
exit "$RIG_FAILED"
