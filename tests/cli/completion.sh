#!/bin/bash
# Shell completion: both files are accepted by their shells, and what they offer is right.
. "$(dirname "$0")/lib.sh"
completions=$(dirname "$0")/../../assets/completions

check 0 '' '' bash -n "$completions/attnscope.bash"
if command -v zsh >/dev/null; then
	check 0 '' '' zsh -n "$completions/_attnscope"
fi

. "$completions/attnscope.bash"
# offer WORD...: what is offered for the last word
offer() {
	COMP_WORDS=("$attnscope" "$@")
	COMP_CWORD=$#
	_attnscope
	echo "${COMPREPLY[*]}"
}

cd "$work" || exit 1
: >some-file
check 0 "translate train" '' offer tr
check 0 "models" '' offer mo
check 0 "--help --version" '' offer --
check 0 "walk" '' offer help w
check 0 "--json --help --format --src --trg --gold --transpose --kind --eos --right-left" '' offer info --
check 0 "auto yes no" '' offer info --eos ""
check 0 "cross encoder decoder" '' offer info --kind ""
check 0 "pharaoh" '' offer info --format ph
check 0 "some-file" '' offer info some
check 0 "gen" '' offer corpus g
check 0 "auto always never" '' offer translate --color = ""
check 0 "always" '' offer translate --color = al
check 0 "text tsv" '' offer translate --format t
check 0 "npy npz notebook nematus-json nematus" '' offer open --format n
check 0 "tex txt tsv" '' offer export --format t
check 0 "matrix" '' offer export --scale m
check 0 "en-fr-gru" '' offer walk -m en-fr-gr
check 0 "en-fr-lstm" '' offer walk -m en-fr-gru -m en-fr-ls
check 0 "dates" '' offer eval --model date

finish
