// SPDX-License-Identifier: GPL-2.0-only
/*
 * arena_test.c - payload rings, engine and host side, step by step
 *
 * One thread: the host and the consumer act in the turns of the lane's waits.
 */
#include <errno.h>
#include <string.h>

#include "arena_world.h"
#include "step_port.h"
#include "tap.h"

#define DEADLINE	100
#define HALF		(ARENA_BYTES / 2)

static struct world *w;
static struct dfx_dev_lane *lane;
static struct arena_check seen;

static const struct dfx_limits small = {
	.buffers = 2, .records = 4, .slots = 2, .rq_depth = 4,
};

/* The free queue is full, whatever a consumer keeps. */
static const struct dfx_limits roomy = {
	.buffers = 8, .records = 4, .slots = 1, .rq_depth = 8,
};

/* Nothing but the arena is ever short. */
static const struct dfx_limits plenty = {
	.buffers = 8, .records = 4, .slots = 8, .rq_depth = 8,
};

static void setup(const struct dfx_limits *limits, u32 lanes, u32 recovery)
{
	u32 i;

	step = (struct step){ };
	seen = (struct arena_check){ };
	w = arena_world_new(lanes, limits, false);
	lane = &w->lanes[0];
	CHECK_EQ(world_start(w, 7, DEADLINE, recovery), 0);
	for (i = 0; i < lanes; i++)
		CHECK_EQ(dfx_dev_poll(&w->lanes[i]), DFX_DEV_OK);
}

static u32 hold(void)
{
	u32 id = dfx_table_hold(&w->host, 0, w);

	if (id != DFX_NIL)
		arena_check(w, id, &seen);
	return id;
}

static void serve(void)
{
	u32 id;

	world_pass(w);
	while ((id = hold()) != DFX_NIL)
		dfx_table_release(&w->host, id);
	world_pass(w);
}

static void serve_turn(void *arg)
{
	(void)arg;
	serve();
}

static u32 arena_head(void)
{
	return world_rq_head(w, 0)->arena_head;
}

/* STOP to the end: all adds up, and the whole arena has been given back. */
static void finish(const char *name, const char *how)
{
	struct dfx_pool_state s;

	step.relax = NULL;
	if (w->host.state == DFX_SESSION_RUNNING)
		dfx_control_stop(&w->host, world_now());
	world_pass(w);
	dfx_dev_poll(lane);
	serve();
	CHECK_EQ(dfx_control_pending(&w->host) & 1, 0);
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	CHECK_EQ(s.in_flight, 0);
	CHECK_EQ(s.delivered, seen.number);
	CHECK_EQ(seen.bad, 0);
	CHECK_EQ(arena_head(), (u32)seen.pos);
	CHECK_EQ(w->host.lanes[0].shares.head, DFX_NIL);
	tap_end("%s%s", name, how);
	world_free(w);
}

static const char *how(u32 recovery)
{
	return recovery == DFX_RECOVERY_GLOBAL ? ", recovery global" :
	       ", recovery by lane";
}

/* ---- the ring --------------------------------------------------------------- */

static void test_wrap(u32 recovery)
{
	u32 bad_returns = 0, n;
	u64 turns;

	setup(&small, 1, recovery);
	step.relax = serve_turn;
	for (n = 0; n < 3000; n++) {
		turns = step.turns;
		if (!CHECK(arena_put(lane, arena_size(n, 900), DFX_DEV_BLOCK)))
			break;
		/* A leader that had to wait finds its arena reclaimed. */
		if (recovery == DFX_RECOVERY_GLOBAL && step.turns != turns &&
		    lane->first_pool->count == 1 &&
		    arena_head() != (u32)seen.pos)
			bad_returns++;
	}
	CHECK_EQ(bad_returns, 0);
	CHECK_EQ(world_lane(w, 0)->expired, 0);
	serve();
	CHECK(seen.pos > 100 * ARENA_UNITS);
	CHECK(seen.wraps > 20);
	if (recovery == DFX_RECOVERY_GLOBAL) {
		CHECK(w->host.freeze[DFX_GATE_FQ].opens > 100);
		CHECK_EQ(w->host.freeze[DFX_GATE_FQ].opens,
			 w->host.freeze[DFX_GATE_FQ].releases);
	} else {
		CHECK_EQ(w->host.freeze[DFX_GATE_FQ].opens, 0);
	}
	finish("3000 payloads round the arena, every byte", how(recovery));
	CHECK_EQ(seen.number, 3000);
	tap_end("none of them lost or twice%s", how(recovery));
}

