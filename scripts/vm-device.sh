# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# vm-device.sh - sourced by vm: the device, mostly at the other end of the BAR
#
# Each device_NAME starts its firmware in the background, if it has one, and
# sets
#   firmware_pid     the process, empty if there is none
#   firmware_log     what it printed
#   guest_sim        parameters for dfx_sim.ko in the guest, empty: not loaded
# It uses aperture (a file that both sides map), aperture_mb, arch, firmware_args,
# arm_thread, doorbell, vectors and run (the directory of this run).
#
# device_server starts the ivshmem server that --doorbell needs, and sets
#   server_pid       the process
#   server_socket    where it listens

firmware_pid=
firmware_log=
server_socket=
# Seconds that the server may take to listen.
server_start_s=10
# Seconds that a firmware may take to write its identity page.
firmware_boot_s=20

# Where the bare-metal image finds its arguments: DFX_FW_ARGS in its memory map.
arm_ram_base=0x40000000
arm_args_off=0x200000
arm_args_max=4096

device_none() {
	:
}

device_server() {
	local deadline=$((SECONDS + server_start_s))

	server_socket=$run/ivshmem.sock
	die_with_parent "$build/dfx-ivshmem-server" --socket "$server_socket" \
		--memory "$aperture" --vectors "$vectors" \
		>"$run/server.log" 2>&1 </dev/null &
	server_pid=$!
	while [ ! -S "$server_socket" ]; do
		if ! kill -0 "$server_pid" 2>/dev/null ||
			[ "$SECONDS" -ge "$deadline" ]; then
			cat "$run/server.log" >&2
			die "--doorbell: the ivshmem server did not start"
		fi
		sleep 0.05
	done
}

device_sim() {
	case $firmware_args in
	*[\'\"\\]*) usage_error "--firmware has no quotes for the device sim" ;;
	esac
	# shellcheck disable=SC2034
	guest_sim="devices=1 arch=$arch aperture=$aperture_mb $firmware_args"
}

device_hosted() {
	local memory=(--aperture "$aperture")

	[ -z "$doorbell" ] || memory=(--server "$server_socket")
	firmware_log=$run/firmware.log
	# Words of the form key=value.
	# shellcheck disable=SC2086
	die_with_parent "$build/dfx-fw-hosted" "${memory[@]}" \
		arch="$arch" $firmware_args >"$firmware_log" 2>&1 </dev/null &
	firmware_pid=$!
	firmware_wait
}

device_arm() {
	local args=$run/firmware.args machine=virt,gic-version=2,memory-backend=ram
	local bell=() arm_vectors=0

	firmware_log=$run/firmware.log
	if [ -n "$doorbell" ]; then
		# Without highmem the bus lies where the image looks for it.
		machine+=,highmem=off
		arm_vectors=$vectors
		bell=(-chardev "socket,id=bell,path=$server_socket"
			-device "ivshmem-doorbell,chardev=bell,vectors=$vectors")
	fi
	printf 'arch=%s aperture=%s doorbell=%s %s\0' "$arch" "$aperture_mb" \
		"$arm_vectors" "$firmware_args" >"$args"
	[ "$(stat -c %s "$args")" -le "$arm_args_max" ] ||
		usage_error "--firmware is longer than $arm_args_max bytes"
	die_with_parent qemu-system-aarch64 \
		-M "$machine" ${bell[@]+"${bell[@]}"} \
		-object "memory-backend-file,id=ram,size=${aperture_mb}M,mem-path=$aperture,share=on" \
		-m "${aperture_mb}M" -smp "$(arm_cpus)" -cpu cortex-a72 \
		-accel "tcg,thread=$arm_thread" \
		-nodefaults -no-user-config -display none -no-reboot \
		-serial "file:$firmware_log" \
		-kernel "$build/dfx-fw-arm.elf" \
		-device "loader,file=$args,addr=$((arm_ram_base + arm_args_off)),force-raw=on" \
		>"$run/firmware.err" 2>&1 </dev/null &
	firmware_pid=$!
	firmware_wait
}

# One processor for each lane: the last lanes=N of the arguments, or the profile's.
arm_cpus() {
	local word lanes=4

	[ "$arch" != a5 ] || lanes=5
	for word in $firmware_args; do
		case $word in
		lanes=*) lanes=${word#lanes=} ;;
		esac
	done
	printf '%s\n' "$lanes"
}

# Waits for the identity page: "DFXI" in the first four bytes.
firmware_wait() {
	local deadline=$((SECONDS + firmware_boot_s))

	while [ "$(head -c 4 "$aperture" | tr -d '\0')" != DFXI ]; do
		if ! kill -0 "$firmware_pid" 2>/dev/null; then
			firmware_show
			fail "$EX_FIRMWARE" "the firmware ended before it had booted"
		fi
		if grep -qs "halted" "$firmware_log"; then
			firmware_show
			fail "$EX_FIRMWARE" "the firmware has halted"
		fi
		if [ "$SECONDS" -ge "$deadline" ]; then
			firmware_show
			fail "$EX_FIRMWARE" "the firmware did not boot in $firmware_boot_s s"
		fi
		sleep 0.05
	done
}

# firmware_check: fails if the firmware has ended by itself, and badly.
firmware_check() {
	local rc=0

	[ -n "$firmware_pid" ] && ! kill -0 "$firmware_pid" 2>/dev/null ||
		return 0
	wait "$firmware_pid" || rc=$?
	[ "$rc" -ne 0 ] || return 0
	firmware_show
	note "the firmware ended with status $rc while the guest ran"
	return 1
}

firmware_show() {
	local log

	for log in "$firmware_log" "$run/firmware.err"; do
		[ -s "$log" ] || continue
		note "the firmware's last words:"
		tail -n 20 "$log" | tr -d '\r' | sed 's/^/  | /' >&2
	done
}
