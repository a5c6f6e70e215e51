// SPDX-License-Identifier: GPL-2.0-only
/*
 * session_test.c - START, STOP, FLUSH, the policy, and lanes that take no part
 */
#include <fcntl.h>
#include <stdint.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

FIXTURE(session) {
	struct fw fw;
	int fd;
	int monitor;
	struct ring ring;
	struct ledger ledger;
	__u64 session;
};

FIXTURE_SETUP(session)
{
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->monitor = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->monitor, 0);
	test_ioctl_policy(self->fd, .records = 4, .buffers = 4);
}

FIXTURE_TEARDOWN(session)
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

TEST_F(session, start_twice)
{
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	test_err_ioctl_start(EBUSY, self->fd, 0);
	test_err_ioctl_start(EBUSY, self->monitor, 1);
	/* While records of the last one have not all been taken, too. */
	fw_poll(&self->fw);
	ASSERT_EQ(1, fw_records(&self->fw.lane[0], 0, 1));
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	test_err_ioctl_start(EBUSY, self->fd, 0);
	EXPECT_DRAINED(&self->ledger);
	test_ioctl_start(self->fd, 0, &self->session);
}

TEST_F(session, start_arguments)
{
	struct dfx_start s = { .size = sizeof(s) };
	struct dfx_attach a;

	/* No lane: nobody is attached. */
	test_err_ioctl_start(EINVAL, self->fd, 0);
	test_ioctl_attach(self->fd, 1, &a);
	test_err_ioctl_start(EINVAL, self->fd, 4);
	test_err_ioctl_start(EINVAL, self->fd, 1ull << 63 | 1);
	s.level = 5;
	EXPECT_ERRNO(EINVAL, ioctl(self->fd, DFX_IOC_START, &s));
	s.level = 0;
	s.kinds = 2;
	EXPECT_ERRNO(EINVAL, ioctl(self->fd, DFX_IOC_START, &s));
	/* A level that has no kind at all. */
	s.kinds = 0;
	s.level = 1;
	EXPECT_ERRNO(EINVAL, ioctl(self->fd, DFX_IOC_START, &s));
	EXPECT_EQ(DFX_SESSION_IDLE, snap_session_state(self->fd));
	test_err_ioctl_stop(EINVAL, self->fd);
}

/* What START is given reaches the firmware. */
TEST_F(session, start_parameters)
{
	struct dfx_start s = {
		.size = sizeof(s),
		.lanes = 3,
		.level = 3,
		.kinds = 1,
		.param = 0xfeedf00d,
	};
	struct dfx_dev_lane *lane = &self->fw.lane[1].lane;

	ASSERT_EQ(0, ioctl(self->monitor, DFX_IOC_START, &s));
	fw_poll(&self->fw);
	EXPECT_EQ(s.out_session, lane->session);
	EXPECT_EQ(3, lane->level);
	EXPECT_EQ(1, lane->kinds);
	EXPECT_EQ(0xfeedf00d, lane->param);
	EXPECT_EQ(30 * FW_HZ, lane->deadline);
}

/* A lane that has no consumer at START records nothing and waits for nobody. */
TEST_F(session, lane_without_consumer)
{
	struct snap snap;

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 1));
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	EXPECT_EQ(10, fw_records(&self->fw.lane[0], 1, 10));
	EXPECT_EQ(DFX_DEV_NOSESSION,
		  fw_record(&self->fw.lane[1], 2, DFX_DEV_BLOCK));
	EXPECT_EQ(DFX_DEV_NOSESSION,
		  fw_record(&self->fw.lane[1], 3, DFX_DEV_TRY));
	/* The driver has seen that lane 0 follows. */
	ASSERT_SOON(snap_entries(self->fd, 0) == 2);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(1, snap.s.out_lane_mask);
	EXPECT_EQ(DFX_LANE_IDLE, snap.lanes[1].state);
	EXPECT_EQ(0, snap.lanes[1].flags);
	EXPECT_EQ(DFX_LANE_RUNNING, snap.lanes[0].state);
	EXPECT_EQ(DFX_LANE_F_ENABLED | DFX_LANE_F_ATTACHED |
		  DFX_LANE_F_CONSUMER, snap.lanes[0].flags);
	EXPECT_EQ(0, snap.pools[2].produced);
	EXPECT_EQ(0, snap.pools[2].queued);
	EXPECT_EQ(0, snap_dropped(&snap.pools[2]));
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	EXPECT_EQ(10, self->ledger.records);
}

