// SPDX-License-Identifier: GPL-2.0-only
/*
 * core_test.c - buffers that a core writes and a lane rotates, step by step
 *
 * One thread plays lane, core and host, so that the core's record is late by
 * exactly as much as a test wants.
 */
#include <string.h>

#include "harness.h"
#include "tap.h"

#define NEVER	1000000ull
#define MAX_IN_CORE	4

static struct world *w;
static struct dfx_dev_lane *lane;
static struct dfx_dev_pool *pool;
static struct dfx_dev_core dcore;
static struct dfx_core_head head;

/* The core: what it has received and not written yet, oldest first. */
static struct {
	struct dfx_core core;
	struct dfx_rec_aicore_task *slot[MAX_IN_CORE];
	u32 token[MAX_IN_CORE];
	u32 nr;
} unit;

static u32 next_token;		/* of the next task */
static u64 next_out;		/* start_time of the next record to be read */
static u64 lost_seen;
static u32 last_count, flags_seen;

static const struct dfx_limits roomy = {
	.buffers = 8, .records = 4, .slots = 8, .rq_depth = 16,
};

static void join(int early_fin)
{
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	pool = dfx_dev_find_pool(lane, DFX_KIND_AICORE_TASK, 0);
	CHECK_EQ(dfx_dev_core_open(lane, &dcore, pool, &head, early_fin),
		 DFX_DEV_OK);
	unit.core.region = lane->region->base;
	unit.core.record_size = pool->record_size;
}

static void setup_runtime(struct dfx_limits limits, int early_fin, u32 cores)
{
	step = (struct step){ .now = 1000 };
	memset(&dcore, 0, sizeof(dcore));
	memset(&head, 0, sizeof(head));
	memset(&unit, 0, sizeof(unit));
	unit.core.head = &head;
	next_token = 100;
	next_out = 1;
	lost_seen = 0;
	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 1,
		.pools_per_lane = cores, .limits = limits,
		.kinds = 1u << DFX_KIND_AICORE_TASK,
	});
	lane = &w->lanes[0];
	world_start(w, 5, NEVER, DFX_RECOVERY_GLOBAL);
	join(early_fin);
}

static void setup(struct dfx_limits limits)
{
	setup_runtime(limits, 1, 1);
}

static void done(const char *name)
{
	tap_end("%s", name);
	world_free(w);
}

/* ---- lane and core ----------------------------------------------------------- */

/* The lane dispatches a task and the core reserves its slot; not the ACK. */
static int dispatch(void)
{
	int rc = dfx_dev_core_give(lane, pool, next_token);

	if (rc)
		return rc;
	unit.slot[unit.nr] = dfx_core_reserve(&unit.core);
	CHECK(unit.slot[unit.nr]);
	unit.token[unit.nr++] = next_token++;
	return DFX_DEV_OK;
}

static void ack(u32 token)
{
	dfx_dev_core_ack(lane, pool, token);
}

/* The core writes the record of its oldest task. */
static void record(void)
{
	struct dfx_rec_aicore_task *rec = unit.slot[0];

	rec->start_time = unit.token[0] - 100 + 1;
	rec->reg_task_id = unit.token[0];
	dfx_core_commit(&unit.core, rec);
	unit.nr--;
	memmove(unit.slot, unit.slot + 1, unit.nr * sizeof(unit.slot[0]));
	memmove(unit.token, unit.token + 1, unit.nr * sizeof(unit.token[0]));
}

/* @nr tasks with nothing special about them. */
static void run(u32 nr)
{
	while (nr--) {
		CHECK_EQ(dispatch(), DFX_DEV_OK);
		while (unit.nr > 1)
			record();
		if (dcore.early_fin)
			ack(next_token - 1);
		record();
	}
}

/* Fills a buffer, but for the record of its last task. */
static void run_to_tail(u32 nr)
{
	run(nr - 1);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	if (dcore.early_fin)
		ack(next_token - 1);
}

/* ---- consumer ------------------------------------------------------------------ */

