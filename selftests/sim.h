/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim.h - software devices of dfx_sim.ko, and whether they record what they should
 */
#ifndef DFX_TEST_SIM_H
#define DFX_TEST_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/dfx.h>

#include "fw.h"
#include "ring.h"

#define SIM_DIR		"/sys/kernel/config/dfx_sim"
#define SIM_MODULE	"/dfx/modules/dfx_sim.ko"

/* All by the name of the directory; 0 or -errno. */
int sim_make(const char *name);
int sim_remove(const char *name);
int sim_set(const char *name, const char *attr, const char *value);
int sim_get(const char *name, const char *attr, char *value, size_t len);

/* Opens the node of a subsystem of it; -1 with errno. */
int sim_node(const char *name, const char *subsys);

/**
 * struct sim_check - what of a session was received
 * @seed: of the firmware.
 * @subsys: DFX_SUBSYS_*.
 * @gaps: buffers may be missing, if the next one of the pool says so.
 * @session: 0 until the first buffer.
 * @next_seq: by pool.
 * @records: records received, every byte as the firmware has written it.
 * @lost: records that were lost before others.
 * @recovered: buffers that a silent lane had left.
 * @why: first complaint.
 */
struct sim_check {
	__u64 seed;
	__u32 subsys;
	bool gaps;
	__u64 session;
	__u32 next_seq[FW_MAX_POOLS];
	__u64 records;
	__u64 lost;
	__u64 recovered;
	char why[160];
};

/* A DATA frame and its records: 0, or -1 with @why. */
int sim_check_frame(struct sim_check *c, const struct dfx_frame *f,
		    const void *records);

/* Takes, checks and releases all there is now: buffers, or -1 with @why. */
int sim_check_drain(struct sim_check *c, struct ring *r);

#endif /* DFX_TEST_SIM_H */
