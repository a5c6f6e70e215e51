// SPDX-License-Identifier: GPL-2.0-only
/*
 * host_test.c - the host side against a device that may do anything
 *
 * The device is the test itself: it reads and writes the shared words by hand.
 * Two lanes of one pool each; lane 0 is the one that misbehaves.
 */
#include <errno.h>
#include <string.h>

#include "harness.h"
#include "tap.h"

#define BUFFERS		4
#define CAPACITY	4
#define HZ		50000000ull

static struct world *w;
/* The device's private cursors. */
static u32 rq_tail[2], fq_head[2], seq[2];

static void follow(u32 lane)
{
	world_lane(w, lane)->ack = world_ctl(w)->seq;
}

static void start(u64 session)
{
	u32 i;

	CHECK_EQ(world_start(w, session, 1000, DFX_RECOVERY_GLOBAL), 0);
	for (i = 0; i < 2; i++) {
		rq_tail[i] = 0;
		fq_head[i] = 0;
		seq[i] = 0;
		memset(world_pool(w, i), 0, sizeof(struct dfx_shm_pool));
		world_lane(w, i)->rq_tail = 0;
		follow(i);
	}
	world_pass(w);
}

static void setup(void)
{
	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 2,
		.pools_per_lane = 1,
		.limits = { .buffers = BUFFERS, .records = CAPACITY,
			    .slots = 4, .rq_depth = 4 },
	});
	start(9);
}

static void done(const char *name)
{
	tap_end("%s", name);
	world_free(w);
}

/* Takes the next buffer out of the free queue. */
static u32 dev_take(u32 lane)
{
	struct dfx_shm_fq *fq = world_fq(w, lane);
	u32 id;

	if (!CHECK(fq->tail != fq_head[lane]))
		return 0;
	id = fq->slot[fq_head[lane]++ % 4];
	world_pool(w, lane)->fq_head = fq_head[lane];
	return id;
}

/* Where the lane's next entry goes, filled in as an honest device would. */
static struct dfx_shm_entry *dev_entry(u32 lane, u32 id)
{
	struct dfx_shm_entry *e = world_at(w, w->host.geom.rq_off);

	e += lane * 4 + rq_tail[lane] % 4;
	*e = (struct dfx_shm_entry){
		.pool = lane, .buffer = id, .seq = seq[lane], .count = 3,
		.session = w->host.session, .lane = lane, .time = 77,
	};
	return e;
}

static void dev_push(u32 lane)
{
	world_pool(w, lane)->produced += 3;
	seq[lane]++;
	world_lane(w, lane)->rq_tail = ++rq_tail[lane];
}

static u32 dev_publish(u32 lane)
{
	u32 id = dev_take(lane);

	dev_entry(lane, id);
	dev_push(lane);
	return id;
}

/* STOP, and the lanes of @mask obey. */
static void stop(u32 mask)
{
	u32 i;

	dfx_control_stop(&w->host, world_now());
	for (i = 0; i < 2; i++)
		if (mask >> i & 1)
			follow(i);
	world_pass(w);
	dfx_control_end(&w->host, world_now());
	for (i = 0; i < 2; i++)
		if (mask >> i & 1)
			follow(i);
}

static u32 consume(u32 lane)
{
	u32 id, nr = 0;

	while ((id = dfx_table_hold(&w->host, lane, w)) != DFX_NIL) {
		dfx_table_release(&w->host, id);
		nr++;
	}
	return nr;
}

static void check_identity(u32 pool)
{
	struct dfx_pool_state s;

	dfx_account_pool(&w->host, pool, &s);
	if (!CHECK(world_identity(&s)))
		tap_note("pool %u: produced %llu, delivered %llu, in flight %llu",
			 pool, (unsigned long long)s.produced,
			 (unsigned long long)s.delivered,
			 (unsigned long long)s.in_flight);
}

/* ---- every way to break the protocol ---------------------------------------- */

static void bad_tail(void)
{
	world_lane(w, 0)->rq_tail = rq_tail[0] + 5;
}

