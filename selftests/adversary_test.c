// SPDX-License-Identifier: GPL-2.0-only
/*
 * adversary_test.c - a device that lies, a user that tries everything
 *
 * In each round somebody breaks the protocol at random, and everybody else gets
 * all that is theirs: the other lane, the other region, the next session.
 *
 *	DFX_SEED=N	repeats a run
 *	DFX_ROUNDS=N	rounds of each test, instead of a few
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"
#include "liar.h"
#include "rogue.h"

/* Lane 0 is the one that lies, or whose consumer does; its pools come first. */
#define BAD		0
#define GOOD		1
#define NR_LANES	2
#define NR_CORES	4
#define MAX_BAD_POOLS	2

#define RECORDS		4
#define BUFFERS		4
#define QUOTA		50
#define CLEAN_QUOTA	10
#define ARENA_KB	4
#define ARENA		(ARENA_KB * 1024u)

/* Things that an adversary does in a round, at least. */
#define LIES		30
#define ACTS		300
/* If it has not done so many by then, it has still done a few. */
#define PATIENCE_MS	1500

static __u64 seed;

static void __attribute__((constructor)) seed_take(void)
{
	seed = env_seed();
}

/**
 * struct host - one region and its consumer
 * @path: the node.
 * @fd: the consumer.
 * @ring: its rings.
 * @ledger: what it got.
 * @nr_pools: its pools.
 * @bad_pools: of these, lane 0's.
 * @next_seq: of the liar's pools: what the driver lets through is in order.
 * @pos: likewise, of its arena: no byte is given out twice.
 * @liars: records that it let through of them.
 * @gaps: another consumer has taken some of them.
 */
struct host {
	char path[64];
	int fd;
	struct ring ring;
	struct ledger ledger;
	__u32 nr_pools;
	__u32 bad_pools;
	__u32 next_seq[MAX_BAD_POOLS];
	__u64 pos[MAX_BAD_POOLS];
	__u64 liars[MAX_BAD_POOLS];
	bool gaps;
};

FIXTURE(device) {
	__u32 subsys;
	struct fw fw;
	struct fw_lane other[NR_LANES];
	struct host swim;
	struct host pmu;
	int monitor;
	int klog;
	int klog_good;
	struct liar liar;
	struct rng rng;
	struct rogue_log *log;
	pid_t pid;
};

/* The lanes of the region that fw.c does not know. */
static int other_lane_attach(struct fw_lane *l, struct fw *fw, __u32 number)
{
	l->fw = fw;
	l->number = number;
	l->subsys = DFX_SUBSYS_PMU;
	return fw_lane_attach(l);
}

static void lane_stop(struct fw_lane *l)
{
	if (!l->threaded)
		return;
	__atomic_store_n(&l->stop, true, __ATOMIC_RELEASE);
	pthread_join(l->thread, NULL);
	l->threaded = false;
}

/* Whether it has written its quota in this session, and published it. */
static bool lane_done(struct fw_lane *l, __u64 session)
{
	return __atomic_load_n(&l->lane.session, __ATOMIC_RELAXED) == session &&
	       __atomic_load_n(&l->lane.runs, __ATOMIC_RELAXED);
}

static void lane_quota(struct fw_lane *l, __u64 quota)
{
	__atomic_store_n(&l->quota, quota, __ATOMIC_RELAXED);
}

/* Pools of a region with arenas belong to lanes, others to cores. */
static int host_open(struct host *h, __u32 subsys)
{
	static const char *const name[DFX_NR_SUBSYS] = {
		[DFX_SUBSYS_L2_SWIMLANE] = "l2_swimlane",
		[DFX_SUBSYS_PMU] = "pmu",
		[DFX_SUBSYS_TENSOR_DUMP] = "tensor_dump",
	};

	h->nr_pools = subsys == DFX_SUBSYS_TENSOR_DUMP ? NR_LANES : NR_CORES;
	h->bad_pools = h->nr_pools / NR_LANES;
	if (sysfs_node(name[subsys], h->path, sizeof(h->path)))
		return -1;
	h->fd = open(h->path, O_RDWR | O_CLOEXEC);
	return h->fd < 0 ? -1 : 0;
}

