// SPDX-License-Identifier: GPL-2.0-only
/*
 * matrix_test.c - nothing is lost, whatever the sizes and the consumer
 *
 * Each test is one number of lanes, one recovery and one kind of consumer, and
 * goes through the sizes of everything, by the rings and by read(). Every byte
 * is checked by the ledger and every counter here.
 *
 *	DFX_SEED=N		repeats a run
 *	DFX_FIRMWARE=N		the device is there, with the reference firmware as
 *				"seed=N lanes=4 cores=8 tasks=808 regions=swimlane",
 *				and has lanes that nobody attaches; otherwise the
 *				test is the firmware, with as many as it wants
 *	DFX_MATRIX_QUICK=1	a part of the combinations, for a slow kernel
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"
#include "eater.h"

/* The last buffer of each pool is not full. */
#define QUOTA		101
#define RECORDS		4
#define MAX_KILLS	3

/* Tests that go through combinations, and how many these are in all. */
#define NR_GROUPS	24
#define LEAST_IN_ALL	300
#define LEAST_QUICK	90

/* A quick run takes one combination in so many. */
#define QUICK_STEP	6

/* Of the reference firmware. */
#define DEVICE_LANES	4
#define DEVICE_POOLS	(2 * DEVICE_LANES)

/**
 * struct combination - one of the sizes and ways
 * @buffers: of each pool.
 * @rq_depth: of each lane.
 * @slots: of each free queue.
 * @by_read: or by the rings.
 */
struct combination {
	__u32 buffers;
	__u32 rq_depth;
	__u32 slots;
	bool by_read;
};

static const __u32 all_buffers[] = { 1, 2, 4 };
static const __u32 all_rq_depths[] = { 2, 8 };
static const __u32 all_slots[] = { 1, 4 };

#define NR_COMBINATIONS	(3 * 2 * 2 * 2)

static struct combination combination_of(__u32 i)
{
	struct combination c = { .by_read = i & 1 };

	i /= 2;
	c.slots = all_slots[i % 2];
	i /= 2;
	c.rq_depth = all_rq_depths[i % 2];
	i /= 2;
	c.buffers = all_buffers[i % 3];
	return c;
}

/**
 * struct tally - what all tests together have done, in memory they share
 * @seed: of the run.
 * @groups: tests that ran to their end.
 * @combinations: sessions.
 * @by_read: of these, by read().
 * @records: delivered in them.
 * @freezes: opened in them, by gate.
 * @kills: consumers killed.
 * @redelivered: buffers that came again.
 */
struct tally {
	__u64 seed;
	__u32 groups;
	__u32 combinations;
	__u32 by_read;
	__u64 records;
	__u64 freezes[DFX_NR_GATE];
	__u32 kills;
	__u64 redelivered;
};

static struct tally *tally;

static void __attribute__((constructor)) tally_map(void)
{
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tally == MAP_FAILED)
		abort();
	tally->seed = env_seed();
}

static bool quick(void)
{
	return env_number("DFX_MATRIX_QUICK", 0);
}

/* Seed of the firmware that is there; 0: the test is the firmware. */
static __u64 firmware_seed(void)
{
	return env_number("DFX_FIRMWARE", 0);
}

FIXTURE(matrix) {
	struct fw fw;
	__u64 seed;
	__u32 lanes;
	char path[64];
	int monitor;
	struct plate *plate;
	pid_t pid;
	struct rng rng;
	__u32 pools;
};

FIXTURE_VARIANT(matrix) {
	__u32 lanes;
	__u32 recovery;
	enum eater_pace pace;
	bool killed;
	__u32 group;
};

#define GROUP(nr_lanes, how, n, name, ...) \
	FIXTURE_VARIANT_ADD(matrix, lanes_##nr_lanes##_##how##_##name) { \
		.lanes = nr_lanes, \
		.recovery = DFX_RECOVERY_##how, \
		.group = n, \
		__VA_ARGS__ \
	}

