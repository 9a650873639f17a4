# check-layers.awk: the reader behind tools/check-layers. Works in any POSIX awk.

function die(why) { print "check-layers: " why | "cat >&2"; broken = 1; exit 2 }

# A wildcard of the table as a regular expression: `*` is any run without `/`,
# a pattern that ends in `/` covers all below it.
function to_regex(pat,    r) {
	r = pat
	gsub(/\./, "\\.", r)
	gsub(/\*/, "[^/]*", r)
	return "^" r (pat ~ /\/$/ ? "" : "$")
}

function allowed(file, list,    n, i, part) {
	n = split(list, part, " ")
	for (i = 1; i <= n; i++)
		if (file ~ to_regex(part[i]))
			return 1
	return 0
}

function rest(from,    i, s) {
	for (i = from; i <= NF; i++)
		s = s (s == "" ? "" : " ") $i
	return s
}

function read_table(    line, n) {
	while ((getline line < table) > 0) {
		sub(/#.*/, "", line)
		$0 = line
		if (NF == 0)
			continue
		n++
		if ($1 == "floor") floor[$2] = $3 + 0
		else if ($1 == "alone") alone[$2] = 1
		else if ($1 == "side") side[$2, $3] = 1
		else if ($1 == "core") core[$2] = $3
		else if ($1 == "wall") { wall[++walls] = $2; wall_for[walls] = rest(3) }
		else if ($1 == "ban") { ban[$2] = 1; ban_for[$2] = rest(3) }
		else if ($1 == "limit") limit[$2] = $3 + 0
		else die(table ": unknown row: " line)
	}
	if (n == 0)
		die("cannot read " table)
}

function say(line, what) { print FILENAME ":" line ": " what; found++ }

BEGIN { read_table() }

function end_file() {
	if (last == "" || last ~ /_table\.[ch]$/ || last ~ /\.def$/)
		return
	if (lines > limit["file"]) {
		print last ":" lines ": file of " lines " lines (at most " limit["file"] ")"
		found++
	}
}

FNR == 1 {
	end_file()
	last = FILENAME
	path = FILENAME
	sub(/^src\//, "", path)
	room = path
	if (!sub(/\/.*/, "", room) || !(room in floor || room in alone))
		say(1, "no such room: give it a floor in tools/layers.tab")
	in_comment = 0
	open_at = 0
	header = ""
}

{ lines = FNR }

# Which edge a quoted include is, or "" when it may be.
function edge(inc,    to, name) {
	to = inc
	if (!sub(/\/.*/, "", to)) {
		if (inc == "config.h")
			return ""
		return "write \"room/" inc "\", not \"" inc "\""
	}
	if (room in alone)
		return to == room ? "" : room " stands alone: it may not include " to
	if (to in alone)
		return to " stands alone: " room " may not include it"
	if (!(to in floor))
		return "\"" inc "\" is in no room"
	if (to == room) {
		name = path
		sub(/^[^\/]*\//, "", name)
		sub(/^[^\/]*\//, "", inc)
		if (room in core && index(inc, core[room]) == 1 && index(name, core[room]) != 1)
			return room "'s core may not include its views (" inc ")"
		return ""
	}
	if (floor[to] < floor[room] || (room, to) in side)
		return ""
	return room " (floor " floor[room] ") may not include " to " (floor " floor[to] ")"
}

function check_include(line,    inc, i, why) {
	inc = line
	if (line ~ /"/) {
		sub(/^[^"]*"/, "", inc)
		sub(/".*/, "", inc)
		why = edge(inc)
		if (why != "")
			say(FNR, why)
	} else {
		sub(/^[^<]*</, "", inc)
		sub(/>.*/, "", inc)
	}
	for (i = 1; i <= walls; i++)
		if (inc ~ to_regex(wall[i]) && !allowed(path, wall_for[i]))
			say(FNR, "<" inc "> is walled: only " wall_for[i] " may include it")
}

# The line without comments, strings and character constants.
function bare(s,    out, tok) {
	if (in_comment) {
		if (!match(s, /\*\//))
			return ""
		s = substr(s, RSTART + 2)
		in_comment = 0
	}
	while (match(s, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*|\/\//)) {
		tok = substr(s, RSTART, RLENGTH)
		out = out substr(s, 1, RSTART - 1)
		s = substr(s, RSTART + RLENGTH)
		if (tok == "//")
			return out
		if (tok == "/*") {
			if (!match(s, /\*\//)) {
				in_comment = 1
				return out " "
			}
			s = substr(s, RSTART + 2)
			out = out " "
		} else {
			out = out "\"\""
		}
	}
	return out s
}

function check_calls(s,    name, before) {
	while (match(s, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\(/)) {
		name = substr(s, RSTART, RLENGTH)
		before = substr(s, 1, RSTART - 1)
		s = substr(s, RSTART + RLENGTH)
		sub(/[ \t]*\($/, "", name)
		if (name in ban && before !~ /(->|\.)[ \t]*$/ && !allowed(path, ban_for[name]))
			say(FNR, name "() is banned" (ban_for[name] == "" ? "" : " outside " ban_for[name]))
	}
}

# A function's block opens with a brace that ends a line at the outermost
# level and closes with one alone in column one; `};` closes a table or type.
function check_function(s) {
	if (open_at) {
		if (s ~ /^}/) {
			if (s ~ /^}[ \t]*$/ && header ~ /\(/ && FNR - open_at + 1 > limit["function"]) {
				sub(/[ \t]*\(.*/, "", header)
				sub(/.*[ \t*]/, "", header)
				say(open_at, "function " header " of " FNR - open_at + 1 \
					" lines (at most " limit["function"] ")")
			}
			open_at = 0
			header = ""
		}
		return
	}
	if (s ~ /^#/)
		return
	header = header " " s
	if (s ~ /\{[ \t]*$/)
		open_at = FNR
	else if (s ~ /[;}][ \t]*$/)
		header = ""
}

/^[ \t]*#[ \t]*include[ \t]*["<]/ && !in_comment { check_include($0); next }

{
	code = bare($0)
	if (code ~ /^[ \t]*typedef[ \t]+(struct|union)[ \t]/)
		say(FNR, "structs are not typedef'd")
	check_calls(code)
	check_function(code)
}

END {
	if (broken)
		exit 2
	end_file()
	if (found) {
		print "check-layers: " found " found" | "cat >&2"
		exit 1
	}
}
