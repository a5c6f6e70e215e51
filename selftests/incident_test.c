// SPDX-License-Identifier: GPL-2.0-only
/*
 * incident_test.c - one starved pool is one gap, and whose
 *
 * Four lanes with a pool each. Pool 2 is starved a few times over, while the
 * others have all the buffers they want and record as well.
 */
#include <fcntl.h>
#include <stdlib.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

#define NR_LANES	4
#define STARVED		2
#define INCIDENTS	5

/* Two buffers of two records: what a pool has room for, and one more. */
#define RECORDS		2
#define BUFFERS		2
#define TOO_MANY	(RECORDS * BUFFERS + 1)
/* Needs a buffer, and not the last one. */
#define FEW		3

FIXTURE(incident) {
	struct fw fw;
	int fd;
	__u64 session;
	struct ring ring;
	struct ledger ledger;
	__u64 asked[NR_LANES];
	struct dfx_frame *frame;
};

FIXTURE_VARIANT(incident) {
	__u32 recovery;
};

FIXTURE_VARIANT_ADD(incident, global) {
	.recovery = DFX_RECOVERY_GLOBAL,
};

FIXTURE_VARIANT_ADD(incident, lane) {
	.recovery = DFX_RECOVERY_LANE,
};

FIXTURE_SETUP(incident)
{
	const struct fw_config config = {
		.lanes = NR_LANES,
		.cores = NR_LANES,
		.subsystems = 1u << DFX_SUBSYS_L2_SWIMLANE,
	};

	ASSERT_EQ(0, fw_up(&self->fw, &config));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	test_ioctl_policy(self->fd, .recovery = variant->recovery,
			  .records = RECORDS, .buffers = BUFFERS,
			  .slots = BUFFERS);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, 0));
}

FIXTURE_TEARDOWN(incident)
{
	free(self->frame);
	ring_close(&self->ring);
	close(self->fd);
	fw_down(&self->fw);
}

static void ask(FIXTURE_DATA(incident) *self, __u32 lane, __u64 records)
{
	self->asked[lane] += records;
	__atomic_store_n(&self->fw.lane[lane].quota, self->asked[lane],
			 __ATOMIC_RELAXED);
}

static __u64 asked(const FIXTURE_DATA(incident) *self)
{
	__u64 sum = 0;
	__u32 i;

	for (i = 0; i < NR_LANES; i++)
		sum += self->asked[i];
	return sum;
}

/* Every lane has given what it was asked for, and every pool is full again. */
static bool settled(FIXTURE_DATA(incident) *self)
{
	struct snap s;
	__u32 i;

	if (ring_drain(&self->ring, &self->ledger) < 0)
		return true;
	if (ring_wait(&self->ring, 0) < 0 ||
	    self->ledger.records != asked(self) || snap_take(&s, self->fd))
		return false;
	for (i = 0; i < NR_LANES; i++)
		if (s.pools[i].queued != BUFFERS)
			return false;
	return !s.s.out_freeze[DFX_GATE_FQ].active;
}

/* The host has so many buffers of the lane, and has given it others. */
static bool has_taken(FIXTURE_DATA(incident) *self, __u32 lane, __u32 buffers)
{
	struct snap s;

	return !snap_take(&s, self->fd) &&
	       s.pools[lane].ready + s.pools[lane].held == buffers &&
	       s.pools[lane].queued == BUFFERS;
}

/* The lanes that starve for nothing have recorded what they were asked for. */
static bool others_done(FIXTURE_DATA(incident) *self)
{
	struct snap s;
	__u32 i;

	if (snap_take(&s, self->fd))
		return false;
	for (i = 0; i < NR_LANES; i++)
		if (i != STARVED && s.pools[i].produced != self->asked[i])
			return false;
	return true;
}

static bool all_parked(FIXTURE_DATA(incident) *self)
{
	__u32 i;

	for (i = 0; i < NR_LANES; i++)
		if (snap_lane_state(self->fd, i) != DFX_LANE_PARKED_POP)
			return false;
	return true;
}

