#!/bin/bash
# attnscope export: a file of every format, and what is said when there can be none.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
trace=$root/tests/trace/en-fr-gru.json
cd "$work" || exit 1

formats="svg pdf png tex html txt ansi csv tsv json npz safetensors"
for format in $formats; do
	check 0 '' '' attnscope export "$trace" -o "out.$format"
	check 0 '' '' test -s "out.$format"
done
# what the first bytes say
begins() {
	checks=$((checks + 1))
	case $(head -c 64 "$1" | tr -d '\0') in
	"$2"*) ;;
	*) fail "$1 does not begin with $2" ;;
	esac
}
begins out.svg '<?xml version="1.0" encoding="UTF-8"?>'
begins out.pdf '%PDF-'
begins out.png "$(printf '\211PNG\r\n\032\n')"
begins out.npz "$(printf 'PK\003\004')"
begins out.html '<!DOCTYPE html>'

# standard output is the same as the file, and may be a pipe
checks=$((checks + 1))
attnscope export "$trace" --format csv | cmp -s - out.csv || fail "csv to a pipe"
# the trace document is read again, and is the same
check 0 '' '' attnscope export out.json -o again.json
check 0 '' '' cmp out.json again.json
check 0 '' '' attnscope export out.json -o again.npz
check 0 '' '' cmp out.npz again.npz

# the numbers of npz are those of csv, read without any package
checks=$((checks + 1))
python3 - out.npz out.csv <<'PYTHON' || fail "npz and csv differ"
import csv, struct, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None and all(i.compress_type == 0 for i in z.infolist())
def array(name):
    b = z.read(name + '.npy')
    assert b[:8] == b'\x93NUMPY\x01\0'
    n = struct.unpack('<H', b[8:10])[0]
    assert (10 + n) % 64 == 0
    return eval(b[10:10 + n]), b[10 + n:]
rows = list(csv.reader(open(sys.argv[2], encoding='utf-8', newline='')))
head, data = array('cross.0.0')
assert head == {'descr': '<f4', 'fortran_order': False, 'shape': (len(rows) - 1, len(rows[0]) - 1)}, head
assert [struct.pack('<f', float(x)) for r in rows[1:] for x in r[1:]] == [data[i:i + 4] for i in range(0, len(data), 4)]
for name, want in (('source', rows[0][1:]), ('target', [r[0] for r in rows[1:]])):
    head, data = array(name)
    w = int(head['descr'][2:]) * 4
    assert head['shape'] == (len(want),)
    assert [data[i:i + w].decode('utf-32-le').rstrip('\0') for i in range(0, len(data), w)] == want
PYTHON

# a picture is as wide as it was asked to be: cm at 300 dots an inch
png_width() {
	od -A n -t u1 -j 16 -N 4 "$1" | { read -r a b c d && echo $(((a << 24) + (b << 16) + (c << 8) + d)); }
}
check 0 '' '' attnscope export "$trace" -o wide.png --width 17 --numbers --cmap grey --scale log --font monospace
check 0 1004 '' png_width out.png
check 0 2008 '' png_width wide.png

# words joined by lines, and two heads with their difference
for format in svg pdf png tex; do
	check 0 '' '' attnscope export "$trace" --links -o "links.$format"
	check 0 '' '' attnscope export "$root/tests/import/files/npz-stored.npz" --map cross:0:0,cross:1:1 \
		--numbers -o "pair.$format"
done
for format in txt ansi html csv tsv json npz safetensors; do
	check 0 '' '' attnscope export "$root/tests/import/files/npz-stored.npz" --map cross:0:0,cross:1:1 \
		-o "pair.$format"
	check 0 '' '' attnscope export "$root/tests/import/files/table-scores.csv" -o "scores.$format"
done
check 1 '' 'attnscope: there is no map cross:0:99 with numbers in this trace' \
	attnscope export "$root/tests/import/files/npz-stored.npz" --map cross:0:0,cross:0:99 -o x.svg
