// SPDX-License-Identifier: GPL-2.0-only
/*
 * arena_test.c - payloads of records, through the driver
 *
 * Region tensor_dump: every lane has one pool and one arena. The ledger compares
 * every byte of every payload with what the lane wrote at that place.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

#define NR_LANES	2
/* The smallest arena there is. */
#define ARENA_KB	4
#define ARENA		(ARENA_KB * 1024u)
#define UNITS		(ARENA / DFX_ARENA_UNIT)
#define HALF		(ARENA / 2)

static const struct fw_config config = {
	.lanes = NR_LANES,
	.cores = NR_LANES,
	.subsystems = 1u << DFX_SUBSYS_TENSOR_DUMP,
	.subsys = DFX_SUBSYS_TENSOR_DUMP,
	/* Some are truncated. */
	.payload = HALF + 200,
};

FIXTURE(arena) {
	struct fw fw;
	int fd;
	int monitor;
	struct ring ring;
	struct ledger ledger;
	__u64 session;
	struct stuck call;
	bool called;
};

FIXTURE_SETUP(arena)
{
	ASSERT_EQ(0, fw_up(&self->fw, &config));
	self->fd = fw_node("tensor_dump", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->monitor = fw_node("tensor_dump", O_RDWR);
	ASSERT_GE(self->monitor, 0);
}

FIXTURE_TEARDOWN(arena)
{
	ring_close(&self->ring);
	close(self->fd);
	close(self->monitor);
	/* A lane that is parked leaves when its host has gone. */
	if (self->fw.bdf[0] && sysfs_bound(self->fw.bdf))
		sysfs_unbind(self->fw.bdf);
	if (self->called)
		stuck_join(&self->call);
	fw_down(&self->fw);
}

/* A session by hand of all lanes, with a consumer. */
#define ARENA_START(a, ...) \
	({ \
		test_ioctl_policy((a)->fd, .arena_kb = ARENA_KB, \
				  __VA_ARGS__); \
		ASSERT_EQ(0, ring_open(&(a)->ring, (a)->fd, 0)); \
		test_ioctl_start((a)->fd, 0, &(a)->session); \
		fw_poll(&(a)->fw); \
	})

#define EXPECT_LEDGER(a) \
	EXPECT_EQ(0, (a)->ledger.why[0]) { \
		TH_LOG("%s", (a)->ledger.why); \
	}

#define EXPECT_DRAINED(a) \
	EXPECT_EQ(0, ring_drain_to_end(&(a)->ring, &(a)->ledger)) { \
		TH_LOG("%s", (a)->ledger.why); \
	}

static __u32 arena_head(const struct fw_lane *l)
{
	return dfx_port_load32_acquire(&l->lane.rq_head->arena_head);
}

/*
 * Everything that was ever asked for has been received, once, and to the unit the
 * arena has been given back: no share twice, none left out.
 */
#define EXPECT_LOSSLESS(a, ledger) \
	({ \
		struct snap _s; \
		expect_identity((a)->monitor); \
		test_ioctl_state((a)->monitor, &_s); \
		for (int _p = 0; _p < NR_LANES; _p++) { \
			const struct fw_lane *_l = &(a)->fw.lane[_p]; \
			const struct ledger_pool *_q = &(ledger)->pools[_p]; \
			EXPECT_EQ(_q->records, _s.pools[_p].produced); \
			EXPECT_EQ(_q->records, _s.pools[_p].delivered); \
			EXPECT_EQ(_l->asked[_p], _q->records); \
			EXPECT_EQ(_l->bytes, _q->bytes); \
			EXPECT_EQ(0, snap_dropped(&_s.pools[_p])); \
			EXPECT_EQ(0, _s.pools[_p].in_flight); \
			EXPECT_EQ(0, _s.lanes[_p].fault); \
			EXPECT_EQ(0, _s.lanes[_p].expired); \
			EXPECT_EQ(_q->pos, \
				  _l->lane.arena_tail * DFX_ARENA_UNIT); \
			EXPECT_EQ((__u32)_l->lane.arena_tail, \
				  arena_head(_l)); \
		} \
		EXPECT_EQ(0, (ledger)->lost); \
	})

/* Writes one payload and publishes it. */
static int put(struct fw_lane *l, __u64 size)
{
	int rc = fw_payload(l, l->number, size, DFX_DEV_TRY);

	return rc ?: dfx_dev_flush(&l->lane, DFX_DEV_TRY);
}

/* So many buffers are with the consumer, and it has looked at them. */
static bool taken(struct ring *ring, struct ledger *ledger, __u64 *cookie,
		  int *nr, int want)
{
	int n = ring_hold(ring, ledger, cookie + *nr, want - *nr);

	if (n > 0)
		*nr += n;
	return n < 0 || *nr == want;
}

#define HOLD(a, cookie, nr, want) \
	({ \
		ASSERT_SOON(taken(&(a)->ring, &(a)->ledger, cookie, nr, \
				  want)); \
		EXPECT_LEDGER(a); \
	})

/* The driver has taken what is in the release ring. */
#define RELEASE(a, cookie) \
	({ \
		ring_release(&(a)->ring, cookie); \
		EXPECT_LE(0, ring_wait(&(a)->ring, 0)); \
	})

/* A call that blocks, in a thread of its own. */
#define CALL(a, fn, arg) \
	({ \
		ASSERT_EQ(0, stuck_start(&(a)->call, fn, arg)); \
		(a)->called = true; \
	})

#define RETURNED(a) \
	({ \
		ASSERT_SOON(stuck_done(&(a)->call)); \
		stuck_join(&(a)->call); \
		(a)->called = false; \
		(a)->call.rc; \
	})

static long call_wait_for_release(void *arg)
{
	struct fw_lane *l = arg;

	return dfx_dev_wait_for_release(&l->lane, DFX_DEV_BLOCK);
}

static long call_payload(void *arg)
{
	struct fw_lane *l = arg;

	return fw_payload(l, l->number, HALF, DFX_DEV_BLOCK);
}

/* The host has made so many more passes: what it was going to do is done. */
#define PASSES(a, n) \
	({ \
		__u64 _before = snap_passes((a)->monitor); \
		ASSERT_SOON(snap_passes((a)->monitor) >= _before + (n)); \
	})

/* ---- every byte ----------------------------------------------------------------- */

FIXTURE(bytes) {
	FIXTURE_DATA(arena) a;
};

FIXTURE_VARIANT(bytes) {
	struct dfx_policy policy;
};

FIXTURE_VARIANT_ADD(bytes, global) {
	.policy = { .arena_kb = ARENA_KB, .records = 4, .buffers = 4 },
};

FIXTURE_VARIANT_ADD(bytes, lane) {
	.policy = { .arena_kb = ARENA_KB, .records = 4, .buffers = 4,
		    .recovery = DFX_RECOVERY_LANE },
};

FIXTURE_VARIANT_ADD(bytes, smallest_global) {
	.policy = { .arena_kb = ARENA_KB, .records = 3, .buffers = 1,
		    .slots = 1, .rq_depth = 1 },
};

FIXTURE_VARIANT_ADD(bytes, smallest_lane) {
	.policy = { .arena_kb = ARENA_KB, .records = 3, .buffers = 1,
		    .slots = 1, .rq_depth = 1,
		    .recovery = DFX_RECOVERY_LANE },
};

FIXTURE_SETUP(bytes)
{
	struct dfx_policy p = variant->policy;

	arena_setup(_metadata, &self->a, NULL);
	ASSERT_EQ(0, _test_ioctl_policy(self->a.fd, DFX_POLICY_SET, &p));
}

FIXTURE_TEARDOWN(bytes)
{
	arena_teardown(_metadata, &self->a, NULL);
}

#define QUOTA	150

/* Round the arena many times, and over its end. */
#define EXPECT_BYTES(a) \
	({ \
		struct snap _s; \
		EXPECT_LOSSLESS(a, &(a)->ledger); \
		test_ioctl_state((a)->monitor, &_s); \
		for (int _p = 0; _p < NR_LANES; _p++) { \
			EXPECT_EQ(QUOTA, (a)->ledger.pools[_p].records); \
			EXPECT_LT(20 * ARENA, (a)->ledger.pools[_p].pos); \
			EXPECT_LT(0, (a)->ledger.pools[_p].truncated); \
		} \
		if (variant->policy.recovery == DFX_RECOVERY_LANE) { \
			EXPECT_EQ(0, _s.s.out_freeze[DFX_GATE_FQ].opens); \
		} else { \
			EXPECT_LT(0, _s.s.out_freeze[DFX_GATE_FQ].opens); \
		} \
	})

TEST_F(bytes, ring)
{
	FIXTURE_DATA(arena) *a = &self->a;

	ASSERT_EQ(0, ring_open(&a->ring, a->fd, 0));
	test_ioctl_start(a->fd, 0, &a->session);
	ASSERT_EQ(0, fw_run(&a->fw, QUOTA));
	ASSERT_SOON(ring_drain(&a->ring, &a->ledger) < 0 ||
		    a->ledger.records == NR_LANES * QUOTA);
	test_ioctl_stop(a->fd);
	EXPECT_EQ(0, ring_drain_to_end(&a->ring, &a->ledger)) {
		TH_LOG("%s", a->ledger.why);
	}
	EXPECT_BYTES(a);
	EXPECT_LT(0, a->ledger.pools[0].wraps + a->ledger.pools[1].wraps);
}

#define STREAM_MAX	(4u << 20)

/* In pieces that end anywhere: within a header, a record, a payload. */
TEST_F(bytes, read)
{
	FIXTURE_DATA(arena) *a = &self->a;
	const size_t piece[] = { 333, 1, 4096, 67, 64, 5000, 129 };
	char *bytes = malloc(STREAM_MAX);
	bool stopped = false;
	size_t len = 0, n = 0;
	struct dfx_attach at;
	ssize_t rc;

	ASSERT_NE(NULL, bytes);
	test_ioctl_attach(a->fd, 0, &at);
	test_ioctl_start(a->fd, 0, &a->session);
	ASSERT_EQ(0, fcntl(a->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, fw_run(&a->fw, QUOTA));
	for (__u64 until = clock_ns() + SOON_MS * 1000000ull;;) {
		ASSERT_LT(clock_ns(), until);
		ASSERT_LE(len + 5000, STREAM_MAX);
		rc = read(a->fd, bytes + len, piece[n++ % ARRAY_SIZE(piece)]);
		if (!rc)
			break;
		if (rc > 0) {
			len += rc;
			continue;
		}
		ASSERT_EQ(EAGAIN, errno);
		if (!stopped && a->fw.lane[0].lane.runs &&
		    a->fw.lane[1].lane.runs) {
			test_ioctl_stop(a->monitor);
			stopped = true;
		}
		breathe();
	}
	ASSERT_EQ(len, ledger_stream(&a->ledger, bytes, len)) {
		TH_LOG("%s", a->ledger.why);
	}
	EXPECT_TRUE(a->ledger.end_seen);
	EXPECT_BYTES(a);
	free(bytes);
}

/* One that the arena cannot hold is cut, says so, and is completed as any other. */
TEST_F(arena, truncated)
{
	static const __u64 size[] = {
		HALF, HALF + 1, ARENA, ARENA + 1, 1ull << 40, ~0ull, 0, 1,
	};
	struct fw_lane *l = &self->fw.lane[0];
	const struct ledger_pool *p = &self->ledger.pools[0];
	__u64 truncated = 0, bytes = 0;
	unsigned int i, n = 0;

	ARENA_START(self, .records = 4, .buffers = 8);
	/* From every other place that the tail can be at. */
	for (i = 0; i < 4 * UNITS; i++) {
		ASSERT_EQ(DFX_DEV_OK, put(l, size[i % 8]));
		n++;
		bytes += size[i % 8] < HALF ? size[i % 8] : HALF;
		truncated += size[i % 8] > HALF;
		ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
			    p->records == n);
		EXPECT_LE(0, ring_wait(&self->ring, 0));
		EXPECT_LEDGER(self);
		ASSERT_EQ(n, p->records);
		ASSERT_EQ(truncated, p->truncated);
		ASSERT_EQ(bytes, p->bytes);
		ASSERT_EQ((__u32)l->lane.arena_tail, arena_head(l));
	}
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(self);
	EXPECT_LOSSLESS(self, &self->ledger);
}

/* ---- the leader ------------------------------------------------------------------ */

/* Parked until the consumer has let go of everything, and not a byte before. */
TEST_F(arena, wait_for_release)
{
	struct fw_lane *l = &self->fw.lane[0], *other = &self->fw.lane[1];
	struct dfx_freeze_stat *f;
	struct snap snap;
	__u64 cookie[4];
	__u32 before;
	int i, nr;

	/* No free queue is ever empty: it is the arena that is waited for. */
	ARENA_START(self, .records = 4, .buffers = 8);
	f = &snap.s.out_freeze[DFX_GATE_FQ];
	for (i = 0; i < 5; i++) {
		nr = 0;
		before = arena_head(l);
		ASSERT_EQ(DFX_DEV_OK, put(l, 640));
		ASSERT_EQ(DFX_DEV_OK, put(l, 100));
		HOLD(self, cookie, &nr, 2);
		CALL(self, call_wait_for_release, l);
		ASSERT_SOON(snap_active(self->monitor, DFX_GATE_FQ) == 1 &&
			    snap_lane_state(self->monitor, 0) ==
			    DFX_LANE_PARKED_POP);
		/* The newer one: nothing can be reclaimed yet. */
		RELEASE(self, cookie[1]);
		PASSES(self, 5);
		EXPECT_FALSE(stuck_done(&self->call));
		EXPECT_EQ(1, snap_active(self->monitor, DFX_GATE_FQ));
		EXPECT_EQ(before, arena_head(l));
		/* The gap is common to all lanes. */
		EXPECT_EQ(DFX_DEV_AGAIN, put(other, 64));

		RELEASE(self, cookie[0]);
		EXPECT_EQ(DFX_DEV_OK, RETURNED(self));
		EXPECT_EQ((__u32)l->lane.arena_tail, arena_head(l));
		/* One wait, one mark, one freeze. */
		test_ioctl_state(self->monitor, &snap);
		EXPECT_EQ(0, f->active);
		EXPECT_EQ(i + 1, f->opens);
		EXPECT_EQ(i + 1, f->releases);
		EXPECT_EQ(i + 1, snap.lanes[0].marks);
		EXPECT_EQ(i + 1, snap.lanes[0].pop_waits);
		EXPECT_EQ(0, snap.s.out_freeze[DFX_GATE_RQ].opens);
	}
	ASSERT_EQ(DFX_DEV_OK, put(other, 64));
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(self);
	EXPECT_LOSSLESS(self, &self->ledger);
}

/* A lane that finds its arena full publishes what it has, and waits like that. */
TEST_F(arena, full)
{
	struct fw_lane *l = &self->fw.lane[0];
	struct snap snap;
	__u64 cookie[4];
	int nr = 0;

	ARENA_START(self, .records = 4, .buffers = 8);
	ASSERT_EQ(DFX_DEV_OK, put(l, HALF));
	ASSERT_EQ(DFX_DEV_OK, fw_payload(l, 0, HALF, DFX_DEV_TRY));
	CALL(self, call_payload, l);
	HOLD(self, cookie, &nr, 2);
	ASSERT_SOON(snap_active(self->monitor, DFX_GATE_FQ) == 1);
	/* Room for it, but not the release of all. */
	RELEASE(self, cookie[0]);
	PASSES(self, 5);
	EXPECT_EQ(UNITS / 2, arena_head(l));
	EXPECT_FALSE(stuck_done(&self->call));
	EXPECT_EQ(1, snap_active(self->monitor, DFX_GATE_FQ));
	RELEASE(self, cookie[1]);
	EXPECT_EQ(DFX_DEV_OK, RETURNED(self));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(1, snap.s.out_freeze[DFX_GATE_FQ].opens);
	EXPECT_EQ(1, snap.s.out_freeze[DFX_GATE_FQ].releases);
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(self);
	EXPECT_EQ(3, self->ledger.pools[0].records);
	EXPECT_LOSSLESS(self, &self->ledger);
}

/* With recovery by lane room is enough, and nobody else waits. */
TEST_F(arena, full_by_lane)
{
	struct fw_lane *l = &self->fw.lane[0];
	struct snap snap;
	__u64 cookie[4];
	int nr = 0;

	ARENA_START(self, .records = 4, .buffers = 8,
		    .recovery = DFX_RECOVERY_LANE);
	EXPECT_EQ(DFX_DEV_INVAL,
		  dfx_dev_wait_for_release(&l->lane, DFX_DEV_BLOCK));
	ASSERT_EQ(DFX_DEV_OK, put(l, HALF));
	ASSERT_EQ(DFX_DEV_OK, put(l, HALF));
	HOLD(self, cookie, &nr, 2);
	CALL(self, call_payload, l);
	ASSERT_SOON(snap_lane_state(self->monitor, 0) == DFX_LANE_PARKED_POP);
	ASSERT_EQ(DFX_DEV_OK, put(&self->fw.lane[1], 64));
	EXPECT_FALSE(stuck_done(&self->call));
	RELEASE(self, cookie[0]);
	EXPECT_EQ(DFX_DEV_OK, RETURNED(self));
	EXPECT_EQ(UNITS / 2, arena_head(l));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(0, snap.s.out_freeze[DFX_GATE_FQ].opens);
	EXPECT_EQ(0, snap.lanes[0].marks);
	RELEASE(self, cookie[1]);
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(self);
	EXPECT_EQ(3, self->ledger.pools[0].records);
	EXPECT_LOSSLESS(self, &self->ledger);
}

/* ---- consumers ------------------------------------------------------------------- */

/*
 * It keeps its oldest buffer while newer ones go round: nothing of the arena comes
 * back, and nothing is lost, at the end of the session either.
 */
TEST_F(arena, old_buffer_kept)
{
	struct fw_lane *l = &self->fw.lane[0];
	__u64 cookie[2];
	int nr = 0, i;
	__u64 n = 1;

	ARENA_START(self, .records = 4, .buffers = 4,
		    .recovery = DFX_RECOVERY_LANE);
	ASSERT_EQ(DFX_DEV_OK, put(l, 10));
	HOLD(self, cookie, &nr, 1);
	/* More than there are buffers, many times. */
	for (i = 0; i < 40; i++) {
		ASSERT_EQ(DFX_DEV_OK, put(l, 10));
		n++;
		ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
			    self->ledger.records == n);
		EXPECT_LE(0, ring_wait(&self->ring, 0));
	}
	EXPECT_LEDGER(self);
	EXPECT_EQ(0, arena_head(l));
	ASSERT_EQ(DFX_DEV_OK, put(l, (UNITS - 41) * DFX_ARENA_UNIT));
	EXPECT_EQ(DFX_DEV_AGAIN, put(l, 1));
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	/* No lane is silent: all that was published has been taken. */
	test_ioctl_stop(self->fd);
	ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
		    self->ledger.records == 42);
	EXPECT_LE(0, ring_wait(&self->ring, 0));
	EXPECT_EQ(0, arena_head(l));
	RELEASE(self, cookie[0]);
	EXPECT_DRAINED(self);
	EXPECT_LOSSLESS(self, &self->ledger);
}

