/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * args.h - what a run is asked to be, from one line of text
 */
#ifndef DFX_FW_ARGS_H
#define DFX_FW_ARGS_H

#include <linux/dfx_layout.h>

/* Regions that the workload can write to, by their place in fw_regions[]. */
#define FW_SWIMLANE		0
#define FW_PMU			1
#define FW_TENSOR		2
#define FW_DEP_GEN		3
#define FW_ARGS			4
#define FW_SCOPE		5
#define FW_NR_REGIONS		6

#define FW_MAX_CORES		512

/**
 * struct fw_region_desc - a region that the workload writes to
 * @name: its name in arguments.
 * @subsys: DFX_SUBSYS_*.
 * @kind: kind of the records.
 * @per_core: there is a pool for each core; else one for each lane, or one alone.
 * @payloads: the records have payloads.
 */
struct fw_region_desc {
	const char *name;
	__u32 subsys;
	__u32 kind;
	int per_core;
	int payloads;
};

extern const struct fw_region_desc fw_regions[FW_NR_REGIONS];

/* Ways to break the protocol: &struct fw_args.fault. */
enum fw_fault {
	FW_FAULT_NONE,
	FW_FAULT_TAIL,
	FW_FAULT_FQHEAD,
	FW_FAULT_ACK,
	FW_FAULT_POOL,
	FW_FAULT_BUFFER,
	FW_FAULT_FOREIGN,
	FW_FAULT_OWNER,
	FW_FAULT_COUNT,
	FW_FAULT_COUNT0,
	FW_FAULT_SEQ,
	FW_FAULT_SESSION,
	FW_FAULT_LANE,
	FW_FAULT_FLAGS,
	FW_FAULT_GAP,
	FW_FAULT_ARENA,
	FW_NR_FAULT
};

/**
 * struct fw_args - arguments, defaults resolved
 * @arch: DFX_ARCH_*.
 * @lanes: writer threads.
 * @cores: AICore instances.
 * @swim: lanes dispatch to cores that write their own records; see swim.h.
 * @late: with that, a core writes its record before it tells FIN.
 * @exec_ns: mean length of a task.
 * @read_ns: what a core pays for reading its counter.
 * @clean_ns: for a line that is cleaned or invalidated.
 * @barrier_ns: for waiting until that has happened.
 * @workers: threads that are the cores, where the platform has them; 0: each lane
 *	is its own cores.
 * @regions: bit mask of FW_SWIMLANE and so on that a run writes to.
 * @subsystems: bit mask of DFX_SUBSYS_* that the device says it has.
 * @any: a run begins with the first of these that has a new session, and writes
 *	to those only; otherwise it waits for all of them.
 * @tasks: tasks of one run, over all lanes.
 * @payload: mean bytes of a payload.
 * @big: every so many payloads of a lane one is larger than the arena; 0: none.
 * @seed: seed of the records' contents.
 * @burst: tasks of a lane between two pauses, 0 for none.
 * @pause_us: length of such a pause.
 * @rate: tasks per second and lane, 0 for no limit.
 * @try: drop at once instead of waiting at a gate.
 * @watchdog_us: outer watchdog to declare.
 * @free: run without a session too.
 * @boot: boot number, 0 for one of the platform's choice.
 * @runs: runs of a lane until the firmware's end, 0 for no limit.
 * @aperture: aperture in MiB, where the platform cannot know it.
 * @doorbell: vectors of the doorbell, likewise; 0 for none.
 * @fault: how lane 0 breaks the protocol.
 * @fault_at: after so many published buffers.
 * @mute: lane that dies; PLAT_MAX_LANES and above for none.
 * @mute_at: after so many of its tasks; 0 for at boot.
 */
struct fw_args {
	__u32 arch;
	__u32 lanes;
	__u32 cores;
	__u32 swim;
	__u32 late;
	__u64 exec_ns;
	__u64 read_ns;
	__u64 clean_ns;
	__u64 barrier_ns;
	__u32 workers;
	__u32 regions;
	__u32 subsystems;
	__u32 any;
	__u64 tasks;
	__u64 payload;
	__u64 big;
	__u64 seed;
	__u64 burst;
	__u64 pause_us;
	__u64 rate;
	__u32 try;
	__u64 watchdog_us;
	__u32 free;
	__u32 boot;
	__u64 runs;
	__u64 aperture;
	__u32 doorbell;
	__u32 fault;
	__u32 fault_at;
	__u32 mute;
	__u64 mute_at;
};

/* What holds without arguments; 0 in what follows from others. */
void fw_args_init(struct fw_args *args);

/**
 * fw_args_set() - read arguments
 * @args: changed as told; in part, if it fails.
 * @text: key=value words between blanks, terminated by NUL.
 *
 * Return: 0; or -1 after a line on the console that names the word.
 */
int fw_args_set(struct fw_args *args, const char *text);

/* Fills in what is 0 and follows from others; at last. */
void fw_args_resolve(struct fw_args *args);

/* All three: 0, or -1 as fw_args_set(). */
int fw_args_parse(struct fw_args *args, const char *text);

#endif /* DFX_FW_ARGS_H */