GROUP(1, GLOBAL, 0, fast, .pace = EATER_FAST);
GROUP(1, GLOBAL, 1, slow, .pace = EATER_SLOW);
GROUP(1, GLOBAL, 2, bursty, .pace = EATER_BURSTY);
GROUP(1, GLOBAL, 3, killed, .killed = true);
GROUP(1, LANE, 4, fast, .pace = EATER_FAST);
GROUP(1, LANE, 5, slow, .pace = EATER_SLOW);
GROUP(1, LANE, 6, bursty, .pace = EATER_BURSTY);
GROUP(1, LANE, 7, killed, .killed = true);
GROUP(2, GLOBAL, 8, fast, .pace = EATER_FAST);
GROUP(2, GLOBAL, 9, slow, .pace = EATER_SLOW);
GROUP(2, GLOBAL, 10, bursty, .pace = EATER_BURSTY);
GROUP(2, GLOBAL, 11, killed, .killed = true);
GROUP(2, LANE, 12, fast, .pace = EATER_FAST);
GROUP(2, LANE, 13, slow, .pace = EATER_SLOW);
GROUP(2, LANE, 14, bursty, .pace = EATER_BURSTY);
GROUP(2, LANE, 15, killed, .killed = true);
GROUP(4, GLOBAL, 16, fast, .pace = EATER_FAST);
GROUP(4, GLOBAL, 17, slow, .pace = EATER_SLOW);
GROUP(4, GLOBAL, 18, bursty, .pace = EATER_BURSTY);
GROUP(4, GLOBAL, 19, killed, .killed = true);
GROUP(4, LANE, 20, fast, .pace = EATER_FAST);
GROUP(4, LANE, 21, slow, .pace = EATER_SLOW);
GROUP(4, LANE, 22, bursty, .pace = EATER_BURSTY);
GROUP(4, LANE, 23, killed, .killed = true);

FIXTURE_SETUP(matrix)
{
	const struct fw_config config = {
		.lanes = variant->lanes,
		.cores = 2 * variant->lanes,
		.subsystems = 1u << DFX_SUBSYS_L2_SWIMLANE,
	};
	struct snap snap;

	self->seed = firmware_seed();
	self->lanes = variant->lanes;
	self->pools = config.cores;
	self->rng = rng_of(tally->seed, variant->group);
	self->plate = plate_map();
	ASSERT_NE(NULL, self->plate);
	if (!self->seed) {
		ASSERT_EQ(0, fw_up(&self->fw, &config));
		/* Consumers have no use for it, and fork faster without. */
		ASSERT_EQ(0, madvise(self->fw.bar, self->fw.bar_size,
				     MADV_DONTFORK));
	}
	ASSERT_EQ(0, sysfs_node("l2_swimlane", self->path,
				sizeof(self->path)));
	self->monitor = open(self->path, O_RDWR | O_CLOEXEC);
	ASSERT_GE(self->monitor, 0);
	if (!self->seed) {
		ASSERT_EQ(0, fw_run(&self->fw, QUOTA));
		return;
	}
	ASSERT_EQ(0, snap_take(&snap, self->monitor));
	ASSERT_EQ(DEVICE_LANES, snap.s.nr_lanes);
	ASSERT_EQ(DEVICE_POOLS, snap.s.nr_pools);
}

FIXTURE_TEARDOWN(matrix)
{
	if (self->pid > 0) {
		kill(self->pid, SIGKILL);
		waitpid(self->pid, NULL, 0);
	}
	close(self->monitor);
	if (!self->seed)
		fw_down(&self->fw);
	plate_unmap(self->plate);
}

/*
 * Whether all of the quota was delivered. What another's lanes say of their runs
 * may be of the session before.
 */
static bool all_delivered(FIXTURE_DATA(matrix) *self)
{
	struct snap snap;
	__u32 i;

	if (snap_take(&snap, self->monitor))
		return false;
	for (i = 0; i < self->pools; i++)
		if (snap.pools[i].delivered < QUOTA)
			return false;
	return true;
}

/* Whether every lane has written its quota, and published it. */
static bool lanes_done(FIXTURE_DATA(matrix) *self, __u64 session)
{
	__u32 i;

	if (self->seed)
		return all_delivered(self);
	for (i = 0; i < self->lanes; i++) {
		const struct dfx_dev_lane *l = &self->fw.lane[i].lane;

		if (__atomic_load_n(&l->session, __ATOMIC_RELAXED) != session ||
		    !__atomic_load_n(&l->runs, __ATOMIC_RELAXED))
			return false;
	}
	return true;
}

static bool exited(pid_t pid, int *status)
{
	return waitpid(pid, status, WNOHANG) == pid;
}

static pid_t next_eater(FIXTURE_DATA(matrix) *self, enum eater_pace pace)
{
	return eater_start(self->plate, self->path, pace,
			   rng_of(rng_next(&self->rng), 0));
}

