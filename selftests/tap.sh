#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# tap.sh - what the tests that are scripts have in common; sourced
#
# Sets $dir, a directory of the test's own that goes when it ends.

dir=$(mktemp -d /tmp/dfx-test.XXXXXX)
trap 'rm -rf "$dir"' EXIT
number=0
failed=0

# plan N: there will be so many tests.
plan() {
	echo "TAP version 13"
	echo "1..$1"
}

# check RC NAME: one test, passed if RC is 0.
check() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		failed=1
	fi
}

# say FILE: its lines as a comment.
say() {
	sed 's/^/# /' "$1"
}

# soon COMMAND...: until it succeeds; fails after about 30 s.
soon() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || return 1
		usleep 100000
	done
}

# finish: ends the test; 1 if any of it failed.
finish() {
	exit "$failed"
}
