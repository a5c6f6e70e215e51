// SPDX-License-Identifier: GPL-2.0-only
/*
 * freeze_test.c - the freeze machine, row by row, and the order of its stores
 *
 * The tables are written out by hand from the rules, so that they share no
 * expression with the code that they check.
 */
#include <string.h>

#include "driver/freeze.h"
#include "harness.h"
#include "tap.h"

#define G	DFX_RECOVERY_GLOBAL
#define L	DFX_RECOVERY_LANE

static const struct {
	bool active, contended;
	u32 recovery;
	bool open, consume;
} mark_rows[] = {
	/* active contended recovery	open consume */
	{ 0, 0, G,			0, 0 },
	{ 0, 1, G,			1, 1 },	/* a leader opens */
	{ 1, 0, G,			0, 0 },
	{ 1, 1, G,			0, 1 },	/* covered by the open one */
	{ 0, 0, L,			0, 0 },
	{ 0, 1, L,			0, 0 },	/* no freeze; mark stays */
	{ 1, 0, L,			0, 0 },
	{ 1, 1, L,			0, 0 },
};

static const struct {
	bool active, rq_empty;
	bool refill;
} refill_rows[] = {
	{ 0, 0, 1 },
	{ 0, 1, 1 },
	{ 1, 0, 0 },	/* frozen, and a ready queue still has entries */
	{ 1, 1, 1 },	/* the freeze's own refill */
};

static const struct {
	bool active, rq_empty, fq_full, release_ready;
	bool close;
} close_rows[] = {
	{ 0, 0, 0, 0, 0 },
	{ 0, 0, 0, 1, 0 },
	{ 0, 0, 1, 0, 0 },
	{ 0, 0, 1, 1, 0 },
	{ 0, 1, 0, 0, 0 },
	{ 0, 1, 0, 1, 0 },
	{ 0, 1, 1, 0, 0 },
	{ 0, 1, 1, 1, 0 },
	{ 1, 0, 0, 0, 0 },
	{ 1, 0, 0, 1, 0 },
	{ 1, 0, 1, 0, 0 },
	{ 1, 0, 1, 1, 0 },
	{ 1, 1, 0, 0, 0 },
	{ 1, 1, 0, 1, 0 },
	{ 1, 1, 1, 0, 0 },
	{ 1, 1, 1, 1, 1 },	/* the only row that ends it */
};

static void test_tables(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(mark_rows); i++) {
		struct dfx_freeze_act act;

		act = dfx_freeze_mark((struct dfx_freeze_gate){
			.active = mark_rows[i].active,
			.contended = mark_rows[i].contended,
		}, mark_rows[i].recovery);
		CHECK_EQ(act.open, mark_rows[i].open);
		CHECK_EQ(act.consume, mark_rows[i].consume);
		tap_end("mark: active %d contended %d recovery %s",
			mark_rows[i].active, mark_rows[i].contended,
			mark_rows[i].recovery == G ? "global" : "lane");
	}
	for (i = 0; i < ARRAY_SIZE(refill_rows); i++)
		tap_ok(dfx_freeze_may_refill(refill_rows[i].active,
					     refill_rows[i].rq_empty) ==
		       refill_rows[i].refill,
		       "refill: active %d rq_empty %d", refill_rows[i].active,
		       refill_rows[i].rq_empty);
	for (i = 0; i < ARRAY_SIZE(close_rows); i++) {
		struct dfx_freeze_tests tests = {
			.rq_empty = close_rows[i].rq_empty,
			.fq_full = close_rows[i].fq_full,
			.release_ready = close_rows[i].release_ready,
		};

		tap_ok(dfx_freeze_close(close_rows[i].active, tests) ==
		       close_rows[i].close,
		       "close: active %d rq_empty %d fq_full %d ready %d",
		       close_rows[i].active, tests.rq_empty, tests.fq_full,
		       tests.release_ready);
	}
}

/* ---- order of stores, seen by a transport that writes down all of them --- */

enum what {
	RQ_ACTIVE_1, RQ_ACTIVE_0, FQ_ACTIVE_1, FQ_ACTIVE_0, RQ_CLEAR, FQ_CLEAR,
	FQ_TAIL, RQ_HEAD, NR_WHAT,
};

static const char * const what_name[] = {
	"rq active=1", "rq active=0", "fq active=1", "fq active=0",
	"rq contended=0", "fq contended=0", "fq tail", "rq head",
};

static struct {
	struct world *w;
	enum what log[64];
	u32 nr;
} rec;

static void log_store(enum what what)
{
	if (rec.nr < ARRAY_SIZE(rec.log))
		rec.log[rec.nr++] = what;
}

static void recording_store32(struct dfx_io *io, u64 off, u32 val)
{
	const struct dfx_geometry *g = &rec.w->host.geom;

	if (off == g->freeze_off)
		log_store(val ? RQ_ACTIVE_1 : RQ_ACTIVE_0);
	else if (off == g->freeze_off + 4)
		log_store(val ? FQ_ACTIVE_1 : FQ_ACTIVE_0);
	else if (off == g->dev_off)
		log_store(RQ_CLEAR);
	else if (off == g->dev_off + 4)
		log_store(FQ_CLEAR);
	else if (off >= g->rq_head_off && off < g->fq_off)
		log_store(RQ_HEAD);
	else if (off >= g->fq_off && off < g->dev_off &&
		 !((off - g->fq_off) % sizeof(struct dfx_shm_fq)))
		log_store(FQ_TAIL);
	dfx_region_direct_ops.store32(io, off, val);
}

