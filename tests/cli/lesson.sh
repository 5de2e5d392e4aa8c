#!/bin/bash
# Lessons: those that are shipped say what is so, and a bad one is named with its line.
. "$(dirname "$0")/lib.sh"

run attnscope lesson --check
checks=$((checks + 1))
[ "$status" = 0 ] || fail "lesson --check: $err"
for file in "$ATTNSCOPE_DATA"/assets/lessons/*.txt; do
	name=$(basename "$file" .txt)
	claims=$(grep -c '^[=>] ' "$file")
	pages=$(grep -c '^## ' "$file")
	contains 0 "$pages pages, $claims claims hold" attnscope lesson --check "$name"
	contains 0 "$(sed -n '1s/^# //p' "$file")" attnscope lesson --list
	contains 0 "$pages pages" attnscope lesson --check "${name%%-*}"
	contains 0 "$pages pages" attnscope lesson --check "${name#*-}"
done

contains 0 "$(sed -n '1s/^# //p' "$file")" attnscope lesson # no terminal: as --list

own=$work/own.txt
lesson() { printf '# Mine\nmodel %s\nsentence the cat sleeps .\n## Page\n%s\n' "$1" "$2" >"$own"; }

lesson en-fr-gru $'> 2 chat\n= 2 cat'
check 0 "$own 1 page, 2 claims hold" '' attnscope lesson --check "$own"
lesson en-fr-gru '> 2 chien'
check 1 '' "attnscope: $own:5: the claim does not hold: it is \"chat\", not \"chien\"" attnscope lesson --check "$own"
lesson en-fr-gru '= 2 the'
check 1 '' "attnscope: $own:5: the claim does not hold: it is \"cat\", not \"the\"" attnscope lesson --check "$own"
lesson en-fr-gru ':fly'
check 1 '' "attnscope: $own:4: there is no command \"fly\": Tab completes, ? lists them" \
	attnscope lesson --check "$own"
for command in quit 'save x' input examples; do
	lesson en-fr-gru ":$command"
	check 1 '' "attnscope: $own:4: a page shows something: it does not leave, save or ask" \
		attnscope lesson --check "$own"
done
lesson en-fr-gru "$(printf 'word %.0s' {1..120})"
check 1 '' "attnscope: $own:4: the text of this page takes 8 lines at 80 columns; 6 are shown" \
	attnscope lesson --check "$own"
printf 'hello\n' >"$own"
check 1 '' "attnscope: $own:1: text before the first page: pages begin with ##" attnscope lesson "$own"
check 1 '' "attnscope: there is no lesson \"none\": 'attnscope lesson --list' names them; give the path of a \
file for one of your own" attnscope lesson none
check 1 '' "attnscope: $work/none.txt: cannot open: No such file or directory" attnscope lesson "$work/none.txt"
check 2 '' "attnscope lesson: 'b' is one argument too many; see 'attnscope lesson --help'" attnscope lesson a b

finish
