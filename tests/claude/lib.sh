# lib.sh: what every test with the real Claude Code needs. Sourced by bash.
#
# rig_start makes a scratch folder with a HOME, a git project and a scripted
# model; claude_run runs the real program there. Nothing outside the scratch
# folder is read or written: managed settings live in a mount namespace of the
# test's own (rig_in_namespace), never in the machine's /etc.
# shellcheck shell=bash
set -u

rig_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# The real program: $OBSTAT_CLAUDE, or where tools/setup puts it.
rig_find_claude() {
	local root=${OBSTAT_RUNTIMES:-${XDG_CACHE_HOME:-$HOME/.cache}/obstat-runtimes}
	CLAUDE=$(readlink -f "${OBSTAT_CLAUDE:-$root/bin/claude}" || :)
	[ -x "$CLAUDE" ] && command -v node >/dev/null && command -v jq >/dev/null
}

rig_skip() { echo "skipped: $*"; exit 77; }

# Runs this test again as root of a mount namespace of its own, in which
# /etc/claude-code is a folder of the scratch directory. /etc itself becomes a
# copy on a tmpfs when it lacks that mount point, so the machine's stays as is.
# What still runs at the end of the test ends with it.
rig_in_namespace() {
	[ -z "${RIG_NS:-}" ] || return 0
	RIG_NS=$(mktemp -d "${TMPDIR:-/tmp}/obstat-claude.XXXXXX")
	export RIG_NS
	local how=(unshare -m --propagation private)
	[ "$(id -u)" -eq 0 ] || how=(unshare -Urm --propagation private)
	how+=(-p --mount-proc --fork --kill-child)
	"${how[@]}" true 2>/dev/null || rig_skip "no mount namespaces here"
	local rc=0
	"${how[@]}" "$BASH" -c '. "$0/lib.sh"; rig_mount_etc; exec "$BASH" "$@"' \
		"$rig_here" "$0" "$@" || rc=$?
	rm -rf "$RIG_NS"
	exit "$rc"
}

rig_mount_etc() {
	mkdir "$RIG_NS/managed"
	if [ ! -d /etc/claude-code ]; then
		mkdir "$RIG_NS/etc"
		mount -t tmpfs -o mode=755 tmpfs "$RIG_NS/etc"
		cp -a /etc/. "$RIG_NS/etc/" 2>/dev/null || :
		mkdir "$RIG_NS/etc/claude-code"
		mount --rbind "$RIG_NS/etc" /etc
	fi
	mount --bind "$RIG_NS/managed" /etc/claude-code
}

rig_start() {
	rig_find_claude || rig_skip "no Claude Code; tools/setup tests installs it"
	RIG=$(mktemp -d "${RIG_BASE:-${RIG_NS:-${TMPDIR:-/tmp}}}/rig.XXXXXX")
	RIG_HOME=$RIG/home
	RIG_PROJECT=$RIG/project
	RIG_MANAGED=/etc/claude-code
	RIG_LOG=$RIG/model.log
	RIG_MODEL_PID=
	mkdir -p "$RIG_HOME/.claude" "$RIG_PROJECT/.claude" "$RIG/tmp"
	git -C "$RIG_PROJECT" init -q
	trap rig_stop EXIT
}

rig_stop() {
	local rc=$?
	rig_model_stop
	if [ -z "${RIG_KEEP:-}" ]; then
		rm -rf "$RIG"
	else
		echo "kept $RIG"
	fi
	return "$rc"
}

# rig_model TURNS: starts the model on a JSON list of turns.
rig_model() {
	rig_model_stop
	printf '%s' "$1" >"$RIG/turns.json"
	: >"$RIG_LOG"
	coproc RIG_MODEL { exec node "$rig_here/model.mjs" "$RIG/turns.json" "$RIG_LOG"; }
	RIG_MODEL_PID=$!
	read -r -t 20 RIG_PORT <&"${RIG_MODEL[0]}"
}

rig_model_stop() {
	[ -n "${RIG_MODEL_PID:-}" ] || return 0
	kill "$RIG_MODEL_PID" 2>/dev/null || :
	wait "$RIG_MODEL_PID" 2>/dev/null || :
	RIG_MODEL_PID=
}

# claude_run [ARG...]: one headless conversation; its JSON result on stdout.
claude_run() {
	claude_env -p go --output-format json "$@" </dev/null
}

# claude_env [ARG...]: Claude Code with nothing of ours but PATH.
claude_env() {
	(cd "$RIG_PROJECT" && exec "${RIG_AS[@]}" env -i PATH="${RIG_PATH:-$PATH}" HOME="$RIG_HOME" TERM=xterm-256color \
		LANG=C.UTF-8 ANTHROPIC_BASE_URL="http://127.0.0.1:$RIG_PORT" \
		ANTHROPIC_API_KEY=mock-key-of-a-test TMPDIR="$RIG/tmp" \
		CLAUDE_CODE_TMPDIR="$RIG/tmp" DISABLE_TELEMETRY=1 DISABLE_AUTOUPDATER=1 \
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 "${RIG_ENV[@]}" \
		timeout -k 5 "${RIG_TIMEOUT:-120}" "$CLAUDE" "$@")
}
RIG_ENV=(OBSTAT_TEST=1 IS_SANDBOX=1)
RIG_AS=()	# what runs it as somebody else

# model_results: what came back to the model for its tool calls, one JSON a line.
model_results() { jq -c 'select(.role != "aside") | .results[]' "$RIG_LOG"; }

# model_saw WORDS: did any request carry them?
model_saw() { grep -qF -- "$1" "$RIG_LOG"; }

fail() { echo "FAIL: $*"; RIG_FAILED=1; }
RIG_FAILED=0
