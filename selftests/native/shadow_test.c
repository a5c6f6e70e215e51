// SPDX-License-Identifier: GPL-2.0-only
/*
 * shadow_test.c - the host side over copies that are late, torn, fail or end
 *
 * The device is the test itself, and the bus does what the test says. What is
 * asked in which order is read off the bus's log.
 */
#include <errno.h>
#include <string.h>

#include "harness.h"
#include "tap.h"

#define BUFFERS		4
#define CAPACITY	4
#define SLOTS		4
#define RQ_DEPTH	8
#define RECORD		32
#define COUNT		3	/* records in each buffer */

#define BUS_AT(off)	(WORLD_REGION + (off))

static struct world *w;
/* The device's private cursors. */
static u32 rq_tail[2], fq_head[2], seq[2];

static void follow(u32 lane)
{
	world_lane(w, lane)->ack = world_ctl(w)->seq;
}

static u64 lane_at(u32 lane)
{
	return BUS_AT(dfx_off_lane(&w->host, lane));
}

static u64 entry_at(u32 lane, u32 index)
{
	return BUS_AT(w->host.geom.rq_off +
		      (lane * RQ_DEPTH + index % RQ_DEPTH) *
		      sizeof(struct dfx_shm_entry));
}

static u64 pool_at(u32 pool)
{
	return BUS_AT(dfx_off_pool(&w->host, pool));
}

static u64 buffer_at(u32 id)
{
	return BUS_AT(dfx_off_buffer(&w->host, id));
}

static u64 head_at(u32 lane)
{
	return BUS_AT(dfx_off_rq_head(&w->host, lane));
}

static u64 marks_at(void)
{
	return BUS_AT(w->host.geom.dev_off);
}

static int from(u64 off, u64 len, int at)
{
	return bus_find(&w->bus, BUS_FROM, off, len, at);
}

static int to(u64 off, int at)
{
	return bus_find(&w->bus, BUS_TO, off, sizeof(u32), at);
}

/* The device reset its words, and says so. */
static void join(u32 lane)
{
	rq_tail[lane] = 0;
	fq_head[lane] = 0;
	seq[lane] = 0;
	memset(world_pool(w, lane), 0, sizeof(struct dfx_shm_pool));
	world_lane(w, lane)->rq_tail = 0;
	follow(lane);
}

static void start(u64 session)
{
	CHECK_EQ(world_start(w, session, 1000, DFX_RECOVERY_GLOBAL), 0);
	w->host.io.ops->full_barrier(&w->host.io);
	join(0);
	join(1);
	world_pass(w);
	w->host.io.ops->full_barrier(&w->host.io);
	bus_forget(&w->bus);
}

static void setup(void)
{
	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 2,
		.pools_per_lane = 1, .shadow = true,
		.limits = { .buffers = BUFFERS, .records = CAPACITY,
			    .slots = SLOTS, .rq_depth = RQ_DEPTH },
	});
	w->bus.hasty = true;
	start(9);
}

static void done(const char *name)
{
	CHECK_EQ(w->bus.splits, 0);
	tap_end("%s", name);
	world_free(w);
}

static u32 dev_take(u32 lane)
{
	struct dfx_shm_fq *fq = world_fq(w, lane);
	u32 id;

	if (!CHECK(fq->tail != fq_head[lane]))
		return 0;
	id = fq->slot[fq_head[lane]++ % SLOTS];
	world_pool(w, lane)->fq_head = fq_head[lane];
	return id;
}

static bool dev_starves(u32 lane)
{
	return world_fq(w, lane)->tail == fq_head[lane];
}

