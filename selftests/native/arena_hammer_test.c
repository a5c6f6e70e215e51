// SPDX-License-Identifier: GPL-2.0-only
/*
 * arena_hammer_test.c - payload rings hammered by threads
 *
 * Each lane is a thread that writes payloads, the host is a thread that makes
 * passes, the consumer is a thread that takes, checks every byte and releases,
 * out of order if asked to. Meant to be run under ThreadSanitizer and under
 * AddressSanitizer.
 */
#include <sched.h>
#include <time.h>

#include "arena_world.h"
#include "tap.h"

#define MAX_LANES	3
#define PAYLOADS	600	/* of each lane */
#define DEADLINE	(50000000ull * 60)	/* one minute: never */

struct combo {
	u32 lanes;
	u32 buffers;
	u32 recovery;
	u64 max;		/* bytes of a payload */
	unsigned int hold_us;	/* the consumer keeps so long, in bursts */
	bool shadow;	/* over a bus that is late, torn and fails */
};

/* What one thread tells the others; each word has one writer. */
struct run {
	const struct combo *combo;
	struct world *w;
	u32 lane_done[MAX_LANES];
	u32 unreclaimed[MAX_LANES];
	u32 quit;
	struct arena_check seen[MAX_LANES];	/* the consumer's */
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

/* A leader that returns from its wait finds the whole arena given back. */
static void lead(struct run *run, struct dfx_dev_lane *lane)
{
	if (run->combo->recovery != DFX_RECOVERY_GLOBAL)
		return;
	if (dfx_dev_flush(lane, DFX_DEV_BLOCK) ||
	    dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK) ||
	    dfx_port_load32_acquire(&lane->rq_head->arena_head) !=
	    (u32)lane->arena_tail)
		run->unreclaimed[lane->index]++;
}

static void *lane_thread(void *arg)
{
	struct lane_arg *a = arg;
	struct dfx_dev_lane *lane = &a->run->w->lanes[a->lane];
	u32 n;

	while (dfx_dev_poll(lane))
		dfx_port_relax();
	for (n = 0; n < PAYLOADS; n++) {
		arena_put(lane, arena_size(n + a->lane, a->run->combo->max),
			  DFX_DEV_BLOCK);
		if (n % 50 == 49)
			lead(a->run, lane);
	}
	dfx_dev_end_run(lane);
	set(&a->run->lane_done[a->lane]);
	while (!dfx_dev_poll(lane))
		dfx_port_relax();
	return NULL;
}

static void *host_thread(void *arg)
{
	struct run *run = arg;
	struct dfx_pass_result res;

	while (!is_set(&run->quit)) {
		pthread_mutex_lock(&run->w->lock);
		res = dfx_pass(&run->w->host, 2, world_now());
		pthread_mutex_unlock(&run->w->lock);
		if (!res.taken)
			sched_yield();
	}
	return NULL;
}

static u32 hold(struct run *run)
{
	struct world *w = run->w;
	u32 lane, id = DFX_NIL;

	pthread_mutex_lock(&w->lock);
	for (lane = 0; lane < run->combo->lanes && id == DFX_NIL; lane++)
		id = dfx_table_hold(&w->host, lane, run);
	pthread_mutex_unlock(&w->lock);
	/* Nobody writes to its row while it is HELD. */
	if (id != DFX_NIL)
		arena_check(w, id, &run->seen[lane - 1]);
	return id;
}

static void release(struct run *run, u32 id)
{
	pthread_mutex_lock(&run->w->lock);
	dfx_table_release(&run->w->host, id);
	pthread_mutex_unlock(&run->w->lock);
}

static void *consumer_thread(void *arg)
{
	struct run *run = arg;
	u32 held[4], nr = 0, id;

	for (;;) {
		bool last = is_set(&run->quit);

		id = hold(run);
		if (id != DFX_NIL)
			held[nr++] = id;
		if (run->combo->hold_us && nr)
			doze(run->combo->hold_us);
		/* The last one first. */
		if (!run->combo->hold_us || nr == 4 || id == DFX_NIL)
			while (nr)
				release(run, held[--nr]);
		if (id != DFX_NIL)
			continue;
		if (last)
			return NULL;
		sched_yield();
	}
}

