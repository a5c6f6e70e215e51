/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * policy.h - K=V,... and the policy of a region
 */
#ifndef DFX_TOOL_POLICY_H
#define DFX_TOOL_POLICY_H

#include "tool.h"

#define POLICY_KEYS \
	"  recovery=global|lane  freeze all lanes at a gate, or serve one alone\n" \
	"  buffers=N             buffers in each pool\n" \
	"  records=N             records in each buffer\n" \
	"  slots=N               free-queue depth, a power of two\n" \
	"  rq_depth=N            ready-queue depth, a power of two\n" \
	"  deadline_ms=N         longest wait of a lane at a gate\n" \
	"  linger_ms=N           how long a session without a consumer lasts\n" \
	"  delay_us=N            pause of the driver's thread before each pass\n" \
	"  arena_kb=N            each lane's arena in KiB, a power of two\n"

#define POLICY_NR_KEYS	9

/**
 * struct policy_change - which values to change, and to what
 * @set: bit i: the i-th key was named.
 * @value: by key.
 */
struct policy_change {
	unsigned int set;
	__u32 value[POLICY_NR_KEYS];
};

/* Add "K=V,..." to @change. 0 or an exit status. */
int policy_parse(const struct command *cmd, const char *arg,
		 struct policy_change *change);
/* Change what @change names and leave the rest. 0 or an exit status. */
int policy_apply(struct dfx *dfx, const struct policy_change *change);
void policy_print(const struct dfx_policy *policy);

#endif /* DFX_TOOL_POLICY_H */
