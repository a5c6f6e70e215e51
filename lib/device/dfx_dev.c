// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dfx_dev.c - the producer engine
 *
 * Moves records from a lane into the buffers of its pools, and full buffers to
 * the host. It blocks at the push and the pop gate, nowhere else, and never
 * while it holds anything that another lane could be waiting for. It trusts no
 * index or id that it reads from the host without a check.
 *
 * Letters (A) to (L) refer to the ordering diagram in
 * Documentation/driver-api/dfx.rst.
 */
#include "dfx_dev.h"

/**
 * struct dfx_wait - one wait, with one deadline for both gates
 * @budget: ticks to wait at most, as the caller gave them.
 * @limit: ticks after @since at which it is over; valid once @armed.
 * @since: counter when the wait began; valid once @armed, and never moved.
 * @charged: counter up to which the time has been charged to a gate.
 * @incident: the host's last incident when the waiting at this gate began.
 * @armed: the deadline has been taken.
 * @common: a freeze was open while it waited at this gate.
 */
struct dfx_wait {
	__u64 budget;
	__u64 limit;
	__u64 since;
	__u64 charged;
	__u32 incident;
	int armed;
	int common;
};

/* ---- little helpers on shared words ------------------------------------ */

static void *dfx_dev_at(const struct dfx_dev_region *region, __u64 off)
{
	return region->base + off;
}

static void dfx_dev_set_state(struct dfx_dev_lane *lane, __u32 state)
{
	lane->state = state;
	dfx_port_store32(&lane->shm->state, state);
}

static void dfx_dev_beat(struct dfx_dev_lane *lane)
{
	lane->heartbeat++;
	dfx_port_store32(&lane->shm->heartbeat, lane->heartbeat);
}

static int dfx_dev_is_pow2(__u32 n)
{
	return n && !(n & (n - 1));
}

static int dfx_dev_range_ok(__u64 off, __u64 len, __u64 size)
{
	return off <= size && len <= size - off;
}

/* ---- doorbell ------------------------------------------------------------ */

static void dfx_dev_ring(const struct dfx_dev_region *region)
{
	region->dev->ring(region->dev->ring_ctx, region->dev->peer,
			  region->vector);
}

/*
 * An entry has been published. The barrier (I) pairs with the host's between (J)
 * and its look: either the host sees the entry, or this sees what it asks for.
 */
static void dfx_dev_ring_entry(struct dfx_dev_lane *lane, __u32 index)
{
	if (!lane->region->bell)
		return;
	dfx_port_mb();
	if (dfx_port_load32_acquire(&lane->rq_head->event) == index)
		dfx_dev_ring(lane->region);
}

/* Something else has been stored that the host may be asleep for; likewise. */
static void dfx_dev_ring_armed(struct dfx_dev_lane *lane)
{
	/* Before its first session a lane does not know where to look. */
	if (!lane->region->bell || !lane->rq_head)
		return;
	dfx_port_mb();
	if (dfx_port_load32_acquire(&lane->rq_head->armed))
		dfx_dev_ring(lane->region);
}

/* ---- identity and attachment ------------------------------------------- */

void dfx_dev_announce(void *base, const struct dfx_dev_info *info)
{
	struct dfx_shm_ident *id = base;

	dfx_port_store32_release(&id->magic, 0);
	dfx_port_store32(&id->layout_major, DFX_LAYOUT_MAJOR);
	dfx_port_store32(&id->layout_minor, DFX_LAYOUT_MINOR);
	dfx_port_store32(&id->arch, info->arch);
	dfx_port_store32(&id->isa, info->isa);
	dfx_port_store32(&id->nr_lanes, info->nr_lanes);
	dfx_port_store64(&id->counter_hz, info->counter_hz);
	dfx_port_store64(&id->watchdog_us, info->watchdog_us);
	dfx_port_store64(&id->shared_offset, info->shared_offset);
	dfx_port_store64(&id->shared_size, info->shared_size);
	dfx_port_store32(&id->nr_cores, info->nr_cores);
	dfx_port_store32(&id->boot, info->boot);
	dfx_port_store32(&id->subsystems, info->subsystems);
	dfx_port_store32(&id->attached, 0);
	dfx_port_store32(&id->doorbell, info->doorbell);
	dfx_port_store32(&id->swim_kinds, info->swim_kinds);
	/* Pairs with the host's acquire load of the magic at probe. */
	dfx_port_store32_release(&id->magic, DFX_MAGIC_IDENT);
	dfx_port_clean(id, sizeof(*id));
}

int dfx_dev_attach(struct dfx_dev *dev, void *base, __u64 size)
{
	struct dfx_shm_ident *id = base;
	struct dfx_shm_aperture *ap;
	__u64 off = dfx_port_load64(&id->shared_offset);

	if (!dfx_dev_range_ok(off, sizeof(*ap), size))
		return DFX_DEV_INVAL;
	ap = (struct dfx_shm_aperture *)((__u8 *)base + off);
	dfx_port_invalidate(ap, sizeof(*ap));
	/* Pairs with the host's release store when it has formatted. */
	if (dfx_port_load32_acquire(&ap->magic) != DFX_MAGIC_APERTURE)
		return DFX_DEV_AGAIN;
	if (dfx_port_load32(&ap->layout_major) != DFX_LAYOUT_MAJOR)
		return DFX_DEV_VERSION;
	if (dfx_port_load32(&ap->nr_regions) > DFX_MAX_REGIONS)
		return DFX_DEV_INVAL;

	dev->base = base;
	dev->size = size;
	dev->aperture = ap;
	dev->generation = dfx_port_load32(&ap->generation);
	if (!dev->generation)
		return DFX_DEV_INVAL;
	dev->ring = NULL;
	dev->ring_ctx = NULL;
	dev->peer = dfx_port_load32(&ap->peer);
	dev->vectors = dfx_port_load32(&ap->vectors);
	dfx_port_store32_release(&id->attached, dev->generation);
	return DFX_DEV_OK;
}

void dfx_dev_set_doorbell(struct dfx_dev *dev, dfx_dev_ring_fn *ring,
			  void *ctx)
{
	struct dfx_shm_ident *id = (struct dfx_shm_ident *)dev->base;

	/* A host that listens to more than there is was not meant for us. */
	if (!dev->vectors || dev->peer > DFX_MAX_PEER ||
	    dev->vectors > dfx_port_load32(&id->doorbell))
		return;
	dev->ring = ring;
	dev->ring_ctx = ctx;
}

int dfx_dev_region_open(struct dfx_dev_region *region, struct dfx_dev *dev,
			__u32 subsys, struct dfx_dev_pool *pools,
			__u32 max_pools)
{
	struct dfx_shm_region_ref *ref = dev->aperture->regions;
	__u32 nr = dfx_port_load32(&dev->aperture->nr_regions);
	__u32 i, host_off;
	__u64 off;

	for (i = 0; i < nr && i < DFX_MAX_REGIONS; i++)
		if (dfx_port_load32(&ref[i].subsys) == subsys)
			break;
	if (i >= nr || i >= DFX_MAX_REGIONS)
		return DFX_DEV_NOSESSION;

	off = dfx_port_load64(&ref[i].offset);
	region->size = dfx_port_load64(&ref[i].size);
	if (!dfx_dev_range_ok(off, region->size, dev->size) ||
	    off % DFX_SHM_PAGE || region->size < 4 * DFX_SHM_PAGE)
		return DFX_DEV_INVAL;

	region->dev = dev;
	region->subsys = subsys;
	region->base = dev->base + off;
	region->shm = (struct dfx_shm_region *)region->base;
	region->pools = pools;
	region->max_pools = max_pools;
	region->vector = dfx_port_load32(&ref[i].vector);
	region->bell = dev->ring && region->vector < dev->vectors;
	if (dfx_port_load32(&region->shm->magic) != DFX_MAGIC_REGION)
		return DFX_DEV_INVAL;
	host_off = dfx_port_load32(&region->shm->host_off);
	if (host_off % DFX_SHM_PAGE ||
	    !dfx_dev_range_ok(host_off, DFX_SHM_PAGE, region->size))
		return DFX_DEV_INVAL;
	region->ctl = dfx_dev_at(region, host_off);
	return DFX_DEV_OK;
}