/* Kills consumers, each at some moment of its life. Returns how many. */
static int kill_some(FIXTURE_DATA(matrix) *self, __u64 session,
		     __u64 everything)
{
	int kills = 1 + rng_below(&self->rng, MAX_KILLS), i, status;
	__u32 attached = 0;
	__u64 until;

	for (i = 0; i < kills; i++) {
		until = plate_progress(self->plate) +
			rng_below(&self->rng, everything / kills);
		if (!WITHIN(SOON_MS,
			    plate_progress(self->plate) >= until ||
			    lanes_done(self, session)))
			return -1;
		/* Wherever it is by now. */
		nanosleep(&(struct timespec){
			.tv_nsec = rng_below(&self->rng, 300000) }, NULL);
		kill(self->pid, SIGKILL);
		if (waitpid(self->pid, &status, 0) != self->pid ||
		    !WIFSIGNALED(status))
			return -1;
		attached = plate_attached(self->plate);
		self->pid = next_eater(self, rng_below(&self->rng, 3));
		if (self->pid < 0)
			return -1;
	}
	/* The last one lives, and must not come when all is over. */
	return WITHIN(SOON_MS, plate_attached(self->plate) > attached) ?
	       kills : -1;
}

#define EXPECT_POOL(want, p) \
	({ \
		EXPECT_EQ(want, (p)->produced); \
		EXPECT_EQ(want, (p)->delivered); \
		EXPECT_EQ(0, (p)->in_flight); \
		EXPECT_EQ(0, (p)->mismatch); \
		for (int _d = 0; _d < DFX_NR_DROP; _d++) \
			EXPECT_EQ(0, (p)->dropped[_d]); \
		EXPECT_EQ(0, (p)->ready); \
		EXPECT_EQ(0, (p)->held); \
		EXPECT_EQ(0, (p)->quarantine); \
	})

/* A freeze ends by itself, or by the STOP; by lane there is none. */
#define EXPECT_FREEZE(how, f) \
	({ \
		EXPECT_EQ(0, (f)->active); \
		EXPECT_LE((f)->releases, (f)->opens); \
		EXPECT_LE((f)->opens, (f)->releases + 1); \
		if ((how) == DFX_RECOVERY_LANE) { \
			EXPECT_EQ(0, (f)->opens); \
			EXPECT_EQ(0, (f)->marks); \
			EXPECT_EQ(0, (f)->total_ns); \
		} else { \
			EXPECT_LE((f)->opens, (f)->marks); \
		} \
	})

#define EXPECT_EXACT(the_ledger) \
	({ \
		const struct ledger *_l = (the_ledger); \
		__u64 _entries = 0, _sum = 0; \
		struct snap _s; \
		test_ioctl_state(self->monitor, &_s); \
		for (__u32 _p = 0; _p < self->pools; _p++) { \
			EXPECT_EQ(QUOTA, _l->pools[_p].records); \
			EXPECT_EQ(0, _l->pools[_p].lost); \
			EXPECT_EQ(_l->pools[_p].next_seq, \
				  _s.pools[_p].next_seq); \
			EXPECT_POOL(QUOTA, &_s.pools[_p]); \
			EXPECT_EQ(c.buffers, _s.pools[_p].free + \
				  _s.pools[_p].queued + \
				  _s.pools[_p].device); \
			_sum += _s.pools[_p].delivered; \
			if (c.by_read) \
				EXPECT_POOL(QUOTA, &_l->end_pools[_p]); \
		} \
		for (__u32 _i = 0; _i < variant->lanes; _i++) { \
			EXPECT_EQ(0, _s.lanes[_i].fault); \
			EXPECT_EQ(0, _s.lanes[_i].bad_entries); \
			EXPECT_EQ(0, _s.lanes[_i].expired); \
			EXPECT_EQ(0, _s.lanes[_i].resumed); \
			EXPECT_EQ(0, _s.lanes[_i].flags & \
				  (DFX_LANE_F_FAULT | DFX_LANE_F_SILENT)); \
			_entries += _s.lanes[_i].entries; \
		} \
		EXPECT_EQ(_entries, _l->frames); \
		EXPECT_EQ(_sum, _l->records); \
		EXPECT_EQ((__u64)QUOTA * self->pools, _l->records); \
		EXPECT_EQ(0, _l->lost); \
		EXPECT_EQ(variant->recovery, _s.s.out_recovery); \
		for (int _g = 0; _g < DFX_NR_GATE; _g++) { \
			EXPECT_FREEZE(variant->recovery, \
				      &_s.s.out_freeze[_g]); \
			tally->freezes[_g] += _s.s.out_freeze[_g].opens; \
		} \
		if (!variant->killed) \
			EXPECT_EQ(0, _l->redelivered); \
		tally->records += _l->records; \
		tally->redelivered += _l->redelivered; \
	})

