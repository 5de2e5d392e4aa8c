#!/bin/bash
# attnscope translate as a whole, with tiny random models: $1 the program, $2 tiny_model.
. "$(dirname "$0")/../cli/lib.sh"
tiny_model=$2

model() { # NAME SCORE SEED PRODUCED
	"$tiny_model" write "$work/$1.safetensors" "$2" "$3" "$4" || exit 1
}
model talks scaled_dot 9 -1
model ends general 1 2
model copies additive 1 3
model fixed none 2 -1

translate() { attnscope translate -m "$work/$1.safetensors" "${@:2}"; }
lines() { # MODEL INPUT OPTION...: INPUT is a printf format
	# shellcheck disable=SC2059
	printf "$2" | attnscope translate -m "$work/$1.safetensors" "${@:3}"
}
quietly() { "$@" 2>/dev/null; }
one() { checks=$((checks + 1)); same "$@"; }

# ---- text, and where sentences come from ----
check 0 '' '' translate ends the cat
check 0 "$(quietly translate talks 'the black cat')" '' quietly translate talks the black cat
check 0 "$(quietly translate talks 'the cat'; quietly translate talks 'the dog')" '' \
	quietly lines talks 'the cat\nthe dog\n'
# the last line needs no end; \r\n is one
check 0 "$(quietly translate talks 'the cat')" '' quietly lines talks 'the cat'
check 0 "$(quietly translate talks 'the cat')" '' quietly lines talks 'the cat\r\n'
check 0 '' '' lines talks ''

# each line is answered before the next one is read
stream() {
	local answer
	mkfifo "$work/in" "$work/outp" || return 1
	translate ends <"$work/in" >"$work/outp" 2>&1 &
	exec 7>"$work/in" 8<"$work/outp"
	printf 'the cat\n' >&7
	read -r -t 20 answer <&8 || return 1
	printf 'the dog\n' >&7
	read -r -t 20 answer <&8 || return 1
	exec 7>&- 8<&-
	wait $!
}
checks=$((checks + 1))
stream || fail "translate does not answer line by line"

# ---- formats agree with each other ----
tsv=$(quietly translate talks --format tsv the black cat sees the red car.)
one "the tsv header holds the source" "$(printf '\tthe\tblack\tcat\tsees\tthe\tred\tcar\t.\t</s>')" \
	"$(head -1 <<<"$tsv")"
one "every row of the tsv sums to 1" '' "$(awk -F'\t' 'NR > 1 {
	sum = 0; for (i = 2; i <= NF; i++) sum += $i
	if (NF != 10 || sum < 0.9999 || sum > 1.0001) print }' <<<"$tsv")"
links=$(awk -F'\t' 'NR > 1 && $1 != "</s>" {
	best = 2; for (i = 3; i <= NF; i++) if ($i > $best) best = i
	if (best < NF) printf "%s%d-%d", n++ ? " " : "", best - 2, NR - 2 }' <<<"$tsv")
check 0 "$links" '' quietly translate talks --format pharaoh the black cat sees the red car.
checks=$((checks + 1))
[ -n "$links" ] || fail "the model of this test links nothing"
json() { quietly translate talks --format json "$@" | "$tiny_model" read; }
check 0 "The cat . </s> → $(quietly translate talks The cat.)" '' json The cat.
many() { quietly lines talks 'the cat\nthe dog\n' -f json | "$tiny_model" read | wc -l; }
check 0 2 '' many
map=$(LC_ALL=C quietly translate talks -f heatmap the cat)
one "the heatmap has the rows of the tsv" "$(quietly translate talks -f tsv the cat | wc -l)" "$(wc -l <<<"$map")"
contains 0 "the  cat  .    </s>" quietly translate talks -f heatmap the cat
escapes() { quietly translate talks -f heatmap "$@" the cat | grep -c $'\033'; }
check 1 0 '' escapes
check 1 0 '' escapes --color=never
checks=$((checks + 1))
[ "$(escapes --color=always)" -gt 0 ] || fail "--color=always gives no colours"
export COLORTERM=truecolor
contains 0 ';48;2;' quietly translate talks -f heatmap --color=always the cat
unset COLORTERM

# ---- attention rules ----
kept() { quietly translate talks -f tsv "$@" the black cat | awk -F'\t' 'NR > 1 {
	n = 0; sum = 0; for (i = 2; i <= NF; i++) { n += $i != "0"; sum += $i }
	print n, (sum > 0.9999 ? "one" : "less") }' | sort -u | tr '\n' ' '; }
check 0 "5 one " '' kept
check 0 "1 less " '' kept --attention hard
check 0 "1 one " '' kept --attention hard --renorm
check 0 "2 one " '' kept --attention topk:2 --renorm
check 0 "1 less " '' kept --attention threshold:1
check 0 "5 one " '' kept --attention soft --renorm
partial() { quietly translate talks -f json --attention hard the cat | grep -c '"partial":true'; }
check 0 1 '' partial