int dfx_dev_lane_open(struct dfx_dev_lane *lane, struct dfx_dev_region *region,
		      __u32 index)
{
	struct dfx_shm_region *shm = region->shm;
	__u32 lane_off = dfx_port_load32(&shm->lane_off);

	if (index >= dfx_port_load32(&shm->nr_lanes) ||
	    !dfx_dev_range_ok(lane_off,
			      (__u64)(index + 1) * sizeof(*lane->shm),
			      region->size))
		return DFX_DEV_INVAL;

	*lane = (struct dfx_dev_lane){
		.ctl_seq = &region->ctl->seq,
		/* Odd: differs from every value that is to be obeyed. */
		.seen = 1,
		.region = region,
		.index = index,
		.rc = DFX_DEV_NOSESSION,
		.shm = (struct dfx_shm_lane *)dfx_dev_at(region, lane_off) +
		       index,
	};
	dfx_dev_beat(lane);
	return DFX_DEV_OK;
}

/* ---- start of a session ------------------------------------------------- */

static int dfx_dev_pool_load(struct dfx_dev_lane *lane, __u32 id,
			     __u32 desc_off, __u32 fq_off, __u32 pool_off,
			     struct dfx_dev_pool ***link)
{
	struct dfx_dev_region *region = lane->region;
	struct dfx_shm_pool_desc *d = dfx_dev_at(region, desc_off);
	struct dfx_dev_pool *pool = &region->pools[id];
	__u32 i;

	d += id;
	if (dfx_port_load32(&d->lane) != lane->index)
		return DFX_DEV_OK;

	*pool = (struct dfx_dev_pool){
		.buffer = DFX_NO_BUFFER,
		.id = id,
		.lane = lane->index,
		.kind = dfx_port_load32(&d->kind),
		.instance = dfx_port_load32(&d->instance),
		.slots = dfx_port_load32(&d->slots),
		.nr_buffers = dfx_port_load32(&d->nr_buffers),
		.first_buffer = dfx_port_load32(&d->first_buffer),
		.record_size = dfx_port_load32(&d->record_size),
		.capacity = dfx_port_load32(&d->capacity),
		.stride = dfx_port_load32(&d->stride),
		.buf_off = dfx_port_load64(&d->buf_off),
		.fq = (struct dfx_shm_fq *)dfx_dev_at(region, fq_off) + id,
		.shm = (struct dfx_shm_pool *)dfx_dev_at(region, pool_off) + id,
	};
	if (!dfx_dev_is_pow2(pool->slots) || pool->slots > DFX_MAX_FQ_SLOTS ||
	    !pool->nr_buffers || pool->nr_buffers > DFX_MAX_BUFFERS ||
	    pool->first_buffer > DFX_MAX_BUFFERS ||
	    !pool->record_size || pool->record_size > DFX_MAX_RECORD_SIZE ||
	    !pool->capacity || pool->stride > DFX_MAX_BUFFER_SIZE ||
	    (__u64)pool->capacity * pool->record_size > pool->stride ||
	    !dfx_dev_range_ok(pool->buf_off,
			      (__u64)pool->nr_buffers * pool->stride,
			      region->size))
		return DFX_DEV_INVAL;
	if (pool->kind > 31 || !(lane->kinds & (1u << pool->kind)))
		pool->record_size = 0;
	**link = pool;
	*link = &pool->next;

	dfx_port_store32(&pool->shm->fq_head, 0);
	dfx_port_store32(&pool->shm->cur_buffer, DFX_NO_BUFFER);
	dfx_port_store32(&pool->shm->seq, 0);
	dfx_port_store32(&pool->shm->count, 0);
	dfx_port_store32(&pool->shm->stash_first, 0);
	dfx_port_store32(&pool->shm->stash_next, 0);
	dfx_port_store64(&pool->shm->produced, 0);
	dfx_port_store64(&pool->shm->mismatch, 0);
	for (i = 0; i < DFX_NR_DROP; i++)
		dfx_port_store64(&pool->shm->dropped[i], 0);
	return DFX_DEV_OK;
}

/* Reads the session's geometry and resets the words that the lane writes. */
static int dfx_dev_session_load(struct dfx_dev_lane *lane)
{
	struct dfx_dev_region *region = lane->region;
	struct dfx_shm_region *r = region->shm;
	__u32 desc_off = dfx_port_load32(&r->desc_off);
	__u32 fq_off = dfx_port_load32(&r->fq_off);
	__u32 pool_off = dfx_port_load32(&r->pool_off);
	__u32 rq_head_off = dfx_port_load32(&r->rq_head_off);
	__u32 dev_off = dfx_port_load32(&r->dev_off);
	__u32 rq_off = dfx_port_load32(&r->rq_off);
	__u32 nr_lanes = dfx_port_load32(&r->nr_lanes);
	struct dfx_dev_pool **link = &lane->first_pool;
	__u64 rq_bytes;
	__u32 i;
	int rc;

	lane->first_pool = NULL;
	lane->nr_pools = dfx_port_load32(&r->nr_pools);
	lane->rq_depth = dfx_port_load32(&r->rq_depth);
	lane->deadline = dfx_port_load64(&r->deadline);
	lane->level = dfx_port_load32(&r->level);
	lane->kinds = dfx_port_load32(&r->kinds);
	lane->param = dfx_port_load32(&r->param);
	lane->recovery = dfx_port_load32(&r->recovery);
	if (lane->nr_pools > region->max_pools ||
	    lane->nr_pools > DFX_MAX_POOLS || nr_lanes > DFX_MAX_LANES ||
	    lane->index >= nr_lanes || !dfx_dev_is_pow2(lane->rq_depth) ||
	    lane->rq_depth > DFX_MAX_RQ_DEPTH)
		return DFX_DEV_INVAL;
	rq_bytes = (__u64)lane->rq_depth * sizeof(struct dfx_shm_entry);
	if (!dfx_dev_range_ok(desc_off, lane->nr_pools *
			      sizeof(struct dfx_shm_pool_desc), region->size) ||
	    !dfx_dev_range_ok(fq_off, lane->nr_pools *
			      sizeof(struct dfx_shm_fq), region->size) ||
	    !dfx_dev_range_ok(pool_off, lane->nr_pools *
			      sizeof(struct dfx_shm_pool), region->size) ||
	    !dfx_dev_range_ok(rq_head_off, nr_lanes *
			      sizeof(struct dfx_shm_rq_head), region->size) ||
	    !dfx_dev_range_ok(dev_off, sizeof(struct dfx_shm_contended),
			      region->size) ||
	    !dfx_dev_range_ok(rq_off, nr_lanes * rq_bytes, region->size))
		return DFX_DEV_INVAL;

	lane->freeze = (struct dfx_shm_freeze *)(region->ctl + 1);
	lane->contended = dfx_dev_at(region, dev_off);
	lane->rq_head = (struct dfx_shm_rq_head *)
			dfx_dev_at(region, rq_head_off) + lane->index;
	lane->entries = dfx_dev_at(region, rq_off + lane->index * rq_bytes);

	for (i = 0; i < lane->nr_pools; i++) {
		rc = dfx_dev_pool_load(lane, i, desc_off, fq_off, pool_off,
				       &link);
		if (rc)
			return rc;
	}
	return DFX_DEV_OK;
}

