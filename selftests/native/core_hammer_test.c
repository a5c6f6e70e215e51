// SPDX-License-Identifier: GPL-2.0-only
/*
 * core_hammer_test.c - cores that write their records late, as threads
 *
 * Each core is a thread with a register of one task; a lane dispatches to all of
 * them and makes the host's passes in between, so that a buffer that is published
 * is read at once. A record reaches memory a while after the core has told FIN, as
 * one that is on its way over a bus. The next task is dispatched as soon as the
 * core has acknowledged the last, before it has ended.
 *
 * The consumer counts records that are not there: start_time == 0. Buffers are
 * wiped when they are released, so that an old record cannot pass for a new one.
 */
#include <string.h>
#include <time.h>

#include "harness.h"
#include "tap.h"

#define CORES		2
#define DEADLINE	(50000000ull * 600)	/* ten minutes: never */

/* How a core and its lane go about it. */
enum runtime {
	GATED,		/* FIN, then the record; the lane knows of the ACKs */
	LATE_FIN,	/* the record, then FIN; nobody tells of the ACKs */
};

struct combo {
	const char *name;
	enum runtime runtime;
	u32 tasks;	/* of each core */
	u32 capacity;
	u32 buffers;
	u32 flush_ns;	/* from FIN to the record's being in memory */
};

/* One core's register; each word has one writer and a line of its own. */
struct reg {
	_Alignas(DFX_SHM_LINE) __le32 task;	/* the lane */
	_Alignas(DFX_SHM_LINE) __le32 ack;	/* the core */
	_Alignas(DFX_SHM_LINE) __le32 fin;	/* the core */
};

#define QUIT	(~0u)	/* instead of a task */

struct unit {
	const struct combo *combo;
	struct reg reg;
	struct dfx_core_head head;
	struct dfx_core core;
	/* The lane's. */
	struct dfx_dev_core dcore;
	struct dfx_dev_pool *pool;
	u32 sent;
	u32 acked;
	/* The consumer's, which is the same thread. */
	u32 next;
	u64 missing;
	u64 wrong;
	u64 buffers;
	pthread_t thread;
};

static struct world *w;
static struct unit units[CORES];

static void spin(u64 ns)
{
	u64 until = world_now() + ns;

	while (world_now() < until)
		;
}

/* ---- core --------------------------------------------------------------------- */

static void write_record(struct unit *u, struct dfx_rec_aicore_task *rec,
			 u32 task, u64 start)
{
	*rec = (struct dfx_rec_aicore_task){
		.start_time = start,
		.end_time = dfx_port_cycles(),
		.reg_task_id = task,
	};
	dfx_core_commit(&u->core, rec);
}

static void *core_thread(void *arg)
{
	struct unit *u = arg;
	struct dfx_rec_aicore_task *rec;
	u32 last = 0, task;
	u64 start;

	for (;;) {
		task = dfx_port_load32_acquire(&u->reg.task);
		if (task == QUIT)
			return NULL;
		if (task == last) {
			dfx_port_relax();
			continue;
		}
		last = task;
		rec = dfx_core_reserve(&u->core);
		dfx_port_store32_release(&u->reg.ack, task);
		start = dfx_port_cycles();
		if (u->combo->runtime == LATE_FIN && rec) {
			spin(u->combo->flush_ns);
			write_record(u, rec, task, start);
		}
		dfx_port_store32_release(&u->reg.fin, task);
		if (u->combo->runtime != LATE_FIN && rec) {
			spin(u->combo->flush_ns);
			write_record(u, rec, task, start);
		}
	}
}

/* ---- consumer ------------------------------------------------------------------- */

static void check_buffer(struct unit *u, u32 id)
{
	const struct dfx_buf *b = &w->host.bufs[id];
	struct dfx_rec_aicore_task *rec = (void *)world_buffer(w, id);
	u32 i;

	u->buffers++;
	for (i = 0; i < b->count; i++, u->next++) {
		if (!rec[i].start_time)
			u->missing++;
		else if (rec[i].reg_task_id != u->next + 1)
			u->wrong++;
	}
	memset(rec, 0, b->count * sizeof(*rec));
}

static void serve(void)
{
	u32 id;

	world_pass(w);
	while ((id = dfx_table_hold(&w->host, 0, w)) != DFX_NIL) {
		check_buffer(&units[w->host.bufs[id].pool], id);
		dfx_table_release(&w->host, id);
	}
}

/* ---- lane ------------------------------------------------------------------------ */

