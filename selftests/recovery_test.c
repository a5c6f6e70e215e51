// SPDX-License-Identifier: GPL-2.0-only
/*
 * recovery_test.c - freezes, consumers that die, consumers that never come
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

#define NR_POOLS	4

FIXTURE(recovery) {
	struct fw fw;
	int fd;
	int monitor;
	struct ring ring;
	struct ledger ledger;
	__u64 session;
};

FIXTURE_SETUP(recovery)
{
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->monitor = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->monitor, 0);
}

FIXTURE_TEARDOWN(recovery)
{
	ring_close(&self->ring);
	close(self->fd);
	close(self->monitor);
	fw_down(&self->fw);
}

#define EXPECT_DRAINED(ledger) \
	EXPECT_EQ(0, ring_drain_to_end(&self->ring, ledger)) { \
		TH_LOG("%s", (ledger)->why); \
	}

/* Everything that was ever asked for has been received, once. */
#define EXPECT_LOSSLESS(fd, ledger) \
	({ \
		struct snap _s; \
		expect_identity(fd); \
		test_ioctl_state(fd, &_s); \
		for (int _p = 0; _p < NR_POOLS; _p++) { \
			EXPECT_EQ((ledger)->pools[_p].records, \
				  _s.pools[_p].produced); \
			EXPECT_EQ((ledger)->pools[_p].records, \
				  _s.pools[_p].delivered); \
			EXPECT_EQ(0, snap_dropped(&_s.pools[_p])); \
			EXPECT_EQ(0, _s.pools[_p].in_flight); \
			EXPECT_EQ(0, _s.pools[_p].mismatch); \
		} \
		EXPECT_EQ(0, (ledger)->lost); \
	})

static short events(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };

	return poll(&p, 1, 0) < 0 ? POLLNVAL : p.revents;
}

/* A freeze can be looked at for as long as it is open. */
TEST_F(recovery, freeze_is_visible)
{
	const struct dfx_freeze_stat *f;
	const __u32 held = 2 * fw_copies();
	struct snap first, second;
	__u64 cookie[8];
	__u64 before;
	__u32 i;

	test_ioctl_policy(self->fd, .records = 2, .buffers = 2, .slots = 2);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	test_ioctl_state(self->monitor, &first);
	before = clock_ns();
	/* All that can be held is, of two records each; the next one waits. */
	ASSERT_EQ(2 * held, fw_records(&self->fw.lane[0], 0, 2 * held));
	ASSERT_SOON(fw_record(&self->fw.lane[0], 0, DFX_DEV_TRY) ==
		    DFX_DEV_AGAIN && snap_active(self->fd, DFX_GATE_FQ) == 1);
	EXPECT_EQ(POLLPRI, events(self->monitor) & POLLPRI);

	test_ioctl_state(self->monitor, &first);
	EXPECT_EQ(0, events(self->monitor));
	f = &first.s.out_freeze[DFX_GATE_FQ];
	EXPECT_EQ(1, f->active);
	EXPECT_EQ(0, f->reserved);
	/* Where records are copied the pool may have starved before that. */
	EXPECT_LE(1, f->opens);
	EXPECT_GE(fw_copies(), f->opens);
	EXPECT_EQ(f->opens - 1, f->releases);
	EXPECT_LE(1, f->marks);
	EXPECT_LE(before, f->since_ns);
	EXPECT_LE(f->since_ns, first.s.out_now_ns);
	if (f->opens == 1) {
		EXPECT_EQ(first.s.out_now_ns - f->since_ns, f->total_ns);
		EXPECT_EQ(f->total_ns, f->longest_ns);
	}
	EXPECT_EQ(0, first.s.out_freeze[DFX_GATE_RQ].active);
	EXPECT_EQ(held, first.pools[0].held);
	EXPECT_EQ(1, *(volatile __u32 *)
		  &self->fw.lane[0].lane.freeze->fq_freeze_active);

	/* All lanes park, although this one has every buffer it wants. */
	EXPECT_EQ(DFX_DEV_AGAIN,
		  fw_record(&self->fw.lane[1], 2, DFX_DEV_TRY));
	test_ioctl_state(self->monitor, &second);
	EXPECT_EQ(2, second.pools[2].queued);
	EXPECT_EQ(f->opens, second.s.out_freeze[DFX_GATE_FQ].opens);
	EXPECT_LT(f->total_ns, second.s.out_freeze[DFX_GATE_FQ].total_ns);
	EXPECT_EQ(f->since_ns, second.s.out_freeze[DFX_GATE_FQ].since_ns);

	/* It lasts until the free queue can be full again. */
	ASSERT_EQ(held, ring_hold(&self->ring, &self->ledger, cookie, 8)) {
		TH_LOG("%s", self->ledger.why);
	}
	ring_release(&self->ring, cookie[0]);
	EXPECT_LE(0, ring_wait(&self->ring, 0));
	before = snap_passes(self->fd);
	ASSERT_SOON(snap_passes(self->fd) >= before + 5);
	EXPECT_EQ(1, snap_active(self->fd, DFX_GATE_FQ));
	ring_release(&self->ring, cookie[1]);
	EXPECT_LE(0, ring_wait(&self->ring, 0));
	ASSERT_SOON(!snap_active(self->fd, DFX_GATE_FQ));
	for (i = 2; i < held; i++)
		ring_release(&self->ring, cookie[i]);
	EXPECT_EQ(POLLPRI, events(self->monitor) & POLLPRI);
	test_ioctl_state(self->monitor, &second);
	f = &second.s.out_freeze[DFX_GATE_FQ];
	EXPECT_EQ(first.s.out_freeze[DFX_GATE_FQ].opens, f->opens);
	EXPECT_EQ(f->opens, f->releases);
	EXPECT_EQ(0, f->since_ns);
	if (f->opens == 1)
		EXPECT_EQ(f->total_ns, f->longest_ns);
	EXPECT_LT(first.s.out_freeze[DFX_GATE_FQ].total_ns, f->total_ns);
	EXPECT_EQ(first.s.out_events + 1, second.s.out_events);

	/* And both lanes go on. */
	for (i = 0; i < 2; i++)
		EXPECT_EQ(1, fw_records(&self->fw.lane[i], 2 * i, 1));
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	EXPECT_EQ(2 * held + 2, self->ledger.records);
	EXPECT_LOSSLESS(self->fd, &self->ledger);
}

