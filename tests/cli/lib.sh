# lib.sh - the vocabulary of the command line tests; source it with $1 = the built program.
#
#	check 2 '' "attnscope: there is no command 'x'; see 'attnscope --help'" attnscope x
#
# runs the rest of its words and compares exit status, standard output and standard error, each whole.
# `contains` compares only the status and looks for a part of the output. `finish` prints the count.

attnscope=$(realpath "$1") # tests stand in other folders
export ATTNSCOPE_DATA="${ATTNSCOPE_DATA:-$(cd "$(dirname "$0")/../.." && pwd)}"
checks=0
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset NO_COLOR COLORTERM
export LC_ALL=C.UTF-8 HOME="$work" TERM=dumb
# a build with the leak checker: what other people's libraries keep until the end is no leak of ours
supp=$(realpath "$(dirname "${BASH_SOURCE[0]}")")/lsan.supp
export LSAN_OPTIONS="suppressions=$supp:print_suppressions=0"

attnscope() {
	"$attnscope" "$@"
}

fail() {
	failures=$((failures + 1))
	printf 'FAILED: %s\n' "$1"
}

# same WHAT EXPECTED GOT
same() {
	[ "$2" = "$3" ] || fail "$(printf '%s\n  expected: %s\n  got:      %s' "$1" "$2" "$3")"
}

# run COMMAND...: its status, output and errors into $status $out $err
run() {
	"$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	out=$(cat "$work/out")
	err=$(cat "$work/err")
}

# check STATUS STDOUT STDERR COMMAND...
check() {
	checks=$((checks + 1))
	want=$1 want_out=$2 want_err=$3
	shift 3
	run "$@"
	if [ "$status|$out|$err" != "$want|$want_out|$want_err" ]; then
		failures=$((failures + 1))
		printf 'FAILED: %s\n' "$*"
		printf '  %s: %s\n' status "$status, expected $want" stdout "$out" expected "$want_out" \
			stderr "$err" expected "$want_err"
	fi
}

# contains STATUS TEXT COMMAND...: TEXT stands in the output, and nothing on standard error
contains() {
	checks=$((checks + 1))
	want=$1 text=$2
	shift 2
	run "$@"
	case $out in
	*"$text"*) [ "$status" = "$want" ] && [ -z "$err" ] && return ;;
	esac
	failures=$((failures + 1))
	printf 'FAILED: %s\n  status %s, expected %s; no "%s" in:\n%s\n%s\n' "$*" "$status" "$want" \
		"$text" "$out" "$err"
}

finish() {
	echo "Checks: $checks, Failures: $failures, Errors: 0"
	[ "$failures" = 0 ] && [ "$checks" -gt 0 ]
}
