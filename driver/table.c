// SPDX-License-Identifier: GPL-2.0-only
/*
 * table.c - the ownership table: the only truth about who owns a buffer
 */
#include <linux/kernel.h>

#include "host.h"

static void dfx_list_init(struct dfx_list *list)
{
	list->head = DFX_NIL;
	list->tail = DFX_NIL;
}

static void dfx_list_push(struct dfx_host *host, struct dfx_list *list, u32 id)
{
	host->bufs[id].next = DFX_NIL;
	if (list->tail == DFX_NIL)
		list->head = id;
	else
		host->bufs[list->tail].next = id;
	list->tail = id;
}

static u32 dfx_list_pop(struct dfx_host *host, struct dfx_list *list)
{
	u32 id = list->head;

	if (id != DFX_NIL) {
		list->head = host->bufs[id].next;
		if (list->head == DFX_NIL)
			list->tail = DFX_NIL;
		host->bufs[id].next = DFX_NIL;
	}
	return id;
}

/**
 * dfx_table_init() - every buffer FREE, every list fresh
 * @host: the region; geometry and tables are set, no lane follows a session.
 */
void dfx_table_init(struct dfx_host *host)
{
	u32 i, p, lane;

	for (p = 0; p < host->geom.nr_pools; p++) {
		const struct dfx_pool_geom *g = &host->geom.pools[p];
		struct dfx_hpool *pool = &host->pools[p];

		*pool = (struct dfx_hpool){ };
		dfx_list_init(&pool->free);
		for (i = 0; i < g->nr_buffers; i++) {
			u32 id = g->first_buffer + i;
			u32 turn = host->bufs[id].turn;

			host->bufs[id] = (struct dfx_buf){
				.owner = DFX_OWNER_FREE,
				.pool = p,
				/* Old cookies stay invalid. */
				.turn = turn + 1,
			};
			dfx_list_push(host, &pool->free, id);
		}
		pool->nr[DFX_OWNER_FREE] = g->nr_buffers;
	}
	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		dfx_list_init(&host->lanes[lane].ready);
		dfx_list_init(&host->lanes[lane].shares);
		host->lanes[lane].nr_ready = 0;
	}
}

/**
 * dfx_table_move() - hand a buffer over
 * @host: the region.
 * @id: a valid buffer id.
 * @from: owner that it must have.
 * @to: owner that it gets.
 *
 * Return: false, and nothing has changed, if @from does not own it.
 */
bool dfx_table_move(struct dfx_host *host, u32 id, u8 from, u8 to)
{
	struct dfx_buf *buf = &host->bufs[id];
	struct dfx_hpool *pool = &host->pools[buf->pool];

	if (buf->owner != from)
		return false;
	buf->owner = to;
	pool->nr[from]--;
	pool->nr[to]++;
	if (to == DFX_OWNER_FREE)
		dfx_list_push(host, &pool->free, id);
	if (host->ops && host->ops->handoff)
		host->ops->handoff(host, id, from, to);
	return true;
}

/**
 * dfx_table_take_free() - FREE -> QUEUED
 * @host: the region.
 * @pool: the pool.
 *
 * Return: the buffer, or DFX_NIL if the pool is dry.
 */
u32 dfx_table_take_free(struct dfx_host *host, u32 pool)
{
	u32 id = dfx_list_pop(host, &host->pools[pool].free);

	if (id != DFX_NIL)
		dfx_table_move(host, id, DFX_OWNER_FREE, DFX_OWNER_QUEUED);
	return id;
}

/**
 * dfx_table_ready() - append a buffer that has become READY to its lane
 * @host: the region.
 * @lane: the lane that published it.
 * @id: the buffer; DEVICE.
 */
void dfx_table_ready(struct dfx_host *host, u32 lane, u32 id)
{
	struct dfx_hlane *l = &host->lanes[lane];
	struct dfx_buf *buf = &host->bufs[id];

	dfx_table_move(host, id, DFX_OWNER_DEVICE, DFX_OWNER_READY);
	buf->order = l->order++;
	buf->redelivered = false;
	host->pools[buf->pool].ready_records += buf->count;
	dfx_list_push(host, &l->ready, id);
	l->nr_ready++;
}

