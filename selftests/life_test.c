// SPDX-License-Identifier: GPL-2.0-only
/*
 * life_test.c - the device goes away while it is used, and comes back
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"
#include "sigbus.h"

FIXTURE(life) {
	struct fw fw;
	int fd;
	int other;
	struct ring ring;
	struct ledger ledger;
	__u64 session;
};

FIXTURE_SETUP(life)
{
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->other = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->other, 0);
}

FIXTURE_TEARDOWN(life)
{
	ring_close(&self->ring);
	close(self->fd);
	close(self->other);
	fw_down(&self->fw);
}

#define ASSERT_UNBOUND() \
	({ \
		__u64 _begun = clock_ns(); \
		ASSERT_EQ(0, sysfs_unbind(self->fw.bdf)); \
		/* Nobody out there can make it wait. */ \
		EXPECT_LT(clock_ns() - _begun, 5000000000ull); \
		EXPECT_FALSE(sysfs_bound(self->fw.bdf)); \
	})

static short events(int fd)
{
	struct pollfd p = {
		.fd = fd,
		.events = POLLIN | POLLPRI | POLLOUT,
	};

	return poll(&p, 1, 0) < 0 ? POLLNVAL : p.revents;
}

/* Every call on a file whose device has gone. */
#define EXPECT_ALL_GONE(fd) \
	({ \
		__u64 _number, _pending, _len = 0; \
		struct dfx_pool_info _info; \
		struct dfx_policy _policy = { }; \
		struct dfx_attach _a; \
		struct dfx_query _q; \
		struct snap _snap; \
		__u32 _nr = 1; \
		char _buf[64]; \
		EXPECT_ERRNO(ENODEV, read(fd, _buf, sizeof(_buf))); \
		test_err_ioctl_query(ENODEV, fd, &_q); \
		test_err_ioctl_pools(ENODEV, fd, &_info, &_nr); \
		test_err_ioctl_state(ENODEV, fd, &_snap); \
		test_err_ioctl_attach(ENODEV, fd, 0, &_a); \
		test_err_ioctl_detach(ENODEV, fd); \
		test_err_ioctl_start(ENODEV, fd, 3); \
		test_err_ioctl_stop(ENODEV, fd); \
		test_err_ioctl_flush(ENODEV, fd, 0, &_number, &_pending); \
		test_err_ioctl_wait(ENODEV, fd, 0); \
		EXPECT_ERRNO(ENODEV, _test_ioctl_policy(fd, 0, &_policy)); \
		test_err_ioctl_reset(ENODEV, fd); \
		test_err_ioctl_frame(ENODEV, fd, DFX_FRAME_END, _buf, &_len); \
		EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, \
					   fd, 0)); \
		EXPECT_EQ(ENODEV, errno); \
		EXPECT_EQ(POLLHUP | POLLERR, events(fd)); \
	})

TEST_F(life, unbind_while_open)
{
	ASSERT_UNBOUND();
	EXPECT_ALL_GONE(self->fd);
	EXPECT_EQ(-1, fw_node("l2_swimlane", O_RDWR));
	/* A new device is nothing to an old file. */
	ASSERT_EQ(0, sysfs_bind(self->fw.bdf));
	EXPECT_ALL_GONE(self->fd);
	EXPECT_EQ(0, close(self->fd));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
}

