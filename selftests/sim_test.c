// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_test.c - dfx_sim.ko: what its devices record, and how they come and go
 *
 * Needs dfx.ko and dfx_sim.ko loaded and configfs mounted, as with
 * "scripts/vm --device sim".
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"
#include "sigbus.h"
#include "sim.h"

#define A	"test_a"
#define B	"test_b"

/* Of the firmware, in these tests; a default would be right by accident. */
#define SEED	"77"

/* No copy fails for good at this rate, but many do. */
#define SOME_PPM	"50000"

/* Tasks of a run that does not end by itself. */
#define ENDLESS	"1000000000"

/* Each with its writers and their pools; those of a device by default come first. */
static const struct {
	const char *name;
	__u32 id;
	int lanes;
	int pools;
} regions[] = {
	{ "l2_swimlane", DFX_SUBSYS_L2_SWIMLANE, 4, 2 },
	{ "pmu", DFX_SUBSYS_PMU, 4, 2 },
	{ "tensor_dump", DFX_SUBSYS_TENSOR_DUMP, 4, 1 },
	{ "dep_gen", DFX_SUBSYS_DEP_GEN, 1, 1 },
	{ "args_dump", DFX_SUBSYS_ARGS_DUMP, 4, 1 },
	{ "scope_stats", DFX_SUBSYS_SCOPE_STATS, 1, 1 },
};

#define NR_REGIONS	3
#define ALL_REGIONS	((int)(sizeof(regions) / sizeof(regions[0])))

FIXTURE(sim) {
	int fd;
	struct ring ring;
	struct sim_check check;
};

/* A device of 8 cores, 4 lanes and 16 MiB, not live yet. */
static int setup(const char *name)
{
	/* Of a test that has failed. */
	sim_remove(name);
	return sim_make(name) ?: sim_set(name, "cores", "8") ?:
	       sim_set(name, "size_mb", "16") ?: sim_set(name, "seed", SEED);
}

/* All of the subsystems, and room for them. */
static int have_all(const char *name)
{
	return sim_set(name, "size_mb", "64") ?:
	       sim_set(name, "subsystems", "63");
}

/* Of so many tasks, those that a region's lanes record. */
static int records_of(int i, int tasks)
{
	return tasks * regions[i].lanes / 4;
}

static void check_init(struct sim_check *c, __u32 subsys)
{
	memset(c, 0, sizeof(*c));
	c->seed = strtoull(SEED, NULL, 10);
	c->subsys = subsys;
}

FIXTURE_SETUP(sim)
{
	self->fd = -1;
	check_init(&self->check, DFX_SUBSYS_L2_SWIMLANE);
	ASSERT_EQ(0, setup(A));
}

FIXTURE_TEARDOWN(sim)
{
	ring_close(&self->ring);
	if (self->fd >= 0)
		close(self->fd);
	sim_remove(A);
	sim_remove(B);
}

#define ASSERT_LIVE(name)	ASSERT_EQ(0, sim_set(name, "live", "1"))
#define ASSERT_NOT_LIVE(name) \
	({ \
		__u64 _begun = clock_ns(); \
		ASSERT_EQ(0, sim_set(name, "live", "0")); \
		/* Nobody out there can make it wait. */ \
		EXPECT_LT(clock_ns() - _begun, 5000000000ull); \
	})

#define EXPECT_ATTR(value, name, attr) \
	({ \
		char _line[64] = ""; \
		EXPECT_EQ(0, sim_get(name, attr, _line, sizeof(_line))); \
		EXPECT_STREQ(value, _line); \
	})

/* Opens the first region's node, and takes all its lanes through the rings. */
#define ASSERT_ATTACHED(name, fd, ring) \
	({ \
		(fd) = sim_node(name, "l2_swimlane"); \
		ASSERT_GE(fd, 0); \
		ASSERT_EQ(0, ring_open(ring, fd, 0)); \
	})

#define ASSERT_RECORDED(n, check, ring) \
	({ \
		__u64 _n = (check)->records + (n); \
		ASSERT_SOON(sim_check_drain(check, ring) < 0 || \
			    (check)->records >= _n); \
		ASSERT_STREQ("", (check)->why); \
	})

/* ---- attributes ------------------------------------------------------------ */

TEST_F(sim, attributes)
{
	EXPECT_ATTR("a2a3", A, "arch");
	EXPECT_ATTR("4", A, "lanes");
	EXPECT_ATTR("35", A, "subsystems");
	EXPECT_ATTR("lanes", A, "mode");
	EXPECT_ATTR("0", A, "live");
	EXPECT_EQ(0, sim_set(A, "arch", "a5"));
	/* What follows from the profile, until it is set. */
	EXPECT_ATTR("5", A, "lanes");
	EXPECT_EQ(0, sim_set(A, "lanes", "2"));
	EXPECT_ATTR("2", A, "lanes");
	EXPECT_EQ(-EINVAL, sim_set(A, "lanes", "0"));
	EXPECT_EQ(-EINVAL, sim_set(A, "lanes", "9"));
	EXPECT_EQ(-EINVAL, sim_set(A, "arch", "a4"));
	EXPECT_EQ(-EINVAL, sim_set(A, "mode", "thread"));
	EXPECT_EQ(-EINVAL, sim_set(A, "subsystems", "64"));
	EXPECT_EQ(-EINVAL, sim_set(A, "latency_us", "1000001"));
	EXPECT_ATTR("0", A, "delay_us");
	EXPECT_EQ(-EINVAL, sim_set(A, "delay_us", "100001"));
	EXPECT_EQ(0, sim_set(A, "delay_us", "100000"));
	EXPECT_ATTR("100000", A, "delay_us");
	EXPECT_ATTR("0", A, "copy_fail_ppm");
	EXPECT_EQ(-EINVAL, sim_set(A, "copy_fail_ppm", "1000001"));
	EXPECT_EQ(0, sim_set(A, "copy_fail_len", "4096"));
	EXPECT_ATTR("4096", A, "copy_fail_len");
	/* One value is not two words. */
	EXPECT_EQ(-EINVAL, sim_set(A, "tasks", "5 seed=3"));
	EXPECT_ATTR(SEED, A, "seed");
	/* All of the words, or none. */
	EXPECT_EQ(-EINVAL, sim_set(A, "firmware", "seed=3 nothing=1"));
	EXPECT_ATTR(SEED, A, "seed");
	EXPECT_EQ(0, sim_set(A, "firmware", "seed=3 budget=try"));
	EXPECT_ATTR("3", A, "seed");
	EXPECT_EQ(-ENODEV, sim_set(A, "dead", "1"));
}

