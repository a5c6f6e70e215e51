// SPDX-License-Identifier: GPL-2.0-only
/*
 * recover.c - what a device that died has left in its current buffers
 *
 * The lane stores its count of records with release after each of them, so the
 * first count records of the current buffer are complete, even if the lane never
 * comes back to publish them.
 */
#include <linux/kernel.h>

#include "host.h"

static void dfx_recover_pool(struct dfx_host *host, u32 pool, u64 now_ns)
{
	const struct dfx_pool_geom *g = &host->geom.pools[pool];
	struct dfx_hpool *p = &host->pools[pool];
	struct dfx_buf *buf;
	u32 id, count, seq;

	/* Pairs with the release store in dfx_dev_commit(). */
	count = dfx_load32(host, dfx_off_pool(host, pool) +
			   offsetof(struct dfx_shm_pool, count));
	id = dfx_load32(host, dfx_off_pool(host, pool) +
			offsetof(struct dfx_shm_pool, cur_buffer));
	seq = dfx_load32(host, dfx_off_pool(host, pool) +
			 offsetof(struct dfx_shm_pool, seq));
	/* A dead device is no more to be trusted than a living one. */
	if (!count || count > g->capacity || seq != p->next_seq ||
	    id - g->first_buffer >= g->nr_buffers ||
	    host->bufs[id].owner != DFX_OWNER_DEVICE)
		return;

	buf = &host->bufs[id];
	buf->seq = seq;
	buf->count = count;
	buf->flags = DFX_ENTRY_PARTIAL;
	buf->recovered = true;
	buf->lost = 0;
	buf->time = 0;
	buf->ready_ns = now_ns;
	p->next_seq++;
	p->recovered = true;
	dfx_table_ready(host, g->lane, id);
}

/**
 * dfx_recover_lane() - make a silent lane's unpublished records READY
 * @host: the region; STOPPING.
 * @lane: a lane that has not answered the stop, not in FAULT.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * Once for each session. Not where records point into an arena: how far the
 * lane had used it was never told.
 */
void dfx_recover_lane(struct dfx_host *host, u32 lane, u64 now_ns)
{
	u32 pool;

	if (!host->lanes[lane].attached || host->geom.arena_units)
		return;
	for (pool = 0; pool < host->geom.nr_pools; pool++)
		if (host->geom.pools[pool].lane == lane &&
		    dfx_replenish_observe(host, pool))
			dfx_recover_pool(host, pool, now_ns);
}
