// SPDX-License-Identifier: GPL-2.0-only
/*
 * replenish.c - keeps the free queues filled, from their state
 *
 * Nothing here waits for an entry to arrive: a pool that is below its target
 * while a buffer is to be had is refilled, whether or not it ever published
 * anything (R5). FULL and DRY are different answers.
 */
#include <linux/kernel.h>
#include <asm/byteorder.h>

#include "host.h"

/**
 * dfx_replenish_observe() - QUEUED -> DEVICE for what the device has taken
 * @host: the region.
 * @pool: a pool of a live lane.
 *
 * Return: false if the device's head is out of range; its lane is in FAULT.
 */
bool dfx_replenish_observe(struct dfx_host *host, u32 pool)
{
	const struct dfx_pool_geom *g = &host->geom.pools[pool];
	struct dfx_hpool *p = &host->pools[pool];
	u32 head;

	/* Pairs with the lane's release store after it has read the slot. */
	head = dfx_load32(host, dfx_off_pool(host, pool) +
			  offsetof(struct dfx_shm_pool, fq_head));
	if (head - p->fq_head > p->fq_tail - p->fq_head) {
		dfx_control_fault(host, g->lane, DFX_FAULT_FQ_HEAD, head);
		return false;
	}
	while (p->fq_head != head) {
		/* Our own record of the slot: the shared one is not read. */
		u32 id = p->slot[p->fq_head & (g->slots - 1)];

		dfx_table_move(host, id, DFX_OWNER_QUEUED, DFX_OWNER_DEVICE);
		p->fq_head++;
	}
	return true;
}

/* Buffers that could be in the free queue if every consumer had released. */
static u32 dfx_replenish_limit(const struct dfx_host *host, u32 pool)
{
	const struct dfx_pool_geom *g = &host->geom.pools[pool];
	const struct dfx_hpool *p = &host->pools[pool];

	return min(g->slots, g->nr_buffers - p->nr[DFX_OWNER_DEVICE] -
		   p->nr[DFX_OWNER_QUARANTINE]);
}

/**
 * dfx_replenish_at_limit() - whether a free queue is as full as it can be
 * @host: the region.
 * @pool: a pool of a live lane, observed in this pass.
 *
 * What a consumer holds counts as attainable: a freeze lasts until the host
 * has really drained.
 */
bool dfx_replenish_at_limit(struct dfx_host *host, u32 pool)
{
	const struct dfx_hpool *p = &host->pools[pool];

	return p->fq_tail - p->fq_head >= dfx_replenish_limit(host, pool);
}

/**
 * dfx_replenish_pool() - fill a free queue as far as there are buffers
 * @host: the region.
 * @pool: a pool of a live lane, observed in this pass.
 *
 * Return: true if the queue is FULL; false if the pool is DRY before that.
 */
bool dfx_replenish_pool(struct dfx_host *host, u32 pool)
{
	const struct dfx_pool_geom *g = &host->geom.pools[pool];
	struct dfx_hpool *p = &host->pools[pool];
	u64 fq = dfx_off_fq(host, pool);
	u32 tail = p->fq_tail;

	while (tail - p->fq_head < g->slots) {
		u32 id = dfx_table_take_free(host, pool);
		u32 i = tail & (g->slots - 1);

		if (id == DFX_NIL)
			break;
		p->slot[i] = id;
		dfx_store32(host, fq + offsetof(struct dfx_shm_fq, slot) +
			    i * sizeof(__le32), id);
		tail++;
	}
	if (tail != p->fq_tail) {
		p->fq_tail = tail;
		/* (G), pairs with the lane's acquire load. */
		dfx_store32(host, fq + offsetof(struct dfx_shm_fq, tail), tail);
	}
	return tail - p->fq_head == g->slots;
}
