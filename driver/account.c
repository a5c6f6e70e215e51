// SPDX-License-Identifier: GPL-2.0-only
/*
 * account.c - figures of lanes, pools and freezes
 *
 * The device's counters are copied, not believed: what the driver knows itself
 * (delivered, in flight) is the driver's own.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "host.h"

#define DFX_NS_PER_S	1000000000ull

/* The device's ticks are any value; @hz is at most 10 GHz, see device.c. */
static u64 dfx_account_ns(u64 ticks, u64 hz)
{
	u64 rest, s = div64_u64_rem(ticks, hz, &rest);

	if (s >= U64_MAX / DFX_NS_PER_S)
		return U64_MAX;
	return s * DFX_NS_PER_S + div64_u64(rest * DFX_NS_PER_S, hz);
}

#define DFX_LANE(host, lane, field) \
	(dfx_off_lane(host, lane) + offsetof(struct dfx_shm_lane, field))
#define DFX_POOL(host, pool, field) \
	(dfx_off_pool(host, pool) + offsetof(struct dfx_shm_pool, field))

/**
 * dfx_account_lane() - one lane, now
 * @host: the region.
 * @lane: the lane.
 * @counter_hz: the device's counter.
 * @out: filled in, but for DFX_LANE_F_CONSUMER.
 */
void dfx_account_lane(struct dfx_host *host, u32 lane, u64 counter_hz,
		      struct dfx_lane_state *out)
{
	const struct dfx_hlane *l = &host->lanes[lane];
	u64 push, pop, alone;

	/* If it fails the figures are older. */
	dfx_pull_lane(host, lane);
	*out = (struct dfx_lane_state){
		.lane = lane,
		.ready = l->nr_ready,
		.fault = l->fault,
		.entries = l->entries,
		.bad_entries = l->bad_entries,
		.flags = (l->enabled ? DFX_LANE_F_ENABLED : 0) |
			 (l->attached ? DFX_LANE_F_ATTACHED : 0) |
			 (l->fault ? DFX_LANE_F_FAULT : 0) |
			 (l->silent ? DFX_LANE_F_SILENT : 0),
	};
	out->state = dfx_load32(host, DFX_LANE(host, lane, state));
	out->heartbeat = dfx_load32(host, DFX_LANE(host, lane, heartbeat));
	/* Until it has joined, the lane's counters are the last session's. */
	if (!l->attached)
		return;
	out->runs = dfx_load32(host, DFX_LANE(host, lane, runs));
	if (dfx_control_lane_live(host, lane) &&
	    (host->state == DFX_SESSION_RUNNING ||
	     host->state == DFX_SESSION_STOPPING))
		out->rq_fill = dfx_drain_fill(host, lane);
	out->push_waits = dfx_load64(host, DFX_LANE(host, lane, push_waits));
	out->pop_waits = dfx_load64(host, DFX_LANE(host, lane, pop_waits));
	push = dfx_load64(host, DFX_LANE(host, lane, push_ticks));
	pop = dfx_load64(host, DFX_LANE(host, lane, pop_ticks));
	out->push_ns = dfx_account_ns(push, counter_hz);
	out->pop_ns = dfx_account_ns(pop, counter_hz);
	out->alone = dfx_load64(host, DFX_LANE(host, lane, alone));
	alone = dfx_load64(host, DFX_LANE(host, lane, alone_ticks));
	out->alone_ns = dfx_account_ns(alone, counter_hz);
	out->expired = dfx_load64(host, DFX_LANE(host, lane, expired));
	out->resumed = dfx_load64(host, DFX_LANE(host, lane, resumed));
	out->marks = dfx_load64(host, DFX_LANE(host, lane, marks));
}

/* Sum of what is known to have become of a pool's records. */
static u64 dfx_account_known(const struct dfx_hpool *p)
{
	u64 known = p->delivered + p->ready_records + p->discarded +
		    p->uncopied;
	u32 i;

	for (i = 0; i < DFX_NR_DROP; i++)
		known += p->device.dropped[i];
	return known;
}

/* Records in the buffers that the lane keeps back; none if that cannot be. */
static u64 dfx_account_stash(struct dfx_host *host, u32 pool)
{
	u32 first = dfx_load32(host, DFX_POOL(host, pool, stash_first));
	u32 nr = dfx_load32(host, DFX_POOL(host, pool, stash_next)) - first;
	u64 sum = 0;
	u32 i;

	if (nr > DFX_NR_STASH)
		return 0;
	for (i = first; i != first + nr; i++)
		sum += dfx_load32(host, DFX_POOL(host, pool,
						 stash[i % DFX_NR_STASH].count));
	return sum;
}