TEST_F(sim, constant_while_live)
{
	char line[64];

	EXPECT_EQ(-ENODEV, sim_get(A, "device", line, sizeof(line)));
	ASSERT_LIVE(A);
	EXPECT_ATTR("1", A, "live");
	EXPECT_EQ(-EBUSY, sim_set(A, "tasks", "5"));
	EXPECT_EQ(-EBUSY, sim_set(A, "firmware", "tasks=5"));
	EXPECT_EQ(-EBUSY, sim_set(A, "mode", "process"));
	EXPECT_EQ(-EBUSY, sim_set(A, "latency_us", "1"));
	EXPECT_EQ(-EBUSY, sim_set(A, "delay_us", "1"));
	EXPECT_EQ(-EBUSY, sim_set(A, "copy_fail_len", "1"));
	/* Nothing is copied. */
	EXPECT_EQ(-EBUSY, sim_set(A, "copy_fail_ppm", "1"));
	/* It is. */
	EXPECT_EQ(0, sim_set(A, "live", "1"));
	ASSERT_NOT_LIVE(A);
	EXPECT_EQ(0, sim_set(A, "tasks", "5"));
	EXPECT_EQ(0, sim_set(A, "live", "0"));
}

/* No room for the regions: nothing is left behind. */
TEST_F(sim, aperture_too_small)
{
	EXPECT_EQ(0, sim_set(A, "size_mb", "8"));
	EXPECT_EQ(0, sim_set(A, "cores", "512"));
	EXPECT_EQ(-ENOSPC, sim_set(A, "live", "1"));
	EXPECT_ATTR("0", A, "live");
	EXPECT_EQ(0, sim_set(A, "cores", "8"));
	EXPECT_EQ(0, sim_set(A, "subsystems", "2"));
	ASSERT_LIVE(A);
	self->fd = sim_node(A, "pmu");
	EXPECT_LE(0, self->fd);
}

/* As many regions as the mask has. */
TEST_F(sim, subsystems)
{
	char mask[16];
	int i, j, fd;

	ASSERT_EQ(0, have_all(A));
	for (i = 0; i < ALL_REGIONS; i++) {
		snprintf(mask, sizeof(mask), "%u", 1u << regions[i].id);
		ASSERT_EQ(0, sim_set(A, "subsystems", mask));
		ASSERT_LIVE(A);
		for (j = 0; j < ALL_REGIONS; j++) {
			fd = sim_node(A, regions[j].name);
			EXPECT_EQ(i == j, fd >= 0);
			if (fd >= 0)
				close(fd);
		}
		ASSERT_NOT_LIVE(A);
	}
}

/* ---- recordings -------------------------------------------------------------- */

/* Lanes that have ended their run in the present session; -1 if it cannot be told. */
static int lanes_ended(int fd)
{
	struct snap snap;
	int ended = 0;
	__u32 i;

	if (snap_take(&snap, fd))
		return -1;
	for (i = 0; i < snap.s.nr_lanes; i++)
		ended += !!snap.lanes[i].runs;
	return ended;
}

/* Records that a lane has been asked for, as far as the host has been told. */
static __u64 lane_produced(int fd, __u32 lane)
{
	struct snap snap;
	__u64 sum = 0;
	__u32 i;

	if (snap_take(&snap, fd))
		return ~0ull;
	for (i = 0; i < snap.s.nr_pools; i++)
		if (snap.pools[i].lane == lane)
			sum += snap.pools[i].produced;
	return sum;
}

static bool runs_ended(int fd)
{
	struct snap snap;

	return !snap_take(&snap, fd) && lanes_ended(fd) == (int)snap.s.nr_lanes;
}

/* Records that could not be copied. */
static __u64 charged_at(int fd)
{
	struct snap snap;
	__u64 sum = 0;
	__u32 i;

	if (snap_take(&snap, fd))
		return 0;
	for (i = 0; i < snap.s.nr_pools; i++)
		sum += snap.pools[i].dropped[DFX_DROP_HOST_FAULT];
	return sum;
}

static long call_cat(void *arg)
{
	int *fds = arg;
	char buf[65536];
	ssize_t n;

	while ((n = read(fds[0], buf, sizeof(buf))) > 0)
		if (write(fds[1], buf, n) != n)
			return -1;
	return n;
}

/**
 * struct record - cat, from a node to a file
 * @fds: the node, the file.
 * @cat: the thread.
 */
struct record {
	int fds[2];
	struct stuck cat;
};

#define RECORDING	"/dev/shm/dfx-sim"
#define CHECKED		RECORDING ".checked"