/* What is ready: every record is there, in order, once. Wiped when released. */
static u32 take(void)
{
	u32 id, i, nr = 0;

	while ((id = dfx_table_hold(&w->host, 0, w)) != DFX_NIL) {
		const struct dfx_buf *b = &w->host.bufs[id];
		struct dfx_rec_aicore_task *rec = (void *)world_buffer(w, id);

		next_out += b->lost;
		for (i = 0; i < b->count; i++) {
			CHECK_EQ(rec[i].start_time, next_out);
			next_out++;
		}
		memset(rec, 0, b->count * sizeof(*rec));
		lost_seen += b->lost;
		last_count = b->count;
		flags_seen = b->flags;
		dfx_table_release(&w->host, id);
		nr++;
	}
	return nr;
}

static u32 serve(void)
{
	u32 nr;

	world_pass(w);
	nr = take();
	world_pass(w);
	return nr;
}

static void serve_hook(void *arg)
{
	(void)arg;
	serve();
}

static u64 dropped(u32 reason)
{
	return world_pool(w, pool->id)->dropped[reason];
}

/* STOP to the end; everything that was given out has been delivered. */
static void finish(u64 tasks)
{
	struct dfx_pool_state s;

	step.relax = serve_hook;
	if (w->host.state == DFX_SESSION_RUNNING)
		dfx_control_stop(&w->host, world_now());
	while (unit.nr)
		record();
	dfx_dev_poll(lane);
	serve();
	CHECK_EQ(dfx_control_pending(&w->host), 0);
	dfx_control_end(&w->host, world_now());
	take();
	CHECK_EQ(w->seen.faults, 0);
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	CHECK_EQ(s.in_flight, 0);
	CHECK_EQ(s.delivered, tasks);
	CHECK_EQ(s.device + s.quarantine, 0);
}

/* ---- the gate -------------------------------------------------------------------- */

static void test_gate(void)
{
	setup(roomy);
	run_to_tail(4);
	CHECK_EQ(serve(), 0);
	/* Rotated: the next task has its slot, the tail record is not written. */
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	CHECK_EQ(serve(), 0);
	CHECK_EQ(dcore.next - dcore.first, 1);
	record();
	CHECK_EQ(serve(), 0);
	ack(next_token - 1);
	CHECK_EQ(serve(), 1);
	CHECK_EQ(last_count, 4);
	CHECK_EQ(flags_seen, 0);
	finish(5);
	done("gate: a full buffer stays back until the next one's first ACK");
}

static void test_tokens(void)
{
	setup(roomy);
	run_to_tail(4);
	ack(next_token - 1);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	/* One that never was, one that will be, that of the tail, no task. */
	ack(1);
	ack(next_token);
	ack(next_token - 2);
	ack(0);
	ack(~0u);
	CHECK_EQ(serve(), 0);
	record();
	ack(next_token - 1);
	CHECK_EQ(serve(), 1);
	CHECK_EQ(lane->rq_tail, 1);
	ack(next_token - 1);
	ack(next_token - 1);
	CHECK_EQ(serve(), 0);
	CHECK_EQ(lane->rq_tail, 1);
	finish(5);
	done("gate: a wrong token opens nothing, the right one once");
}

/* Rotated, but no buffer for a next task: there is no gate yet. */
static void test_no_gate_yet(void)
{
	static const struct dfx_limits limits = {
		.buffers = 1, .records = 4, .slots = 1, .rq_depth = 16,
	};

	setup(limits);
	run_to_tail(4);
	CHECK_EQ(dispatch(), DFX_DEV_AGAIN);
	CHECK_EQ(dcore.next - dcore.first, 1);
	ack(next_token - 1);
	ack(0);
	CHECK_EQ(serve(), 0);
	record();
	CHECK_EQ(dispatch(), DFX_DEV_AGAIN);
	CHECK_EQ(serve(), 1);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	finish(5);
	done("gate: not open to the tail's ACK while there is no next task");
}