TEST_F(session, no_session)
{
	struct snap before, after;
	__u64 begun;
	int i;

	/* Thousands of records, blocking: nothing waits, nothing is counted. */
	test_ioctl_state(self->fd, &before);
	begun = clock_ns();
	for (i = 0; i < 2000; i++)
		ASSERT_EQ(DFX_DEV_NOSESSION,
			  fw_record(&self->fw.lane[i & 1], 2 * (i & 1),
				    DFX_DEV_BLOCK));
	EXPECT_LT(clock_ns() - begun, 2000000000ull);
	test_ioctl_state(self->fd, &after);
	EXPECT_EQ(0, after.s.out_session);
	EXPECT_EQ(0, after.s.out_events);
	/* The thread has slept all the while. */
	EXPECT_EQ(before.s.out_passes, after.s.out_passes);
	EXPECT_LT(before.lanes[0].heartbeat, after.lanes[0].heartbeat);
	EXPECT_EQ(0, after.lanes[0].push_waits + after.lanes[0].pop_waits);
	EXPECT_EQ(0, self->fw.lane[0].lane.marks);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(0, after.pools[i].produced);
		EXPECT_EQ(0, snap_dropped(&after.pools[i]));
		EXPECT_EQ(0, after.pools[i].in_flight);
	}
}

/* Lanes that are parked when STOP comes leave at once, with what they had. */
TEST_F(session, stop_while_parked)
{
	struct snap snap;
	__u64 begun, took;

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	/* Nobody releases: 4 buffers of 4 records in each pool, then none. */
	ASSERT_EQ(0, fw_run(&self->fw, FW_ENDLESS));
	ASSERT_SOON(snap_lane_state(self->monitor, 0) == DFX_LANE_PARKED_POP &&
		    snap_lane_state(self->monitor, 1) == DFX_LANE_PARKED_POP &&
		    snap_active(self->monitor, DFX_GATE_FQ) == 1);
	begun = clock_ns();
	test_ioctl_stop(self->fd);
	took = clock_ns() - begun;
	EXPECT_LT(took, 1000000000ull);
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(DFX_SESSION_DRAINING, snap.s.out_session_state);
	/* STOP ends the freeze, which counts as no release. */
	EXPECT_EQ(0, snap.s.out_freeze[DFX_GATE_FQ].active);
	EXPECT_LT(snap.s.out_freeze[DFX_GATE_FQ].releases,
		  snap.s.out_freeze[DFX_GATE_FQ].opens);
	EXPECT_DRAINED(&self->ledger);
	expect_identity(self->monitor);
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(0, self->ledger.lost);
	EXPECT_EQ(self->ledger.records, snap.pools[0].produced +
		  snap.pools[1].produced + snap.pools[2].produced +
		  snap.pools[3].produced);
	EXPECT_LE(16, self->ledger.records);
	/* Nothing is left: not in flight, not dropped. */
	for (int i = 0; i < 4; i++) {
		EXPECT_EQ(0, snap.pools[i].in_flight);
		EXPECT_EQ(0, snap_dropped(&snap.pools[i]));
	}
}

TEST_F(session, stop_start_back_to_back)
{
	struct ledger second = { };
	__u64 again;

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	EXPECT_EQ(3, fw_records(&self->fw.lane[0], 0, 3));
	EXPECT_EQ(9, fw_records(&self->fw.lane[1], 3, 9));
	ASSERT_EQ(0, fw_run(&self->fw, 7));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	test_ioctl_start(self->fd, 0, &again);
	EXPECT_NE(self->session, again);
	EXPECT_EQ(self->session, self->ledger.session);
	ASSERT_SOON(ring_drain(&self->ring, &second) < 0 ||
		    second.records == 4 * 7) {
		TH_LOG("%s", second.why);
	}
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&second);
	EXPECT_EQ(again, second.session);
	EXPECT_EQ(4 * 7, second.records);
	expect_identity(self->fd);
}