/* A buffer with COUNT records, in an entry that is not announced yet. */
static u32 dev_fill(u32 lane)
{
	struct dfx_shm_entry *e = world_at(w, w->host.geom.rq_off);
	u32 id = dev_take(lane);
	u8 *rec = w->aperture + buffer_at(id);

	memset(rec, 0x40 + seq[lane], COUNT * RECORD);
	memset(rec + COUNT * RECORD, 0xbb, RECORD);
	e += lane * RQ_DEPTH + rq_tail[lane] % RQ_DEPTH;
	*e = (struct dfx_shm_entry){
		.pool = lane, .buffer = id, .seq = seq[lane]++, .count = COUNT,
		.session = w->host.session, .lane = lane, .time = 77,
	};
	world_pool(w, lane)->produced += COUNT;
	return id;
}

static void dev_push(u32 lane)
{
	world_lane(w, lane)->rq_tail = ++rq_tail[lane];
}

static u32 dev_publish(u32 lane)
{
	u32 id = dev_fill(lane);

	dev_push(lane);
	return id;
}

static u32 hold(u32 lane)
{
	u32 id = dfx_table_hold(&w->host, lane, w);

	CHECK(id != DFX_NIL);
	return id;
}

/* Its records are those that the device wrote under this sequence. */
static void check_records(u32 id, u32 number)
{
	const u8 *rec = world_buffer(w, id);
	u32 i, bad = 0;

	for (i = 0; i < COUNT * RECORD; i++)
		bad += rec[i] != (u8)(0x40 + number);
	CHECK_EQ(bad, 0);
	CHECK_EQ(w->host.bufs[id].seq, number);
}

static void check_identity(u32 pool)
{
	struct dfx_pool_state s;

	dfx_account_pool(&w->host, pool, &s);
	CHECK(world_identity(&s));
}

static u32 nr(u32 pool, u32 owner)
{
	return w->host.pools[pool].nr[owner];
}

/* ---- order ------------------------------------------------------------------ */

static void test_order(void)
{
	u32 id;
	int at;

	setup();
	id = dev_publish(0);
	world_pass(w);
	at = from(marks_at(), 8, 0);
	CHECK_EQ(at, 0);
	at = from(lane_at(0), 4, at);
	at = from(entry_at(0, 0), 64, at);
	at = from(pool_at(0), 4, at);
	at = from(buffer_at(id), RECORD, at);
	at = to(head_at(0), at);
	CHECK(at > 0);
	check_records(hold(0), 0);
	done("(A), (B): marks, tails, entries, records, then the head");
}

static void test_length(void)
{
	u64 index;
	u32 id;
	int at;

	setup();
	index = w->host.io.copied[DFX_COPIED_INDEX];
	id = dev_publish(0);
	world_pass(w);
	at = from(buffer_at(id), RECORD, 0);
	CHECK(at >= 0 && w->bus.log[at].len == COUNT * RECORD);
	CHECK_EQ(w->host.io.copied[DFX_COPIED_BUFFERS], COUNT * RECORD);
	/* Nothing of what was behind the records. */
	CHECK_EQ(world_buffer(w, hold(0))[COUNT * RECORD], 0xee);
	/* Marks, two lanes, one entry, one line of a pool. */
	CHECK_EQ(w->host.io.copied[DFX_COPIED_INDEX] - index,
		 8 + 2 * 16 + 64 + 64);
	CHECK_EQ(w->host.io.copied[DFX_COPIED_ARENA], 0);
	done("exact lengths, and nothing else in a pass");
}

static void test_mark(void)
{
	int at;

	setup();
	world_contended(w)->fq_contended = 1;
	world_pass(w);
	at = from(marks_at(), 8, 0);
	at = to(BUS_AT(w->host.geom.freeze_off +
		       offsetof(struct dfx_shm_freeze, fq_freeze_active)), at);
	at = to(marks_at() + 4, at);
	at = bus_find(&w->bus, BUS_FENCE, 0, 0, at);
	at = from(lane_at(0), 4, at);
	CHECK(at > 0);
	CHECK_EQ(world_contended(w)->fq_contended, 0);
	done("(E), (F), a fence, and the lanes are looked at again");
}

/* What the device was to do in the middle of a copy is done. */
static bool late_done;

/* A leader, while the lanes are looked at for the @late_look-th time. */
static u32 late_look;