/* The other gate: a host that is slow to take what is ready. */
TEST_F(recovery, rq_freeze)
{
	struct snap snap;

	/* Each record is a buffer; two places in the queue for all of them. */
	test_ioctl_policy(self->fd, .records = 1, .buffers = 8, .slots = 8,
			  .rq_depth = 2, .delay_us = 20000);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, 8));
	ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
		    self->ledger.records == 8 * NR_POOLS);
	test_ioctl_state(self->monitor, &snap);
	EXPECT_LE(1, snap.s.out_freeze[DFX_GATE_RQ].opens);
	EXPECT_LE(1, snap.lanes[0].push_waits + snap.lanes[1].push_waits);
	EXPECT_LT(0, snap.lanes[0].push_ns + snap.lanes[1].push_ns);
	EXPECT_LE(1, snap.lanes[0].marks + snap.lanes[1].marks);
	EXPECT_EQ(0, snap.lanes[0].expired + snap.lanes[1].expired);
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	EXPECT_LOSSLESS(self->fd, &self->ledger);
}

/* ---- the smallest queues there can be -------------------------------------- */

FIXTURE(small) {
	FIXTURE_DATA(recovery) r;
};

FIXTURE_VARIANT(small) {
	struct dfx_policy policy;
};

FIXTURE_VARIANT_ADD(small, one_buffer) {
	.policy = { .records = 3, .buffers = 1 },
};

FIXTURE_VARIANT_ADD(small, rq_depth_2) {
	.policy = { .records = 3, .buffers = 4, .rq_depth = 2 },
};

FIXTURE_VARIANT_ADD(small, one_slot) {
	.policy = { .records = 3, .buffers = 4, .slots = 1 },
};

FIXTURE_VARIANT_ADD(small, all) {
	.policy = { .records = 3, .buffers = 1, .rq_depth = 2, .slots = 1 },
};

FIXTURE_VARIANT_ADD(small, rq_depth_1) {
	.policy = { .records = 1, .buffers = 2, .rq_depth = 1, .slots = 1 },
};

FIXTURE_VARIANT_ADD(small, all_by_lane) {
	.policy = { .records = 3, .buffers = 1, .rq_depth = 2, .slots = 1,
		    .recovery = DFX_RECOVERY_LANE },
};

FIXTURE_SETUP(small)
{
	recovery_setup(_metadata, &self->r, NULL);
}

