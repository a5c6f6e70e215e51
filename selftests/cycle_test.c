// SPDX-License-Identifier: GPL-2.0-only
/*
 * cycle_test.c - the driver comes and goes, over and over, under traffic
 *
 *	DFX_CYCLES=N	cycles of each test, instead of 200
 */
#include <fcntl.h>
#include <stdlib.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

#define CYCLES	200

FIXTURE(cycle) {
	struct fw fw;
	struct ring ring;
	struct ledger ledger;
	int fd;
	__u64 session;
	unsigned long cycles;
};

FIXTURE_SETUP(cycle)
{
	const char *n = getenv("DFX_CYCLES");

	self->cycles = n ? strtoul(n, NULL, 10) : CYCLES;
	self->fd = -1;
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	ASSERT_EQ(0, fw_run(&self->fw, FW_ENDLESS));
}

FIXTURE_TEARDOWN(cycle)
{
	ring_close(&self->ring);
	close(self->fd);
	fw_down(&self->fw);
}

static bool enough(FIXTURE_DATA(cycle) *self)
{
	return ring_drain(&self->ring, &self->ledger) < 0 ||
	       (self->ledger.pools[0].records >= 16 &&
		self->ledger.pools[3].records >= 16);
}

/* A session in which every lane records and a consumer takes. */
#define TRAFFIC() \
	({ \
		self->fd = fw_node("l2_swimlane", O_RDWR); \
		ASSERT_GE(self->fd, 0); \
		test_ioctl_policy(self->fd, .records = 4, .buffers = 2); \
		ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0)); \
		test_ioctl_start(self->fd, 0, &self->session); \
		memset(&self->ledger, 0, sizeof(self->ledger)); \
		ASSERT_SOON(enough(self)); \
		ASSERT_STREQ("", self->ledger.why); \
		EXPECT_EQ(0, self->ledger.lost); \
	})

/* Taken from the driver in the middle of it all, with the file open and mapped. */
TEST_F_TIMEOUT(cycle, unbind_and_bind, 300)
{
	unsigned long i;

	for (i = 0; i < self->cycles; i++) {
		TRAFFIC();
		ASSERT_EQ(0, sysfs_unbind(self->fw.bdf));
		ring_close(&self->ring);
		ASSERT_EQ(0, close(self->fd));
		self->fd = -1;
		ASSERT_EQ(0, sysfs_bind(self->fw.bdf));
	}
	TH_LOG("%lu cycles, each lane attached %llu times", i,
	       self->fw.lane[0].attaches);
	EXPECT_LE(i, self->fw.lane[0].attaches);
}

/* The consumer leaves, and the module with the session that lingers. */
TEST_F_TIMEOUT(cycle, rmmod_and_insmod, 300)
{
	unsigned long i;

	for (i = 0; i < self->cycles; i++) {
		TRAFFIC();
		ring_close(&self->ring);
		ASSERT_EQ(0, close(self->fd));
		self->fd = -1;
		ASSERT_SOON(!sysfs_unload_module());
		EXPECT_FALSE(sysfs_module_loaded());
		ASSERT_EQ(0, sysfs_load_module());
		ASSERT_TRUE(sysfs_bound(self->fw.bdf));
	}
	TH_LOG("%lu cycles, each lane attached %llu times", i,
	       self->fw.lane[0].attaches);
	EXPECT_LE(i, self->fw.lane[0].attaches);
}

TEST_HARNESS_MAIN
