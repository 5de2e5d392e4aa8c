#!/bin/bash
# The manual page says what the program says: its COMMANDS section is the text of --help, its KEYS
# section the table of requests. UPDATE_MAN=1 writes both anew.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
page=$root/assets/man/attnscope.1

# plain text as roff
escape() {
	sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'
}

commands_section() {
	for command in $(attnscope --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		[ "$command" != help ] || continue
		printf '.SS %s\n.nf\n' "$command"
		attnscope "$command" --help | escape
		printf '.fi\n'
	done
}

# X(REQ_NEXT_T, "next", "Down . j", "Walk", "next timestep")
keys_section() {
	sed -n 's/^X(REQ_[A-Z_]*, "\([^"]*\)", "\([^"]*\)", "\([^"]*\)", "\([^"]*\)")$/\1\t\2\t\3\t\4/p' \
		"$root/src/view/request.def" | escape | awk -F '\t' '
		$3 != group { group = $3; print ".SS " group }
		{ print ".TP\n.B " ($2 == "" ? ":" $1 : $2) "\n" $4 " (" $1 ")" }'
}

# section NAME: what stands in the page between its marks
section() {
	sed -n "/^\.\\\\\" BEGIN $1 /,/^\.\\\\\" END $1\$/p" "$page" | sed '1d; $d'
}

replace() {
	{
		sed "/^\.\\\\\" BEGIN $1 /q" "$page"
		"$1_section"
		sed -n "/^\.\\\\\" END $1\$/,\$p" "$page"
	} >"$work/page" && cp "$work/page" "$page"
}

if [ -n "${UPDATE_MAN-}" ]; then
	replace commands
	replace keys
fi

requests=$(grep -c '^X(' "$root/src/view/request.def")
checks=$((checks + 3))
same "keys of assets/man/attnscope.1 (UPDATE_MAN=1 tests/cli/man.sh BUILD/attnscope mends it)" \
	"$(keys_section)" "$(section keys)"
same "commands of assets/man/attnscope.1 (UPDATE_MAN=1 tests/cli/man.sh BUILD/attnscope mends it)" \
	"$(commands_section)" "$(section commands)"
same "every request is in the page" "$requests" "$(section keys | grep -c '^\.TP$')"
if command -v groff >/dev/null; then
	check 0 '' '' groff -man -K utf8 -T utf8 -z -ww "$page"
fi

finish
