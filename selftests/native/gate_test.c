// SPDX-License-Identifier: GPL-2.0-only
/*
 * gate_test.c - the engine at its two gates, step by step
 *
 * One thread plays both sides. Time moves only in the turns of a wait, and the
 * host acts in such a turn or between two loads of the engine, so that every
 * result is exact.
 */
#include <time.h>

#include "harness.h"
#include "tap.h"

#define NEVER	1000000ull

static struct world *w;
static struct dfx_dev_lane *lane;
static u64 next_in[8], next_out[8];
static u64 lost_seen;
static u32 flags_seen;
static u32 last_count;

static void setup_pools(u32 pools, struct dfx_limits limits, u64 deadline,
			u32 recovery)
{
	u32 i;

	step = (struct step){ .now = 1000 };
	for (i = 0; i < ARRAY_SIZE(next_in); i++) {
		next_in[i] = 0;
		next_out[i] = 0;
	}
	lost_seen = 0;
	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 1,
		.pools_per_lane = pools, .limits = limits,
	});
	lane = &w->lanes[0];
	world_start(w, 5, deadline, recovery);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
}

static void setup(struct dfx_limits limits, u64 deadline)
{
	setup_pools(1, limits, deadline, DFX_RECOVERY_GLOBAL);
}

static void done(const char *name)
{
	tap_end("%s", name);
	world_free(w);
}

/* One record into a pool; whether it got there. */
static bool put(u32 pool, u64 budget)
{
	if (!world_produce(lane, &w->dpools[pool], budget, next_in[pool]))
		return false;
	next_in[pool]++;
	return true;
}

/* The consumer: takes what is ready, checks every byte, releases. */
static u32 take(void)
{
	u32 id, i, nr = 0;

	while ((id = dfx_table_hold(&w->host, 0, w)) != DFX_NIL) {
		const struct dfx_buf *b = &w->host.bufs[id];
		u32 size = w->host.geom.pools[b->pool].record_size;

		for (i = 0; i < b->count; i++)
			CHECK(record_check(world_buffer(w, id) + i * size, size,
					   b->pool, b->seq, i,
					   next_out[b->pool]++));
		lost_seen += b->lost;
		flags_seen = b->flags;
		last_count = b->count;
		CHECK_EQ(!!(b->flags & DFX_ENTRY_GAP), b->lost != 0);
		dfx_table_release(&w->host, id);
		nr++;
	}
	return nr;
}

/* Two passes: what was released in between is in the queue after. */
static void serve(void)
{
	world_pass(w);
	take();
	world_pass(w);
}

static u64 drops(u32 pool)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < DFX_NR_DROP; i++)
		sum += world_pool(w, pool)->dropped[i];
	return sum;
}

/* STOP to the end; what is left must add up with nothing in flight. */
static void finish(void)
{
	struct dfx_pool_state s;
	u32 i;

	step.relax = NULL;
	step.load = NULL;
	if (w->host.state == DFX_SESSION_RUNNING)
		dfx_control_stop(&w->host, world_now());
	world_pass(w);
	dfx_dev_poll(lane);
	world_pass(w);
	CHECK_EQ(dfx_control_pending(&w->host), 0);
	dfx_control_end(&w->host, world_now());
	take();
	for (i = 0; i < w->host.geom.nr_pools; i++) {
		dfx_account_pool(&w->host, i, &s);
		CHECK(world_identity(&s));
		CHECK_EQ(s.in_flight, 0);
		CHECK_EQ(s.delivered, next_in[i]);
		CHECK_EQ(next_out[i], next_in[i]);
	}
}

static u64 cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (u64)ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* Buffers of one record: four fill a ready queue of two and the lane's hand. */
static const struct dfx_limits tight = {
	.buffers = 4, .records = 1, .slots = 4, .rq_depth = 2,
};

static void fill_rq(void)
{
	CHECK(put(0, DFX_DEV_TRY));
	CHECK(put(0, DFX_DEV_TRY));
	CHECK(put(0, DFX_DEV_TRY));
	CHECK_EQ(w->lanes[0].rq_tail, 2);
}