static void publish_and_mark(void *arg, u64 off)
{
	(void)arg;
	if (off != lane_at(0) + 12 || !late_look || --late_look)
		return;
	late_done = true;
	dev_publish(0);
	world_contended(w)->fq_contended = 1;
}

static void test_erased(void)
{
	struct dfx_pass_result res;
	u32 look, tries;

	for (look = 1; look <= 2; look++)
		for (tries = 0; tries < 8; tries++) {
			setup();
			/* There already: its clear may erase the leader's. */
			world_contended(w)->fq_contended = 1;
			late_done = false;
			late_look = look;
			w->bus.rng += tries * 7919;
			w->bus.hasty = false;
			w->bus.lazy = true;
			w->bus.between = publish_and_mark;
			res = world_pass(w);
			w->bus.between = NULL;
			bus_ops.fence(&w->bus);
			CHECK(late_done);
			/* Seen with what it published, or still to be seen. */
			CHECK(res.taken == 1 ||
			      (look == 2 && world_contended(w)->fq_contended));
			if (look < 2 || tries < 7)
				world_free(w);
		}
	done("an erased mark: what was published before it is seen");
}

/* The pool gives up a buffer when all that is left is to end the freeze. */
static void test_last_look(void)
{
	int at;

	setup();
	world_contended(w)->fq_contended = 1;
	w->host.swept_ns = world_now();
	world_pass(w);
	CHECK_EQ(w->seen.closed[DFX_GATE_FQ], 1);
	at = to(BUS_AT(w->host.geom.freeze_off +
		       offsetof(struct dfx_shm_freeze, fq_freeze_active)), 0);
	at = from(pool_at(0), 2 * sizeof(struct dfx_shm_pool), at);
	at = to(BUS_AT(w->host.geom.freeze_off +
		       offsetof(struct dfx_shm_freeze, fq_freeze_active)), at);
	CHECK(at > 0);

	/* And what it shows counts: the queue is not full any more. */
	dev_take(0);
	world_contended(w)->fq_contended = 1;
	w->host.pools[0].nr[DFX_OWNER_SPARE] -= 2 * BUFFERS;
	w->host.swept_ns = world_now();
	world_pass(w);
	CHECK_EQ(nr(0, DFX_OWNER_DEVICE), 1);
	w->host.pools[0].nr[DFX_OWNER_SPARE] += 2 * BUFFERS;
	done("(G), (H): every pool is looked at before a freeze ends");
}

/* ---- joining and leaving ------------------------------------------------------ */

static void reset_between(void *arg, u64 off)
{
	(void)arg;
	/* The tail of the last session has been read; now the lane joins. */
	if (late_done || off != lane_at(0) + 4)
		return;
	late_done = true;
	join(0);
}

static void test_join(void)
{
	u32 tries;

	for (tries = 0; tries < 8; tries++) {
		setup();
		dev_publish(0);
		world_pass(w);
		dfx_table_release(&w->host, hold(0));
		dfx_control_stop(&w->host, world_now());
		follow(0);
		follow(1);
		CHECK_EQ(dfx_control_end(&w->host, world_now()), 0);
		w->host.state = DFX_SESSION_IDLE;
		CHECK_EQ(world_start(w, 10, 1000, DFX_RECOVERY_GLOBAL), 0);
		join(1);
		late_done = false;
		/* The order in a copy is drawn: not always the bad one. */
		w->bus.rng += tries * 7919;
		w->bus.between = reset_between;
		world_pass(w);
		world_pass(w);
		w->bus.between = NULL;
		CHECK(late_done);
		CHECK_EQ(w->seen.faults, 0);
		CHECK(w->host.lanes[0].attached);
		/* The head of the last session took nothing in this one. */
		CHECK_EQ(nr(0, DFX_OWNER_QUEUED), SLOTS);
		if (tries < 7)
			world_free(w);
	}
	done("the words of a lane are looked at after its ack, not with it");
}