struct estate {
	struct ledger ledger;
	int ready;
};

/* Stores everything, releases the first few buffers, then none any more. */
static void consume(struct estate *e)
{
	const struct dfx_ready *r;
	struct ring ring;
	int n = 0;
	int fd = fw_node("tensor_dump", O_RDWR);

	if (fd < 0 || ring_open(&ring, fd, 0))
		_exit(1);
	__atomic_store_n(&e->ready, 1, __ATOMIC_RELEASE);
	for (;;) {
		r = ring_next(&ring);
		if (!r) {
			ring_wait(&ring, 10000000);
			continue;
		}
		if (ring_enter(&ring, r, &e->ledger))
			_exit(2);
		if (n++ < 6)
			ring_release(&ring, r->cookie);
	}
}

FIXTURE(kill) {
	FIXTURE_DATA(arena) a;
	struct estate *estate;
	pid_t pid;
};

FIXTURE_VARIANT(kill) {
	__u32 recovery;
};

FIXTURE_VARIANT_ADD(kill, global) { .recovery = DFX_RECOVERY_GLOBAL };
FIXTURE_VARIANT_ADD(kill, lane) { .recovery = DFX_RECOVERY_LANE };

FIXTURE_SETUP(kill)
{
	arena_setup(_metadata, &self->a, NULL);
	/* The child has it for nothing. */
	ASSERT_EQ(0, madvise(self->a.fw.bar, self->a.fw.bar_size,
			     MADV_DONTFORK));
	self->estate = mmap(NULL, sizeof(*self->estate),
			    PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->estate);
	test_ioctl_policy(self->a.fd, .arena_kb = ARENA_KB, .records = 4,
			  .buffers = 3, .slots = 2,
			  .recovery = variant->recovery);
}