static void dfx_dev_publish_counters(struct dfx_dev_lane *lane)
{
	struct dfx_shm_lane *shm = lane->shm;

	dfx_port_store64(&shm->push_waits, lane->push_waits);
	dfx_port_store64(&shm->pop_waits, lane->pop_waits);
	dfx_port_store64(&shm->push_ticks, lane->push_ticks);
	dfx_port_store64(&shm->pop_ticks, lane->pop_ticks);
	dfx_port_store64(&shm->expired, lane->expired);
	dfx_port_store64(&shm->resumed, lane->resumed);
	dfx_port_store64(&shm->marks, lane->marks);
	dfx_port_store64(&shm->alone, lane->alone);
	dfx_port_store64(&shm->alone_ticks, lane->alone_ticks);
}

/* The lane's part of the arenas, if the region has them. */
static int dfx_dev_arena_load(struct dfx_dev_lane *lane)
{
	struct dfx_dev_region *region = lane->region;
	__u64 off = dfx_port_load64(&region->shm->arena_off);
	__u32 units = dfx_port_load32(&region->shm->arena_units);
	__u64 bytes = (__u64)units * DFX_ARENA_UNIT;

	lane->arena = NULL;
	lane->arena_units = units;
	lane->arena_tail = 0;
	if (!units)
		return DFX_DEV_OK;
	if (!dfx_dev_is_pow2(units) || bytes > DFX_MAX_ARENA_SIZE ||
	    off > region->size ||
	    !dfx_dev_range_ok(off + lane->index * bytes, bytes, region->size))
		return DFX_DEV_INVAL;
	lane->arena = dfx_dev_at(region, off + lane->index * bytes);
	return DFX_DEV_OK;
}

static void dfx_dev_start(struct dfx_dev_lane *lane, __u64 session)
{
	lane->gone = 0;
	lane->fault = 0;
	lane->rq_tail = 0;
	lane->flush = 0;
	lane->cutting = 0;
	lane->stopping = 0;
	lane->runs = 0;
	lane->push_waits = 0;
	lane->pop_waits = 0;
	lane->push_ticks = 0;
	lane->pop_ticks = 0;
	lane->expired = 0;
	lane->resumed = 0;
	lane->marks = 0;
	lane->alone = 0;
	lane->alone_ticks = 0;
	dfx_port_store32(&lane->shm->rq_tail, 0);
	dfx_port_store32(&lane->shm->incident, 0);
	dfx_port_store32(&lane->shm->flush_ack, 0);
	dfx_port_store32(&lane->shm->runs, 0);
	dfx_dev_publish_counters(lane);
	lane->session = session;
	dfx_port_store64(&lane->shm->session, session);
	if (dfx_dev_session_load(lane) || dfx_dev_arena_load(lane)) {
		lane->fault = 1;
		lane->running = 0;
		dfx_dev_set_state(lane, DFX_LANE_FAULT);
		return;
	}
	lane->running = 1;
	dfx_dev_set_state(lane, DFX_LANE_RUNNING);
}

static void dfx_dev_idle(struct dfx_dev_lane *lane)
{
	struct dfx_dev_pool *pool;

	/* Sends a caller that still knows the pool to the slow path. */
	for (pool = lane->first_pool; pool; pool = pool->next)
		pool->left = 0;
	lane->running = 0;
	lane->first_pool = NULL;
	lane->session = 0;
	dfx_port_store64(&lane->shm->session, 0);
	dfx_dev_set_state(lane, DFX_LANE_IDLE);
}

/* ---- waiting ------------------------------------------------------------ */

static void dfx_dev_fault(struct dfx_dev_lane *lane)
{
	lane->fault = 1;
	dfx_dev_set_state(lane, DFX_LANE_FAULT);
}

/* The host looks at nothing of the lane any more: no mark can help it. */
static int dfx_dev_refused(const struct dfx_dev_lane *lane)
{
	return dfx_port_load32(&lane->rq_head->refused) != 0;
}

/*
 * Does the host still want what the caller is waiting for? A stop ends a wait
 * for a buffer; it does not end a wait for room in the ready queue, since what
 * the lane holds must still be published. Another generation ends both.
 */
static int dfx_dev_wait_wanted(struct dfx_dev_lane *lane, int publishing)
{
	struct dfx_shm_ctl *ctl = lane->region->ctl;
	__u32 seq = dfx_port_load32_acquire(&ctl->seq);

	if (seq == lane->seen || seq & 1)
		return DFX_DEV_OK;
	if (dfx_port_load32(&ctl->generation) !=
	    lane->region->dev->generation)
		return DFX_DEV_DETACHED;
	if (dfx_port_load64(&ctl->session) != lane->session)
		return DFX_DEV_NOSESSION;
	if (!publishing && dfx_port_load32(&ctl->state) != DFX_CTL_RUNNING)
		return DFX_DEV_NOSESSION;
	return DFX_DEV_OK;
}

/*
 * The deadline has expired at a gate. What lies in the free queues now was there
 * while the lane waited: finding it later says nothing about the host.
 */
static void dfx_dev_give_up(struct dfx_dev_lane *lane, __u32 gate)
{
	struct dfx_dev_pool *pool;

	lane->gone = gate;
	lane->gone_frozen =
		dfx_port_load32(&lane->freeze->fq_freeze_active);
	lane->gone_arena = dfx_port_load32(&lane->rq_head->arena_head);
	lane->expired++;
	for (pool = lane->first_pool; pool; pool = pool->next)
		pool->gone_tail = dfx_port_load32(&pool->fq->tail);
}

/*
 * Tells the host in which incident this lane waits. In every turn, since the
 * host asks at the next opening, when a slow lane may not have left yet; a freeze
 * that was over before the lane looked shows in the number.
 */
static void dfx_dev_witness(struct dfx_dev_lane *lane, struct dfx_wait *w)
{
	/* The flags first: the number is stored before them. */
	int frozen = dfx_port_load32_acquire(&lane->freeze->rq_freeze_active) ||
		     dfx_port_load32_acquire(&lane->freeze->fq_freeze_active);
	__u32 incident = dfx_port_load32(&lane->freeze->incident);

	if (!frozen && incident == w->incident)
		return;
	w->incident = incident;
	w->common = 1;
	dfx_port_store32(&lane->shm->incident, incident);
}

/*
 * One turn of a wait. Returns DFX_DEV_OK to look again. The deadline is taken
 * on the first turn and never again.
 */
static int dfx_dev_wait_turn(struct dfx_dev_lane *lane, struct dfx_wait *w,
			     __u32 state, int publishing)
{
	__u64 now;
	int rc;

	if (dfx_dev_refused(lane)) {
		dfx_dev_fault(lane);
		return DFX_DEV_FAULT;
	}
	if (lane->gone)
		return DFX_DEV_GONE;
	if (w->budget == DFX_DEV_TRY)
		return DFX_DEV_AGAIN;
	rc = dfx_dev_wait_wanted(lane, publishing);
	if (rc)
		return rc;
	now = dfx_port_cycles();
	if (!w->armed) {
		w->armed = 1;
		w->since = now;
		w->charged = now;
		w->limit = w->budget < lane->deadline ? w->budget :
			   lane->deadline;
	} else if (now - w->since >= w->limit) {
		if (w->budget < lane->deadline)
			return DFX_DEV_AGAIN;
		dfx_dev_give_up(lane, state);
		return DFX_DEV_TIMEDOUT;
	}
	if (lane->state != state) {
		if (state == DFX_LANE_PARKED_PUSH)
			lane->push_waits++;
		else
			lane->pop_waits++;
		w->incident = dfx_port_load32(&lane->freeze->incident);
		w->common = 0;
		dfx_dev_set_state(lane, state);
		dfx_dev_publish_counters(lane);
	}
	dfx_dev_witness(lane, w);
	dfx_dev_beat(lane);
	dfx_port_relax();
	return DFX_DEV_OK;
}