static void test_ranges(void)
{
	static const struct {
		u64 size;
		u64 at;
		u32 end;
	} want[] = {
		/* Empty ones take no room; others whole units. */
		{ 0, 0, 0 }, { 1, 0, 1 }, { 64, 64, 2 }, { 65, 128, 4 },
		{ 0, 256, 4 }, { 1600, 256, 29 }, { 1920, 29 * 64, 59 },
	};
	struct dfx_rec_dump *rec;
	u32 i;

	setup(&roomy, 1, DFX_RECOVERY_GLOBAL);
	for (i = 0; i < 7; i++) {
		rec = arena_put(lane, want[i].size, DFX_DEV_TRY);
		if (!CHECK(rec))
			break;
		CHECK_EQ(rec->payload_offset, want[i].at);
		CHECK_EQ(lane->arena_tail, want[i].end);
		serve();
	}
	dfx_dev_flush(lane, DFX_DEV_TRY);
	serve();
	CHECK_EQ(arena_head(), 59);
	/* Five units are left before the end: six begin at the start. */
	rec = arena_put(lane, 6 * 64, DFX_DEV_TRY);
	CHECK_EQ(rec->payload_offset, ARENA_BYTES);
	CHECK_EQ(lane->arena_tail, ARENA_UNITS + 6);
	dfx_dev_flush(lane, DFX_DEV_TRY);
	serve();
	CHECK_EQ(seen.pos, ARENA_UNITS + 6);
	finish("each payload takes exactly its units, none goes over the end",
	       "");
}

static void test_large(u32 recovery)
{
	static const u64 size[] = {
		HALF, HALF + 1, ARENA_BYTES, ARENA_BYTES + 1, 1ull << 40,
		~0ull, 1, HALF - 1, ~0ull,
	};
	struct dfx_rec_dump *rec;
	u32 i, truncated = 0;

	setup(&small, 1, recovery);
	step.relax = serve_turn;
	/* From every place that the tail can be at. */
	for (i = 0; i < 9 * ARENA_UNITS; i++) {
		rec = arena_put(lane, size[i % 9], DFX_DEV_BLOCK);
		if (!CHECK(rec))
			break;
		CHECK_EQ(rec->full_size, size[i % 9]);
		CHECK_EQ(rec->payload_size, size[i % 9] < HALF ? size[i % 9] :
			 HALF);
		CHECK_EQ(rec->truncated, size[i % 9] > HALF);
		CHECK(rec->payload_offset % ARENA_BYTES + rec->payload_size <=
		      ARENA_BYTES);
		truncated += size[i % 9] > HALF;
		if (i % 7 == 0)
			arena_put(lane, 64, DFX_DEV_BLOCK);
	}
	CHECK_EQ(world_lane(w, 0)->expired, 0);
	serve();
	finish("a payload larger than the arena is truncated and says so",
	       how(recovery));
	CHECK_EQ(seen.truncated, truncated);
	tap_end("truncated ones are counted once%s", how(recovery));
}

static void test_abandoned(void)
{
	struct dfx_dev_payload first, p;
	u32 i;

	setup(&small, 1, DFX_RECOVERY_GLOBAL);
	arena_put(lane, 100, DFX_DEV_TRY);
	CHECK(dfx_dev_reserve_payload(lane, lane->first_pool, 100, DFX_DEV_TRY,
				      &first));
	for (i = 0; i < 1000; i++) {
		CHECK(dfx_dev_reserve_payload(lane, lane->first_pool, HALF,
					      DFX_DEV_TRY, &p));
		CHECK_EQ(p.offset, first.offset);
	}
	CHECK_EQ(step.turns, 0);
	CHECK(arena_put(lane, 300, DFX_DEV_TRY));
	finish("a reservation that is not committed takes no room", "");
}

/* ---- reclaim ----------------------------------------------------------------- */

static void test_order(void)
{
	u32 id[4], end[4], i;

	setup(&roomy, 1, DFX_RECOVERY_GLOBAL);
	for (i = 0; i < 4; i++) {
		CHECK(arena_put(lane, 100 + 64 * i, DFX_DEV_TRY));
		CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_OK);
		world_pass(w);
		id[i] = hold();
		if (!CHECK(id[i] != DFX_NIL))
			return;
		end[i] = (u32)seen.pos;
	}
	dfx_table_release(&w->host, id[2]);
	CHECK_EQ(arena_head(), 0);
	dfx_table_release(&w->host, id[0]);
	CHECK_EQ(arena_head(), end[0]);
	dfx_table_release(&w->host, id[0]);
	CHECK_EQ(arena_head(), end[0]);
	CHECK_EQ(w->host.lanes[0].shares.head, id[1]);
	dfx_table_release(&w->host, id[1]);
	CHECK_EQ(arena_head(), end[2]);
	CHECK_EQ(w->host.lanes[0].shares.head, id[3]);
	dfx_table_release(&w->host, id[3]);
	CHECK_EQ(arena_head(), end[3]);
	finish("released out of order, reclaimed in order, each share once",
	       "");
}

