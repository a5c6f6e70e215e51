// SPDX-License-Identifier: GPL-2.0-only
/*
 * fault_test.c - a device and a user that break the protocol
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

FIXTURE(fault) {
	struct fw fw;
	int fd;
	int monitor;
	int klog;
	int says;
	struct ring ring;
	struct ledger ledger;
	__u64 session;
};

/* Lane 0 is the one that misbehaves; its pools are 0 and 1. */
#define BAD		0
#define GOOD		1

/**
 * FIXTURE_VARIANT(fault) - one way to break the protocol
 * @field: offset in the entry, of @size bytes, that gets @value.
 * @size: 4 or 8; 0 leaves the entry alone.
 * @value: the wrong value.
 * @rq_tail: what the tail is moved by instead of publishing an entry.
 * @fq_head: what pool 0's free-queue head is moved by before that.
 * @expect: DFX_FAULT_*.
 * @says: what the log says.
 */
FIXTURE_VARIANT(fault) {
	size_t field;
	size_t size;
	__u64 value;
	__u32 rq_tail;
	__u32 fq_head;
	__u32 expect;
	const char *says;
};

#define FORGED(name, member, bad, code, text) \
	FIXTURE_VARIANT_ADD(fault, name) { \
		.field = offsetof(struct dfx_shm_entry, member), \
		.size = sizeof(((struct dfx_shm_entry *)0)->member), \
		.value = (bad), \
		.expect = DFX_FAULT_##code, \
		.says = text, \
	}

FORGED(pool_of_another_lane, pool, 2, POOL,
       "entry names a pool that is not the lane's");
FORGED(pool_unknown, pool, 4, POOL,
       "entry names a pool that is not the lane's");
FORGED(pool_wild, pool, 0xffffffffu, POOL,
       "entry names a pool that is not the lane's");
FORGED(buffer_unknown, buffer, 0xdead, BUFFER,
       "entry names a buffer that is not the pool's");
FORGED(buffer_none, buffer, DFX_NO_BUFFER, BUFFER,
       "entry names a buffer that is not the pool's");
FORGED(buffer_of_another_pool, buffer, 4, BUFFER,
       "entry names a buffer that is not the pool's");
FORGED(buffer_of_another_lane, buffer, 9, BUFFER,
       "entry names a buffer that is not the pool's");
FORGED(buffer_still_queued, buffer, 1, OWNER,
       "entry names a buffer that the device has not");
FORGED(count_zero, count, 0, COUNT, "count of records out of range");
FORGED(count_above_capacity, count, 5, COUNT, "count of records out of range");
FORGED(count_wild, count, 0xffffffffu, COUNT, "count of records out of range");
FORGED(seq_ahead, seq, 1, SEQ, "sequence is not the next one");
FORGED(seq_wild, seq, 0xffffffffu, SEQ, "sequence is not the next one");
FORGED(session_other, session, 0x1234, SESSION,
       "entry of another session or lane");
FORGED(session_none, session, 0, SESSION, "entry of another session or lane");
FORGED(lane_other, lane, 1, SESSION, "entry of another session or lane");
FORGED(flags_unknown, flags, 0x80000000u, FLAGS, "flags that cannot be");
FORGED(gap_without_loss, flags, DFX_ENTRY_GAP, FLAGS, "flags that cannot be");
FORGED(loss_without_gap, lost, 7, FLAGS, "flags that cannot be");

FIXTURE_VARIANT_ADD(fault, rq_tail_ahead) {
	.rq_tail = 17,
	.expect = DFX_FAULT_RQ_TAIL,
	.says = "ready-queue tail out of range",
};

FIXTURE_VARIANT_ADD(fault, rq_tail_back) {
	.rq_tail = -1u,
	.expect = DFX_FAULT_RQ_TAIL,
	.says = "ready-queue tail out of range",
};

FIXTURE_VARIANT_ADD(fault, fq_head_ahead) {
	.fq_head = 5,
	.expect = DFX_FAULT_FQ_HEAD,
	.says = "free-queue head out of range",
};

FIXTURE_VARIANT_ADD(fault, fq_head_back) {
	.fq_head = -2u,
	.expect = DFX_FAULT_FQ_HEAD,
	.says = "free-queue head out of range",
};