static void bad_tail_back(void)
{
	world_lane(w, 0)->rq_tail = rq_tail[0] - 1;
}

static void bad_fq_head(void)
{
	world_pool(w, 0)->fq_head = fq_head[0] + 5;
}

static void bad_fq_head_back(void)
{
	world_pool(w, 0)->fq_head = fq_head[0] - 1;
}

#define BAD_ENTRY(name, statement)				\
static void name(void)						\
{								\
	struct dfx_shm_entry *e = dev_entry(0, dev_take(0));	\
								\
	statement;						\
	dev_push(0);						\
}

BAD_ENTRY(bad_buffer_range, e->buffer = BUFFERS)
BAD_ENTRY(bad_buffer_none, e->buffer = DFX_NO_BUFFER)
BAD_ENTRY(bad_buffer_twice, e->buffer = 0)
BAD_ENTRY(bad_buffer_queued, e->buffer = 3)
BAD_ENTRY(bad_pool_range, e->pool = 2)
BAD_ENTRY(bad_pool_huge, e->pool = ~0u)
BAD_ENTRY(bad_pool_other, e->pool = 1)
BAD_ENTRY(bad_count_none, e->count = 0)
BAD_ENTRY(bad_count_more, e->count = CAPACITY + 1)
BAD_ENTRY(bad_count_huge, e->count = ~0u)
BAD_ENTRY(bad_seq_again, e->seq--)
BAD_ENTRY(bad_seq_skip, e->seq++)
BAD_ENTRY(bad_session, e->session++)
BAD_ENTRY(bad_lane, e->lane = 1)
BAD_ENTRY(bad_flags, e->flags = 4)
BAD_ENTRY(bad_gap, e->flags = DFX_ENTRY_GAP)
BAD_ENTRY(bad_lost, e->lost = 1)

static const struct {
	const char *name;
	void (*act)(void);
	u32 fault;
} bad[] = {
	{ "ready-queue tail too far", bad_tail, DFX_FAULT_RQ_TAIL },
	{ "ready-queue tail goes back", bad_tail_back, DFX_FAULT_RQ_TAIL },
	{ "free-queue head too far", bad_fq_head, DFX_FAULT_FQ_HEAD },
	{ "free-queue head goes back", bad_fq_head_back, DFX_FAULT_FQ_HEAD },
	{ "buffer of another pool", bad_buffer_range, DFX_FAULT_BUFFER },
	{ "no buffer", bad_buffer_none, DFX_FAULT_BUFFER },
	{ "buffer that is READY", bad_buffer_twice, DFX_FAULT_OWNER },
	{ "buffer that is QUEUED", bad_buffer_queued, DFX_FAULT_OWNER },
	{ "pool out of range", bad_pool_range, DFX_FAULT_POOL },
	{ "pool far out of range", bad_pool_huge, DFX_FAULT_POOL },
	{ "pool of another lane", bad_pool_other, DFX_FAULT_POOL },
	{ "count 0", bad_count_none, DFX_FAULT_COUNT },
	{ "count above capacity", bad_count_more, DFX_FAULT_COUNT },
	{ "count far above capacity", bad_count_huge, DFX_FAULT_COUNT },
	{ "sequence again", bad_seq_again, DFX_FAULT_SEQ },
	{ "sequence skipped", bad_seq_skip, DFX_FAULT_SEQ },
	{ "another session", bad_session, DFX_FAULT_SESSION },
	{ "another lane", bad_lane, DFX_FAULT_SESSION },
	{ "unknown flag", bad_flags, DFX_FAULT_FLAGS },
	{ "GAP without loss", bad_gap, DFX_FAULT_FLAGS },
	{ "loss without GAP", bad_lost, DFX_FAULT_FLAGS },
};