/* The record of a task goes where its slot was reserved, whatever happens since. */
static void test_reserved(void)
{
	struct dfx_rec_aicore_task *tail;

	setup(roomy);
	run_to_tail(4);
	tail = unit.slot[0];
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	CHECK(unit.slot[0] == tail);
	CHECK(unit.slot[1] != tail + 1);
	record();
	ack(next_token - 1);
	world_pass(w);
	CHECK_EQ(take(), 1);
	finish(5);
	done("gate: reserved, rotated, committed: the record is in the old buffer");
}

/* A runtime that does not see some ACKs. */
static void test_missed(void)
{
	u32 i, gate;

	setup(roomy);
	run_to_tail(4);
	gate = next_token;
	for (i = 0; i < 12; i++) {
		CHECK_EQ(dispatch(), DFX_DEV_OK);
		record();
	}
	CHECK_EQ(dcore.next - dcore.first, 3);
	CHECK_EQ(serve(), 0);
	/* The first gate opens the first buffer only. */
	ack(gate);
	CHECK_EQ(serve(), 1);
	/* That of any later task proves all that came before it. */
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	record();
	ack(next_token - 1);
	CHECK_EQ(serve(), 3);
	CHECK_EQ(lane->rq_tail, 4);
	finish(17);
	done("two rotations before an ACK: kept in order, nothing lost or twice");
}

/* As many as there are places; then the dispatcher is held off. */
static void test_stash_full(void)
{
	u32 i;

	setup(roomy);
	run_to_tail(4);
	for (i = 0; i < 16; i++) {
		CHECK_EQ(dispatch(), DFX_DEV_OK);
		record();
	}
	CHECK_EQ(dcore.next - dcore.first, DFX_NR_STASH);
	CHECK_EQ(unit.nr, 1);
	for (i = 0; i < 3; i++)
		CHECK_EQ(dispatch(), DFX_DEV_AGAIN);
	CHECK_EQ(step.turns, 0);
	CHECK_EQ(dropped(DFX_DROP_WOULD_BLOCK), 0);
	CHECK_EQ(serve(), 0);
	ack(next_token - 1);
	CHECK_EQ(serve(), DFX_NR_STASH);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	finish(21);
	done("no place for another rotation: held off, nothing lost");
}

static void test_no_hook(void)
{
	setup_runtime(roomy, 0, 1);
	run_to_tail(4);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	record();
	record();
	CHECK_EQ(serve(), 0);
	run(3);
	CHECK_EQ(serve(), 0);
	/* The next rotation. */
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	CHECK_EQ(serve(), 1);
	record();
	/* And the end of the run. */
	CHECK_EQ(dfx_dev_end_run(lane), DFX_DEV_OK);
	CHECK_EQ(serve(), 2);
	CHECK_EQ(flags_seen, DFX_ENTRY_PARTIAL);
	finish(9);
	done("record before FIN: released at the next rotation, and at the end");
}

/* ---- no room ----------------------------------------------------------------------- */

static void test_rq_full(void)
{
	static const struct dfx_limits limits = {
		.buffers = 8, .records = 2, .slots = 8, .rq_depth = 1,
	};
	u32 i;

	setup(limits);
	run(8);
	/* One is in the queue, two are proven and wait, one is current. */
	CHECK_EQ(lane->rq_tail, 1);
	CHECK_EQ(dcore.acked - dcore.first, 2);
	CHECK_EQ(world_contended(w)->rq_contended, 1);
	CHECK_EQ(step.turns, 0);
	for (i = 0; i < DFX_NR_DROP; i++)
		CHECK_EQ(dropped(i), 0);
	world_pass(w);
	CHECK_EQ(take(), 1);
	CHECK_EQ(last_count, 2);
	/* Any call tries again. */
	ack(0);
	CHECK_EQ(lane->rq_tail, 2);
	run(1);
	finish(9);
	CHECK_EQ(lost_seen, 0);
	done("ready queue full at the release: kept, tried again, never waited for");
}

