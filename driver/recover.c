// SPDX-License-Identifier: GPL-2.0-only
/*
 * recover.c - what a device that died has left in its current buffers
 *
 * The lane stores its count of records with release after each of them, so the
 * first count records of the current buffer are complete, even if the lane never
 * comes back to publish them. So are their payloads: each is written before its
 * record is counted.
 */
#include <linux/kernel.h>
#include <asm/byteorder.h>

#include "host.h"

/*
 * How far the lane had used its arena for the first @count records of a buffer:
 * payloads follow each other, so that the last record which has one says so. A
 * lane's word with the position would cost a store for each record and could be
 * trusted no more.
 *
 * False if that record cannot be true. Then it is not a record that the engine
 * has counted, and nothing is known of the others. They stay in flight, as they
 * do when the pool's words do not fit together: given out without payloads they
 * would be delivered in the account, and their payloads would be lost without a
 * word.
 */
static bool dfx_recover_share(struct dfx_host *host, u32 pool, u32 id,
			      u32 count, u32 *end)
{
	const struct dfx_pool_geom *g = &host->geom.pools[pool];
	u64 off = g->buf_off + (u64)(id - g->first_buffer) * g->stride;
	struct dfx_rec_dump rec;

	*end = (u32)host->lanes[g->lane].arena_tail;
	if (!host->geom.arena_units)
		return true;
	while (count--) {
		/* Once: the lane may not be dead, or not alone. */
		if (host->io.ops->read(&host->io,
				       off + (u64)count * g->record_size, &rec,
				       sizeof(rec)))
			return false;
		if (rec.payload_size)
			return dfx_arena_reach(host, g->lane, &rec, end);
	}
	return true;
}

/* The first @count records of a buffer that the lane has not published. */
static void dfx_recover_buffer(struct dfx_host *host, u32 pool, u32 id,
			       u32 count, u64 now_ns)
{
	const struct dfx_pool_geom *g = &host->geom.pools[pool];
	struct dfx_hpool *p = &host->pools[pool];
	struct dfx_buf *buf;
	u32 target, end;

	/* A dead device is no more to be trusted than a living one. */
	if (!count || count > g->capacity ||
	    id - g->first_buffer >= g->nr_buffers ||
	    host->bufs[id].owner != DFX_OWNER_DEVICE ||
	    !dfx_recover_share(host, pool, id, count, &end))
		return;
	target = dfx_table_target(host, id);
	if (target == DFX_NIL || dfx_fetch_buffer(host, id, target, count) ||
	    dfx_fetch_share(host, g->lane, end))
		return;

	buf = &host->bufs[target];
	buf->seq = p->next_seq;
	buf->count = count;
	buf->flags = DFX_ENTRY_PARTIAL;
	buf->recovered = true;
	buf->lost = p->uncopied_untold;
	buf->time = 0;
	buf->ready_ns = now_ns;
	p->next_seq++;
	p->recovered += count;
	p->uncopied_untold = 0;
	dfx_table_ready(host, g->lane, id, target);
	dfx_arena_add(host, g->lane, target, end);
}

static u32 dfx_recover_word(struct dfx_host *host, u32 pool, u32 off)
{
	return dfx_load32(host, dfx_off_pool(host, pool) + off);
}

#define DFX_WORD(host, pool, field) \
	dfx_recover_word(host, pool, offsetof(struct dfx_shm_pool, field))

/*
 * Full buffers that the lane kept back until a core had written the last record,
 * then the current one. A lane that died while it moved one from the one place to
 * the other has it in both; it is taken once, since then it is no longer DEVICE.
 */
static void dfx_recover_pool(struct dfx_host *host, u32 pool, u64 now_ns)
{
	u32 count, id, first, nr, i;

	/* The count, then what it counts, and what it was counted in. */
	if (dfx_pull_pool_line(host, pool,
			       offsetof(struct dfx_shm_pool, count)) ||
	    dfx_pull_pool_line(host, pool, 0))
		return;
	/* Pairs with the release stores in dfx_dev_commit(), dfx_dev_core_give(). */
	count = DFX_WORD(host, pool, count);
	/* Pairs with the release store in dfx_dev_core_stash(). */
	nr = DFX_WORD(host, pool, stash_next);
	first = DFX_WORD(host, pool, stash_first);
	nr -= first;
	id = DFX_WORD(host, pool, cur_buffer);
	if (DFX_WORD(host, pool, seq) != host->pools[pool].next_seq ||
	    nr > DFX_NR_STASH)
		return;
	for (i = first; i != first + nr; i++) {
		/* Pairs with the release store in dfx_dev_core_tell(). */
		u32 stashed = DFX_WORD(host, pool,
				       stash[i % DFX_NR_STASH].count);

		dfx_recover_buffer(host, pool,
				   DFX_WORD(host, pool,
					    stash[i % DFX_NR_STASH].buffer),
				   stashed, now_ns);
	}
	dfx_recover_buffer(host, pool, id, count, now_ns);
}

/**
 * dfx_recover_lane() - make a silent lane's unpublished records READY
 * @host: the region; STOPPING.
 * @lane: a lane that has not answered the stop, not in FAULT; its pools pulled.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * Once for each session.
 */
void dfx_recover_lane(struct dfx_host *host, u32 lane, u64 now_ns)
{
	u32 pool;

	if (!host->lanes[lane].attached)
		return;
	for (pool = 0; pool < host->geom.nr_pools; pool++)
		if (host->geom.pools[pool].lane == lane &&
		    dfx_replenish_observe(host, pool))
			dfx_recover_pool(host, pool, now_ns);
}