/* The smallest there is. */
static const struct dfx_limits single = {
	.buffers = 1, .records = 1, .slots = 1, .rq_depth = 1,
};

/* ---- push gate ------------------------------------------------------------ */

static void test_push_full(void)
{
	u32 i;

	setup(tight, NEVER);
	fill_rq();
	for (i = 0; i < 10; i++) {
		CHECK(!put(0, DFX_DEV_TRY));
		CHECK_EQ(lane->rc, DFX_DEV_AGAIN);
	}
	CHECK_EQ(lane->marks, 1);
	CHECK_EQ(world_contended(w)->rq_contended, 1);
	CHECK_EQ(world_contended(w)->fq_contended, 0);
	CHECK_EQ(drops(0), 0);
	CHECK_EQ(step.turns, 0);
	serve();
	CHECK(put(0, DFX_DEV_TRY));
	finish();
	done("push gate: full marks once, a try waits not and counts nothing");
}

static void test_bounded(void)
{
	setup(tight, NEVER);
	fill_rq();
	CHECK(!put(0, 10));
	CHECK_EQ(lane->rc, DFX_DEV_AGAIN);
	CHECK(step.turns >= 10 && step.turns <= 11);
	CHECK_EQ(lane->expired, 0);
	CHECK_EQ(lane->gone, 0);
	CHECK_EQ(drops(0), 0);
	dfx_dev_drop(lane, &w->dpools[0]);
	CHECK_EQ(world_pool(w, 0)->dropped[DFX_DROP_WOULD_BLOCK], 1);
	serve();
	CHECK(put(0, DFX_DEV_TRY));
	finish();
	CHECK_EQ(lost_seen, 1);
	done("bounded: gives up after its budget, drop() counts");
}

