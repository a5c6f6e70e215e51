#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# tool_test.sh - the node and the dfx command as people use them; TAP
#
# Needs a device with firmware that ends each session's run by itself, as with
# "scripts/vm --device hosted --firmware 'tasks=20000 regions=swimlane'", and dfx
# on the path.

dev=/dev/dfx0
. "$(dirname "$0")/tap.sh"

# lanes_have RUNS: every lane has ended that many runs in this session.
lanes_have() {
	! dfx stat "$dev" --json | tr , '\n' | grep '"runs":' |
		grep -qv "\"runs\": *$1\$"
}

frozen() {
	dfx stat "$dev" --json | grep -q '"active": *1'
}

drained() {
	! dfx stat "$dev" --json | tr , '\n' |
		grep -E '"(ready|rq_fill)":' | grep -qv ': *0$'
}

# status EXPECTED COMMAND...: exits so, says so in one line on stderr only.
status() {
	want=$1
	shift
	"$@" >"$dir/out" 2>"$dir/err"
	got=$?
	if [ "$got" -ne "$want" ]; then
		echo "# $*: exit $got, not $want"
		return 1
	fi
	if [ -s "$dir/out" ] || [ "$(wc -l <"$dir/err")" -ne 1 ]; then
		echo "# $*: not one line on stderr"
		return 1
	fi
}

plan 11

[ -c "$dev" ] && [ "$(cat /sys/class/dfx/dfx0/subsys)" = l2_swimlane ]
check $? "the node is there, and sysfs says whose it is"

# ---- nothing but cat -----------------------------------------------------------

cat "$dev" >"$dir/plain" &
cat_pid=$!
soon lanes_have 1 && soon drained
check $? "cat starts a session, and every lane runs to its end"
dfx stop "$dev" >"$dir/log" 2>&1 && wait "$cat_pid"
check $? "STOP ends cat with status 0"
dfx verify "$dir/plain" >"$dir/log" 2>&1
rc=$?
check "$rc" "dfx verify finds its recording complete"
[ "$rc" -eq 0 ] || say "$dir/log"

# The pools have room for the whole run: nobody ever waits.
dfx report "$dir/plain" --json >"$dir/log"
grep -q '"opens"' "$dir/log" && grep -q '"marks"' "$dir/log" &&
	! tr ',{' '\n' <"$dir/log" |
		grep -E '"(opens|marks|push_waits|pop_waits)":' |
		grep -qv ': *0[]}]*$'
check $? "a cold session has no freeze, no mark and no wait"

# ---- a freeze that can be seen ----------------------------------------------------

# A reader that nobody drains: the pipe fills, then the free queues run dry.
dfx policy "$dev" records=16,buffers=2 >"$dir/log"
check $? "dfx policy"
mkfifo "$dir/fifo" "$dir/go"
cat "$dev" >"$dir/fifo" &
cat_pid=$!
{
	read -r _ <"$dir/go"
	cat >"$dir/slow"
} <"$dir/fifo" &
slow_pid=$!
soon frozen
check $? "dfx stat --json says active while a freeze is open"
echo go >"$dir/go"
soon lanes_have 1 && soon drained && ! frozen
check $? "the freeze ends when the reader goes on"
dfx stop "$dev" >"$dir/log" 2>&1 && wait "$cat_pid" && wait "$slow_pid" &&
	dfx verify "$dir/slow" >"$dir/log" 2>&1
rc=$?
check "$rc" "what was recorded meanwhile is complete"
[ "$rc" -eq 0 ] || say "$dir/log"

# ---- usage ------------------------------------------------------------------------

rc=0
status 2 dfx || rc=1
status 2 dfx no-such-command || rc=1
status 2 dfx stat || rc=1
status 2 dfx stat "$dev" --no-such-option || rc=1
status 2 dfx verify || rc=1
status 2 dfx record --no-such-option || rc=1
status 2 dfx policy "$dev" no_such_key=1 || rc=1
check "$rc" "bad usage: status 2 and one line on stderr"

rc=0
status 1 dfx stat /dev/dfx99 || rc=1
status 1 dfx verify "$dir/no-such-file" || rc=1
status 1 dfx stop "$dev" || rc=1
# A recording that lacks its last byte.
head -c -1 "$dir/plain" >"$dir/cut"
dfx verify "$dir/cut" >"$dir/log" 2>&1 && rc=1
check "$rc" "what cannot be done, and a torn recording: status 1"

finish
