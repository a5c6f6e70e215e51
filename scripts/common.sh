# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# common.sh - sourced by the other scripts: where things are, how to complain
#
# Sets: top (the repository), build (everything that is generated).

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${O:-$top/build}
me=${0##*/}

# insmod, modprobe and their like are not on every user's path.
PATH=$PATH:/usr/sbin:/sbin

# Exit status of every tool for bad usage.
EX_USAGE=2

note() {
	printf '%s: %s\n' "$me" "$*" >&2
}

die() {
	note "$@"
	exit 1
}

usage_error() {
	note "$* (try --help)"
	exit "$EX_USAGE"
}

# Prints the comment at the top of the calling script.
show_help() {
	awk 'NR > 2 && !/^#/ { exit }
	     NR > 2 { sub(/^# ?/, ""); print }' "$0"
}

# show_version: the version of the tree.
show_version() {
	printf '%s (dfx) %s\n' "$me" "$(cat "$top/VERSION")"
}

# build_tree TARGET...: make, quietly. What "make -j" hands down does not hold
# here; variables from its command line are in the environment as well.
build_tree() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
		make -s -j"$(nproc)" -C "$top" "$@"
}
