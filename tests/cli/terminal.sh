#!/bin/bash
# On a terminal: attnscope alone is the list of what there is, behind it the walk; q leaves it with status 0 and the terminal as it was.
. "$(dirname "$0")/lib.sh"
command -v tmux >/dev/null || exit 77
server=attnscope-terminal-$$
trap 'tmux -L $server kill-server 2>/dev/null; rm -rf "$work"' EXIT

# on_screen TEXT: polls until TEXT is on the screen, 10 seconds at most
on_screen() {
	checks=$((checks + 1))
	for _ in $(seq 100); do
		tmux -L "$server" capture-pane -p >"$work/screen"
		grep -qF -- "$1" "$work/screen" && return
		sleep 0.1
	done
	fail "no '$1' on the screen: $(cat "$work/screen")"
}

tmux -L "$server" -f /dev/null new-session -d -x 80 -y 24 \
	"stty -g >$work/before; '$attnscope'; echo status \$? >$work/status; stty -g >$work/after; cat"
on_screen "Lessons"
tmux -L "$server" send-keys q
on_screen "1 Walk "
tmux -L "$server" send-keys q
checks=$((checks + 2))
for _ in $(seq 100); do
	[ -s "$work/after" ] && break
	sleep 0.1
done
same "status after q" "status 0" "$(cat "$work/status")"
same "terminal settings" "$(cat "$work/before")" "$(cat "$work/after")"

finish
