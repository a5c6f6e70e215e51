// SPDX-License-Identifier: GPL-2.0-only
/*
 * read_test.c - read() and poll(): a byte stream of frames
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

#define SESSION_FRAME	(sizeof(struct dfx_frame) + \
			 sizeof(struct dfx_session_info) + \
			 4 * sizeof(struct dfx_pool_info))
#define END_FRAME	(sizeof(struct dfx_frame) + \
			 sizeof(struct dfx_end_info) + \
			 2 * sizeof(struct dfx_lane_state) + \
			 4 * sizeof(struct dfx_pool_state))

FIXTURE(read) {
	struct fw fw;
	int fd;
	int monitor;
	__u64 session;
	struct ledger ledger;
	unsigned char *bytes;
	size_t len;
};

/* A recording that no test here comes near to. */
#define ROOM	(2u << 20)

FIXTURE_SETUP(read)
{
	struct dfx_attach a;

	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDONLY | O_NONBLOCK);
	ASSERT_GE(self->fd, 0);
	self->monitor = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->monitor, 0);
	self->bytes = malloc(ROOM);
	ASSERT_NE(NULL, self->bytes);
	/* A pool's buffers all fit into its free queue. */
	test_ioctl_policy(self->fd, .records = 16, .slots = 8);
	test_ioctl_attach(self->fd, 0, &a);
}

FIXTURE_TEARDOWN(read)
{
	close(self->fd);
	close(self->monitor);
	fw_down(&self->fw);
	free(self->bytes);
}

/* Appends what there is now, up to @max bytes in one call. */
static ssize_t append(FIXTURE_DATA(read) *self, size_t max)
{
	ssize_t rc;

	if (max > ROOM - self->len)
		max = ROOM - self->len;
	rc = read(self->fd, self->bytes + self->len, max);
	if (rc > 0)
		self->len += rc;
	return rc;
}

static short events(int fd, short wanted)
{
	struct pollfd p = { .fd = fd, .events = wanted };

	return poll(&p, 1, 0) < 0 ? POLLNVAL : p.revents;
}

/* A SIGINT that does nothing but interrupt. */
static void on_sigint(int sig)
{
	(void)sig;
}

static void catch_sigint(void)
{
	struct sigaction sa = { .sa_handler = on_sigint };

	sigaction(SIGINT, &sa, NULL);
}

static long call_read(void *arg)
{
	FIXTURE_DATA(read) *self = arg;

	return append(self, 4096);
}

TEST_F(read, nonblock)
{
	/* Before a session, after its first frame, and once more is there. */
	EXPECT_ERRNO(EAGAIN, append(self, 4096));
	test_ioctl_start(self->fd, 0, &self->session);
	EXPECT_EQ(SESSION_FRAME, append(self, 4096));
	EXPECT_ERRNO(EAGAIN, append(self, 4096));
	fw_poll(&self->fw);
	EXPECT_EQ(17, fw_records(&self->fw.lane[0], 0, 17));
	EXPECT_SOON(append(self, 4096) ==
		    sizeof(struct dfx_frame) + 16 * 32);
	EXPECT_ERRNO(EAGAIN, append(self, 4096));
	EXPECT_EQ(self->len, ledger_stream(&self->ledger, self->bytes,
					   self->len)) {
		TH_LOG("%s", self->ledger.why);
	}
	EXPECT_EQ(16, self->ledger.records);
}