FIXTURE_SETUP(fault)
{
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->monitor = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->monitor, 0);
	/* Buffers 0 to 3 are pool 0's, 4 to 7 pool 1's, and so on. */
	test_ioctl_policy(self->fd, .records = 4, .buffers = 4,
			  .rq_depth = 16);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	self->klog = klog_open();
	ASSERT_GE(self->klog, 0);
	self->says = klog_open();
	ASSERT_GE(self->says, 0);
}

FIXTURE_TEARDOWN(fault)
{
	ring_close(&self->ring);
	close(self->klog);
	close(self->says);
	close(self->fd);
	close(self->monitor);
	fw_down(&self->fw);
}

#define EXPECT_DRAINED(ledger) \
	EXPECT_EQ(0, ring_drain_to_end(&self->ring, ledger)) { \
		TH_LOG("%s", (ledger)->why); \
	}

static short events(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLPRI };

	return poll(&p, 1, 0) < 0 ? POLLNVAL : p.revents;
}

static void set_field(struct dfx_shm_entry *e, size_t at, size_t size,
		      __u64 value)
{
	memcpy((char *)e + at, &value, size);
}

/* The lane whose word is good goes on as if nothing had happened. */
#define EXPECT_GOOD_LANE(n) \
	({ \
		__u64 _before = self->ledger.pools[2].records; \
		EXPECT_EQ(n, fw_records(&self->fw.lane[GOOD], 2, n)); \
		EXPECT_SOON(ring_drain(&self->ring, &self->ledger) < 0 || \
			    self->ledger.pools[2].records >= \
			    _before + (n) - 4); \
		EXPECT_EQ(0, self->ledger.why[0]) { \
			TH_LOG("%s", self->ledger.why); \
		} \
	})

TEST_F(fault, lane_is_refused_until_reset)
{
	struct fw_lane *bad = &self->fw.lane[BAD];
	struct ledger again = { };
	struct dfx_shm_entry e;
	struct snap snap;
	__u64 seen, revived;
	int p;

	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	EXPECT_GOOD_LANE(9);
	/* What the bad lane published while it was good stays good. */
	ASSERT_EQ(2, fw_records(bad, 1, 2));
	ASSERT_EQ(0, dfx_dev_flush(&bad->lane, DFX_DEV_TRY));
	ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
		    self->ledger.pools[1].records == 2);
	ASSERT_EQ(3, fw_records(bad, 0, 3));
	ASSERT_SOON(snap_lane_state(self->monitor, BAD) == DFX_LANE_RUNNING &&
		    !snap_rq_fill(self->monitor));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(0, snap.lanes[BAD].fault);
	EXPECT_EQ(0, events(self->monitor));

	if (variant->fq_head) {
		fw_forge_fq_head(bad, 0, bad->pools[0].fq_head +
				 variant->fq_head);
	} else if (variant->rq_tail) {
		fw_forge_rq_tail(bad, bad->lane.rq_tail + variant->rq_tail);
	} else {
		e = fw_entry(bad, 0);
		set_field(&e, variant->field, variant->size, variant->value);
		fw_forge(bad, &e);
	}
	ASSERT_SOON(snap_fault(self->monitor, BAD));

	/* Said in the state, to poll() and once in the log. */
	EXPECT_EQ(POLLPRI, events(self->fd));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(variant->expect, snap.lanes[BAD].fault);
	EXPECT_EQ(DFX_LANE_F_FAULT, snap.lanes[BAD].flags & DFX_LANE_F_FAULT);
	EXPECT_EQ(variant->size ? 1 : 0, snap.lanes[BAD].bad_entries);
	EXPECT_EQ(1, snap.lanes[BAD].entries);
	EXPECT_EQ(0, snap.lanes[GOOD].fault);
	EXPECT_EQ(0, snap.lanes[GOOD].flags & DFX_LANE_F_FAULT);
	EXPECT_EQ(0, snap.lanes[GOOD].bad_entries);
	/* Nobody gets a buffer that the lane may still write to. */
	EXPECT_EQ(4, snap.pools[0].free + snap.pools[0].quarantine);
	EXPECT_LE(1, snap.pools[0].quarantine);

	/* More of the same is not even looked at. */
	e = fw_entry(bad, 0);
	e.pool = 3;
	fw_forge(bad, &e);
	fw_forge_rq_tail(bad, 0x40000000);
	seen = snap_passes(self->monitor);
	EXPECT_GOOD_LANE(12);
	ASSERT_SOON(snap_passes(self->monitor) >= seen + 3);
	EXPECT_EQ(1, klog_count(self->klog, "lane 0: FAULT: "));
	EXPECT_EQ(1, klog_count(self->says, variant->says));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(variant->expect, snap.lanes[BAD].fault);
	EXPECT_EQ(variant->size ? 1 : 0, snap.lanes[BAD].bad_entries);

	/* STOP does not wait for it; the identity holds, its loss is named. */
	ASSERT_EQ(0, fw_run_lane(&self->fw.lane[GOOD], 0));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	EXPECT_EQ(21, self->ledger.pools[2].records);
	EXPECT_EQ(0, self->ledger.pools[0].records);
	EXPECT_EQ(2, self->ledger.pools[1].records);
	expect_identity(self->fd);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(3, snap.pools[0].produced);
	EXPECT_EQ(3, snap.pools[0].dropped[DFX_DROP_HOST_FAULT]);
	fw_stop(&self->fw);

	/* It is left out, and alone it makes no session. */
	test_err_ioctl_start(EIO, self->fd, 1u << BAD);
	test_ioctl_start(self->fd, 0, &self->session);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(1u << GOOD, snap.s.out_lane_mask);
	EXPECT_EQ(variant->expect, snap.lanes[BAD].fault);
	fw_poll(&self->fw);
	EXPECT_EQ(DFX_DEV_NOSESSION, fw_record(bad, 0, DFX_DEV_TRY));
	ASSERT_EQ(0, fw_run(&self->fw, 6));
	ASSERT_SOON(ring_drain(&self->ring, &again) < 0 ||
		    again.records == 12);
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&again);

	/* RESET revives it, and both record again. */
	test_ioctl_reset(self->fd, &revived);
	EXPECT_EQ(1u << BAD, revived);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(0, snap.lanes[BAD].fault);
	EXPECT_EQ(0, snap.lanes[BAD].flags & DFX_LANE_F_FAULT);
	memset(&again, 0, sizeof(again));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_SOON(ring_drain(&self->ring, &again) < 0 ||
		    again.records == 24);
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&again);
	for (p = 0; p < 4; p++)
		EXPECT_EQ(6, again.pools[p].records);
	expect_identity(self->fd);
	EXPECT_EQ(0, klog_count(self->klog, "FAULT"));
}