static void test_push_gone(void)
{
	u64 turns, ns;
	u32 i;

	setup(tight, 100);
	fill_rq();
	CHECK(!put(0, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_TIMEDOUT);
	CHECK(step.turns >= 100 && step.turns <= 101);
	CHECK_EQ(world_lane(w, 0)->expired, 1);
	CHECK_EQ(world_lane(w, 0)->state, DFX_LANE_HOST_GONE);
	CHECK(world_lane(w, 0)->push_ticks >= 100);

	turns = step.turns;
	ns = cpu_ns();
	for (i = 0; i < 1000; i++) {
		CHECK(!put(0, DFX_DEV_BLOCK));
		CHECK_EQ(lane->rc, DFX_DEV_GONE);
	}
	ns = cpu_ns() - ns;
	CHECK_EQ(step.turns, turns);
	CHECK(ns < 1000000);
	CHECK_EQ(world_lane(w, 0)->expired, 1);
	CHECK_EQ(world_pool(w, 0)->dropped[DFX_DROP_PUSH_TIMEOUT], 1);
	CHECK_EQ(world_pool(w, 0)->dropped[DFX_DROP_HOST_GONE], 1000);
	CHECK_EQ(drops(0), 1001);

	serve();
	CHECK_EQ(lost_seen, 0);
	CHECK(put(0, DFX_DEV_BLOCK));
	CHECK_EQ(world_lane(w, 0)->resumed, 1);
	CHECK_EQ(world_lane(w, 0)->state, DFX_LANE_RUNNING);
	world_pass(w);
	take();
	/* The full buffer that waited is older than what was lost. */
	CHECK_EQ(lost_seen, 0);
	finish();
	CHECK_EQ(lost_seen, 1001);
	CHECK(flags_seen & DFX_ENTRY_GAP);
	done("push gate: expires once, drops and counts, resumes by itself");
}

static void test_publish_then_park(void)
{
	setup(tight, 50);
	CHECK(put(0, DFX_DEV_TRY));
	world_freeze(w)->rq_freeze_active = 1;
	/* Publishes, parks until the deadline, then takes the next buffer. */
	CHECK(put(0, DFX_DEV_BLOCK));
	CHECK_EQ(world_lane(w, 0)->rq_tail, 1);
	CHECK_EQ(world_lane(w, 0)->expired, 1);
	CHECK_EQ(world_lane(w, 0)->push_waits, 1);
	CHECK(step.turns >= 50 && step.turns <= 51);
	CHECK_EQ(drops(0), 0);
	world_freeze(w)->rq_freeze_active = 0;
	finish();
	CHECK_EQ(lost_seen, 0);
	done("published, then parked: an expired barrier is no failure (R1)");
}

static void test_one_deadline(void)
{
	setup(tight, 50);
	CHECK(put(0, DFX_DEV_TRY));
	world_freeze(w)->rq_freeze_active = 1;
	world_freeze(w)->fq_freeze_active = 1;
	CHECK(!put(0, DFX_DEV_BLOCK));
	CHECK_EQ(world_lane(w, 0)->rq_tail, 1);
	CHECK_EQ(world_lane(w, 0)->expired, 1);
	CHECK_EQ(drops(0), 1);
	CHECK(step.turns <= 51);
	world_freeze(w)->rq_freeze_active = 0;
	world_freeze(w)->fq_freeze_active = 0;
	CHECK(put(0, DFX_DEV_BLOCK));
	finish();
	CHECK_EQ(lost_seen, 1);
	done("both gates share one deadline");
}

static void open_push_gate(void *arg)
{
	(void)arg;
	if (step.turns == 30)
		world_freeze(w)->rq_freeze_active = 0;
}

/* The push gate lets the lane go in time, the pop gate does not. */
static void test_second_gate(void)
{
	setup(tight, 50);
	CHECK(put(0, DFX_DEV_TRY));
	world_freeze(w)->rq_freeze_active = 1;
	world_freeze(w)->fq_freeze_active = 1;
	step.relax = open_push_gate;
	CHECK(!put(0, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_TIMEDOUT);
	CHECK(step.turns >= 50 && step.turns <= 51);
	CHECK_EQ(world_lane(w, 0)->push_waits, 1);
	CHECK_EQ(world_lane(w, 0)->pop_waits, 1);
	step.relax = NULL;
	world_freeze(w)->fq_freeze_active = 0;
	finish();
	done("the second gate has what is left of the deadline");
}

static void test_try_at_barrier(void)
{
	setup(tight, NEVER);
	CHECK(put(0, DFX_DEV_TRY));
	world_freeze(w)->rq_freeze_active = 1;
	CHECK(put(0, DFX_DEV_TRY));
	CHECK_EQ(step.turns, 0);
	CHECK_EQ(world_lane(w, 0)->rq_tail, 1);
	world_freeze(w)->rq_freeze_active = 0;
	finish();
	done("a try publishes and does not park");
}

static void test_dead_in_freeze(void)
{
	static const struct dfx_limits limits = {
		.buffers = 8, .records = 1, .slots = 8, .rq_depth = 16,
	};
	u32 i;

	setup(limits, 100);
	/* The host died with the push gate frozen; there is room, though. */
	world_freeze(w)->rq_freeze_active = 1;
	for (i = 0; i < 8; i++)
		CHECK(put(0, DFX_DEV_BLOCK));
	CHECK_EQ(world_lane(w, 0)->expired, 1);
	CHECK(step.turns <= 101);
	CHECK_EQ(drops(0), 0);
	world_freeze(w)->rq_freeze_active = 0;
	finish();
	done("host dead in a freeze: the deadline expires once, not per buffer");
}

/* ---- pop gate -------------------------------------------------------------- */

static void test_pop_parks_first(void)
{
	setup(tight, NEVER);
	world_freeze(w)->fq_freeze_active = 1;
	CHECK(!put(0, DFX_DEV_TRY));
	CHECK_EQ(lane->rc, DFX_DEV_AGAIN);
	CHECK(!put(0, 5));
	CHECK(step.turns >= 5);
	CHECK_EQ(world_pool(w, 0)->fq_head, 0);
	CHECK_EQ(lane->marks, 0);
	CHECK_EQ(world_contended(w)->fq_contended, 0);
	world_freeze(w)->fq_freeze_active = 0;
	CHECK(put(0, DFX_DEV_TRY));
	finish();
	done("pop gate: parks although a buffer is there, and marks nothing");
}

static void reraise_hook(void *arg)
{
	struct dfx_shm_contended *c = world_contended(w);
	struct dfx_shm_freeze *f = world_freeze(w);

	(void)arg;
	switch (step.turns) {
	case 2:		/* a whole cycle that brought no buffer */
		CHECK_EQ(c->fq_contended, 1);
		c->fq_contended = 0;
		break;
	case 4:		/* raised again; answered by a freeze this time */
		CHECK_EQ(c->fq_contended, 1);
		f->fq_freeze_active = 1;
		c->fq_contended = 0;
		break;
	case 8:		/* not raised while the freeze is open */
		CHECK_EQ(c->fq_contended, 0);
		f->fq_freeze_active = 0;
		break;
	case 10:	/* closed without relief: raised once more */
		CHECK_EQ(c->fq_contended, 1);
		serve();
		break;
	}
}

static void test_reraise(void)
{
	setup(single, NEVER);
	CHECK(put(0, DFX_DEV_TRY));
	step.relax = reraise_hook;
	CHECK(put(0, DFX_DEV_BLOCK));
	CHECK_EQ(lane->marks, 3);
	CHECK(step.turns >= 10);
	finish();
	done("level-triggered: a mark consumed without relief is raised again");
}

static void test_pop_gone(void)
{
	u32 i;

	setup(tight, 100);
	for (i = 0; i < 4; i++) {
		CHECK(put(0, DFX_DEV_BLOCK));
		world_pass(w);
	}
	/* The host lives, but no consumer releases anything. */
	for (i = 0; i < 500; i++) {
		CHECK(!put(0, DFX_DEV_BLOCK));
		world_pass(w);
	}
	CHECK_EQ(world_lane(w, 0)->expired, 1);
	CHECK_EQ(world_pool(w, 0)->dropped[DFX_DROP_POP_TIMEOUT], 1);
	CHECK_EQ(world_pool(w, 0)->dropped[DFX_DROP_HOST_GONE], 499);
	CHECK(step.turns <= 101);
	CHECK(take() == 4);
	world_pass(w);
	CHECK(put(0, DFX_DEV_BLOCK));
	CHECK_EQ(world_lane(w, 0)->resumed, 1);
	finish();
	CHECK_EQ(lost_seen, 500);
	done("pop gate: expires once, drops and counts, resumes by itself");
}

static void test_expire_once_per_lane(void)
{
	static const struct dfx_limits limits = {
		.buffers = 2, .records = 4, .slots = 2, .rq_depth = 16,
	};
	u32 i, p;

	setup_pools(4, limits, 100, DFX_RECOVERY_GLOBAL);
	for (i = 0; i < 40; i++)
		for (p = 0; p < 4; p++) {
			/* Pool 0 is far ahead of the others. */
			if (p && i % 3)
				continue;
			put(p, DFX_DEV_BLOCK);
			world_pass(w);
		}
	CHECK_EQ(world_lane(w, 0)->expired, 1);
	CHECK(step.turns <= 101);
	finish();
	done("no consumer, many pools: the deadline expires once per lane");
}

/* ---- wait_for_release ------------------------------------------------------- */

static struct {
	u32 at[4];	/* load before which each step may happen */
	u32 step;	/* next step */
	u32 nr;		/* loads so far */
	bool open;	/* a freeze is open before the leader marks */
} cycle;

/* The host's stores of one cycle, each as soon as it may and can happen. */
static void cycle_hook(void *arg, const __le32 *p)
{
	struct dfx_shm_contended *c = world_contended(w);
	struct dfx_shm_freeze *f = world_freeze(w);

	(void)arg;
	(void)p;
	cycle.nr++;
	while (cycle.step < 4 && cycle.nr >= cycle.at[cycle.step]) {
		switch (cycle.step) {
		case 0:		/* the freeze that was open ends */
			if (cycle.open)
				f->fq_freeze_active = 0;
			break;
		case 1:		/* (E) answers the mark */
			if (!c->fq_contended)
				return;
			f->fq_freeze_active = 1;
			break;
		case 2:		/* (F) */
			c->fq_contended = 0;
			break;
		case 3:		/* (H) */
			f->fq_freeze_active = 0;
			break;
		}
		cycle.step++;
	}
}

static bool release_at(bool open, u32 a, u32 e, u32 f, u32 h)
{
	cycle.at[0] = a;
	cycle.at[1] = e;
	cycle.at[2] = f;
	cycle.at[3] = h;
	cycle.step = 0;
	cycle.nr = 0;
	cycle.open = open;
	world_freeze(w)->fq_freeze_active = open;
	world_contended(w)->fq_contended = 0;
	step.load = cycle_hook;
	return CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK), 0) &&
	       CHECK_EQ(cycle.step, 4);
}