static int record_start(struct record *r, const char *name, const char *subsys)
{
	r->fds[0] = sim_node(name, subsys);
	r->fds[1] = open(RECORDING, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (r->fds[0] < 0 || r->fds[1] < 0)
		return -1;
	return stuck_start(&r->cat, call_cat, r->fds);
}

/* Once cat is done: 0 if every byte of so many records is the firmware's. */
static int record_end(struct record *r, int records)
{
	char cmd[160];

	stuck_join(&r->cat);
	close(r->fds[0]);
	close(r->fds[1]);
	/* Its exit status, and how many there were. */
	snprintf(cmd, sizeof(cmd),
		 "dfx-check-pattern --seed %s " RECORDING " >" CHECKED " && grep '^%d records checked' " CHECKED,
		 SEED, records);
	return r->cat.rc ?: system(cmd);
}

/* What cat gets is a recording, and every byte of it is the firmware's. */
TEST_F(sim, read_every_region)
{
	struct record r;
	int i;

	ASSERT_EQ(0, sim_set(A, "tasks", "3000"));
	ASSERT_EQ(0, sim_set(A, "firmware", "big=100 payload=3000"));
	ASSERT_EQ(0, have_all(A));
	ASSERT_LIVE(A);
	for (i = 0; i < ALL_REGIONS; i++) {
		self->fd = sim_node(A, regions[i].name);
		ASSERT_GE(self->fd, 0);
		ASSERT_EQ(0, record_start(&r, A, regions[i].name));
		ASSERT_SOON(runs_ended(self->fd));
		test_ioctl_stop(self->fd);
		ASSERT_SOON(stuck_done(&r.cat));
		EXPECT_EQ(0, record_end(&r, records_of(i, 3000)));
		close(self->fd);
		self->fd = -1;
		unlink(RECORDING);
	}
}

TEST_F(sim, map_every_region)
{
	__u64 session;
	int i;

	ASSERT_EQ(0, sim_set(A, "tasks", "3000"));
	ASSERT_EQ(0, have_all(A));
	ASSERT_LIVE(A);
	for (i = 0; i < ALL_REGIONS; i++) {
		check_init(&self->check, regions[i].id);
		self->fd = sim_node(A, regions[i].name);
		ASSERT_GE(self->fd, 0);
		/* Pools so small that every lane meets its gates. */
		test_ioctl_policy(self->fd, .records = 16, .buffers = 2);
		ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
		test_ioctl_start(self->fd, 0, &session);
		ASSERT_RECORDED(records_of(i, 3000), &self->check, &self->ring);
		test_ioctl_stop(self->fd);
		ASSERT_SOON(ring_ended(&self->ring));
		EXPECT_EQ(0, sim_check_drain(&self->check, &self->ring));
		EXPECT_EQ(records_of(i, 3000), self->check.records);
		EXPECT_EQ(0, self->check.lost);
		ring_close(&self->ring);
		close(self->fd);
		self->fd = -1;
	}
}

/* A profile of its own, beside another device: five lanes, and its own seed. */
TEST_F(sim, a5)
{
	__u64 session;

	ASSERT_EQ(0, sim_set(A, "arch", "a5"));
	/* No test here looks at more lanes than that. */
	ASSERT_EQ(0, sim_set(A, "lanes", "3"));
	ASSERT_EQ(0, sim_set(A, "tasks", "100"));
	ASSERT_LIVE(A);
	ASSERT_ATTACHED(A, self->fd, &self->ring);
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_RECORDED(0, &self->check, &self->ring);
	ASSERT_SOON(runs_ended(self->fd));
	test_ioctl_stop(self->fd);
	/* Some of them may have come by now. */
	ASSERT_RECORDED(100 - self->check.records, &self->check, &self->ring);
	EXPECT_EQ(100, self->check.records);
}

/* The knobs do what they say: 4 lanes of 25 tasks at 100 a second. */
TEST_F(sim, rate)
{
	__u64 session, begun;

	ASSERT_EQ(0, sim_set(A, "tasks", "100"));
	ASSERT_EQ(0, sim_set(A, "rate_hz", "100"));
	ASSERT_LIVE(A);
	ASSERT_ATTACHED(A, self->fd, &self->ring);
	begun = clock_ns();
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_SOON(runs_ended(self->fd));
	EXPECT_LT(200000000ull, clock_ns() - begun);
}

/* An idle lane looks at its host no sooner than that. */
TEST_F(sim, latency)
{
	__u64 session, begun;

	ASSERT_EQ(0, sim_set(A, "tasks", "4"));
	ASSERT_EQ(0, sim_set(A, "latency_us", "200000"));
	ASSERT_LIVE(A);
	ASSERT_ATTACHED(A, self->fd, &self->ring);
	/* Let it begin its turn. */
	ASSERT_SOON(snap_lane_state(self->fd, 0) == DFX_LANE_IDLE);
	begun = clock_ns();
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_SOON(runs_ended(self->fd));
	test_ioctl_stop(self->fd);
	EXPECT_LT(200000000ull, clock_ns() - begun);
}

/* ---- going away ---------------------------------------------------------------- */

static short events(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) < 0 ? POLLNVAL : p.revents;
}

/* The file is of a device that has gone. */
#define EXPECT_GONE(fd) \
	({ \
		char _buf[64]; \
		struct dfx_query _q; \
		EXPECT_ERRNO(ENODEV, read(fd, _buf, sizeof(_buf))); \
		test_err_ioctl_query(ENODEV, fd, &_q); \
		EXPECT_EQ(POLLHUP | POLLERR, events(fd)); \
	})