static void test_fq_empty(void)
{
	static const struct dfx_limits limits = {
		.buffers = 2, .records = 2, .slots = 2, .rq_depth = 16,
	};
	u32 i;

	setup(limits);
	run(4);
	/* No pass: both buffers are with the device or on their way. */
	for (i = 0; i < 10; i++)
		CHECK_EQ(dispatch(), DFX_DEV_AGAIN);
	CHECK_EQ(step.turns, 0);
	CHECK_EQ(world_contended(w)->fq_contended, 1);
	CHECK_EQ(dropped(DFX_DROP_WOULD_BLOCK), 0);
	for (i = 1; i <= 3; i++) {
		CHECK_EQ(dispatch(), DFX_DEV_AGAIN);
		dfx_dev_drop(lane, pool);
		next_token++;
		CHECK_EQ(dropped(DFX_DROP_WOULD_BLOCK), i);
	}
	/* An unrecorded task is one: the core has no slot for it. */
	CHECK(!dfx_core_reserve(&unit.core));
	CHECK_EQ(serve(), 2);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	ack(next_token - 1);
	CHECK_EQ(dropped(DFX_DROP_WOULD_BLOCK), 3);
	finish(5);
	CHECK_EQ(lost_seen, 3);
	done("free queue empty at a rotation: tried at each dispatch, each loss counted");
}

static void test_one_buffer(void)
{
	static const struct dfx_limits limits = {
		.buffers = 1, .records = 1, .slots = 1, .rq_depth = 1,
	};
	u32 i, turns = 0;

	setup(limits);
	for (i = 0; i < 50; i++) {
		while (dispatch() == DFX_DEV_AGAIN && turns++ < 1000) {
			if (unit.nr)
				record();
			serve();
		}
		ack(next_token - 1);
	}
	CHECK(turns < 1000);
	finish(50);
	CHECK_EQ(lost_seen, 0);
	done("one buffer of one record: the idle core is proof enough");
}

static void test_frozen(void)
{
	setup(roomy);
	run_to_tail(4);
	world_freeze(w)->fq_freeze_active = 1;
	world_freeze(w)->rq_freeze_active = 1;
	CHECK_EQ(dispatch(), DFX_DEV_AGAIN);
	CHECK_EQ(step.turns, 0);
	CHECK_EQ(lane->marks, 0);
	CHECK_EQ(world_pool(w, 0)->fq_head, 1);
	world_freeze(w)->fq_freeze_active = 0;
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	record();
	ack(next_token - 1);
	CHECK_EQ(lane->rq_tail, 1);
	CHECK_EQ(step.turns, 0);
	world_freeze(w)->rq_freeze_active = 0;
	finish(5);
	done("a freeze keeps the dispatcher from a buffer, but not waiting");
}

/* ---- flush, end of run, stop ---------------------------------------------------------- */

static void test_flush_idle(void)
{
	setup(roomy);
	run(6);
	dfx_control_flush(&w->host);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	CHECK_EQ(dfx_control_unflushed(&w->host), 0);
	CHECK_EQ(serve(), 2);
	CHECK_EQ(last_count, 2);
	CHECK_EQ(flags_seen, DFX_ENTRY_PARTIAL);
	/* Nothing is left for another. */
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_OK);
	CHECK_EQ(serve(), 0);
	run(1);
	finish(7);
	done("flush: a core that has finished everything gives all of it");
}

static void test_flush_busy(void)
{
	setup(roomy);
	run_to_tail(3);
	dfx_control_flush(&w->host);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	CHECK_EQ(dfx_control_unflushed(&w->host), 1);
	CHECK_EQ(serve(), 0);
	/* Rotated although there is room for one more; published at the gate. */
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	CHECK_EQ(dfx_control_unflushed(&w->host), 1);
	CHECK_EQ(serve(), 0);
	record();
	ack(next_token - 1);
	/* What has come since is not waited for: the core is still at work. */
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	CHECK_EQ(dfx_control_unflushed(&w->host), 0);
	CHECK_EQ(serve(), 1);
	CHECK_EQ(last_count, 3);
	CHECK_EQ(flags_seen, DFX_ENTRY_PARTIAL);
	CHECK_EQ(unit.nr, 2);
	finish(5);
	done("flush: a core at work is cut at the next dispatch, and only once");
}

