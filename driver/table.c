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

/* The owner of a buffer that nobody needs: the copies have one of their own. */
static u8 dfx_table_home(const struct dfx_host *host, u32 id)
{
	return id < host->geom.nr_buffers ? DFX_OWNER_FREE : DFX_OWNER_SPARE;
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

static void dfx_table_init_buf(struct dfx_host *host, u32 pool, u32 id,
			       struct dfx_list *list)
{
	u32 turn = host->bufs[id].turn;

	host->bufs[id] = (struct dfx_buf){
		.owner = dfx_table_home(host, id),
		.pool = pool,
		/* Old cookies stay invalid. */
		.turn = turn + 1,
	};
	dfx_list_push(host, list, id);
}

/**
 * dfx_table_init() - every buffer FREE, every copy SPARE, every list fresh
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
		dfx_list_init(&pool->spare);
		for (i = 0; i < g->nr_buffers; i++)
			dfx_table_init_buf(host, p, g->first_buffer + i,
					   &pool->free);
		for (i = 0; i < g->nr_copies; i++)
			dfx_table_init_buf(host, p, g->first_copy + i,
					   &pool->spare);
		pool->nr[DFX_OWNER_FREE] = g->nr_buffers;
		pool->nr[DFX_OWNER_SPARE] = g->nr_copies;
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
	if (to == DFX_OWNER_SPARE)
		dfx_list_push(host, &pool->spare, id);
	if (host->ops && host->ops->handoff)
		host->ops->handoff(host, id, from, to);
	return true;
}

/**
 * dfx_table_take_free() - FREE -> QUEUED
 * @host: the region.
 * @pool: the pool.
 *
 * Return: the buffer, or DFX_NIL if the pool is dry, or if nothing could be
 * copied from it because consumers have every copy that is not spoken for.
 */
u32 dfx_table_take_free(struct dfx_host *host, u32 pool)
{
	struct dfx_hpool *p = &host->pools[pool];
	u32 id;

	if (host->geom.pools[pool].nr_copies &&
	    p->nr[DFX_OWNER_SPARE] <= p->nr[DFX_OWNER_QUEUED] +
				      p->nr[DFX_OWNER_DEVICE])
		return DFX_NIL;
	id = dfx_list_pop(host, &p->free);
	if (id != DFX_NIL)
		dfx_table_move(host, id, DFX_OWNER_FREE, DFX_OWNER_QUEUED);
	return id;
}

/**
 * dfx_table_target() - where the records of a buffer have to be for consumers
 * @host: the region.
 * @id: the buffer; DEVICE.
 *
 * Return: the buffer itself, or a spare copy; DFX_NIL if there is none, which
 * dfx_table_take_free() prevents.
 */
u32 dfx_table_target(const struct dfx_host *host, u32 id)
{
	u32 pool = host->bufs[id].pool;

	if (!host->geom.pools[pool].nr_copies)
		return id;
	return host->pools[pool].spare.head;
}

/**
 * dfx_table_ready() - append a buffer that has become READY to its lane
 * @host: the region.
 * @lane: the lane that published it.
 * @id: the buffer; DEVICE. If it is not @target itself, it is FREE at once.
 * @target: dfx_table_target() of it; has the records, and the entry's figures.
 */
void dfx_table_ready(struct dfx_host *host, u32 lane, u32 id, u32 target)
{
	struct dfx_hlane *l = &host->lanes[lane];
	struct dfx_buf *buf = &host->bufs[target];

	if (target == id) {
		dfx_table_move(host, id, DFX_OWNER_DEVICE, DFX_OWNER_READY);
	} else {
		dfx_list_pop(host, &host->pools[buf->pool].spare);
		dfx_table_move(host, target, DFX_OWNER_SPARE, DFX_OWNER_READY);
		dfx_table_move(host, id, DFX_OWNER_DEVICE, DFX_OWNER_FREE);
	}
	buf->order = l->order++;
	buf->redelivered = false;
	host->pools[buf->pool].ready_records += buf->count;
	dfx_list_push(host, &l->ready, target);
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

	return id < dfx_geometry_nr_ids(&host->geom) &&
	       host->bufs[id].owner == DFX_OWNER_HELD &&
	       host->bufs[id].holder == holder &&
	       host->bufs[id].turn == cookie >> 32;
}

/**
 * dfx_table_release() - HELD -> FREE, SPARE: the consumer has its records safe
 * @host: the region.
 * @id: a buffer that is HELD.
 */
void dfx_table_release(struct dfx_host *host, u32 id)
{
	struct dfx_buf *buf = &host->bufs[id];
	struct dfx_hpool *pool = &host->pools[buf->pool];

	if (!dfx_table_move(host, id, DFX_OWNER_HELD,
			    dfx_table_home(host, id)))
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

	for (id = 0; id < dfx_geometry_nr_ids(&host->geom); id++) {
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
 * dfx_table_discard() - READY -> FREE, SPARE: nobody came for them
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
				       dfx_table_home(host, id));
			dfx_arena_done(host, id);
		}
	}
}
