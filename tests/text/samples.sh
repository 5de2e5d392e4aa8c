#!/bin/bash
# The samples beside the grammars are what the grammars make, to the byte. After a change of a grammar:
#	tests/text/samples.sh build/attnscope --write
. "$(dirname "$0")/../cli/lib.sh"

folder=$(cd "$(dirname "$0")/../../corpora" && pwd)

for name in en-fr en-zh en-de dates reverse sort; do
	file=$folder/$name.sample.tsv
	if [ "$2" = --write ]; then
		attnscope corpus gen "$name" -n 200 -o "$file" || exit 1
		continue
	fi
	check 0 '' '' attnscope corpus gen "$name" -n 200 -o "$work/$name.tsv"
	check 0 '' '' cmp "$file" "$work/$name.tsv"
	same "$name has 200 lines" 200 "$(wc -l <"$file" | tr -d ' ')"
	contains 0 "200 pairs" attnscope corpus check "$file"
done
[ "$2" = --write ] || finish