static void test_flush_no_room(void)
{
	static const struct dfx_limits limits = {
		.buffers = 8, .records = 2, .slots = 8, .rq_depth = 1,
	};

	setup(limits);
	run(4);
	CHECK_EQ(lane->rq_tail, 1);
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_AGAIN);
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_AGAIN);
	CHECK_EQ(dropped(DFX_DROP_PUSH_TIMEOUT), 0);
	CHECK_EQ(serve(), 1);
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_OK);
	CHECK_EQ(serve(), 1);
	CHECK_EQ(last_count, 2);
	finish(4);
	done("flush: no room in the ready queue: kept, delivered once, true count");
}

static void test_end_run(void)
{
	setup(roomy);
	run_to_tail(6);
	CHECK_EQ(dfx_dev_end_run(lane), DFX_DEV_AGAIN);
	CHECK_EQ(world_lane(w, 0)->runs, 0);
	/* FIN has been told long ago; only the record says that it is there. */
	record();
	CHECK_EQ(dfx_dev_end_run(lane), DFX_DEV_OK);
	CHECK_EQ(world_lane(w, 0)->runs, 1);
	CHECK_EQ(serve(), 2);
	CHECK_EQ(last_count, 2);
	finish(6);
	done("end of run: not before the core's own word");
}

static void test_stop_busy(void)
{
	setup(roomy);
	run_to_tail(6);
	dfx_control_stop(&w->host, world_now());
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	CHECK_EQ(dfx_control_pending(&w->host), 1);
	CHECK_EQ(dispatch(), DFX_DEV_NOSESSION);
	CHECK_EQ(step.turns, 0);
	record();
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_NOSESSION);
	serve();
	CHECK_EQ(dispatch(), DFX_DEV_NOSESSION);
	finish(6);
	done("STOP: answered when the core has written what it had begun");
}

/* A flush that is under way wants less than the stop. */
static void test_stop_in_flush(void)
{
	setup(roomy);
	run_to_tail(3);
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_AGAIN);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	record();
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	finish(5);
	done("STOP in the middle of a flush: all of it");
}

/* The core hangs: the lane cannot answer, the host takes what is proven. */
static void test_stop_hung(void)
{
	struct dfx_pool_state s;

	setup(roomy);
	run(6);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	ack(next_token - 1);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	dfx_control_stop(&w->host, world_now());
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	world_pass(w);
	CHECK_EQ(dfx_control_pending(&w->host), 1);
	dfx_control_end(&w->host, world_now());
	CHECK_EQ(w->host.lanes[0].silent, 1);
	CHECK_EQ(take(), 2);
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	/* Nothing proves of the seventh that it is there, and it is not. */
	CHECK_EQ(s.delivered, 6);
	/* Nothing of it is given back before the core has written. */
	CHECK(s.quarantine > 0);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	CHECK_EQ(dfx_control_pending(&w->host), 1);
	record();
	record();
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_NOSESSION);
	CHECK_EQ(dfx_control_revive(&w->host), 1);
	done("STOP and the core hangs: what is proven is recovered, no more");
}

/* The lane is dead; stashed buffers are as good as the current one. */
static void test_recover(bool acked)
{
	struct dfx_pool_state s;

	setup(roomy);
	run_to_tail(4);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	if (acked) {
		/* No room at the release. */
		record();
		lane->rq_depth = 0;
		world_rq_head(w, 0)->head = 0;
		ack(next_token - 1);
		lane->rq_depth = w->host.geom.rq_depth;
	}
	dfx_control_stop(&w->host, world_now());
	world_pass(w);
	dfx_control_end(&w->host, world_now());
	CHECK_EQ(take(), 1);
	CHECK_EQ(last_count, acked ? 4 : 3);
	CHECK_EQ(flags_seen, DFX_ENTRY_PARTIAL);
	dfx_account_pool(&w->host, 0, &s);
	CHECK(world_identity(&s));
	CHECK_EQ(s.delivered, acked ? 4 : 3);
	CHECK_EQ(s.in_flight, 0);
	done(acked ? "dead lane: a stashed buffer that is complete is recovered" :
	     "dead lane: a stashed buffer is recovered, but for the tail record");
}