/**
 * dfx_account_device() - read what the device says of a pool
 * @host: the region.
 * @pool: the pool; pulled.
 *
 * Until the session has ended, and once more when it ends: a lane that wakes up
 * later does not change the account. The records that a faulty or silent lane says
 * it has produced, but that nobody can have, are charged to DFX_DROP_HOST_FAULT:
 * they are in its buffers in quarantine.
 */
void dfx_account_device(struct dfx_host *host, u32 pool)
{
	const struct dfx_hlane *l = &host->lanes[host->geom.pools[pool].lane];
	struct dfx_hpool *p = &host->pools[pool];
	struct dfx_device_figures *d = &p->device;
	u64 known;
	u32 i;

	*d = (struct dfx_device_figures){ };
	/* Until it has joined, the words are another session's. */
	if (!l->attached)
		return;
	d->produced = dfx_load64(host, DFX_POOL(host, pool, produced));
	d->current_records = dfx_load32(host, DFX_POOL(host, pool, count)) +
			     dfx_account_stash(host, pool);
	d->mismatch = dfx_load64(host, DFX_POOL(host, pool, mismatch));
	for (i = 0; i < DFX_NR_DROP; i++) {
		if (i == DFX_DROP_HOST_FAULT || i == DFX_DROP_HOST_DISCARD)
			continue;
		d->dropped[i] = dfx_load64(host,
					   DFX_POOL(host, pool, dropped[i]));
	}
	/*
	 * What was recovered is among the READY, HELD or delivered. A lane that
	 * is not dead after all may have added to its buffer since, or have
	 * published it, and then it is in produced already.
	 */
	if (d->current_records >= p->recovered) {
		d->produced += p->recovered;
		d->current_records -= p->recovered;
	}
	if (!l->fault && !l->silent)
		return;
	/* Nobody will ever look at what is in a faulty lane's current one. */
	if (l->fault) {
		d->produced += d->current_records;
		d->current_records = 0;
	}
	known = dfx_account_known(p);
	if (d->produced > known)
		d->dropped[DFX_DROP_HOST_FAULT] = d->produced - known;
}

/**
 * dfx_account_pool() - one pool, now
 * @host: the region.
 * @pool: the pool.
 * @out: filled in, but for what is particular to a file.
 *
 * A quiet pool satisfies the identity: produced == delivered + sum(dropped) +
 * in_flight.
 */
void dfx_account_pool(struct dfx_host *host, u32 pool,
		      struct dfx_pool_state *out)
{
	const struct dfx_hpool *p = &host->pools[pool];
	const struct dfx_device_figures *d = &p->device;
	u32 i;

	if (host->state == DFX_SESSION_RUNNING ||
	    host->state == DFX_SESSION_STOPPING) {
		/* If it fails the figures are older. */
		dfx_pull_pool(host, pool);
		dfx_account_device(host, pool);
	}
	*out = (struct dfx_pool_state){
		.pool = pool,
		.lane = host->geom.pools[pool].lane,
		.free = p->nr[DFX_OWNER_FREE],
		.queued = p->nr[DFX_OWNER_QUEUED],
		.device = p->nr[DFX_OWNER_DEVICE],
		.ready = p->nr[DFX_OWNER_READY],
		.held = p->nr[DFX_OWNER_HELD],
		.quarantine = p->nr[DFX_OWNER_QUARANTINE],
		.produced = d->produced + d->current_records,
		.delivered = p->delivered,
		.in_flight = p->ready_records + d->current_records,
		.mismatch = d->mismatch,
		.next_seq = p->next_seq,
		.first_seq_here = ~0ull,
	};
	for (i = 0; i < DFX_NR_DROP; i++)
		out->dropped[i] = d->dropped[i];
	out->dropped[DFX_DROP_HOST_DISCARD] += p->discarded;
	out->dropped[DFX_DROP_HOST_FAULT] += p->uncopied;
}

/**
 * dfx_account_freeze() - both gates, the freeze that is open now included
 * @host: the region.
 * @now_ns: CLOCK_MONOTONIC.
 * @out: filled in.
 */
void dfx_account_freeze(const struct dfx_host *host, u64 now_ns,
			struct dfx_freeze_stat out[DFX_NR_GATE])
{
	u32 gate;

	for (gate = 0; gate < DFX_NR_GATE; gate++) {
		out[gate] = host->freeze[gate];
		if (!out[gate].active)
			continue;
		out[gate].total_ns += now_ns - out[gate].since_ns;
		out[gate].longest_ns = max_t(u64, out[gate].longest_ns,
					     now_ns - out[gate].since_ns);
	}
}

/**
 * dfx_account_idle() - whether no record is left with the host
 * @host: the region.
 */
bool dfx_account_idle(const struct dfx_host *host)
{
	u32 pool;

	for (pool = 0; pool < host->geom.nr_pools; pool++)
		if (host->pools[pool].nr[DFX_OWNER_READY] ||
		    host->pools[pool].nr[DFX_OWNER_HELD])
			return false;
	return true;
}