static int host_policy(struct host *h)
{
	struct dfx_policy p = {
		.records = RECORDS,
		.buffers = BUFFERS,
		.rq_depth = 8,
		.arena_kb = ARENA_KB,
		/* Nobody gives up, however slow the machine. */
		.deadline_ms = 300000,
	};

	return _test_ioctl_policy(h->fd, DFX_POLICY_SET, &p);
}

FIXTURE_SETUP(device)
{
	const struct fw_config config = {
		.lanes = NR_LANES,
		.cores = NR_CORES,
		.subsystems = 1u << self->subsys | 1u << DFX_SUBSYS_PMU,
		.subsys = self->subsys,
		.payload = 700,
	};
	int i;

	self->swim.fd = -1;
	self->pmu.fd = -1;
	ASSERT_EQ(0, fw_up(&self->fw, &config));
	ASSERT_EQ(0, madvise(self->fw.bar, self->fw.bar_size, MADV_DONTFORK));
	for (i = 0; i < NR_LANES; i++) {
		ASSERT_EQ(0, other_lane_attach(&self->other[i], &self->fw, i));
		ASSERT_EQ(0, fw_run_lane(&self->other[i], QUOTA));
	}
	ASSERT_EQ(0, fw_run_lane(&self->fw.lane[GOOD], QUOTA));
	ASSERT_EQ(0, host_open(&self->swim, self->subsys));
	ASSERT_EQ(0, host_open(&self->pmu, DFX_SUBSYS_PMU));
	self->monitor = open(self->swim.path, O_RDWR | O_CLOEXEC);
	ASSERT_GE(self->monitor, 0);
	ASSERT_EQ(0, host_policy(&self->swim));
	ASSERT_EQ(0, host_policy(&self->pmu));
	self->klog = klog_open();
	ASSERT_GE(self->klog, 0);
	self->klog_good = klog_open();
	ASSERT_GE(self->klog_good, 0);
	self->log = mmap(NULL, sizeof(*self->log), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->log);
}

FIXTURE_TEARDOWN(device)
{
	int i;

	if (self->pid > 0) {
		kill(self->pid, SIGKILL);
		waitpid(self->pid, NULL, 0);
	}
	ring_close(&self->swim.ring);
	ring_close(&self->pmu.ring);
	close(self->swim.fd);
	close(self->pmu.fd);
	close(self->monitor);
	close(self->klog);
	close(self->klog_good);
	liar_stop(&self->liar);
	/* A lane that is parked leaves when its host has gone. */
	if (self->fw.bdf[0] && sysfs_bound(self->fw.bdf))
		sysfs_unbind(self->fw.bdf);
	for (i = 0; i < NR_LANES; i++)
		lane_stop(&self->other[i]);
	fw_down(&self->fw);
}

/* What the driver lets through of a lane that lies keeps to the rules. */
static int host_look_at(struct host *h, const struct dfx_ready *e)
{
	const struct dfx_frame *f = &e->frame;
	__u64 share = e->arena.len, rest = share - e->arena_first, i;
	volatile unsigned char sum = 0;
	__u64 len = f->count * f->record_size;

	if (f->flags & DFX_FRAME_ARENA)
		len += sizeof(e->arena) + share;
	if (f->pool >= h->bad_pools || f->seq < h->next_seq[f->pool] ||
	    (f->seq > h->next_seq[f->pool] && !h->gaps) ||
	    !f->count || f->count > RECORDS ||
	    f->len != len || share > ARENA || e->arena_first > share ||
	    (share && e->arena.pos != h->pos[f->pool]) ||
	    e->arena_off + e->arena_first > h->ring.a.out_buffers_len ||
	    e->arena_wrap + rest > h->ring.a.out_buffers_len ||
	    f->session != h->ring.ready->session ||
	    e->offset + f->count * f->record_size >
	    h->ring.a.out_buffers_len) {
		snprintf(h->ledger.why, sizeof(h->ledger.why),
			 "lane %u pool %u seq %u count %u len %u, %llu at %llu",
			 f->lane, f->pool, f->seq, f->count, f->len, share,
			 e->arena.pos);
		return -1;
	}
	h->next_seq[f->pool] = f->seq + 1;
	h->pos[f->pool] += share;
	for (i = 0; i < f->count * f->record_size; i++)
		sum += h->ring.buffers[e->offset + i];
	for (i = 0; i < e->arena_first; i++)
		sum += h->ring.buffers[e->arena_off + i];
	for (i = 0; i < rest; i++)
		sum += h->ring.buffers[e->arena_wrap + i];
	h->liars[f->pool] += f->count;
	return 0;
}

