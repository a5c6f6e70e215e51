// SPDX-License-Identifier: GPL-2.0-only
/*
 * state.c - figures for user space, by ioctl and in recordings
 */
#include "dfx_drv.h"

/**
 * dfx_state_lane() - one lane
 * @region: the region; locked, not gone.
 * @lane: the lane.
 * @out: filled in.
 */
void dfx_state_lane(struct dfx_region *region, u32 lane,
		    struct dfx_lane_state *out)
{
	dfx_account_lane(&region->host, lane, region->info.counter_hz, out);
	if (region->attached & BIT_ULL(lane))
		out->flags |= DFX_LANE_F_CONSUMER;
}

/**
 * dfx_state_pool() - one pool, as a file sees it
 * @f: the file; region locked, not gone.
 * @pool: the pool.
 * @out: filled in.
 */
void dfx_state_pool(struct dfx_file *f, u32 pool, struct dfx_pool_state *out)
{
	dfx_account_pool(&f->region->host, pool, out);
	if (!f->lanes || f->share_session != f->region->host.session)
		return;
	out->delivered_here = f->shares[pool].delivered;
	out->first_seq_here = f->shares[pool].first_seq;
}

/**
 * dfx_state_pool_info() - geometry of one pool
 * @region: the region; locked.
 * @pool: the pool.
 * @out: filled in.
 */
void dfx_state_pool_info(const struct dfx_region *region, u32 pool,
			 struct dfx_pool_info *out)
{
	const struct dfx_pool_geom *g = &region->host.geom.pools[pool];

	*out = (struct dfx_pool_info){
		.pool = pool,
		.kind = g->kind,
		.instance = g->instance,
		.lane = g->lane,
		.buffers = g->nr_buffers,
		.first_buffer = g->first_buffer,
		.record_size = g->record_size,
		.capacity = g->capacity,
		.stride = g->stride,
		.slots = g->slots,
		.buf_off = g->data_off,
	};
}
