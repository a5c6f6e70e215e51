// SPDX-License-Identifier: GPL-2.0-only
/*
 * gone_test.c - a device that answers everything with all ones
 *
 * As a PCI device does that has gone from its bus. Only a driver that copies
 * looks for it: run with DFX_ARCH=a5.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

FIXTURE(gone) {
	struct fw fw;
	int fd;
	int monitor;
	int log;
	struct ring ring;
	struct ledger ledger;
	__u64 session;
};

FIXTURE_SETUP(gone)
{
	if (fw_copies() == 1)
		SKIP(return, "the aperture is memory: DFX_ARCH=a5");
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->monitor = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->monitor, 0);
	self->log = klog_open();
	ASSERT_GE(self->log, 0);
}

FIXTURE_TEARDOWN(gone)
{
	ring_close(&self->ring);
	close(self->fd);
	close(self->monitor);
	close(self->log);
	fw_down(&self->fw);
}

static short events(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };

	return poll(&p, 1, 0) < 0 ? POLLNVAL : p.revents;
}

/* What is out there is all ones from now on, whatever the driver writes. */
static void vanish(struct fw *fw)
{
	memset(fw->bar, 0xff, fw->bar_size);
}

/* It comes back, as after a reset. */
#define EXPECT_BACK() \
	({ \
		int _fd; \
		ASSERT_EQ(0, sysfs_unbind(self->fw.bdf)); \
		memset(self->fw.bar, 0, self->fw.bar_size); \
		fw_announce(&self->fw, &FW_CONFIG_DEFAULT); \
		ASSERT_EQ(0, sysfs_bind(self->fw.bdf)); \
		_fd = fw_node("l2_swimlane", O_RDWR); \
		EXPECT_LE(0, _fd); \
		close(_fd); \
	})

static void *reader(void *arg)
{
	char buf[4096];
	ssize_t n;

	do
		n = read(*(int *)arg, buf, sizeof(buf));
	while (n > 0);
	return (void *)(long)(n < 0 ? errno : 0);
}

TEST_F(gone, reader_wakes)
{
	pthread_t thread;
	struct snap snap;
	void *err;

	ASSERT_EQ(0, pthread_create(&thread, NULL, reader, &self->fd));
	ASSERT_SOON(snap_session_state(self->monitor) == DFX_SESSION_RUNNING);
	fw_poll(&self->fw);
	ASSERT_EQ(1, fw_records(&self->fw.lane[0], 0, 1));
	vanish(&self->fw);
	ASSERT_EQ(0, pthread_join(thread, &err));
	EXPECT_EQ(ENODEV, (long)err);
	EXPECT_EQ(POLLHUP | POLLERR, events(self->monitor));
	test_err_ioctl_state(ENODEV, self->monitor, &snap);
	EXPECT_EQ(1, klog_count(self->log, "does not answer"));
	EXPECT_EQ(0, klog_count(self->log, "FAULT"));
	EXPECT_BACK();
}

TEST_F(gone, mapping_goes)
{
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	vanish(&self->fw);
	ASSERT_SOON(events(self->fd) == (POLLHUP | POLLERR));
	test_err_ioctl_stop(ENODEV, self->fd);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED,
				   self->fd, 0));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(1, klog_count(self->log, "does not answer"));
	EXPECT_BACK();
}

/* Nobody looks while there is no session: START does. */
TEST_F(gone, start_is_refused)
{
	struct dfx_attach a;

	test_ioctl_attach(self->fd, 0, &a);
	vanish(&self->fw);
	test_err_ioctl_start(EIO, self->fd, 3);
	ASSERT_SOON(events(self->fd) == (POLLHUP | POLLERR));
	test_err_ioctl_start(ENODEV, self->fd, 3);
	EXPECT_BACK();
}

/* At the probe it is nobody's device. */
TEST_F(gone, left_alone)
{
	ASSERT_EQ(0, sysfs_unbind(self->fw.bdf));
	vanish(&self->fw);
	EXPECT_EQ(-ENODEV, sysfs_bind(self->fw.bdf));
	EXPECT_EQ(1, klog_count(self->log, "no dfx identity"));
	memset(self->fw.bar, 0, self->fw.bar_size);
	fw_announce(&self->fw, &FW_CONFIG_DEFAULT);
	EXPECT_EQ(0, sysfs_bind(self->fw.bdf));
}

TEST_HARNESS_MAIN
