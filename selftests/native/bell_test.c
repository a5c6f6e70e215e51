// SPDX-License-Identifier: GPL-2.0-only
/*
 * bell_test.c - the doorbell between engine and host side
 *
 * Who rings when, that a full barrier stands where it must, and that no wake-up is
 * lost wherever the host arms and looks in the middle of what the lane does.
 */
#include <string.h>

#include "harness.h"
#include "step_port.h"
#include "tap.h"

#define PEER	7
#define VECTOR	2

static struct world *w;
static struct dfx_dev_lane *lane;
static struct dfx_dev_pool *pool;
static u32 rings, ring_peer, ring_vector;

static void ring(void *ctx, __u32 peer, __u32 vector)
{
	CHECK(ctx == &rings);
	rings++;
	ring_peer = peer;
	ring_vector = vector;
}

static struct dfx_shm_aperture *aperture(void)
{
	return (void *)(w->aperture + DFX_SHM_PAGE);
}

/* Attaches anew to a host that says these things of its doorbell. */
static void attach(u32 known, u32 peer, u32 vectors, u32 vector)
{
	struct dfx_shm_ident *id = (void *)w->aperture;

	id->doorbell = known;
	aperture()->peer = peer;
	aperture()->vectors = vectors;
	aperture()->regions[0].vector = vector;
	CHECK_EQ(dfx_dev_attach(&w->dev, w->aperture, w->size), DFX_DEV_OK);
	dfx_dev_set_doorbell(&w->dev, ring, &rings);
	CHECK_EQ(dfx_dev_region_open(&w->region, &w->dev, w->host.geom.subsys,
				     w->dpools, w->host.geom.nr_pools),
		 DFX_DEV_OK);
	CHECK_EQ(dfx_dev_lane_open(lane, &w->region, 0), DFX_DEV_OK);
}

/* One lane, one pool; every buffer holds one record. */
static void setup(u32 buffers, u32 slots, u32 recovery)
{
	memset(&step, 0, sizeof(step));
	rings = 0;
	w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = 1,
		.pools_per_lane = 1,
		.limits = { .buffers = buffers, .records = 1, .slots = slots,
			    .rq_depth = 4 },
	});
	lane = &w->lanes[0];
	pool = &w->dpools[0];
	attach(DFX_MAX_VECTORS, PEER, 4, VECTOR);
	CHECK_EQ(world_start(w, 5, 1000, recovery), 0);
	dfx_dev_poll(lane);
	world_pass(w);
}

static void done(const char *name)
{
	tap_end("%s", name);
	world_free(w);
}

static bool put(void)
{
	return world_produce(lane, pool, DFX_DEV_TRY, 1);
}

static void release_all(void)
{
	u32 id;

	while ((id = dfx_table_hold(&w->host, 0, w)) != DFX_NIL)
		dfx_table_release(&w->host, id);
}

/* ---- who rings -------------------------------------------------------------- */

static void test_none(void)
{
	setup(4, 4, DFX_RECOVERY_GLOBAL);
	w->region.bell = 0;
	dfx_event_arm(&w->host);
	step.fences = 0;
	while (put())
		;
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_OK);
	CHECK_EQ(step.fences, 0);
	CHECK_EQ(rings, 0);
	done("without a doorbell there is no barrier");
}

static void test_event(void)
{
	setup(4, 4, DFX_RECOVERY_GLOBAL);
	CHECK(put());
	dfx_event_arm(&w->host);
	/* A full buffer goes out when the next record needs room. */
	CHECK(put());
	CHECK_EQ(rings, 1);
	CHECK_EQ(ring_peer, PEER);
	CHECK_EQ(ring_vector, VECTOR);
	CHECK(put());
	CHECK_EQ(rings, 1);
	tap_end("an entry rings once, the next one not again");

	CHECK_EQ(world_pass(w).taken, 2);
	dfx_event_disarm(&w->host);
	release_all();
	world_pass(w);
	CHECK(put());
	CHECK_EQ(rings, 1);
	done("disarmed: an entry does not ring");
}