static void push_between(void *arg, u64 off)
{
	(void)arg;
	/* The tail has been read, the ack not. */
	if (late_done || off != lane_at(0) + 4)
		return;
	late_done = true;
	dev_publish(0);
	follow(0);
}

static void test_leave(void)
{
	u32 tries, torn = 0;

	for (tries = 0; tries < 8; tries++) {
		setup();
		dfx_control_stop(&w->host, world_now());
		follow(1);
		late_done = false;
		w->bus.rng += tries * 7919;
		w->bus.between = push_between;
		/* Whatever was torn: the entry was there before the ack. */
		CHECK_EQ(dfx_control_pending(&w->host) & 1, 1);
		w->bus.between = NULL;
		torn += late_done;
		if (tries < 7)
			world_free(w);
	}
	CHECK(torn > 0);
	done("STOP: the tail is looked at after the ack");
}

/* ---- two kinds of buffers -------------------------------------------------------- */

static void test_decoupled(void)
{
	u32 i, id, held[2 * BUFFERS];

	setup();
	/* The consumer lets go of nothing; the device's buffers go round. */
	for (i = 0; i < 2 * BUFFERS; i++) {
		if (!CHECK(!dev_starves(0)))
			break;
		id = dev_publish(0);
		world_pass(w);
		CHECK(w->host.bufs[id].owner == DFX_OWNER_QUEUED ||
		      w->host.bufs[id].owner == DFX_OWNER_FREE);
		held[i] = hold(0);
		CHECK(held[i] >= w->host.geom.nr_buffers);
	}
	CHECK(dev_starves(0));
	CHECK_EQ(nr(0, DFX_OWNER_FREE), BUFFERS);
	CHECK_EQ(nr(0, DFX_OWNER_SPARE), 0);
	CHECK_EQ(nr(0, DFX_OWNER_HELD), 2 * BUFFERS);
	CHECK_EQ(world_lane(w, 0)->rq_tail, w->host.lanes[0].rq_head);

	/* The freeze lasts until the free queue can be full. */
	world_contended(w)->fq_contended = 1;
	world_pass(w);
	for (i = 0; i < SLOTS; i++) {
		CHECK_EQ(w->seen.closed[DFX_GATE_FQ], 0);
		CHECK_EQ(world_freeze(w)->fq_freeze_active, 1);
		check_records(held[i], i);
		dfx_table_release(&w->host, held[i]);
		world_pass(w);
	}
	CHECK_EQ(w->seen.closed[DFX_GATE_FQ], 1);
	CHECK_EQ(world_fq(w, 0)->tail - fq_head[0], SLOTS);
	for (; i < 2 * BUFFERS; i++) {
		check_records(held[i], i);
		dfx_table_release(&w->host, held[i]);
	}
	check_identity(0);
	done("device buffers go back at once, until consumers have every copy");
}

static void test_stop_unread(void)
{
	u32 i;

	setup();
	for (i = 0; i < 4 * BUFFERS && !dev_starves(0); i++) {
		dev_publish(0);
		world_pass(w);
	}
	CHECK_EQ(i, 2 * BUFFERS);
	dfx_control_stop(&w->host, world_now());
	follow(0);
	follow(1);
	CHECK_EQ(dfx_control_pending(&w->host), 0);
	CHECK_EQ(dfx_control_end(&w->host, world_now()), 0);
	CHECK(!w->host.lanes[0].silent);
	for (i = 0; i < 2 * BUFFERS; i++) {
		u32 id = hold(0);

		check_records(id, i);
		dfx_table_release(&w->host, id);
	}
	check_identity(0);
	done("STOP needs no consumer: what is full has a copy");
}