FIXTURE_TEARDOWN(small)
{
	recovery_teardown(_metadata, &self->r, NULL);
}

TEST_F(small, lossless)
{
	FIXTURE_DATA(recovery) *r = &self->r;
	struct dfx_policy p = variant->policy;
	const __u64 quota = 100;
	struct snap snap;

	ASSERT_EQ(0, _test_ioctl_policy(r->fd, DFX_POLICY_SET, &p));
	ASSERT_EQ(0, ring_open(&r->ring, r->fd, 0));
	test_ioctl_start(r->fd, 0, &r->session);
	ASSERT_EQ(0, fw_run(&r->fw, quota));
	ASSERT_SOON(ring_drain(&r->ring, &r->ledger) < 0 ||
		    r->ledger.records == NR_POOLS * quota);
	test_ioctl_stop(r->fd);
	EXPECT_EQ(0, ring_drain_to_end(&r->ring, &r->ledger)) {
		TH_LOG("%s", r->ledger.why);
	}
	EXPECT_EQ(NR_POOLS * quota, r->ledger.records);
	EXPECT_LOSSLESS(r->fd, &r->ledger);
	test_ioctl_state(r->fd, &snap);
	EXPECT_EQ(0, snap.lanes[0].expired + snap.lanes[1].expired);
	if (p.recovery == DFX_RECOVERY_LANE) {
		EXPECT_EQ(0, snap.s.out_freeze[DFX_GATE_FQ].opens +
			  snap.s.out_freeze[DFX_GATE_RQ].opens);
	} else if (p.buffers == 1) {
		EXPECT_LT(0, snap.s.out_freeze[DFX_GATE_FQ].opens);
	}
}

/* ---- a consumer that is killed ---------------------------------------------- */

/**
 * struct estate - what a consumer that dies leaves to the test
 * @ledger: what it has received.
 * @len: bytes that it has read, if it reads.
 * @ready: it is attached.
 * @bytes: those bytes.
 */
struct estate {
	struct ledger ledger;
	size_t len;
	int ready;
	unsigned char bytes[1u << 20];
};

static struct estate *estate_map(void)
{
	void *p = mmap(NULL, sizeof(struct estate), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void announce_ready(struct estate *e)
{
	__atomic_store_n(&e->ready, 1, __ATOMIC_RELEASE);
}

static bool is_ready(struct estate *e)
{
	return __atomic_load_n(&e->ready, __ATOMIC_ACQUIRE);
}

/* Stores everything, releases the first few buffers, then none any more. */
static void consume_by_ring(struct estate *e)
{
	const struct dfx_ready *r;
	struct ring ring;
	int n = 0;
	int fd = fw_node("l2_swimlane", O_RDWR);

	if (fd < 0 || ring_open(&ring, fd, 0))
		_exit(1);
	announce_ready(e);
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

/*
 * Reads in odd pieces, then no more: the last piece ends within a frame, and
 * the buffers of those before it have not been asked about again.
 */
static void consume_by_read(struct estate *e)
{
	int fd = fw_node("l2_swimlane", O_RDONLY);
	struct dfx_attach a;
	ssize_t rc;

	if (fd < 0 || _test_ioctl_attach(fd, 0, &a))
		_exit(1);
	announce_ready(e);
	while (e->len < 2000) {
		rc = read(fd, e->bytes + e->len, 333);
		if (rc <= 0)
			_exit(2);
		e->len += rc;
	}
	for (;;)
		pause();
}

static pid_t consumer_fork(struct estate *e, void (*consume)(struct estate *))
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		consume(e);
		_exit(3);
	}
	return pid;
}

FIXTURE(kill) {
	FIXTURE_DATA(recovery) r;
	struct estate *estate;
	pid_t pid;
};

FIXTURE_SETUP(kill)
{
	recovery_setup(_metadata, &self->r, NULL);
	self->estate = estate_map();
	ASSERT_NE(NULL, self->estate);
	test_ioctl_policy(self->r.fd, .records = 4, .buffers = 3, .slots = 2);
}

FIXTURE_TEARDOWN(kill)
{
	if (self->pid > 0) {
		kill(self->pid, SIGKILL);
		waitpid(self->pid, NULL, 0);
	}
	recovery_teardown(_metadata, &self->r, NULL);
	munmap(self->estate, sizeof(*self->estate));
}

TEST_F(kill, ring)
{
	FIXTURE_DATA(recovery) *r = &self->r;
	struct ledger *ledger = &self->estate->ledger;
	const __u64 quota = 90;
	__u32 held;
	int status;

	self->pid = consumer_fork(self->estate, consume_by_ring);
	ASSERT_LT(0, self->pid);
	ASSERT_SOON(is_ready(self->estate));
	test_ioctl_start(r->monitor, 0, &r->session);
	ASSERT_EQ(0, fw_run(&r->fw, quota));
	/* It keeps all it has, and every lane is parked. */
	ASSERT_SOON(snap_active(r->monitor, DFX_GATE_FQ) == 1 &&
		    snap_lane_state(r->monitor, 0) == DFX_LANE_PARKED_POP &&
		    snap_lane_state(r->monitor, 1) == DFX_LANE_PARKED_POP);
	/* And has looked at all of it. */
	ASSERT_SOON((held = snap_held(r->monitor)) &&
		    *(volatile __u64 *)&ledger->frames == held + 6);
	ASSERT_EQ(0, kill(self->pid, SIGKILL));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, 0));
	ASSERT_TRUE(WIFSIGNALED(status)) {
		TH_LOG("the consumer had left with %d: %s", status,
		       ledger->why);
	}
	self->pid = 0;
	EXPECT_EQ(1, snap_active(r->monitor, DFX_GATE_FQ));

	ASSERT_EQ(0, ring_open(&r->ring, r->fd, 0));
	ASSERT_SOON(ring_drain(&r->ring, ledger) < 0 ||
		    ledger->records == NR_POOLS * quota);
	test_ioctl_stop(r->fd);
	EXPECT_EQ(0, ring_drain_to_end(&r->ring, ledger)) {
		TH_LOG("%s", ledger->why);
	}
	/* What it had stored and not released came again, and said so. */
	EXPECT_EQ(held, ledger->redelivered);
	EXPECT_EQ(NR_POOLS * quota, ledger->records);
	EXPECT_LOSSLESS(r->fd, ledger);
}

