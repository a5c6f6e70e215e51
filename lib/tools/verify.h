/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * verify.h - is everything there that a session had?
 */
#ifndef DFX_VERIFY_H
#define DFX_VERIFY_H

#include "sessions.h"

/**
 * struct verdict - what a session's frames add up to, each counted once
 * @records: records.
 * @buffers: buffers.
 * @twice: buffers that were there a second time, alike and marked so.
 * @checked: frames whose checksum is right.
 * @unchecked: frames that carry none.
 */
struct verdict {
	__u64 records;
	__u64 buffers;
	__u64 twice;
	__u64 checked;
	__u64 unchecked;
};

/* @set must have kept its references. 0, or -errno if a file went away. */
int verify_session(struct sessions *set, struct session *s, struct problems *p,
		   struct verdict *v);

#endif /* DFX_VERIFY_H */
