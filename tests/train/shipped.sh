#!/bin/bash
# The Transformers that are shipped, measured again: sentences that lessons show, exact match, alignment of
# the head that was taught, and a row for every head.
. "$(dirname "$0")/../cli/lib.sh"

check 0 "le chat noir ne voit pas la voiture rouge ." '' \
	attnscope translate -m en-fr-transformer the black cat does not see the red car .
check 0 "Zhang_San went to the bank and deposited a sum of money ." '' \
	attnscope translate -m zh-en-transformer 张三 去 银行 存 了 一 笔 钱 。
check 0 "汤姆 追逐 杰瑞 。" '' attnscope translate -m en-zh-transformer Tom chases Jerry .

# figure NAME: its number in the object that was printed
figure() {
	printf '%s\n' "$out" | sed -n "s/^{[^[]*\"$1\":\([0-9.e-]*\),.*/\1/p"
}

# within WHAT A LIMIT: A is at most LIMIT
within() {
	checks=$((checks + 1))
	awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && b != "" && a + 0 <= b + 0) }' ||
		fail "$1: $2 is more than $3"
}

for model in en-fr en-zh zh-en en-de; do
	model=$model-transformer
	file=$ATTNSCOPE_DATA/assets/models/$model.safetensors
	within "bytes of $model" "$(stat -c %s "$file")" 1048576
	run attnscope eval -m "$model" --set valid --heads --sentences 20 --json
	same "status of eval -m $model" 0 "$status"
	within "98 % of $model's sentences" 0.98 "$(figure exact_match)"
	within "AER of $model" "$(figure aer)" "$(awk -v f="$(figure aer_floor)" 'BEGIN { print f + 0.01 }')"
	same "heads of $model" 48 "$(printf '%s\n' "$out" | grep -o '"kind":' | wc -l)"
done
within 'bytes of all models' "$(cat "$ATTNSCOPE_DATA"/assets/models/*.safetensors | wc -c)" 8388608

finish