FIXTURE_TEARDOWN(kill)
{
	if (self->pid > 0) {
		kill(self->pid, SIGKILL);
		waitpid(self->pid, NULL, 0);
	}
	arena_teardown(_metadata, &self->a, NULL);
	munmap(self->estate, sizeof(*self->estate));
}

/* Its successor gets every payload that is not yet stored, and those that are. */
TEST_F(kill, successor)
{
	FIXTURE_DATA(arena) *a = &self->a;
	struct ledger *ledger = &self->estate->ledger;
	__u32 held;
	int status;

	self->pid = fork();
	ASSERT_LE(0, self->pid);
	if (!self->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		consume(self->estate);
		_exit(3);
	}
	ASSERT_SOON(__atomic_load_n(&self->estate->ready, __ATOMIC_ACQUIRE));
	test_ioctl_start(a->monitor, 0, &a->session);
	ASSERT_EQ(0, fw_run(&a->fw, QUOTA));
	/* It keeps all it has, and every lane is parked. */
	ASSERT_SOON(snap_lane_state(a->monitor, 0) == DFX_LANE_PARKED_POP &&
		    snap_lane_state(a->monitor, 1) == DFX_LANE_PARKED_POP);
	ASSERT_SOON((held = snap_held(a->monitor)) &&
		    *(volatile __u64 *)&ledger->frames == held + 6);
	ASSERT_EQ(0, kill(self->pid, SIGKILL));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, 0));
	self->pid = 0;
	ASSERT_TRUE(WIFSIGNALED(status)) {
		TH_LOG("the consumer had left with %d: %s", status,
		       ledger->why);
	}

	ASSERT_EQ(0, ring_open(&a->ring, a->fd, 0));
	ASSERT_SOON(ring_drain(&a->ring, ledger) < 0 ||
		    ledger->records == NR_LANES * QUOTA);
	test_ioctl_stop(a->fd);
	EXPECT_EQ(0, ring_drain_to_end(&a->ring, ledger)) {
		TH_LOG("%s", ledger->why);
	}
	EXPECT_EQ(held, ledger->redelivered);
	EXPECT_LOSSLESS(a, ledger);
}

