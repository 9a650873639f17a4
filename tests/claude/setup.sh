#!/bin/bash
# obstat setup claude and obstat doctor, on settings of the test's own.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/product.sh"
product_start "$@"
USER_SETTINGS=$RIG_HOME/.claude/settings.json
SAID=$RIG/said
# say STATUS WHAT COMMAND...: the command's status; what it said is in $SAID.
say() {
	local want=$1 what=$2 rc=0
	shift 2
	"$@" >"$SAID" 2>&1 </dev/null || rc=$?
	[ "$rc" -eq "$want" ] || fail "$what: exit $rc, not $want: $(cat "$SAID")"
}
said() { grep -qF -- "$1" "$SAID" || fail "not said: '$1' in: $(cat "$SAID")"; }
not_said() { ! grep -qF -- "$1" "$SAID" || fail "said: '$1' in: $(cat "$SAID")"; }
root() { (cd "$RIG_PROJECT" && env -i PATH="$RIG_PATH" HOME="$RIG" LANG=C.UTF-8 "${SUDO[@]}" "$@"); }
SUDO=(SUDO_USER=rig)
same() { cmp "$1" "$2" >/dev/null || fail "$3: not the same bytes"; }

# ---- who may, and what is only shown ----
say 2 'managed, as an ordinary user' person obstat setup claude --yes
said 'sudo obstat setup claude'
say 2 'another user linked by an ordinary one' person obstat setup claude --link-user rigtwo
say 0 'shown to an ordinary user' person obstat setup claude --dry-run
said '+  "allowManagedHooksOnly": true'
say 0 'only shown' root obstat setup claude --dry-run
said "+            \"command\": \"$RIG_BIN/obstat-gate\""
said '+            "onFailure": "block"'
say 1 'without an answer' root obstat setup claude
said 'nothing was changed'
[ -z "$(ls -A "$RIG_MANAGED")" ] && [ ! -e /var/lib/obstat ] || fail "changed though not told to"
say 1 'a user file, without an answer' person obstat setup claude --user
[ -z "$(ls -A "$RIG_HOME/.claude")" ] || fail "a user's file changed though not told to"

# ---- managed: from nothing and back ----
person mkdir -p "$RIG_HOME/.claude"
echo '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/home/lint\u001b[2J"}]}]}}' >"$USER_SETTINGS"
echo '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ring-a-bell"}]}]}}' >"$RIG_PROJECT/.claude/settings.local.json"
chown "$RIG_UID" "$USER_SETTINGS" "$RIG_PROJECT/.claude/settings.local.json"
say 0 'managed' root obstat setup claude --yes
said 'PreToolUse: /home/lint<U+001B>[2J'
said 'Stop: ring-a-bell'
said 'switches off the 2 hooks above'
said "/var/lib/obstat/users/$RIG_UID -> $RIG_SOCK"
[ "$(stat -c %a:%u "$RIG_SETTINGS")" = 644:0 ] || fail "managed file: $(stat -c %a:%u "$RIG_SETTINGS")"
[ "$(stat -c %a:%u /var/lib/obstat/users)" = 755:0 ] || fail "link directory: $(stat -c %a:%u /var/lib/obstat/users)"
[ "$(jq -c '[.hooks[][].hooks[] | select(.command | endswith("/obstat-gate"))] | length' "$RIG_SETTINGS")" -eq 7 ] ||
	fail "not seven hooks"
say 0 'managed, again' root obstat setup claude --yes
said 'nothing to change'
say 0 'managed, undone' root obstat setup claude --undo --yes
said '-  "allowManagedHooksOnly": true'
[ -z "$(ls -A "$RIG_MANAGED")" ] || fail "undo left: $(ls -A "$RIG_MANAGED")"
[ ! -e /var/lib/obstat/users ] || fail "undo left the links"
say 0 'managed, undone again' root obstat setup claude --undo --yes
said 'nothing of obstat'