/* Takes what there is; what the liar's lane sent is only looked at. */
static int host_drain(struct host *h, __u64 liars)
{
	const struct dfx_ready *e;
	int n = 0, rc;

	while ((e = ring_next(&h->ring))) {
		if (liars >> (e->frame.lane & 63) & 1)
			rc = host_look_at(h, e);
		else
			rc = ring_enter(&h->ring, e, &h->ledger);
		if (rc)
			return -1;
		ring_release(&h->ring, e->cookie);
		n++;
	}
	return n;
}

/* Whether pools from @first on have @quota records each, or never will. */
static bool host_has(struct host *h, __u32 first, __u64 quota, __u64 liars)
{
	__u32 p;

	if (host_drain(h, liars) < 0)
		return true;
	for (p = first; p < h->nr_pools; p++)
		if (h->ledger.pools[p].records < quota)
			return false;
	return true;
}

static int host_drain_to_end(struct host *h, __u64 liars)
{
	__u64 until = clock_ns() + SOON_MS * 1000000ull;
	int ended, n;

	do {
		/* The end first: what is drained after it is all there is. */
		ended = ring_ended(&h->ring);
		n = host_drain(h, liars);
		if (n < 0)
			return -1;
		if (!n)
			ring_wait(&h->ring, ended ? 0 : 5000000);
	} while ((!ended || n) && clock_ns() < until);
	return ended ? 0 : -2;
}

#define EXPECT_LEDGER(h) \
	EXPECT_EQ(0, (h)->ledger.why[0]) { \
		TH_LOG("%s", (h)->ledger.why); \
	}

/* Pools from @first on: all that was asked for has come, nothing else. */
#define EXPECT_HONEST(h, first, quota) \
	({ \
		struct host *_h = (h); \
		struct snap _s; \
		EXPECT_LEDGER(_h); \
		test_ioctl_state(_h->fd, &_s); \
		for (__u32 _p = (first); _p < _h->nr_pools; _p++) { \
			const struct dfx_pool_state *_q = &_s.pools[_p]; \
			EXPECT_EQ((quota), _h->ledger.pools[_p].records); \
			EXPECT_EQ(0, _h->ledger.pools[_p].lost); \
			EXPECT_EQ((quota), _q->produced); \
			EXPECT_EQ((quota), _q->delivered); \
			EXPECT_EQ(0, snap_dropped(_q)); \
			EXPECT_EQ(0, _q->in_flight); \
			EXPECT_EQ(0, _q->mismatch); \
			EXPECT_EQ(0, _q->quarantine); \
		} \
		for (__u32 _i = (first) / _h->bad_pools; _i < NR_LANES; _i++) { \
			EXPECT_EQ(0, _s.lanes[_i].fault); \
			EXPECT_EQ(0, _s.lanes[_i].bad_entries); \
			EXPECT_EQ(0, _s.lanes[_i].expired); \
			EXPECT_EQ(0, _s.lanes[_i].flags & DFX_LANE_F_SILENT); \
		} \
		EXPECT_EQ(0, _h->ledger.redelivered); \
	})

/* Every buffer of every pool is somewhere, once. */
#define EXPECT_CONSERVED(the_fd) \
	({ \
		struct snap _s; \
		test_ioctl_state(the_fd, &_s); \
		for (__u32 _p = 0; _p < _s.s.nr_pools; _p++) \
			EXPECT_EQ(BUFFERS, snap_buffers(&_s.pools[_p])); \
	})