static void test_requeue(void)
{
	u32 i;

	setup(&roomy, 1, DFX_RECOVERY_GLOBAL);
	for (i = 0; i < 3; i++) {
		arena_put(lane, 200, DFX_DEV_TRY);
		dfx_dev_flush(lane, DFX_DEV_TRY);
		world_pass(w);
		CHECK(dfx_table_hold(&w->host, 0, w) != DFX_NIL);
	}
	dfx_table_requeue(&w->host, w);
	CHECK_EQ(arena_head(), 0);
	serve();
	CHECK_EQ(seen.number, 3);
	CHECK_EQ(arena_head(), 12);
	finish("a consumer dies: its successor gets the payloads as well", "");
}

static void test_discard(void)
{
	u32 i;

	setup(&roomy, 1, DFX_RECOVERY_GLOBAL);
	for (i = 0; i < 3; i++) {
		arena_put(lane, 200, DFX_DEV_TRY);
		dfx_dev_flush(lane, DFX_DEV_TRY);
		world_pass(w);
	}
	dfx_table_discard(&w->host);
	CHECK_EQ(arena_head(), 12);
	CHECK_EQ(w->host.pools[0].discarded, 3);
	seen.pos = 12;
	finish("what nobody comes for is reclaimed as well", "");
}

/* An old buffer is kept while newer ones go round: no share is forgotten. */
static void test_kept(u32 recovery)
{
	u32 old, i, taken = 0, id;

	setup(&roomy, 1, recovery);
	arena_put(lane, 10, DFX_DEV_TRY);
	dfx_dev_flush(lane, DFX_DEV_TRY);
	world_pass(w);
	old = hold();
	CHECK(old != DFX_NIL);
	for (i = 0; i < 40; i++) {
		arena_put(lane, 10, DFX_DEV_TRY);
		dfx_dev_flush(lane, DFX_DEV_TRY);
		world_pass(w);
		while ((id = hold()) != DFX_NIL) {
			dfx_table_release(&w->host, id);
			taken++;
		}
		world_pass(w);
	}
	CHECK_EQ(taken, 40);
	CHECK_EQ(arena_head(), 0);
	/* It holds up the lane once the arena is full; until then, nobody. */
	CHECK(arena_put(lane, (ARENA_UNITS - 41) * 64, DFX_DEV_TRY));
	CHECK(!arena_put(lane, 1, DFX_DEV_TRY));
	CHECK_EQ(lane->rc, DFX_DEV_AGAIN);
	/* Nor does STOP wait for it, or leave behind what was published. */
	dfx_control_stop(&w->host, world_now());
	dfx_dev_poll(lane);
	world_pass(w);
	CHECK_EQ(dfx_control_pending(&w->host), 0);
	dfx_control_end(&w->host, world_now());
	CHECK_EQ(w->host.lanes[0].silent, 0);
	serve();
	CHECK_EQ(arena_head(), 0);
	dfx_table_release(&w->host, old);
	CHECK_EQ(seen.number, 42);
	finish("a buffer that is kept holds up the lane, and nothing worse",
	       how(recovery));
}

/* ---- the leader's park -------------------------------------------------------- */

static u32 held_id;
static bool freeze_ended_early;

/* Everything is drained and refilled; one buffer is kept for 20 turns. */
static void keep_one(void *arg)
{
	u32 id;

	(void)arg;
	world_pass(w);
	while ((id = hold()) != DFX_NIL) {
		if (held_id == DFX_NIL)
			held_id = id;
		else
			dfx_table_release(&w->host, id);
	}
	if (step.turns > 2 && step.turns < 20 &&
	    !world_freeze(w)->fq_freeze_active)
		freeze_ended_early = true;
	if (step.turns == 20)
		dfx_table_release(&w->host, held_id);
}

static void test_predicate(void)
{
	u32 i;

	setup(&roomy, 1, DFX_RECOVERY_GLOBAL);
	held_id = DFX_NIL;
	freeze_ended_early = false;
	for (i = 0; i < 2; i++) {
		CHECK(arena_put(lane, 640, DFX_DEV_TRY));
		CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_OK);
		world_pass(w);
	}
	step.relax = keep_one;
	CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK), DFX_DEV_OK);
	CHECK(step.turns >= 20);
	CHECK(!freeze_ended_early);
	CHECK_EQ(arena_head(), lane->arena_tail);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].opens, 1);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].releases, 1);
	CHECK_EQ(world_lane(w, 0)->pop_waits, 1);
	finish("release_ready holds the freeze to the last byte, leader parked",
	       "");
}

/* At each load the host may pass: a leader never escapes with bytes left. */
static u32 load_nr, load_at;