TEST_F(sim, other_device_goes_on)
{
	struct sim_check other_check;
	struct ring other;
	__u64 session;
	int fd;

	check_init(&other_check, DFX_SUBSYS_L2_SWIMLANE);
	ASSERT_EQ(0, setup(B));
	ASSERT_EQ(0, sim_set(A, "tasks", ENDLESS));
	ASSERT_EQ(0, sim_set(B, "tasks", ENDLESS));
	ASSERT_LIVE(A);
	ASSERT_LIVE(B);
	ASSERT_ATTACHED(A, self->fd, &self->ring);
	ASSERT_ATTACHED(B, fd, &other);
	test_ioctl_start(self->fd, 0, &session);
	test_ioctl_start(fd, 0, &session);
	ASSERT_RECORDED(5000, &self->check, &self->ring);
	ASSERT_RECORDED(5000, &other_check, &other);
	EXPECT_NE(self->check.session, other_check.session);
	ASSERT_NOT_LIVE(A);
	EXPECT_GONE(self->fd);
	/* It may have had all its buffers full, and these were drained. */
	ASSERT_RECORDED(20000, &other_check, &other);
	EXPECT_EQ(0, other_check.lost);
	test_ioctl_stop(fd);
	ring_close(&other);
	close(fd);
}

TEST_F(sim, gone_while_mapped)
{
	__u64 session;

	ASSERT_EQ(0, sim_set(A, "tasks", ENDLESS));
	ASSERT_LIVE(A);
	ASSERT_ATTACHED(A, self->fd, &self->ring);
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_RECORDED(100, &self->check, &self->ring);
	EXPECT_FALSE(sigbus_at(self->ring.buffers, false));
	ASSERT_NOT_LIVE(A);
	EXPECT_TRUE(sigbus_at(self->ring.buffers, false));
	EXPECT_TRUE(sigbus_at(self->ring.ready, false));
	EXPECT_GONE(self->fd);
	/* A new device is nothing to an old file. */
	ASSERT_LIVE(A);
	EXPECT_GONE(self->fd);
}

TEST_F(sim, rmdir_removes)
{
	__u64 session;

	ASSERT_EQ(0, sim_set(A, "tasks", ENDLESS));
	ASSERT_LIVE(A);
	ASSERT_ATTACHED(A, self->fd, &self->ring);
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_RECORDED(100, &self->check, &self->ring);
	EXPECT_EQ(0, sim_remove(A));
	EXPECT_GONE(self->fd);
}

/* In the middle of it all, two hundred times, with the same few records checked. */
TEST_F_TIMEOUT(sim, two_hundred_lives, 300)
{
	__u64 session;
	int i;

	ASSERT_EQ(0, sim_set(A, "tasks", ENDLESS));
	for (i = 0; i < 200; i++) {
		ASSERT_LIVE(A);
		check_init(&self->check, DFX_SUBSYS_L2_SWIMLANE);
		self->fd = sim_node(A, "l2_swimlane");
		ASSERT_GE(self->fd, 0);
		test_ioctl_policy(self->fd, .records = 8, .buffers = 2);
		ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
		test_ioctl_start(self->fd, 0, &session);
		ASSERT_RECORDED(64, &self->check, &self->ring);
		EXPECT_EQ(0, self->check.lost);
		ASSERT_NOT_LIVE(A);
		EXPECT_EQ(POLLHUP | POLLERR, events(self->fd));
		ring_close(&self->ring);
		ASSERT_EQ(0, close(self->fd));
		self->fd = -1;
	}
}

/*
 * Every lane has been heard of since @before, when all were silent; more than once,
 * since a lane's first beat comes before it obeys.
 */
static bool lanes_back(int fd, const struct snap *before)
{
	struct snap now;
	__u32 i;

	if (snap_take(&now, fd))
		return false;
	for (i = 0; i < now.s.nr_lanes; i++)
		if (now.lanes[i].heartbeat < 3 ||
		    now.lanes[i].heartbeat == before->lanes[i].heartbeat)
			return false;
	return true;
}

/* ---- death ------------------------------------------------------------------- */

TEST_F(sim, dead)
{
	__u64 session, silent;
	struct snap snap;

	ASSERT_EQ(0, sim_set(A, "tasks", ENDLESS));
	ASSERT_LIVE(A);
	EXPECT_ATTR("0", A, "dead");
	ASSERT_ATTACHED(A, self->fd, &self->ring);
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_RECORDED(2000, &self->check, &self->ring);
	ASSERT_EQ(0, sim_set(A, "dead", "1"));
	EXPECT_ATTR("1", A, "dead");
	ASSERT_EQ(0, _test_ioctl_stop(self->fd, &session, &silent));
	EXPECT_EQ(0xf, silent);
	/* What had been counted is recovered, and right. */
	ASSERT_SOON(sim_check_drain(&self->check, &self->ring) < 0 ||
		    ring_ended(&self->ring));
	sim_check_drain(&self->check, &self->ring);
	EXPECT_STREQ("", self->check.why);
	EXPECT_NE(0, self->check.recovered);
	ASSERT_SOON(snap_session_state(self->fd) == DFX_SESSION_IDLE);
	test_ioctl_state(self->fd, &snap);
	/* It goes on where it stood, and finds that it is another session. */
	ASSERT_EQ(0, sim_set(A, "dead", "0"));
	ASSERT_SOON(lanes_back(self->fd, &snap));
	check_init(&self->check, DFX_SUBSYS_L2_SWIMLANE);
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_RECORDED(2000, &self->check, &self->ring);
	test_ioctl_stop(self->fd);
}

/* What is dead can be buried: parked, and not. */
TEST_F(sim, dead_removed)
{
	__u64 session;

	ASSERT_EQ(0, sim_set(A, "tasks", ENDLESS));
	ASSERT_LIVE(A);
	ASSERT_ATTACHED(A, self->fd, &self->ring);
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_SOON(snap_lane_state(self->fd, 0) == DFX_LANE_PARKED_POP);
	ASSERT_EQ(0, sim_set(A, "dead", "1"));
	ASSERT_NOT_LIVE(A);
	EXPECT_GONE(self->fd);
}