#define HOST_START(h) \
	({ \
		__u64 _session; \
		memset(&(h)->ledger, 0, sizeof((h)->ledger)); \
		memset((h)->next_seq, 0, sizeof((h)->next_seq)); \
		memset((h)->pos, 0, sizeof((h)->pos)); \
		memset((h)->liars, 0, sizeof((h)->liars)); \
		/* All lanes, whoever attaches to them when. */ \
		test_ioctl_start((h)->fd, (1u << NR_LANES) - 1, &_session); \
	})

/* Which round it was, and where everything is. */
#define SAY(round) \
	({ \
		struct snap _s; \
		TH_LOG("round %u: DFX_SEED=%llu", round, seed); \
		snap_take(&_s, self->d.monitor); \
		TH_LOG("session state %u, gates %u %u, attached %#llx", \
		       _s.s.out_session_state, _s.s.out_freeze[0].active, \
		       _s.s.out_freeze[1].active, _s.s.out_attached_mask); \
		for (__u32 _i = 0; _i < NR_LANES; _i++) \
			TH_LOG("lane %u: state %u flags %#x fault %u runs %u fill %u", \
			       _i, _s.lanes[_i].state, _s.lanes[_i].flags, \
			       _s.lanes[_i].fault, _s.lanes[_i].runs, \
			       _s.lanes[_i].rq_fill); \
		for (__u32 _i = 0; _i < _s.s.nr_pools; _i++) \
			TH_LOG("pool %u: free %u queued %u device %u ready %u held %u, produced %llu delivered %llu", \
			       _i, _s.pools[_i].free, _s.pools[_i].queued, \
			       _s.pools[_i].device, _s.pools[_i].ready, \
			       _s.pools[_i].held, _s.pools[_i].produced, \
			       _s.pools[_i].delivered); \
	})

/* ---- a device that lies ------------------------------------------------------ */

FIXTURE(liar) {
	FIXTURE_DATA(device) d;
};

FIXTURE_VARIANT(liar) {
	enum liar_kind kind;
	__u32 rounds;
	__u32 subsys;
};

FIXTURE_VARIANT_ADD(liar, words) { .kind = LIAR_WORDS, .rounds = 16 };
FIXTURE_VARIANT_ADD(liar, entries) { .kind = LIAR_ENTRIES, .rounds = 16 };
FIXTURE_VARIANT_ADD(liar, flips) { .kind = LIAR_FLIPS, .rounds = 12 };
FIXTURE_VARIANT_ADD(liar, ones) { .kind = LIAR_ONES, .rounds = 3 };
FIXTURE_VARIANT_ADD(liar, marks) { .kind = LIAR_MARKS, .rounds = 5 };
FIXTURE_VARIANT_ADD(liar, deaf) { .kind = LIAR_DEAF, .rounds = 4 };
FIXTURE_VARIANT_ADD(liar, all) { .kind = LIAR_ALL, .rounds = 12 };

/* In a region with arenas. */
FIXTURE_VARIANT_ADD(liar, arena) {
	.kind = LIAR_ARENA, .rounds = 12, .subsys = DFX_SUBSYS_TENSOR_DUMP,
};

FIXTURE_VARIANT_ADD(liar, arena_flips) {
	.kind = LIAR_ARENA_FLIPS, .rounds = 12,
	.subsys = DFX_SUBSYS_TENSOR_DUMP,
};

FIXTURE_VARIANT_ADD(liar, arena_all) {
	.kind = LIAR_ALL, .rounds = 12, .subsys = DFX_SUBSYS_TENSOR_DUMP,
};

FIXTURE_VARIANT_ADD(liar, arena_deaf) {
	.kind = LIAR_DEAF, .rounds = 6, .subsys = DFX_SUBSYS_TENSOR_DUMP,
};