/* STOP of a session in which a lane never answers takes no longer than it may. */
TEST_F(session, silent_lane)
{
	__u64 session, silent, begun, took;
	struct snap snap;

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	EXPECT_EQ(5, fw_records(&self->fw.lane[0], 0, 5));
	EXPECT_EQ(6, fw_records(&self->fw.lane[1], 2, 6));
	/* Lane 1 does nothing from here on. */
	ASSERT_EQ(0, fw_run_lane(&self->fw.lane[0], 0));
	begun = clock_ns();
	ASSERT_EQ(0, _test_ioctl_stop(self->fd, &session, &silent));
	took = clock_ns() - begun;
	EXPECT_EQ(2, silent);
	EXPECT_LE(800000000ull, took);
	EXPECT_LE(took, 1500000000ull);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(DFX_LANE_F_SILENT, snap.lanes[1].flags & DFX_LANE_F_SILENT);
	EXPECT_EQ(0, snap.lanes[0].flags & DFX_LANE_F_SILENT);
	/* What it may still write to belongs to nobody. */
	EXPECT_LT(0, snap.pools[2].quarantine);
	/* What was published is had, and what lay in its last buffer. */
	EXPECT_DRAINED(&self->ledger);
	EXPECT_EQ(5, self->ledger.pools[0].records);
	EXPECT_EQ(6, self->ledger.pools[2].records);
	EXPECT_EQ(1, self->ledger.recovered);
	expect_identity(self->fd);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(0, snap.pools[2].in_flight);
	EXPECT_EQ(0, snap_dropped(&snap.pools[2]));

	/* It stays out of the next session, */
	test_ioctl_start(self->fd, 0, &session);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(1, snap.s.out_lane_mask);
	test_ioctl_stop(self->fd);
	memset(&self->ledger, 0, sizeof(self->ledger));
	EXPECT_DRAINED(&self->ledger);
	/* a session of it alone cannot be, nor another geometry, */
	test_err_ioctl_start(EIO, self->fd, 2);
	ring_close(&self->ring);
	test_ioctl_detach(self->fd);
	test_err_ioctl_policy(EBUSY, self->fd, .buffers = 2);
	/* until it has caught up. */
	fw_poll(&self->fw);
	test_ioctl_start(self->fd, 3, &session);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(3, snap.s.out_lane_mask);
	EXPECT_EQ(0, snap.lanes[1].flags & DFX_LANE_F_SILENT);
}

TEST_F(session, reset_revives_silent_lane)
{
	__u64 session, silent, revived;
	struct snap snap;

	test_ioctl_start(self->fd, 3, &session);
	ASSERT_EQ(0, fw_run_lane(&self->fw.lane[0], 0));
	ASSERT_EQ(0, _test_ioctl_stop(self->fd, &session, &silent));
	EXPECT_EQ(2, silent);
	/* Not while it is deaf. */
	test_ioctl_reset(self->fd, &revived);
	EXPECT_EQ(0, revived);
	ASSERT_EQ(0, fw_run_lane(&self->fw.lane[1], 0));
	test_ioctl_reset(self->fd, &revived);
	EXPECT_EQ(2, revived);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(0, snap.lanes[1].flags & DFX_LANE_F_SILENT);
	test_ioctl_policy(self->fd, .buffers = 2);
}

TEST_F(session, hundred)
{
	__u64 last = 0;
	int i, p;

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	ASSERT_EQ(0, fw_run(&self->fw, 5));
	for (i = 0; i < 100; i++) {
		memset(&self->ledger, 0, sizeof(self->ledger));
		test_ioctl_start(self->fd, 0, &self->session);
		ASSERT_NE(last, self->session);
		last = self->session;
		ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
			    self->ledger.records == 20) {
			TH_LOG("run %d: %s", i, self->ledger.why);
		}
		test_ioctl_stop(self->fd);
		ASSERT_EQ(0, ring_drain_to_end(&self->ring, &self->ledger)) {
			TH_LOG("run %d: %s", i, self->ledger.why);
		}
		ASSERT_EQ(self->session, self->ledger.session);
		for (p = 0; p < 4; p++)
			ASSERT_EQ(5, self->ledger.pools[p].records);
		expect_identity(self->fd);
	}
}