/* ---- two memories ---------------------------------------------------------------- */

FIXTURE(delay) {
	int fd;
	struct ring ring;
	struct sim_check check;
};

FIXTURE_VARIANT(delay) {
	const char *arch;
	const char *delay_us;
	const char *fail_ppm;
	__u32 recovery;
};

/* Shorter than the kthread's pauses; as long; far longer. */
FIXTURE_VARIANT_ADD(delay, short_global) {
	.arch = "a2a3", .delay_us = "50", .fail_ppm = "0",
	.recovery = DFX_RECOVERY_GLOBAL,
};

FIXTURE_VARIANT_ADD(delay, medium_lane) {
	.arch = "a5", .delay_us = "500", .fail_ppm = "0",
	.recovery = DFX_RECOVERY_LANE,
};

FIXTURE_VARIANT_ADD(delay, long_global) {
	.arch = "a5", .delay_us = "2000", .fail_ppm = "0",
	.recovery = DFX_RECOVERY_GLOBAL,
};

FIXTURE_VARIANT_ADD(delay, long_lane) {
	.arch = "a2a3", .delay_us = "2000", .fail_ppm = "0",
	.recovery = DFX_RECOVERY_LANE,
};

/* Only copied, and badly; late as well. */
FIXTURE_VARIANT_ADD(delay, fails_global) {
	.arch = "a2a3", .delay_us = "0", .fail_ppm = SOME_PPM,
	.recovery = DFX_RECOVERY_GLOBAL,
};

FIXTURE_VARIANT_ADD(delay, fails_late_lane) {
	.arch = "a5", .delay_us = "200", .fail_ppm = SOME_PPM,
	.recovery = DFX_RECOVERY_LANE,
};

/* 16 cores on 4 lanes: so many pools of a lane fill its ready queue. */
FIXTURE_SETUP(delay)
{
	self->fd = -1;
	check_init(&self->check, DFX_SUBSYS_L2_SWIMLANE);
	ASSERT_EQ(0, setup(A));
	ASSERT_EQ(0, sim_set(A, "cores", "16"));
	ASSERT_EQ(0, sim_set(A, "arch", variant->arch));
	ASSERT_EQ(0, sim_set(A, "lanes", "4"));
	ASSERT_EQ(0, sim_set(A, "delay_us", variant->delay_us));
	ASSERT_EQ(0, sim_set(A, "copy_fail_ppm", variant->fail_ppm));
}

FIXTURE_TEARDOWN(delay)
{
	ring_close(&self->ring);
	if (self->fd >= 0)
		close(self->fd);
	sim_remove(A);
}

#define SMALLEST_POLICY(fd, _recovery, ...) \
	test_ioctl_policy(fd, .recovery = (_recovery), .records = 4, \
			  .rq_depth = 2, .deadline_ms = 20000, __VA_ARGS__)

/* Waits at each gate, over all lanes. */
static void count_waits(const struct snap *snap, __u64 *push, __u64 *pop)
{
	__u32 i;

	*push = 0;
	*pop = 0;
	for (i = 0; i < snap->s.nr_lanes; i++) {
		*push += snap->lanes[i].push_waits;
		*pop += snap->lanes[i].pop_waits;
	}
}

/* 1600 tasks, each byte of which is recorded; how often lanes waited, by gate. */
static int record_smallest(int fd, int region, __u64 waits[2],
			   struct snap *snap)
{
	__u64 session, silent;
	struct record r;

	if (record_start(&r, A, regions[region].name))
		return -1;
	if (!WITHIN(SOON_MS, runs_ended(fd)) ||
	    _test_ioctl_stop(fd, &session, &silent) || silent ||
	    snap_take(snap, fd) || !WITHIN(SOON_MS, stuck_done(&r.cat)))
		return -1;
	count_waits(snap, &waits[DFX_GATE_RQ], &waits[DFX_GATE_FQ]);
	return record_end(&r, records_of(region, 1600));
}

/*
 * A host so slow, and pools so small, that one gate is met all the time: with one
 * buffer a pool it is the pop gate, with two the ready queue is full before that,
 * unless the lane has a single pool.
 */
TEST_F_TIMEOUT(delay, every_region, 120)
{
	struct snap snap;
	__u64 waits[2];
	__u32 buffers;
	int i, gate;

	ASSERT_EQ(0, sim_set(A, "tasks", "1600"));
	ASSERT_EQ(0, sim_set(A, "firmware", "big=100 payload=1000"));
	ASSERT_EQ(0, have_all(A));
	for (i = 0; i < 2 * ALL_REGIONS; i++) {
		/* Anew: what an old session says of its runs would be believed. */
		ASSERT_LIVE(A);
		buffers = 1 + i % 2;
		gate = buffers == 1 || regions[i / 2].pools == 1 ?
		       DFX_GATE_FQ : DFX_GATE_RQ;
		self->fd = sim_node(A, regions[i / 2].name);
		ASSERT_GE(self->fd, 0);
		SMALLEST_POLICY(self->fd, variant->recovery,
				.buffers = buffers, .slots = buffers,
				.arena_kb = 8, .delay_us = 1000);
		ASSERT_EQ(0, record_smallest(self->fd, i / 2, waits, &snap));
		EXPECT_NE(0, waits[gate]);
		if (variant->recovery == DFX_RECOVERY_GLOBAL)
			EXPECT_NE(0, snap.s.out_freeze[gate].opens);
		close(self->fd);
		self->fd = -1;
		ASSERT_NOT_LIVE(A);
	}
}

/*
 * One lane dies after a number of its tasks, in the middle of a buffer; the others
 * do all of theirs. Every record that was counted is there, and no other.
 */