FIXTURE_SETUP(liar)
{
	FIXTURE_DATA(device) *d = &self->d;

	d->subsys = variant->subsys;
	device_setup(_metadata, d, NULL);
	d->rng = rng_of(seed, variant->kind + (variant->subsys << 8));
	ASSERT_EQ(0, ring_open(&d->swim.ring, d->swim.fd, 0));
	ASSERT_EQ(0, ring_open(&d->pmu.ring, d->pmu.fd, 0));
}

FIXTURE_TEARDOWN(liar)
{
	device_teardown(_metadata, &self->d, NULL);
}

/* The lie goes on until the others have all that is theirs. */
static bool liar_round_over(FIXTURE_DATA(device) *d)
{
	bool swim = host_has(&d->swim, d->swim.bad_pools, QUOTA, 1u << BAD);
	bool pmu = host_has(&d->pmu, 0, QUOTA, 0);

	return swim && pmu && liar_lies(&d->liar) >= LIES;
}

TEST_F_TIMEOUT(liar, others_get_theirs, 200)
{
	FIXTURE_DATA(device) *d = &self->d;
	__u32 rounds = env_number("DFX_ROUNDS", variant->rounds), round;
	struct fw_lane *bad = &d->fw.lane[BAD];
	bool arena = variant->kind == LIAR_ARENA ||
		     variant->kind == LIAR_ARENA_FLIPS;
	__u64 session, silent, number, pending, revived, ill;
	__u32 faults = 0, silents = 0, p;
	struct snap snap;
	int said;

	for (round = 0; round < rounds && _metadata->passed; round++) {
		HOST_START(&d->swim);
		HOST_START(&d->pmu);
		ASSERT_EQ(0, liar_start(&d->liar, bad, variant->kind,
					rng_of(rng_next(&d->rng), 0)));
		ASSERT_SOON(liar_round_over(d)) {
			SAY(round);
		}
		EXPECT_CONSERVED(d->monitor);
		/* It may leave a flush unanswered; the others do not. */
		if (!_test_ioctl_flush(d->monitor, 2000000, &number, &pending))
			EXPECT_EQ(0, pending & ~(1ull << BAD));
		if (variant->kind == LIAR_DEAF || rng_once_in(&d->rng, 2))
			EXPECT_SOON((_test_ioctl_flush(d->monitor, 1000000,
						       &number, &pending),
				     !(pending & ~(1ull << BAD))));
		/* Lies at the end of the session, too, or not any more. */
		if (rng_once_in(&d->rng, 2))
			liar_repent(&d->liar);
		EXPECT_EQ(0, _test_ioctl_stop(d->monitor, &session, &silent));
		EXPECT_EQ(0, silent & ~(1ull << BAD));
		test_ioctl_stop(d->pmu.fd);
		EXPECT_EQ(0, host_drain_to_end(&d->swim, 1u << BAD));
		EXPECT_EQ(0, host_drain_to_end(&d->pmu, 0));
		liar_stop(&d->liar);

		EXPECT_HONEST(&d->swim, d->swim.bad_pools, QUOTA);
		EXPECT_HONEST(&d->pmu, 0, QUOTA);
		EXPECT_CONSERVED(d->monitor);
		test_ioctl_state(d->monitor, &snap);
		/* Of nothing else did it lie. */
		if (arena) {
			expect_identity(d->monitor);
			if (snap.lanes[BAD].fault || d->liar.must)
				EXPECT_EQ(DFX_FAULT_ARENA,
					  snap.lanes[BAD].fault);
		}
		/* Of the liar, too, what was let through was given out once. */
		for (p = 0; p < d->swim.bad_pools; p++)
			EXPECT_EQ(d->swim.liars[p], snap.pools[p].delivered);
		said = klog_count(d->klog, "FAULT: ");
		EXPECT_EQ(snap.lanes[BAD].fault ? 1 : 0, said);
		EXPECT_EQ(0, klog_count(d->klog_good, "lane 1: FAULT: "));
		ill = snap.lanes[BAD].fault || silent ? 1u << BAD : 0;
		faults += !!snap.lanes[BAD].fault;
		silents += !!silent;

		/* The firmware of that lane boots anew: RESET revives it. */
		ASSERT_EQ(0, fw_lane_attach(bad));
		ASSERT_EQ(0, fw_run_lane(bad, CLEAN_QUOTA));
		test_ioctl_reset(d->monitor, &revived);
		EXPECT_EQ(ill, revived);
		lane_quota(&d->fw.lane[GOOD], CLEAN_QUOTA);
		HOST_START(&d->swim);
		ASSERT_SOON(host_has(&d->swim, 0, CLEAN_QUOTA, 0)) {
			SAY(round);
		}
		test_ioctl_stop(d->monitor);
		EXPECT_EQ(0, host_drain_to_end(&d->swim, 0));
		EXPECT_HONEST(&d->swim, 0, CLEAN_QUOTA);
		EXPECT_EQ(0, klog_count(d->klog, "FAULT: "));
		lane_stop(bad);
		lane_quota(&d->fw.lane[GOOD], QUOTA);
		if (!_metadata->passed)
			SAY(round);
	}
	TH_LOG("%u rounds, %u faults, %u silent, DFX_SEED=%llu", rounds, faults,
	       silents, seed);
	/* Lies of this kind are found out. */
	if (!env_number("DFX_ROUNDS", 0) &&
	    (variant->kind == LIAR_ENTRIES || variant->kind == LIAR_ONES ||
	     arena))
		EXPECT_LT(0, faults);
}