static void test_cookies(void)
{
	u64 cookie;
	u32 id;

	setup();
	id = dev_publish(0);
	world_pass(w);
	id = hold(0);
	cookie = dfx_table_cookie(&w->host, id);
	CHECK(dfx_table_holds(&w->host, cookie, w));
	CHECK(!dfx_table_holds(&w->host, cookie, &cookie));
	/* The device's own ids are nobody's, and neither are those beyond. */
	CHECK(!dfx_table_holds(&w->host, cookie & ~0xffffffffull, w));
	CHECK(!dfx_table_holds(&w->host, cookie + BUFFERS * 4, w));
	dfx_table_requeue(&w->host, w);
	CHECK(!dfx_table_holds(&w->host, cookie, w));
	id = hold(0);
	CHECK(w->host.bufs[id].redelivered);
	check_records(id, 0);
	dfx_table_release(&w->host, id);
	CHECK_EQ(nr(0, DFX_OWNER_SPARE), 2 * BUFFERS);
	done("cookies name copies; what a dead consumer held comes again");
}

/* ---- failures -------------------------------------------------------------------- */

static void test_copy_again(void)
{
	struct dfx_pass_result res;
	u32 id;

	setup();
	id = dev_publish(0);
	w->bus.fail_off = buffer_at(id);
	w->bus.fail_len = RECORD;
	res = world_pass(w);
	CHECK(res.retry && !res.more && !res.taken);
	/* The slot is not acknowledged, and the queue is not empty. */
	CHECK_EQ(w->host.lanes[0].rq_head, 0);
	CHECK_EQ(to(head_at(0), 0), (u64)-1);
	CHECK_EQ(w->host.bufs[id].owner, DFX_OWNER_DEVICE);
	w->bus.fail_len = 0;
	res = world_pass(w);
	CHECK_EQ(res.taken, 1);
	check_records(hold(0), 0);
	done("a copy that fails is made again, and acknowledged then");
}

static void test_copy_lost(void)
{
	struct dfx_pool_state s;
	u32 id, i;

	setup();
	id = dev_publish(0);
	dev_publish(1);
	w->bus.fail_off = buffer_at(id);
	w->bus.fail_len = RECORD;
	for (i = 0; !w->seen.lost && i < 100; i++)
		world_pass(w);
	CHECK_EQ(i, 16);
	CHECK_EQ(w->seen.lost, COUNT);
	CHECK_EQ(w->seen.faults, 0);
	CHECK_EQ(w->host.lanes[0].bad_entries, 0);
	CHECK_EQ(w->host.lanes[0].rq_head, 1);
	CHECK(!w->host.io.gone);
	/* The other lane did not wait for it. */
	check_records(hold(1), 0);
	/* It is in circulation, and its pool is told. */
	CHECK(w->host.bufs[id].owner == DFX_OWNER_QUEUED);
	w->bus.fail_len = 0;
	dev_publish(0);
	world_pass(w);
	id = hold(0);
	check_records(id, 1);
	CHECK_EQ(w->host.bufs[id].lost, COUNT);
	dfx_account_pool(&w->host, 0, &s);
	CHECK_EQ(s.dropped[DFX_DROP_HOST_FAULT], COUNT);
	check_identity(0);
	done("one that cannot be made is charged, once, and not to the lane");
}

static void test_store_order(void)
{
	struct dfx_shm_fq *fq;
	u32 tail, i;

	setup();
	fq = world_fq(w, 0);
	/* A buffer comes back while nothing can be written. */
	dev_publish(0);
	world_pass(w);
	w->bus.fail_to = true;
	dfx_table_release(&w->host, hold(0));
	tail = fq->tail;
	dev_publish(0);
	for (i = 0; i < 5; i++)
		world_pass(w);
	CHECK_EQ(fq->tail, tail);
	CHECK(w->shadow.pending > 0);
	/* Whoever stores next does so after all of them. */
	bus_forget(&w->bus);
	w->bus.fail_to = false;
	dfx_control_flush(&w->host);
	CHECK_EQ(w->shadow.pending, 0);
	CHECK_EQ(to(head_at(0), 0), 0);
	CHECK(to(BUS_AT(w->host.geom.host_off), 0) > 0);
	for (i = 0; i < 5; i++)
		world_pass(w);
	CHECK_EQ(w->shadow.pending, 0);
	CHECK_EQ(w->host.lanes[0].rq_head, 2);
	CHECK_EQ(world_rq_head(w, 0)->head, 2);
	CHECK_EQ(fq->tail, w->host.pools[0].fq_tail);
	CHECK(to(head_at(0), 0) <
	      to(BUS_AT(dfx_off_fq(&w->host, 0)), 0));
	done("a store that fails holds up those behind it, and the passes");
}