/* ---- the end of a session --------------------------------------------------------- */

FIXTURE(stop) {
	FIXTURE_DATA(arena) a;
};

FIXTURE_VARIANT(stop) {
	__u32 recovery;
};

FIXTURE_VARIANT_ADD(stop, global) { .recovery = DFX_RECOVERY_GLOBAL };
FIXTURE_VARIANT_ADD(stop, lane) { .recovery = DFX_RECOVERY_LANE };

FIXTURE_SETUP(stop)
{
	arena_setup(_metadata, &self->a, NULL);
}

FIXTURE_TEARDOWN(stop)
{
	arena_teardown(_metadata, &self->a, NULL);
}

/* A leader that waits for room leaves at once; what was published is had. */
TEST_F(stop, while_full)
{
	FIXTURE_DATA(arena) *a = &self->a;
	struct fw_lane *l = &a->fw.lane[0];
	__u64 begun, took;
	struct snap snap;

	ARENA_START(a, .records = 4, .buffers = 8,
		    .recovery = variant->recovery);
	ASSERT_EQ(DFX_DEV_OK, put(l, HALF));
	ASSERT_EQ(DFX_DEV_OK, fw_payload(l, 0, HALF - 64, DFX_DEV_TRY));
	ASSERT_EQ(DFX_DEV_OK, fw_payload(l, 0, 60, DFX_DEV_TRY));
	ASSERT_EQ(0, fw_run_lane(&a->fw.lane[1], 1));
	CALL(a, call_payload, l);
	ASSERT_SOON(snap_lane_state(a->monitor, 0) ==
		    DFX_LANE_PARKED_POP);
	begun = clock_ns();
	/* And it has answered: no lane is silent. */
	test_ioctl_stop(a->fd);
	took = clock_ns() - begun;
	EXPECT_LT(took, 1000000000ull);
	EXPECT_EQ(DFX_DEV_NOSESSION, RETURNED(a));
	test_ioctl_state(a->monitor, &snap);
	EXPECT_EQ(0, snap.s.out_freeze[DFX_GATE_FQ].active);
	EXPECT_EQ(0, snap.s.out_freeze[DFX_GATE_FQ].releases);
	EXPECT_DRAINED(a);
	EXPECT_EQ(3, a->ledger.pools[0].records);
	EXPECT_EQ(UNITS, arena_head(l));
	EXPECT_LOSSLESS(a, &a->ledger);
}

