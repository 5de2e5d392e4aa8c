#!/bin/bash
# attnscope corpus as a whole program: what it prints, where errors are, exit statuses.
. "$(dirname "$0")/../cli/lib.sh"

cd "$work" || exit 1
cat >words.txt <<'END'
[noun]
cat | chat m | 猫 只 | Katze/Katzen f | animal
cow | vache f | 牛 头 | Kuh/Kühe f | animal
[name]
Tom | Tom m | 汤姆 | Tom m | human
Jo | - | 乔 | Jo m | human
END
cat >good.rules <<'END'
lang en fr
lexicon words.txt
table fr le m=le f=la
S 1 N:noun
 en the@1 N .@2
 fr le[N]@1 N .@2
END

# ---- gen ----
check 0 "$(printf 'the cat .\tle chat .\t0-0 1-1 2-2\nthe cow .\tla vache .\t0-0 1-1 2-2')" '' \
	attnscope corpus gen good.rules
check 0 "$(printf 'the cat .\nle chat .\n   the-le cat-chat .-.\n')" '' \
	attnscope corpus gen good.rules --show 1
check 0 "$(attnscope corpus gen good.rules)" 'attnscope: good.rules: train has only 2 different pairs' \
	attnscope corpus gen good.rules -n 5
check 0 '' '' attnscope corpus gen good.rules -o out.tsv
check 0 "$(attnscope corpus gen good.rules)" '' cat out.tsv
check 0 '' '' attnscope corpus gen good.rules --set comp
same 'test has 2000' 2000 "$(attnscope corpus gen en-fr --set test | wc -l | tr -d ' ')"
same 'another seed makes others' no \
	"$(cmp -s <(attnscope corpus gen en-fr -n 9) <(attnscope corpus gen en-fr -n 9 --seed 2) && echo yes || echo no)"
same 'at most 5 words' 5 \
	"$(attnscope corpus gen en-fr -n 300 --max-words 5 | cut -f 1 | awk 'NF > n { n = NF } END { print n }')"
check 1 '' "attnscope: cannot write to standard output: No space left on device" \
	sh -c "'$attnscope' corpus gen en-fr -n 9 >/dev/full"
run attnscope corpus gen good.rules -o no/such/out.tsv
same 'no such folder' '1 ' "$status $out"

# ---- what is wrong, and where ----
check 1 '' 'attnscope: there is no grammar "en-xx": give en-fr, en-zh, zh-en, en-de, dates, reverse, sort or a file ending in .rules' \
	attnscope corpus gen en-xx
check 1 '' 'attnscope: nothere.rules: cannot open: No such file or directory' \
	attnscope corpus gen nothere.rules
sed 's/N:noun/N:nuon/' good.rules >bad.rules
check 1 '' 'attnscope: bad.rules:4:7: "nuon" is neither a class of words nor the name of a rule' \
	attnscope corpus check bad.rules
sed 's/the@1 N/the@1 M/' good.rules >bad.rules
check 1 '' 'attnscope: bad.rules:5:11: undefined variable "M"' attnscope corpus gen bad.rules
printf '[noun]\ncat | chat x | 猫 只 | Katze/Katzen f | animal\n' >wrong.txt
sed 's/words.txt/wrong.txt/' good.rules >bad.rules
check 1 '' 'attnscope: wrong.txt:2:12: "x": the gender is m or f' attnscope corpus stats bad.rules
sed 's/words.txt/gone.txt/' good.rules >bad.rules
check 1 '' 'attnscope: gone.txt: cannot open: No such file or directory' attnscope corpus gen bad.rules
printf 'a b\tc\t5-0\n' >bad.tsv
check 1 '' 'attnscope: bad.tsv:1:7: link to source token 5, but there are only 2 (counted from 0)' \
	attnscope corpus check bad.tsv
check 1 '' 'attnscope: .: is a directory, not a file' attnscope corpus check .

# ---- check ----
contains 0 'words.txt:5: the name "Tom" was never used' attnscope corpus check good.rules
contains 0 'en-fr: 1 rules, 3 words; 200000 draws: 2 different sources, 0 dead ends, 0 times another' \
	attnscope corpus check good.rules
printf 'S 1\n en the@1 cat .@2\n fr un@1 chat .@2\n' | cat good.rules - >two.rules
contains 1 'two translations of: the cat .' attnscope corpus check two.rules
printf 'X 1\n en a@1\n fr b\nS 1\n en a\n fr b\ntable en be *=is\n' | cat good.rules - >odd.rules
contains 0 'odd.rules:7: no rule uses X' attnscope corpus check odd.rules
contains 0 'odd.rules:7: the link 1 does not stand in the fr line of this rule' attnscope corpus check odd.rules
contains 0 'odd.rules:13: no rule uses the table be' attnscope corpus check odd.rules
printf 'a\tb\t0-0\na\tb\t0-0\n' >twice.tsv
contains 1 '1 sources stand twice, 0 of them with another translation' attnscope corpus check twice.tsv
printf 'a\tb\t0-0\na\tc\t\n' >two.tsv
contains 1 'two translations of: a' attnscope corpus check two.tsv

# ---- stats ----
contains 0 'vocabulary of train: 4 source words, 5 target words' attnscope corpus stats good.rules
contains 0 'AER floor' attnscope corpus stats good.rules
contains 0 'vocabulary: 1 source words, 2 target words' attnscope corpus stats two.tsv

# ---- usage ----
contains 0 'usage: attnscope corpus gen' attnscope corpus --help
see="; see 'attnscope corpus --help'"
check 2 '' "attnscope corpus: say what to do: gen, check or stats$see" attnscope corpus
check 2 '' "attnscope corpus: say what to gen: a grammar like en-fr, or a file$see" attnscope corpus gen
check 2 '' "attnscope corpus: \"gne\" is none of gen, check and stats$see" attnscope corpus gne en-fr
check 2 '' "attnscope corpus: too many arguments: x$see" attnscope corpus gen en-fr x
check 2 '' "attnscope corpus: -n 0: it is a number from 1 to 10000000$see" attnscope corpus gen en-fr -n 0
check 2 '' "attnscope corpus: -n x: it is a number from 1 to 10000000$see" attnscope corpus gen en-fr -n x
check 2 '' "attnscope corpus: --seed -1: it is a number from 0 on$see" attnscope corpus gen en-fr --seed -1
check 2 '' "attnscope corpus: --max-words 99: it is a number from 1 to 64$see" \
	attnscope corpus gen en-fr --max-words 99
check 2 '' "attnscope corpus: --set: \"tset\" is no set; there are train, valid, test, comp and long$see" \
	attnscope corpus gen en-fr --set tset
check 2 '' "attnscope corpus: gen x.tsv: a grammar like en-fr, or a file ending in .rules$see" \
	attnscope corpus gen x.tsv
check 2 '' "attnscope corpus: check dates: it is not made by a grammar$see" attnscope corpus check dates
finish