TEST_F_TIMEOUT(delay, death, 60)
{
	__u64 session, silent, want = 3 * 400 + 333;
	int i;

	ASSERT_EQ(0, sim_set(A, "tasks", "1600"));
	ASSERT_EQ(0, sim_set(A, "firmware", "mute=1@333"));
	for (i = 0; i < NR_REGIONS; i++) {
		ASSERT_LIVE(A);
		check_init(&self->check, regions[i].id);
		self->fd = sim_node(A, regions[i].name);
		ASSERT_GE(self->fd, 0);
		test_ioctl_policy(self->fd, .recovery = variant->recovery,
				  .records = 16, .buffers = 2);
		ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
		test_ioctl_start(self->fd, 0, &session);
		/* Parts of the last buffers are all that cannot come by itself. */
		ASSERT_RECORDED(want - 4 * 16, &self->check, &self->ring);
		/* A lane that is silent does not read its flush or its stop. */
		ASSERT_SOON(sim_check_drain(&self->check, &self->ring) < 0 ||
			    lanes_ended(self->fd) == 3);
		ASSERT_SOON(lane_produced(self->fd, 1) == 333);
		ASSERT_EQ(0, _test_ioctl_stop(self->fd, &session, &silent));
		EXPECT_EQ(0x2, silent);
		ASSERT_SOON(sim_check_drain(&self->check, &self->ring) < 0 ||
			    ring_ended(&self->ring));
		sim_check_drain(&self->check, &self->ring);
		EXPECT_STREQ("", self->check.why);
		EXPECT_EQ(want, self->check.records);
		EXPECT_EQ(0, self->check.lost);
		EXPECT_NE(0, self->check.recovered);
		ring_close(&self->ring);
		close(self->fd);
		self->fd = -1;
		ASSERT_NOT_LIVE(A);
	}
}

/* In the middle of it all, with copies under way. */
TEST_F_TIMEOUT(delay, fifty_lives, 120)
{
	__u64 session;
	int i;

	ASSERT_EQ(0, sim_set(A, "tasks", ENDLESS));
	for (i = 0; i < 50; i++) {
		ASSERT_LIVE(A);
		check_init(&self->check, DFX_SUBSYS_L2_SWIMLANE);
		self->fd = sim_node(A, "l2_swimlane");
		ASSERT_GE(self->fd, 0);
		SMALLEST_POLICY(self->fd, variant->recovery, .buffers = 2,
				.slots = 2);
		ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
		test_ioctl_start(self->fd, 0, &session);
		ASSERT_RECORDED(64, &self->check, &self->ring);
		EXPECT_EQ(0, self->check.lost);
		ASSERT_NOT_LIVE(A);
		EXPECT_EQ(POLLHUP | POLLERR, events(self->fd));
		ring_close(&self->ring);
		ASSERT_EQ(0, close(self->fd));
		self->fd = -1;
	}
}

/*
 * No full buffer can be copied for a while. What was in them is charged, and told as
 * lost; nothing else is.
 */
TEST_F_TIMEOUT(sim, copies_fail, 60)
{
	__u64 session, charged = 0, produced = 0, other = 0;
	struct snap snap;
	__u32 i, j;

	ASSERT_EQ(0, sim_set(A, "tasks", ENDLESS));
	ASSERT_EQ(0, sim_set(A, "rate_hz", "20000"));
	ASSERT_EQ(0, sim_set(A, "delay_us", "50"));
	/* Longer than all that is not records. */
	ASSERT_EQ(0, sim_set(A, "copy_fail_len", "2048"));
	self->check.gaps = true;
	ASSERT_LIVE(A);
	self->fd = sim_node(A, "l2_swimlane");
	ASSERT_GE(self->fd, 0);
	test_ioctl_policy(self->fd, .records = 128);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_RECORDED(2000, &self->check, &self->ring);
	EXPECT_EQ(0, self->check.lost);
	ASSERT_EQ(0, sim_set(A, "copy_fail_ppm", "1000000"));
	ASSERT_SOON(charged_at(self->fd) > 2000);
	ASSERT_EQ(0, sim_set(A, "copy_fail_ppm", "0"));
	ASSERT_RECORDED(2000, &self->check, &self->ring);
	test_ioctl_stop(self->fd);
	ASSERT_SOON(sim_check_drain(&self->check, &self->ring) < 0 ||
		    ring_ended(&self->ring));
	sim_check_drain(&self->check, &self->ring);
	EXPECT_STREQ("", self->check.why);
	test_ioctl_state(self->fd, &snap);
	for (i = 0; i < snap.s.nr_pools; i++) {
		produced += snap.pools[i].produced;
		for (j = 0; j < DFX_NR_DROP; j++)
			*(j == DFX_DROP_HOST_FAULT ? &charged : &other) +=
				snap.pools[i].dropped[j];
	}
	EXPECT_EQ(0, other);
	EXPECT_EQ(produced, self->check.records + charged);
	EXPECT_EQ(charged, self->check.lost);
}

/* Nothing can be copied: the device counts as gone, and can still be removed. */
TEST_F(sim, nothing_answers)
{
	__u64 session;

	ASSERT_EQ(0, sim_set(A, "tasks", ENDLESS));
	ASSERT_EQ(0, sim_set(A, "delay_us", "50"));
	ASSERT_LIVE(A);
	ASSERT_ATTACHED(A, self->fd, &self->ring);
	test_ioctl_start(self->fd, 0, &session);
	ASSERT_RECORDED(100, &self->check, &self->ring);
	ASSERT_EQ(0, sim_set(A, "copy_fail_ppm", "1000000"));
	ASSERT_SOON(events(self->fd) == (POLLHUP | POLLERR));
	EXPECT_GONE(self->fd);
	ASSERT_NOT_LIVE(A);
	EXPECT_EQ(-EIO, sim_set(A, "live", "1"));
	ASSERT_EQ(0, sim_set(A, "copy_fail_ppm", "0"));
	ASSERT_LIVE(A);
}