static void test_bad(u32 i)
{
	struct dfx_lane_state l;
	struct dfx_pool_state s;

	setup();
	CHECK_EQ(dev_publish(0), 0);
	world_pass(w);
	bad[i].act();
	world_pass(w);
	CHECK_EQ(w->seen.faults, 1);
	CHECK_EQ(w->seen.fault, bad[i].fault);
	CHECK_EQ(w->seen.fault_lane, 0);
	dfx_account_lane(&w->host, 0, HZ, &l);
	CHECK_EQ(l.fault, bad[i].fault);
	CHECK(l.flags & DFX_LANE_F_FAULT);

	/* Whatever it does now: nothing of it is looked at any more. */
	world_lane(w, 0)->rq_tail = 12345;
	world_pool(w, 0)->fq_head = 12345;
	world_pass(w);
	CHECK_EQ(w->seen.faults, 1);
	dfx_account_pool(&w->host, 0, &s);
	CHECK_EQ(s.quarantine, BUFFERS - 1);
	CHECK_EQ(s.ready, 1);
	CHECK_EQ(s.free + s.queued + s.device, 0);

	/* The other lane goes on, and through a freeze. */
	dev_publish(1);
	dev_publish(1);
	dev_publish(1);
	dev_publish(1);
	world_contended(w)->fq_contended = 1;
	world_pass(w);
	CHECK_EQ(world_freeze(w)->fq_freeze_active, 1);
	CHECK_EQ(consume(1), 4);
	world_pass(w);
	CHECK_EQ(world_freeze(w)->fq_freeze_active, 0);
	CHECK_EQ(w->host.lanes[1].fault, 0);

	/* What was READY before is delivered; the rest is charged. */
	CHECK_EQ(consume(0), 1);
	stop(3);
	CHECK_EQ(dfx_control_pending(&w->host), 0);
	check_identity(0);
	check_identity(1);

	/* Left out until RESET, then welcome. */
	start(10);
	CHECK_EQ(w->host.lane_mask, 2);
	stop(3);
	CHECK_EQ(dfx_control_revive(&w->host), 1);
	start(11);
	CHECK_EQ(w->host.lane_mask, 3);
	dev_publish(0);
	world_pass(w);
	CHECK_EQ(consume(0), 1);
	CHECK_EQ(w->seen.faults, 1);
	tap_end("hostile device: %s", bad[i].name);
	world_free(w);
}

static void test_revive_needs_ack(void)
{
	setup();
	bad_tail();
	world_pass(w);
	stop(2);
	CHECK_EQ(dfx_control_revive(&w->host), 0);
	follow(0);
	CHECK_EQ(dfx_control_revive(&w->host), 1);
	CHECK_EQ(dfx_control_revive(&w->host), 0);
	done("a lane is revived only after it has acknowledged");
}

static void test_revive_identity(void)
{
	setup();
	dev_publish(0);
	bad_count_none();
	world_pass(w);
	consume(0);
	stop(3);
	check_identity(0);
	dfx_control_revive(&w->host);
	check_identity(0);
	done("identity still holds after a lane was revived");
}

/* ---- consumers ---------------------------------------------------------------- */

static void test_requeue(void)
{
	static int first, second;
	u32 id, i, held[3];

	setup();
	for (i = 0; i < 3; i++)
		dev_publish(0);
	world_pass(w);
	held[0] = dfx_table_hold(&w->host, 0, &first);
	held[1] = dfx_table_hold(&w->host, 0, &first);
	/* The later of the two comes back first; more arrives meanwhile. */
	dev_publish(0);
	world_pass(w);
	dfx_table_requeue(&w->host, &first);
	CHECK_EQ(w->host.lanes[0].nr_ready, 4);
	for (i = 0; i < 4; i++) {
		id = dfx_table_hold(&w->host, 0, &second);
		if (!CHECK(id != DFX_NIL))
			break;
		CHECK_EQ(w->host.bufs[id].seq, i);
		CHECK_EQ(w->host.bufs[id].redelivered, i < 2);
		if (i < 2)
			CHECK_EQ(id, held[i]);
	}
	CHECK_EQ(dfx_table_hold(&w->host, 0, &second), DFX_NIL);
	/* In order even when it is id order that is against it. */
	dfx_table_requeue(&w->host, &second);
	for (i = 0; i < 4; i++) {
		id = dfx_table_hold(&w->host, 0, &first);
		if (!CHECK(id != DFX_NIL))
			break;
		CHECK_EQ(w->host.bufs[id].seq, i);
		CHECK(w->host.bufs[id].redelivered);
		dfx_table_release(&w->host, id);
	}
	/* Ids come round again in another order than their sequence. */
	world_pass(w);
	dev_take(0);
	id = dev_publish(0);
	world_pass(w);
	CHECK_EQ(w->seen.faults, 0);
	CHECK_EQ(dfx_table_hold(&w->host, 0, &first), id);
	CHECK(!w->host.bufs[id].redelivered);
	done("a dead consumer's buffers come back in front, in order");
}