static void pass_at_load(void *arg, const __le32 *p)
{
	(void)arg;
	(void)p;
	if (load_nr++ == load_at)
		serve();
}

static void test_no_escape(void)
{
	u32 escapes = 0, at;

	for (at = 0; at < 40; at++) {
		setup(&roomy, 1, DFX_RECOVERY_GLOBAL);
		arena_put(lane, 640, DFX_DEV_TRY);
		dfx_dev_flush(lane, DFX_DEV_TRY);
		load_nr = 0;
		load_at = at;
		step.load = pass_at_load;
		step.relax = serve_turn;
		if (dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK) ||
		    arena_head() != lane->arena_tail)
			escapes++;
		step.load = NULL;
		world_free(w);
	}
	CHECK_EQ(escapes, 0);
	tap_end("no escape, whenever the host makes its passes");
}

static void test_by_lane(void)
{
	u32 id[2];

	setup(&plenty, 1, DFX_RECOVERY_LANE);
	arena_put(lane, HALF, DFX_DEV_TRY);
	dfx_dev_flush(lane, DFX_DEV_TRY);
	arena_put(lane, HALF, DFX_DEV_TRY);
	dfx_dev_flush(lane, DFX_DEV_TRY);
	world_pass(w);
	id[0] = hold();
	id[1] = hold();
	CHECK(!arena_put(lane, 64, DFX_DEV_TRY));
	CHECK_EQ(lane->rc, DFX_DEV_AGAIN);
	dfx_table_release(&w->host, id[0]);
	/* The first half is enough; nobody waits for the second. */
	CHECK(arena_put(lane, 64, DFX_DEV_TRY));
	CHECK_EQ(world_freeze(w)->fq_freeze_active, 0);
	CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK), DFX_DEV_INVAL);
	CHECK_EQ(step.turns, 0);
	dfx_table_release(&w->host, id[1]);
	finish("recovery by lane: room is enough, no freeze is opened", "");
}

/* The host has given the lane up: it asks for no freeze any more. */
static void test_refused(void)
{
	setup(&plenty, 1, DFX_RECOVERY_GLOBAL);
	arena_put(lane, HALF, DFX_DEV_TRY);
	arena_put(lane, HALF, DFX_DEV_TRY);
	dfx_control_fault(&w->host, 0, DFX_FAULT_SEQ, 0);
	step.relax = serve_turn;
	CHECK(!arena_put(lane, HALF, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_FAULT);
	CHECK_EQ(lane->marks, 0);
	CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_BLOCK), DFX_DEV_FAULT);
	world_pass(w);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].opens, 0);
	tap_end("a lane that is refused does not freeze the others");
	world_free(w);
}

static void stop_turn(void *arg)
{
	(void)arg;
	if (step.turns == 3)
		dfx_control_stop(&w->host, world_now());
}