/* ---- a user that tries everything ----------------------------------------------- */

FIXTURE(rogue) {
	FIXTURE_DATA(device) d;
	struct host heir;
};

FIXTURE_SETUP(rogue)
{
	FIXTURE_DATA(device) *d = &self->d;

	self->heir.fd = -1;
	device_setup(_metadata, d, NULL);
	/* All lanes keep their word. */
	ASSERT_EQ(0, fw_run_lane(&d->fw.lane[BAD], QUOTA));
}

FIXTURE_TEARDOWN(rogue)
{
	ring_close(&self->heir.ring);
	close(self->heir.fd);
	device_teardown(_metadata, &self->d, NULL);
}

/*
 * The driver's own word on lane 0, whose consumer has let go of what it liked:
 * nothing is missing, nothing was counted twice.
 */
#define EXPECT_ROGUE_LANE() \
	({ \
		struct snap _s; \
		test_ioctl_state(d->monitor, &_s); \
		for (__u32 _p = 0; _p < d->swim.bad_pools; _p++) { \
			EXPECT_EQ(QUOTA, _s.pools[_p].produced); \
			EXPECT_EQ(QUOTA, _s.pools[_p].delivered); \
			EXPECT_EQ(0, snap_dropped(&_s.pools[_p])); \
			EXPECT_EQ(0, _s.pools[_p].in_flight); \
		} \
		EXPECT_EQ(0, _s.lanes[BAD].fault); \
	})

/* Ends a session of the swimlane; an heir takes what the rogue has left. */
#define HEIR_TAKES_THE_REST() \
	({ \
		self->heir = (struct host){ \
			.gaps = true, \
			.nr_pools = d->swim.nr_pools, \
			.bad_pools = d->swim.bad_pools, \
		}; \
		self->heir.fd = open(d->swim.path, O_RDWR | O_CLOEXEC); \
		ASSERT_GE(self->heir.fd, 0); \
		ASSERT_EQ(0, ring_open(&self->heir.ring, self->heir.fd, \
				       1u << BAD)); \
		ASSERT_SOON(host_drain(&self->heir, 1u << BAD) < 0 || \
			    (host_has(&d->swim, d->swim.bad_pools, QUOTA, 0) && \
			     lane_done(&d->fw.lane[BAD], \
				       d->swim.ledger.session))) { \
			SAY(round); \
		} \
		test_ioctl_stop(d->monitor); \
		EXPECT_EQ(0, host_drain_to_end(&self->heir, 1u << BAD)); \
		EXPECT_LEDGER(&self->heir); \
		EXPECT_EQ(0, host_drain_to_end(&d->swim, 0)); \
		EXPECT_HONEST(&d->swim, d->swim.bad_pools, QUOTA); \
		EXPECT_ROGUE_LANE(); \
		ring_close(&self->heir.ring); \
		close(self->heir.fd); \
		self->heir.fd = -1; \
	})