static void test_recover_hostile(void)
{
	struct dfx_shm_pool *p;

	setup(roomy);
	run_to_tail(4);
	CHECK_EQ(dispatch(), DFX_DEV_OK);
	p = world_pool(w, 0);
	/* One twice, one that is not the pool's, one with too many records. */
	p->stash_next = 4;
	p->stash[1] = p->stash[0];
	p->stash[2] = (struct dfx_shm_stash){ .buffer = 77, .count = 1 };
	p->stash[3] = (struct dfx_shm_stash){ .buffer = p->cur_buffer,
					      .count = 5 };
	dfx_control_stop(&w->host, world_now());
	dfx_control_end(&w->host, world_now());
	CHECK_EQ(take(), 1);
	CHECK_EQ(last_count, 3);
	done("dead and a liar: a stash that cannot be is not believed");
}

/* ---- sessions, misuse ---------------------------------------------------------------- */

static void test_sessions(void)
{
	setup(roomy);
	run(6);
	finish(6);
	dfx_dev_poll(lane);
	CHECK_EQ(world_start(w, 6, NEVER, DFX_RECOVERY_GLOBAL), 0);
	/* Not opened: the core is not told to record. */
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	CHECK_EQ(dfx_dev_core_give(lane, pool, 1), DFX_DEV_NOSESSION);
	CHECK(!dfx_core_reserve(&unit.core));
	/* As if it had a slot of the last session still. */
	head.done--;
	CHECK_EQ(dfx_dev_core_open(lane, &dcore, pool, &head, 1),
		 DFX_DEV_AGAIN);
	head.done++;
	join(1);
	next_out = 7;
	run(5);
	finish(5);
	done("the next session: opened anew, once the core has let go");
}

static void test_misuse(void)
{
	setup_runtime(roomy, 1, 2);
	CHECK_EQ(dfx_dev_core_open(lane, &dcore, pool, &head, 1),
		 DFX_DEV_INVAL);
	CHECK(!dfx_dev_reserve(lane, pool, DFX_DEV_TRY));
	CHECK_EQ(lane->rc, DFX_DEV_INVAL);
	run(1);
	CHECK(!dfx_dev_reserve(lane, pool, DFX_DEV_TRY));
	/* A pool that no core has. */
	CHECK_EQ(dfx_dev_core_give(lane, &w->dpools[1], 1), DFX_DEV_NOSESSION);
	dfx_dev_core_ack(lane, &w->dpools[1], 1);
	/* Its losses are its own. */
	dfx_dev_drop(lane, &w->dpools[1]);
	CHECK_EQ(world_pool(w, 1)->dropped[DFX_DROP_WOULD_BLOCK], 1);
	CHECK_EQ(world_pool(w, 1)->produced, 1);
	CHECK_EQ(dropped(DFX_DROP_WOULD_BLOCK), 0);
	finish(1);
	done("a core's pool is nobody else's");
}

int main(void)
{
	tap_plan(23, 20);
	test_gate();
	test_tokens();
	test_no_gate_yet();
	test_reserved();
	test_missed();
	test_stash_full();
	test_no_hook();
	test_rq_full();
	test_fq_empty();
	test_one_buffer();
	test_frozen();
	test_flush_idle();
	test_flush_busy();
	test_flush_no_room();
	test_end_run();
	test_stop_busy();
	test_stop_in_flush();
	test_stop_hung();
	test_recover(false);
	test_recover(true);
	test_recover_hostile();
	test_sessions();
	test_misuse();
	return tap_done();
}