/* ---- a process as the firmware ------------------------------------------------ */

/* Opens /dev/dfx_simN of A and maps all of it; NULL with errno. */
static unsigned char *process_map(int *fd, size_t *size)
{
	char device[64], path[128];
	void *p;

	if (sim_get(A, "device", device, sizeof(device)))
		return NULL;
	/* dfx_sim.N */
	snprintf(path, sizeof(path), "/dev/dfx_sim%s", device + 8);
	*fd = open(path, O_RDWR | O_CLOEXEC);
	if (*fd < 0)
		return NULL;
	*size = lseek(*fd, 0, SEEK_END);
	p = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	return p == MAP_FAILED ? NULL : p;
}

static void process_boot(unsigned char *base, size_t size)
{
	struct dfx_dev_info info = {
		.arch = DFX_ARCH_A2A3,
		.nr_lanes = 2,
		.nr_cores = 4,
		.counter_hz = FW_HZ,
		.shared_offset = 1u << 20,
		.shared_size = size - (1u << 20),
		.boot = 1,
		.subsystems = 1u << DFX_SUBSYS_L2_SWIMLANE,
	};

	dfx_dev_announce(base, &info);
}

static bool has_node(const char *subsys)
{
	int fd = sim_node(A, subsys);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

#define ASSERT_PROCESS(fd, size, base) \
	({ \
		ASSERT_EQ(0, sim_set(A, "mode", "process")); \
		ASSERT_LIVE(A); \
		(base) = process_map(&(fd), &(size)); \
		ASSERT_NE(NULL, base); \
	})

TEST_F(sim, process_protections)
{
	const struct dfx_shm_aperture *ap;
	const struct dfx_shm_region *r;
	unsigned char *base, *region;
	struct dfx_dev dev;
	size_t size;
	int fd;

	ASSERT_PROCESS(fd, size, base);
	EXPECT_EQ(16u << 20, size);
	/* Nothing but the identity is the device's before there is a host. */
	EXPECT_TRUE(sigbus_at(base + 4096, true));
	EXPECT_TRUE(sigbus_at(base + (1u << 20), true));
	EXPECT_TRUE(sigbus_at(base + size - 1, true));
	EXPECT_FALSE(sigbus_at(base + size - 1, false));
	EXPECT_FALSE(has_node("l2_swimlane"));
	process_boot(base, size);
	ASSERT_SOON(has_node("l2_swimlane"));
	EXPECT_FALSE(has_node("pmu"));

	ap = (void *)(base + (1u << 20));
	/* The nodes are there a moment before the host says so. */
	ASSERT_SOON(__atomic_load_n(&ap->magic, __ATOMIC_ACQUIRE) ==
		    DFX_MAGIC_APERTURE);
	ASSERT_EQ(1, ap->nr_regions);
	region = base + ap->regions[0].offset;
	r = (void *)region;
	ASSERT_EQ(DFX_MAGIC_REGION, r->magic);
	/* Private memory. */
	EXPECT_FALSE(sigbus_at(base + 4096, true));
	EXPECT_FALSE(sigbus_at(base + (1u << 20) - 1, true));
	/* The host's: headers, control, freeze flags, free queues. */
	EXPECT_TRUE(sigbus_at(ap, true));
	EXPECT_TRUE(sigbus_at(r, true));
	EXPECT_TRUE(sigbus_at(region + r->desc_off, true));
	EXPECT_TRUE(sigbus_at(region + r->host_off, true));
	EXPECT_TRUE(sigbus_at(region + r->rq_head_off, true));
	EXPECT_TRUE(sigbus_at(region + r->fq_off, true));
	EXPECT_TRUE(sigbus_at(region + r->dev_off - 1, true));
	EXPECT_FALSE(sigbus_at(region + r->dev_off - 1, false));
	/* The device's: marks, lanes, pools, ready queues, buffers. */
	EXPECT_FALSE(sigbus_at(region + r->dev_off, true));
	EXPECT_FALSE(sigbus_at(region + r->lane_off, true));
	EXPECT_FALSE(sigbus_at(region + r->pool_off, true));
	EXPECT_FALSE(sigbus_at(region + r->rq_off, true));
	EXPECT_FALSE(sigbus_at(region + r->buf_off, true));
	EXPECT_FALSE(sigbus_at(region + r->size - 1, true));
	/* Nobody's. */
	EXPECT_TRUE(sigbus_at(region + r->size, true));
	/* The kernel is kept from it as well. */
	EXPECT_ERRNO(EFAULT, pread(open("/dev/zero", O_RDONLY),
				   region + r->fq_off, 8, 0));
	EXPECT_EQ(DFX_DEV_OK, dfx_dev_attach(&dev, base, size));
	munmap(base, size);
	close(fd);
}

TEST_F(sim, process_alone)
{
	unsigned char *base;
	size_t size, other_size;
	int fd, other;

	ASSERT_PROCESS(fd, size, base);
	EXPECT_EQ(NULL, process_map(&other, &other_size));
	EXPECT_EQ(EBUSY, errno);
	/* A mapping is as good as a descriptor. */
	close(fd);
	EXPECT_EQ(NULL, process_map(&other, &other_size));
	EXPECT_EQ(EBUSY, errno);
	munmap(base, size);
	base = process_map(&fd, &size);
	ASSERT_NE(NULL, base);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd,
				   size));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ | PROT_EXEC,
				   MAP_SHARED, fd, 0));
	EXPECT_EQ(-EOPNOTSUPP, sim_set(A, "dead", "1"));
	munmap(base, size);
	close(fd);
}

