// SPDX-License-Identifier: GPL-2.0-only
/*
 * core_tail_test.c - how many tail records are lost at rotations, without the gate
 *
 * Runs of more than a buffer of tasks on each core, in time that is counted and not
 * measured: one tick of the counter is a nanosecond, and every action has its price.
 * So the figures are the same on every machine.
 *
 * A core takes a task, acknowledges it, executes it, tells FIN; some time later its
 * record is in memory, and only then it looks for the next task. The lane visits its
 * cores in turn and dispatches the next task either as soon as the last has been
 * acknowledged, or when it has told FIN. The host looks once in a while, and a
 * consumer reads what it finds and wipes it. A record that is not there has
 * start_time == 0; or it is one that came too late for the buffer's last turn, which
 * nobody would notice who did not know what to expect.
 */
#include <string.h>

#include "harness.h"
#include "tap.h"

#define CORES		4
#define TASKS		25600	/* of each core */
#define CAPACITY	1024

/* Prices, in nanoseconds; those of a core are the ones that were measured. */
#define VISIT_NS	60	/* the lane's look at one core */
#define SETUP_NS	280	/* a core's payload and ACK */
#define EXEC_NS		4000	/* at least; up to SPREAD_NS more */
#define SPREAD_NS	1000
#define FLUSH_NS	500	/* FIN to the record's being in memory */

struct combo {
	bool gate;
	bool ahead;		/* dispatch at the ACK, not at FIN */
	u32 host_ns;		/* from one look of the host to the next */
};

/* A core. Times are those at which something is or will be. */
struct unit {
	struct dfx_core_head head;
	struct dfx_core core;
	struct dfx_dev_core dcore;
	struct dfx_dev_pool *pool;
	u32 task;		/* the register */
	u32 taken;		/* last task out of it */
	struct dfx_rec_aicore_task *slot;
	u64 ack_at;
	u64 fin_at;
	u64 free_at;
	/* The lane's. */
	u32 sent;
	u32 told;
	/* The consumer's. */
	u32 next;
	u64 missing;
	u64 stale;
	u64 buffers;
};

static struct world *w;
static struct unit units[CORES];

/* What the core has done by now. */
static void advance(struct unit *u)
{
	if (u->slot && step.now >= u->free_at) {
		*u->slot = (struct dfx_rec_aicore_task){
			.start_time = u->ack_at,
			.end_time = u->fin_at,
			.reg_task_id = u->taken,
		};
		dfx_core_commit(&u->core, u->slot);
		u->slot = NULL;
	}
	if (u->task == u->taken || step.now < u->free_at)
		return;
	u->taken = u->task;
	u->slot = dfx_core_reserve(&u->core);
	u->ack_at = step.now + SETUP_NS;
	u->fin_at = u->ack_at + EXEC_NS +
		    (u->taken * 2654435761u >> 8) % SPREAD_NS;
	u->free_at = u->fin_at + (u->slot ? FLUSH_NS : 0);
}

static void visit(struct unit *u, struct dfx_dev_lane *lane,
		  const struct combo *c)
{
	u64 ready;

	step.now += VISIT_NS;
	advance(u);
	if (u->taken == u->sent && step.now >= u->ack_at && u->told != u->sent) {
		u->told = u->sent;
		if (c->gate)
			dfx_dev_core_ack(lane, u->pool, u->sent);
	}
	ready = c->ahead ? u->ack_at : u->fin_at;
	if (u->taken != u->sent || step.now < ready || u->sent == TASKS)
		return;
	if (dfx_dev_core_give(lane, u->pool, u->sent + 1))
		return;
	u->sent++;
	/* What has just been rotated is taken for complete. */
	if (!c->gate)
		dfx_dev_core_ack(lane, u->pool, u->sent);
	u->task = u->sent;
}