static void test_release(bool open)
{
	u32 a, e, f, h, nr = 0;

	setup(tight, NEVER);
	for (a = 0; a <= (open ? 9 : 0); a++)
		for (e = a; e < 10; e++)
			for (f = e; f < 11; f++)
				for (h = f; h < 12; h++, nr++)
					if (!release_at(open, a, e, f, h))
						goto out;
out:
	tap_note("%u interleavings", nr);
	finish();
	done(open ? "wait_for_release: whole cycle, a freeze already open" :
		    "wait_for_release: whole cycle, at every interleaving");
}

static void test_release_expires(void)
{
	u32 i;

	setup(tight, 30);
	CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_TRY), DFX_DEV_AGAIN);
	CHECK_EQ(step.turns, 0);
	CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK),
		 DFX_DEV_TIMEDOUT);
	CHECK_EQ(lane->expired, 1);
	CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK), DFX_DEV_GONE);
	CHECK(step.turns <= 31);
	/* It writes on meanwhile, and a refill says that the host is back. */
	for (i = 0; i < 6; i++) {
		CHECK(put(0, DFX_DEV_BLOCK));
		serve();
	}
	CHECK_EQ(lane->gone, 0);
	CHECK_EQ(drops(0), 0);
	finish();
	done("wait_for_release: bounded by the same deadline");
}

