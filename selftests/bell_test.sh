#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# bell_test.sh - a device that rings, as people use it; TAP
#
# Needs a device with a doorbell and firmware that ends each session's run by itself,
# but not before the kthread has fallen asleep, as with "scripts/vm --doorbell --device
# hosted --firmware rate=200", and dfx on the path.

. "$(dirname "$0")/tap.sh"

# interrupts NODE: those of its vector so far, on all processors.
interrupts() {
	awk -v node="$1" '$NF == node || $0 ~ " " node "," {
		for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i
		found = 1 }
		END { if (found) print n + 0; else exit 1 }' /proc/interrupts
}

passes() {
	dfx stat "$1" --json | tr ,{} '\n' | sed -n 's/^ *"passes": *//p'
}

plan 7

rc=0
for node in dfx0 dfx1 dfx2; do
	interrupts "$node" >"$dir/before.$node" || rc=1
done
check "$rc" "each region has an interrupt"
[ "$rc" -eq 0 ] || say /proc/interrupts

dfx record -o "$dir/rec" --run >"$dir/log" 2>&1
rc=$?
check "$rc" "dfx record of all regions"
say "$dir/log"
dfx verify "$dir/rec" >"$dir/log" 2>&1
check $? "dfx verify finds it complete"
dfx-check-pattern "$dir"/rec/*.dfx >"$dir/log" 2>&1
rc=$?
check "$rc" "every byte is what the firmware wrote"
say "$dir/log"

rc=0
for node in dfx0 dfx1 dfx2; do
	n=$(($(interrupts "$node") - $(cat "$dir/before.$node")))
	echo "# $node: $n interrupts, $(passes "$node") passes"
	[ "$n" -ge 1 ] || rc=1
done
check "$rc" "each region was rung for"

# A session in which nothing happens any more.
cat /dev/dfx0 >"$dir/idle" &
cat_pid=$!
sleep 3
before=$(passes dfx0)
sleep 4
n=$((($(passes dfx0) - before) / 4))
echo "# $n passes a second"
[ "$n" -le 100 ]
check $? "an idle session: no more than 100 passes a second"
dfx stop dfx0 >"$dir/log" 2>&1
wait "$cat_pid"
sleep 1
before=$(passes dfx0)
sleep 2
[ "$(passes dfx0)" -eq "$before" ]
check $? "no session: none"

finish
