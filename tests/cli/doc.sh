#!/bin/sh
# The generated parts of the manual pages are what the program's tables say,
# the example of a rules file is one, and groff has nothing against the pages.
#   doc.sh --update   writes them anew (make update-doc).
set -u
doc=${srcdir:-.}/doc
docgen=${DOCGEN:-./docgen}
new=$(mktemp /tmp/obstat-t.XXXXXX) || exit 1
trap 'rm -f "$new"' EXIT
rc=0

for page in obstat.1 obstat.5; do
	"$docgen" "$doc/$page" >"$new" || exit 1
	if [ "${1:-}" = --update ]; then
		cmp -s "$new" "$doc/$page" || cp "$new" "$doc/$page"
	elif ! diff -u "$doc/$page" "$new"; then
		echo "FAIL: $page is not what the tables say; run: make update-doc"
		rc=1
	fi
done
[ "${1:-}" = --update ] && exit 0
sed -n '/^\.EX$/,/^\.EE$/p; /^\.EE$/q' "$doc/obstat.5" |
	sed -e '/^\.E/d' -e 's/\\(dq/"/g' -e 's/\\-/-/g' >"$new"
"${OBSTAT:-./obstat}" rules check "$new" | grep -q '^[1-9]' || {
	echo "FAIL: obstat.5: its example is not a rules file"
	rc=1
}
command -v groff >/dev/null || exit $rc
for page in "$doc"/*.[0-9]; do
	said=$(LC_ALL=C.UTF-8 groff -ww -Tutf8 -man -t -K utf8 "$page" 2>&1 >/dev/null)
	if [ -n "$said" ]; then
		echo "FAIL: $page: $said"
		rc=1
	fi
done
exit $rc