/**
 * dfx_table_hold() - READY -> HELD: give a lane's next buffer to a consumer
 * @host: the region.
 * @lane: the lane.
 * @holder: the consumer.
 *
 * Return: the buffer, or DFX_NIL if the lane has none.
 */
u32 dfx_table_hold(struct dfx_host *host, u32 lane, void *holder)
{
	struct dfx_hlane *l = &host->lanes[lane];
	u32 id = dfx_list_pop(host, &l->ready);

	if (id == DFX_NIL)
		return id;
	l->nr_ready--;
	dfx_table_move(host, id, DFX_OWNER_READY, DFX_OWNER_HELD);
	host->bufs[id].turn++;
	host->bufs[id].holder = holder;
	return id;
}

/**
 * dfx_table_holds() - whether a cookie names a buffer that a consumer holds
 * @host: the region.
 * @cookie: from user space; any value.
 * @holder: the consumer.
 */
bool dfx_table_holds(const struct dfx_host *host, u64 cookie,
		     const void *holder)
{
	u32 id = (u32)cookie;

	return id < host->geom.nr_buffers &&
	       host->bufs[id].owner == DFX_OWNER_HELD &&
	       host->bufs[id].holder == holder &&
	       host->bufs[id].turn == cookie >> 32;
}

/**
 * dfx_table_release() - HELD -> FREE: the consumer has its records safe
 * @host: the region.
 * @id: a buffer that is HELD.
 */
void dfx_table_release(struct dfx_host *host, u32 id)
{
	struct dfx_buf *buf = &host->bufs[id];
	struct dfx_hpool *pool = &host->pools[buf->pool];

	if (!dfx_table_move(host, id, DFX_OWNER_HELD, DFX_OWNER_FREE))
		return;
	buf->holder = NULL;
	pool->delivered += buf->count;
	pool->ready_records -= buf->count;
	dfx_arena_done(host, id);
}

/*
 * Puts a buffer back in its place. What a consumer held came before anything
 * that is still READY, so that the walk is as long as what was held.
 */
static void dfx_table_insert_ready(struct dfx_host *host, u32 lane, u32 id)
{
	struct dfx_hlane *l = &host->lanes[lane];
	u32 prev = DFX_NIL, next = l->ready.head;

	while (next != DFX_NIL &&
	       host->bufs[next].order < host->bufs[id].order) {
		prev = next;
		next = host->bufs[next].next;
	}
	host->bufs[id].next = next;
	if (prev == DFX_NIL)
		l->ready.head = id;
	else
		host->bufs[prev].next = id;
	if (next == DFX_NIL)
		l->ready.tail = id;
	l->nr_ready++;
}

/**
 * dfx_table_requeue() - HELD -> READY for all that a consumer leaves behind
 * @host: the region.
 * @holder: the consumer that goes away.
 */
void dfx_table_requeue(struct dfx_host *host, const void *holder)
{
	u32 id;

	for (id = 0; id < host->geom.nr_buffers; id++) {
		struct dfx_buf *buf = &host->bufs[id];

		if (buf->owner != DFX_OWNER_HELD || buf->holder != holder)
			continue;
		dfx_table_move(host, id, DFX_OWNER_HELD, DFX_OWNER_READY);
		buf->holder = NULL;
		buf->redelivered = true;
		dfx_table_insert_ready(host, host->geom.pools[buf->pool].lane,
				       id);
	}
}

/**
 * dfx_table_discard() - READY -> FREE: nobody came for them
 * @host: the region.
 *
 * The records are counted as DFX_DROP_HOST_DISCARD.
 */
void dfx_table_discard(struct dfx_host *host)
{
	u32 lane, id;

	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		struct dfx_hlane *l = &host->lanes[lane];

		while ((id = dfx_list_pop(host, &l->ready)) != DFX_NIL) {
			struct dfx_buf *buf = &host->bufs[id];
			struct dfx_hpool *pool = &host->pools[buf->pool];

			l->nr_ready--;
			pool->ready_records -= buf->count;
			pool->discarded += buf->count;
			dfx_table_move(host, id, DFX_OWNER_READY,
				       DFX_OWNER_FREE);
			dfx_arena_done(host, id);
		}
	}
}