static void test_held_up(void)
{
	struct dfx_pass_result res;

	setup();
	world_contended(w)->fq_contended = 1;
	w->bus.fail_to = true;
	res = world_pass(w);
	CHECK(res.retry);
	CHECK(res.frozen);
	CHECK_EQ(world_freeze(w)->fq_freeze_active, 0);
	/* The mark stays until the freeze is open there. */
	CHECK_EQ(world_contended(w)->fq_contended, 1);
	dev_publish(0);
	res = world_pass(w);
	CHECK(res.retry && !res.taken);
	w->bus.fail_to = false;
	res = world_pass(w);
	CHECK_EQ(res.taken, 1);
	CHECK_EQ(w->seen.closed[DFX_GATE_FQ], 1);
	CHECK_EQ(world_contended(w)->fq_contended, 0);
	CHECK_EQ(world_freeze(w)->fq_freeze_active, 0);
	done("no pass acts on what the device has not been told");
}

static void test_pull_fails(void)
{
	struct dfx_pass_result res;
	u32 i;

	setup();
	dev_publish(0);
	w->bus.fail_off = lane_at(0);
	w->bus.fail_len = 4;
	for (i = 0; i < 50; i++) {
		res = world_pass(w);
		CHECK(res.retry && !res.taken);
	}
	CHECK_EQ(dfx_control_pending(&w->host), 3);
	CHECK_EQ(w->seen.faults, 0);
	w->bus.fail_len = 0;
	res = world_pass(w);
	CHECK_EQ(res.taken, 1);
	CHECK_EQ(w->seen.faults, 0);

	/* A part of it may have come: it is not used. */
	dev_publish(0);
	w->bus.fail_off = pool_at(0);
	w->bus.fail_len = 4;
	for (i = 0; i < 5; i++)
		CHECK_EQ(world_pass(w).taken, 0);
	CHECK_EQ(w->seen.faults, 0);
	w->bus.fail_len = 0;
	CHECK_EQ(world_pass(w).taken, 1);

	/* An end waits for the last figures. */
	dfx_control_stop(&w->host, world_now());
	follow(0);
	follow(1);
	w->bus.fail_off = pool_at(0);
	w->bus.fail_len = 4;
	CHECK_EQ(-dfx_control_end(&w->host, world_now()), EIO);
	CHECK_EQ(w->host.state, DFX_SESSION_STOPPING);
	w->bus.fail_len = 0;
	CHECK_EQ(dfx_control_end(&w->host, world_now()), 0);
	check_identity(0);
	done("words that cannot be had are no words");
}

static void test_dead_bus(void)
{
	u32 i;

	setup();
	w->bus.fail_off = 0;
	w->bus.fail_len = w->size;
	w->bus.fail_to = true;
	for (i = 0; !w->host.io.gone && i < 10000; i++)
		world_pass(w);
	CHECK(w->host.io.gone);
	CHECK_EQ(i, DFX_SHADOW_FAILURES);
	CHECK_EQ(w->seen.faults, 0);
	done("a bus that fails for good counts as gone");
}

/* ---- gone ------------------------------------------------------------------------- */

static void test_gone(void)
{
	struct dfx_pass_result res;

	setup();
	dev_publish(0);
	w->bus.gone = true;
	res = world_pass(w);
	CHECK(w->host.io.gone);
	CHECK(res.retry);
	CHECK_EQ(w->seen.faults, 0);
	CHECK_EQ(w->seen.opened[0] + w->seen.opened[1], 0);
	/* And it stays so. */
	w->bus.gone = false;
	CHECK_EQ(world_pass(w).taken, 0);
	CHECK_EQ(-dfx_control_end(&w->host, world_now()), EIO);
	done("all ones, the magic too: gone, and nothing is parsed");
}