static void expect_log(const enum what *want, u32 nr, const char *name)
{
	u32 i;

	if (!CHECK_EQ(rec.nr, nr))
		for (i = 0; i < rec.nr; i++)
			tap_note("stored: %s", what_name[rec.log[i]]);
	for (i = 0; i < nr && i < rec.nr; i++)
		if (!CHECK_EQ(rec.log[i], want[i]))
			tap_note("%s instead of %s", what_name[rec.log[i]],
				 what_name[want[i]]);
	rec.nr = 0;
	tap_end("order: %s", name);
}

#define EXPECT_LOG(name, ...) \
	expect_log((const enum what[]){ __VA_ARGS__ }, \
		   sizeof((const enum what[]){ __VA_ARGS__ }) / \
		   sizeof(enum what), name)

static void drop_all(struct world *w)
{
	u32 id;

	while ((id = dfx_table_hold(&w->host, 0, w)) != DFX_NIL)
		dfx_table_release(&w->host, id);
}

/* One lane, one pool, two buffers of one record, a ready queue of four. */
static struct world *order_world(struct dfx_region_ops *ops)
{
	struct world *w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 1,
		.pools_per_lane = 1,
		.limits = { .buffers = 2, .records = 1, .slots = 2,
			    .rq_depth = 4 },
	});

	*ops = dfx_region_direct_ops;
	ops->store32 = recording_store32;
	world_start(w, 1, 1000, DFX_RECOVERY_GLOBAL);
	dfx_dev_poll(&w->lanes[0]);
	world_pass(w);
	rec.w = w;
	rec.nr = 0;
	w->host.io.ops = ops;
	return w;
}

static void test_order(void)
{
	struct dfx_region_ops ops;
	struct world *w = order_world(&ops);
	struct dfx_dev_pool *pool = &w->dpools[0];
	struct dfx_shm_contended *c = world_contended(w);

	/* Both buffers go to the host, and the lane finds the queue empty. */
	CHECK(world_produce(&w->lanes[0], pool, DFX_DEV_TRY, 0));
	CHECK(world_produce(&w->lanes[0], pool, DFX_DEV_TRY, 1));
	CHECK(!world_produce(&w->lanes[0], pool, DFX_DEV_TRY, 2));
	CHECK_EQ(c->fq_contended, 1);
	world_pass(w);
	EXPECT_LOG("open: active, then the mark, then the drain",
		   FQ_ACTIVE_1, FQ_CLEAR, RQ_HEAD, RQ_HEAD);

	world_pass(w);
	expect_log(NULL, 0, "nothing to do, nothing stored");

	/* Released by the consumer, but an entry is still in the queue. */
	drop_all(w);
	world_lane(w, 0)->rq_tail++;
	dfx_pass(&w->host, 0, world_now());
	expect_log(NULL, 0, "no refill while frozen with an entry waiting");
	world_lane(w, 0)->rq_tail--;

	w->release_ready = false;
	world_pass(w);
	EXPECT_LOG("refill, but no release without the predicate", FQ_TAIL);
	CHECK_EQ(world_freeze(w)->fq_freeze_active, 1);

	/* A mark that comes late is consumed before the freeze ends. */
	c->fq_contended = 1;
	w->release_ready = true;
	world_pass(w);
	EXPECT_LOG("a late mark is consumed, then the freeze ends",
		   FQ_CLEAR, FQ_ACTIVE_0);

	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].opens, 1);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].releases, 1);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].marks, 2);
	CHECK_EQ(w->host.freeze[DFX_GATE_RQ].opens, 0);
	tap_end("one incident, one gap, both marks counted");

	/* The lane goes on; both gates, and refill before release. */
	CHECK(world_produce(&w->lanes[0], pool, DFX_DEV_TRY, 2));
	CHECK(world_produce(&w->lanes[0], pool, DFX_DEV_TRY, 3));
	CHECK(!world_produce(&w->lanes[0], pool, DFX_DEV_TRY, 4));
	c->rq_contended = 1;
	world_pass(w);
	EXPECT_LOG("both gates open, each active before its mark",
		   RQ_ACTIVE_1, RQ_CLEAR, FQ_ACTIVE_1, FQ_CLEAR, RQ_HEAD,
		   RQ_HEAD);
	drop_all(w);
	world_pass(w);
	EXPECT_LOG("refill before both gates close together",
		   FQ_TAIL, RQ_ACTIVE_0, FQ_ACTIVE_0);

	/* Recovery by lane: no freeze, the mark is left alone. */
	world_free(w);
	w = order_world(&ops);
	w->host.recovery = DFX_RECOVERY_LANE;
	world_contended(w)->fq_contended = 1;
	world_contended(w)->rq_contended = 1;
	world_pass(w);
	expect_log(NULL, 0, "recovery by lane stores no flag");

	/* A stop ends a freeze, and that is not a release. */
	w->host.recovery = DFX_RECOVERY_GLOBAL;
	w->release_ready = false;
	world_pass(w);
	rec.nr = 0;
	dfx_control_stop(&w->host, world_now());
	EXPECT_LOG("a stop closes both gates", RQ_ACTIVE_0, FQ_ACTIVE_0);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].opens, 1);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].releases, 0);
	CHECK_EQ(w->host.freeze[DFX_GATE_FQ].active, 0);
	CHECK_EQ(w->seen.opened[DFX_GATE_RQ], 1);
	CHECK_EQ(w->seen.closed[DFX_GATE_RQ], 1);
	tap_end("a stop that closes a freeze is not a release");
	world_free(w);
}

int main(void)
{
	tap_plan(8 + 4 + 16 + 11, 20);
	test_tables();
	test_order();
	return tap_done();
}