/* Says which combination it was, once, if it has failed. */
#define SAY(c) \
	TH_LOG("buffers %u rq %u slots %u %s, group %u: DFX_SEED=%llu", \
	       (c).buffers, (c).rq_depth, (c).slots, \
	       (c).by_read ? "read" : "ring", variant->group, tally->seed)

TEST_F_TIMEOUT(matrix, lossless, 400)
{
	__u32 first = quick() ? variant->group % QUICK_STEP : 0;
	__u32 step = quick() ? QUICK_STEP : 1;
	struct tally before = *tally;
	__u64 began = clock_ns();
	struct ledger *ledger;
	struct combination c;
	const char *why;
	int status, kills;
	__u64 session;
	__u32 i;

	for (i = first; i < NR_COMBINATIONS; i += step) {
		c = combination_of(i);
		test_ioctl_policy(self->monitor, .recovery = variant->recovery,
				  .records = RECORDS, .buffers = c.buffers,
				  .slots = c.slots, .rq_depth = c.rq_depth);
		plate_clear(self->plate, c.by_read, (1ull << self->lanes) - 1,
			    self->seed);
		self->pid = next_eater(self, variant->pace);
		ASSERT_LT(0, self->pid);
		ASSERT_SOON(plate_attached(self->plate));
		test_ioctl_start(self->monitor, 0, &session);
		if (variant->killed) {
			/* A read record is 32 bytes and a part of a header. */
			kills = kill_some(self, session, QUOTA * self->pools *
					  (c.by_read ? 32 : 1));
			ASSERT_LT(0, kills) {
				SAY(c);
			}
			tally->kills += kills;
		}
		ASSERT_SOON(lanes_done(self, session)) {
			SAY(c);
		}
		test_ioctl_stop(self->monitor);
		ASSERT_SOON(exited(self->pid, &status)) {
			SAY(c);
		}
		self->pid = 0;
		EXPECT_EQ(0, status);
		ledger = plate_ledger(self->plate, &why);
		ASSERT_NE(NULL, ledger) {
			TH_LOG("%s", why);
			SAY(c);
		}
		ASSERT_SOON(snap_session_state(self->monitor) ==
			    DFX_SESSION_IDLE);
		EXPECT_EQ(session, ledger->session);
		EXPECT_EXACT(ledger);
		if (!_metadata->passed) {
			SAY(c);
			return;
		}
		tally->combinations++;
		tally->by_read += c.by_read;
	}
	tally->groups++;
	TH_LOG("%u combinations, %llu records, %llu + %llu freezes, %u kills, %llu ms",
	       tally->combinations - before.combinations,
	       tally->records - before.records,
	       tally->freezes[DFX_GATE_RQ] - before.freezes[DFX_GATE_RQ],
	       tally->freezes[DFX_GATE_FQ] - before.freezes[DFX_GATE_FQ],
	       tally->kills - before.kills, (clock_ns() - began) / 1000000);
}

/* A fixture of its own, so that it comes last. */
FIXTURE(matrix_total) {
};

FIXTURE_SETUP(matrix_total)
{
}

FIXTURE_TEARDOWN(matrix_total)
{
}

TEST_F(matrix_total, all_of_them)
{
	TH_LOG("%u combinations, %u by read(), DFX_SEED=%llu",
	       tally->combinations, tally->by_read, tally->seed);
	TH_LOG("%llu records, 0 lost, 0 twice; %llu + %llu freezes",
	       tally->records, tally->freezes[DFX_GATE_RQ],
	       tally->freezes[DFX_GATE_FQ]);
	TH_LOG("%u consumers killed, %llu buffers came again", tally->kills,
	       tally->redelivered);
	EXPECT_EQ(NR_GROUPS, tally->groups);
	EXPECT_LE(quick() ? LEAST_QUICK : LEAST_IN_ALL, tally->combinations);
	EXPECT_LT(0, tally->freezes[DFX_GATE_RQ]);
	EXPECT_LT(0, tally->freezes[DFX_GATE_FQ]);
	EXPECT_LT(0, tally->kills);
	EXPECT_LT(0, tally->redelivered);
	EXPECT_LT(0, tally->by_read);
}

TEST_HARNESS_MAIN