static void test_requeue_against_ids(void)
{
	static int dead, next;
	u32 i, id, a, b;

	setup();
	for (i = 0; i < 4; i++)
		dev_publish(0);
	world_pass(w);
	/* Released as 3, 0, so that the queue gets them in this order. */
	a = dfx_table_hold(&w->host, 0, &dead);
	dfx_table_hold(&w->host, 0, &next);
	dfx_table_hold(&w->host, 0, &next);
	b = dfx_table_hold(&w->host, 0, &dead);
	dfx_table_release(&w->host, b);
	dfx_table_release(&w->host, a);
	world_pass(w);
	CHECK_EQ(dev_publish(0), b);
	CHECK_EQ(dev_publish(0), a);
	world_pass(w);
	CHECK_EQ(dfx_table_hold(&w->host, 0, &dead), b);
	CHECK_EQ(dfx_table_hold(&w->host, 0, &dead), a);
	dfx_table_requeue(&w->host, &dead);
	id = dfx_table_hold(&w->host, 0, &next);
	CHECK_EQ(id, b);
	CHECK_EQ(w->host.bufs[id].seq, 4);
	id = dfx_table_hold(&w->host, 0, &next);
	CHECK_EQ(id, a);
	CHECK_EQ(w->host.bufs[id].seq, 5);
	CHECK_EQ(w->host.lanes[0].nr_ready, 0);
	CHECK_EQ(w->host.lanes[0].ready.tail, DFX_NIL);
	done("order of arrival wins over order of ids");
}

static void test_cookie(void)
{
	static int me, other;
	struct dfx_host *host = &w->host;
	u64 cookie, old;
	u32 id;

	setup();
	host = &w->host;
	dev_publish(0);
	world_pass(w);
	id = dfx_table_hold(host, 0, &me);
	cookie = dfx_table_cookie(host, id);
	CHECK(dfx_table_holds(host, cookie, &me));
	CHECK(!dfx_table_holds(host, cookie, &other));
	CHECK(!dfx_table_holds(host, cookie + (1ull << 32), &me));
	CHECK(!dfx_table_holds(host, cookie - (1ull << 32), &me));
	CHECK(!dfx_table_holds(host, ~0ull, &me));
	CHECK(!dfx_table_holds(host, cookie | 0x80000000u, &me));
	CHECK(!dfx_table_holds(host, (cookie & ~0xffffffffull) | (id + 1),
			       &me));
	old = cookie;
	dfx_table_requeue(host, &me);
	CHECK(!dfx_table_holds(host, old, &me));
	CHECK_EQ(dfx_table_hold(host, 0, &me), id);
	CHECK(!dfx_table_holds(host, old, &me));
	cookie = dfx_table_cookie(host, id);
	CHECK(dfx_table_holds(host, cookie, &me));
	dfx_table_release(host, id);
	CHECK(!dfx_table_holds(host, cookie, &me));
	/* Twice is once. */
	dfx_table_release(host, id);
	CHECK_EQ(host->pools[0].delivered, 3);
	CHECK_EQ(host->pools[0].nr[DFX_OWNER_FREE], 1);
	/* And not into another session. */
	stop(3);
	start(10);
	dev_publish(0);
	world_pass(w);
	CHECK_EQ(dfx_table_hold(host, 0, &me), id);
	CHECK(!dfx_table_holds(host, cookie, &me));
	done("cookies: old turn, foreign holder, second release refused");
}

