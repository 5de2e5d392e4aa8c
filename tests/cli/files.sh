#!/bin/bash
# Files that are missing, damaged or something else: one line that says so, whatever the command.
. "$(dirname "$0")/lib.sh"
good=$ATTNSCOPE_DATA/assets/models/reverse.safetensors
cd "$work" || exit 1

neither="is neither a model (safetensors), a trace document (JSON) nor the attention of a toolkit that is known"
: >empty
printf 'hello\n' >text
printf '\0\0\0\0\0\0\0\0{}' >zeros
mkdir folder
mkfifo fifo
check 1 '' "attnscope: none: cannot open: No such file or directory" attnscope info none
check 1 '' "attnscope: folder: is a directory, not a file" attnscope info folder
check 1 '' "attnscope: fifo: is not a regular file" attnscope info fifo
check 1 '' "attnscope: empty: it is empty" attnscope info empty
check 1 '' "attnscope: text: $neither" attnscope info text
check 1 '' "attnscope: zeros: byte 8: damaged safetensors header: it does not begin with '{'" \
	attnscope info zeros
check 1 '' "attnscope: esc␛[2J: cannot open: No such file or directory" \
	attnscope info "$(printf 'esc\033[2J')"

# a model
contains 0 "a model of attnscope" attnscope info "$good"
contains 0 "exact match" attnscope info "$good"
contains 0 '"format":"attnscope-model"' attnscope info --json "$good"

# one_line STATUS COMMAND...: it fails with one line on standard error that names the file, no output
one_line() {
	checks=$((checks + 1))
	want=$1
	shift
	run "$@"
	lines=$(wc -l <"$work/err")
	case $err in
	"attnscope: "*"$file"*) [ "$status|$out|$lines" = "$want||1" ] && return ;;
	esac
	fail "$(printf '%s: status %s, %s lines of errors: %s\noutput: %s' "$*" "$status" "$lines" \
		"$err" "$out")"
}

size=$(stat -c %s "$good")
file=damaged.safetensors
for cut in 1 7 8 9 100 1000 $((size / 2)) $((size - 1)); do
	head -c "$cut" "$good" >$file
	one_line 1 attnscope info $file
	one_line 1 attnscope translate -m ./$file 123
	one_line 1 attnscope walk --plain -m ./$file 123
	one_line 1 attnscope eval -m ./$file
done
# something written over the header, the length, or behind the end
for at in 0 3 7 20 200 2000; do
	cp "$good" $file
	printf '\377\377"}' | dd of=$file bs=1 seek=$at conv=notrunc status=none
	one_line 1 attnscope info $file
	one_line 1 attnscope translate -m ./$file 123
done
{ cat "$good"; echo more; } >$file
one_line 1 attnscope info $file
one_line 1 attnscope translate -m ./$file 123

# traces
attnscope translate -m reverse --format json 123 >one.json
contains 0 "one.json: traces of attnscope, 1 sentence" attnscope info one.json
contains 0 '"kind":"cross","layer":0,"head":0' attnscope info --json one.json
cat one.json one.json >two.json
contains 0 '"sentences":2' attnscope info --json two.json
{ cat one.json; echo '{"format":"attnscope-trace"}'; } >bad.json
check 1 '' "attnscope: bad.json:2: version: only version 1 is known" attnscope info bad.json
head -c 30 one.json >short.json
check 1 '' "attnscope: short.json: byte 30: bad JSON: the text ends too early" attnscope info short.json

finish
