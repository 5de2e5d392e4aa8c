# bash completion for attnscope. Commands, options and models are asked of the program itself, so that
# they are always those of the installed version.

# The words of the "commands:" list of attnscope --help.
_attnscope_commands() {
	"$1" --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

_attnscope_models() {
	"$1" models 2>/dev/null | sed '1d; s/ .*//'
}

# What "open" and "info" read, or "translate" writes.
_attnscope_formats() {
	if [ "$2" = open ] || [ "$2" = info ]; then
		"$1" open --help 2>/dev/null | sed -n '/^formats:/,$s/^  \([a-z0-9-]*\) .*/\1/p'
	elif [ "$2" = export ]; then
		echo "svg pdf png tex html txt ansi csv tsv json npz safetensors"
	else
		echo "text heatmap json tsv pharaoh"
	fi
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
		--color) words="auto always never" ;;
		--attention) words="soft hard topk: threshold:" ;;
		-f | --format) words=$(_attnscope_formats "$program" "$command") ;;
		--map) words="all cross encoder decoder" ;;
		--eos) words="auto yes no" ;;
		--kind) words="cross encoder decoder" ;;
		--scale) words="auto 0-1 row matrix log rank" ;;
		--cmap) words="viridis cividis magma grey coolwarm" ;;
		esac
		if [ -z "$words" ]; then
			case $cur in
			-*)
				words=$("$program" "$command" --help 2>/dev/null |
					sed -n 's/^  *\(-[a-z], \)*\(--[a-z-]*\).*/\2/p')
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