static void test_discard(void)
{
	struct dfx_pool_state s;

	setup();
	dev_publish(0);
	dev_publish(0);
	dev_publish(1);
	world_pass(w);
	dfx_table_release(&w->host, dfx_table_hold(&w->host, 0, w));
	stop(3);
	CHECK(!dfx_account_idle(&w->host));
	dfx_table_discard(&w->host);
	CHECK(dfx_account_idle(&w->host));
	dfx_account_pool(&w->host, 0, &s);
	CHECK_EQ(s.delivered, 3);
	CHECK_EQ(s.dropped[DFX_DROP_HOST_DISCARD], 3);
	CHECK_EQ(s.in_flight, 0);
	check_identity(0);
	dfx_account_pool(&w->host, 1, &s);
	CHECK_EQ(s.dropped[DFX_DROP_HOST_DISCARD], 3);
	check_identity(1);
	done("what nobody came for is counted as discarded");
}

/* ---- lanes that do not answer --------------------------------------------------- */

static void test_silent(void)
{
	struct dfx_pool_state s;
	struct dfx_lane_state l;

	setup();
	dev_publish(0);
	/* Two records in its hand when it dies. */
	world_pool(w, 0)->cur_buffer = dev_take(0);
	world_pool(w, 0)->count = 2;
	dev_publish(1);
	dfx_control_stop(&w->host, world_now());
	follow(1);
	world_pass(w);
	CHECK_EQ(dfx_control_pending(&w->host), 1);
	dfx_control_end(&w->host, world_now());
	follow(1);
	CHECK_EQ(consume(0), 1);
	CHECK_EQ(consume(1), 1);
	dfx_account_lane(&w->host, 0, HZ, &l);
	CHECK(l.flags & DFX_LANE_F_SILENT);
	dfx_account_pool(&w->host, 0, &s);
	CHECK_EQ(s.quarantine, 3);
	CHECK_EQ(s.delivered, 3);
	CHECK_EQ(s.in_flight, 2);
	CHECK_EQ(s.produced, 5);
	check_identity(0);
	check_identity(1);

	/* Left out while silent; back once it follows. */
	start(10);
	CHECK_EQ(w->host.lane_mask, 2);
	stop(3);
	start(11);
	CHECK_EQ(w->host.lane_mask, 3);
	done("silent at STOP: quarantine, its records in flight, left out");
}

/* More than the passes had taken when the time was up. */
static void test_unread(void)
{
	setup();
	dev_publish(0);
	dev_publish(0);
	dev_publish(1);
	dev_publish(1);
	dfx_control_stop(&w->host, world_now());
	follow(1);
	dfx_control_end(&w->host, world_now());
	CHECK_EQ(w->host.lanes[0].silent, 1);
	CHECK_EQ(w->host.lanes[1].silent, 0);
	CHECK_EQ(consume(0), 2);
	CHECK_EQ(consume(1), 2);
	check_identity(0);
	check_identity(1);
	done("what was published is taken before a lane is given up");
}

static void test_silent_wakes(void)
{
	setup();
	dev_publish(0);
	world_pool(w, 0)->count = 2;
	dfx_control_stop(&w->host, world_now());
	follow(1);
	world_pass(w);
	dfx_control_end(&w->host, world_now());
	consume(0);
	check_identity(0);
	/* It was about to publish when it fell silent. */
	dev_entry(0, dev_take(0));
	world_pool(w, 0)->count = 0;
	world_pool(w, 0)->produced -= 1;
	dev_push(0);
	world_pass(w);
	CHECK_EQ(consume(0), 0);
	check_identity(0);
	done("a lane that wakes after the end does not break the identity");
}

static void test_all_silent(void)
{
	setup();
	stop(0);
	CHECK_EQ(-world_start(w, 10, 1000, DFX_RECOVERY_GLOBAL), EIO);
	done("no lane left to record: EIO");
}