static void check_buffer(struct unit *u, u32 id)
{
	const struct dfx_buf *b = &w->host.bufs[id];
	struct dfx_rec_aicore_task *rec = (void *)world_buffer(w, id);
	u32 i;

	u->buffers++;
	for (i = 0; i < b->count; i++) {
		u->next++;
		if (!rec[i].start_time)
			u->missing++;
		else if (rec[i].reg_task_id != u->next)
			u->stale++;
	}
	memset(rec, 0, b->count * sizeof(*rec));
}

static void serve(void)
{
	u32 id, i;

	for (i = 0; i < CORES; i++)
		advance(&units[i]);
	world_pass(w);
	while ((id = dfx_table_hold(&w->host, 0, w)) != DFX_NIL) {
		check_buffer(&units[w->host.bufs[id].pool], id);
		dfx_table_release(&w->host, id);
	}
}

static struct dfx_dev_lane *begin(void)
{
	struct dfx_dev_lane *lane;
	u32 i;

	step = (struct step){ .now = 1000 };
	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 1,
		.pools_per_lane = CORES, .limits = { .records = CAPACITY },
		.kinds = 1u << DFX_KIND_AICORE_TASK,
	});
	memset(world_at(w, w->host.geom.buf_off), 0,
	       w->host.geom.size - w->host.geom.buf_off);
	lane = &w->lanes[0];
	world_start(w, 5, ~0ull >> 1, DFX_RECOVERY_GLOBAL);
	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	memset(units, 0, sizeof(units));
	for (i = 0; i < CORES; i++) {
		struct unit *u = &units[i];

		u->pool = &w->dpools[i];
		CHECK_EQ(dfx_dev_core_open(lane, &u->dcore, u->pool, &u->head,
					   1), DFX_DEV_OK);
		u->core = (struct dfx_core){
			.head = &u->head,
			.region = lane->region->base,
			.record_size = sizeof(struct dfx_rec_aicore_task),
		};
	}
	return lane;
}

static bool finished(void)
{
	u32 i;

	for (i = 0; i < CORES; i++)
		if (units[i].taken != TASKS)
			return false;
	return true;
}

static void run(const struct combo *c)
{
	struct dfx_dev_lane *lane = begin();
	u64 look = 0;
	u32 i;

	while (!finished()) {
		for (i = 0; i < CORES; i++)
			visit(&units[i], lane, c);
		if (step.now >= look) {
			serve();
			look = step.now + c->host_ns;
		}
	}
	while (dfx_dev_end_run(lane) == DFX_DEV_AGAIN) {
		step.now += VISIT_NS;
		serve();
	}
	serve();
}

static void test(const struct combo *c)
{
	u64 missing = 0, stale = 0, rotations = 0;
	u32 i;

	run(c);
	for (i = 0; i < CORES; i++) {
		missing += units[i].missing;
		stale += units[i].stale;
		rotations += units[i].buffers - 1;
		CHECK_EQ(units[i].next, TASKS);
	}
	tap_note("%u tasks, %llu rotations; of their tail records %llu missing, %llu old",
		 CORES * TASKS, (unsigned long long)rotations,
		 (unsigned long long)missing, (unsigned long long)stale);
	CHECK_EQ(rotations, CORES * (TASKS / CAPACITY - 1));
	if (c->gate)
		CHECK_EQ(missing + stale, 0);
	else if (c->ahead)
		CHECK_EQ(missing + stale, rotations);
	else
		CHECK(missing > 0);
	CHECK_EQ(w->seen.faults, 0);
	tap_end("%s gate, dispatch at %s, a look each %u ns",
		c->gate ? "with" : "no", c->ahead ? "ACK" : "FIN", c->host_ns);
	world_free(w);
}

int main(void)
{
	static const struct combo combos[] = {
		{ false, true, 240 }, { true, true, 240 },
		{ false, true, 1000 }, { true, true, 1000 },
		{ false, false, 240 }, { true, false, 240 },
		{ false, false, 1000 }, { true, false, 1000 },
		{ false, false, 10000 }, { true, false, 10000 },
	};
	u32 i;

	tap_plan(ARRAY_SIZE(combos), 60);
	for (i = 0; i < ARRAY_SIZE(combos); i++)
		test(&combos[i]);
	return tap_done();
}
