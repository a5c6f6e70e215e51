// SPDX-License-Identifier: GPL-2.0-only
/*
 * consumer.c - who has which lanes, and the two mapped rings
 *
 * The release ring is written by the user and is a request, no more: an index
 * is checked against the size, a cookie against what the consumer holds.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <asm/barrier.h>

#include "dfx_drv.h"

static void dfx_consumer_free(struct dfx_file *f)
{
	vfree(f->ready);
	vfree(f->release);
	kvfree(f->shares);
	kvfree(f->given);
	f->ready = NULL;
	f->release = NULL;
	f->shares = NULL;
	f->given = NULL;
}

static int dfx_consumer_alloc(struct dfx_file *f)
{
	const struct dfx_geometry *geom = &f->region->host.geom;
	u32 nr = roundup_pow_of_two(dfx_geometry_nr_ready(geom));

	f->ready_len = PAGE_ALIGN(PAGE_SIZE + (size_t)nr *
				  sizeof(struct dfx_ready));
	f->release_len = PAGE_ALIGN(sizeof(*f->release) + (size_t)nr *
				    sizeof(u64));
	f->ready = dfx_mmap_alloc(f->ready_len);
	f->release = dfx_mmap_alloc(f->release_len);
	f->shares = kvcalloc(geom->nr_pools, sizeof(*f->shares),
			     GFP_KERNEL_ACCOUNT);
	f->given = kvcalloc(dfx_geometry_nr_ready(geom), sizeof(*f->given),
			    GFP_KERNEL_ACCOUNT);
	if (!f->ready || !f->release || !f->shares || !f->given) {
		dfx_consumer_free(f);
		return -ENOMEM;
	}
	f->ring_mask = nr - 1;
	f->ready->mask = f->ring_mask;
	f->ready->elem_off = PAGE_SIZE;
	return 0;
}

/**
 * dfx_consumer_attach() - become a consumer
 * @f: the file; region locked, not gone.
 * @lanes: bit mask of lanes; 0 means all.
 *
 * Return: 0, -EBUSY, -EINVAL, -ENOMEM.
 */
int dfx_consumer_attach(struct dfx_file *f, u64 lanes)
{
	struct dfx_region *region = f->region;
	u64 all = GENMASK_ULL(region->info.nr_lanes - 1, 0);
	int err;

	if (lanes & ~all)
		return -EINVAL;
	if (!lanes)
		lanes = all;
	if (f->lanes || lanes & region->attached)
		return -EBUSY;
	err = dfx_consumer_alloc(f);
	if (err)
		return err;
	f->lanes = lanes;
	f->mode = DFX_MODE_NONE;
	f->ready_tail = 0;
	f->release_head = 0;
	f->bad_releases = 0;
	f->share_session = 0;
	f->session_sent = 0;
	f->end_sent = 0;
	f->held = 0;
	/* A session that is over is nothing to this consumer. */
	f->past_session = region->host.state == DFX_SESSION_IDLE ?
			  region->host.session : 0;
	region->attached |= lanes;
	region->nr_consumers++;
	dfx_region_kick(region);
	return 0;
}

/**
 * dfx_consumer_detach() - be a monitor again
 * @f: the file; region locked; may be gone.
 *
 * What it held goes to whoever comes next, in order.
 */
void dfx_consumer_detach(struct dfx_file *f)
{
	struct dfx_region *region = f->region;

	if (!f->lanes)
		return;
	/* What it released before it died is released. */
	if (f->mode == DFX_MODE_RING)
		dfx_consumer_take(f);
	dfx_table_requeue(&region->host, f);
	region->attached &= ~f->lanes;
	f->lanes = 0;
	f->mode = DFX_MODE_NONE;
	f->held = 0;
	dfx_consumer_free(f);
	if (!--region->nr_consumers)
		region->lonely_ns = ktime_get_ns();
	dfx_region_wake(region);
	if (!region->gone)
		dfx_region_kick(region);
}

/* The shares are of one session; another one begins at nothing. */
static struct dfx_share *dfx_consumer_share(struct dfx_file *f, u32 pool)
{
	u32 i;

	if (f->share_session != f->region->host.session) {
		f->share_session = f->region->host.session;
		for (i = 0; i < f->region->host.geom.nr_pools; i++)
			f->shares[i] = (struct dfx_share){ .first_seq = ~0ull };
	}
	return &f->shares[pool];
}

/**
 * dfx_consumer_has_ready() - whether one of the consumer's lanes has a buffer
 * @f: the file; region locked.
 */
bool dfx_consumer_has_ready(const struct dfx_file *f)
{
	const struct dfx_host *host = &f->region->host;
	u32 lane;

	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		if (f->lanes & BIT_ULL(lane) && host->lanes[lane].nr_ready)
			return true;
	return false;
}

/* The session that concerns the consumer, if any, gets no more buffers. */
static bool dfx_consumer_over(const struct dfx_file *f)
{
	const struct dfx_host *host = &f->region->host;

	return host->session && host->session != f->past_session &&
	       (host->state == DFX_SESSION_IDLE ||
		host->state == DFX_SESSION_DRAINING);
}