static void stop(struct run *run)
{
	struct world *w = run->w;
	u64 pending;
	u32 lane;

	for (lane = 0; lane < run->combo->lanes; lane++)
		while (!is_set(&run->lane_done[lane]))
			doze(200);
	pthread_mutex_lock(&w->lock);
	dfx_control_stop(&w->host, world_now());
	pthread_mutex_unlock(&w->lock);
	do {
		doze(100);
		pthread_mutex_lock(&w->lock);
		pending = dfx_control_pending(&w->host);
		pthread_mutex_unlock(&w->lock);
	} while (pending);
}

static void check_lane(struct run *run, u32 lane)
{
	struct dfx_host *host = &run->w->host;
	struct dfx_lane_state l;
	struct dfx_pool_state s;

	dfx_account_pool(host, lane, &s);
	CHECK_EQ(s.produced, PAYLOADS);
	CHECK_EQ(s.delivered, PAYLOADS);
	CHECK_EQ(s.in_flight, 0);
	CHECK(world_identity(&s));
	CHECK_EQ(run->seen[lane].number, PAYLOADS);
	CHECK_EQ(run->seen[lane].bad, 0);
	CHECK_EQ(run->unreclaimed[lane], 0);
	dfx_account_lane(host, lane, 50000000, &l);
	CHECK_EQ(l.expired, 0);
	CHECK_EQ(l.fault, 0);
	CHECK_EQ(world_rq_head(run->w, lane)->arena_head,
		 (u32)run->seen[lane].pos);
	CHECK_EQ(host->lanes[lane].shares.head, DFX_NIL);
}

static void run_combo(const struct combo *c)
{
	const struct dfx_limits limits = {
		.buffers = c->buffers, .records = 4, .slots = 2, .rq_depth = 4,
	};
	struct run run = { .combo = c };
	struct lane_arg args[MAX_LANES];
	pthread_t lanes[MAX_LANES], host, consumer;
	u64 opens;
	u32 i;

	run.w = arena_world_new(c->lanes, &limits, c->shadow);
	run.w->bus.fail = 10;
	run.w->bus.max_failing = 20;
	world_start(run.w, 7, DEADLINE, c->recovery);
	for (i = 0; i < c->lanes; i++) {
		args[i] = (struct lane_arg){ .run = &run, .lane = i };
		pthread_create(&lanes[i], NULL, lane_thread, &args[i]);
	}
	pthread_create(&host, NULL, host_thread, &run);
	pthread_create(&consumer, NULL, consumer_thread, &run);

	stop(&run);
	pthread_mutex_lock(&run.w->lock);
	while (dfx_control_end(&run.w->host, world_now()))
		;
	pthread_mutex_unlock(&run.w->lock);
	for (i = 0; i < c->lanes; i++)
		pthread_join(lanes[i], NULL);
	set(&run.quit);
	pthread_join(host, NULL);
	pthread_join(consumer, NULL);

	run.w->bus.fail = 0;
	run.w->bus.failing = 0;
	run.w->host.io.ops->full_barrier(&run.w->host.io);
	for (i = 0; i < c->lanes; i++)
		check_lane(&run, i);
	if (c->shadow) {
		CHECK_EQ(run.w->bus.splits, 0);
		CHECK(!run.w->host.io.gone);
	}
	opens = run.w->host.freeze[DFX_GATE_FQ].opens;
	CHECK_EQ(!opens, c->recovery == DFX_RECOVERY_LANE);
	tap_end("%s%u lanes, %u buffers, payloads to %llu, %s, kept %u us: %llu freezes",
		c->shadow ? "shadow, " : "",
		c->lanes, c->buffers, (unsigned long long)c->max,
		c->recovery == DFX_RECOVERY_LANE ? "lane" : "global",
		c->hold_us, (unsigned long long)opens);
	world_free(run.w);
}

int main(void)
{
	static const u32 lanes[] = { 1, 3 }, buffers[] = { 1, 2, 8 };
	static const u64 max[] = { 100, 900, 2 * ARENA_BYTES };
	struct combo c;
	u32 i;

	tap_plan(144, 300);
	for (i = 0; i < 144; i++) {
		c = (struct combo){
			.shadow = i >= 72,
			.recovery = i % 2 ? DFX_RECOVERY_LANE :
				    DFX_RECOVERY_GLOBAL,
			.hold_us = i / 2 % 2 ? 20 : 0,
			.lanes = lanes[i / 4 % 2],
			.buffers = buffers[i / 8 % 3],
			.max = max[i / 24 % 3],
		};
		run_combo(&c);
	}
	return tap_done();
}
