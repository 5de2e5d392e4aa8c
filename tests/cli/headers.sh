#!/bin/sh
# Every header of src/ compiles alone: it includes what it uses.
# usage: headers.sh SOURCE_ROOT COMPILER...
# VEC: num/kernels_vec.h is compiled once for each width.
set -u
root=$1
shift
n=0 bad=0
for header in $(cd "$root/src" && find . -name '*.h' | sort); do
	n=$((n + 1))
	printf '#include "%s"\n' "${header#./}" |
		"$@" -std=gnu11 -D_GNU_SOURCE -DVEC=4 -Wall -Wextra -Werror -I"$root/src" -fsyntax-only -x c - || {
		echo "src/${header#./} does not compile alone"
		bad=$((bad + 1))
	}
done
[ "$n" -gt 0 ] || bad=1
echo "Checks: $n, Failures: $bad, Errors: 0"
[ "$bad" = 0 ]
