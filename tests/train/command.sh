#!/bin/bash
# attnscope train and eval as a whole: messages and exit statuses, ^C and --resume, a full disk, JSON.
. "$(dirname "$0")/../cli/lib.sh"
cd "$work" || exit 1

cat >tiny.ini <<'END'
[task]
name = tiny
grammar = reverse
source_side = chars
target_side = chars
pairs = 700
valid = 60
test = 100
max_words = 3
long_from = 9
[model]
emb = 16
enc_hidden = 16
dec_hidden = 32
score = dot
combine = 16
tied = yes
dropout = 0.1
[train]
epochs = 30
batch = 16
lr = 0.01
warmup = 20
END

# bad_recipe LINE-TO-ADD MESSAGE
bad_recipe() {
	{ cat tiny.ini; echo "$1"; } >bad.ini
	check 1 '' "attnscope: bad.ini$2" attnscope train bad.ini
}
bad_recipe 'epoch = 3' ":24: [train] has no key epoch; it has epochs, batch, lr, warmup, final_lr, clip, \
label_smoothing, guided, sharp, copy, eval_every, patience, store, threads"
bad_recipe 'lr = fast' ':24: lr = fast: must be a number from 1e-08 to 1'
bad_recipe '[modle]' ':24: there is no section [modle]; the sections are [task], [model] and [train]'
check 1 '' 'attnscope: none.ini: cannot open: No such file or directory' attnscope train none.ini
check 2 '' "attnscope train: which recipe?; see 'attnscope train --help'" attnscope train
check 2 '' "attnscope train: one recipe at a time; see 'attnscope train --help'" attnscope train a b
check 2 '' "attnscope train: --threads 0: it is a number from 1 to 64; see 'attnscope train --help'" \
	attnscope train tiny.ini --threads 0
check 1 '' "attnscope: $work: is a folder; give the name of a file with -o" \
	attnscope train tiny.ini -o "$work"
mkdir locked && echo >locked.file
check 1 '' 'attnscope: locked.file/x.state: cannot create a file beside it: Not a directory' \
	attnscope train tiny.ini -o locked.file/x

# plain lines where there is no terminal, and the file under the recipe's name
contains 0 'epoch 30/30  loss ' attnscope train tiny.ini
contains 0 'wrote once (' attnscope train tiny.ini -o once
same 'no state is left' "once tiny.safetensors" "$(echo once* tiny.saf*)"
cmp -s once tiny.safetensors || fail 'two trainings differ'
case $(cat "$work/out") in
*$'\033'* | *$'\r'*) fail 'control characters in a pipe' ;;
esac
check 0 '' 'attnscope: once is finished: there is nothing to go on with' \
	attnscope train tiny.ini -o once --resume

# stop SIGNAL STATUS: a training is stopped after its first epoch, refuses to be overwritten, goes on
stop() {
	checks=$((checks + 1))
	rm -f stopped stopped.state pipe
	mkfifo pipe
	env --default-signal=INT "$attnscope" train tiny.ini -o stopped >pipe 2>err &
	pid=$!
	while read -r line; do
		case $line in
		'epoch 1/'*) kill -"$1" $pid ;;
		esac
	done <pipe
	wait $pid
	same "status after SIG$1" "$2" $?
	same "message after SIG$1" "attnscope: stopped, nothing is lost; go on with: \
attnscope train tiny.ini -o stopped --resume" "$(cat err)"
	[ -s stopped.state ] || fail 'no state was left'
	check 1 '' "attnscope: stopped.state: holds a training that was interrupted; \
add --resume to go on, or delete it to begin anew" attnscope train tiny.ini -o stopped
	contains 0 'wrote stopped (' attnscope train tiny.ini -o stopped --resume
	cmp -s once stopped || fail "resumed after SIG$1: the file differs"
}
stop INT 130
stop TERM 143

# a disk that is full: what was there stays as it was
cp once kept
limited() { (ulimit -f 1 && "$attnscope" "$@"); }
run limited train tiny.ini -o kept
checks=$((checks + 1))
same 'status on a full disk' 1 "$status"
case $err in
'attnscope: kept.state: cannot write; '*': File too large') ;;
*) fail "a full disk: $err" ;;
esac
same 'lines on standard error' 1 "$(echo "$err" | wc -l)"
cmp -s once kept || fail 'a full disk damaged the model'
same 'nothing half-written lies about' 'kept' "$(echo kept*)"

# eval
contains 0 '"model":"tiny","corpus":"reverse","set":"test","sentences":' attnscope eval -m ./once --json
checks=$((checks + 1))
for key in exact_match token_accuracy bleu aer aer_floor by_length comp long heads; do
	case $out in
	*"\"$key\":"*) ;;
	*) fail "eval --json lacks $key" ;;
	esac
done
same 'eval --json is one line' 1 "$(echo "$out" | wc -l)"
one=$out
contains 0 "$one" attnscope eval -m ./once --json --threads 3
contains 0 '"set":"valid"' attnscope eval -m ./once --json --set valid
contains 0 'set      sentences    exact' attnscope eval -m ./once
case $one in
*',"heads":[]}') ;;
*) fail 'eval --json has heads that nobody asked for' ;;
esac
contains 0 ',"heads":[{"kind":"cross","layer":0,"head":0,"label":"' attnscope eval -m ./once --json --heads
contains 0 'heads   test, 100 sentences, exact match with all heads' attnscope eval -m ./once --heads
contains 0 'heads   valid, 7 sentences, exact match with all heads' \
	attnscope eval -m ./once --heads --sentences 7 --set valid
printf '1 2 3\t3 2 1\t0-2 1-1 2-0\n9\t8\t\n' >two.tsv
contains 0 '"corpus":"two.tsv","set":"corpus","sentences":2,"exact_match":0.5,' \
	attnscope eval -m ./once --corpus two.tsv --json
: >empty.tsv
check 1 '' 'attnscope: empty.tsv: holds no sentence pairs' attnscope eval -m ./once --corpus empty.tsv
printf '1 2\t2 1\t0-5\n' >bad.tsv
run attnscope eval -m ./once --corpus bad.tsv
checks=$((checks + 1))
same 'status of a bad corpus' 1 "$status"
case $err in
'attnscope: bad.tsv:1:'*) ;;
*) fail "a bad corpus is not named: $err" ;;
esac
check 2 '' "attnscope eval: which model? give -m MODEL; see 'attnscope eval --help'" attnscope eval
check 2 '' "attnscope eval: --set x: it is test, comp, long, valid or all; see 'attnscope eval --help'" \
	attnscope eval -m ./once --set x
check 2 '' "attnscope eval: --sentences 0: it is a number from 1 to 1000000; see 'attnscope eval --help'" \
	attnscope eval -m ./once --heads --sentences 0
check 2 '' "attnscope eval: --sentences says how many sentences --heads takes; see 'attnscope eval --help'" \
	attnscope eval -m ./once --sentences 9
check 1 '' 'attnscope: the task reverse has no comp set' attnscope eval -m ./once --set comp

finish