# ---- unknown words ----
know="attnscope: tiny does not know"
unknown() { translate copies "$@" 2>&1 >/dev/null | head -1; }
check 0 "$know \"catt\"; it was copied; nearest known: cat" '' unknown catt
check 0 "$know \"Xyzzyq\"; it was copied" '' unknown Xyzzyq
contains 0 "Xyzzyq" quietly translate copies Xyzzyq
none() { quietly translate copies Xyzzyq | grep -c '<unk>'; }
check 1 0 '' none
steer() { quietly translate copies "$(printf 'a\033[31mb')" | grep -c $'\033'; }
check 1 0 '' steer
fixed() { translate fixed Xyzzyq 2>&1 >/dev/null | head -1; }
check 0 "$know \"Xyzzyq\"; it was not copied" '' fixed

# ---- what goes wrong ----
check 1 '' "attnscope: nothing to translate: the sentence is empty" translate ends ''
check 1 '' "attnscope: nothing to translate: the sentence is empty" translate ends '  ' ' '
check 1 '' "attnscope: invalid UTF-8 at byte 5 (0xff) of the sentence" translate ends "$(printf 'the \377')"
bad="attnscope: line 2: nothing to translate: the sentence is empty"
check 1 "$(printf '\n\n')" "$bad" lines ends 'the cat\n\nthe dog\n'
mixed() { lines ends 'the cat\n\n\377\na\0b\nthe dog\n' "$@" | grep -c ''; }
check 0 5 "$bad
attnscope: line 3: invalid UTF-8 at byte 1 (0xff) of the sentence
attnscope: line 4: it holds a NUL byte; a sentence is UTF-8 text" mixed
mixed_json() { quietly lines ends 'the cat\n\nthe dog\n' -f json | grep -c ''; }
check 0 2 '' mixed_json
long() { head -c 70000 /dev/zero | tr '\0' a | translate ends; }
check 1 '' "attnscope: line 1: it has 70000 bytes, a sentence has at most 65536" long
words() { printf 'cat %.0s' $(seq "$1") | translate ends; }
check 0 '' '' words 500
check 1 '' "attnscope: line 1: the sentence has 1501 tokens, at most 1000 are read" words 1500
check 1 '' "attnscope: $work/no.safetensors: cannot open: No such file or directory" translate no x
checks=$((checks + 1))
head -c 3000 "$work/ends.safetensors" >"$work/cut.safetensors"
run translate cut the cat
[ "$status" = 1 ] && [ "$(wc -l <"$work/err")" = 1 ] || fail "a damaged model: $status $err"
# words of the file that mean nothing: the file is bad, not how the program was called
spoil() { LC_ALL=C sed "$2" "$work/ends.safetensors" >"$work/$1.safetensors"; }
spoil key 's/config\.cnn_width/config.cnn_widtz/'
spoil side 's/"src_side": *"words"/"src_side":"wordz"/'
check 1 '' "attnscope: $work/key.safetensors: unknown key \"cnn_widtz\" in a model's configuration" \
	translate key the cat
check 1 '' "attnscope: $work/side.safetensors: \"wordz\" is no way to write a side; allowed: words, \
chinese, chars" translate side the cat
directory() { attnscope translate -m "$work/ends.safetensors" <"$work"; }
check 1 '' "attnscope: cannot read standard input: Is a directory" directory
full() { translate ends the cat >/dev/full; }
check 1 '' "attnscope: cannot write to standard output: No space left on device" full
full_lines() { yes 'the cat' | head -100000 | translate ends >/dev/full; }
checks=$((checks + 1))
run full_lines
case $status$err in
"1attnscope: cannot write to standard output"*) ;;
*) fail "many lines onto a full disk: $status $err" ;;
esac
closed() { translate ends the cat >&-; }
check 1 '' "attnscope: cannot write to standard output: Bad file descriptor" closed

usage="; see 'attnscope translate --help'"
for format in heatmap tsv pharaoh; do
	check 2 '' "attnscope translate: tiny has no attention to print as $format: take text or json$usage" \
		translate fixed -f "$format" the cat
done
check 2 '' "attnscope: tiny has no attention to change: its context is C at every timestep" \
	translate fixed --attention hard the cat
check 2 '' "attnscope translate: there is no format \"xml\": text, heatmap, json, tsv or pharaoh$usage" \
	translate ends --format xml the cat
check 2 '' "attnscope: \"topk:0\" is no attention rule; allowed are soft, hard, topk:K (K = 1, 2, …) and \
threshold:X (0 < X ≤ 1)" translate ends --attention topk:0 the cat
check 2 '' "attnscope translate: there is no option '--beam'$usage" \
	translate ends --beam 4 the cat

finish