/* What was there when FLUSH was asked becomes ready, what came later does not. */
TEST_F(session, flush_is_a_cut)
{
	__u64 number, pending;

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_err_ioctl_flush(EINVAL, self->fd, 0, &number, &pending);
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	EXPECT_EQ(3, fw_records(&self->fw.lane[0], 0, 3));
	EXPECT_EQ(2, fw_records(&self->fw.lane[0], 1, 2));
	/* Only asked: no lane has looked yet. */
	test_ioctl_flush(self->fd, 0, &number, &pending);
	EXPECT_EQ(1, number);
	EXPECT_EQ(3, pending);
	test_err_ioctl_flush(ETIMEDOUT, self->fd, 1000000, &number, &pending);
	EXPECT_EQ(3, pending);
	/* The lane sees it before its next record, which is not in the cut. */
	EXPECT_EQ(1, fw_records(&self->fw.lane[0], 0, 1));
	EXPECT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
		    self->ledger.frames == 2) {
		TH_LOG("%s", self->ledger.why);
	}
	EXPECT_EQ(3, self->ledger.pools[0].records);
	EXPECT_EQ(2, self->ledger.pools[1].records);
	EXPECT_EQ(2, self->ledger.partial);
	/* Lane 1 has nothing to publish, but has to say so. */
	fw_poll(&self->fw);
	EXPECT_EQ(number, self->fw.lane[1].lane.flush);
	EXPECT_EQ(0, ring_drain(&self->ring, &self->ledger));
}

/* A lane that never stops writing does not keep FLUSH from returning. */
TEST_F(session, flush_under_load)
{
	__u64 number, pending, before;
	int i;

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, FW_ENDLESS));
	for (i = 1; i <= 5; i++) {
		before = self->ledger.records;
		ASSERT_EQ(0, _test_ioctl_flush(self->fd, 0, &number, &pending));
		EXPECT_EQ(i, number);
		ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
			    self->fw.lane[0].lane.shm->flush_ack == number) {
			TH_LOG("%s", self->ledger.why);
		}
		ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
			    (self->fw.lane[1].lane.shm->flush_ack == number &&
			     self->ledger.records > before)) {
			TH_LOG("%s", self->ledger.why);
		}
	}
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	EXPECT_EQ(0, self->ledger.lost);
	expect_identity(self->fd);
}

TEST_F(session, policy_while_in_use)
{
	struct dfx_attach a;

	test_ioctl_attach(self->fd, 0, &a);
	test_err_ioctl_policy(EBUSY, self->monitor, .buffers = 2);
	test_ioctl_start(self->fd, 0, &self->session);
	test_ioctl_detach(self->fd);
	test_err_ioctl_policy(EBUSY, self->monitor, .buffers = 2);
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	test_ioctl_policy(self->monitor, .buffers = 2);
}

TEST_F(session, policy_out_of_range)
{
	struct dfx_policy p;

	test_err_ioctl_policy(EINVAL, self->fd, .recovery = 2);
	test_err_ioctl_policy(EINVAL, self->fd, .records = 1001);
	test_err_ioctl_policy(EINVAL, self->fd, .slots = 3);
	test_err_ioctl_policy(EINVAL, self->fd, .slots = 16);
	test_err_ioctl_policy(EINVAL, self->fd, .rq_depth = 3);
	test_err_ioctl_policy(EINVAL, self->fd, .rq_depth = 8192);
	test_err_ioctl_policy(EINVAL, self->fd, .delay_us = 100001);
	test_err_ioctl_policy(EINVAL, self->fd, .buffers = UINT32_MAX);
	test_err_ioctl_policy(EINVAL, self->fd, .records = UINT32_MAX);
	/* Within the layout's limits, but not within the region. */
	test_err_ioctl_policy(ENOSPC, self->fd, .buffers = 4097);
	test_err_ioctl_policy(ENOSPC, self->fd, .buffers = 4096);
	test_err_ioctl_policy(ENOSPC, self->fd, .buffers = 9);
	test_err_ioctl_policy(ENOSPC, self->fd, .rq_depth = 4096);
	/* What is in force has not moved. */
	ASSERT_EQ(0, _test_ioctl_policy(self->fd, 0, &p));
	EXPECT_EQ(4, p.buffers);
	EXPECT_EQ(4, p.records);
	EXPECT_EQ(4, p.slots);
	EXPECT_EQ(DFX_RECOVERY_GLOBAL, p.recovery);
}