static void test_armed(void)
{
	setup(2, 2, DFX_RECOVERY_GLOBAL);
	dfx_event_arm(&w->host);
	world_rq_head(w, 0)->event = ~0u;
	CHECK(put());
	CHECK_EQ(rings, 0);
	CHECK(put());
	CHECK_EQ(rings, 1);
	tap_end("armed: taking the last free buffer rings");
	CHECK(!put());
	CHECK_EQ(world_contended(w)->fq_contended, 1);
	CHECK_EQ(rings, 2);
	tap_end("armed: a mark rings");
	dfx_control_flush(&w->host);
	dfx_dev_poll(lane);
	CHECK_EQ(rings, 3);
	tap_end("armed: an ack rings");
	dfx_event_disarm(&w->host);
	world_contended(w)->fq_contended = 0;
	CHECK(!put());
	CHECK_EQ(world_contended(w)->fq_contended, 1);
	dfx_control_flush(&w->host);
	dfx_dev_poll(lane);
	CHECK_EQ(rings, 3);
	done("disarmed: none of them rings");
}

static void test_leader(void)
{
	setup(2, 2, DFX_RECOVERY_GLOBAL);
	dfx_event_arm(&w->host);
	rings = 0;
	CHECK_EQ(dfx_dev_wait_for_release(lane, DFX_DEV_TRY), DFX_DEV_AGAIN);
	CHECK_EQ(rings, 1);
	done("armed: a leader that waits for a whole cycle rings");
}

static void never_rings(u32 known, u32 peer, u32 vectors, u32 vector)
{
	setup(4, 4, DFX_RECOVERY_GLOBAL);
	attach(known, peer, vectors, vector);
	CHECK(!w->region.bell);
	dfx_dev_poll(lane);
	world_pass(w);
	dfx_event_arm(&w->host);
	while (put())
		;
	CHECK_EQ(rings, 0);
	world_free(w);
}

static void test_deaf(void)
{
	never_rings(DFX_MAX_VECTORS, PEER, 0, VECTOR);
	tap_end("a host that does not listen is not rung");
	never_rings(DFX_MAX_VECTORS, DFX_MAX_PEER + 1, 4, VECTOR);
	never_rings(2, PEER, 3, VECTOR);
	never_rings(DFX_MAX_VECTORS, PEER, 2, 2);
	tap_end("a peer, vectors or a vector that cannot be: not rung");
}

/* ---- the order of things -------------------------------------------------------- */

struct seen {
	u32 tail_at_fence;
	u32 tail_at_event;
	u64 fences_at_event;
};

static struct seen at;

static void order_fence(void *arg)
{
	(void)arg;
	at.tail_at_fence = world_lane(w, 0)->rq_tail;
}

static void order_load(void *arg, const __le32 *p)
{
	(void)arg;
	if (p != &world_rq_head(w, 0)->event)
		return;
	at.tail_at_event = world_lane(w, 0)->rq_tail;
	at.fences_at_event = step.fences;
}

static void test_order_lane(void)
{
	setup(4, 4, DFX_RECOVERY_GLOBAL);
	CHECK(put());
	at = (struct seen){ };
	step.fences = 0;
	step.fence = order_fence;
	step.load = order_load;
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_OK);
	step.fence = NULL;
	step.load = NULL;
	CHECK_EQ(at.tail_at_fence, 1);
	CHECK_EQ(at.tail_at_event, 1);
	CHECK_EQ(at.fences_at_event, 1);
	done("lane: the tail, a full barrier, then what the host asks for");
}

/* What the host side stores, and where its barrier is. */
static char log_host[64];

static void log_add(char c)
{
	size_t len = strlen(log_host);

	if (len + 1 < sizeof(log_host))
		log_host[len] = c;
}