TEST_F(read, nothing_asked_for)
{
	EXPECT_EQ(0, read(self->fd, self->bytes, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	EXPECT_EQ(0, read(self->fd, self->bytes, 0));
	EXPECT_EQ(SESSION_FRAME, append(self, 4096));
}

TEST_F(read, poll_in)
{
	EXPECT_EQ(0, events(self->fd, POLLIN));
	test_ioctl_start(self->fd, 0, &self->session);
	EXPECT_EQ(POLLIN, events(self->fd, POLLIN));
	/* Half of a frame is something to read. */
	EXPECT_EQ(10, append(self, 10));
	EXPECT_EQ(POLLIN, events(self->fd, POLLIN));
	EXPECT_EQ(SESSION_FRAME - 10, append(self, 4096));
	EXPECT_EQ(0, events(self->fd, POLLIN));
	fw_poll(&self->fw);
	EXPECT_EQ(17, fw_records(&self->fw.lane[1], 2, 17));
	EXPECT_SOON(events(self->fd, POLLIN) == POLLIN);
	EXPECT_LT(0, append(self, 4096));
	EXPECT_EQ(0, events(self->fd, POLLIN));
	/* The end is something to read, and once read it stays readable. */
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	EXPECT_SOON(events(self->fd, POLLIN) == POLLIN);
	while (append(self, 4096) > 0)
		EXPECT_EQ(POLLIN, events(self->fd, POLLIN));
	EXPECT_EQ(0, append(self, 4096));
	EXPECT_EQ(POLLIN, events(self->fd, POLLIN));
	/* A monitor is never told of data. */
	EXPECT_EQ(0, events(self->monitor, POLLIN));
}

TEST_F(read, poll_pri)
{
	struct snap snap;
	__u64 seen;

	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(0, events(self->monitor, POLLIN | POLLPRI));
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	/* Nobody reads: every buffer of a pool, and one record more. */
	ASSERT_SOON(fw_record(&self->fw.lane[0], 0, DFX_DEV_TRY) &&
		    snap_active(self->fd, DFX_GATE_FQ) == 1);
	EXPECT_EQ(POLLPRI, events(self->monitor, POLLIN | POLLPRI));
	seen = snap.s.out_events;
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(seen + 1, snap.s.out_events);
	EXPECT_EQ(0, events(self->monitor, POLLIN | POLLPRI));
	/* It closes: told again. */
	ASSERT_SOON(append(self, ROOM) < 0 &&
		    !snap_active(self->fd, DFX_GATE_FQ));
	EXPECT_EQ(POLLPRI, events(self->monitor, POLLIN | POLLPRI));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(0, events(self->monitor, POLLIN | POLLPRI));
}

static long call_poll(void *arg)
{
	FIXTURE_DATA(read) *self = arg;
	struct pollfd p = { .fd = self->fd, .events = POLLIN };

	return poll(&p, 1, SOON_MS);
}

TEST_F(read, poll_wakes)
{
	struct stuck s;

	test_ioctl_start(self->fd, 0, &self->session);
	EXPECT_EQ(SESSION_FRAME, append(self, 4096));
	fw_poll(&self->fw);
	ASSERT_EQ(0, stuck_start(&s, call_poll, self));
	ASSERT_SOON(stuck_in(&s, SYS_poll));
	EXPECT_EQ(17, fw_records(&self->fw.lane[0], 1, 17));
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(1, s.rc);
}

TEST_F(read, blocks_until_data)
{
	struct stuck s;

	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	EXPECT_EQ(SESSION_FRAME, append(self, 4096));
	fw_poll(&self->fw);
	ASSERT_EQ(0, stuck_start(&s, call_read, self));
	ASSERT_SOON(stuck_in(&s, SYS_read));
	EXPECT_EQ(17, fw_records(&self->fw.lane[0], 0, 17));
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(sizeof(struct dfx_frame) + 16 * 32, s.rc);
}

/* It waits for the first byte only, never for the caller's whole buffer. */
TEST_F(read, does_not_wait_for_more)
{
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	EXPECT_EQ(SESSION_FRAME, append(self, 1u << 20));
}

TEST_F(read, sigint)
{
	struct stuck s;

	catch_sigint();
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	ASSERT_EQ(0, stuck_start(&s, call_read, self));
	ASSERT_SOON(stuck_in(&s, SYS_read));
	ASSERT_EQ(0, pthread_kill(s.thread, SIGINT));
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(-1, s.rc);
	EXPECT_EQ(EINTR, s.err);
	/* Nothing was taken away. */
	test_ioctl_start(self->fd, 0, &self->session);
	EXPECT_EQ(SESSION_FRAME, append(self, 4096));
}

/*
 * A signal that is pending while there is data does not cost the data: the call
 * has something to return before it would sleep.
 */
TEST_F(read, signal_with_data)
{
	struct sigaction sa = { .sa_handler = on_sigint };
	ssize_t rc = 0;
	timer_t timer;
	int i;
	struct itimerspec often = {
		.it_interval = { .tv_nsec = 100000 },
		.it_value = { .tv_nsec = 100000 },
	};
	struct sigevent ev = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGUSR1,
	};

	ASSERT_EQ(0, sigaction(SIGUSR1, &sa, NULL));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	for (i = 0; i < 4; i++)
		ASSERT_EQ(100, fw_records(&self->fw.lane[i / 2], i, 100));
	ASSERT_SOON(snap_entries(self->monitor, 0) == 12 &&
		    snap_entries(self->monitor, 1) == 12);
	ASSERT_EQ(0, timer_create(CLOCK_MONOTONIC, &ev, &timer));
	ASSERT_EQ(0, timer_settime(timer, 0, &often, NULL));
	/* Until it sleeps, which the next signal ends. */
	while ((rc = append(self, 777)) > 0)
		;
	EXPECT_EQ(-1, rc);
	EXPECT_EQ(EINTR, errno);
	ASSERT_EQ(0, timer_delete(timer));
	EXPECT_EQ(self->len, ledger_stream(&self->ledger, self->bytes,
					   self->len)) {
		TH_LOG("%s", self->ledger.why);
	}
	EXPECT_EQ(4 * 96, self->ledger.records);
}

TEST_F(read, bad_buffer)
{
	static const unsigned long nowhere[] = { 0, 8, ~4095ul, 1ul << 62 };
	unsigned int i;

	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	EXPECT_EQ(17, fw_records(&self->fw.lane[0], 0, 17));
	ASSERT_SOON(snap_entries(self->monitor, 0) == 1);
	/* By number, so that no compiler objects. */
	for (i = 0; i < ARRAY_SIZE(nowhere); i++)
		EXPECT_ERRNO(EFAULT, syscall(SYS_read, self->fd, nowhere[i],
					     4096ul));
	/* Nothing of the stream is gone. */
	while (append(self, 100) > 0)
		;
	EXPECT_EQ(self->len, ledger_stream(&self->ledger, self->bytes,
					   self->len)) {
		TH_LOG("%s", self->ledger.why);
	}
	EXPECT_EQ(16, self->ledger.records);
}

/* A buffer that ends in the middle gets what fits. */
TEST_F(read, buffer_ends)
{
	unsigned char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ssize_t rc;

	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	test_ioctl_start(self->fd, 0, &self->session);
	rc = read(self->fd, page + 4096 - 50, SESSION_FRAME);
	/* The stream goes on behind the bytes that were returned. */
	if (rc < 0) {
		EXPECT_EQ(EFAULT, errno);
		rc = 0;
	}
	EXPECT_LE(rc, 50);
	memcpy(self->bytes, page + 4096 - 50, rc);
	self->len = rc;
	EXPECT_EQ(SESSION_FRAME - rc, append(self, 4096));
	EXPECT_EQ(SESSION_FRAME, ledger_stream(&self->ledger, self->bytes,
					       self->len)) {
		TH_LOG("%s", self->ledger.why);
	}
}

/* Memory that was never touched: the copy faults it in, page by page. */
TEST_F(read, fresh_memory)
{
	unsigned char *fresh = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ssize_t rc;

	ASSERT_NE(MAP_FAILED, fresh);
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	/* Eight buffers, of which the last stays with the lane. */
	ASSERT_EQ(128, fw_records(&self->fw.lane[0], 0, 128));
	ASSERT_EQ(128, fw_records(&self->fw.lane[0], 1, 128));
	ASSERT_SOON(snap_entries(self->monitor, 0) == 14);
	rc = read(self->fd, fresh, ROOM);
	ASSERT_LT(8192, rc);
	EXPECT_EQ(rc, ledger_stream(&self->ledger, fresh, rc)) {
		TH_LOG("%s", self->ledger.why);
	}
	EXPECT_EQ(14 * 16, self->ledger.records);
}

/* What one call has returned is released when the next one comes, not before. */
TEST_F(read, released_by_return)
{
	struct snap snap;

	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	ASSERT_EQ(33, fw_records(&self->fw.lane[0], 0, 33));
	ASSERT_SOON(snap_entries(self->monitor, 0) == 2);
	EXPECT_LT(0, append(self, ROOM));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(2, snap.pools[0].held);
	EXPECT_EQ(0, snap.pools[0].delivered);
	EXPECT_ERRNO(EAGAIN, append(self, ROOM));
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(0, snap.pools[0].held);
	EXPECT_EQ(32, snap.pools[0].delivered);
}

FIXTURE(chunk) {
	FIXTURE_DATA(read) r;
};

FIXTURE_VARIANT(chunk) {
	size_t size;
};

FIXTURE_VARIANT_ADD(chunk, 1) { .size = 1, };
FIXTURE_VARIANT_ADD(chunk, 7) { .size = 7, };
FIXTURE_VARIANT_ADD(chunk, 63) { .size = 63, };
FIXTURE_VARIANT_ADD(chunk, 64) { .size = 64, };
FIXTURE_VARIANT_ADD(chunk, 65) { .size = 65, };
FIXTURE_VARIANT_ADD(chunk, 1M) { .size = 1u << 20, };

FIXTURE_SETUP(chunk)
{
	read_setup(_metadata, &self->r, NULL);
}

FIXTURE_TEARDOWN(chunk)
{
	read_teardown(_metadata, &self->r, NULL);
}

/* A whole session in pieces of one size: the same frames, then the end. */
TEST_F(chunk, session)
{
	FIXTURE_DATA(read) *r = &self->r;
	size_t whole;
	ssize_t rc;
	int i;

	ASSERT_EQ(0, fcntl(r->fd, F_SETFL, 0));
	test_ioctl_start(r->fd, 0, &r->session);
	fw_poll(&r->fw);
	for (i = 0; i < 4; i++)
		ASSERT_EQ(40 + i, fw_records(&r->fw.lane[i / 2], i, 40 + i));
	ASSERT_EQ(0, fw_run(&r->fw, 0));
	test_ioctl_stop(r->monitor);
	while ((rc = append(r, variant->size)) > 0)
		ASSERT_LE(rc, variant->size);
	EXPECT_EQ(0, rc);
	/* It stays at the end. */
	EXPECT_EQ(0, append(r, variant->size));

	/* 12 buffers, the last of each pool a partial one. */
	whole = SESSION_FRAME + 12 * sizeof(struct dfx_frame) +
		(40 + 41 + 42 + 43) * 32 + END_FRAME;
	EXPECT_EQ(whole, r->len);
	ASSERT_EQ(r->len, ledger_stream(&r->ledger, r->bytes, r->len)) {
		TH_LOG("%s", r->ledger.why);
	}
	EXPECT_TRUE(r->ledger.info_seen);
	EXPECT_TRUE(r->ledger.end_seen);
	EXPECT_EQ(r->session, r->ledger.session);
	EXPECT_EQ(12, r->ledger.frames);
	EXPECT_EQ(4, r->ledger.partial);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(40 + i, r->ledger.pools[i].records);
		EXPECT_EQ(40 + i, r->ledger.end_pools[i].produced);
		EXPECT_EQ(40 + i, r->ledger.end_pools[i].delivered);
		EXPECT_EQ(40 + i, r->ledger.end_pools[i].delivered_here);
		EXPECT_EQ(0, r->ledger.end_pools[i].in_flight);
	}
}

/* STOP ends a reader that sleeps. */
TEST_F(read, eof_at_stop)
{
	struct stuck s;

	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	EXPECT_EQ(SESSION_FRAME, append(self, 4096));
	ASSERT_EQ(0, stuck_start(&s, call_read, self));
	ASSERT_SOON(stuck_in(&s, SYS_read));
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->monitor);
	ASSERT_SOON(stuck_done(&s));
	stuck_join(&s);
	EXPECT_EQ(END_FRAME, s.rc);
	EXPECT_EQ(0, append(self, 4096));
	EXPECT_EQ(self->len, ledger_stream(&self->ledger, self->bytes,
					   self->len)) {
		TH_LOG("%s", self->ledger.why);
	}
	EXPECT_TRUE(self->ledger.end_seen);
}

TEST_HARNESS_MAIN