static void open_then_stop(void *arg)
{
	(void)arg;
	if (step.turns == 1)
		world_pass(w);
	if (step.turns == 5)
		dfx_control_stop(&w->host, world_now());
}

/* A stop closes the freeze, but nothing has been reclaimed. */
static void test_stop_is_no_release(void)
{
	setup(tight, NEVER);
	w->release_ready = false;
	step.relax = open_then_stop;
	CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK),
		 DFX_DEV_NOSESSION);
	CHECK_EQ(step.turns, 5);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].opens, 1);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].releases, 0);
	step.relax = NULL;
	done("wait_for_release: a stop is no release");
}

/* ---- stop and flush ---------------------------------------------------------- */

static void stop_hook(void *arg)
{
	(void)arg;
	if (step.turns == 5)
		dfx_control_stop(&w->host, world_now());
}

static void test_stop_while_parked(void)
{
	static const struct dfx_limits limits = {
		.buffers = 1, .records = 2, .slots = 1, .rq_depth = 4,
	};

	setup_pools(2, limits, NEVER, DFX_RECOVERY_GLOBAL);
	CHECK(put(1, DFX_DEV_TRY));
	CHECK(put(0, DFX_DEV_TRY));
	CHECK(put(0, DFX_DEV_TRY));
	step.relax = stop_hook;
	CHECK(!put(0, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_NOSESSION);
	CHECK_EQ(world_lane(w, 0)->state, DFX_LANE_IDLE);
	CHECK_EQ(drops(0) + drops(1), 0);
	world_pass(w);
	take();
	CHECK_EQ(flags_seen, DFX_ENTRY_PARTIAL);
	CHECK_EQ(last_count, 1);
	finish();
	done("STOP while parked: the waiting record is not part of it");
}

static void pass_hook(void *arg)
{
	(void)arg;
	world_pass(w);
}

static void test_stop_while_gone(bool host_drains)
{
	struct dfx_pool_state s;
	u32 i;

	setup(tight, 100);
	fill_rq();
	for (i = 0; i < 3; i++)
		CHECK(!put(0, DFX_DEV_BLOCK));
	/* The host comes back with a STOP; the ready queue is still full. */
	dfx_control_stop(&w->host, world_now());
	if (host_drains)
		step.relax = pass_hook;
	dfx_dev_poll(lane);
	world_pass(w);
	CHECK_EQ(dfx_control_pending(&w->host), 0);
	dfx_control_end(&w->host, world_now());
	take();
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	CHECK_EQ(s.produced, 6);
	CHECK_EQ(s.in_flight, 0);
	CHECK_EQ(s.delivered, host_drains ? 3 : 2);
	/* No buffer comes after the loss; the counters tell of it. */
	CHECK_EQ(lost_seen, 0);
	CHECK(step.turns <= 201);
	step.relax = NULL;
	done(host_drains ? "STOP while host-gone: what the lane holds goes out" :
	     "STOP, and no room to the end: counted as dropped");
}

static void test_flush(void)
{
	static const struct dfx_limits limits = {
		.buffers = 2, .records = 3, .slots = 2, .rq_depth = 4,
	};

	setup_pools(2, limits, NEVER, DFX_RECOVERY_GLOBAL);
	world_pass(w);
	CHECK(put(0, DFX_DEV_TRY));
	CHECK(put(0, DFX_DEV_TRY));
	dfx_control_flush(&w->host);
	CHECK_EQ(dfx_control_unflushed(&w->host), 1);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	CHECK_EQ(dfx_control_unflushed(&w->host), 0);
	world_pass(w);
	CHECK_EQ(take(), 1);
	CHECK_EQ(flags_seen, DFX_ENTRY_PARTIAL);
	CHECK_EQ(last_count, 2);
	/* A full one is not partial, an empty one is not published. */
	CHECK(put(1, DFX_DEV_TRY));
	CHECK(put(1, DFX_DEV_TRY));
	CHECK(put(1, DFX_DEV_TRY));
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_OK);
	CHECK_EQ(dfx_dev_end_run(lane), DFX_DEV_OK);
	CHECK_EQ(world_lane(w, 0)->runs, 1);
	world_pass(w);
	CHECK_EQ(take(), 1);
	CHECK_EQ(flags_seen, 0);
	CHECK_EQ(last_count, 3);
	finish();
	done("flush publishes partial buffers, and only what has records");
}