TEST_F(kill, read)
{
	FIXTURE_DATA(recovery) *r = &self->r;
	struct ledger *ledger = &self->estate->ledger;
	struct estate *e = self->estate;
	const __u64 quota = 90;
	ssize_t whole, rc;
	__u32 held;
	size_t len = 0;
	int status;

	self->pid = consumer_fork(e, consume_by_read);
	ASSERT_LT(0, self->pid);
	ASSERT_SOON(is_ready(e));
	test_ioctl_start(r->monitor, 0, &r->session);
	ASSERT_EQ(0, fw_run(&r->fw, quota));
	ASSERT_SOON(*(volatile size_t *)&e->len >= 2000 &&
		    snap_active(r->monitor, DFX_GATE_FQ) == 1);
	held = snap_held(r->monitor);
	EXPECT_LT(0, held);
	ASSERT_EQ(0, kill(self->pid, SIGKILL));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, 0));
	ASSERT_TRUE(WIFSIGNALED(status));
	self->pid = 0;
	/* What is whole in its file counts; the torn frame does not. */
	whole = ledger_stream(ledger, e->bytes, e->len);
	ASSERT_LT(0, whole) {
		TH_LOG("%s", ledger->why);
	}

	/* The successor's recording begins with a SESSION frame of its own. */
	ledger_next_file(ledger);
	ASSERT_EQ(0, fcntl(r->monitor, F_SETFL, O_NONBLOCK));
	for (__u64 until = clock_ns() + SOON_MS * 1000000ull;;) {
		ASSERT_LT(clock_ns(), until);
		rc = read(r->monitor, e->bytes + len, sizeof(e->bytes) - len);
		if (rc < 0) {
			ASSERT_EQ(EAGAIN, errno);
			if (r->fw.lane[0].lane.runs && r->fw.lane[1].lane.runs)
				break;
			breathe();
			continue;
		}
		len += rc;
	}
	test_ioctl_stop(r->fd);
	while ((rc = read(r->monitor, e->bytes + len,
			  sizeof(e->bytes) - len)) > 0)
		len += rc;
	EXPECT_EQ(0, rc);
	ASSERT_EQ(len, ledger_stream(ledger, e->bytes, len)) {
		TH_LOG("%s", ledger->why);
	}
	EXPECT_TRUE(ledger->end_seen);
	EXPECT_LE(1, ledger->redelivered);
	EXPECT_LE(ledger->redelivered, held);
	EXPECT_EQ(NR_POOLS * quota, ledger->records);
	EXPECT_LOSSLESS(r->fd, ledger);
}