static u64 gone_from;

static void go_at(void *arg, u64 off)
{
	(void)arg;
	if (off >= gone_from && off < gone_from + RECORD)
		w->bus.gone = true;
}

static void test_gone_midway(void)
{
	u32 i;

	/* In the words, in the entries, in the records. */
	for (i = 0; i < 3; i++) {
		u32 id;

		setup();
		id = dev_publish(0);
		gone_from = i == 0 ? lane_at(0) : i == 1 ? entry_at(0, 0) :
			    buffer_at(id) + RECORD;
		w->bus.between = go_at;
		world_pass(w);
		world_pass(w);
		w->bus.between = NULL;
		CHECK(w->host.io.gone);
		CHECK_EQ(w->seen.faults, 0);
		CHECK_EQ(w->host.lanes[0].nr_ready, 0);
		CHECK_EQ(w->seen.lost, 0);
		if (i < 2)
			world_free(w);
	}
	done("gone in the middle of a copy: none of it is used");
}

static void test_ones(void)
{
	u32 id;

	setup();
	id = dev_publish(0);
	/* Records may end like that. */
	memset(w->aperture + buffer_at(id), 0xff, COUNT * RECORD);
	world_pass(w);
	CHECK(!w->host.io.gone);
	CHECK_EQ(world_buffer(w, hold(0))[COUNT * RECORD - 1], 0xff);
	/* So may a liar's words, and that is a fault of the lane. */
	world_lane(w, 1)->flush_ack = ~0u;
	world_lane(w, 1)->rq_tail = ~0u;
	world_pass(w);
	CHECK(!w->host.io.gone);
	CHECK_EQ(w->seen.fault, DFX_FAULT_RQ_TAIL);
	done("all ones alone are data, or a fault");
}

/* ---- traffic ----------------------------------------------------------------------- */

static void test_traffic(void)
{
	u64 all = 0, payload, records = 0;
	u32 i, k;

	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 2,
		.pools_per_lane = 1, .shadow = true,
		.limits = { .buffers = BUFFERS, .records = 1000,
			    .slots = SLOTS, .rq_depth = RQ_DEPTH },
	});
	w->bus.hasty = true;
	start(9);
	for (i = 0; i < 200; i++) {
		struct dfx_shm_entry *e;
		u32 id = dev_take(0);

		e = world_at(w, w->host.geom.rq_off);
		e += rq_tail[0] % RQ_DEPTH;
		*e = (struct dfx_shm_entry){
			.buffer = id, .seq = seq[0]++, .count = 1000,
			.session = w->host.session,
		};
		dev_push(0);
		records += 1000;
		/* Three looks in vain for each that finds something. */
		for (k = 0; k < 4; k++)
			world_pass(w);
		dfx_table_release(&w->host, hold(0));
	}
	payload = w->host.io.copied[DFX_COPIED_BUFFERS];
	CHECK_EQ(payload, records * RECORD);
	for (i = 0; i < DFX_NR_COPIED; i++)
		all += w->host.io.copied[i];
	if (!CHECK(all * 100 <= payload * 105))
		tap_note("%llu bytes for %llu", (unsigned long long)all,
			 (unsigned long long)payload);
	done("no more than 1.05 bytes for each byte of records");
}

int main(void)
{
	tap_plan(20, 60);
	test_order();
	test_length();
	test_mark();
	test_erased();
	test_last_look();
	test_join();
	test_leave();
	test_decoupled();
	test_stop_unread();
	test_cookies();
	test_copy_again();
	test_copy_lost();
	test_store_order();
	test_held_up();
	test_pull_fails();
	test_dead_bus();
	test_gone();
	test_gone_midway();
	test_ones();
	test_traffic();
	return tap_done();
}