/* Ends the waiting at one gate: charges the time, says what the lane is now. */
static void dfx_dev_wait_end(struct dfx_dev_lane *lane, struct dfx_wait *w)
{
	__u64 now;

	if (lane->state == DFX_LANE_PARKED_PUSH ||
	    lane->state == DFX_LANE_PARKED_POP) {
		now = dfx_port_cycles();
		if (lane->state == DFX_LANE_PARKED_PUSH)
			lane->push_ticks += now - w->charged;
		else
			lane->pop_ticks += now - w->charged;
		dfx_dev_witness(lane, w);
		if (!w->common) {
			lane->alone++;
			lane->alone_ticks += now - w->charged;
		}
		w->charged = now;
		dfx_dev_publish_counters(lane);
	} else if (lane->state != DFX_LANE_HOST_GONE || lane->gone) {
		return;
	}
	if (lane->fault)
		dfx_dev_set_state(lane, DFX_LANE_FAULT);
	else
		dfx_dev_set_state(lane, lane->gone ? DFX_LANE_HOST_GONE :
				  DFX_LANE_RUNNING);
}

/*
 * An attempt without waiting has succeeded at a gate. The host is back if that is
 * the gate at which the deadline expired; the other one says nothing, and the
 * lane would wait out another deadline for each of its pools.
 */
static void dfx_dev_host_back(struct dfx_dev_lane *lane, __u32 gate)
{
	if (lane->gone != gate)
		return;
	lane->gone = 0;
	lane->resumed++;
	dfx_dev_set_state(lane, DFX_LANE_RUNNING);
	dfx_dev_publish_counters(lane);
}

/*
 * Raises a leader's mark unless the host is bound to see one, or has answered
 * it with a freeze that is still open. Contended is loaded first and the
 * freeze after it: the host sets the freeze (E) before it clears the mark (F),
 * so that both read as zero only after a whole cycle, whose refill has then
 * been seen by the caller's next look at its queue. Hence level-triggered: a
 * mark that was consumed without relief is raised again.
 */
static void dfx_dev_mark(struct dfx_dev_lane *lane, __le32 *contended,
			 __le32 *active)
{
	/* The wait that follows sees it, too, and ends. */
	if (dfx_dev_refused(lane))
		return;
	if (dfx_port_load32_acquire(contended))
		return;
	if (dfx_port_load32_acquire(active))
		return;
	lane->marks++;
	/* (D), pairs with the acquire load in the driver's freeze step. */
	dfx_port_store32_release(contended, 1);
	dfx_dev_ring_armed(lane);
}

/* ---- push gate ------------------------------------------------------------ */

static int dfx_dev_rq_room(struct dfx_dev_lane *lane)
{
	/* Pairs with (B): the slot's old entry has been copied. */
	__u32 head = dfx_port_load32_acquire(&lane->rq_head->head);
	__u32 used = lane->rq_tail - head;

	if (used > lane->rq_depth)
		return DFX_DEV_FAULT;
	return used < lane->rq_depth ? DFX_DEV_OK : DFX_DEV_AGAIN;
}

/* The pool has no current buffer any more. */
static void dfx_dev_let_go(struct dfx_dev_pool *pool)
{
	pool->buffer = DFX_NO_BUFFER;
	pool->slot = NULL;
	pool->left = 0;
	pool->count = 0;
	pool->gap = 0;
}

static void dfx_dev_forget_current(struct dfx_dev_pool *pool)
{
	dfx_port_store32(&pool->shm->cur_buffer, DFX_NO_BUFFER);
	dfx_port_store32(&pool->shm->count, 0);
}

/* Publishes the oldest buffer of a core's stash, or the current one. */
static void dfx_dev_publish(struct dfx_dev_lane *lane,
			    struct dfx_dev_pool *pool,
			    const struct dfx_dev_full *stashed, __u32 flags)
{
	const struct dfx_dev_full own = {
		.buffer = pool->buffer,
		.count = pool->count,
		.first_time = pool->first_time,
		.gap = pool->gap,
	};
	const struct dfx_dev_full *full = stashed ? stashed : &own;
	struct dfx_shm_entry *e;
	__u64 now = dfx_port_cycles();

	e = &lane->entries[lane->rq_tail & (lane->rq_depth - 1)];
	dfx_port_store32(&e->pool, pool->id);
	dfx_port_store32(&e->buffer, full->buffer);
	dfx_port_store32(&e->seq, pool->seq);
	dfx_port_store32(&e->count, full->count);
	dfx_port_store64(&e->session, lane->session);
	dfx_port_store64(&e->lost, full->gap);
	dfx_port_store64(&e->time, now);
	dfx_port_store64(&e->first_time, full->first_time);
	dfx_port_store32(&e->flags, flags | (full->gap ? DFX_ENTRY_GAP : 0));
	dfx_port_store32(&e->lane, lane->index);
	dfx_port_store32(&e->arena_end, (__u32)lane->arena_tail);
	/* A core has cleaned its records itself. */
	if (!pool->core)
		dfx_port_clean(pool->slot -
			       (__u64)pool->count * pool->record_size,
			       (__u64)pool->count * pool->record_size);
	dfx_port_clean(e, sizeof(*e));

	/*
	 * What the pool says about itself must not lag behind the entry, or
	 * the host could count the records of this buffer twice.
	 */
	pool->produced += full->count;
	dfx_port_store64(&pool->shm->produced, pool->produced);
	dfx_port_store32(&pool->shm->seq, pool->seq + 1);
	if (stashed)
		dfx_port_store32(&pool->shm->stash_first,
				 pool->core->first + 1);
	else
		dfx_dev_forget_current(pool);

	lane->rq_tail++;
	/* (A), pairs with the acquire load in the driver's drain. */
	dfx_port_store32_release(&lane->shm->rq_tail, lane->rq_tail);
	dfx_dev_ring_entry(lane, lane->rq_tail - 1);

	/* Published: nothing from here on may turn it into a failure (R1). */
	pool->seq++;
	if (stashed)
		pool->core->first++;
	else
		dfx_dev_let_go(pool);
}

/* Parks, holding nothing, while the host keeps the push gate frozen. */
static void dfx_dev_push_barrier(struct dfx_dev_lane *lane, struct dfx_wait *w)
{
	/* Pairs with (H). */
	while (dfx_port_load32_acquire(&lane->freeze->rq_freeze_active))
		if (dfx_dev_wait_turn(lane, w, DFX_LANE_PARKED_PUSH, 0))
			break;
	dfx_dev_wait_end(lane, w);
}

static int dfx_dev_push(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
			const struct dfx_dev_full *stashed, struct dfx_wait *w,
			__u32 flags)
{
	int rc;

	for (;;) {
		rc = dfx_dev_rq_room(lane);
		if (rc != DFX_DEV_AGAIN)
			break;
		dfx_dev_mark(lane, &lane->contended->rq_contended,
			     &lane->freeze->rq_freeze_active);
		rc = dfx_dev_wait_turn(lane, w, DFX_LANE_PARKED_PUSH, 1);
		if (rc)
			break;
	}
	if (rc == DFX_DEV_FAULT)
		dfx_dev_fault(lane);
	if (rc) {
		dfx_dev_wait_end(lane, w);
		return rc;
	}
	/* Room behind a barrier that is still closed is no sign of it. */
	if (!dfx_port_load32_acquire(&lane->freeze->rq_freeze_active))
		dfx_dev_host_back(lane, DFX_LANE_PARKED_PUSH);
	dfx_dev_publish(lane, pool, stashed, flags);
	dfx_dev_push_barrier(lane, w);
	return DFX_DEV_OK;
}

