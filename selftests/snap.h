/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snap.h - STATE with all its arrays
 */
#ifndef DFX_TEST_SNAP_H
#define DFX_TEST_SNAP_H

#include <linux/dfx.h>

#include "fw.h"

struct snap {
	struct dfx_state s;
	struct dfx_lane_state lanes[FW_MAX_LANES];
	struct dfx_pool_state pools[FW_MAX_POOLS];
};

int snap_take(struct snap *snap, int fd);

/* Records of a pool that were dropped, whatever the reason. */
__u64 snap_dropped(const struct dfx_pool_state *pool);

/*
 * The device's buffers of a pool, wherever they are. What is READY or HELD is one
 * of them only if it has not been copied.
 */
__u32 snap_buffers(const struct dfx_pool_state *pool);

/* One value each, for conditions that are waited for; ~0 if STATE fails. */
__u32 snap_session_state(int fd);
__u32 snap_active(int fd, unsigned int gate);
__u32 snap_fault(int fd, unsigned int lane);
__u32 snap_lane_state(int fd, unsigned int lane);
__u64 snap_entries(int fd, unsigned int lane);
__u32 snap_rq_fill(int fd);
__u64 snap_passes(int fd);
__u32 snap_held(int fd);

#endif /* DFX_TEST_SNAP_H */
