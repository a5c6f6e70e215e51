/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * snapshot.h - a region's state with arrays that fit
 */
#ifndef DFX_SNAPSHOT_H
#define DFX_SNAPSHOT_H

#include <dfx/dfx.h>
#include <stdbool.h>

/**
 * struct snapshot - state and its arrays
 * @state: nr_lanes and nr_pools are the arrays' lengths.
 * @lanes: freed by snapshot_free().
 * @pools: likewise.
 * @cap_lanes: room in @lanes.
 * @cap_pools: room in @pools.
 */
struct snapshot {
	struct dfx_state state;
	struct dfx_lane_state *lanes;
	struct dfx_pool_state *pools;
	unsigned int cap_lanes;
	unsigned int cap_pools;
};

/* Start from a zeroed structure; can be repeated. 0 or -errno. */
int snapshot_take(struct dfx *dfx, struct snapshot *s);

/*
 * The same without the pools, whose figures then say nothing. For who asks often:
 * a driver may have to copy what it answers from the device.
 */
int snapshot_take_lanes(struct dfx *dfx, struct snapshot *s);
void snapshot_free(struct snapshot *s);
/* Every lane of the session has reported the end of a run. */
bool snapshot_runs_complete(const struct snapshot *s);

#endif /* DFX_SNAPSHOT_H */