/* ---- pop gate ------------------------------------------------------------- */

/* Takes the next usable buffer of the free queue, if there is one. */
static int dfx_dev_fq_take(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool)
{
	/* Pairs with (G): the slot and the buffer behind it are ours. */
	__u32 tail = dfx_port_load32_acquire(&pool->fq->tail);
	__u32 avail = tail - pool->fq_head;
	__u32 id, n;

	if (avail > pool->slots) {
		dfx_dev_fault(lane);
		return DFX_DEV_FAULT;
	}
	while (avail--) {
		id = dfx_port_load32(&pool->fq->slot[pool->fq_head &
						     (pool->slots - 1)]);
		n = id - pool->first_buffer;
		pool->fq_head++;
		/* The slot has been read: the host may use it again. */
		dfx_port_store32_release(&pool->shm->fq_head, pool->fq_head);
		if (n >= pool->nr_buffers) {
			pool->mismatch++;
			dfx_port_store64(&pool->shm->mismatch, pool->mismatch);
			continue;
		}
		pool->buffer = id;
		pool->slot = (__u8 *)dfx_dev_at(lane->region, pool->buf_off +
						(__u64)n * pool->stride);
		pool->count = 0;
		pool->left = pool->capacity;
		/* Lost before its first record, and so reported with it. */
		pool->gap = pool->lost;
		pool->lost = 0;
		pool->first_time = dfx_port_cycles();
		dfx_port_store32(&pool->shm->count, 0);
		dfx_port_store32(&pool->shm->cur_buffer, id);
		dfx_port_invalidate(pool->slot, pool->stride);
		/* The next switch would freeze everybody: ask for more now. */
		if (pool->fq_head == tail)
			dfx_dev_ring_armed(lane);
		return DFX_DEV_OK;
	}
	return DFX_DEV_AGAIN;
}

static int dfx_dev_pop(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
		       struct dfx_wait *w)
{
	int rc;

	for (;;) {
		/*
		 * The barrier comes first, even if a buffer is there: that is
		 * what makes the gap common to all lanes. Pairs with (H).
		 */
		if (!dfx_port_load32_acquire(&lane->freeze->fq_freeze_active)) {
			rc = dfx_dev_fq_take(lane, pool);
			if (rc != DFX_DEV_AGAIN)
				break;
			dfx_dev_mark(lane, &lane->contended->fq_contended,
				     &lane->freeze->fq_freeze_active);
		}
		rc = dfx_dev_wait_turn(lane, w, DFX_LANE_PARKED_POP, 0);
		if (rc)
			break;
	}
	/* A freeze that has ended since, or a refill, is the host's doing. */
	if (!rc && (lane->gone_frozen ||
		    dfx_port_load32(&pool->fq->tail) != pool->gone_tail))
		dfx_dev_host_back(lane, DFX_LANE_PARKED_POP);
	dfx_dev_wait_end(lane, w);
	return rc;
}

/* ---- cores ------------------------------------------------------------------ */

static struct dfx_dev_full *dfx_dev_core_at(struct dfx_dev_core *core,
					    __u32 index)
{
	return &core->stash[index & (DFX_NR_STASH - 1)];
}

/* The core's own word: whether every slot that it was given has its record. */
static int dfx_dev_core_idle(struct dfx_dev_core *core)
{
	dfx_port_invalidate(&core->head->done, sizeof(core->head->done));
	/* (L), pairs with the release store in dfx_core_commit(). */
	return dfx_port_load32_acquire(&core->head->done) == core->given;
}

/* Whether a core of the lane may still write into a buffer of this session. */
static int dfx_dev_cores_busy(struct dfx_dev_lane *lane)
{
	struct dfx_dev_pool *pool;

	for (pool = lane->first_pool; pool; pool = pool->next)
		if (pool->core && !dfx_dev_core_idle(pool->core))
			return 1;
	return 0;
}

/* What the host may take of a stashed buffer if the lane dies. */
static void dfx_dev_core_tell(struct dfx_dev_pool *pool, __u32 index,
			      __u32 count)
{
	struct dfx_shm_stash *s = &pool->shm->stash[index & (DFX_NR_STASH - 1)];

	dfx_port_store32(&s->buffer,
			 dfx_dev_core_at(pool->core, index)->buffer);
	/* Pairs with the host's load when it recovers a dead lane's buffer. */
	dfx_port_store32_release(&s->count, count);
}

/* The buffers before @end are proven to be complete. */
static void dfx_dev_core_prove(struct dfx_dev_pool *pool, __u32 end)
{
	struct dfx_dev_core *core = pool->core;

	for (; core->acked != end; core->acked++)
		dfx_dev_core_tell(pool, core->acked,
				  dfx_dev_core_at(core, core->acked)->count);
}

/*
 * Publishes what is proven to be complete. Buffers that find no room stay in the
 * stash, in order, and so does what comes behind them.
 */
static int dfx_dev_core_release(struct dfx_dev_lane *lane,
				struct dfx_dev_pool *pool, struct dfx_wait *w)
{
	struct dfx_dev_core *core = pool->core;
	struct dfx_dev_full *full;
	int rc;

	while (core->first != core->acked) {
		full = dfx_dev_core_at(core, core->first);
		rc = dfx_dev_push(lane, pool, full, w,
				  full->count < pool->capacity ?
				  DFX_ENTRY_PARTIAL : 0);
		if (rc)
			return rc;
	}
	return DFX_DEV_OK;
}

/*
 * Puts the current buffer into the stash. The record of the last task in it may
 * not have been written: the core has acknowledged that task, and so only written
 * those before it.
 */
static void dfx_dev_core_stash(struct dfx_dev_pool *pool)
{
	struct dfx_dev_core *core = pool->core;

	/* Nobody tells of ACKs: that the next buffer was begun has proven it. */
	if (!core->early_fin)
		dfx_dev_core_prove(pool, core->next);
	*dfx_dev_core_at(core, core->next) = (struct dfx_dev_full){
		.buffer = pool->buffer,
		.count = pool->count,
		.first_time = pool->first_time,
		.gap = pool->gap,
	};
	dfx_dev_core_tell(pool, core->next, pool->count - 1);
	core->next++;
	/* In the stash first, and only then no longer current. */
	dfx_port_store32_release(&pool->shm->stash_next, core->next);
	dfx_dev_forget_current(pool);
	dfx_dev_let_go(pool);
	core->left = 0;
	if (core->cut_wanted) {
		core->cut_wanted = 0;
		core->cut_upto = core->next;
	}
}

/*
 * A current buffer with room. The full one goes into the stash before another is
 * asked for. If there is none to be had, a core that has finished everything is
 * proof enough: with no next task there would be no ACK, and a small pool would
 * wait for itself.
 */
static int dfx_dev_core_rotate(struct dfx_dev_lane *lane,
			       struct dfx_dev_pool *pool)
{
	struct dfx_wait try = { .budget = DFX_DEV_TRY };
	struct dfx_dev_core *core = pool->core;
	int rc;

