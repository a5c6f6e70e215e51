// SPDX-License-Identifier: GPL-2.0-only
/*
 * drain.c - takes full buffers from the ready queues
 *
 * The device's words are hostile: each is read once, copied, checked, and the
 * copy is used. The slot is acknowledged after the buffer is in the table.
 */
#include <linux/kernel.h>
#include <asm/byteorder.h>

#include "host.h"

/**
 * dfx_drain_fill() - entries in a lane's ready queue
 * @host: the region.
 * @lane: the lane; live.
 *
 * A tail out of range is a fault of the lane and leaves it with no entries.
 */
u32 dfx_drain_fill(struct dfx_host *host, u32 lane)
{
	struct dfx_hlane *l = &host->lanes[lane];
	u32 tail, fill;

	/* Pairs with (A): the entry and its buffer's records are visible. */
	tail = dfx_load32(host, dfx_off_lane(host, lane) +
			  offsetof(struct dfx_shm_lane, rq_tail));
	fill = tail - l->rq_head;
	if (fill > host->geom.rq_depth) {
		dfx_control_fault(host, lane, DFX_FAULT_RQ_TAIL, tail);
		return 0;
	}
	return fill;
}

/* What is wrong with an entry: DFX_FAULT_*, and the offending value. */
static u32 dfx_drain_check(struct dfx_host *host, u32 lane,
			   const struct dfx_shm_entry *e, u64 *val)
{
	u32 pool = le32_to_cpu(e->pool);
	u32 id = le32_to_cpu(e->buffer);
	u32 count = le32_to_cpu(e->count);
	u32 flags = le32_to_cpu(e->flags);
	const struct dfx_pool_geom *g;

	*val = pool;
	if (pool >= host->geom.nr_pools)
		return DFX_FAULT_POOL;
	g = &host->geom.pools[pool];
	if (g->lane != lane)
		return DFX_FAULT_POOL;

	*val = le64_to_cpu(e->session);
	if (*val != host->session || le32_to_cpu(e->lane) != lane)
		return DFX_FAULT_SESSION;

	*val = id;
	if (id - g->first_buffer >= g->nr_buffers)
		return DFX_FAULT_BUFFER;
	/* The device may have taken it since the free queue was looked at. */
	if (host->bufs[id].owner == DFX_OWNER_QUEUED &&
	    !dfx_replenish_observe(host, pool))
		return DFX_FAULT_FQ_HEAD;
	if (host->bufs[id].owner != DFX_OWNER_DEVICE)
		return DFX_FAULT_OWNER;

	*val = count;
	if (!count || count > g->capacity)
		return DFX_FAULT_COUNT;

	*val = le32_to_cpu(e->seq);
	if (*val != host->pools[pool].next_seq)
		return DFX_FAULT_SEQ;

	*val = le32_to_cpu(e->arena_end);
	if (!dfx_arena_check(host, lane, le32_to_cpu(e->arena_end)))
		return DFX_FAULT_ARENA;

	*val = flags;
	if (flags & ~DFX_ENTRY_FLAGS ||
	    !(flags & DFX_ENTRY_GAP) != !e->lost)
		return DFX_FAULT_FLAGS;
	return DFX_FAULT_NONE;
}

static bool dfx_drain_entry(struct dfx_host *host, u32 lane, u64 now_ns)
{
	struct dfx_hlane *l = &host->lanes[lane];
	u64 slot = (u64)lane * host->geom.rq_depth +
		   (l->rq_head & (host->geom.rq_depth - 1));
	struct dfx_shm_entry e;
	struct dfx_buf *buf;
	u32 fault;
	u64 val = 0;

	if (host->io.ops->read(&host->io, host->geom.rq_off + slot * sizeof(e),
			       &e, sizeof(e)))
		return false;

	fault = dfx_drain_check(host, lane, &e, &val);
	if (fault) {
		l->bad_entries++;
		dfx_control_fault(host, lane, fault, val);
		return false;
	}

	buf = &host->bufs[le32_to_cpu(e.buffer)];
	buf->seq = le32_to_cpu(e.seq);
	buf->count = le32_to_cpu(e.count);
	buf->flags = le32_to_cpu(e.flags);
	buf->lost = le64_to_cpu(e.lost);
	buf->time = le64_to_cpu(e.time);
	buf->ready_ns = now_ns;
	buf->recovered = false;
	host->pools[buf->pool].next_seq++;
	dfx_table_ready(host, lane, le32_to_cpu(e.buffer));
	dfx_arena_add(host, lane, le32_to_cpu(e.buffer),
		      le32_to_cpu(e.arena_end));
	l->entries++;

	/* (B): only now may the lane use the slot again. */
	l->rq_head++;
	dfx_store32(host, dfx_off_rq_head(host, lane), l->rq_head);
	return true;
}

/**
 * dfx_drain_lane() - take a lane's entries
 * @host: the region.
 * @lane: the lane.
 * @budget: entries to take at most.
 * @now_ns: CLOCK_MONOTONIC.
 * @empty: set to whether the queue was seen empty; a lane that is not looked
 *	at counts as empty.
 *
 * Return: entries taken.
 */
u32 dfx_drain_lane(struct dfx_host *host, u32 lane, u32 budget, u64 now_ns,
		   bool *empty)
{
	u32 taken = 0, fill;

	*empty = true;
	if (!dfx_control_lane_live(host, lane))
		return 0;
	fill = dfx_drain_fill(host, lane);
	while (taken < fill && taken < budget) {
		if (!dfx_drain_entry(host, lane, now_ns))
			break;
		taken++;
	}
	if (dfx_control_lane_live(host, lane))
		*empty = taken == fill;
	return taken;
}