/* ---- a lane that is refused -------------------------------------------------------- */

/* It neither waits for an arena that nobody looks at, nor asks for a freeze. */
TEST_F(arena, refused)
{
	struct fw_lane *l = &self->fw.lane[0], *good = &self->fw.lane[1];
	struct dfx_shm_entry e;
	struct snap snap;
	__u64 cookie[4];
	int nr = 0;

	ARENA_START(self, .records = 4, .buffers = 8);
	ASSERT_EQ(DFX_DEV_OK, put(l, HALF));
	HOLD(self, cookie, &nr, 1);
	ASSERT_EQ(DFX_DEV_OK, fw_payload(l, 0, HALF, DFX_DEV_TRY));
	e = fw_entry(l, 0);
	e.seq++;
	fw_forge(l, &e);
	ASSERT_SOON(snap_fault(self->monitor, 0) == DFX_FAULT_SEQ);
	EXPECT_EQ(1, dfx_port_load32(&l->lane.rq_head->refused));
	EXPECT_EQ(0, dfx_port_load32(&good->lane.rq_head->refused));
	CALL(self, call_payload, l);
	EXPECT_EQ(DFX_DEV_FAULT, RETURNED(self));
	EXPECT_EQ(0, l->lane.pop_waits);
	EXPECT_EQ(0, l->lane.marks);
	EXPECT_EQ(0, dfx_port_load32(&l->lane.contended->fq_contended));
	EXPECT_EQ(1, l->pools[0].dropped[DFX_DROP_FAULT]);

	/* The other one waits for what is its own, and gets it. */
	ASSERT_EQ(DFX_DEV_OK, put(good, HALF));
	ASSERT_EQ(DFX_DEV_OK, put(good, HALF));
	CALL(self, call_payload, good);
	ASSERT_SOON(snap_active(self->monitor, DFX_GATE_FQ) == 1 &&
		    snap_lane_state(self->monitor, 1) == DFX_LANE_PARKED_POP);
	ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
		    stuck_done(&self->call));
	EXPECT_EQ(DFX_DEV_OK, RETURNED(self));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(0, snap.lanes[1].fault);
	EXPECT_EQ(1, snap.s.out_freeze[DFX_GATE_FQ].opens);
	RELEASE(self, cookie[0]);
	ASSERT_EQ(0, fw_run_lane(good, 0));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(self);
	EXPECT_EQ(1, self->ledger.pools[0].records);
	EXPECT_EQ(3, self->ledger.pools[1].records);
	expect_identity(self->monitor);
}

