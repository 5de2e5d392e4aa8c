#!/bin/bash
# The command line as a whole: help, version, what is not understood, and standard output that fails.
. "$(dirname "$0")/lib.sh"

commands="walk translate eval train corpus models info"

contains 0 "usage: attnscope COMMAND" attnscope
contains 0 "usage: attnscope COMMAND" attnscope --help
contains 0 "usage: attnscope COMMAND" attnscope -h
contains 0 "usage: attnscope COMMAND" attnscope help
contains 0 "open       show the attention" attnscope --help
check 0 "attnscope $(sed -n "s/^  version: '\(.*\)',/\1/p" "$(dirname "$0")/../../meson.build")" '' \
	attnscope --version

check 2 '' "attnscope: there is no command 'wlak'; did you mean 'walk'?" attnscope wlak
check 2 '' "attnscope: there is no command 'zzzzzz'; see 'attnscope --help'" attnscope zzzzzz
check 2 '' "attnscope: there is no command 'zz'; see 'attnscope --help'" attnscope help zz
check 2 '' "attnscope: there is no option '--nosuch'; see 'attnscope --help'" attnscope --nosuch
check 2 '' "attnscope: there is no command ''; see 'attnscope --help'" attnscope ''
# what is quoted cannot steer the terminal
check 2 '' "attnscope: there is no command '␛]0;x␇'; see 'attnscope --help'" \
	attnscope "$(printf '\033]0;x\007')"
check 2 '' "attnscope: there is no command '\\xff\\xfe'; see 'attnscope --help'" \
	attnscope "$(printf '\377\376')"

for command in $commands; do
	contains 0 "  $command " attnscope --help
	contains 0 "usage: attnscope $command" attnscope "$command" --help
	contains 0 "usage: attnscope $command" attnscope help "$command"
	check 2 '' "attnscope $command: there is no option '--nosuch'; see 'attnscope $command --help'" \
		attnscope "$command" --nosuch
	check 2 '' "attnscope $command: there is no option '-Z'; see 'attnscope $command --help'" \
		attnscope "$command" -Z
	check 2 '' "attnscope $command: the option '--help' takes no value; see 'attnscope $command --help'" \
		attnscope "$command" --help=1
	# help fits a terminal
	checks=$((checks + 1))
	same "$command --help fits 80 columns" '' \
		"$(attnscope "$command" --help | awk 'length > 80')"
done

check 2 '' "attnscope info: which file?; see 'attnscope info --help'" attnscope info
check 2 '' "attnscope info: 'b' is one argument too many; see 'attnscope info --help'" attnscope info a b
check 2 '' "attnscope models: 'b' is one argument too many; see 'attnscope models --help'" \
	attnscope models b

# standard output: a full disk and a closed one are failures, a closed pipe is no news
to_full() { "$attnscope" "$@" >/dev/full; }
to_closed() { "$attnscope" "$@" >&-; }
to_pipe() { "$attnscope" "$@" | true; echo "${PIPESTATUS[0]}"; }
full="attnscope: cannot write to standard output: No space left on device"
closed="attnscope: cannot write to standard output: Bad file descriptor"
for command in --help --version "walk --help" "models --json" models; do
	# shellcheck disable=SC2086
	check 1 '' "$full" to_full $command
	# shellcheck disable=SC2086
	check 1 '' "$closed" to_closed $command
done
ignore_pipe() { (trap '' PIPE && to_pipe --help); }
for status_of in "to_pipe --help" ignore_pipe; do
	checks=$((checks + 1))
	# shellcheck disable=SC2086
	run $status_of
	case $out in
	0 | 141) [ -z "$err" ] || fail "$status_of: $err" ;;
	*) fail "$status_of: status $out, expected 0 or 141" ;;
	esac
done

finish