static void test_stop(u32 recovery)
{
	struct dfx_pool_state s;

	setup(&small, 1, recovery);
	arena_put(lane, HALF, DFX_DEV_TRY);
	arena_put(lane, HALF, DFX_DEV_TRY);
	step.relax = stop_turn;
	CHECK(!arena_put(lane, HALF, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_NOSESSION);
	CHECK(step.turns < 10);
	serve();
	dfx_account_pool(&w->host, 0, &s);
	CHECK_EQ(s.produced, 2);
	CHECK_EQ(s.delivered, 2);
	finish("STOP while the lane waits for its arena", how(recovery));
}

/* ---- deadlines ------------------------------------------------------------------ */

static void test_gone(u32 recovery)
{
	struct dfx_shm_pool *pool;
	u64 turns;
	u32 i;

	setup(&plenty, 1, recovery);
	pool = world_pool(w, 0);
	CHECK(arena_put(lane, HALF, DFX_DEV_TRY));
	CHECK(arena_put(lane, HALF - 256, DFX_DEV_TRY));
	CHECK(!arena_put(lane, HALF, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_TIMEDOUT);
	CHECK(step.turns >= DEADLINE && step.turns <= DEADLINE + 1);
	CHECK_EQ(world_lane(w, 0)->expired, 1);
	CHECK_EQ(world_lane(w, 0)->state, DFX_LANE_HOST_GONE);
	CHECK_EQ(pool->dropped[DFX_DROP_ARENA_TIMEOUT], 1);

	/* What still fits is no sign of the host; nothing waits again. */
	turns = step.turns;
	for (i = 0; i < 3; i++) {
		CHECK(arena_put(lane, 64, DFX_DEV_BLOCK));
		CHECK(!arena_put(lane, HALF, DFX_DEV_BLOCK));
		CHECK_EQ(lane->rc, DFX_DEV_GONE);
	}
	CHECK_EQ(step.turns, turns);
	CHECK_EQ(world_lane(w, 0)->state, DFX_LANE_HOST_GONE);
	CHECK_EQ(pool->dropped[DFX_DROP_ARENA_TIMEOUT], 1);
	CHECK_EQ(pool->dropped[DFX_DROP_HOST_GONE], 3);
	CHECK_EQ(world_lane(w, 0)->expired, 1);

	serve();
	serve();
	CHECK_EQ(seen.number, 5);
	CHECK(arena_put(lane, HALF, DFX_DEV_BLOCK));
	CHECK_EQ(step.turns, turns);
	CHECK_EQ(world_lane(w, 0)->resumed, 1);
	CHECK_EQ(world_lane(w, 0)->state, DFX_LANE_RUNNING);
	dfx_dev_flush(lane, DFX_DEV_BLOCK);
	serve();
	CHECK_EQ(seen.lost, 4);
	CHECK_EQ(seen.number, 6);
	finish("host gone: one deadline, drops counted, back by itself, a gap",
	       how(recovery));
}

/* ---- who lies -------------------------------------------------------------------- */

static void test_hostile_end(const char *name, u64 before, u32 add, u32 fault)
{
	setup(&small, 2, DFX_RECOVERY_GLOBAL);
	if (before) {
		arena_put(lane, before, DFX_DEV_TRY);
		dfx_dev_flush(lane, DFX_DEV_TRY);
		world_pass(w);
	}
	arena_put(lane, 64, DFX_DEV_TRY);
	lane->arena_tail += add;
	dfx_dev_flush(lane, DFX_DEV_TRY);
	world_pass(w);
	CHECK_EQ(w->host.lanes[0].fault, fault);
	CHECK(w->host.lanes[0].arena_tail <= ARENA_UNITS);

	/* The other lane is not concerned: its freeze opens and closes. */
	lane = &w->lanes[1];
	arena_put(lane, HALF, DFX_DEV_TRY);
	dfx_dev_flush(lane, DFX_DEV_TRY);
	world_contended(w)->fq_contended = 1;
	world_pass(w);
	CHECK_EQ(world_freeze(w)->fq_freeze_active, 1);
	dfx_table_release(&w->host, dfx_table_hold(&w->host, 1, w));
	/* Shares that the faulty lane had told of are held by nobody's wait. */
	dfx_table_discard(&w->host);
	world_pass(w);
	CHECK_EQ(world_freeze(w)->fq_freeze_active, 0);
	tap_end("%s", name);
	world_free(w);
}

/* ---- a lane that dies ------------------------------------------------------------ */

/* Nobody polls the lane any more: it is given up. Other lanes answer. */
static void die(void)
{
	u32 i;

	step.relax = NULL;
	dfx_control_stop(&w->host, world_now());
	for (i = 1; i < w->host.geom.nr_lanes; i++)
		dfx_dev_poll(&w->lanes[i]);
	world_pass(w);
	CHECK(dfx_control_pending(&w->host) & 1);
	dfx_control_end(&w->host, world_now());
	CHECK_EQ(w->host.lanes[0].silent, 1);
}

/* What it has left is had once, with its payloads; nothing is in flight. */
static void bury(u32 records, const char *name)
{
	u64 before = seen.number;
	struct dfx_pool_state s;
	u32 id = hold();

	if (records) {
		CHECK(id != DFX_NIL);
		CHECK(w->host.bufs[id].recovered);
		CHECK_EQ(w->host.bufs[id].flags, DFX_ENTRY_PARTIAL);
		CHECK_EQ(w->host.bufs[id].count, records);
		dfx_account_pool(&w->host, 0, &s);
		CHECK_EQ(s.in_flight, records);
		CHECK(world_identity(&s));
		dfx_table_release(&w->host, id);
	}
	CHECK_EQ(hold(), DFX_NIL);
	CHECK_EQ(seen.number - before, records);
	CHECK_EQ(seen.bad, 0);
	/* To the unit as far as the lane had come. */
	CHECK_EQ(seen.pos, lane->arena_tail);
	CHECK_EQ(arena_head(), (u32)seen.pos);
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	CHECK_EQ(s.in_flight, 0);
	CHECK_EQ(s.delivered, seen.number);
	CHECK_EQ(w->host.lanes[0].fault, 0);
	tap_end("dead: %s", name);
	world_free(w);
}

/* One or two buffers are with the host already, then there are @records more. */
static void live(const struct dfx_limits *limits, u32 lanes)
{
	u32 i;

	setup(limits, lanes, DFX_RECOVERY_LANE);
	step.relax = serve_turn;
	for (i = 0; i < 5; i++)
		CHECK(arena_put(lane, arena_size(i, 700), DFX_DEV_BLOCK));
	dfx_dev_flush(lane, DFX_DEV_BLOCK);
	serve();
}

static void test_dead(void)
{
	u32 old, i, pos;

	live(&small, 1);
	for (i = 0; i < 3; i++)
		CHECK(arena_put(lane, 100 + 70 * i, DFX_DEV_BLOCK));
	die();
	bury(3, "records and payloads of a partial buffer");

	live(&small, 1);
	for (i = 0; i < 4; i++)
		CHECK(arena_put(lane, i == 2 ? ~0ull : 65, DFX_DEV_BLOCK));
	die();
	bury(4, "a full buffer that was not published, one payload truncated");
	CHECK_EQ(seen.truncated, 1);

	live(&small, 1);
	CHECK(arena_put(lane, 300, DFX_DEV_BLOCK));
	CHECK(arena_put(lane, 0, DFX_DEV_BLOCK));
	CHECK(arena_put(lane, 0, DFX_DEV_BLOCK));
	die();
	bury(3, "the last record that has a payload is not the last one");

	live(&small, 1);
	CHECK(arena_put(lane, 0, DFX_DEV_BLOCK));
	/* As firmware writes a scalar. */
	((struct dfx_rec_dump *)arena_put(lane, 0, DFX_DEV_BLOCK))
		->payload_offset = 0;
	die();
	bury(2, "records without payloads, an empty share");

	live(&small, 1);
	die();
	bury(0, "nothing left");

	/* From every place, over the end of the arena as well. */
	for (pos = 0; pos < ARENA_UNITS; pos++) {
		setup(&plenty, 1, DFX_RECOVERY_LANE);
		step.relax = serve_turn;
		CHECK(arena_put(lane, HALF, DFX_DEV_BLOCK));
		dfx_dev_flush(lane, DFX_DEV_BLOCK);
		for (i = 0; i < pos; i++)
			CHECK(arena_put(lane, 1, DFX_DEV_BLOCK));
		dfx_dev_flush(lane, DFX_DEV_BLOCK);
		serve();
		CHECK(arena_put(lane, HALF - 256, DFX_DEV_TRY));
		CHECK(arena_put(lane, 200, DFX_DEV_TRY));
		CHECK(arena_put(lane, 50, DFX_DEV_TRY));
		die();
		if (pos < ARENA_UNITS - 1) {
			serve();
			CHECK_EQ(seen.bad, 0);
			CHECK_EQ(seen.number, pos + 4);
			CHECK_EQ(seen.pos, lane->arena_tail);
			CHECK_EQ(arena_head(), (u32)seen.pos);
			world_free(w);
		}
	}
	bury(3, "from every place of the arena, over its end");

	/* Older shares are still with the consumer. */
	live(&roomy, 1);
	CHECK(arena_put(lane, 640, DFX_DEV_TRY));
	dfx_dev_flush(lane, DFX_DEV_TRY);
	world_pass(w);
	old = hold();
	pos = arena_head();
	CHECK(arena_put(lane, 100, DFX_DEV_TRY));
	die();
	serve();
	CHECK_EQ(arena_head(), pos);
	dfx_table_release(&w->host, old);
	bury(0, "an older buffer is still held");
	CHECK_EQ(seen.number, 7);
}

/* What the dead lane's last record says, relative to what it can say. */
static void test_dead_lies(const char *name, u64 offset, bool from_limit,
			   u64 size, bool good)
{
	struct dfx_rec_dump *rec;
	struct dfx_pool_state s;
	u32 old, id, head;
	u64 first, limit;

	live(&roomy, 2);
	/* Some of the arena has not been given back. */
	CHECK(arena_put(lane, 640, DFX_DEV_TRY));
	dfx_dev_flush(lane, DFX_DEV_TRY);
	world_pass(w);
	old = hold();
	head = arena_head();
	first = lane->arena_tail * DFX_ARENA_UNIT;
	limit = (head + ARENA_UNITS) * (u64)DFX_ARENA_UNIT;
	CHECK(arena_put(lane, 64, DFX_DEV_TRY));
	rec = arena_put(lane, 64, DFX_DEV_TRY);
	rec->payload_offset = (from_limit ? limit : first) + offset;
	rec->payload_size = size;
	die();
	id = dfx_table_hold(&w->host, 0, w);
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	CHECK_EQ(s.in_flight, s.held ? s.produced - s.delivered : 0);
	if (good) {
		CHECK(id != DFX_NIL);
		CHECK(w->host.lanes[0].arena_tail <= head + ARENA_UNITS);
		CHECK_EQ(w->host.bufs[id].arena_pos * DFX_ARENA_UNIT, first);
		dfx_table_release(&w->host, id);
	} else {
		CHECK_EQ(id, DFX_NIL);
		CHECK_EQ(w->host.lanes[0].arena_tail * DFX_ARENA_UNIT, first);
	}
	CHECK_EQ(arena_head(), head);
	dfx_table_release(&w->host, old);
	CHECK_EQ(arena_head(), (u32)w->host.lanes[0].arena_tail);
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	CHECK_EQ(s.produced, 8);
	CHECK_EQ(s.delivered, good ? 8 : 6);
	CHECK_EQ(s.in_flight, good ? 0 : 2);
	CHECK_EQ(w->host.lanes[1].silent, 0);
	tap_end("dead and a liar: %s", name);
	world_free(w);
}

static struct dfx_region_ops odd_ops;
static u32 nr_reads;

/* The record changes as soon as it has been copied. */
static int read_then_spoil(struct dfx_io *io, u64 off, void *dst, u32 len)
{
	int err = dfx_region_direct_ops.read(io, off, dst, len);

	nr_reads++;
	memset(io->base + off, 0xff, len);
	return err;
}

static int read_fails(struct dfx_io *io, u64 off, void *dst, u32 len)
{
	(void)io;
	(void)off;
	(void)dst;
	(void)len;
	return -EIO;
}

/* After its count has been read, a lane that is not dead goes on. */
static void (*zombie)(void);

static u32 load_then_wake(struct dfx_io *io, u64 off)
{
	u32 val = dfx_region_direct_ops.load32(io, off);

	if (zombie && off == dfx_off_pool(&w->host, 0) +
	    offsetof(struct dfx_shm_pool, seq)) {
		zombie();
		zombie = NULL;
	}
	return val;
}

static void zombie_writes(void)
{
	/* As the engine does, but for the stop, which it has not seen yet. */
	lane->seen = world_ctl(w)->seq;
	CHECK(arena_put(lane, 77, DFX_DEV_TRY));
}

static void zombie_publishes(void)
{
	u32 i;

	lane->seen = world_ctl(w)->seq;
	for (i = 0; i < 3; i++)
		CHECK(arena_put(lane, 77, DFX_DEV_TRY));
	CHECK_EQ(lane->first_pool->count, 1);
}

static void live_oddly(void)
{
	odd_ops = dfx_region_direct_ops;
	live(&small, 1);
	CHECK(arena_put(lane, 100, DFX_DEV_TRY));
	CHECK(arena_put(lane, 200, DFX_DEV_TRY));
}

static void test_read_once(void)
{
	u32 id;

	setup(&small, 1, DFX_RECOVERY_GLOBAL);
	odd_ops = dfx_region_direct_ops;
	odd_ops.read = read_then_spoil;
	CHECK(arena_put(lane, 100, DFX_DEV_TRY));
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_OK);
	nr_reads = 0;
	w->host.io.ops = &odd_ops;
	world_pass(w);
	CHECK_EQ(nr_reads, 1);
	CHECK_EQ(w->host.lanes[0].fault, 0);
	CHECK_EQ(w->host.lanes[0].arena_tail, lane->arena_tail);
	id = hold();
	CHECK(id != DFX_NIL);
	CHECK_EQ(seen.number, 1);
	CHECK_EQ(seen.bad, 0);
	tap_end("an entry that changes while it is looked at");
	world_free(w);
}

static void test_not_dead(void)
{
	struct dfx_pool_state s;
	u32 id;

	live_oddly();
	odd_ops.read = read_then_spoil;
	nr_reads = 0;
	w->host.io.ops = &odd_ops;
	die();
	CHECK_EQ(nr_reads, 1);
	id = dfx_table_hold(&w->host, 0, w);
	CHECK(id != DFX_NIL);
	CHECK_EQ(w->host.bufs[id].arena_pos, seen.pos);
	CHECK_EQ(w->host.lanes[0].arena_tail, lane->arena_tail);
	tap_end("not dead: its record changes while it is looked at");
	world_free(w);

	live_oddly();
	odd_ops.read = read_fails;
	w->host.io.ops = &odd_ops;
	die();
	CHECK_EQ(hold(), DFX_NIL);
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	CHECK_EQ(s.in_flight, 2);
	tap_end("not dead: its buffer cannot be read");
	world_free(w);

	live_oddly();
	odd_ops.load32 = load_then_wake;
	zombie = zombie_writes;
	w->host.io.ops = &odd_ops;
	die();
	CHECK(!zombie);
	serve();
	CHECK_EQ(seen.number, 7);
	CHECK_EQ(seen.bad, 0);
	dfx_account_pool(&w->host, 0, &s);
	CHECK_EQ(s.produced, 8);
	CHECK_EQ(s.delivered, 7);
	CHECK_EQ(s.in_flight, 1);
	CHECK(world_identity(&s));
	tap_end("not dead: one more record is in flight");
	world_free(w);

	live_oddly();
	odd_ops.load32 = load_then_wake;
	zombie = zombie_publishes;
	w->host.io.ops = &odd_ops;
	die();
	CHECK(!zombie);
	serve();
	CHECK_EQ(seen.number, 7);
	CHECK_EQ(seen.bad, 0);
	dfx_account_pool(&w->host, 0, &s);
	CHECK_EQ(s.produced, 10);
	CHECK_EQ(s.delivered, 7);
	CHECK_EQ(s.in_flight, 1);
	CHECK_EQ(s.dropped[DFX_DROP_HOST_FAULT], 2);
	CHECK(world_identity(&s));
	tap_end("not dead: what it publishes too late is charged to the fault");
	world_free(w);
}

static void test_no_arena(void)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		w = world_new(&(struct world_config){
			.subsys = DFX_SUBSYS_PMU, .lanes = 1,
			.pools_per_lane = 1, .limits = small,
		});
		lane = &w->lanes[0];
		CHECK_EQ(world_start(w, 7, DEADLINE, DFX_RECOVERY_GLOBAL), 0);
		dfx_dev_poll(lane);
		CHECK(!arena_put(lane, 1, DFX_DEV_TRY));
		CHECK_EQ(lane->rc, DFX_DEV_INVAL);
		world_produce(lane, lane->first_pool, DFX_DEV_TRY, 0);
		lane->arena_tail = i;
		dfx_dev_flush(lane, DFX_DEV_TRY);
		world_pass(w);
		CHECK_EQ(w->host.lanes[0].fault, i ? DFX_FAULT_ARENA : 0);
		world_free(w);
	}
	tap_end("a position in a region without arenas");
}

