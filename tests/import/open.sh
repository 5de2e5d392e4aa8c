#!/bin/bash
# attnscope open and info on dumps of other toolkits, from the command line. $2: the folder of files.
. "$(dirname "$0")/../cli/lib.sh"
files=$2
cd "$work" || exit 1
cp "$files"/* .

picture="     the  cat  </s>
  le ▓▓▓▓ ░░░░ ░░░░
chat ░░░░ ████ ░░░░
noir ▒▒▒▒ ▓▓▓▓ ▒▒▒▒
</s> ░░░░ ░░░░ ████"
check 0 "$picture" '' attnscope open --print nematus.txt
check 0 "$picture" '' attnscope open --print -n 2 nematus.txt
check 0 "$picture" '' attnscope open --print --src source.txt marian-soft.txt
check 0 "$picture" '' attnscope open --print --map cross:1:1 npz-deflated.npz
check 0 "$picture" '' attnscope open --print --src source.txt --trg target.txt npy-sentences.npy
check 0 "     the  cat  </s>
 the ▓▓▓▓ ▒▒▒▒ ▒▒▒▒
 cat ░░░░ ▓▓▓▓ ░░░░
</s>   ·    ·  ████" '' attnscope open --print --map encoder:0:0 safetensors-f32.safetensors
check 0 "     le   chat noir </s>
  le ████   ·    ·    ·
chat ▓▓▓▓ ▓▓▓▓   ·    ·
noir ▒▒▒▒ ▒▒▒▒ ▓▓▓▓   ·
</s> ▒▒▒▒ ▒▒▒▒ ▒▒▒▒ ▒▒▒▒" '' attnscope open --print --map decoder:0:0 npz-stored.npz
contains 0 "noir  ·  ███  ·" attnscope open --print marian-hard.txt
contains 0 "1   2" attnscope open --print table-scores.csv

# of two files both maps and their difference
zeros="B − A
       the  cat  </s>
    le
  chat
  noir
  </s>
Jensen-Shannon 0.000 bits, they look at the same word in 4 of 4 rows"
contains 0 "A  nematus.txt  cross layer 0 head 0
$picture" attnscope open --print nematus.txt npz-deflated.npz
contains 0 "B  npz-deflated.npz  cross layer 0 head 0
" attnscope open --print nematus.txt npz-deflated.npz
contains 0 "$zeros" bash -c "'$attnscope' open --print nematus.txt nematus.txt | sed 's/ *\$//'"
contains 0 "B  nematus.txt  cross layer 0 head 0  B has one cross map
$picture" attnscope open --print --map cross:1:1 npz-deflated.npz nematus.txt
contains 0 "
B has no encoder maps" attnscope open --print --map encoder:0:0 npz-stored.npz nematus.txt
check 1 '' "attnscope: nematus.txt: there is no sentence 3: the file holds 2" \
	attnscope open --print -n 3 nematus.txt npz-stored.npz

check 2 '' "attnscope open: which file?; see 'attnscope open --help'" attnscope open --print
check 2 '' "attnscope open: 'c' is one argument too many; see 'attnscope open --help'" attnscope open a b c
check 2 '' "attnscope open: 'c' is one argument too many; see 'attnscope open --help'" \
	attnscope open --print a b c
check 2 '' "attnscope: the output is not a terminal: open --print prints a map" \
	attnscope open nematus.txt
check 2 '' 'attnscope: sentences are counted from 1, not "0"' attnscope open --print -n 0 nematus.txt
check 2 '' 'attnscope: a map is KIND:LAYER:HEAD, as cross:0:0, not "x"' \
	attnscope open --print --map x nematus.txt
check 1 '' "attnscope: nematus.txt: there is no sentence 3: the file holds 2" \
	attnscope open --print -n 3 nematus.txt
check 1 '' "attnscope: nematus.txt: there is no map cross:0:1: cross has layers 0–0, heads 0–0" \
	attnscope open --print --map cross:0:1 nematus.txt
head -1 marian-soft.txt >one; cat one one one >three.txt
check 1 '' "attnscope: source.txt: 2 lines of tokens, but sentence 3 of three.txt needs line 3" \
	attnscope open --print --src source.txt three.txt
check 1 '' "attnscope: none: cannot open: No such file or directory" attnscope open --print none
check 1 '' "attnscope: .: is a directory, not a file" attnscope open --print .

printf '\037\213\010' >packed.gz
check 1 '' "attnscope: packed.gz: it is packed by gzip: zcat it into attnscope open -" attnscope info packed.gz
contains 0 '"orientation":"transposed: the format has source tokens as rows"' attnscope info --json sockeye.txt
contains 0 '"format":"npz","sentences":1' attnscope info --json npz-stored.npz
contains 0 "12 maps" bash -c "'$attnscope' info --json npz-stored.npz | grep -o '\"layer\"' | wc -l | sed 's/\$/ maps/'"
contains 0 "cross    4 × 3  weights, 4 maps, layers 0…1, heads 0…1" attnscope info safetensors-f16.safetensors
contains 0 "cross    4 × 3  weights
    cross    4 × 3  scores" attnscope info safetensors-own.safetensors
contains 0 "note         rows of weights sum to 0.200 … 0.900 in 1 of 1 sentences: kept as they are" \
	attnscope info opennmt-py-v2.log

# standard input: a pipe is copied, a file is taken as it is, a terminal is none
check 0 "$picture" '' bash -c "cat nematus.txt | '$attnscope' open --print -"
check 0 "$picture" '' bash -c "'$attnscope' open --print - <nematus.txt"
# and so is what a shell puts in for <(command), as the file or beside it
check 0 "$picture" '' bash -c "'$attnscope' open --print <(cat nematus.txt)"
check 0 "$picture" '' bash -c "'$attnscope' open --print --src <(cat source.txt) marian-soft.txt"
contains 0 "(nematus), 2 sentences" bash -c "'$attnscope' info <(cat nematus.txt)"
contains 0 "standard input: NumPy arrays" bash -c "cat npz-stored.npz | '$attnscope' info -"
check 1 '' "attnscope: standard input: none of the known formats; name one with --format" \
	bash -c "echo hello | '$attnscope' open --print -"
check 1 '' "attnscope: standard input: cannot make a temporary file in ./none: No such file or directory" \
	bash -c "cat nematus.txt | TMPDIR=./none '$attnscope' info -"
checks=$((checks + 1))
TMPDIR=$work/tmp; mkdir "$TMPDIR"; export TMPDIR
"$attnscope" info - < <(cat nematus.txt) >/dev/null; unset TMPDIR
[ -z "$(ls "$work/tmp")" ] || fail "attnscope info -: a temporary file is left"
contains 2 "attnscope: standard input: is a terminal: give a file, or pipe something into it" \
	script -qec "'$attnscope' info -" /dev/null

contains 0 "decoder  4 × 4  weights, 2 maps, layer 0, heads 0…1" attnscope info llm-viz.json
contains 0 "note         1 of 1 sentences hold one text whose tokens look at earlier ones: a decoder alone" \
	attnscope info bertviz-old.js
contains 0 ": 4 tokens
    le chat noir </s>" attnscope info bertviz-self.html
check 0 "     le   chat noir </s>
  le ████   ·    ·    ·
chat ▓▓▓▓ ▓▓▓▓   ·    ·
noir ▒▒▒▒ ▒▒▒▒ ▓▓▓▓   ·
</s> ▒▒▒▒ ▒▒▒▒ ▒▒▒▒ ▒▒▒▒" '' attnscope open --print npz-left.npz

# what the Python snippet prints is a trace (numpy itself is not needed for this)
cat >snippet.py <<'END'
import runpy, sys, types
numpy = sys.modules['numpy'] = types.ModuleType('numpy')
numpy.allclose = lambda *a, **k: True
class Rows(list):
    tolist = lambda self: list(self)
class Layer(list):
    sum = lambda self, axis: None
snippet = runpy.run_path(sys.argv[1])
layer = Layer([Rows([[0.25, 0.75], [1.0, 0.0]])])
print(snippet['trace']('m', ['the', 'cat'], ['le', 'chat'], cross_attentions=[layer, layer]))
END
cat >alone.py <<'END'
exec(open('snippet.py').read().rsplit('print', 1)[0])
print(snippet['trace']('m', ['the', 'cat'], decoder_attentions=[Layer([Rows([[1.0, 0.0], [0.25, 0.75]])])]))
END
check 0 "    the cat
the ███  ·
cat ▒▒▒ ▓▓▓" '' bash -c "python3 alone.py '$ATTNSCOPE_DATA/assets/python/dump_attention.py' |
	'$attnscope' open --print -"
check 0 "     the cat
  le ▒▒▒ ▓▓▓
chat ███  ·" '' bash -c "python3 snippet.py '$ATTNSCOPE_DATA/assets/python/dump_attention.py' |
	'$attnscope' open --print --map cross:1:0 -"

# without numpy (-S: no installed packages) one line says what is missing, and the help is still there
snippet=$ATTNSCOPE_DATA/assets/python/dump_attention.py
check 1 '' "dump_attention.py: No module named 'numpy': it is missing or does not load; pip install numpy torch transformers" \
	python3 -S "$snippet" model "a sentence"
contains 0 "usage: dump_attention.py" python3 -S "$snippet" --help

# nothing in a file reaches the terminal as a control
printf 'a\033]52;c;eA==\007 b\342\200\256 ||| 0.5,0.5 0.5,0.5\n' >controls.txt
for command in "open --print" info "info --json"; do
	run attnscope $command controls.txt
	checks=$((checks + 1))
	LC_ALL=C grep -q $'[\001-\010\013-\037]\|\342\200\256' "$work/out" && fail "attnscope $command: a control in its output"
	[ "$status" = 0 ] || fail "attnscope $command: status $status: $err"
done

# what is known better, for open and info alike
contains 0 "orientation  transposed, as asked for (else: rows are target tokens: every row sums to 1" \
	attnscope info --transpose table.csv
contains 0 "note         its maps are encoder attention, as asked for" attnscope info --kind encoder npz-left.npz
check 2 '' 'attnscope: --kind is cross, encoder or decoder, not "x"' attnscope open --kind x --print table.csv
contains 0 "end symbol   none, as asked for" attnscope info --eos no marian-soft.txt
contains 0 "note         target tokens stand in the order of production" attnscope info --right-left marian-soft.txt
check 2 '' 'attnscope: --eos is auto, yes or no, not "x"' attnscope open --eos x --print table.csv
check 2 '' 'attnscope: --eos is auto, yes or no, not "x"' attnscope info --eos x table.csv
check 2 '' 'attnscope: there is no format "x": attnscope, npy, npz, safetensors, ctranslate2, notebook, bertviz, tensor2tensor, circuitsvis, inspectus, exbert, llm-viz, inseq, pointer-generator, nematus-json, sockeye-json, fairseq, nematus, sockeye, sockeye-text, opennmt-tf, marian, opennmt-py, bitext, pharaoh, table' attnscope info --format x table.csv
echo 9-9 >gold.txt
for command in "open --print" info; do
	for file in npz-stored.npz attnscope.json; do
		check 1 '' "attnscope: gold.txt:1: link 9-9 leaves the 3 source and 4 target tokens of sentence 1" \
			attnscope $command --gold gold.txt "$file"
	done
done

# export takes what open opens
check 0 '' '' attnscope export npz-stored.npz -o copy.safetensors
check 0 '' '' attnscope export copy.safetensors -o copy.npz
run attnscope open --print --map cross:1:1 copy.npz
cp "$work/out" first
run attnscope open --print --map cross:1:1 npz-stored.npz
checks=$((checks + 1))
cmp -s "$work/out" first || fail "an exported dump is not the dump"
contains 0 ",the,cat,</s>" attnscope export marian-soft.txt -n 2 --src source.txt --format csv
attnscope export -m en-fr-gru -o walked.safetensors the cat sleeps . </dev/null
contains 0 "scores" attnscope info walked.safetensors
check 0 '' '' attnscope export walked.safetensors -o walked.npz
contains 0 "scores" attnscope info walked.npz
check 1 '' "attnscope: marian-soft.txt: there is no sentence 9: the file holds 2" \
	attnscope export marian-soft.txt -n 9 -o x.svg

# --help names every format
for name in attnscope npy npz safetensors fairseq nematus sockeye marian pharaoh table; do
	contains 0 "  $name " attnscope open --help
	contains 0 "  $name " attnscope info --help
done

finish
