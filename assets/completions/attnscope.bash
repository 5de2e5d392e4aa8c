# bash completion for attnscope. What can be completed is asked of the program's own help, so that it
# is always that of the installed version.

# The words of the "commands:" list of attnscope --help.
_attnscope_commands() {
	"$1" --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

_attnscope_models() {
	"$1" models 2>/dev/null | sed '1d; s/ .*//'
}

# The values that the help shows for an option as "--option a|b|c".
_attnscope_values() {
	"$1" "$2" --help 2>/dev/null |
		sed -n "s/.*$3[= ]\([^ ,]*|[^ ,]*\).*/\1/p" | head -n 1 | tr '|' '\n' | sed 's/:.*/:/'
}

_attnscope() {
	local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words= files=
	COMPREPLY=()
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [ "$COMP_CWORD" = 1 ]; then
		words="$(_attnscope_commands "$program") --help --version"
	elif [ "$command" = help ]; then
		words=$(_attnscope_commands "$program")
	else
		case $prev in
		-m | --model)
			words=$(_attnscope_models "$program")
			files=1
			;;
		--*) words=$(_attnscope_values "$program" "$command" "$prev") ;;
		esac
		if [ -z "$words" ]; then
			case $cur in
			-*)
				words=$("$program" "$command" --help 2>/dev/null |
					grep -o -e '--[a-z][a-z-]*' | sort -u)
				;;
			*)
				[ "$command" = corpus ] && [ "$COMP_CWORD" = 2 ] && words="gen check stats"
				files=1
				;;
			esac
		fi
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	[ -z "$files" ] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
}

complete -o filenames -F _attnscope attnscope