/* What a lane leaves must never be told before it can be read. */
static void test_hidden(void)
{
	struct dfx_limits limits = tight;

	limits.records = 4;
	setup(limits, NEVER);
	step.hidden = 1;
	CHECK(put(0, DFX_DEV_BLOCK));
	CHECK(put(0, DFX_DEV_BLOCK));
	CHECK_EQ(world_pool(w, 0)->count, 0);
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_BLOCK), DFX_DEV_OK);
	serve();
	CHECK_EQ(last_count, 2);
	CHECK_EQ(next_out[0], 2);
	step.hidden = 0;
	CHECK(put(0, DFX_DEV_BLOCK));
	CHECK_EQ(world_pool(w, 0)->count, 1);
	finish();
	done("a record that the port does not show is told of with its buffer");
}

static void test_flush_before_join(void)
{
	step = (struct step){ };
	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 1,
		.pools_per_lane = 1, .limits = tight,
	});
	lane = &w->lanes[0];
	world_start(w, 5, NEVER, DFX_RECOVERY_GLOBAL);
	dfx_control_flush(&w->host);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	world_pass(w);
	CHECK_EQ(dfx_control_unflushed(&w->host), 0);
	done("a flush that was asked for before the lane joined is answered");
}

static void test_stop_before_join(void)
{
	struct dfx_pool_state s;

	setup(tight, NEVER);
	CHECK(put(0, DFX_DEV_TRY));
	CHECK(put(0, DFX_DEV_TRY));
	finish();
	dfx_dev_poll(lane);
	CHECK_EQ(world_start(w, 6, NEVER, DFX_RECOVERY_GLOBAL), 0);
	dfx_control_stop(&w->host, world_now());
	/* Only now does the lane look: the session is already over. */
	dfx_dev_poll(lane);
	world_pass(w);
	CHECK_EQ(w->seen.faults, 0);
	CHECK_EQ(dfx_control_pending(&w->host), 0);
	dfx_control_end(&w->host, world_now());
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	CHECK_EQ(s.produced, 0);
	CHECK_EQ(w->host.lanes[0].fault, 0);
	done("a session that the lane never saw running leaves no trace");
}