/* Releases of what it does not hold, twice, from the past, from anywhere. */
TEST_F_TIMEOUT(rogue, release_ring, 200)
{
	FIXTURE_DATA(device) *d = &self->d;
	__u32 rounds = env_number("DFX_ROUNDS", 6), round, acts;
	struct rogue *rogue = calloc(1, sizeof(*rogue));
	__u64 bad = 0;
	int fd;

	ASSERT_NE(NULL, rogue);
	rogue->rng = rng_of(seed, 100);
	ASSERT_EQ(0, ring_open(&d->swim.ring, d->swim.fd, 1u << GOOD));
	for (round = 0; round < rounds && _metadata->passed; round++) {
		fd = open(d->swim.path, O_RDWR | O_CLOEXEC);
		ASSERT_GE(fd, 0);
		ASSERT_EQ(0, ring_open(&rogue->ring, fd, 1u << BAD));
		HOST_START(&d->swim);
		for (acts = 0; acts < ACTS; acts++) {
			rogue_ring_act(rogue);
			ASSERT_LE(0, host_drain(&d->swim, 0)) {
				TH_LOG("%s", d->swim.ledger.why);
				SAY(round);
			}
			if (!(acts & 15))
				EXPECT_CONSERVED(d->monitor);
		}
		bad += rogue->ring.ready->bad_releases;
		ring_close(&rogue->ring);
		close(fd);
		HEIR_TAKES_THE_REST();
		if (!_metadata->passed)
			SAY(round);
	}
	EXPECT_LT(0, bad);
	TH_LOG("%u rounds, %llu bad releases, DFX_SEED=%llu", rounds, bad,
	       seed);
	free(rogue);
}

/* Waits until it has done its share, with somebody to look after the others. */
static void rogue_let(FIXTURE_DATA(device) *d, __u64 acts, __u64 liars)
{
	acts += rogue_acts(d->log);
	(void)WITHIN(PATIENCE_MS, host_drain(&d->swim, liars) < 0 ||
		     rogue_acts(d->log) >= acts);
}

static int rogue_kill(FIXTURE_DATA(device) *d)
{
	int status = 0;

	kill(d->pid, SIGKILL);
	if (waitpid(d->pid, &status, 0) != d->pid)
		return -1;
	d->pid = 0;
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 0 : status;
}

/* As before, with everything else that a file can do, and dies anywhere. */
TEST_F_TIMEOUT(rogue, dies, 200)
{
	FIXTURE_DATA(device) *d = &self->d;
	__u32 rounds = env_number("DFX_ROUNDS", 4), round, i;

	d->rng = rng_of(seed, 101);
	ASSERT_EQ(0, ring_open(&d->swim.ring, d->swim.fd, 1u << GOOD));
	for (round = 0; round < rounds && _metadata->passed; round++) {
		HOST_START(&d->swim);
		for (i = 0; i < 4; i++) {
			d->pid = rogue_consumer(d->swim.path, 1u << BAD,
						rng_of(rng_next(&d->rng), i),
						d->log);
			ASSERT_LT(0, d->pid);
			rogue_let(d, rng_below(&d->rng, ACTS), 0);
			EXPECT_EQ(0, rogue_kill(d)) {
				SAY(round);
			}
			EXPECT_LEDGER(&d->swim);
			EXPECT_CONSERVED(d->monitor);
		}
		HEIR_TAKES_THE_REST();
		if (!_metadata->passed)
			SAY(round);
	}
	TH_LOG("%u rounds, %llu acts, DFX_SEED=%llu", rounds,
	       rogue_acts(d->log), seed);
}

/* RESET and POLICY of a region that others have left in any state. */
static bool host_recover(struct host *h)
{
	__u64 revived;

	return !_test_ioctl_reset(h->fd, &revived) && !host_policy(h);
}

