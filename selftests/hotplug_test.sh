#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# hotplug_test.sh - the device is pulled out of its slot while it is used; TAP
#
# Needs firmware that goes on by itself whoever its host is, QEMU's monitor on a
# port of the guest, and the aperture as QEMU's file 9, as with "scripts/vm --device
# hosted --monitor"; the driver bound to the only device, and dfx on the path.

. "$(dirname "$0")/tap.sh"

monitor=
for name in /sys/class/virtio-ports/*/name; do
	[ "$(cat "$name")" != dfx.monitor ] || monitor=/dev/$(basename "${name%/name}")
done
if [ -z "$monitor" ]; then
	echo "TAP version 13"
	echo "Bail out! no monitor: use scripts/vm --monitor"
	exit 1
fi

ask() {
	printf '%s\r\n' "$*" >"$monitor"
}

nodes() {
	find /sys/class/dfx -type l 2>/dev/null | wc -l
}

no_nodes() {
	[ "$(nodes)" -eq 0 ]
}

# The slot is empty, too: QEMU will take another device of that name.
pulled() {
	no_nodes && [ -z "$(find /sys/bus/pci/drivers/dfx -name '0000:*')" ] &&
		! grep -qs 0x1110 /sys/bus/pci/devices/*/device
}

pull() {
	ask device_del dfx
	soon pulled
}

plugged() {
	[ -c /dev/dfx0 ]
}

# The same memory as another object: QEMU does not plug in one a second time.
plugs=0
plug() {
	plugs=$((plugs + 1))
	ask object_add "memory-backend-file,id=aperture$plugs,size=64M,mem-path=/dev/fd/9,share=on"
	ask device_add "ivshmem-plain,id=dfx,memdev=aperture$plugs"
	soon plugged
}

# parked N: that many lanes of the first region wait at a gate.
parked() {
	[ "$(dfx stat /dev/dfx0 --json | tr , '\n' |
		grep -c '"state": *"parked_')" -eq "$1" ]
}

# ended PID: the process has ended; its status is in $rc.
ended() {
	soon dead "$1" || return 1
	wait "$1"
	rc=$?
}

dead() {
	! kill -0 "$1" 2>/dev/null
}

plan 17

plugged && [ "$(nodes)" -ge 1 ]
check $? "the device is there"

# ---- everything at once --------------------------------------------------------
# A reader that sleeps in read(), a monitor that asks for the state over and over,
# and a recorder that maps the rings and sleeps in WAIT.

cat /dev/dfx1 >"$dir/cat" 2>"$dir/cat.err" &
cat_pid=$!
dfx stat /dev/dfx0 --interval 0.01 >/dev/null 2>"$dir/stat.err" &
stat_pid=$!
dfx record -d /dev/dfx0 -o "$dir/first" >/dev/null 2>"$dir/record.err" &
record_pid=$!
soon [ -s "$dir/first" ] && soon [ -s "$dir/cat" ]
check $? "two regions record"
pull
check $? "the device leaves its slot"
ended "$cat_pid" && [ "$rc" -eq 1 ] && grep -q "No such device" "$dir/cat.err"
check $? "read() gives ENODEV"
ended "$stat_pid" && [ "$rc" -eq 1 ] && [ "$(wc -l <"$dir/stat.err")" -eq 1 ]
check $? "so does the state"
ended "$record_pid" && [ "$rc" -eq 1 ] && [ -s "$dir/record.err" ]
check $? "dfx record ends and says why"
[ "$rc" -eq 1 ] || cat "$dir/record.err"
dfx verify "$dir/first" >"$dir/log" 2>&1
[ $? -eq 1 ] && grep -qi "end" "$dir/log"
check $? "its file is a recording that was cut off"
[ -z "$(find /dev -name 'dfx[0-9]*')" ]
check $? "no node is left"

# ---- back again ----------------------------------------------------------------

plug
check $? "the device is plugged in again, and bound"
dfx record -d /dev/dfx0 -o "$dir/second" --run >"$dir/log" 2>&1 &&
	dfx verify "$dir/second" >"$dir/log" 2>&1 &&
	dfx-check-pattern "$dir/second" >"$dir/log" 2>&1
rc=$?
check "$rc" "the firmware has found its next host: every byte of a run"
[ "$rc" -eq 0 ] || say "$dir/log"

# ---- with a freeze open and every lane parked -----------------------------------

dfx policy /dev/dfx0 buffers=1,records=4,slots=1 >/dev/null 2>"$dir/log"
check $? "a small pool"
# So slow that the firmware's run is not over when it is stopped.
dfx record -d /dev/dfx0 -o "$dir/third" --slow-us 1000000 >/dev/null \
	2>"$dir/record.err" &
record_pid=$!
soon [ -s "$dir/third" ]
kill -STOP "$record_pid"
soon parked 4
rc=$?
check "$rc" "the recorder stands still and every lane waits"
[ "$rc" -eq 0 ] || dfx stat /dev/dfx0 | sed 's/^/# /'
pull
check $? "the device leaves its slot although the recorder holds buffers"
kill -CONT "$record_pid"
ended "$record_pid" && [ "$rc" -eq 1 ] && [ -s "$dir/record.err" ]
check $? "the recorder learns of it when it goes on"
plug
check $? "plugged in again"
dfx record -d /dev/dfx0 -o "$dir/fourth" --run >"$dir/log" 2>&1 &&
	dfx verify "$dir/fourth" >"$dir/log" 2>&1 &&
	dfx-check-pattern "$dir/fourth" >"$dir/log" 2>&1
rc=$?
check "$rc" "lanes that were parked have found the next host"
[ "$rc" -eq 0 ] || say "$dir/log"

# ---- over and over --------------------------------------------------------------

rounds=0
while [ "$rounds" -lt 10 ]; do
	dfx record -d /dev/dfx0 -o "$dir/r$rounds" >/dev/null 2>&1 &
	record_pid=$!
	if ! { soon [ -s "$dir/r$rounds" ] && pull && ended "$record_pid" &&
		[ "$rc" -eq 1 ] && plug; }; then
		break
	fi
	rounds=$((rounds + 1))
done
[ "$rounds" -eq 10 ]
check $? "ten times in the middle of a recording"
finish