/* ---- a user that breaks the protocol ------------------------------------------ */

FIXTURE(release) {
	FIXTURE_DATA(fault) f;
	__u64 cookie[4];
};

FIXTURE_SETUP(release)
{
	FIXTURE_DATA(fault) *f = &self->f;

	fault_setup(_metadata, f, NULL);
	test_ioctl_start(f->fd, 0, &f->session);
	fw_poll(&f->fw);
	/* Three buffers of pool 0 with the consumer, one with the lane. */
	ASSERT_EQ(13, fw_records(&f->fw.lane[0], 0, 13));
	ASSERT_SOON(snap_held(f->monitor) == 3);
	ASSERT_EQ(3, ring_hold(&f->ring, &f->ledger, self->cookie, 4));
}

FIXTURE_TEARDOWN(release)
{
	fault_teardown(_metadata, &self->f, NULL);
}

/* Every buffer of pool 0 is somewhere, once. */
#define EXPECT_CONSERVED(want_held, want_delivered) \
	({ \
		struct snap _s; \
		test_ioctl_state(self->f.monitor, &_s); \
		EXPECT_EQ(4, snap_buffers(&_s.pools[0])); \
		EXPECT_EQ(want_held, _s.pools[0].held); \
		EXPECT_EQ(want_delivered, _s.pools[0].delivered); \
		EXPECT_EQ(0, _s.lanes[0].fault); \
	})

/* The kthread may take the ring before WAIT does: both must have said it. */
#define EXPECT_REFUSED(n) \
	EXPECT_SOON((ring_wait(&self->f.ring, 0), \
		     *(volatile __u32 *)&self->f.ring.ready->bad_releases == \
		     (n)))

TEST_F(release, twice)
{
	struct ring *ring = &self->f.ring;

	ring_release(ring, self->cookie[0]);
	EXPECT_LE(0, ring_wait(ring, 0));
	EXPECT_EQ(0, ring->ready->bad_releases);
	EXPECT_CONSERVED(2, 4);
	ring_release(ring, self->cookie[0]);
	EXPECT_REFUSED(1);
	EXPECT_CONSERVED(2, 4);
	/* Twice in one go. */
	ring_release(ring, self->cookie[1]);
	ring_release(ring, self->cookie[1]);
	EXPECT_REFUSED(2);
	EXPECT_CONSERVED(1, 8);
	ring_release(ring, self->cookie[2]);
	EXPECT_LE(0, ring_wait(ring, 0));
	EXPECT_EQ(2, ring->ready->bad_releases);
	EXPECT_CONSERVED(0, 12);
}