check 2 '' 'attnscope: map "cross:0:0,cross:0:0": that is one head twice' \
	attnscope export "$root/tests/import/files/npz-stored.npz" --map cross:0:0,cross:0:0 -o x.svg
begins links.svg '<?xml version="1.0" encoding="UTF-8"?>'
begins pair.pdf '%PDF-'
check 2 '' 'attnscope: html cannot show links: svg, pdf, png and tex can' attnscope export "$trace" --links -o links.html
check 2 '' 'attnscope: links are those of one head: choose it, as in --map cross:0:1' \
	attnscope export "$root/tests/import/files/npz-stored.npz" --map cross:0 --links -o links.svg

# from a model
check 0 '' '' attnscope export -m reverse -o r.tsv 1 2 3
check 0 '	1	2	3	</s>' '' head -n 1 r.tsv
check 0 '3' '' sh -c "sed -n 2p r.tsv | cut -f 1"
check 0 '' '' attnscope export -m reverse --attention hard -o h.tsv 123
check 0 '3	0	0	1	0' '' sh -c "sed -n 2p h.tsv | sed 's/0\.[0-9]*/1/g'"
attnscope translate -m reverse --format json 12 34 >two.jsonl </dev/null
attnscope translate -m reverse --format json 56 >>two.jsonl </dev/null
check 0 '' '' attnscope export two.jsonl -n 2 -o second.tsv
check 0 '	5	6	</s>' '' head -n 1 second.tsv
check 1 '' "attnscope: two.jsonl: there is no sentence 3: the file holds 2" attnscope export two.jsonl -n 3 -o x.svg

# a token that means something to a terminal and to every format
cat >evil.json <<'JSON'
{"format":"attnscope-trace","version":1,"model":"m\u001b]0;x\u0007","source":["\u001b[2J","</script><b>","\u202e\\input"],"target":["a\tb\n"],"maps":[{"kind":"cross","layer":0,"head":0,"rows":1,"cols":3,"type":"weights","values":[[0.5,0.25,0.25]]}],"steps":[{"token":"a\tb\n","logprob":-0.1,"top":[]}]}
JSON
for format in $formats; do
	check 0 '' '' attnscope export evil.json -o "evil.$format"
	checks=$((checks + 1))
	if grep -qF "$(printf '\033[2J')" "evil.$format" || grep -qF "$(printf '\033]0')" "evil.$format" ||
		grep -qF '</script><b>' "evil.$format" && [ "$format" = html ]; then
		fail "a token reaches evil.$format as it is"
	fi
done

# what TeX is told is TeX, whatever the tokens are, if there is one here to ask
if command -v pdflatex >/dev/null; then
	attnscope export "$root/tests/import/files/npz-stored.npz" --map cross:0:0,cross:1:1 --numbers -o two.tex
	for name in evil links two; do
		check 0 '' '' sh -c "pdflatex -interaction=batchmode -halt-on-error $name.tex >/dev/null"
	done
fi

# standard output by name, pipes and devices are written to, links are followed
csv_to() {
	attnscope export "$trace" --format csv -o "$1"
}
for name in - /dev/stdout; do
	checks=$((checks + 1))
	csv_to "$name" | cmp -s - out.csv || fail "csv to $name"
done
check 0 '' '' csv_to /dev/null
check 0 '' '' test -c /dev/null
check 1 '' 'attnscope: /dev/full: cannot write: No space left on device' csv_to /dev/full
mkfifo pipe
cmp -s pipe out.csv &
check 0 '' '' csv_to pipe
checks=$((checks + 1))
wait $! || fail "csv to a named pipe"
mkdir linked
echo old >linked/there.csv
ln -s linked/there.csv link.csv
ln -s linked/new.csv to-nothing.csv
for name in link to-nothing; do
	check 0 '' '' csv_to $name.csv
	check 0 '' '' test -L $name.csv
	check 0 '' '' cmp $name.csv out.csv