TEST_F(life, unbind_while_mapped)
{
	struct ring *ring = &self->ring;
	const struct dfx_ready *e;

	ASSERT_EQ(0, ring_open(ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	ASSERT_EQ(1001, fw_records(&self->fw.lane[0], 0, 1001));
	ASSERT_SOON((e = ring_next(ring)));
	EXPECT_FALSE(sigbus_at(ring->ready, false));
	EXPECT_FALSE(sigbus_at(ring_records(ring, e), false));
	EXPECT_FALSE(sigbus_at(ring->release, true));
	ASSERT_UNBOUND();
	EXPECT_TRUE(sigbus_at(ring->ready, false));
	EXPECT_TRUE(sigbus_at(ring->release, false));
	EXPECT_TRUE(sigbus_at(ring->release, true));
	EXPECT_TRUE(sigbus_at(ring->buffers, false));
	EXPECT_TRUE(sigbus_at(ring->buffers + ring->a.out_buffers_len - 1, false));
	EXPECT_EQ(0, munmap((void *)ring->buffers, ring->a.out_buffers_len));
	EXPECT_EQ(0, munmap(ring->ready, ring->a.out_ready_len));
	EXPECT_EQ(0, munmap(ring->release, ring->a.out_release_len));
	ring->buffers = NULL;
	ring->ready = NULL;
	ring->release = NULL;
	EXPECT_ALL_GONE(self->fd);
}

/* Closed first: a mapping outlives its descriptor, but not the device. */
TEST_F(life, unbind_while_mapped_and_closed)
{
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	EXPECT_FALSE(sigbus_at(self->ring.buffers, false));
	ASSERT_EQ(0, close(self->fd));
	EXPECT_FALSE(sigbus_at(self->ring.buffers + 4096, false));
	ASSERT_UNBOUND();
	EXPECT_TRUE(sigbus_at(self->ring.buffers, false));
	EXPECT_TRUE(sigbus_at(self->ring.ready, false));
	self->fd = -1;
}

/* What the kernel itself is to copy from a mapping that has gone. */
TEST_F(life, write_from_gone_mapping)
{
	int out = open("/dev/shm/dfx-gone", O_RDWR | O_CREAT | O_TRUNC, 0600);

	ASSERT_GE(out, 0);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	EXPECT_EQ(4096, write(out, self->ring.buffers, 4096));
	ASSERT_UNBOUND();
	EXPECT_ERRNO(EFAULT, write(out, self->ring.buffers, 4096));
	close(out);
	unlink("/dev/shm/dfx-gone");
}

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

TEST_F(life, unbind_while_reading)
{
	struct stuck s;

	ASSERT_EQ(0, stuck_start(&s, call_read, &self->fd));
	ASSERT_SOON(stuck_in(&s, SYS_read) &&
		    snap_session_state(self->other) == DFX_SESSION_RUNNING);
	ASSERT_UNBOUND();
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(-1, s.rc);
	EXPECT_EQ(ENODEV, s.err);
	EXPECT_ALL_GONE(self->fd);
}

/* What was READY: nothing, or all of it where the host has copies of its own. */
TEST_F(life, unbind_with_ready)
{
	static unsigned char bytes[65536];
	struct ledger ledger = { };
	struct snap snap;
	ssize_t len, n;

	test_ioctl_policy(self->other, .records = 4);
	/* Starts the session, and gets its SESSION frame. */
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	len = read(self->fd, bytes, sizeof(bytes));
	ASSERT_LT(0, len);
	fw_poll(&self->fw);
	/* A full buffer is published when the next record is asked for. */
	ASSERT_EQ(9, fw_records(&self->fw.lane[0], 0, 9));
	ASSERT_SOON(!snap_take(&snap, self->other) && snap.pools[0].ready == 2);
	ASSERT_UNBOUND();
	if (fw_copies() == 1) {
		EXPECT_EQ(POLLHUP | POLLERR, events(self->fd));
		EXPECT_ALL_GONE(self->fd);
		return;
	}
	EXPECT_EQ(POLLIN | POLLHUP | POLLERR, events(self->fd));
	/* In pieces, so that it comes back in the middle of a frame, too. */
	while ((n = read(self->fd, bytes + len, 100)) > 0)
		len += n;
	EXPECT_EQ(-1, n);
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(len, ledger_stream(&ledger, bytes, len));
	EXPECT_STREQ("", ledger.why);
	EXPECT_EQ(8, ledger.records);
	EXPECT_EQ(2, ledger.frames);
	EXPECT_FALSE(ledger.end_seen);
	EXPECT_EQ(POLLHUP | POLLERR, events(self->fd));
	EXPECT_ALL_GONE(self->fd);
}

static long call_wait(void *arg)
{
	__u32 wait_events;

	return _test_ioctl_wait(*(int *)arg, SOON_MS * 1000000ull,
				&wait_events);
}

TEST_F(life, unbind_while_waiting)
{
	struct stuck s;

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, stuck_start(&s, call_wait, &self->fd));
	ASSERT_SOON(stuck_in(&s, SYS_ioctl));
	ASSERT_UNBOUND();
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(-1, s.rc);
	EXPECT_EQ(ENODEV, s.err);
}

static long call_poll(void *arg)
{
	struct pollfd p = { .fd = *(int *)arg, .events = POLLIN };

	return poll(&p, 1, SOON_MS) == 1 ? p.revents : -1;
}

TEST_F(life, unbind_while_polling)
{
	struct stuck s;

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, stuck_start(&s, call_poll, &self->fd));
	ASSERT_SOON(stuck_in(&s, SYS_poll));
	ASSERT_UNBOUND();
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(POLLHUP | POLLERR, s.rc);
}

static long call_stop(void *arg)
{
	__u64 session, silent;

	return _test_ioctl_stop(*(int *)arg, &session, &silent);
}

