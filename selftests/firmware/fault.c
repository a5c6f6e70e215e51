// SPDX-License-Identifier: GPL-2.0-only
/*
 * fault.c - scribbles on shared memory beside the engine
 *
 * The engine itself has no code for this. A forged entry is right in every
 * field but one, so that the host can refuse it for that reason only. The
 * engine's own idea of the pool is left alone: the host has to refuse whatever
 * this lane publishes afterwards.
 */
#include "console.h"
#include "fault.h"

/* How long a lane keeps quiet after a bad index, for the host to see it. */
#define STALL_MS	250

/* How long a forged entry waits for room; the host may have gone for good. */
#define ROOM_MS		10000

/**
 * struct forged - an entry before it is put into the ready queue
 * @pool: see &struct dfx_shm_entry for this and all that follows.
 * @buffer: see there.
 * @seq: see there.
 * @count: see there.
 * @session: see there.
 * @lost: see there.
 * @time: see there.
 * @first_time: see there.
 * @flags: see there.
 * @lane: see there.
 * @arena_end: see there.
 */
struct forged {
	__u32 pool;
	__u32 buffer;
	__u32 seq;
	__u32 count;
	__u64 session;
	__u64 lost;
	__u64 time;
	__u64 first_time;
	__u32 flags;
	__u32 lane;
	__u32 arena_end;
};

static __u64 after_ms(__u64 ms)
{
	return dfx_port_cycles() + plat_counter_hz / 1000 * ms;
}

static int is_over(__u64 until)
{
	return !((dfx_port_cycles() - until) >> 63);
}

/* Without obeying the host, who would otherwise get the right value again. */
static void stall(void)
{
	__u64 until = after_ms(STALL_MS);

	while (!is_over(until))
		plat_relax();
}

/* An entry for what the pool holds now, as the engine would write it. */
static void entry_init(struct dfx_dev_lane *dev, struct dfx_dev_pool *pool,
		       struct forged *e)
{
	*e = (struct forged){
		.pool = pool->id,
		.buffer = pool->buffer,
		.seq = pool->seq,
		.count = pool->count,
		.session = dev->session,
		.lost = pool->lost,
		.time = dfx_port_cycles(),
		.first_time = pool->first_time,
		.flags = pool->left ? DFX_ENTRY_PARTIAL : 0,
		.lane = dev->index,
		.arena_end = (__u32)dev->arena_tail,
	};
	if (pool->lost)
		e->flags |= DFX_ENTRY_GAP;
}

/* A buffer that the device does not hold, if the pool has more than one. */
static __u32 next_buffer(struct dfx_dev_pool *pool)
{
	__u32 n = pool->buffer - pool->first_buffer;

	return pool->first_buffer + (n + 1) % pool->nr_buffers;
}

/* A buffer just outside of the pool: the neighbour's. */
static __u32 foreign_buffer(struct dfx_dev_pool *pool)
{
	return pool->first_buffer ? pool->first_buffer - 1 :
	       pool->first_buffer + pool->nr_buffers;
}

static void entry_spoil(__u32 fault, struct dfx_dev_pool *pool,
			__u32 arena_units, struct forged *e)
{
	switch (fault) {
	case FW_FAULT_POOL:
		e->pool += DFX_MAX_POOLS;
		break;
	case FW_FAULT_BUFFER:
		e->buffer = DFX_NO_BUFFER - 1;
		break;
	case FW_FAULT_FOREIGN:
		e->buffer = foreign_buffer(pool);
		break;
	case FW_FAULT_OWNER:
		e->buffer = next_buffer(pool);
		break;
	case FW_FAULT_COUNT:
		e->count = pool->capacity + 1;
		break;
	case FW_FAULT_COUNT0:
		e->count = 0;
		break;
	case FW_FAULT_SEQ:
		e->seq += 5;
		break;
	case FW_FAULT_SESSION:
		e->session ^= 1;
		break;
	case FW_FAULT_LANE:
		e->lane++;
		break;
	case FW_FAULT_FLAGS:
		e->flags |= 0x80000000u;
		break;
	case FW_FAULT_GAP:
		e->flags ^= DFX_ENTRY_GAP;
		break;
	case FW_FAULT_ARENA:
		e->arena_end += arena_units + 1;
		break;
	}
}

/* Publishes a forged entry as soon as the ready queue has room for it. */
static void forge(struct dfx_dev_lane *dev, struct dfx_dev_pool *pool,
		  __u32 fault)
{
	struct dfx_shm_entry *slot;
	struct forged e;
	__u64 until = after_ms(ROOM_MS);

	while (dev->rq_tail - dfx_port_load32_acquire(&dev->rq_head->head) >=
	       dev->rq_depth) {
		if (is_over(until) || plat_stopping())
			return;
		plat_relax();
	}
	entry_init(dev, pool, &e);
	entry_spoil(fault, pool, dev->arena_units, &e);
	slot = &dev->entries[dev->rq_tail & (dev->rq_depth - 1)];
	dfx_port_store32(&slot->pool, e.pool);
	dfx_port_store32(&slot->buffer, e.buffer);
	dfx_port_store32(&slot->seq, e.seq);
	dfx_port_store32(&slot->count, e.count);
	dfx_port_store64(&slot->session, e.session);
	dfx_port_store64(&slot->lost, e.lost);
	dfx_port_store64(&slot->time, e.time);
	dfx_port_store64(&slot->first_time, e.first_time);
	dfx_port_store32(&slot->flags, e.flags);
	dfx_port_store32(&slot->lane, e.lane);
	dfx_port_store32(&slot->arena_end, e.arena_end);
	dev->rq_tail++;
	dfx_port_store32_release(&dev->shm->rq_tail, dev->rq_tail);
}

void fw_fault(struct fw_lane *lane, __u32 i, struct dfx_dev_pool *pool)
{
	struct dfx_dev_lane *dev = &lane->dev[i];
	__u32 fault = lane->args->fault;
	struct console_line l;

	if (lane->index || lane->args->regions & ((1u << i) - 1) ||
	    dev->rq_tail < lane->args->fault_at)
		return;
	lane->faulted = 1;
	console_begin(&l);
	console_str(&l, "lane 0 breaks the protocol after buffer ");
	console_u64(&l, dev->rq_tail);
	console_end(&l);
	switch (fault) {
	case FW_FAULT_TAIL:
		dfx_port_store32_release(&dev->shm->rq_tail,
					 dev->rq_tail + 100000);
		stall();
		break;
	case FW_FAULT_FQHEAD:
		dfx_port_store32_release(&pool->shm->fq_head,
					 pool->fq_head + 100000);
		stall();
		break;
	case FW_FAULT_ACK:
		dfx_port_store32_release(&dev->shm->ack, dev->seen + 100000);
		stall();
		break;
	default:
		forge(dev, pool, fault);
	}
}
