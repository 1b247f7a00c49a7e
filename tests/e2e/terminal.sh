#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A command in a terminal sees a terminal: an editor works, its window's size changes, ^C and ^Z go where they should.
. "$(dirname "$0")/tap.sh"
tmux() { command tmux -L "assay-$$" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null; cleanup' EXIT

screen() { tmux capture-pane -p -t t 2>/dev/null; }
# wait_for REGEX: until the screen shows it
wait_for() {
	local i
	for i in $(seq 150); do
		screen | grep -qE -- "$1" && return 0
		sleep 0.1
	done
	screen | sed 's/^/# screen: /'
	return 1
}

tmux new-session -d -s t -x 90 -y 24 "env -i PATH='$PATH' HOME='$HOME' TERM=screen ASSAY_STORE='$ASSAY_STORE' ASSAY_SPOOL='$ASSAY_SPOOL' PS1='prompt> ' bash --norc --noprofile"
wait_for '^prompt>' || { echo "Bail out! no shell in tmux"; exit 1; }

tmux send-keys -t t "assay run -c none -- vi -u NONE $work/text" Enter
check "vi fills the screen" wait_for '^~ *$'
tmux send-keys -t t 'ihello from vi' Escape
sleep 0.3
tmux send-keys -t t ':wq' Enter
wait_for 'run 0[0-9A-Z]{25}' >/dev/null
equal "vi wrote what was typed" "$(cat "$work/text" 2>/dev/null)" "hello from vi"
tmux send-keys -t t 'clear; stty -a | grep -o "[-]*icanon"; stty -a | grep -oE " [-]?echo "' Enter
check "the terminal is as it was before" wait_for '^icanon'

tmux send-keys -t t "clear; assay run -c none -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size'" Enter
check "the command sees a terminal of the right size" wait_for '^24 90'

tmux send-keys -t t "clear; assay run -c none -- sh -c 'trap \"stty size; exit\" WINCH; echo waiting; while :; do sleep 0.1; done'" Enter
wait_for '^waiting' >/dev/null
tmux resize-window -t t -x 100 -y 30
check "a changed window reaches the command" wait_for '^30 100'

tmux send-keys -t t "clear; assay run -c none -- sleep 100; echo status=\$?" Enter
sleep 1
tmux send-keys -t t C-c
check "^C interrupts the command, and the status tells" wait_for 'status=130'

tmux send-keys -t t "clear; assay run -c none -- cat; echo status=\$?" Enter
sleep 1
tmux send-keys -t t 'typed' Enter
wait_for '^typed$' >/dev/null
tmux send-keys -t t C-d
check "^D ends what reads from the terminal" wait_for 'status=0'

# Stopped and continued as by a shell that runs the command itself.
tmux send-keys -t t "clear; assay run -c none -- sh -c 'echo begun; sleep 3; echo slept'" Enter
wait_for '^begun' >/dev/null
tmux send-keys -t t C-z
check "^Z stops the job" wait_for 'Stopped'
tmux send-keys -t t 'clear; fg; echo status=$?' Enter
check "and fg continues it" wait_for '^slept'
check "to its end" wait_for 'status=0'
like "marks tell of it" "$(assay dump --frames @0)" 'command\.stop'
like "also when it went on" "$(assay dump --frames @0)" 'command\.continue'

tmux send-keys -t t "clear; assay run -c none -- vi -u NONE $work/again" Enter
wait_for '^~ *$' >/dev/null
tmux send-keys -t t 'ibefore' Escape
wait_for '^before' >/dev/null
sleep 0.5
tmux send-keys -t t ':stop' Enter
check ":stop of an editor stops the job" wait_for 'Stopped'
tmux send-keys -t t 'clear; stty -a | grep -o "[-]*icanon"' Enter
check "the shell has its terminal back" wait_for '^icanon'
tmux send-keys -t t 'clear; fg' Enter
check "fg brings the editor back" wait_for '^before'
tmux send-keys -t t 'A and after' Escape
wait_for '^before and after' >/dev/null
sleep 0.5
tmux send-keys -t t C-z
check "^Z of an editor stops it, too" wait_for 'Stopped'
tmux send-keys -t t 'clear; fg' Enter
wait_for '^before and after' >/dev/null
tmux send-keys -t t ':wq' Enter
wait_for 'run 0[0-9A-Z]{25}' >/dev/null
equal "vi wrote what was typed around its stops" "$(cat "$work/again" 2>/dev/null)" "before and after"
like "nothing is left behind" "$(pgrep -fc "vi -u NONE $work/again")" '^0$'
done_testing