static void test_try_with_flush(void)
{
	setup(tight, NEVER);
	fill_rq();
	dfx_control_flush(&w->host);
	CHECK(!put(0, DFX_DEV_TRY));
	CHECK(step.turns == 0);
	serve();
	CHECK(put(0, DFX_DEV_TRY));
	finish();
	done("a try does not wait for a flush either");
}

/* ---- a host that breaks the protocol ----------------------------------------- */

static void test_bad_slot(void)
{
	setup(tight, NEVER);
	world_fq(w, 0)->slot[0] = 999;
	world_fq(w, 0)->slot[2] = DFX_NO_BUFFER;
	CHECK(put(0, DFX_DEV_BLOCK));
	CHECK_EQ(w->dpools[0].buffer, 1);
	CHECK(put(0, DFX_DEV_BLOCK));
	CHECK_EQ(w->dpools[0].buffer, 3);
	CHECK_EQ(world_pool(w, 0)->mismatch, 2);
	CHECK_EQ(drops(0), 0);
	finish();
	done("free-queue slots that hold no id of the pool are skipped");
}

/* What the host found is its own business: an honest lane believes it. */
static void test_refused(void)
{
	setup(tight, NEVER);
	fill_rq();
	dfx_control_fault(&w->host, 0, DFX_FAULT_COUNT, 0);
	CHECK_EQ(world_rq_head(w, 0)->refused, 1);
	world_contended(w)->rq_contended = 0;
	CHECK(!put(0, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_FAULT);
	CHECK_EQ(step.turns, 0);
	CHECK_EQ(world_contended(w)->rq_contended, 0);
	CHECK(!put(0, DFX_DEV_BLOCK));
	CHECK_EQ(world_contended(w)->rq_contended, 0);
	CHECK_EQ(world_pool(w, 0)->dropped[DFX_DROP_FAULT], 2);
	done("a lane that the host refuses neither waits nor marks");
}

static void test_bad_index(bool rq)
{
	setup(tight, NEVER);
	CHECK(put(0, DFX_DEV_BLOCK));
	if (rq)
		world_rq_head(w, 0)->head = 77;
	else
		world_fq(w, 0)->tail = 77;
	CHECK(!put(0, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_FAULT);
	CHECK_EQ(world_lane(w, 0)->state, DFX_LANE_FAULT);
	CHECK(!put(0, DFX_DEV_TRY));
	CHECK_EQ(world_pool(w, 0)->dropped[DFX_DROP_FAULT], 1);
	CHECK_EQ(step.turns, 0);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_FAULT);
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_BLOCK), DFX_DEV_FAULT);
	/* The next session is a new beginning. */
	dfx_control_stop(&w->host, world_now());
	dfx_dev_poll(lane);
	dfx_control_end(&w->host, world_now());
	dfx_dev_poll(lane);
	take();
	CHECK_EQ(world_start(w, 6, NEVER, DFX_RECOVERY_GLOBAL), 0);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	CHECK(put(0, DFX_DEV_BLOCK));
	done(rq ? "a ready-queue head out of range: FAULT, no crash" :
		  "a free-queue tail out of range: FAULT, no crash");
}