/* One look at a core: its ACK, and the next task if it has room for one. */
static void look(struct unit *u, struct dfx_dev_lane *lane)
{
	u32 ack = dfx_port_load32_acquire(&u->reg.ack);

	if (ack != u->acked) {
		u->acked = ack;
		if (u->combo->runtime == GATED)
			dfx_dev_core_ack(lane, u->pool, ack);
	}
	if (u->acked != u->sent || u->sent == u->combo->tasks)
		return;
	/* Held back until there is a buffer: nothing is lost. */
	if (dfx_dev_core_give(lane, u->pool, u->sent + 1))
		return;
	u->sent++;
	dfx_port_store32_release(&u->reg.task, u->sent);
}

static void begin(const struct combo *c, struct dfx_dev_lane *lane)
{
	u32 i;

	CHECK_EQ(dfx_dev_poll(lane), DFX_DEV_OK);
	for (i = 0; i < CORES; i++) {
		struct unit *u = &units[i];

		memset(u, 0, sizeof(*u));
		u->combo = c;
		u->pool = &w->dpools[i];
		CHECK_EQ(dfx_dev_core_open(lane, &u->dcore, u->pool, &u->head,
					   c->runtime != LATE_FIN), DFX_DEV_OK);
		u->core = (struct dfx_core){
			.head = &u->head,
			.region = lane->region->base,
			.record_size = sizeof(struct dfx_rec_aicore_task),
		};
		pthread_create(&u->thread, NULL, core_thread, u);
	}
}

static bool all_sent(const struct combo *c)
{
	u32 i;

	for (i = 0; i < CORES; i++)
		if (units[i].acked != c->tasks)
			return false;
	return true;
}

static void run(const struct combo *c)
{
	struct dfx_dev_lane *lane;
	u32 i;

	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 1,
		.pools_per_lane = CORES,
		.limits = { .buffers = c->buffers, .records = c->capacity },
		.kinds = 1u << DFX_KIND_AICORE_TASK,
	});
	memset(world_at(w, w->host.geom.buf_off), 0,
	       w->host.geom.size - w->host.geom.buf_off);
	lane = &w->lanes[0];
	world_start(w, 5, DEADLINE, DFX_RECOVERY_GLOBAL);
	begin(c, lane);
	while (!all_sent(c)) {
		for (i = 0; i < CORES; i++)
			look(&units[i], lane);
		serve();
		dfx_port_relax();
	}
	/* The end of the run, then of the session. */
	while (dfx_dev_end_run(lane) == DFX_DEV_AGAIN)
		serve();
	serve();
	dfx_control_stop(&w->host, world_now());
	while (dfx_control_pending(&w->host)) {
		dfx_dev_poll(lane);
		serve();
	}
	dfx_control_end(&w->host, world_now());
	for (i = 0; i < CORES; i++) {
		dfx_port_store32_release(&units[i].reg.task, QUIT);
		pthread_join(units[i].thread, NULL);
	}
}

static void test(const struct combo *c)
{
	u64 missing = 0, buffers = 0;
	struct dfx_pool_state s;
	u32 i;

	run(c);
	for (i = 0; i < CORES; i++) {
		missing += units[i].missing;
		buffers += units[i].buffers;
		CHECK_EQ(units[i].wrong, 0);
		CHECK_EQ(units[i].next, c->tasks);
		dfx_account_pool(&w->host, i, &s);
		CHECK(world_identity(&s));
		CHECK_EQ(s.delivered, c->tasks);
		CHECK_EQ(s.in_flight, 0);
	}
	tap_note("%u tasks, record %u ns after FIN: %llu rotations, %llu tail records lost",
		 c->tasks * CORES, c->flush_ns,
		 (unsigned long long)(buffers - CORES),
		 (unsigned long long)missing);
	CHECK_EQ(missing, 0);
	tap_end("%s", c->name);
	world_free(w);
}

int main(void)
{
	static const struct combo combos[] = {
		{ "gate, buffers of 1024", GATED, 5000, 1024, 4, 500 },
		{ "record before FIN, buffers of 1024", LATE_FIN, 5000, 1024, 4,
		  500 },
		{ "gate, small buffers", GATED, 2000, 4, 4, 500 },
		{ "gate, one buffer of one record", GATED, 500, 1, 1, 500 },
		{ "record before FIN, small buffers", LATE_FIN, 2000, 4, 4,
		  500 },
		{ "gate, records that are very late", GATED, 300, 4, 3, 20000 },
	};
	u32 i;

	tap_plan(ARRAY_SIZE(combos), 60);
	for (i = 0; i < ARRAY_SIZE(combos); i++)
		test(&combos[i]);
	return tap_done();
}
