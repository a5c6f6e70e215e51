// SPDX-License-Identifier: GPL-2.0-only
/*
 * pass.c - one pass of the region's kthread
 *
 * The single writer of the freeze flags, of every free queue and of every
 * ready-queue head (R12).
 */
#include <linux/kernel.h>

#include "freeze.h"
#include "host.h"

static u64 dfx_off_active(const struct dfx_host *host, u32 gate)
{
	return host->geom.freeze_off + (gate == DFX_GATE_RQ ?
	       offsetof(struct dfx_shm_freeze, rq_freeze_active) :
	       offsetof(struct dfx_shm_freeze, fq_freeze_active));
}

static u64 dfx_off_contended(const struct dfx_host *host, u32 gate)
{
	return host->geom.dev_off + (gate == DFX_GATE_RQ ?
	       offsetof(struct dfx_shm_contended, rq_contended) :
	       offsetof(struct dfx_shm_contended, fq_contended));
}

/* Returns -EIO if what a cleared mark stands for cannot be seen. */
static int dfx_pass_marks(struct dfx_host *host, u64 now_ns, bool *marked)
{
	bool consumed = false;
	u32 gate;

	for (gate = 0; gate < DFX_NR_GATE; gate++) {
		struct dfx_freeze_stat *f = &host->freeze[gate];
		struct dfx_freeze_act act;
		u32 mark;

		/* Pairs with (D). Any value but 0 is a mark. */
		mark = dfx_load32(host, dfx_off_contended(host, gate));
		*marked |= mark != 0;
		act = dfx_freeze_mark((struct dfx_freeze_gate){
			.active = f->active,
			.contended = mark,
		}, host->recovery);

		if (act.open) {
			dfx_incident_open(host, gate, now_ns);
			f->active = 1;
			f->opens++;
			f->since_ns = now_ns;
			/* (E), before (F): no instant with both at zero. */
			dfx_store32(host, dfx_off_active(host, gate), 1);
			if (host->ops && host->ops->freeze)
				host->ops->freeze(host, gate, true);
		}
		if (act.consume) {
			f->marks++;
			/* (F), a release: who reads it sees (E). */
			dfx_store32(host, dfx_off_contended(host, gate), 0);
			consumed = true;
		}
	}
	/* Before anything is tested. */
	return consumed ? dfx_look_again(host) : 0;
}

/**
 * dfx_pass_close_freeze() - end the freeze of both gates
 * @host: the region.
 * @now_ns: CLOCK_MONOTONIC.
 * @released: by the conjunction; false if a stop ends it.
 */
void dfx_pass_close_freeze(struct dfx_host *host, u64 now_ns, bool released)
{
	u32 gate;

	dfx_incident_close(host, now_ns);
	for (gate = 0; gate < DFX_NR_GATE; gate++) {
		struct dfx_freeze_stat *f = &host->freeze[gate];
		u64 open_ns = now_ns - f->since_ns;

		if (!f->active)
			continue;
		f->active = 0;
		f->since_ns = 0;
		f->total_ns += open_ns;
		f->longest_ns = max_t(u64, f->longest_ns, open_ns);
		if (released)
			f->releases++;
		/* (H), a release: who reads it sees the refill (G). */
		dfx_store32(host, dfx_off_active(host, gate), 0);
		if (host->ops && host->ops->freeze)
			host->ops->freeze(host, gate, false);
	}
}

/* Refills every pool of a live lane; true if all are at their limit. */
static bool dfx_pass_refill(struct dfx_host *host, bool *refilled)
{
	bool full = true;
	u32 pool, tail;

	for (pool = 0; pool < host->geom.nr_pools; pool++) {
		u32 lane = host->geom.pools[pool].lane;

		if (!dfx_control_lane_live(host, lane) ||
		    !dfx_replenish_observe(host, pool))
			continue;
		tail = host->pools[pool].fq_tail;
		if (!dfx_replenish_pool(host, pool))
			full &= dfx_replenish_at_limit(host, pool);
		*refilled |= host->pools[pool].fq_tail != tail;
	}
	return full;
}

/*
 * Refills during a freeze or outside of one; true if it is to end. A free queue
 * that is not at its limit by what was last seen of it cannot be there now: the
 * device only takes. So all of them are looked at only before the end.
 */
static int dfx_pass_serve(struct dfx_host *host, struct dfx_freeze_tests *tests,
			  u64 now_ns, bool *refilled)
{
	int err;

	err = dfx_look_sweep(host, now_ns);
	if (err)
		return err;
	tests->fq_full = dfx_pass_refill(host, refilled);
	tests->release_ready = !host->ops || !host->ops->release_ready ||
			       host->ops->release_ready(host);
	if (!dfx_freeze_close(dfx_frozen(host), *tests))
		return 0;
	err = dfx_pull_pools(host);
	if (!err)
		tests->fq_full = dfx_pass_refill(host, refilled);
	return err;
}

/**
 * dfx_pass() - consume the marks, drain, refill, end the freeze
 * @host: the region.
 * @budget: entries to take from one lane at most (R15).
 * @now_ns: CLOCK_MONOTONIC.
 *
 * The marks are consumed before anything is tested, so that a leader that
 * marks during this pass is waited for by the next one.
 */
struct dfx_pass_result dfx_pass(struct dfx_host *host, u32 budget, u64 now_ns)
{
	struct dfx_pass_result res = { };
	bool running = host->state == DFX_SESSION_RUNNING;
	struct dfx_freeze_tests tests = { .rq_empty = true };
	struct dfx_drained drained;
	u32 lane;

	if (!running && host->state != DFX_SESSION_STOPPING)
		goto out;

	res.retry = dfx_look(host, now_ns);
	if (res.retry)
		goto out;
	dfx_control_check_acks(host);
	if (running)
		res.retry = dfx_pass_marks(host, now_ns, &res.marked);
	if (res.retry)
		goto out;

	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		res.taken += dfx_drain_lane(host, lane, budget, now_ns,
					    &drained);
		tests.rq_empty &= drained.empty;
		res.retry |= drained.retry;
	}
	res.more = !tests.rq_empty && !res.retry;

	if (running && dfx_freeze_may_refill(dfx_frozen(host),
					     tests.rq_empty)) {
		if (dfx_pass_serve(host, &tests, now_ns, &res.refilled))
			res.retry = true;
		else if (dfx_freeze_close(dfx_frozen(host), tests))
			dfx_pass_close_freeze(host, now_ns, true);
	}
out:
	res.frozen = dfx_frozen(host);
	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		res.ready |= host->lanes[lane].nr_ready != 0;
	return res;
}