/**
 * dfx_consumer_finished() - whether nothing of the session is left for it
 * @f: the file; region locked.
 */
bool dfx_consumer_finished(const struct dfx_file *f)
{
	return dfx_consumer_over(f) && !f->held && !dfx_consumer_has_ready(f);
}

/**
 * dfx_consumer_hold() - READY -> HELD: the oldest buffer of its lanes
 * @f: the file; region locked.
 *
 * By time of arrival at the host, so that a busy lane does not starve a quiet
 * one.
 *
 * Return: the buffer, or DFX_NIL.
 */
u32 dfx_consumer_hold(struct dfx_file *f)
{
	struct dfx_host *host = &f->region->host;
	u32 lane, best = DFX_MAX_LANES, id;
	u64 best_ns = U64_MAX;
	struct dfx_share *share;

	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		if (!(f->lanes & BIT_ULL(lane)) || !host->lanes[lane].nr_ready)
			continue;
		id = host->lanes[lane].ready.head;
		if (host->bufs[id].ready_ns < best_ns) {
			best_ns = host->bufs[id].ready_ns;
			best = lane;
		}
	}
	if (best == DFX_MAX_LANES)
		return DFX_NIL;
	id = dfx_table_hold(host, best, f);
	share = dfx_consumer_share(f, host->bufs[id].pool);
	if (share->first_seq == ~0ull)
		share->first_seq = host->bufs[id].seq;
	f->held++;
	return id;
}

/**
 * dfx_consumer_release() - HELD -> FREE
 * @f: the file, which holds it; region locked.
 * @id: the buffer.
 */
void dfx_consumer_release(struct dfx_file *f, u32 id)
{
	struct dfx_host *host = &f->region->host;

	dfx_consumer_share(f, host->bufs[id].pool)->delivered +=
		host->bufs[id].count;
	dfx_table_release(host, id);
	f->held--;
}

/**
 * dfx_consumer_take() - take the cookies of the release ring
 * @f: a consumer in ring mode; region locked.
 *
 * Return: cookies taken, or -EPROTO if some were refused.
 */
int dfx_consumer_take(struct dfx_file *f)
{
	/* Pairs with the user's release store after the cookies. */
	u32 tail = smp_load_acquire(&f->release->tail);
	u32 nr = tail - f->release_head;
	const u64 *cookies = DFX_RELEASE_COOKIES(f->release);
	u32 bad = f->bad_releases;
	u32 i;

	if (!nr)
		return 0;
	if (nr > f->ring_mask + 1) {
		/* A wild index: nothing in the ring means anything. */
		f->bad_releases++;
		nr = 0;
		f->release_head = tail;
	}
	for (i = 0; i < nr; i++) {
		u64 cookie = READ_ONCE(cookies[f->release_head & f->ring_mask]);

		f->release_head++;
		if (dfx_table_holds(&f->region->host, cookie, f))
			dfx_consumer_release(f, (u32)cookie);
		else
			f->bad_releases++;
	}
	WRITE_ONCE(f->ready->bad_releases, f->bad_releases);
	/* The user may reuse the places that it sees taken. */
	smp_store_release(&f->ready->released, f->release_head);
	return f->bad_releases == bad ? nr : -EPROTO;
}

/**
 * dfx_consumer_give() - put what is ready into the ready ring
 * @f: a consumer in ring mode; region locked.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * Return: whether there is anything new, be it the end of the session.
 */
bool dfx_consumer_give(struct dfx_file *f, u64 now_ns)
{
	struct dfx_host *host = &f->region->host;
	struct dfx_ready *elems = (void *)f->ready + PAGE_SIZE;
	u32 old_tail = f->ready_tail, flags = 0;
	u32 id;

	/* Room for every buffer there is, so the ring cannot be full. */
	while ((id = dfx_consumer_hold(f)) != DFX_NIL) {
		struct dfx_ready *e = &elems[f->ready_tail & f->ring_mask];
		const struct dfx_buf *buf = &host->bufs[id];
		struct dfx_share_bytes share;

		dfx_frame_arena(f->region, id, &share);
		e->arena = share.info;
		e->arena_off = share.off;
		e->arena_wrap = share.wrap;
		e->arena_first = share.first;
		dfx_frame_data(f->region, id, &e->frame);
		e->cookie = dfx_table_cookie(host, id);
		e->offset = dfx_data_buffer(host, id);
		e->ready_ns = buf->ready_ns;
		f->ready_tail++;
	}
	WRITE_ONCE(f->ready->session, host->session);
	/* Pairs with the user's acquire load. */
	smp_store_release(&f->ready->tail, f->ready_tail);

	/* The end after the last buffer: who sees it has all there is. */
	if (dfx_consumer_over(f))
		flags = DFX_RING_END;
	if (flags == f->ready->flags && f->ready_tail == old_tail)
		return false;
	/* Pairs with the user's acquire load, which precedes that of tail. */
	smp_store_release(&f->ready->flags, flags);
	dfx_region_wake(f->region);
	return f->ready_tail != old_tail;
}