/* No lane answers, so that STOP waits. */
TEST_F(life, unbind_while_stopping)
{
	struct stuck s;

	test_ioctl_start(self->fd, 3, &self->session);
	ASSERT_EQ(0, stuck_start(&s, call_stop, &self->fd));
	ASSERT_SOON(snap_session_state(self->other) == DFX_SESSION_STOPPING);
	ASSERT_UNBOUND();
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(-1, s.rc);
	EXPECT_EQ(ENODEV, s.err);
}

static long call_flush(void *arg)
{
	__u64 number, pending;

	return _test_ioctl_flush(*(int *)arg, SOON_MS * 1000000ull, &number,
				 &pending);
}

TEST_F(life, unbind_while_flushing)
{
	struct stuck s;

	test_ioctl_start(self->fd, 3, &self->session);
	fw_poll(&self->fw);
	ASSERT_EQ(0, stuck_start(&s, call_flush, &self->fd));
	ASSERT_SOON(stuck_in(&s, SYS_ioctl));
	ASSERT_UNBOUND();
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(-1, s.rc);
	EXPECT_EQ(ENODEV, s.err);
}

/* The firmware learns that its host has gone, and finds the next one. */
TEST_F(life, firmware_finds_next_host)
{
	struct fw_lane *l = &self->fw.lane[0];
	__u32 generation = l->dev.generation;
	struct dfx_query q;

	test_ioctl_start(self->fd, 3, &self->session);
	fw_poll(&self->fw);
	ASSERT_EQ(1, fw_records(l, 0, 1));
	ASSERT_UNBOUND();
	EXPECT_EQ(DFX_DEV_DETACHED, dfx_dev_poll(&l->lane));
	EXPECT_EQ(DFX_DEV_DETACHED, fw_record(l, 0, DFX_DEV_BLOCK));
	EXPECT_EQ(DFX_DEV_AGAIN, fw_lane_attach(l));
	ASSERT_EQ(0, sysfs_bind(self->fw.bdf));
	/* One that has missed the gap learns it all the same. */
	EXPECT_EQ(DFX_DEV_DETACHED, dfx_dev_poll(&self->fw.lane[1].lane));
	ASSERT_EQ(DFX_DEV_OK, fw_attach(&self->fw));
	EXPECT_NE(generation, l->dev.generation);
	close(self->fd);
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	test_ioctl_query(self->fd, &q);
	EXPECT_EQ(q.out_generation, l->dev.generation);
	EXPECT_EQ(q.out_generation, fw_ident(&self->fw)->attached);

	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, 50));
	ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
		    self->ledger.records == 200);
	EXPECT_EQ(0, self->ledger.why[0]) {
		TH_LOG("%s", self->ledger.why);
	}
}

/* A lane that is parked leaves when its host does. */
TEST_F(life, unbind_while_parked)
{
	struct dfx_attach a;

	test_ioctl_policy(self->fd, .records = 2, .buffers = 2);
	test_ioctl_attach(self->fd, 0, &a);
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, FW_ENDLESS));
	ASSERT_SOON(snap_lane_state(self->other, 0) == DFX_LANE_PARKED_POP &&
		    snap_lane_state(self->other, 1) == DFX_LANE_PARKED_POP);
	ASSERT_UNBOUND();
	ASSERT_EQ(0, sysfs_bind(self->fw.bdf));
	EXPECT_SOON(__atomic_load_n(&self->fw.lane[0].attaches,
				    __ATOMIC_ACQUIRE) == 2 &&
		    __atomic_load_n(&self->fw.lane[1].attaches,
				    __ATOMIC_ACQUIRE) == 2);
}

TEST_F(life, module_in_use)
{
	EXPECT_EQ(-EWOULDBLOCK, sysfs_unload_module());
	close(self->fd);
	EXPECT_EQ(-EWOULDBLOCK, sysfs_unload_module());
	/* A mapping counts as well as a descriptor does. */
	ASSERT_EQ(0, ring_open(&self->ring, self->other, 0));
	close(self->other);
	EXPECT_EQ(-EWOULDBLOCK, sysfs_unload_module());
	ring_close(&self->ring);
	self->fd = -1;
	self->other = -1;
	/* Bound, but not in use. */
	ASSERT_SOON(!sysfs_unload_module());
	EXPECT_FALSE(sysfs_module_loaded());
	EXPECT_EQ(DFX_DEV_DETACHED, dfx_dev_poll(&self->fw.lane[0].lane));
	ASSERT_EQ(0, sysfs_load_module());
	/* It finds the device by itself. */
	EXPECT_TRUE(sysfs_bound(self->fw.bdf));
	EXPECT_EQ(DFX_DEV_OK, fw_attach(&self->fw));
}

TEST_HARNESS_MAIN
