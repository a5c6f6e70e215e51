#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# swim_test.sh - cores that write their own records; TAP
#
# Needs firmware with workload=swim, whose run is of many buffers on each core and
# lasts a second or more, and dfx on the path.

. "$(dirname "$0")/tap.sh"

# result RC NAME: check, and what is in the log.
result() {
	check "$1" "$2"
	say "$dir/log"
}

# produced: records of the last recording.
produced() {
	sed -n 's/^dfx: \([0-9]*\) produced.*/\1/p' "$dir/log"
}

plan 6

dfx record -d l2_swimlane --level 4 -o "$dir/four" --run >"$dir/log" 2>&1
result $? "level 4: nothing is lost"
whole=$(produced)
dfx verify "$dir/four" >"$dir/log" 2>&1
result $? "dfx verify finds it complete"
dfx-check-swim "$dir/four" >"$dir/log" 2>&1 &&
	grep -q '[1-9][0-9]* tasks joined, [1-9][0-9]* phases, 0 lost' "$dir/log"
result $? "each task has a record of its core and one of its lane"

dfx record -d l2_swimlane --level 1 -o "$dir/one" --run >"$dir/log" 2>&1 &&
	dfx-check-swim "$dir/one" >>"$dir/log" 2>&1 &&
	grep -q ' 0 tasks joined, 0 phases, 0 lost' "$dir/log"
result $? "level 1: the cores' records alone"

# A STOP in the middle: what the cores have begun is part of it.
dfx record -d l2_swimlane --level 4 -o "$dir/cut" --duration 0.2 >"$dir/log" 2>&1 &&
	dfx verify "$dir/cut" >>"$dir/log" 2>&1 &&
	[ "$(produced)" -lt "$whole" ]
result $? "STOP in the middle of a run: nothing is lost"
dfx record -d l2_swimlane --level 2 -o "$dir/next" --run >"$dir/log" 2>&1 &&
	dfx-check-swim "$dir/next" >>"$dir/log" 2>&1 &&
	grep -q '[1-9][0-9]* tasks joined, 0 phases, 0 lost' "$dir/log"
result $? "and the next session begins anew"

finish