/* One that is already parked is told, too, and its freeze ends. */
TEST_F(arena, refused_while_parked)
{
	struct fw_lane *l = &self->fw.lane[0], *good = &self->fw.lane[1];
	struct snap snap;
	__u64 cookie[4];
	__u64 marks;
	int nr = 0;

	ARENA_START(self, .records = 4, .buffers = 8);
	ASSERT_EQ(DFX_DEV_OK, put(l, HALF));
	ASSERT_EQ(DFX_DEV_OK, put(l, HALF));
	HOLD(self, cookie, &nr, 2);
	CALL(self, call_payload, l);
	ASSERT_SOON(snap_active(self->monitor, DFX_GATE_FQ) == 1);
	/* Not by its own hand: it is in the wait. */
	dfx_port_store32_release(&l->lane.shm->rq_tail, 0x40000000);
	EXPECT_EQ(DFX_DEV_FAULT, RETURNED(self));
	EXPECT_EQ(DFX_FAULT_RQ_TAIL, snap_fault(self->monitor, 0));
	EXPECT_EQ(DFX_LANE_FAULT, snap_lane_state(self->monitor, 0));
	/* What is still held of it holds up nobody. */
	ASSERT_SOON(!snap_active(self->monitor, DFX_GATE_FQ));
	marks = l->lane.marks;
	CALL(self, call_payload, l);
	EXPECT_EQ(DFX_DEV_FAULT, RETURNED(self));
	EXPECT_EQ(marks, l->lane.marks);
	ASSERT_EQ(DFX_DEV_OK, put(good, 64));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(1, snap.s.out_freeze[DFX_GATE_FQ].opens);
	RELEASE(self, cookie[0]);
	RELEASE(self, cookie[1]);
	ASSERT_EQ(0, fw_run_lane(good, 0));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(self);
	EXPECT_EQ(2, self->ledger.pools[0].records);
	EXPECT_EQ(1, self->ledger.pools[1].records);
	expect_identity(self->monitor);
}

