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

/* Passes in which the copy of one buffer is tried before it is given up. */
#define DFX_COPY_PASSES		16

/**
 * dfx_drain_fill() - entries in a lane's ready queue
 * @host: the region.
 * @lane: the lane; live, its words pulled.
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

/*
 * What has become of the buffer that an entry names: an honest lane took it from
 * its free queue before, and may have taken its successor since.
 */
static int dfx_drain_observe(struct dfx_host *host, const struct dfx_shm_entry *e)
{
	u32 pool = le32_to_cpu(e->pool);

	if (pool >= host->geom.nr_pools)
		return 0;
	return dfx_pull_pool_line(host, pool, 0);
}

/* The slot is free again, (B): whatever was in it is safe, or charged. */
static void dfx_drain_ack(struct dfx_host *host, u32 lane)
{
	struct dfx_hlane *l = &host->lanes[lane];

	l->copy_failures = 0;
	l->rq_head++;
	dfx_store32(host, dfx_off_rq_head(host, lane), l->rq_head);
}

/*
 * The entry is right, but its records cannot be had. They are charged, told as
 * lost with the pool's next buffer, and the buffer goes round again; the lane is
 * not to blame. Its payloads are reclaimed in their turn.
 */
static void dfx_drain_lose(struct dfx_host *host, u32 lane, u32 id,
			   const struct dfx_shm_entry *e)
{
	struct dfx_hlane *l = &host->lanes[lane];
	struct dfx_buf *buf = &host->bufs[id];
	struct dfx_hpool *p = &host->pools[buf->pool];
	u32 count = le32_to_cpu(e->count);

	p->uncopied += count;
	p->uncopied_untold += count + le64_to_cpu(e->lost);
	p->next_seq++;
	dfx_table_move(host, id, DFX_OWNER_DEVICE, DFX_OWNER_FREE);
	buf->order = l->order++;
	dfx_arena_add(host, lane, id, le32_to_cpu(e->arena_end));
	dfx_arena_done(host, id);
	l->entries++;
	if (host->ops && host->ops->lost)
		host->ops->lost(host, buf->pool, count);
	dfx_drain_ack(host, lane);
}

/* Takes one entry; false if the lane is to be left alone in this pass. */
static bool dfx_drain_entry(struct dfx_host *host, u32 lane,
			    const struct dfx_shm_entry *e, u64 now_ns,
			    struct dfx_drained *out)
{
	struct dfx_hlane *l = &host->lanes[lane];
	u32 id = le32_to_cpu(e->buffer);
	struct dfx_buf *buf;
	u32 fault, target;
	u64 val = 0;

	out->retry = dfx_drain_observe(host, e);
	if (out->retry)
		return false;
	fault = dfx_drain_check(host, lane, e, &val);
	if (fault) {
		l->bad_entries++;
		dfx_control_fault(host, lane, fault, val);
		return false;
	}

	target = dfx_table_target(host, id);
	if (target == DFX_NIL)
		return false;
	if (dfx_fetch_buffer(host, id, target, le32_to_cpu(e->count)) ||
	    dfx_fetch_share(host, lane, le32_to_cpu(e->arena_end))) {
		out->retry = true;
		/* Not while nobody answers: then it is not this buffer. */
		if (host->io.gone || ++l->copy_failures < DFX_COPY_PASSES)
			return false;
		dfx_drain_lose(host, lane, id, e);
		return true;
	}

	buf = &host->bufs[target];
	buf->seq = le32_to_cpu(e->seq);
	buf->count = le32_to_cpu(e->count);
	buf->flags = le32_to_cpu(e->flags);
	buf->lost = le64_to_cpu(e->lost) +
		    host->pools[buf->pool].uncopied_untold;
	buf->time = le64_to_cpu(e->time);
	buf->ready_ns = now_ns;
	buf->recovered = false;
	host->pools[buf->pool].uncopied_untold = 0;
	host->pools[buf->pool].next_seq++;
	dfx_table_ready(host, lane, id, target);
	dfx_arena_add(host, lane, target, le32_to_cpu(e->arena_end));
	l->entries++;
	dfx_drain_ack(host, lane);
	return true;
}

/*
 * Copies the next entries, up to the end of the ring; after the copy that showed
 * the tail (A). Returns how many, 0 if they cannot be had.
 */
static u32 dfx_drain_batch(struct dfx_host *host, u32 lane, u32 nr)
{
	u32 at = host->lanes[lane].rq_head & (host->geom.rq_depth - 1);
	u64 slot = (u64)lane * host->geom.rq_depth + at;

	nr = min(nr, host->geom.rq_depth - at);
	nr = min_t(u32, nr, DFX_ENTRY_BATCH);
	if (host->io.ops->read(&host->io, host->geom.rq_off +
			       slot * sizeof(host->batch[0]), host->batch,
			       nr * sizeof(host->batch[0])))
		return 0;
	return nr;
}

/**
 * dfx_drain_lane() - take a lane's entries
 * @host: the region.
 * @lane: the lane.
 * @budget: entries to take at most.
 * @now_ns: CLOCK_MONOTONIC.
 * @out: set to how the queue was left.
 *
 * An entry whose records cannot be copied stays in the queue for the next pass,
 * a bounded number of times; then its records are counted as
 * DFX_DROP_HOST_FAULT.
 *
 * Return: entries taken.
 */
u32 dfx_drain_lane(struct dfx_host *host, u32 lane, u32 budget, u64 now_ns,
		   struct dfx_drained *out)
{
	u32 taken = 0, fill, nr, i;

	*out = (struct dfx_drained){ .empty = true };
	if (!dfx_control_lane_live(host, lane))
		return 0;
	fill = dfx_drain_fill(host, lane);
	while (taken < fill && taken < budget) {
		nr = dfx_drain_batch(host, lane, min(fill, budget) - taken);
		if (!nr)
			out->retry = true;
		for (i = 0; i < nr; i++)
			if (!dfx_drain_entry(host, lane, &host->batch[i],
					     now_ns, out))
				break;
		taken += i;
		if (!nr || i < nr)
			break;
	}
	if (dfx_control_lane_live(host, lane))
		out->empty = taken == fill;
	return taken;
}