TEST_F(session, policy_takes_effect)
{
	struct dfx_policy p = {
		.recovery = DFX_RECOVERY_LANE,
		.buffers = 3,
		.records = 5,
		.slots = 2,
		.rq_depth = 8,
		.deadline_ms = 1234,
		.linger_ms = 4321,
		.delay_us = 7,
	};
	struct dfx_pool_info info[4];
	struct dfx_query q;
	struct snap snap;
	__u32 nr = 4;

	ASSERT_EQ(0, _test_ioctl_policy(self->fd, DFX_POLICY_SET, &p));
	ASSERT_EQ(0, _test_ioctl_policy(self->monitor, 0, &p));
	EXPECT_EQ(DFX_RECOVERY_LANE, p.recovery);
	EXPECT_EQ(3, p.buffers);
	EXPECT_EQ(5, p.records);
	EXPECT_EQ(2, p.slots);
	EXPECT_EQ(8, p.rq_depth);
	EXPECT_EQ(1234, p.deadline_ms);
	EXPECT_EQ(4321, p.linger_ms);
	EXPECT_EQ(7, p.delay_us);
	test_ioctl_query(self->fd, &q);
	EXPECT_EQ(12, q.out_nr_buffers);
	EXPECT_EQ(8, q.out_rq_depth);
	test_ioctl_pools(self->fd, info, &nr);
	EXPECT_EQ(3, info[3].buffers);
	EXPECT_EQ(5, info[3].capacity);
	EXPECT_EQ(2, info[3].slots);
	EXPECT_EQ(4096, info[3].stride);
	test_ioctl_start(self->fd, 3, &self->session);
	fw_poll(&self->fw);
	EXPECT_EQ(1234 * (FW_HZ / 1000), self->fw.lane[0].lane.deadline);
	EXPECT_EQ(5, self->fw.lane[0].pools[0].capacity);
	EXPECT_EQ(8, self->fw.lane[0].lane.rq_depth);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(DFX_RECOVERY_LANE, snap.s.out_recovery);
	EXPECT_EQ(2, snap.pools[0].queued);
	EXPECT_EQ(1, snap.pools[0].free);
}

FIXTURE(watchdog) {
	struct fw fw;
	int fd;
};

FIXTURE_SETUP(watchdog)
{
	struct fw_config config = FW_CONFIG_DEFAULT;

	config.watchdog_us = 1000000;
	ASSERT_EQ(0, fw_up(&self->fw, &config));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
}

FIXTURE_TEARDOWN(watchdog)
{
	close(self->fd);
	fw_down(&self->fw);
}

/* A gate must give up before the device's outer watchdog barks. */
TEST_F(watchdog, deadline)
{
	struct dfx_query q;
	__u64 session;
	int klog;

	test_ioctl_query(self->fd, &q);
	EXPECT_EQ(1000000, q.out_watchdog_us);
	klog = klog_open();
	ASSERT_GE(klog, 0);
	test_err_ioctl_start(EINVAL, self->fd, 3);
	EXPECT_EQ(1, klog_count(klog, "deadline 30000 ms is not below"));
	test_ioctl_policy(self->fd, .deadline_ms = 1000);
	test_err_ioctl_start(EINVAL, self->fd, 3);
	test_ioctl_policy(self->fd, .deadline_ms = 999);
	test_ioctl_start(self->fd, 3, &session);
	close(klog);
}

TEST_HARNESS_MAIN
