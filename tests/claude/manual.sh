#!/bin/sh
# The manual's table of attacks is redteam.tab; manual.sh --update writes it.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
manual=$here/../../doc/obstat.1
table=$here/redteam.tab

fragment() {
	awk -F '\t' '
	function roff(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); gsub(/'\''/, "\\(aq", s); return s }
	/^#/ { next }
	{
		print ".TP"
		print ".B " roff($1)
		if ($2 == $3)
			printf "%s in both set\\-ups", roff($2)
		else
			printf "user settings: %s; managed settings: %s", roff($2), roff($3)
		print ($4 != "" ? " (" roff($4) ")." : ".")
	}' "$table"
}
whole() {
	fragment >"$1"
	awk -v part="$1" '
	/^\.\\" begin generated attacks$/ { print; while ((getline line <part) > 0) print line; skip = 1; next }
	/^\.\\" end generated$/ { skip = 0 }
	!skip' "$manual"
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
whole "$dir/part" >"$dir/manual"
[ -s "$dir/part" ] || { echo "redteam.tab has no rows"; exit 1; }
grep -qF 'begin generated attacks' "$manual" || { echo "the manual has no place for the table"; exit 1; }
[ "${1-}" != --update ] || cat "$dir/manual" >"$manual"
diff "$manual" "$dir/manual" && exit 0
echo "doc/obstat.1 prints another table: tests/claude/manual.sh --update"
exit 1
