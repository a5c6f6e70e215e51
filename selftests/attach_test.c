// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_test.c - who may open the node, and which consumer has which lane
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

FIXTURE(attach) {
	struct fw fw;
	int fd;
	int other;
	struct dfx_attach a;
};

FIXTURE_SETUP(attach)
{
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->other = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->other, 0);
}

FIXTURE_TEARDOWN(attach)
{
	close(self->fd);
	close(self->other);
	fw_down(&self->fw);
}

TEST_F(attach, twice)
{
	struct snap snap;

	test_ioctl_attach(self->fd, 0, &self->a);
	EXPECT_EQ(3, self->a.out_lanes);
	/* Neither another file nor the same one again. */
	test_err_ioctl_attach(EBUSY, self->other, 0, &self->a);
	test_err_ioctl_attach(EBUSY, self->other, 1, &self->a);
	test_err_ioctl_attach(EBUSY, self->fd, 0, &self->a);
	test_err_ioctl_attach(EBUSY, self->fd, 2, &self->a);
	/* The one that was refused is a monitor still. */
	test_err_ioctl_detach(EINVAL, self->other);
	test_ioctl_state(self->other, &snap);
	EXPECT_EQ(1, snap.s.out_consumers);
	EXPECT_EQ(3, snap.s.out_attached_mask);
	EXPECT_EQ(DFX_LANE_F_CONSUMER, snap.lanes[0].flags);
	EXPECT_EQ(DFX_LANE_F_CONSUMER, snap.lanes[1].flags);
}

/* What was asked for is all or nothing. */
TEST_F(attach, overlap)
{
	struct snap snap;

	test_ioctl_attach(self->fd, 2, &self->a);
	EXPECT_EQ(2, self->a.out_lanes);
	test_err_ioctl_attach(EBUSY, self->other, 3, &self->a);
	test_err_ioctl_attach(EBUSY, self->other, 0, &self->a);
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(2, snap.s.out_attached_mask);
	test_ioctl_attach(self->other, 1, &self->a);
}

TEST_F(attach, out_of_range)
{
	test_err_ioctl_attach(EINVAL, self->fd, 4, &self->a);
	test_err_ioctl_attach(EINVAL, self->fd, 7, &self->a);
	test_err_ioctl_attach(EINVAL, self->fd, 1ull << 63, &self->a);
	test_ioctl_attach(self->fd, 3, &self->a);
}

TEST_F(attach, detach_and_again)
{
	struct snap snap;
	int i;

	for (i = 0; i < 3; i++) {
		test_ioctl_attach(self->fd, 1, &self->a);
		test_ioctl_attach(self->other, 2, &self->a);
		test_ioctl_detach(self->fd);
		test_err_ioctl_detach(EINVAL, self->fd);
		test_ioctl_state(self->fd, &snap);
		EXPECT_EQ(2, snap.s.out_attached_mask);
		EXPECT_EQ(1, snap.s.out_consumers);
		test_ioctl_detach(self->other);
	}
	/* close() detaches too. */
	test_ioctl_attach(self->other, 0, &self->a);
	ASSERT_EQ(0, close(self->other));
	self->other = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->other, 0);
	test_ioctl_attach(self->fd, 0, &self->a);
}

/* Two consumers, each with what its lanes write and nothing else. */
TEST_F(attach, split)
{
	struct ledger ledger[2] = { };
	struct ring ring[2];
	__u64 session;
	struct snap snap;
	int i;

	ASSERT_EQ(0, ring_open(&ring[0], self->fd, 1));
	ASSERT_EQ(0, ring_open(&ring[1], self->other, 2));
	test_ioctl_start(self->fd, 0, &session);
	fw_poll(&self->fw);
	EXPECT_EQ(5, fw_records(&self->fw.lane[0], 0, 5));
	EXPECT_EQ(6, fw_records(&self->fw.lane[0], 1, 6));
	EXPECT_EQ(7, fw_records(&self->fw.lane[1], 2, 7));
	EXPECT_EQ(8, fw_records(&self->fw.lane[1], 3, 8));
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, ring_drain_to_end(&ring[i], &ledger[i])) {
			TH_LOG("consumer %d: %s", i, ledger[i].why);
		}
	EXPECT_EQ(5, ledger[0].pools[0].records);
	EXPECT_EQ(6, ledger[0].pools[1].records);
	EXPECT_EQ(11, ledger[0].records);
	EXPECT_EQ(7, ledger[1].pools[2].records);
	EXPECT_EQ(8, ledger[1].pools[3].records);
	EXPECT_EQ(15, ledger[1].records);

	/* Each file sees its own share of what was delivered. */
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(5, snap.pools[0].delivered_here);
	EXPECT_EQ(0, snap.pools[0].first_seq_here);
	EXPECT_EQ(7, snap.pools[2].delivered);
	EXPECT_EQ(0, snap.pools[2].delivered_here);
	EXPECT_EQ(~0ull, snap.pools[2].first_seq_here);
	expect_identity(self->other);
	ring_close(&ring[0]);
	ring_close(&ring[1]);
}

TEST_F(attach, read_in_ring_mode)
{
	char buf[64];

	test_ioctl_attach(self->fd, 0, &self->a);
	ASSERT_NE(MAP_FAILED, mmap(NULL, self->a.out_ready_len, PROT_READ,
				   MAP_SHARED, self->fd,
				   self->a.out_ready_off));
	EXPECT_ERRNO(EBUSY, read(self->fd, buf, sizeof(buf)));
}

TEST_F(attach, ring_in_read_mode)
{
	char buf[64];

	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	test_ioctl_attach(self->fd, 0, &self->a);
	EXPECT_ERRNO(EAGAIN, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, self->a.out_ready_len, PROT_READ,
				   MAP_SHARED, self->fd,
				   self->a.out_ready_off));
	EXPECT_EQ(EBUSY, errno);
	test_err_ioctl_wait(EINVAL, self->fd, 0);
}

/* read() by itself becomes the consumer of every lane, or of none. */
TEST_F(attach, read_attaches)
{
	struct snap snap;
	char buf[64];

	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, fcntl(self->other, F_SETFL, O_NONBLOCK));
	test_ioctl_attach(self->other, 2, &self->a);
	EXPECT_ERRNO(EBUSY, read(self->fd, buf, sizeof(buf)));
	test_ioctl_detach(self->other);
	ASSERT_EQ(sizeof(buf), read(self->fd, buf, sizeof(buf)));
	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(3, snap.s.out_attached_mask);
	EXPECT_EQ(DFX_SESSION_RUNNING, snap.s.out_session_state);
	EXPECT_EQ(3, snap.s.out_lane_mask);
	EXPECT_ERRNO(EBUSY, read(self->other, buf, sizeof(buf)));
	test_err_ioctl_attach(EBUSY, self->other, 1, &self->a);
}

/* Who has no right to the node does not get it; root's file mode says so. */
TEST_F(attach, unprivileged)
{
	int status;
	pid_t pid = fork();

	ASSERT_GE(pid, 0);
	if (!pid) {
		if (setgid(65534) || setuid(65534))
			_exit(1);
		if (fw_node("l2_swimlane", O_RDWR) >= 0 || errno != EACCES)
			_exit(2);
		if (fw_node("l2_swimlane", O_RDONLY) >= 0 || errno != EACCES)
			_exit(3);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
}

TEST_HARNESS_MAIN
