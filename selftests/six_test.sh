#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# six_test.sh - two devices, six regions each, recorded at the same time; TAP
#
# Needs one device with all subsystems, whose firmware has seed 7 and ends each
# session's run by itself, as with "scripts/vm --device hosted --aperture 128
# --firmware 'subsystems=63 seed=7 tasks=4000'", dfx on the path, and dfx_sim.ko,
# which is the second one; udevadm for the links.

. "$(dirname "$0")/tap.sh"

subsystems="args_dump dep_gen l2_swimlane pmu scope_stats tensor_dump"

nodes() {
	find /sys/class/dfx -type l 2>/dev/null | wc -l
}

twelve() {
	[ "$(nodes)" -eq 12 ]
}

# regions_of PARENT: names of its regions, in order.
regions_of() {
	for node in /sys/class/dfx/*; do
		[ "$(cat "$node/parent")" != "$1" ] || cat "$node/subsys"
	done | sort | tr '\n' ' ' | sed 's/ $//'
}

parents() {
	cat /sys/class/dfx/*/parent | sort -u
}

# recorded_by PARENT: its recordings.
recorded_by() {
	for node in /sys/class/dfx/*; do
		[ "$(cat "$node/parent")" != "$1" ] ||
			echo "$dir/rec/$(basename "$node")-$(cat "$node/subsys").dfx"
	done
}

# linked: every node has its link in /dev/dfx, and there is no other.
linked() {
	[ "$(find /dev/dfx -type l 2>/dev/null | wc -l)" -eq 12 ] || return 1
	for node in /sys/class/dfx/*; do
		link=/dev/dfx/$(cat "$node/parent")/$(cat "$node/subsys")
		[ "$(readlink -f "$link")" = "/dev/$(basename "$node")" ] ||
			return 1
	done
}

# udevd: as every distribution starts it; it goes by its name.
udevd() {
	ln -s "$(command -v udevadm)" "$dir/systemd-udevd" &&
		"$dir/systemd-udevd" --daemon &&
		udevadm trigger --action=add --subsystem-match=dfx &&
		udevadm settle
}

plan 10

find /lib/modules /dfx -name configfs.ko -exec insmod {} \;
insmod /dfx/modules/dfx_sim.ko devices=1 arch=a5 lanes=5 cores=16 \
	subsystems=63 aperture=128 seed=9 tasks=4000 delay_us=20 &&
	soon twelve
check $? "twelve nodes"
[ "$(parents | wc -l)" -eq 2 ]
check $? "of two devices"
rc=0
for parent in $(parents); do
	[ "$(regions_of "$parent")" = "$subsystems" ] || rc=1
done
check "$rc" "each has every subsystem, by its name"

udevd >"$dir/log" 2>&1 && soon linked
rc=$?
check "$rc" "udev links each by its device and its name"
[ "$rc" -eq 0 ] || say "$dir/log"
rc=0
for link in /dev/dfx/*/*; do
	dfx info "$link" >"$dir/log" 2>&1 || rc=1
done
check "$rc" "and dfx takes them"

# Pools so small that lanes of both wait, in all regions at the same time.
rc=0
for node in /dev/dfx[0-9]*; do
	dfx policy "$node" records=16,buffers=2 >"$dir/log" 2>&1 || rc=1
done
check "$rc" "pools of 2 buffers of 16 records"
dfx record -o "$dir/rec" --run >"$dir/log" 2>&1
check $? "dfx record of all twelve"
say "$dir/log"
dfx verify "$dir/rec" >"$dir/log" 2>&1
rc=$?
check "$rc" "dfx verify finds all of them complete"
[ "$rc" -eq 0 ] || say "$dir/log"

for parent in $(parents); do
	case $parent in
	dfx_sim*) seed=9 ;;
	*) seed=7 ;;
	esac
	# shellcheck disable=SC2046 # one word for each file
	dfx-check-pattern --seed "$seed" $(recorded_by "$parent") >"$dir/log" 2>&1
	rc=$?
	check "$rc" "every byte is what the firmware wrote, seed $seed"
	say "$dir/log"
done

finish