	if (pool->count) {
		if (core->next - core->first == DFX_NR_STASH &&
		    dfx_dev_core_idle(core))
			dfx_dev_core_prove(pool, core->next);
		rc = dfx_dev_core_release(lane, pool, &try);
		if (rc && rc != DFX_DEV_AGAIN && rc != DFX_DEV_GONE)
			return rc;
		if (core->next - core->first == DFX_NR_STASH)
			return DFX_DEV_AGAIN;
		dfx_dev_core_stash(pool);
	}
	rc = dfx_dev_core_release(lane, pool, &try);
	if (rc && rc != DFX_DEV_AGAIN && rc != DFX_DEV_GONE)
		return rc;
	rc = dfx_dev_pop(lane, pool, &try);
	if (rc) {
		if (dfx_dev_core_idle(core))
			dfx_dev_core_prove(pool, core->next);
		dfx_dev_core_release(lane, pool, &try);
		return rc == DFX_DEV_GONE ? DFX_DEV_AGAIN : rc;
	}
	/* The core's, not dfx_dev_reserve()'s. */
	core->left = pool->left;
	pool->left = 0;
	dfx_port_store32(&core->head->base, core->given);
	dfx_port_store64(&core->head->offset, (__u64)(pool->slot -
						      lane->region->base));
	return DFX_DEV_OK;
}

/*
 * A core's part of a flush. The buffer of a core that has finished everything goes
 * out at once; of one that is at work, the dispatcher rotates it.
 */
static int dfx_dev_core_flush(struct dfx_dev_lane *lane,
			      struct dfx_dev_pool *pool, struct dfx_wait *w)
{
	struct dfx_dev_core *core = pool->core;
	int rc;

	if (core->cut != lane->cut) {
		core->cut = lane->cut;
		core->cut_wanted = pool->count != 0;
		core->cut_upto = core->next;
	}
	if (dfx_dev_core_idle(core)) {
		dfx_dev_core_prove(pool, core->next);
		rc = dfx_dev_core_release(lane, pool, w);
		if (!rc && pool->count && core->cut_wanted) {
			rc = dfx_dev_push(lane, pool, NULL, w, core->left ?
					  DFX_ENTRY_PARTIAL : 0);
			if (!rc) {
				core->left = 0;
				core->cut_wanted = 0;
			}
		}
	} else {
		rc = dfx_dev_core_release(lane, pool, w);
	}
	if (rc)
		return rc;
	return core->cut_wanted || (int)(core->cut_upto - core->first) > 0 ?
	       DFX_DEV_AGAIN : DFX_DEV_OK;
}

/* ---- flush, stop, obedience ------------------------------------------------ */

static int dfx_dev_flush_pools(struct dfx_dev_lane *lane, __u64 budget)
{
	struct dfx_wait w = { .budget = budget };
	struct dfx_dev_pool *pool;
	int rc = DFX_DEV_OK;
	int behind = 0;

	if (lane->fault)
		return DFX_DEV_FAULT;
	/* Until it is completed each call goes on with the same one. */
	if (!lane->cutting)
		lane->cut++;
	lane->cutting = 1;
	for (pool = lane->first_pool; pool; pool = pool->next) {
		if (pool->core)
			rc = dfx_dev_core_flush(lane, pool, &w);
		else if (pool->count)
			rc = dfx_dev_push(lane, pool, NULL, &w, pool->left ?
					  DFX_ENTRY_PARTIAL : 0);
		/* A core that is at work need not keep the others waiting. */
		if (rc == DFX_DEV_AGAIN)
			behind = 1;
		else if (rc)
			break;
		rc = DFX_DEV_OK;
	}
	if (!rc && behind)
		rc = DFX_DEV_AGAIN;
	if (!rc)
		lane->cutting = 0;
	dfx_dev_publish_counters(lane);
	return rc;
}

/* The session ends and the ready queue stays full: what is left is lost. */
static void dfx_dev_abandon(struct dfx_dev_lane *lane)
{
	__u32 reason = lane->fault ? DFX_DROP_FAULT : DFX_DROP_PUSH_TIMEOUT;
	struct dfx_dev_pool *pool;

	for (pool = lane->first_pool; pool; pool = pool->next) {
		struct dfx_dev_core *core = pool->core;
		__u32 count = pool->count;

		for (; core && core->first != core->next; core->first++)
			count += dfx_dev_core_at(core, core->first)->count;
		if (core) {
			core->acked = core->next;
			dfx_port_store32(&pool->shm->stash_first, core->first);
		}
		pool->produced += count;
		pool->dropped[reason] += count;
		pool->count = 0;
		dfx_port_store64(&pool->shm->dropped[reason],
				 pool->dropped[reason]);
		dfx_port_store64(&pool->shm->produced, pool->produced);
		dfx_port_store32(&pool->shm->count, 0);
	}
}

/*
 * Publishes what the lane holds at the end of a session. Whoever asks for it is
 * there, so that a lane in host-gone state waits once more.
 */
static int dfx_dev_stop(struct dfx_dev_lane *lane, __u64 budget)
{
	int rc;

	lane->stopping = 1;
	/* What a core has not written yet is part of the session. */
	if (dfx_dev_cores_busy(lane))
		return DFX_DEV_AGAIN;
	/* All of it, whatever a flush that is under way wanted. */
	lane->cutting = 0;
	if (lane->gone)
		dfx_dev_host_back(lane, lane->gone);
	rc = dfx_dev_flush_pools(lane, budget);
	if (rc && rc != DFX_DEV_AGAIN)
		dfx_dev_abandon(lane);
	return rc;
}

/*
 * Reads the control line and obeys. A change that is under way (odd), or that
 * overtakes the reading, is left for the next call: the lane never waits for
 * the host here.
 */
static int dfx_dev_obey(struct dfx_dev_lane *lane, __u64 budget)
{
	struct dfx_shm_ctl *ctl = lane->region->ctl;
	__u32 seq, state, flush, generation, mine;
	__u64 session;

	/* Pairs with (C). */
	seq = dfx_port_load32_acquire(&ctl->seq);
	if (seq == lane->seen || seq & 1)
		goto out;
	state = dfx_port_load32(&ctl->state);
	session = dfx_port_load64(&ctl->session);
	flush = dfx_port_load32(&ctl->flush);
	generation = dfx_port_load32(&ctl->generation);
	mine = lane->index < 64 &&
	       (dfx_port_load64(&lane->region->shm->lane_mask) >> lane->index &
		1);
	dfx_port_rmb();
	if (dfx_port_load32(&ctl->seq) != seq)
		goto out;
	if (generation != lane->region->dev->generation) {
		lane->running = 0;
		return DFX_DEV_DETACHED;
	}

	if (state == DFX_CTL_RUNNING && mine) {
		if (session != lane->session) {
			dfx_dev_start(lane, session);
			/* It has nothing yet that an older flush could want. */
			lane->flush = flush;
			dfx_port_store32(&lane->shm->flush_ack, flush);
		} else if (flush != lane->flush && !lane->fault) {
			/*
			 * Not done yet if a buffer found no room: the request
			 * stays unseen and is obeyed again at the next call.
			 */
			if (dfx_dev_flush_pools(lane, budget))
				goto out;
			lane->flush = flush;
			dfx_port_store32_release(&lane->shm->flush_ack, flush);
		}
	} else {
		/* A session that was never seen running: reset its words. */
		if (mine && state == DFX_CTL_STOPPING &&
		    session != lane->session)
			dfx_dev_start(lane, session);
		/* As above: obeyed again at the next call. */
		if (lane->running && state == DFX_CTL_STOPPING &&
		    session == lane->session &&
		    dfx_dev_stop(lane, budget) == DFX_DEV_AGAIN)
			goto out;
		/* The answer gives the buffers back: nobody may write then. */
		if (dfx_dev_cores_busy(lane)) {
			lane->stopping = 1;
			goto out;
		}
		dfx_dev_idle(lane);
	}
	lane->seen = seq;
	/* Pairs with the acquire load in the driver's lane check. */
	dfx_port_store32_release(&lane->shm->ack, seq);
	dfx_dev_ring_armed(lane);
out:
	dfx_dev_beat(lane);
	if (lane->fault)
		return DFX_DEV_FAULT;
	return lane->running ? DFX_DEV_OK : DFX_DEV_NOSESSION;
}

