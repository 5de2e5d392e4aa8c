#!/bin/bash
# Sentences on the command line and on standard input: good ones, odd ones, and none at all.
. "$(dirname "$0")/lib.sh"

# from INPUT COMMAND...: the command with INPUT (as for printf) on standard input
from() {
	input=$1
	shift
	# shellcheck disable=SC2059
	printf "$input" | "$attnscope" "$@"
}

empty="nothing to translate: the sentence is empty"
check 0 "le chat dort ." '' attnscope translate "the cat sleeps ."
check 0 "le chat dort ." '' attnscope translate The CAT sleeps.
check 0 "le chat noir ne voit pas la voiture rouge ." '' \
	attnscope translate the black cat does not see the red car .
check 0 "汤姆 追逐 杰瑞" '' attnscope translate -m en-zh-gru Tom chases Jerry
check 0 "汤姆 追逐 杰瑞 。" '' attnscope translate -m en-zh-gru Tom chases Jerry.
check 0 "1979-05-03" '' attnscope translate -m dates 3 May 1979
check 0 "54321" '' attnscope translate -m reverse 12345

for command in translate "walk --plain"; do
	# shellcheck disable=SC2086
	check 1 '' "attnscope: $empty" attnscope $command "  "
	# shellcheck disable=SC2086
	check 1 '' "attnscope: invalid UTF-8 at byte 1 (0xff) of the sentence" \
		attnscope $command "$(printf '\377\376 cat')"
	# shellcheck disable=SC2086
	check 1 '' "attnscope: ./none: cannot open: No such file or directory" \
		attnscope $command -m ./none x
done
check 1 'le chat dort .


le chien dort .' "attnscope: line 2: $empty
attnscope: line 3: invalid UTF-8 at byte 1 (0xff) of the sentence" \
	from 'the cat sleeps .\n\n\377\nthe dog sleeps .\n' translate
check 0 '' '' from '' translate
check 0 "le chat dort ." '' from 'the cat sleeps .\r\n' translate
check 1 '' "attnscope: line 1: it holds a NUL byte; a sentence is UTF-8 text" \
	from 'the\0cat\n' translate --format json

# 500 words: something comes out, or one line says why not
checks=$((checks + 1))
run attnscope translate "$(printf 'the cat sleeps . %.0s' {1..125})"
[ "$status" = 0 ] && [ "$(wc -l <"$work/out")" = 1 ] || fail "500 words: status $status, $err"

# formats
contains 0 '"format":"attnscope-trace","version":1' attnscope translate --format json the cat sleeps .
check 0 "0-0 1-1 2-2 3-3" '' attnscope translate --format pharaoh the cat sleeps .
contains 0 "chat" attnscope translate --format heatmap the cat sleeps .
contains 0 "$(printf '\tthe\tcat\tsleeps\t.\t</s>')" attnscope translate --format tsv the cat sleeps .
check 2 '' "attnscope translate: there is no format \"foo\": text, heatmap, json, tsv or pharaoh; see 'attnscope translate --help'" \
	attnscope translate --format foo x

# no escape codes into a pipe unless asked for
escapes() { "$attnscope" translate --format heatmap "$@" the cat sleeps . | grep -c "$(printf '\033')"; }
check 1 0 '' escapes
check 1 0 '' escapes --color=never
checks=$((checks + 1))
[ "$(escapes --color=always)" -gt 0 ] || fail "--color=always: no colours"

rules="allowed are soft, hard, topk:K (K = 1, 2, …) and threshold:X (0 < X ≤ 1)"
for rule in topk:0 threshold:2 "" soft:1 topk: nonsense; do
	check 2 '' "attnscope: \"$rule\" is no attention rule; $rules" \
		attnscope translate --attention "$rule" x
done
for rule in soft hard topk:2 threshold:0.5; do
	check 0 "le chat dort ." '' attnscope translate --attention $rule the cat sleeps .
	check 0 "le chat dort ." '' attnscope translate --attention $rule --renorm the cat sleeps .
done
check 2 '' "attnscope: --color=sometimes: it is auto, always or never" \
	attnscope translate --color=sometimes x
check 1 '' "attnscope: the output is not a terminal: --plain prints the walk as lines of text" attnscope walk

full() { "$attnscope" translate the cat sleeps . >/dev/full; }
check 1 '' "attnscope: cannot write to standard output: No space left on device" full

finish