done
check 0 "new.csv
there.csv" '' ls linked

# whole or not at all: a disk that is full leaves the old file and nothing beside it
mkdir full
echo old >full/f.html
limited() {
	(ulimit -f 1 && "$attnscope" export "$trace" -o full/f.html)
}
check 1 '' "attnscope: full/f.html: cannot write; what was there before is unchanged: File too large" limited
check 0 old '' cat full/f.html
check 0 f.html '' ls full

# what cannot be done is said in one line
names="svg, pdf, png, tex, html, txt, ansi, csv, tsv, json, npz, safetensors"
check 2 '' "attnscope: \"x.jpeg\" has no ending that names a format; the formats are $names" \
	attnscope export "$trace" -o x.jpeg
check 2 '' "attnscope: there is no format \"jpeg\"; there are $names" \
	attnscope export "$trace" --format jpeg
check 2 '' "attnscope export: where to? -o FILE, or --format for standard output; see 'attnscope export --help'" \
	attnscope export "$trace"
check 2 '' "attnscope export: give -m MODEL and a sentence, or a file with a trace; see 'attnscope export --help'" \
	attnscope export -o x.svg
check 2 '' "attnscope export: which sentence is to be translated?; see 'attnscope export --help'" \
	attnscope export -m reverse -o x.svg
check 2 '' 'attnscope: map "cross:x": it is all, or cross, encoder or decoder and maybe a layer and a head from 0, as in cross:0:1' \
	attnscope export "$trace" --map cross:x -o x.svg
check 2 '' 'attnscope: scale "big" is not one of auto, 0–1, row, matrix, log, rank' \
	attnscope export "$trace" --scale big -o x.svg
check 2 '' 'attnscope: colour map "jet" is not one of viridis, cividis, magma, grey, coolwarm' \
	attnscope export "$trace" --cmap jet -o x.svg
check 2 '' "attnscope: --width 0: it is a number of centimetres from 2 to 200" \
	attnscope export "$trace" --width 0 -o x.svg
check 2 '' "attnscope: --width nan: it is a number of centimetres from 2 to 200" \
	attnscope export "$trace" --width nan -o x.svg
check 1 '' "attnscope: there is no map decoder: cross has layers 0–0, heads 0–0" \
	attnscope export "$trace" --map decoder -o x.svg
check 1 '' "attnscope: en-fr-fixed has no attention: there is no map to export, only json" \
	attnscope export -m en-fr-fixed -o x.svg the cat sleeps .
check 1 '' "attnscope: nowhere/x.csv: cannot create a file beside it: No such file or directory" \
	attnscope export "$trace" -o nowhere/x.csv
check 1 '' "attnscope: full: is a directory, not a file" attnscope export "$trace" --format csv -o full
check 0 '' '' test ! -e x.svg

# pictures and npz come from modules beside the program; without them the rest works
mkdir bare
cp "$attnscope" bare/program
for format in svg npz; do
	checks=$((checks + 1))
	run bare/program export "$trace" -o "bare/x.$format"
	lines=$(wc -l <"$work/err")
	case "$status|$out|$lines|$err" in
	"1||1|attnscope: attnscope-"*".so is needed for this format and is neither beside the program nor in "*) ;;
	*) fail "$format without its module: $status $out $err" ;;
	esac
done
check 0 '' '' bare/program export "$trace" -o bare/x.tex
echo "not a library" >bare/attnscope-figure.so
checks=$((checks + 1))
run bare/program export "$trace" -o bare/x.svg
case "$status|$out|$err" in
"1||attnscope: this format needs a library that cannot be loaded: "*) ;;
*) fail "a damaged module: $status $out $err" ;;
esac
# starting pays for none of it
checks=$((checks + 1))
! ldd "$attnscope" | grep -qE 'cairo|pango|libzip|glib' || fail "the program itself is linked with them"

finish