int dfx_dev_poll(struct dfx_dev_lane *lane)
{
	return dfx_dev_obey(lane, DFX_DEV_BLOCK);
}

/* ---- records ------------------------------------------------------------- */

static void dfx_dev_count_drop(struct dfx_dev_pool *pool, __u32 reason)
{
	pool->produced++;
	pool->lost++;
	pool->dropped[reason]++;
	dfx_port_store64(&pool->shm->dropped[reason], pool->dropped[reason]);
	dfx_port_store64(&pool->shm->produced, pool->produced);
}

struct dfx_dev_pool *dfx_dev_next_pool(struct dfx_dev_lane *lane,
				       struct dfx_dev_pool *pool)
{
	pool = pool ? pool->next : lane->first_pool;
	while (pool && !pool->record_size)
		pool = pool->next;
	return pool;
}

struct dfx_dev_pool *dfx_dev_find_pool(struct dfx_dev_lane *lane, __u32 kind,
				       __u32 instance)
{
	struct dfx_dev_pool *pool;

	for (pool = dfx_dev_next_pool(lane, NULL); pool;
	     pool = dfx_dev_next_pool(lane, pool))
		if (pool->kind == kind && pool->instance == instance)
			return pool;
	return NULL;
}

/*
 * Room for a record, within a wait that may already be under way. On failure
 * @reason is what a dropped record is to be charged to.
 */
static int dfx_dev_switch(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
			  struct dfx_wait *w, __u32 *reason)
{
	int rc;

	/* A full buffer goes out before its replacement is asked for. */
	if (pool->buffer != DFX_NO_BUFFER && !pool->left) {
		*reason = DFX_DROP_PUSH_TIMEOUT;
		rc = dfx_dev_push(lane, pool, NULL, w, 0);
		if (rc)
			return rc;
	}
	if (pool->left)
		return DFX_DEV_OK;
	*reason = DFX_DROP_POP_TIMEOUT;
	return dfx_dev_pop(lane, pool, w);
}

/* Obeys the host, and sees whether the pool records. */
static int dfx_dev_enter(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
			 __u64 budget)
{
	int rc = dfx_dev_obey(lane, budget);

	if (rc == DFX_DEV_NOSESSION || rc == DFX_DEV_DETACHED)
		return rc;
	if (pool->lane != lane->index || !pool->record_size || pool->core)
		return DFX_DEV_INVAL;
	return rc;
}

/* A record found no room: count it, unless the caller decides or it is moot. */
static void *dfx_dev_no_room(struct dfx_dev_lane *lane,
			     struct dfx_dev_pool *pool, __u64 budget, int rc,
			     __u32 reason)
{
	if (rc == DFX_DEV_NOSESSION || rc == DFX_DEV_DETACHED) {
		/*
		 * The session ended while this record waited. It is not part
		 * of it; what was written before is published now.
		 */
		rc = dfx_dev_obey(lane, budget);
		if (rc == DFX_DEV_OK)
			rc = DFX_DEV_NOSESSION;
	} else {
		if (rc == DFX_DEV_GONE)
			reason = DFX_DROP_HOST_GONE;
		else if (rc == DFX_DEV_FAULT)
			reason = DFX_DROP_FAULT;
		if (budget == DFX_DEV_BLOCK)
			dfx_dev_count_drop(pool, reason);
	}
	lane->rc = rc;
	return NULL;
}

void *dfx_dev_reserve_slow(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
			   __u64 budget)
{
	struct dfx_wait w = { .budget = budget };
	__u32 reason = DFX_DROP_FAULT;
	int rc;

	rc = dfx_dev_enter(lane, pool, budget);
	if (rc && rc != DFX_DEV_FAULT) {
		lane->rc = rc;
		return NULL;
	}
	if (!rc)
		rc = dfx_dev_switch(lane, pool, &w, &reason);
	if (rc)
		return dfx_dev_no_room(lane, pool, budget, rc, reason);
	return pool->slot;
}

void dfx_dev_drop(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool)
{
	if (!lane->running || pool->lane != lane->index || !pool->record_size)
		return;
	dfx_dev_count_drop(pool, lane->fault ? DFX_DROP_FAULT :
			   lane->gone ? DFX_DROP_HOST_GONE :
			   DFX_DROP_WOULD_BLOCK);
}

int dfx_dev_flush(struct dfx_dev_lane *lane, __u64 budget)
{
	int rc = dfx_dev_obey(lane, budget);

	return rc ? rc : dfx_dev_flush_pools(lane, budget);
}

int dfx_dev_end_run(struct dfx_dev_lane *lane)
{
	int rc;

	/* As for a stop. */
	if (dfx_dev_cores_busy(lane))
		return DFX_DEV_AGAIN;
	lane->cutting = 0;
	rc = dfx_dev_flush(lane, DFX_DEV_BLOCK);
	if (rc == DFX_DEV_NOSESSION || rc == DFX_DEV_DETACHED)
		return rc;
	lane->runs++;
	dfx_port_store32_release(&lane->shm->runs, lane->runs);
	return rc;
}

/* ---- dispatch to cores -------------------------------------------------------- */

int dfx_dev_core_open(struct dfx_dev_lane *lane, struct dfx_dev_core *core,
		      struct dfx_dev_pool *pool, struct dfx_core_head *head,
		      int early_fin)
{
	if (!lane->running || pool->lane != lane->index || !pool->record_size ||
	    pool->core || pool->buffer != DFX_NO_BUFFER)
		return DFX_DEV_INVAL;
	core->head = head;
	if (!dfx_dev_core_idle(core))
		return DFX_DEV_AGAIN;
	core->early_fin = early_fin;
	core->left = 0;
	core->first = 0;
	core->acked = 0;
	core->next = 0;
	core->cut = lane->cut;
	core->cut_wanted = 0;
	core->cut_upto = 0;
	pool->core = core;
	return DFX_DEV_OK;
}

int dfx_dev_core_give(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
		      __u32 token)
{
	struct dfx_dev_core *core = pool->core;
	struct dfx_wait try = { .budget = DFX_DEV_TRY };
	int rc = lane->fault ? DFX_DEV_FAULT : DFX_DEV_OK;

	if (dfx_port_load32(lane->ctl_seq) != lane->seen)
		rc = dfx_dev_obey(lane, DFX_DEV_TRY);
	if (rc)
		return rc;
	if (!lane->running || lane->stopping || !core)
		return DFX_DEV_NOSESSION;
	if (!core->left || core->cut_wanted)
		rc = dfx_dev_core_rotate(lane, pool);
	else if (core->first != core->acked)
		dfx_dev_core_release(lane, pool, &try);
	if (rc)
		return rc;

	/* This dispatch follows an ACK, which follows all records but one. */
	if (pool->count)
		dfx_port_store32_release(&pool->shm->count, pool->count - 1);
	pool->count++;
	core->left--;
	core->token = token;
	if (pool->count == 1 && core->next != core->acked) {
		struct dfx_dev_full *full = dfx_dev_core_at(core, core->next - 1);

		full->gate = token;
		full->gated = 1;
	}
	core->given++;
	/* (K), pairs with the acquire load in dfx_core_reserve(). */
	dfx_port_store32_release(&core->head->given, core->given);
	dfx_port_clean(core->head, DFX_SHM_LINE);
	return DFX_DEV_OK;
}

