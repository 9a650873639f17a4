# product.sh: obstat and the real Claude Code together. Sourced after lib.sh by
# tests that call product_start.
#
# In the test's mount namespace /var/lib is a tmpfs that holds obstat, its gate
# and Claude Code in folders of root's, and /etc/passwd knows two users more:
# `rig`, as whom the agent, the hub and the person's console run, and `rigtwo`.
# shellcheck shell=bash disable=SC2034

OBSTAT_BUILD=${OBSTAT_BUILD:-$PWD}
RIG_BASE=/var/lib/obstat-rig
RIG_BIN=$RIG_BASE/bin
RIG_USER=rig
RIG_UID=61001
RIG_TWO_UID=61002

product_start() {
	[ "$(id -u)" -eq 0 ] || rig_skip "needs root, for a user of its own"
	rig_find_claude || rig_skip "no Claude Code; tools/setup tests installs it"
	export OBSTAT_BUILD OBSTAT_CLAUDE=$CLAUDE
	rig_in_namespace "$@"
	mount -t tmpfs -o mode=755 tmpfs /var/lib
	mkdir -p "$RIG_BIN"
	for program in obstat obstat-gate claude_decider claude_fakehub; do
		install -m 755 "$OBSTAT_BUILD/$program" "$RIG_BIN/" || exit 1
	done
	touch "$RIG_BIN/claude"
	mount --bind "$CLAUDE" "$RIG_BIN/claude"
	OBSTAT_CLAUDE=$RIG_BIN/claude rig_start
	chmod 711 "$RIG"
	chown -R "$RIG_UID:$RIG_UID" "$RIG_HOME" "$RIG_PROJECT" "$RIG/tmp"
	RIG_TWO_HOME=$RIG/hometwo
	mkdir "$RIG_TWO_HOME"
	chown "$RIG_TWO_UID:$RIG_TWO_UID" "$RIG_TWO_HOME"
	product_users
	RIG_AS=(setpriv --reuid "$RIG_UID" --regid "$RIG_UID" --clear-groups)
	RIG_PATH=$RIG_BIN:/usr/local/bin:/usr/bin:/bin
	RIG_STATE=$RIG_HOME/.local/state/obstat
	RIG_SOCK=$RIG_STATE/agent/claude/sock
	RIG_SETTINGS=$RIG_MANAGED/managed-settings.json
	HUB_PID=
}

product_users() {
	{
		cat /etc/passwd
		echo "$RIG_USER:x:$RIG_UID:$RIG_UID::$RIG_HOME:/bin/sh"
		echo "rigtwo:x:$RIG_TWO_UID:$RIG_TWO_UID::$RIG_TWO_HOME:/bin/sh"
	} >"$RIG/passwd"
	chmod 644 "$RIG/passwd"
	mount --bind "$RIG/passwd" /etc/passwd
}

# person COMMAND...: as the user whose agent it is, with nothing of ours.
person() {
	(cd "$RIG_PROJECT" && exec "${RIG_AS[@]}" env -i PATH="$RIG_PATH" HOME="$RIG_HOME" \
		USER="$RIG_USER" LANG=C.UTF-8 TERM=xterm-256color "$@")
}

hub_start() {
	person obstat serve --detach || fail "the hub does not start"
	HUB_PID=$(person obstat status --json | jq .pid)
}

# Gone for good when it returns: not dying, dead.
hub_kill() {
	kill -9 "$HUB_PID"
	tail -s 0.1 --pid="$HUB_PID" -f /dev/null
	HUB_PID=
}

# In good order, whatever became of its sockets; what an agent started anew
# goes too.
hub_stop() {
	local other
	other=$(person obstat status --json 2>/dev/null | jq .pid)
	for HUB_PID in $HUB_PID $other; do
		kill "$HUB_PID" 2>/dev/null || continue
		tail -s 0.1 --pid="$HUB_PID" -f /dev/null
	done
	HUB_PID=
}

# A record, rules and project as on the first day.
hub_fresh() {
	hub_stop
	rm -rf "$RIG_HOME/.local" "$RIG_HOME/.config"
	[ $# -eq 0 ] || rules "$@"
	hub_start
}

# rules TEXT: the person's rules file.
rules() {
	person mkdir -p "$RIG_HOME/.config/obstat"
	printf '%s\n' "$1" >"$RIG_HOME/.config/obstat/rules"
	chown "$RIG_UID" "$RIG_HOME/.config/obstat/rules"
	person obstat rules check >"$RIG/rules.out" 2>&1 || fail "rules: $(cat "$RIG/rules.out")"
}

# setup_managed, setup_user: by the product itself.
setup_managed() {
	"$RIG_BIN/obstat" setup claude --yes >"$RIG/setup.out" 2>&1 ||
		fail "setup claude: $(cat "$RIG/setup.out")"
	"$RIG_BIN/obstat" setup claude --link-user "$RIG_USER" >>"$RIG/setup.out" 2>&1 ||
		fail "setup claude --link-user: $(cat "$RIG/setup.out")"
}
setup_user() { person obstat setup claude --user --yes >"$RIG/setup.out" 2>&1 || fail "$(cat "$RIG/setup.out")"; }

setup_none() {
	rm -rf "$RIG_SETTINGS" "$RIG_SETTINGS".before-obstat "$RIG_MANAGED/managed-settings.d" \
		/var/lib/obstat "$RIG_HOME"/.claude/settings.json* "$RIG_PROJECT"/.claude
	person mkdir "$RIG_PROJECT/.claude"
}

# settings_change FILTER: the managed settings through jq.
settings_change() {
	jq "$1" "$RIG_SETTINGS" >"$RIG/changed.json" && cat "$RIG/changed.json" >"$RIG_SETTINGS"
}

# decide_on FIFO WORD...: the same in the background; its first line comes out
# of FIFO, its end of decide_wait.
decide_on() {
	local fifo=$1
	shift
	rm -f "$fifo"
	mkfifo "$fifo"
	chown "$RIG_UID" "$fifo"
	decide "$@" >"$fifo" &
	DECIDER_PID=$!
}
decide_wait() { wait "$DECIDER_PID"; }
decide() { person claude_decider "$RIG_STATE/console/sock" "$@"; }

# agent TURNS [ARG...]: starts the conversation; agent_wait waits for its end.
agent() {
	rig_model "$1" || fail "no model"
	shift
	rm -f "$RIG_PROJECT/ran"
	claude_run "$@" >"$RIG/out.json" 2>"$RIG/err" &
	AGENT_PID=$!
}
agent_wait() { wait "$AGENT_PID"; }

ran() { [ -e "$RIG_PROJECT/ran" ]; }
must_run() { ran || fail "$1: did not run: $(model_results) $(cat "$RIG/err")"; }
must_not_run() { ! ran || fail "$1: ran"; }
# must_tell WHAT WORDS: a tool's result that the model got holds WORDS.
must_tell() { model_results | grep -qF -- "$2" || fail "$1: the model did not read '$2': $(model_results)"; }

# record FILTER: what the record says, one JSON object an action, through jq.
record() { person obstat log --json | jq -c "$1"; }

TOUCH='[{"tool": "Bash", "input": {"command": "touch ran"}}, {"say": "bye"}]'