/* A lane that joined and wrote since the last pass is not done. */
static void test_pending_before_pass(void)
{
	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 2,
		.pools_per_lane = 1,
		.limits = { .buffers = BUFFERS, .records = CAPACITY,
			    .slots = 4, .rq_depth = 4 },
	});
	world_start(w, 9, 1000, DFX_RECOVERY_GLOBAL);
	memset(rq_tail, 0, sizeof(rq_tail));
	memset(fq_head, 0, sizeof(fq_head));
	memset(seq, 0, sizeof(seq));
	dev_publish(0);
	dfx_control_stop(&w->host, world_now());
	follow(0);
	follow(1);
	CHECK_EQ(dfx_control_pending(&w->host), 1);
	world_pass(w);
	CHECK_EQ(dfx_control_pending(&w->host), 0);
	CHECK_EQ(consume(0), 1);
	done("a lane that joined since the last pass is waited for");
}

static void test_stale_words(void)
{
	setup();
	stop(3);
	world_start(w, 10, 1000, DFX_RECOVERY_GLOBAL);
	/* Still the words of the last session. */
	world_lane(w, 0)->rq_tail = 3;
	world_pool(w, 0)->fq_head = 3;
	world_pass(w);
	world_pass(w);
	CHECK_EQ(w->seen.faults, 0);
	CHECK(!w->host.lanes[0].attached);
	done("indices are not looked at before the lane has joined");
}

/* ---- figures that cannot be -------------------------------------------------- */

static void test_hostile_figures(void)
{
	struct dfx_lane_state l;
	struct dfx_pool_state s;
	u32 i;

	setup();
	memset((u8 *)world_lane(w, 0) + 64, 0xff, 64);
	memset(&world_pool(w, 0)->produced, 0xff, 128);
	world_pool(w, 0)->count = ~0u;
	dfx_account_lane(&w->host, 0, 1, &l);
	CHECK_EQ(l.push_ns, U64_MAX);
	dfx_account_lane(&w->host, 0, HZ, &l);
	CHECK_EQ(l.pop_ns, U64_MAX);
	CHECK_EQ(l.expired, U64_MAX);
	dfx_account_lane(&w->host, 0, 10000000000ull, &l);
	CHECK_EQ(l.pop_ns, 1844674407370955161ull);
	dfx_account_pool(&w->host, 0, &s);
	CHECK_EQ(s.mismatch, U64_MAX);
	for (i = DFX_DROP_PUSH_TIMEOUT; i <= DFX_DROP_FAULT; i++)
		CHECK_EQ(s.dropped[i], U64_MAX);
	/* Any non-zero value of the flags is a mark. */
	world_contended(w)->rq_contended = ~0u;
	world_pass(w);
	CHECK_EQ(w->host.freeze[DFX_GATE_RQ].opens, 1);
	CHECK_EQ(world_contended(w)->rq_contended, 0);
	done("absurd counters are copied, and nothing traps");
}

static void test_bounded_pass(void)
{
	struct dfx_pass_result res;
	u32 i;

	setup();
	for (i = 0; i < 4; i++)
		dev_publish(0);
	dev_publish(1);
	res = dfx_pass(&w->host, 1, world_now());
	CHECK_EQ(res.taken, 2);
	CHECK(res.more);
	CHECK(res.ready);
	CHECK_EQ(w->host.lanes[1].nr_ready, 1);
	res = dfx_pass(&w->host, 2, world_now());
	CHECK_EQ(res.taken, 2);
	res = dfx_pass(&w->host, 2, world_now());
	CHECK_EQ(res.taken, 1);
	CHECK(!res.more);
	done("a pass takes no more than its budget from any lane");
}

int main(void)
{
	u32 i;

	tap_plan(ARRAY_SIZE(bad) + 14, 20);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		test_bad(i);
	test_revive_needs_ack();
	test_revive_identity();
	test_requeue();
	test_requeue_against_ids();
	test_cookie();
	test_discard();
	test_silent();
	test_unread();
	test_silent_wakes();
	test_all_silent();
	test_pending_before_pass();
	test_stale_words();
	test_hostile_figures();
	test_bounded_pass();
	return tap_done();
}