static void log_store32(struct dfx_io *io, u64 off, u32 val)
{
	u64 head = w->host.geom.rq_head_off;

	if (off == head + offsetof(struct dfx_shm_rq_head, event))
		log_add('e');
	else if (off == head + offsetof(struct dfx_shm_rq_head, armed))
		log_add(val ? 'A' : 'a');
	dfx_region_direct_ops.store32(io, off, val);
}

static void log_barrier(struct dfx_io *io)
{
	log_add('|');
	dfx_region_direct_ops.full_barrier(io);
}

static void test_order_host(void)
{
	struct dfx_region_ops ops = dfx_region_direct_ops;

	setup(4, 4, DFX_RECOVERY_GLOBAL);
	ops.store32 = log_store32;
	ops.full_barrier = log_barrier;
	w->host.io.ops = &ops;
	memset(log_host, 0, sizeof(log_host));
	dfx_event_arm(&w->host);
	CHECK(!strcmp(log_host, "eA|"));
	CHECK_EQ(world_rq_head(w, 0)->event, 0);
	tap_end("host: what it asks for, then a full barrier");
	dfx_event_disarm(&w->host);
	CHECK(!strcmp(log_host, "eA|ea"));
	CHECK_EQ(world_rq_head(w, 0)->event, ~0u);
	dfx_event_disarm(&w->host);
	CHECK(!strcmp(log_host, "eA|ea"));
	tap_end("host: disarmed once");

	dfx_event_arm(&w->host);
	dfx_control_stop(&w->host, world_now());
	dfx_dev_poll(lane);
	CHECK_EQ(rings, 1);
	dfx_control_end(&w->host, world_now());
	CHECK_EQ(world_rq_head(w, 0)->armed, 0);
	dfx_dev_poll(lane);
	CHECK_EQ(rings, 1);
	world_rq_head(w, 0)->event = 0;
	world_rq_head(w, 0)->armed = 1;
	CHECK_EQ(world_start(w, 6, 1000, DFX_RECOVERY_GLOBAL), 0);
	CHECK_EQ(world_rq_head(w, 0)->event, ~0u);
	CHECK_EQ(world_rq_head(w, 0)->armed, 0);
	w->host.io.ops = &dfx_region_direct_ops;
	done("host: a session begins and ends with nobody asked");
}

/* ---- no wake-up is lost ------------------------------------------------------------ */

static u64 point;	/* where the host comes in */
static u64 passed;	/* points so far */
static u32 found;	/* entries that its look took */

static void maybe_arm(void)
{
	if (passed++ != point)
		return;
	dfx_event_arm(&w->host);
	found = world_pass(w).taken;
}

static void lost_fence(void *arg)
{
	(void)arg;
	maybe_arm();
}

static void lost_load(void *arg, const __le32 *p)
{
	(void)arg;
	(void)p;
	maybe_arm();
}

/*
 * The lane publishes once; the host arms and looks at the point'th moment. True
 * while there are more moments.
 */
static bool try_point(u64 n)
{
	bool more;

	setup(4, 4, DFX_RECOVERY_GLOBAL);
	CHECK(put());
	rings = 0;
	found = 0;
	point = n;
	passed = 0;
	step.fence = lost_fence;
	step.load = lost_load;
	CHECK_EQ(dfx_dev_flush(lane, DFX_DEV_TRY), DFX_DEV_OK);
	step.fence = NULL;
	step.load = NULL;
	more = passed > point;
	/* Seen by the look, or rung for: one of them at least. */
	if (more)
		CHECK(found || rings);
	world_free(w);
	return more;
}

static void test_lost(void)
{
	u64 n = 0;

	while (try_point(n))
		n++;
	CHECK(n >= 4);
	tap_end("wherever the host arms and looks, it finds the entry or is rung");
}

int main(void)
{
	tap_plan(15, 60);
	test_none();
	test_event();
	test_armed();
	test_leader();
	test_deaf();
	test_order_lane();
	test_order_host();
	test_lost();
	return tap_done();
}
