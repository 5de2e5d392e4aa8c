#!/bin/bash
# What `meson install` puts in place works from there, without the source tree.
# usage: install.sh PROGRAM BUILD_FOLDER
. "$(dirname "$0")/lib.sh"
unset ATTNSCOPE_DATA

DESTDIR=$work/root meson install -C "$2" --no-rebuild --quiet >"$work/log" 2>&1 || {
	cat "$work/log"
	fail "meson install"
}
attnscope=$(find "$work/root" -type f -name attnscope -path '*/bin/*')
prefix=${attnscope%/bin/attnscope}
contains 0 "en-fr-gru" attnscope models
check 0 "le chat dort ." '' attnscope translate "the cat sleeps ."
check 0 '' '' attnscope export -m en-fr-gru -o "$work/cat.svg" the cat sleeps .
check 0 '' '' attnscope export -m en-fr-gru -o "$work/cat.npz" the cat sleeps .
for file in share/man/man1/attnscope.1 share/bash-completion/completions/attnscope \
	share/zsh/site-functions/_attnscope share/attnscope/corpora/en-fr.rules \
	share/attnscope/assets/python/dump_attention.py; do
	check 0 '' '' test -s "$prefix/$file"
done
check 0 '' '' test -n "$(find "$prefix/share/attnscope/assets/recipes" -name '*.ini')"

finish
