// SPDX-License-Identifier: GPL-2.0-only
/*
 * hammer_test.c - engine and host side hammered by threads
 *
 * Each lane is a thread that writes, the host is a thread that makes passes,
 * the consumer is a thread that takes, checks and releases. Every byte of every
 * record is checked, and its place in the order of its pool. Meant to be run
 * under ThreadSanitizer and under AddressSanitizer.
 */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "harness.h"
#include "tap.h"

#define MAX_LANES	4
#define POOLS_PER_LANE	2
#define CAPACITY	4
#define RECORDS		240	/* of each pool */
#define DEADLINE	(50000000ull * 60)	/* one minute: never */

enum pace { FAST, SLOW, BURSTY, NR_PACE };
static const char * const pace_name[] = { "fast", "slow", "bursty" };

struct combo {
	u32 lanes;
	u32 buffers;
	u32 rq_depth;
	u32 slots;
	u32 recovery;
	enum pace pace;
	bool cut;	/* STOP in the middle instead of at the end */
	bool flush;	/* the host asks for partial buffers all the time */
	bool shadow;	/* over a bus that is late, torn and fails */
};

/* What one thread tells the others; each word has one writer. */
struct run {
	const struct combo *combo;
	struct world *w;
	u32 lane_done[MAX_LANES];
	u64 written[MAX_LANES * POOLS_PER_LANE];
	u32 stopped;
	u32 quit;
	/* The consumer's. */
	u64 next[MAX_LANES * POOLS_PER_LANE];
	u32 next_seq[MAX_LANES * POOLS_PER_LANE];
	u64 bad;
};

struct lane_arg {
	struct run *run;
	u32 lane;
};

