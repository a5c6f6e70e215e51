// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * names.c - numbers of the ABI as words
 */
#include "names.h"

#define COUNT(table)	(sizeof(table) / sizeof(*(table)))

static const char *lookup(const char *const *names, size_t nr, __u32 v)
{
	return v < nr && names[v] ? names[v] : "unknown";
}

const char *arch_name(__u32 v)
{
	static const char *const names[] = {
		[DFX_ARCH_A2A3] = "a2a3",
		[DFX_ARCH_A5] = "a5",
	};

	return lookup(names, COUNT(names), v);
}

const char *isa_name(__u32 v)
{
	static const char *const names[] = {
		[DFX_ISA_AARCH64] = "aarch64",
		[DFX_ISA_X86_64] = "x86_64",
		[DFX_ISA_ARMV7] = "armv7",
		[DFX_ISA_RISCV64] = "riscv64",
	};

	return lookup(names, COUNT(names), v);
}

const char *recovery_name(__u32 v)
{
	static const char *const names[] = {
		[DFX_RECOVERY_GLOBAL] = "global",
		[DFX_RECOVERY_LANE] = "lane",
	};

	return lookup(names, COUNT(names), v);
}

const char *session_state_name(__u32 v)
{
	static const char *const names[] = {
		[DFX_SESSION_IDLE] = "idle",
		[DFX_SESSION_RUNNING] = "running",
		[DFX_SESSION_STOPPING] = "stopping",
		[DFX_SESSION_DRAINING] = "draining",
	};

	return lookup(names, COUNT(names), v);
}

const char *lane_state_name(__u32 v)
{
	static const char *const names[] = {
		[DFX_LANE_IDLE] = "idle",
		[DFX_LANE_RUNNING] = "running",
		[DFX_LANE_PARKED_PUSH] = "parked_push",
		[DFX_LANE_PARKED_POP] = "parked_pop",
		[DFX_LANE_HOST_GONE] = "host_gone",
		[DFX_LANE_FAULT] = "fault",
	};

	return lookup(names, COUNT(names), v);
}

const char *fault_name(__u32 v)
{
	static const char *const names[DFX_NR_FAULT] = {
		[DFX_FAULT_NONE] = "none",
		[DFX_FAULT_RQ_TAIL] = "rq_tail",
		[DFX_FAULT_FQ_HEAD] = "fq_head",
		[DFX_FAULT_POOL] = "pool",
		[DFX_FAULT_BUFFER] = "buffer",
		[DFX_FAULT_OWNER] = "owner",
		[DFX_FAULT_COUNT] = "count",
		[DFX_FAULT_SEQ] = "seq",
		[DFX_FAULT_FLAGS] = "flags",
		[DFX_FAULT_SESSION] = "session",
		[DFX_FAULT_ARENA] = "arena",
	};

	return lookup(names, COUNT(names), v);
}

const char *gate_name(__u32 v)
{
	static const char *const names[DFX_NR_GATE] = {
		[DFX_GATE_RQ] = "rq",
		[DFX_GATE_FQ] = "fq",
	};

	return lookup(names, COUNT(names), v);
}

const char *drop_name(__u32 v)
{
	static const char *const names[DFX_NR_DROP] = {
		[DFX_DROP_PUSH_TIMEOUT] = "push_timeout",
		[DFX_DROP_POP_TIMEOUT] = "pop_timeout",
		[DFX_DROP_HOST_GONE] = "host_gone",
		[DFX_DROP_WOULD_BLOCK] = "would_block",
		[DFX_DROP_FAULT] = "fault",
		[DFX_DROP_HOST_FAULT] = "host_fault",
		[DFX_DROP_HOST_DISCARD] = "host_discard",
		[DFX_DROP_ARENA_TIMEOUT] = "arena_timeout",
	};

	return v < DFX_NR_DROP ? names[v] : NULL;
}