/* The END frame, which a consumer by the rings asks for; NULL with errno. */
static struct dfx_end_info *end_frame(FIXTURE_DATA(incident) *self)
{
	__u64 len = 1u << 16;

	self->frame = malloc(len);
	if (!self->frame ||
	    _test_ioctl_frame(self->fd, DFX_FRAME_END, self->frame, &len))
		return NULL;
	return (struct dfx_end_info *)(self->frame + 1);
}

TEST_F(incident, is_one_gap)
{
	bool global = variant->recovery == DFX_RECOVERY_GLOBAL;
	const struct dfx_incident *gap;
	const struct dfx_end_info *end;
	__u64 last_ns = 0;
	struct snap s;
	__u32 i, k;

	ASSERT_SOON(settled(self));
	for (k = 1; k <= INCIDENTS; k++) {
		/*
		 * Every buffer it gets has a copy in reserve. It fills all but
		 * two of these one by one, so as not to wait while the host
		 * copies.
		 */
		for (i = 1; i <= BUFFERS * (fw_copies() - 1); i++) {
			ask(self, STARVED, RECORDS);
			ASSERT_SOON(has_taken(self, STARVED, i));
		}
		ask(self, STARVED, TOO_MANY);
		ASSERT_SOON(snap_lane_state(self->fd, STARVED) ==
			    DFX_LANE_PARKED_POP);
		ASSERT_SOON(snap_active(self->fd, DFX_GATE_FQ) == global);
		for (i = 0; i < NR_LANES; i++)
			if (i != STARVED)
				ask(self, i, FEW);
		ASSERT_SOON(global ? all_parked(self) : others_done(self));
		ASSERT_SOON(settled(self));
		ASSERT_STREQ("", self->ledger.why);
		test_ioctl_state(self->fd, &s);
		EXPECT_EQ(global ? k : 0, s.s.out_incidents);
		EXPECT_EQ(global ? k : 0, s.s.out_freeze[DFX_GATE_FQ].opens);
		EXPECT_EQ(0, s.s.out_freeze[DFX_GATE_RQ].opens);
	}
	test_ioctl_stop(self->fd);
	EXPECT_EQ(0, ring_drain_to_end(&self->ring, &self->ledger)) {
		TH_LOG("%s", self->ledger.why);
	}
	EXPECT_EQ(asked(self), self->ledger.records);
	EXPECT_EQ(0, self->ledger.lost);
	expect_identity(self->fd);

	/* Each lane waited once in each gap, or only the one that starved did. */
	test_ioctl_state(self->fd, &s);
	for (i = 0; i < NR_LANES; i++) {
		__u64 waits = global || i == STARVED ? INCIDENTS : 0;

		EXPECT_EQ(waits, s.lanes[i].pop_waits);
		EXPECT_EQ(0, s.lanes[i].push_waits);
		EXPECT_EQ(global ? 0 : waits, s.lanes[i].alone);
		EXPECT_EQ(global ? 0 : s.lanes[i].pop_ns, s.lanes[i].alone_ns);
	}

	end = end_frame(self);
	ASSERT_NE(NULL, end);
	EXPECT_EQ(global ? INCIDENTS : 0, end->incidents);
	ASSERT_EQ(global ? INCIDENTS : 0, end->nr_incidents);
	EXPECT_EQ(sizeof(*gap), end->incident_size);
	gap = (const void *)((const char *)end + end->info_size +
			     (__u64)end->nr_lanes * end->lane_size +
			     (__u64)end->nr_pools * end->pool_size);
	EXPECT_EQ(self->frame->len, (const char *)&gap[end->nr_incidents] -
		  (const char *)end);
	for (k = 0; k < end->nr_incidents; k++) {
		EXPECT_EQ(k + 1, gap[k].number);
		EXPECT_EQ(1u << DFX_GATE_FQ, gap[k].gates);
		EXPECT_EQ((1u << NR_LANES) - 1, gap[k].lanes);
		EXPECT_LT(last_ns, gap[k].open_ns);
		EXPECT_LT(gap[k].open_ns, gap[k].close_ns);
		last_ns = gap[k].close_ns;
	}
}

TEST_HARNESS_MAIN