static void test_no_session(void)
{
	u32 i;

	step = (struct step){ };
	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_PMU, .lanes = 1, .pools_per_lane = 1,
	});
	lane = &w->lanes[0];
	for (i = 0; i < 100; i++) {
		CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_NOSESSION);
		CHECK(!dfx_dev_reserve(lane, &w->dpools[0], DFX_DEV_BLOCK));
		CHECK_EQ(lane->rc, DFX_DEV_NOSESSION);
		CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_BLOCK), DFX_DEV_NOSESSION);
		CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK),
			 DFX_DEV_NOSESSION);
		dfx_dev_drop(lane, &w->dpools[0]);
	}
	CHECK(!dfx_dev_next_pool(lane, NULL));
	CHECK_EQ(step.turns, 0);
	CHECK_EQ(world_pool(w, 0)->produced, 0);
	CHECK_EQ(drops(0), 0);
	CHECK_EQ(world_lane(w, 0)->rq_tail, 0);
	done("without a session: records nothing, waits for nothing");
}

static void test_detached(void)
{
	setup(tight, NEVER);
	CHECK(put(0, DFX_DEV_BLOCK));
	dfx_control_gone(&w->host);
	CHECK(!put(0, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_DETACHED);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_DETACHED);
	CHECK_EQ(step.turns, 0);
	done("the host goes away: the lane is told to attach anew");
}

/* ---- smallest shapes, and the wrap --------------------------------------------- */

static void serve_hook(void *arg)
{
	(void)arg;
	serve();
}

static void run_records(u32 nr)
{
	u32 i;

	step.relax = serve_hook;
	for (i = 0; i < nr; i++)
		CHECK(put(0, DFX_DEV_BLOCK));
	finish();
	CHECK_EQ(drops(0), 0);
	CHECK_EQ(lost_seen, 0);
}

static void test_smallest(u32 recovery)
{
	setup_pools(1, single, NEVER, recovery);
	run_records(200);
	if (recovery == DFX_RECOVERY_LANE)
		CHECK_EQ(w->seen.opened[DFX_GATE_FQ], 0);
	else
		CHECK(w->seen.opened[DFX_GATE_FQ] > 0);
	done(recovery == DFX_RECOVERY_LANE ?
	     "one buffer, one slot, ready queue of one: lane" :
	     "one buffer, one slot, ready queue of one: global");
}

static void test_wrap(void)
{
	const u32 by = 0xfffffff0u;

	setup(tight, NEVER);
	world_pass(w);
	/* As if so many entries and buffers had already gone by. */
	lane->rq_tail += by;
	world_lane(w, 0)->rq_tail += by;
	world_rq_head(w, 0)->head += by;
	w->host.lanes[0].rq_head += by;
	w->dpools[0].fq_head += by;
	world_pool(w, 0)->fq_head += by;
	world_fq(w, 0)->tail += by;
	w->host.pools[0].fq_head += by;
	w->host.pools[0].fq_tail += by;
	run_records(100);
	CHECK(lane->rq_tail < 1000);
	CHECK_EQ(w->seen.faults, 0);
	done("indices wrap at 2^32");
}

int main(void)
{
	tap_plan(33, 20);
	test_push_full();
	test_bounded();
	test_push_gone();
	test_publish_then_park();
	test_one_deadline();
	test_second_gate();
	test_try_at_barrier();
	test_dead_in_freeze();
	test_pop_parks_first();
	test_reraise();
	test_pop_gone();
	test_expire_once_per_lane();
	test_release(false);
	test_release(true);
	test_release_expires();
	test_stop_is_no_release();
	test_stop_while_parked();
	test_stop_while_gone(true);
	test_stop_while_gone(false);
	test_flush();
	test_hidden();
	test_flush_before_join();
	test_stop_before_join();
	test_try_with_flush();
	test_bad_slot();
	test_refused();
	test_bad_index(false);
	test_bad_index(true);
	test_no_session();
	test_detached();
	test_smallest(DFX_RECOVERY_GLOBAL);
	test_smallest(DFX_RECOVERY_LANE);
	test_wrap();
	return tap_done();
}