# ---- managed: a file that was there comes back to the byte ----
printf '{ "model":"x",\t"hooks": {"PreToolUse": [ {"matcher":"Bash","hooks":[{"type":"command","command":"/opt/audit"}]} ]},\n\n"z":[1.50,"\\u00e9"]}' >"$RIG/before"
cp "$RIG/before" "$RIG_SETTINGS"
chmod 640 "$RIG_SETTINGS"
say 0 'managed, beside others' root obstat setup claude --yes
[ "$(jq -r '.hooks.PreToolUse[0].hooks[0].command' "$RIG_SETTINGS")" = /opt/audit ] || fail "another's managed hook is lost"
say 0 'managed, twice' root obstat setup claude --yes
say 0 'managed, undone' root obstat setup claude --undo --yes
same "$RIG/before" "$RIG_SETTINGS" 'managed, undone'
[ "$(stat -c %a "$RIG_SETTINGS")" = 640 ] || fail "undo changed the mode: $(stat -c %a "$RIG_SETTINGS")"
# Changed by somebody else meanwhile: theirs stays, ours goes.
say 0 'managed, a third time' root obstat setup claude --yes
settings_change '.model = "y"'
say 0 'undone after a change' root obstat setup claude --undo --yes
[ "$(jq -c '[.model, .hooks.PreToolUse[0].hooks[0].command, .z[1], has("allowManagedHooksOnly"), (.hooks | keys)]' "$RIG_SETTINGS")" = \
	'["y","/opt/audit","é",false,["PreToolUse"]]' ] || fail "undone after a change: $(cat "$RIG_SETTINGS")"
for bad in '[]' '{"hooks": 1}' '{"a": 1' '{"a": 1, "a": 2}'; do
	printf '%s' "$bad" >"$RIG_SETTINGS"
	say 2 "managed file $bad" root obstat setup claude --yes
	[ "$(cat "$RIG_SETTINGS")" = "$bad" ] || fail "a broken file was changed: $bad"
done
rm -f "$RIG_MANAGED"/*

# ---- a gate that others can change is said at once ----
chown "$RIG_UID" "$RIG_BIN/obstat-gate"
say 0 'a gate of the user' root obstat setup claude --yes
said 'does not hold yet'
said "$RIG_BIN/obstat-gate"
chown 0 "$RIG_BIN/obstat-gate"
say 0 'undone' root obstat setup claude --undo --yes

# ---- a user's own ----
cp "$RIG/before" "$USER_SETTINGS"
chown "$RIG_UID" "$USER_SETTINGS"
say 0 'user' person obstat setup claude --user --yes
said ADVISORY
[ ! -e "$RIG_SETTINGS" ] || fail "--user wrote managed settings"
[ "$(stat -c %u "$USER_SETTINGS")" = "$RIG_UID" ] || fail "whose file is it?"
[ "$(jq -r '.hooks.PreToolUse[0].hooks[0].command' "$USER_SETTINGS")" = /opt/audit ] || fail "another's user hook is lost"
say 0 'user, undone' person obstat setup claude --user --undo --yes
same "$RIG/before" "$USER_SETTINGS" 'user, undone'
[ ! -e "$USER_SETTINGS.before-obstat" ] || fail "undo left its copy"
rm -f "$USER_SETTINGS"

# ---- doctor: a row says STATE, and the mend ----
doctor() { # STATUS WHAT [NAME=VALUE...]
	local want=$1 what=$2
	shift 2
	say "$want" "doctor, $what" person env "$@" obstat doctor
}
row() { grep -qE "^$1 +$2 " "$SAID" || fail "doctor does not call $2 $1: $(cat "$SAID")"; }
doctor 1 'nothing set up'
row MISSING 'Claude Code'
said 'sudo obstat setup claude'
row MISSING hub
said 'obstat serve --detach'
setup_managed
hub_start
rm -rf "$RIG_PROJECT/.claude"/*
doctor 0 'all set up'
for name in gate 'Claude Code' link 'hooks on' hub state rules terminal; do row ok "$name"; done
row weak set-up
said 'same user'
person obstat doctor >"$RIG/good"
cp "$RIG_SETTINGS" "$RIG/good.json"
weak() { # FILTER WORDS
	jq "$1" "$RIG/good.json" >"$RIG_SETTINGS"
	doctor 0 "$1"
	row weak 'Claude Code'
	said "$2"
	cat "$RIG/good.json" >"$RIG_SETTINGS"
}
pre='.hooks.PreToolUse[0].hooks[0]'
weak "del($pre.onFailure)" onFailure
weak "$pre.timeout = 60" PreToolUse
weak '.hooks.PreToolUse[0].matcher = "Bash"' PreToolUse
weak 'del(.allowManagedHooksOnly)' allowManagedHooksOnly
weak '.disableAllHooks = true' disableAllHooks
weak 'del(.hooks.PostToolUse)' PostToolUse
weak "$pre.args[4] = \"x\"" PreToolUse
chmod 666 "$RIG_SETTINGS"
doctor 0 'a managed file that all may write'
row weak 'Claude Code'
chmod 644 "$RIG_SETTINGS"
mkdir "$RIG_MANAGED/managed-settings.d"
echo '{"disableAllHooks": true}' >"$RIG_MANAGED/managed-settings.d/x.json"
doctor 0 'a drop-in'
row weak 'Claude Code'
said managed-settings.d/x.json
rm -r "$RIG_MANAGED/managed-settings.d"
rm "/var/lib/obstat/users/$RIG_UID"
doctor 1 'no link'
row MISSING link
said 'sudo obstat setup claude --link-user'
ln -s /nowhere/sock "/var/lib/obstat/users/$RIG_UID"
doctor 1 'a link elsewhere'
row MISSING link
root obstat setup claude --link-user rig >/dev/null
person mkdir -p "$RIG_PROJECT/.claude"
echo '{"disableAllHooks": true}' >"$RIG_PROJECT/.claude/settings.json"
chown "$RIG_UID" "$RIG_PROJECT/.claude/settings.json"
doctor 0 'disableAllHooks in the project'
row weak 'hooks on'
said "$RIG_PROJECT/.claude/settings.json"
rm "$RIG_PROJECT/.claude/settings.json"
chown "$RIG_UID" "$RIG_BIN/obstat-gate"
doctor 0 'a gate of the user'
row weak gate
chown 0 "$RIG_BIN/obstat-gate"
chmod 755 "$RIG_STATE"
doctor 0 'an open state directory'
row weak state
said 'chmod 700'
chmod 700 "$RIG_STATE"
person mkdir -p "$RIG_HOME/.config/obstat"
echo '[rule "x"]' >"$RIG_HOME/.config/obstat/rules"
echo 'nonsense = 1' >>"$RIG_HOME/.config/obstat/rules"
doctor 0 'broken rules'
row weak rules
rm "$RIG_HOME/.config/obstat/rules"
doctor 0 'no UTF-8' LANG=C
row weak terminal
chmod 600 "$RIG_BIN/obstat-gate"
doctor 1 'no gate'
row MISSING gate
chmod 755 "$RIG_BIN/obstat-gate"
hub_kill
doctor 1 'a dead hub'
row MISSING hub
hub_start
person obstat doctor | sed "s/pid [0-9]*/pid/" >"$SAID"
sed "s/pid [0-9]*/pid/" "$RIG/good" | diff - "$SAID" || fail "doctor is not well again"

