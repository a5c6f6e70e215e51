# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# vm-kernel.sh - sourced by vm: which kernel the guest boots
#
# kernel_resolve NAME sets
#   kernel_release   its release
#   kernel_image     the file to boot
#   kernel_modules   its /lib/modules/RELEASE
#   kernel_append    what its command line needs beyond the usual
#   kernel_dfx_ko    dfx.ko built for it; empty if there is none
#   kernel_sim_ko    dfx_sim.ko, likewise
#   kernel_more_ko   other modules that the guest gets, not loaded by itself
# or exits 2 with a line that says what to do.

kernel_append=
kernel_more_ko=()

# A kernel of the distribution, by series.
kernel_debian() {
	kernel_release=$("$top/scripts/kver" "$1") ||
		usage_error "no $1 kernel with headers in /boot and /lib/modules: install linux-image-cloud-amd64 and linux-headers-cloud-amd64 of that series"
	kernel_image=/boot/vmlinuz-$kernel_release
	kernel_modules=/lib/modules/$kernel_release
	kernel_dfx_ko=$top/driver/dfx.ko
	kernel_sim_ko=$top/driver/sim/dfx_sim.ko
}

# A kernel of ours, with everything built in; dfx.ko is built beside it, from a
# copy of the sources, so that the tree's own stays the distribution's.
kernel_built() {
	local dir src

	dir=$("$top/scripts/kernel/build" "$1") || exit 1
	kernel_release=$(cat "$dir/include/config/kernel.release")
	kernel_image=$dir/bzImage
	kernel_modules=$dir/none/lib/modules/$kernel_release
	# A splat must end the run, not only be found in the log.
	# KASAN reports the per-CPU area of a guest with five-level page tables. The
	# machine's interrupt routing is a loop in AML that takes such a kernel half
	# a minute, and nothing here needs it.
	kernel_append="panic_on_warn=1 kmemleak=on no5lvl pci=noacpi"
	src=$build/kernel-$1
	mkdir -p "$src"
	kernel_dfx_ko=$src/driver/dfx.ko
	kernel_sim_ko=$src/driver/sim/dfx_sim.ko
	kernel_more_ko=("$src/kmod/planted.ko")
	(
		flock 8
		mkdir -p "$src/lib" "$src/selftests"
		cp -ru "$top/driver" "$top/uapi" "$top/Kbuild" \
			"$top/selftests/kmod" "$src"
		cp -ru "$top/lib/device" "$src/lib"
		cp -ru "$top/selftests/firmware" "$src/selftests"
		find "$src/driver" -name '*.mod' -delete -o -name '*.mod.c' -delete
		make -s -C "$dir" M="$src" modules
		make -s -C "$dir" M="$src/kmod" modules
	) 8>"$build/kernel-$1.lock" >"$src/build.log" 2>&1 || {
		tail -n 20 "$src/build.log" >&2
		die "dfx.ko did not build for the $1 kernel"
	}
}

kernel_resolve() {
	case $1 in
	6.1 | 6.12) kernel_debian "$1" ;;
	debug) kernel_built debug ;;
	latest | kcsan)
		usage_error "kernel '$1' is not in this version: use --kernel 6.1" ;;
	*) usage_error "no kernel '$1': 6.1, 6.12, latest, debug or kcsan" ;;
	esac
}

# kernel_check_module: 2 if dfx.ko is there but was built for another kernel.
kernel_check_module() {
	local for_release
	[ -e "$kernel_dfx_ko" ] || return 0
	for_release=$(modinfo -F vermagic "$kernel_dfx_ko")
	[ "${for_release%% *}" = "$kernel_release" ] ||
		usage_error "${kernel_dfx_ko#"$top"/} is for ${for_release%% *}: run make modules KVER=$kernel_release"
}