TEST_F(release, unknown)
{
	const __u64 wrong[] = {
		0, ~0ull, self->cookie[0] + (1ull << 32),
		self->cookie[0] - (1ull << 32), self->cookie[0] | 0x10000,
		/* The buffer that the lane is filling, and another pool's. */
		(self->cookie[0] & ~0xffffffffull) | 3,
		(self->cookie[0] & ~0xffffffffull) | 5,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		ring_release(&self->f.ring, wrong[i]);
		EXPECT_REFUSED(i + 1);
	}
	EXPECT_CONSERVED(3, 0);
	/* Those that are right still count. */
	for (i = 0; i < 3; i++)
		ring_release(&self->f.ring, self->cookie[i]);
	EXPECT_LE(0, ring_wait(&self->f.ring, 0));
	EXPECT_CONSERVED(0, 12);
}

TEST_F(release, wild_tail)
{
	struct ring *ring = &self->f.ring;
	unsigned int i;

	ring->tail = 0x7fffffff;
	__atomic_store_n(&ring->release->tail, ring->tail, __ATOMIC_RELEASE);
	EXPECT_REFUSED(1);
	EXPECT_CONSERVED(3, 0);
	EXPECT_EQ(0x7fffffff, ring->ready->released);
	/* It goes on from there. */
	for (i = 0; i < 3; i++)
		ring_release(ring, self->cookie[i]);
	EXPECT_LE(0, ring_wait(ring, 0));
	EXPECT_EQ(1, ring->ready->bad_releases);
	EXPECT_CONSERVED(0, 12);
}

/* A consumer's pointer to what it has seen is a hint, whatever it says. */
TEST_F(release, wild_head)
{
	struct ring *ring = &self->f.ring;
	__u32 events;

	ring->release->ready_head = 0xdeadbeef;
	test_ioctl_wait(self->f.fd, 0, &events);
	EXPECT_EQ(DFX_WAIT_READY, events);
	EXPECT_CONSERVED(3, 0);
	ring->release->ready_head = ring->head;
	test_ioctl_wait(self->f.fd, 0, &events);
	EXPECT_EQ(0, events);
}

FIXTURE(slow) {
	FIXTURE_DATA(fault) f;
};

FIXTURE_SETUP(slow)
{
	FIXTURE_DATA(fault) *f = &self->f;

	fault_setup(_metadata, f, NULL);
	ring_close(&f->ring);
	test_ioctl_detach(f->fd);
	test_ioctl_policy(f->fd, .records = 4, .buffers = 4,
			  .delay_us = 100000);
}

FIXTURE_TEARDOWN(slow)
{
	fault_teardown(_metadata, &self->f, NULL);
}

/*
 * The driver's thread takes releases too, and whoever comes first finds the bad
 * one. The thread naps before each pass, so that WAIT does.
 */
TEST_F(slow, eproto)
{
	FIXTURE_DATA(fault) *f = &self->f;
	struct ring other;
	__u64 cookie[4];
	int i;

	ASSERT_EQ(0, ring_open(&f->ring, f->fd, 1));
	ASSERT_EQ(0, ring_open(&other, f->monitor, 2));
	test_ioctl_start(f->fd, 0, &f->session);
	fw_poll(&f->fw);
	ASSERT_EQ(5, fw_records(&f->fw.lane[0], 0, 5));
	ASSERT_SOON(snap_held(f->monitor) == 1);
	ASSERT_EQ(1, ring_hold(&f->ring, &f->ledger, cookie, 4));
	/* The cookie is right, but another consumer's. */
	for (i = 0; i < 100; i++) {
		ring_release(&other, cookie[0]);
		if (ring_wait(&other, 0) == -EPROTO)
			break;
	}
	ASSERT_LT(i, 100);
	EXPECT_EQ(i + 1, other.ready->bad_releases);
	EXPECT_EQ(0, f->ring.ready->bad_releases);
	EXPECT_EQ(1, snap_held(f->monitor));
	ring_release(&f->ring, cookie[0]);
	EXPECT_LE(0, ring_wait(&f->ring, 0));
	EXPECT_EQ(0, snap_held(f->monitor));
	ring_close(&other);
}

TEST_HARNESS_MAIN