/* ---- a consumer that does not come back -------------------------------------- */

static bool both_resumed(int fd)
{
	struct snap snap;

	return !snap_take(&snap, fd) && snap.lanes[0].resumed &&
	       snap.lanes[1].resumed;
}

/* Lanes park, give up once each, count what they drop, and find back. */
TEST_F(recovery, consumer_comes_late)
{
	struct ledger *ledger = &self->ledger;
	__u64 quota, all = 0;
	struct snap snap;
	int i, p;

	test_ioctl_policy(self->fd, .records = 2, .buffers = 2, .slots = 2,
			  .deadline_ms = 2000, .linger_ms = 20000);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ring_close(&self->ring);
	test_ioctl_detach(self->fd);

	ASSERT_EQ(0, fw_run(&self->fw, 500));
	ASSERT_SOON(snap_lane_state(self->monitor, 0) == DFX_LANE_PARKED_POP &&
		    snap_lane_state(self->monitor, 1) == DFX_LANE_PARKED_POP);
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(0, snap.lanes[0].expired + snap.lanes[1].expired);
	/* Two seconds later both are through with what they had to write. */
	ASSERT_SOON(self->fw.lane[0].asked[0] == 500 &&
		    self->fw.lane[0].asked[1] == 500 &&
		    self->fw.lane[1].asked[2] == 500 &&
		    self->fw.lane[1].asked[3] == 500);
	ASSERT_SOON(snap_lane_state(self->monitor, 0) == DFX_LANE_HOST_GONE &&
		    snap_lane_state(self->monitor, 1) == DFX_LANE_HOST_GONE);
	/* What they published last is with the driver. */
	ASSERT_SOON(!snap_rq_fill(self->monitor));
	test_ioctl_state(self->monitor, &snap);
	for (i = 0; i < 2; i++) {
		const struct dfx_pool_state *a = &snap.pools[2 * i];
		const struct dfx_pool_state *b = a + 1;

		EXPECT_EQ(1, snap.lanes[i].expired);
		EXPECT_EQ(0, snap.lanes[i].resumed);
		EXPECT_LE(1900000000ull, snap.lanes[i].pop_ns);
		EXPECT_LE(snap.lanes[i].pop_ns, 4000000000ull);
		EXPECT_EQ(1, a->dropped[DFX_DROP_POP_TIMEOUT] +
			  b->dropped[DFX_DROP_POP_TIMEOUT]);
		EXPECT_EQ(0, a->dropped[DFX_DROP_PUSH_TIMEOUT] +
			  b->dropped[DFX_DROP_PUSH_TIMEOUT]);
		EXPECT_LT(900, a->dropped[DFX_DROP_HOST_GONE] +
			  b->dropped[DFX_DROP_HOST_GONE]);
		EXPECT_EQ(0, a->dropped[DFX_DROP_WOULD_BLOCK] +
			  b->dropped[DFX_DROP_WOULD_BLOCK]);
	}
	expect_identity(self->monitor);
	for (p = 0; p < NR_POOLS; p++)
		EXPECT_EQ(500, snap.pools[p].produced);
	EXPECT_EQ(DFX_SESSION_RUNNING, snap.s.out_session_state);

	/* Everything that was published is there, without a gap so far. */
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	ASSERT_SOON(ring_drain(&self->ring, ledger) < 0 ||
		    !snap_active(self->monitor, DFX_GATE_FQ));
	ASSERT_SOON(ring_drain(&self->ring, ledger) < 0 ||
		    !snap_held(self->monitor));
	EXPECT_EQ(0, ledger->why[0]) {
		TH_LOG("%s", ledger->why);
	}
	EXPECT_LT(0, ledger->records);
	EXPECT_EQ(0, ledger->lost);
	test_ioctl_state(self->monitor, &snap);
	for (p = 0; p < NR_POOLS; p++) {
		all += snap_dropped(&snap.pools[p]);
		EXPECT_EQ(500, ledger->pools[p].records +
			  snap_dropped(&snap.pools[p]));
	}

	/*
	 * The host is back. A lane notices at its next record, unless the other
	 * has just frozen the gate again: it does not wait for that.
	 */
	for (quota = 500; quota < 600 && !both_resumed(self->monitor);) {
		ASSERT_SOON(ring_drain(&self->ring, ledger) < 0 ||
			    !snap_active(self->monitor, DFX_GATE_FQ));
		fw_set_quota(&self->fw, ++quota);
		ASSERT_SOON(self->fw.lane[0].asked[1] == quota &&
			    self->fw.lane[1].asked[3] == quota);
	}
	/* From now on they wait again, and the gap has been told. */
	quota += 20;
	fw_set_quota(&self->fw, quota);
	ASSERT_SOON(ring_drain(&self->ring, ledger) < 0 ||
		    ledger->records + ledger->lost == quota * NR_POOLS);
	EXPECT_EQ(0, ledger->why[0]) {
		TH_LOG("%s", ledger->why);
	}
	EXPECT_LE(all, ledger->lost);
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(ledger);
	expect_identity(self->monitor);
	test_ioctl_state(self->monitor, &snap);
	for (p = 0; p < NR_POOLS; p++) {
		EXPECT_EQ(quota, snap.pools[p].produced);
		EXPECT_EQ(snap_dropped(&snap.pools[p]), ledger->pools[p].lost);
		EXPECT_EQ(snap.pools[p].delivered, ledger->pools[p].records);
	}
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(1, snap.lanes[i].expired);
		EXPECT_EQ(1, snap.lanes[i].resumed);
	}
}