/* ---- a lane that lies about its arena ----------------------------------------------- */

FIXTURE(position) {
	FIXTURE_DATA(arena) a;
};

/**
 * FIXTURE_VARIANT(position) - what a third entry says
 * @from_head: relative to what has been given back, not to the last entry.
 * @end: its position there.
 * @fault: DFX_FAULT_*.
 */
FIXTURE_VARIANT(position) {
	bool from_head;
	__u32 end;
	__u32 fault;
};

FIXTURE_VARIANT_ADD(position, nothing_used) { .end = 0 };
FIXTURE_VARIANT_ADD(position, all_used) { .from_head = true, .end = UNITS };
FIXTURE_VARIANT_ADD(position, one_unit_more) {
	.from_head = true, .end = UNITS + 1, .fault = DFX_FAULT_ARENA,
};

FIXTURE_VARIANT_ADD(position, one_unit_back) {
	.end = -1u, .fault = DFX_FAULT_ARENA,
};

FIXTURE_VARIANT_ADD(position, once_round) {
	.end = UNITS, .fault = DFX_FAULT_ARENA,
};

FIXTURE_VARIANT_ADD(position, far_off) {
	.end = 0x80000000u, .fault = DFX_FAULT_ARENA,
};

FIXTURE_SETUP(position)
{
	arena_setup(_metadata, &self->a, NULL);
}

FIXTURE_TEARDOWN(position)
{
	arena_teardown(_metadata, &self->a, NULL);
}

TEST_F(position, checked)
{
	FIXTURE_DATA(arena) *a = &self->a;
	struct fw_lane *l = &a->fw.lane[0];
	struct dfx_shm_entry e;
	__u64 cookie[2];
	struct snap snap;
	int nr = 0;

	ARENA_START(a, .records = 4, .buffers = 4);
	/* One has been given back, one has not. */
	ASSERT_EQ(DFX_DEV_OK, put(l, 640));
	ASSERT_SOON(ring_drain(&a->ring, &a->ledger) < 0 ||
		    a->ledger.records);
	EXPECT_LE(0, ring_wait(&a->ring, 0));
	ASSERT_EQ(10, arena_head(l));
	ASSERT_EQ(DFX_DEV_OK, put(l, 640));
	HOLD(a, cookie, &nr, 1);
	ASSERT_EQ(DFX_DEV_OK, fw_payload(l, 0, 0, DFX_DEV_TRY));
	e = fw_entry(l, 0);
	e.arena_end = (variant->from_head ? 10 : 20) + variant->end;
	fw_forge(l, &e);
	ASSERT_SOON(variant->fault ? snap_fault(a->monitor, 0) :
		    snap_entries(a->monitor, 0) == 3);
	test_ioctl_state(a->monitor, &snap);
	EXPECT_EQ(variant->fault, snap.lanes[0].fault);
	EXPECT_EQ(variant->fault ? 1 : 0, snap.lanes[0].bad_entries);
	EXPECT_EQ(0, snap.lanes[1].fault);
	/* What it had said before still counts. */
	RELEASE(a, cookie[0]);
	EXPECT_EQ(20, arena_head(l));
	ASSERT_EQ(DFX_DEV_OK, put(&a->fw.lane[1], 640));
	ASSERT_SOON(ring_drain(&a->ring, &a->ledger) < 0 ||
		    a->ledger.pools[1].records == 1);
	EXPECT_LEDGER(a);
}

/* ---- a device that dies -------------------------------------------------------------- */

/* STOP finds lane 0 dead: nobody runs it. */
#define DIE(a) \
	({ \
		__u64 _session, _silent; \
		ASSERT_EQ(0, fw_run_lane(&(a)->fw.lane[1], 0)); \
		ASSERT_EQ(0, _test_ioctl_stop((a)->monitor, &_session, \
					      &_silent)); \
		EXPECT_EQ(1, _silent); \
	})