# ---- another state directory, and the link to it ----
say 0 'a link elsewhere' root obstat setup claude --link-user rig --state "$RIG_HOME/else"
said "-> $RIG_HOME/else/agent/claude/sock"
doctor 1 'a link to another state directory'
row MISSING link
root obstat setup claude --link-user rig >/dev/null
say 1 'doctor, a state directory without a link' person obstat doctor --state "$RIG_HOME/else"
said "--link-user \"\$USER\" --state '$RIG_HOME/else'"
root obstat setup claude --link-user rig --state "$RIG_HOME/else" >/dev/null
say 1 'doctor, that state directory' person obstat doctor --state "$RIG_HOME/else"
row ok link
say 2 'nobody of that name' root obstat setup claude --link-user no-such-user
root obstat setup claude --link-user rig >/dev/null

# ---- a second user: told the command, then served by a hub of their own ----
hub_stop
RIG_HOME=$RIG_TWO_HOME
RIG_AS=(setpriv --reuid "$RIG_TWO_UID" --regid "$RIG_TWO_UID" --clear-groups)
RIG_STATE=$RIG_TWO_HOME/.local/state/obstat
RIG_PROJECT=$RIG/projecttwo
mkdir "$RIG_PROJECT"
chown -R "$RIG_TWO_UID" "$RIG_PROJECT" "$RIG/tmp"
person git init -q
hub_start
agent "$TOUCH" --allowedTools Bash
agent_wait
must_not_run 'a user without a link'
must_tell 'a user without a link' 'obstat setup claude --link-user'
SUDO=()
say 0 'the link of a second user' root obstat setup claude --link-user rigtwo
agent "$TOUCH" --allowedTools Bash
decide wait 'touch ran' print approve closed approved >"$RIG/row" || fail "the second user is not asked"
agent_wait
must_run 'a second user'
[ "$(jq -r .facts.peer.uid "$RIG/row")" = "$RIG_TWO_UID" ] && [ "$(jq -r .facts.grade "$RIG/row")" = held ] ||
	fail "the second user: $(cat "$RIG/row")"
exit "$RIG_FAILED"
