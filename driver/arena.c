// SPDX-License-Identifier: GPL-2.0-only
/*
 * arena.c - payload rings: what is used, and what can be used again
 *
 * Records of some subsystems point into a ring of payloads that their lane
 * writes. Each ready entry says how far the lane has used it, so that the bytes
 * between two entries belong to the second. They are reclaimed in the order of
 * the entries, once the consumers have released the buffers: each share exactly
 * once, whatever became of it.
 *
 * The shares that are still needed are those of READY and HELD buffers. They are
 * linked through the buffers, so that there is always room for another: an entry
 * that could not be taken would be lost at the end of the session.
 */
#include <linux/kernel.h>
#include <asm/byteorder.h>

#include "host.h"

/* Up to where a lane may use its arena again. */
static u64 dfx_arena_head(const struct dfx_host *host, u32 lane)
{
	const struct dfx_hlane *l = &host->lanes[lane];

	return l->shares.head == DFX_NIL ? l->arena_tail :
	       host->bufs[l->shares.head].arena_pos;
}

/* Beyond the last share, by no more than what has been reclaimed. */
static u64 dfx_arena_limit(const struct dfx_host *host, u32 lane)
{
	return dfx_arena_head(host, lane) + host->geom.arena_units;
}

/**
 * dfx_arena_check() - whether a position from the device can be
 * @host: the region.
 * @lane: the lane.
 * @end: from an entry.
 */
bool dfx_arena_check(const struct dfx_host *host, u32 lane, u32 end)
{
	u64 tail = host->lanes[lane].arena_tail;

	return (u32)(end - (u32)tail) <= dfx_arena_limit(host, lane) - tail;
}

/**
 * dfx_arena_reach() - the position behind a payload that no entry tells of
 * @host: the region; it has arenas.
 * @lane: the lane.
 * @rec: a copy of the payload's record.
 * @end: set to the position, for dfx_arena_add(), if it can be.
 *
 * Return: false if the payload lies outside of what the lane may use behind its
 * last share.
 */
bool dfx_arena_reach(const struct dfx_host *host, u32 lane,
		     const struct dfx_rec_dump *rec, u32 *end)
{
	u64 first = host->lanes[lane].arena_tail * DFX_ARENA_UNIT;
	u64 limit = dfx_arena_limit(host, lane) * DFX_ARENA_UNIT;
	u64 at = le64_to_cpu(rec->payload_offset);
	u64 size = le64_to_cpu(rec->payload_size);

	/* No sum before it is known to be in range. */
	if (at < first || at > limit || size > limit - at)
		return false;
	*end = (u32)((at + size + DFX_ARENA_UNIT - 1) / DFX_ARENA_UNIT);
	return true;
}

/**
 * dfx_arena_add() - an entry's share
 * @host: the region.
 * @lane: the lane.
 * @id: the buffer that becomes READY.
 * @end: from the entry; dfx_arena_check().
 */
void dfx_arena_add(struct dfx_host *host, u32 lane, u32 id, u32 end)
{
	struct dfx_hlane *l = &host->lanes[lane];
	struct dfx_buf *buf = &host->bufs[id];

	if (!host->geom.arena_units)
		return;
	buf->arena_pos = l->arena_tail;
	buf->arena_len = end - (u32)l->arena_tail;
	l->arena_tail += buf->arena_len;

	buf->older = l->shares.tail;
	buf->newer = DFX_NIL;
	if (l->shares.tail == DFX_NIL)
		l->shares.head = id;
	else
		host->bufs[l->shares.tail].newer = id;
	l->shares.tail = id;
}

/**
 * dfx_arena_done() - nobody needs a buffer's share any more
 * @host: the region.
 * @id: the buffer, released or discarded.
 *
 * One that is kept holds up the reclaim of all that came after it.
 */
void dfx_arena_done(struct dfx_host *host, u32 id)
{
	const struct dfx_buf *buf = &host->bufs[id];
	u32 lane = host->geom.pools[buf->pool].lane;
	struct dfx_hlane *l = &host->lanes[lane];

	if (!host->geom.arena_units)
		return;
	if (buf->newer == DFX_NIL)
		l->shares.tail = buf->older;
	else
		host->bufs[buf->newer].older = buf->older;
	if (buf->older != DFX_NIL) {
		host->bufs[buf->older].newer = buf->newer;
		return;
	}
	l->shares.head = buf->newer;
	/* Pairs with the lane's acquire load: it may write there again. */
	dfx_store32(host, dfx_off_rq_head(host, lane) +
		    offsetof(struct dfx_shm_rq_head, arena_head),
		    (u32)dfx_arena_head(host, lane));
}

/**
 * dfx_arena_release_ready() - the predicate that ends a freeze
 * @host: the region.
 *
 * An empty ready queue does not imply that the arenas have been taken: a leader
 * that resumed before that would find no room, or worse.
 */
bool dfx_arena_release_ready(struct dfx_host *host)
{
	u32 lane;

	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		if (dfx_control_lane_live(host, lane) &&
		    host->lanes[lane].shares.head != DFX_NIL)
			return false;
	return true;
}

/**
 * dfx_arena_reset() - a lane's arena at the start of a session
 * @host: the region.
 * @lane: the lane.
 */
void dfx_arena_reset(struct dfx_host *host, u32 lane)
{
	host->lanes[lane].arena_tail = 0;
	dfx_store32(host, dfx_off_rq_head(host, lane) +
		    offsetof(struct dfx_shm_rq_head, arena_head), 0);
}