static void test_hostile_host(void)
{
	setup(&small, 1, DFX_RECOVERY_GLOBAL);
	CHECK(arena_put(lane, 64, DFX_DEV_TRY));
	world_rq_head(w, 0)->arena_head = 2;
	CHECK(!arena_put(lane, 64, DFX_DEV_BLOCK));
	CHECK_EQ(lane->rc, DFX_DEV_FAULT);
	CHECK_EQ(step.turns, 0);
	CHECK_EQ(world_pool(w, 0)->dropped[DFX_DROP_FAULT], 1);
	world_free(w);
	tap_end("a host that gives back what was not used");

	setup(&small, 1, DFX_RECOVERY_GLOBAL);
	dfx_control_stop(&w->host, world_now());
	dfx_dev_poll(lane);
	world_pass(w);
	w->region.shm->arena_units = 3 * ARENA_UNITS;
	w->host.state = DFX_SESSION_IDLE;
	CHECK_EQ(world_start(w, 8, DEADLINE, DFX_RECOVERY_GLOBAL), 0);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_FAULT);
	world_free(w);
	tap_end("a host whose arenas have no possible size");
}

int main(void)
{
	u32 r;

	tap_plan(52, 60);
	for (r = DFX_RECOVERY_GLOBAL; r <= DFX_RECOVERY_LANE; r++) {
		test_wrap(r);
		test_large(r);
		test_stop(r);
		test_gone(r);
		test_kept(r);
	}
	test_ranges();
	test_abandoned();
	test_order();
	test_requeue();
	test_discard();
	test_predicate();
	test_no_escape();
	test_by_lane();
	test_refused();
	test_hostile_end("a position up to the last unit is right", 0,
			 ARENA_UNITS - 1, 0);
	test_hostile_end("one unit more than the arena has", 0, ARENA_UNITS,
			 DFX_FAULT_ARENA);
	test_hostile_end("one unit more than was given back", HALF,
			 ARENA_UNITS / 2, DFX_FAULT_ARENA);
	test_hostile_end("a position that goes back", HALF,
			 0u - ARENA_UNITS / 2, DFX_FAULT_ARENA);
	test_hostile_end("a position far off", 64, 0x80000000u,
			 DFX_FAULT_ARENA);
	test_dead();
	test_dead_lies("the last unit", 0u - 64ull, true, 64, true);
	test_dead_lies("the last byte", 0u - 63ull, true, 63, true);
	test_dead_lies("a byte more", 0u - 63ull, true, 64, false);
	test_dead_lies("behind the end", 64, true, 1, false);
	test_dead_lies("one unit back", 0u - 64ull, false, 64, false);
	test_dead_lies("one byte back", 0u - 1ull, false, 64, false);
	test_dead_lies("far off", 1ull << 63, false, 64, false);
	test_dead_lies("a size that goes round", 0, false, 0u - 64ull, false);
	test_dead_lies("a size of the whole arena", 0, false, ARENA_BYTES,
		       false);
	test_read_once();
	test_not_dead();
	test_no_arena();
	test_hostile_host();
	return tap_done();
}