void dfx_dev_core_ack(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
		      __u32 token)
{
	struct dfx_dev_core *core = pool->core;
	struct dfx_wait try = { .budget = DFX_DEV_TRY };
	__u32 i, end;

	if (!core || !lane->running || lane->fault)
		return;
	end = core->acked;
	for (i = core->acked; i != core->next; i++) {
		const struct dfx_dev_full *full = dfx_dev_core_at(core, i);

		/* A later task is as good: an ACK that was not seen is made up. */
		if (full->gated && (token == full->gate ||
				    token == core->token))
			end = i + 1;
	}
	dfx_dev_core_prove(pool, end);
	dfx_dev_core_release(lane, pool, &try);
}

/* ---- arena ----------------------------------------------------------------- */

/*
 * Whether a leader has to stay parked. Contended first, the freeze after it: in
 * the other order both can be read as zero across the opening, (E) then (F), and
 * the leader escapes.
 */
static int dfx_dev_unreleased(const struct dfx_dev_lane *lane)
{
	return dfx_port_load32_acquire(&lane->contended->fq_contended) ||
	       dfx_port_load32_acquire(&lane->freeze->fq_freeze_active);
}

/* Parks a leader until a whole cycle of the free-queue freeze is over. */
static int dfx_dev_await_release(struct dfx_dev_lane *lane, struct dfx_wait *w)
{
	int rc = DFX_DEV_OK;

	if (dfx_dev_refused(lane)) {
		dfx_dev_fault(lane);
		return DFX_DEV_FAULT;
	}
	/* The mark of a wait that expired may have been answered since. */
	if (!dfx_dev_unreleased(lane))
		dfx_dev_host_back(lane, DFX_LANE_PARKED_POP);
	/*
	 * Raised even while a freeze is open: its tests may already have
	 * looked at what this leader has filled since. (D)
	 */
	lane->marks++;
	dfx_port_store32_release(&lane->contended->fq_contended, 1);
	dfx_dev_ring_armed(lane);
	while (!rc && dfx_dev_unreleased(lane))
		rc = dfx_dev_wait_turn(lane, w, DFX_LANE_PARKED_POP, 0);
	/*
	 * A stop closes the freeze too, with nothing reclaimed. It is stored
	 * before (H), so that who has read (H) sees it.
	 */
	if (!rc)
		rc = dfx_dev_wait_wanted(lane, 0);
	dfx_dev_wait_end(lane, w);
	return rc;
}

int dfx_dev_wait_for_release(struct dfx_dev_lane *lane, __u64 budget)
{
	struct dfx_wait w = { .budget = budget };
	int rc = dfx_dev_obey(lane, budget);

	if (!rc && lane->recovery != DFX_RECOVERY_GLOBAL)
		rc = DFX_DEV_INVAL;
	return rc ? rc : dfx_dev_await_release(lane, &w);
}

/*
 * Where in the arena a payload of @units would begin: a payload does not wrap,
 * so the rest of the arena may have to be skipped. DFX_DEV_AGAIN without room.
 */
static int dfx_dev_arena_fit(struct dfx_dev_lane *lane, __u32 units,
			     __u64 *begin)
{
	/* Pairs with the driver's release store after the reclaim. */
	__u32 head = dfx_port_load32_acquire(&lane->rq_head->arena_head);
	__u32 used = (__u32)lane->arena_tail - head;
	__u32 rest = lane->arena_units -
		     ((__u32)lane->arena_tail & (lane->arena_units - 1));
	__u32 skip = units > rest ? rest : 0;

	if (used > lane->arena_units) {
		dfx_dev_fault(lane);
		return DFX_DEV_FAULT;
	}
	if (skip + units > lane->arena_units - used)
		return DFX_DEV_AGAIN;
	*begin = lane->arena_tail + skip;
	return DFX_DEV_OK;
}

/*
 * Waits for room, with nothing in the arena that the host has not been told of.
 * One cycle gives all of it back. If it has not, the host does not look at this
 * lane, and more marks would only freeze the others.
 */
static int dfx_dev_arena_wait(struct dfx_dev_lane *lane, __u32 units,
			      struct dfx_wait *w)
{
	__u64 begin;
	int rc = DFX_DEV_OK;

	if (lane->recovery == DFX_RECOVERY_GLOBAL)
		rc = dfx_dev_await_release(lane, w);
	while (!rc) {
		rc = dfx_dev_arena_fit(lane, units, &begin);
		if (rc != DFX_DEV_AGAIN)
			break;
		rc = dfx_dev_wait_turn(lane, w, DFX_LANE_PARKED_POP, 0);
	}
	dfx_dev_wait_end(lane, w);
	return rc;
}

void *dfx_dev_reserve_payload(struct dfx_dev_lane *lane,
			      struct dfx_dev_pool *pool, __u64 size,
			      __u64 budget, struct dfx_dev_payload *payload)
{
	struct dfx_wait w = { .budget = budget };
	__u32 reason = DFX_DROP_FAULT;
	__u64 begin, most;
	__u32 units;
	int rc;

	rc = dfx_dev_enter(lane, pool, budget);
	if (!rc && (!lane->arena || lane->first_pool != pool || pool->next))
		rc = DFX_DEV_INVAL;
	if (rc && rc != DFX_DEV_FAULT) {
		lane->rc = rc;
		return NULL;
	}
	if (rc)
		return dfx_dev_no_room(lane, pool, budget, rc, reason);

	/* Half of it always fits once it is empty, wherever the tail is. */
	most = (__u64)lane->arena_units / 2 * DFX_ARENA_UNIT;
	payload->full_size = size;
	payload->size = size < most ? size : most;
	units = (__u32)((payload->size + DFX_ARENA_UNIT - 1) / DFX_ARENA_UNIT);

	for (;;) {
		rc = dfx_dev_switch(lane, pool, &w, &reason);
		if (rc)
			break;
		rc = dfx_dev_arena_fit(lane, units, &begin);
		if (rc != DFX_DEV_AGAIN)
			break;
		/* What holds the arena must be with the host to be taken. */
		if (pool->count) {
			reason = DFX_DROP_PUSH_TIMEOUT;
			rc = dfx_dev_push(lane, pool, NULL, &w,
					  DFX_ENTRY_PARTIAL);
			if (rc)
				break;
		}
		reason = DFX_DROP_ARENA_TIMEOUT;
		rc = dfx_dev_arena_wait(lane, units, &w);
		if (rc)
			break;
	}
	if (rc)
		return dfx_dev_no_room(lane, pool, budget, rc, reason);
	/* Room that was not there when the deadline expired. */
	if (dfx_port_load32(&lane->rq_head->arena_head) != lane->gone_arena)
		dfx_dev_host_back(lane, DFX_LANE_PARKED_POP);
	payload->offset = begin * DFX_ARENA_UNIT;
	payload->data = lane->arena + (begin & (lane->arena_units - 1)) *
			DFX_ARENA_UNIT;
	return pool->slot;
}

void dfx_dev_commit_payload(struct dfx_dev_lane *lane,
			    struct dfx_dev_pool *pool,
			    const struct dfx_dev_payload *payload)
{
	dfx_port_clean(payload->data, payload->size);
	lane->arena_tail = (payload->offset + payload->size +
			    DFX_ARENA_UNIT - 1) / DFX_ARENA_UNIT;
	dfx_dev_commit(lane, pool);
}