/* Three threads at once do everything, to a region of their own. */
TEST_F_TIMEOUT(rogue, three_at_once, 200)
{
	FIXTURE_DATA(device) *d = &self->d;
	__u32 rounds = env_number("DFX_ROUNDS", 10), round;

	d->rng = rng_of(seed, 102);
	ASSERT_EQ(0, ring_open(&d->swim.ring, d->swim.fd, 0));
	for (round = 0; round < rounds && _metadata->passed; round++) {
		HOST_START(&d->swim);
		d->pid = rogue_crowd(d->pmu.path,
				     rng_of(rng_next(&d->rng), 0), d->log);
		ASSERT_LT(0, d->pid);
		rogue_let(d, ACTS + rng_below(&d->rng, ACTS), 0);
		EXPECT_EQ(0, rogue_kill(d)) {
			SAY(round);
		}
		/* The neighbours have noticed nothing. */
		ASSERT_SOON(host_has(&d->swim, 0, QUOTA, 0)) {
			SAY(round);
		}
		test_ioctl_stop(d->monitor);
		EXPECT_EQ(0, host_drain_to_end(&d->swim, 0));
		EXPECT_HONEST(&d->swim, 0, QUOTA);
		EXPECT_EQ(0, klog_count(d->klog, "FAULT: "));

		/* And who comes after them finds it as it was. */
		ASSERT_SOON(host_recover(&d->pmu)) {
			SAY(round);
		}
		ASSERT_EQ(0, ring_open(&d->pmu.ring, d->pmu.fd, 0));
		HOST_START(&d->pmu);
		ASSERT_SOON(host_has(&d->pmu, 0, QUOTA, 0)) {
			SAY(round);
		}
		test_ioctl_stop(d->pmu.fd);
		EXPECT_EQ(0, host_drain_to_end(&d->pmu, 0));
		EXPECT_HONEST(&d->pmu, 0, QUOTA);
		ring_close(&d->pmu.ring);
		test_ioctl_detach(d->pmu.fd);
		if (!_metadata->passed)
			SAY(round);
	}
	TH_LOG("%u rounds, %llu acts, DFX_SEED=%llu", rounds,
	       rogue_acts(d->log), seed);
}

static long call_reset(void *arg)
{
	__u64 revived;

	return _test_ioctl_reset(*(int *)arg, &revived);
}

/*
 * One resets while another starts: whatever comes first, the driver and the
 * lanes agree on whether there is a session.
 */
TEST_F_TIMEOUT(rogue, reset_while_start, 200)
{
	FIXTURE_DATA(device) *d = &self->d;
	__u32 rounds = env_number("DFX_ROUNDS", 150), round, survived = 0;
	const struct dfx_shm_ctl *ctl = d->fw.lane[GOOD].region.ctl;
	struct stuck reset;
	struct snap snap;
	__u64 session;

	for (round = 0; round < rounds && _metadata->passed; round++) {
		ASSERT_SOON(!_test_ioctl_start(d->swim.fd,
					       (1u << NR_LANES) - 1, &session));
		ASSERT_EQ(0, stuck_start(&reset, call_reset, &d->monitor));
		while (!stuck_done(&reset) &&
		       _test_ioctl_start(d->swim.fd, (1u << NR_LANES) - 1,
					 &session))
			EXPECT_EQ(EBUSY, errno);
		stuck_join(&reset);
		EXPECT_EQ(0, reset.rc);
		test_ioctl_state(d->monitor, &snap);
		EXPECT_EQ(snap.s.out_session_state == DFX_SESSION_RUNNING ?
			  DFX_CTL_RUNNING : DFX_CTL_IDLE, ctl->state) {
			SAY(round);
		}
		survived += snap.s.out_session_state == DFX_SESSION_RUNNING;
		ASSERT_SOON(host_recover(&d->swim));
	}
	TH_LOG("%u rounds, %u sessions survived", rounds, survived);
}

TEST_HARNESS_MAIN
