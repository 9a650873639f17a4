#!/bin/bash
# The few facts of NOTES.md that obstat's safety rests on, asked of the real
# program again: a new version of it that behaves otherwise fails here first.
. "$(dirname "$0")/lib.sh"
rig_in_namespace "$@"
rig_start
mkdir "$RIG/bin"

# hook NAME BODY: a hook program; stdin is read to its end first.
hook() {
	printf '#!/bin/sh\ncat >/dev/null\n%s\n' "$2" >"$RIG/bin/$1"
	chmod +x "$RIG/bin/$1"
}
hook deny 'echo "reason-41 not today" >&2; exit 2'
hook pass 'exit 0'
hook cut "printf '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\"'"
hook dies 'kill -9 $$'
hook late 'exec sleep 20'

# settings HOOK [JSON]: one PreToolUse hook, with JSON merged over its entry.
settings() {
	jq -n --arg c "$RIG/bin/$1" --argjson more "${2-{\}}" '{hooks: {PreToolUse: [{matcher: "*", hooks:
		[{type: "command", command: $c, args: [], timeout: 86400, onFailure: "block"} + $more]}]}}'
}

managed() { settings "$@" | jq '.allowManagedHooksOnly = true' >"$RIG_MANAGED/managed-settings.json"; }
user() { settings "$@" >"$RIG_HOME/.claude/settings.json"; }
clean() {
	rm -f "$RIG_MANAGED/managed-settings.json" "$RIG_HOME/.claude/settings.json" \
		"$RIG_PROJECT/.claude/settings.json" "$RIG_PROJECT/ran"
}

# expect ran|blocked WHAT [WORDS]: one allowed Bash call; did it run, and did
# WORDS reach the model?
expect() {
	rig_model '[{"tool": "Bash", "input": {"command": "touch ran"}}, {"say": "bye"}]'
	claude_run --allowedTools Bash >"$RIG/out.json" 2>"$RIG/err" || fail "$2: claude exits $?"
	local got=blocked
	[ -e "$RIG_PROJECT/ran" ] && got=ran
	[ "$got" = "$1" ] || fail "$2: $got, not $1: $(model_results)"
	[ -z "${3-}" ] || model_saw "$3" || fail "$2: the model did not read '$3'"
	clean
}

clean
managed deny
expect blocked 'exit 2' 'reason-41 not today'
managed pass
expect ran 'exit 0 without a word'
managed cut
expect ran 'a denial cut short, exit 0: no opinion'
for how in dies absent; do
	managed "$how"
	expect blocked "hook $how" 'blocking because onFailure'
done
managed late '{"timeout": 1}'
expect blocked 'hook late' 'timed out'
managed deny
echo '{"disableAllHooks": true}' >"$RIG_PROJECT/.claude/settings.json"
expect blocked 'managed, disableAllHooks in the project'
user deny
expect blocked 'user settings'
user deny
echo '{"disableAllHooks": true}' >"$RIG_PROJECT/.claude/settings.json"
expect ran 'user settings, disableAllHooks in the project'
exit "$RIG_FAILED"