/* Nobody comes in time: the session ends, and what was there is counted. */
TEST_F(recovery, linger_ends)
{
	__u64 left, ended, published = 0;
	struct dfx_attach a;
	struct snap snap;
	int p, klog;

	test_ioctl_policy(self->fd, .records = 4, .buffers = 4,
			  .linger_ms = 500);
	test_ioctl_attach(self->fd, 0, &a);
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, 11));
	ASSERT_SOON(self->fw.lane[0].lane.runs && self->fw.lane[1].lane.runs &&
		    snap_entries(self->monitor, 0) == 6 &&
		    snap_entries(self->monitor, 1) == 6);
	klog = klog_open();
	ASSERT_GE(klog, 0);
	left = clock_ns();
	test_ioctl_detach(self->fd);
	EXPECT_EQ(DFX_SESSION_RUNNING, snap_session_state(self->monitor));
	ASSERT_SOON(snap_session_state(self->monitor) == DFX_SESSION_IDLE);
	ended = clock_ns();
	EXPECT_LE(500000000ull, ended - left);
	EXPECT_EQ(1, klog_count(klog, "no consumer for 500 ms"));
	test_ioctl_state(self->monitor, &snap);
	for (p = 0; p < NR_POOLS; p++) {
		EXPECT_EQ(11, snap.pools[p].produced);
		EXPECT_EQ(11, snap.pools[p].dropped[DFX_DROP_HOST_DISCARD]);
		EXPECT_EQ(0, snap.pools[p].in_flight);
		published += snap.pools[p].delivered;
	}
	EXPECT_EQ(0, published);
	expect_identity(self->monitor);
	/* A consumer that comes now has nothing of it. */
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	EXPECT_EQ(-ETIMEDOUT, ring_wait(&self->ring, 1000000));
	EXPECT_EQ(NULL, ring_next(&self->ring));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
		    self->ledger.records == 44);
	close(klog);
}

/* Before the linger ends, another one takes over without a word. */
TEST_F(recovery, within_linger)
{
	struct dfx_attach a;

	test_ioctl_policy(self->fd, .records = 4, .buffers = 4,
			  .linger_ms = 20000);
	test_ioctl_attach(self->monitor, 0, &a);
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, 11));
	ASSERT_SOON(snap_entries(self->monitor, 0) == 6 &&
		    snap_entries(self->monitor, 1) == 6);
	test_ioctl_detach(self->monitor);
	/* STOP while nobody is there keeps it all for whoever comes. */
	test_ioctl_stop(self->fd);
	EXPECT_EQ(DFX_SESSION_DRAINING, snap_session_state(self->monitor));
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	EXPECT_DRAINED(&self->ledger);
	EXPECT_EQ(44, self->ledger.records);
	EXPECT_EQ(0, self->ledger.redelivered);
	EXPECT_LOSSLESS(self->fd, &self->ledger);
	EXPECT_SOON(snap_session_state(self->monitor) == DFX_SESSION_IDLE);
}

TEST_HARNESS_MAIN