/* Its records are recovered, once, and every byte of their payloads. */
TEST_F(arena, dead_ring)
{
	struct fw_lane *l = &self->fw.lane[0];
	int i;

	ARENA_START(self, .records = 4, .buffers = 4);
	ASSERT_EQ(DFX_DEV_OK, put(l, HALF));
	ASSERT_EQ(DFX_DEV_OK, put(l, HALF - 100));
	ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
		    self->ledger.records == 2);
	EXPECT_LE(0, ring_wait(&self->ring, 0));
	/* Over the end of the arena; the last record has no payload. */
	for (i = 0; i < 3; i++)
		ASSERT_EQ(DFX_DEV_OK,
			  fw_payload(l, 0, i == 2 ? 0 : 333, DFX_DEV_TRY));
	ASSERT_LT(UNITS, l->lane.arena_tail);
	DIE(self);
	EXPECT_DRAINED(self);
	EXPECT_EQ(1, self->ledger.recovered);
	EXPECT_EQ(5, self->ledger.pools[0].records);
	fw_stop(&self->fw);
	EXPECT_LOSSLESS(self, &self->ledger);
	/* Nothing of it comes again. */
	EXPECT_EQ(NULL, ring_next(&self->ring));
}

TEST_F(arena, dead_read)
{
	struct fw_lane *l = &self->fw.lane[0];
	char *bytes = malloc(STREAM_MAX);
	struct dfx_attach at;
	size_t len = 0;
	ssize_t rc;

	ASSERT_NE(NULL, bytes);
	test_ioctl_policy(self->fd, .arena_kb = ARENA_KB, .records = 4,
			  .buffers = 4);
	test_ioctl_attach(self->fd, 0, &at);
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	ASSERT_EQ(DFX_DEV_OK, put(l, 1000));
	/* A full buffer that it did not come to publish. */
	for (int i = 0; i < 4; i++)
		ASSERT_EQ(DFX_DEV_OK, fw_payload(l, 0, 500, DFX_DEV_TRY));
	DIE(self);
	while ((rc = read(self->fd, bytes + len, STREAM_MAX - len)) > 0)
		len += rc;
	EXPECT_EQ(0, rc);
	ASSERT_EQ(len, ledger_stream(&self->ledger, bytes, len)) {
		TH_LOG("%s", self->ledger.why);
	}
	EXPECT_EQ(1, self->ledger.recovered);
	EXPECT_EQ(5, self->ledger.pools[0].records);
	EXPECT_EQ(1, self->ledger.end.silent);
	fw_stop(&self->fw);
	EXPECT_LOSSLESS(self, &self->ledger);
	free(bytes);
}

FIXTURE(dead_liar) {
	FIXTURE_DATA(arena) a;
};

FIXTURE_VARIANT(dead_liar) {
	__u64 offset;
	__u64 size;
};

/* What is behind its last share and free: bytes 640 to ARENA - 1. */
FIXTURE_VARIANT_ADD(dead_liar, back) { .offset = 576, .size = 64 };
FIXTURE_VARIANT_ADD(dead_liar, too_long) {
	.offset = 704, .size = ARENA - 704 + 1,
};

FIXTURE_VARIANT_ADD(dead_liar, far_off) { .offset = 1ull << 40, .size = 1 };
FIXTURE_VARIANT_ADD(dead_liar, round) { .offset = 704, .size = -704ull };

FIXTURE_SETUP(dead_liar)
{
	arena_setup(_metadata, &self->a, NULL);
}

FIXTURE_TEARDOWN(dead_liar)
{
	arena_teardown(_metadata, &self->a, NULL);
}

/* A payload that cannot be: nothing is given out, and the account says so. */
TEST_F(dead_liar, stays_in_flight)
{
	FIXTURE_DATA(arena) *a = &self->a;
	struct fw_lane *l = &a->fw.lane[0];
	struct dfx_rec_dump *rec;
	__u64 cookie[2];
	struct snap snap;
	int nr = 0;

	ARENA_START(a, .records = 4, .buffers = 4);
	ASSERT_EQ(DFX_DEV_OK, put(l, 640));
	HOLD(a, cookie, &nr, 1);
	ASSERT_EQ(DFX_DEV_OK, fw_payload(l, 0, 64, DFX_DEV_TRY));
	ASSERT_EQ(DFX_DEV_OK, fw_payload(l, 0, 64, DFX_DEV_TRY));
	rec = (struct dfx_rec_dump *)l->pools[0].slot - 1;
	rec->payload_offset = variant->offset;
	rec->payload_size = variant->size;
	DIE(a);
	RELEASE(a, cookie[0]);
	EXPECT_DRAINED(a);
	EXPECT_EQ(0, a->ledger.recovered);
	EXPECT_EQ(1, a->ledger.records);
	EXPECT_EQ(10, arena_head(l));
	expect_identity(a->monitor);
	test_ioctl_state(a->monitor, &snap);
	EXPECT_EQ(3, snap.pools[0].produced);
	EXPECT_EQ(1, snap.pools[0].delivered);
	EXPECT_EQ(2, snap.pools[0].in_flight);
	EXPECT_EQ(0, snap.lanes[0].fault);
}

TEST_HARNESS_MAIN