static void set(u32 *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static bool is_set(u32 *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void doze(unsigned int us)
{
	struct timespec ts = { .tv_nsec = us * 1000 };

	nanosleep(&ts, NULL);
}

/* ---- the device --------------------------------------------------------- */

static void lane_write(struct run *run, struct dfx_dev_lane *lane)
{
	struct dfx_dev_pool *pool;
	u64 n;

	for (n = 0; n < RECORDS; n++)
		for (pool = dfx_dev_next_pool(lane, NULL); pool;
		     pool = dfx_dev_next_pool(lane, pool)) {
			if (!world_produce(lane, pool, DFX_DEV_BLOCK, n))
				return;
			run->written[pool->id]++;
		}
	dfx_dev_end_run(lane);
}

static void *lane_thread(void *arg)
{
	struct lane_arg *a = arg;
	struct dfx_dev_lane *lane = &a->run->w->lanes[a->lane];

	/* It may come so late that the session is over. */
	while (dfx_dev_poll(lane)) {
		if (is_set(&a->run->stopped))
			return NULL;
		dfx_port_relax();
	}
	lane_write(a->run, lane);
	set(&a->run->lane_done[a->lane]);
	/* Idle, until the host says that the session is over. */
	while (!dfx_dev_poll(lane))
		dfx_port_relax();
	return NULL;
}

/* ---- the host ------------------------------------------------------------ */

static void *host_thread(void *arg)
{
	struct run *run = arg;
	struct world *w = run->w;
	struct dfx_pass_result res;

	while (!is_set(&run->quit)) {
		pthread_mutex_lock(&w->lock);
		res = dfx_pass(&w->host, 2, world_now());
		pthread_mutex_unlock(&w->lock);
		if (!res.taken)
			sched_yield();
	}
	return NULL;
}

/* ---- the consumer --------------------------------------------------------- */

static void check_buffer(struct run *run, const struct dfx_buf *buf, u32 id)
{
	struct world *w = run->w;
	u32 size = w->host.geom.pools[buf->pool].record_size;
	const u8 *rec = world_buffer(w, id);
	u32 i;

	if (buf->seq != run->next_seq[buf->pool]++ || buf->lost ||
	    buf->redelivered)
		run->bad++;
	for (i = 0; i < buf->count; i++, rec += size)
		if (!record_check(rec, size, buf->pool, buf->seq, i,
				  run->next[buf->pool]++))
			run->bad++;
}

static u32 hold(struct run *run, struct dfx_buf *buf, u64 *cookie)
{
	struct world *w = run->w;
	u32 lane, id = DFX_NIL;

	pthread_mutex_lock(&w->lock);
	for (lane = 0; lane < run->combo->lanes && id == DFX_NIL; lane++)
		id = dfx_table_hold(&w->host, lane, run);
	if (id != DFX_NIL) {
		*buf = w->host.bufs[id];
		*cookie = dfx_table_cookie(&w->host, id);
	}
	pthread_mutex_unlock(&w->lock);
	return id;
}

static void release(struct run *run, u64 cookie)
{
	struct world *w = run->w;

	pthread_mutex_lock(&w->lock);
	if (dfx_table_holds(&w->host, cookie, run))
		dfx_table_release(&w->host, (u32)cookie);
	else
		run->bad++;
	pthread_mutex_unlock(&w->lock);
}

static void *consumer_thread(void *arg)
{
	struct run *run = arg;
	enum pace pace = run->combo->pace;
	u64 held[8];
	struct dfx_buf buf;
	u32 nr = 0, id;

	for (;;) {
		bool last = is_set(&run->quit);

		id = hold(run, &buf, &held[nr]);
		if (id != DFX_NIL) {
			check_buffer(run, &buf, id);
			nr++;
		}
		if (pace == SLOW && nr)
			doze(20);
		if (pace == BURSTY && nr && (nr == 8 || id == DFX_NIL))
			doze(60);
		if (pace != BURSTY || nr == 8 || id == DFX_NIL)
			while (nr)
				release(run, held[--nr]);
		if (id != DFX_NIL)
			continue;
		if (last)
			return NULL;
		sched_yield();
	}
}

/* ---- one combination -------------------------------------------------------- */

static void wait_a_little(struct run *run)
{
	doze(run->combo->flush ? 50 : 200);
	if (!run->combo->flush)
		return;
	pthread_mutex_lock(&run->w->lock);
	dfx_control_flush(&run->w->host);
	pthread_mutex_unlock(&run->w->lock);
}

static void wait_lanes(struct run *run)
{
	u32 lane;

	if (run->combo->cut) {
		doze(1500);
		return;
	}
	for (lane = 0; lane < run->combo->lanes; lane++)
		while (!is_set(&run->lane_done[lane]))
			wait_a_little(run);
}

/* Returns how many gates the stop itself has closed. */
static u32 stop(struct run *run)
{
	struct world *w = run->w;
	bool frozen;
	u32 closed;
	u64 pending;

	do {
		pthread_mutex_lock(&w->lock);
		frozen = !run->combo->cut &&
			 (w->host.freeze[0].active || w->host.freeze[1].active);
		if (!frozen) {
			closed = w->host.freeze[0].active +
				 w->host.freeze[1].active;
			dfx_control_stop(&w->host, world_now());
		}
		pthread_mutex_unlock(&w->lock);
		if (frozen)
			doze(100);
	} while (frozen);

	do {
		doze(100);
		pthread_mutex_lock(&w->lock);
		pending = dfx_control_pending(&w->host);
		if (!pending && dfx_control_end(&w->host, world_now()))
			pending = 1;
		pthread_mutex_unlock(&w->lock);
	} while (pending);
	return closed;
}

static void check_pool(struct run *run, u32 pool)
{
	struct dfx_pool_state s;
	u32 i;

	dfx_account_pool(&run->w->host, pool, &s);
	CHECK_EQ(s.produced, run->written[pool]);
	CHECK_EQ(s.delivered, run->written[pool]);
	CHECK_EQ(run->next[pool], run->written[pool]);
	CHECK_EQ(s.next_seq, run->next_seq[pool]);
	for (i = 0; i < DFX_NR_DROP; i++)
		CHECK_EQ(s.dropped[i], 0);
	CHECK_EQ(s.in_flight, 0);
	CHECK_EQ(s.mismatch, 0);
	CHECK_EQ(s.ready + s.held + s.quarantine, 0);
	if (!run->combo->cut)
		CHECK_EQ(s.produced, RECORDS);
}

static void check_run(struct run *run, u32 cut_short)
{
	struct dfx_freeze_stat f[DFX_NR_GATE];
	struct dfx_lane_state l;
	u32 i;

	for (i = 0; i < run->combo->lanes * POOLS_PER_LANE; i++)
		check_pool(run, i);
	for (i = 0; i < run->combo->lanes; i++) {
		dfx_account_lane(&run->w->host, i, 50000000, &l);
		CHECK_EQ(l.expired, 0);
		CHECK_EQ(l.fault, 0);
		CHECK_EQ(l.bad_entries, 0);
		CHECK_EQ(l.state, DFX_LANE_IDLE);
	}
	dfx_account_freeze(&run->w->host, world_now(), f);
	CHECK_EQ(f[0].opens + f[1].opens,
		 f[0].releases + f[1].releases + cut_short);
	CHECK_EQ(f[0].active + f[1].active, 0);
	CHECK_EQ(run->w->seen.faults, 0);
	CHECK_EQ(run->bad, 0);
	CHECK_EQ(run->w->bus.splits, 0);
	CHECK(!run->w->host.io.gone);
	if (run->combo->recovery == DFX_RECOVERY_LANE)
		CHECK_EQ(f[0].opens + f[1].opens, 0);
	else if (!run->combo->cut && !run->combo->shadow)
		CHECK(f[0].opens + f[1].opens > 0);
}

static void run_combo(const struct combo *c)
{
	struct run run = { .combo = c };
	struct lane_arg args[MAX_LANES];
	pthread_t lanes[MAX_LANES], host, consumer;
	u32 i, cut_short, opens;

	run.w = world_new(&(struct world_config){
		.subsys = c->slots == 1 ? DFX_SUBSYS_PMU :
			  DFX_SUBSYS_L2_SWIMLANE,
		.lanes = c->lanes,
		.pools_per_lane = POOLS_PER_LANE,
		.limits = { .buffers = c->buffers, .records = CAPACITY,
			    .slots = c->slots, .rq_depth = c->rq_depth },
		.shadow = c->shadow,
	});
	run.w->bus.fail = c->pace == SLOW ? 0 : 10;
	run.w->bus.max_failing = 20;
	world_start(run.w, 7, DEADLINE, c->recovery);
	for (i = 0; i < c->lanes; i++) {
		args[i] = (struct lane_arg){ .run = &run, .lane = i };
		pthread_create(&lanes[i], NULL, lane_thread, &args[i]);
	}
	pthread_create(&host, NULL, host_thread, &run);
	pthread_create(&consumer, NULL, consumer_thread, &run);

	wait_lanes(&run);
	cut_short = stop(&run);
	set(&run.stopped);
	for (i = 0; i < c->lanes; i++)
		pthread_join(lanes[i], NULL);
	set(&run.quit);
	pthread_join(host, NULL);
	pthread_join(consumer, NULL);

	check_run(&run, cut_short);
	opens = run.w->host.freeze[0].opens + run.w->host.freeze[1].opens;
	tap_end("%s%u lanes, %u buffers, rq %u, %u slots, %s, %s%s%s: %u freezes",
		c->shadow ? "shadow, " : "",
		c->lanes, c->buffers, c->rq_depth, c->slots,
		c->recovery == DFX_RECOVERY_LANE ? "lane" : "global",
		pace_name[c->pace], c->cut ? ", cut" : "",
		c->flush ? ", flushed" : "", opens);
	world_free(run.w);
}

/* All of the first six, in mixed radix. */
static struct combo combo_of(u32 i)
{
	static const u32 lanes[] = { 1, 2, 4 }, buffers[] = { 1, 2, 4 };
	static const u32 depths[] = { 2, 8 }, slots[] = { 1, 4 };
	struct combo c = { };

	c.pace = i % NR_PACE;
	i /= NR_PACE;
	c.lanes = lanes[i % 3];
	i /= 3;
	c.buffers = buffers[i % 3];
	i /= 3;
	c.rq_depth = depths[i % 2];
	i /= 2;
	c.slots = slots[i % 2];
	i /= 2;
	c.recovery = i % 2 ? DFX_RECOVERY_LANE : DFX_RECOVERY_GLOBAL;
	return c;
}

#define NR_COMBOS	(3 * 3 * 3 * 2 * 2 * 2)
#define NR_CUT		24
#define NR_SHADOW	(NR_COMBOS / 2)

int main(void)
{
	struct combo c;
	u32 i;

	tap_plan(NR_COMBOS + NR_CUT + NR_SHADOW, 300);
	for (i = 0; i < NR_COMBOS; i++) {
		c = combo_of(i);
		c.flush = i % 5 == 4;
		run_combo(&c);
	}
	for (i = 0; i < NR_CUT; i++) {
		c = combo_of(i * NR_COMBOS / NR_CUT + i % NR_PACE);
		c.cut = true;
		run_combo(&c);
	}
	for (i = 0; i < NR_SHADOW; i++) {
		c = combo_of(2 * i + i % 2);
		c.shadow = true;
		c.flush = i % 5 == 4;
		c.cut = i % 7 == 6;
		run_combo(&c);
	}
	return tap_done();
}
