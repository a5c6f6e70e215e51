// SPDX-License-Identifier: GPL-2.0-only
/*
 * arena.c - payload rings: what is used, and what can be used again
 *
 * Records of some subsystems point into a ring of payloads that their lane
 * writes. Each ready entry says how far the lane has used it, so that the bytes
 * between two entries belong to the second. They are reclaimed in the order of
 * the entries, once the consumers have released the buffers: each share exactly
 * once, whatever became of it.
 */
#include <linux/kernel.h>

#include "host.h"

/**
 * dfx_arena_room() - whether another entry of a lane can be taken
 * @host: the region.
 * @lane: the lane.
 *
 * A consumer that keeps an old buffer while newer ones go round holds up the
 * reclaim, and in the end the lane.
 */
bool dfx_arena_room(const struct dfx_host *host, u32 lane)
{
	const struct dfx_hlane *l = &host->lanes[lane];

	return !host->geom.arena_units ||
	       l->order - l->arena_first < host->arena_slots;
}

/**
 * dfx_arena_check() - whether a position from the device can be
 * @host: the region.
 * @lane: the lane.
 * @end: from an entry.
 */
bool dfx_arena_check(const struct dfx_host *host, u32 lane, u32 end)
{
	const struct dfx_hlane *l = &host->lanes[lane];
	u64 head = 0;

	if (!host->geom.arena_units)
		return !end;
	if (l->arena_first)
		head = l->arena[(l->arena_first - 1) &
				(host->arena_slots - 1)].end;
	/* Beyond the last one, by no more than what had been reclaimed. */
	return (u32)(end - (u32)l->arena_tail) <=
	       host->geom.arena_units - (u32)(l->arena_tail - head);
}

/**
 * dfx_arena_add() - an entry's share
 * @host: the region.
 * @lane: the lane; dfx_arena_room().
 * @buf: the buffer that becomes READY, @buf->order is its place.
 * @end: from the entry; dfx_arena_check().
 */
void dfx_arena_add(struct dfx_host *host, u32 lane, struct dfx_buf *buf,
		   u32 end)
{
	struct dfx_hlane *l = &host->lanes[lane];

	if (!host->geom.arena_units)
		return;
	buf->arena_pos = l->arena_tail;
	buf->arena_len = end - (u32)l->arena_tail;
	l->arena_tail += buf->arena_len;
	l->arena[buf->order & (host->arena_slots - 1)] =
		(struct dfx_arena_slot){ .end = l->arena_tail };
}

/**
 * dfx_arena_done() - nobody needs a buffer's share any more
 * @host: the region.
 * @buf: the buffer, released or discarded.
 */
void dfx_arena_done(struct dfx_host *host, const struct dfx_buf *buf)
{
	u32 lane = host->geom.pools[buf->pool].lane;
	struct dfx_hlane *l = &host->lanes[lane];
	u32 mask = host->arena_slots - 1;
	u64 first = l->arena_first;

	if (!host->geom.arena_units)
		return;
	l->arena[buf->order & mask].done = true;
	while (l->arena_first != l->order &&
	       l->arena[l->arena_first & mask].done)
		l->arena_first++;
	if (l->arena_first == first)
		return;
	/* Pairs with the lane's acquire load: it may write there again. */
	dfx_store32(host, dfx_off_rq_head(host, lane) +
		    offsetof(struct dfx_shm_rq_head, arena_head),
		    (u32)l->arena[(l->arena_first - 1) & mask].end);
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
		    host->lanes[lane].arena_first != host->lanes[lane].order)
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
	host->lanes[lane].arena_first = 0;
	host->lanes[lane].arena_tail = 0;
	dfx_store32(host, dfx_off_rq_head(host, lane) +
		    offsetof(struct dfx_shm_rq_head, arena_head), 0);
}