/* What a process stores goes past the port, and nothing can hold it up. */
TEST_F(sim, process_has_one_memory)
{
	ASSERT_EQ(0, sim_set(A, "mode", "process"));
	ASSERT_EQ(0, sim_set(A, "delay_us", "1"));
	EXPECT_EQ(-EINVAL, sim_set(A, "live", "1"));
	ASSERT_EQ(0, sim_set(A, "delay_us", "0"));
	ASSERT_EQ(0, sim_set(A, "copy_fail_ppm", "1"));
	EXPECT_EQ(-EINVAL, sim_set(A, "live", "1"));
	ASSERT_EQ(0, sim_set(A, "copy_fail_ppm", "0"));
	ASSERT_LIVE(A);
}

TEST_F(sim, process_loses_device)
{
	unsigned char *base;
	size_t size;
	int fd;

	ASSERT_PROCESS(fd, size, base);
	process_boot(base, size);
	ASSERT_SOON(has_node("l2_swimlane"));
	self->fd = sim_node(A, "l2_swimlane");
	ASSERT_GE(self->fd, 0);
	ASSERT_NOT_LIVE(A);
	EXPECT_TRUE(sigbus_at(base, false));
	EXPECT_TRUE(sigbus_at(base, true));
	EXPECT_GONE(self->fd);
	/* The old file's mapping is nothing to the new device. */
	ASSERT_LIVE(A);
	EXPECT_TRUE(sigbus_at(base, false));
	munmap(base, size);
	close(fd);
}

static pid_t process_firmware(const char *tasks)
{
	char device[64], path[128], seed[32];
	pid_t pid;

	if (sim_get(A, "device", device, sizeof(device)))
		return -1;
	snprintf(path, sizeof(path), "/dev/dfx_sim%s", device + 8);
	snprintf(seed, sizeof(seed), "seed=%s", SEED);
	pid = fork();
	if (pid)
		return pid;
	execlp("dfx-fw-hosted", "dfx-fw-hosted", "--aperture", path,
	       "cores=8", seed, tasks, NULL);
	_exit(127);
}

/* The hosted firmware records; is killed; and boots anew on the same device. */
TEST_F(sim, process_is_firmware)
{
	__u64 session, silent;
	struct snap snap;
	pid_t pid;
	int i;

	memset(&snap, 0, sizeof(snap));

	ASSERT_EQ(0, sim_set(A, "mode", "process"));
	ASSERT_LIVE(A);
	for (i = 0; i < 2; i++) {
		pid = process_firmware("tasks=3000");
		ASSERT_GT(pid, 0);
		ASSERT_SOON(has_node("l2_swimlane"));
		check_init(&self->check, DFX_SUBSYS_L2_SWIMLANE);
		ASSERT_ATTACHED(A, self->fd, &self->ring);
		ASSERT_SOON(lanes_back(self->fd, &snap));
		test_ioctl_start(self->fd, 0, &session);
		ASSERT_SOON(sim_check_drain(&self->check, &self->ring) < 0 ||
			    runs_ended(self->fd));
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
		ASSERT_EQ(0, _test_ioctl_stop(self->fd, &session, &silent));
		EXPECT_EQ(0xf, silent);
		ASSERT_SOON(sim_check_drain(&self->check, &self->ring) < 0 ||
			    self->check.records == 3000);
		EXPECT_STREQ("", self->check.why);
		test_ioctl_state(self->fd, &snap);
		ring_close(&self->ring);
		close(self->fd);
		self->fd = -1;
	}
}

/* ---- modules ------------------------------------------------------------------- */

static long call_read(void *arg)
{
	char buf[4096];
	ssize_t rc;

	/* Past what there is, to where it sleeps. */
	do {
		rc = read(*(int *)arg, buf, sizeof(buf));
	} while (rc > 0);
	return rc;
}

TEST_F(sim, modules)
{
	struct stuck s;
	int mapped;

	/* One needs the other, and a directory needs its module. */
	EXPECT_EQ(-EWOULDBLOCK, sysfs_unload("dfx"));
	EXPECT_EQ(-EWOULDBLOCK, sysfs_unload("dfx_sim"));
	ASSERT_EQ(0, sim_remove(A));
	ASSERT_SOON(!sysfs_unload("dfx_sim"));

	EXPECT_EQ(-EINVAL, sysfs_load(SIM_MODULE, "devices=1 lanes=99"));
	EXPECT_EQ(-EINVAL, sysfs_load(SIM_MODULE, "devices=17"));
	ASSERT_EQ(0, sysfs_load(SIM_MODULE,
				"devices=2 aperture=16 cores=8 tasks=100"));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	mapped = fw_node("pmu", O_RDWR);
	ASSERT_GE(mapped, 0);
	ASSERT_EQ(0, ring_open(&self->ring, mapped, 0));
	EXPECT_FALSE(sigbus_at(self->ring.buffers, false));
	ASSERT_EQ(0, stuck_start(&s, call_read, &self->fd));
	ASSERT_SOON(stuck_in(&s, SYS_read) && runs_ended(self->fd));
	/* Open, mapped and waited for. */
	ASSERT_EQ(0, sysfs_unload("dfx_sim"));
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(-1, s.rc);
	EXPECT_EQ(ENODEV, s.err);
	EXPECT_GONE(self->fd);
	EXPECT_GONE(mapped);
	EXPECT_TRUE(sigbus_at(self->ring.buffers, false));
	EXPECT_EQ(-1, fw_node("l2_swimlane", O_RDWR));
	close(mapped);
	ASSERT_EQ(0, sysfs_load(SIM_MODULE, ""));
	/* No device but those that are asked for. */
	EXPECT_EQ(-1, fw_node("l2_swimlane", O_RDWR));
}

TEST_HARNESS_MAIN
