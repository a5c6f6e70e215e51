// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_test.c - the contract of every ioctl: sizes, flags, numbers, pointers
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

/* Bytes behind each command's structure that the kernel does not know. */
#define BEYOND	64

/**
 * struct command - one ioctl with arguments that are in order
 * @number: its number.
 * @size: bytes of its structure.
 * @err: what it answers to those arguments in the state of the fixture; 0 if
 *	it succeeds. An argument that is out of order is seen before.
 * @reserved: offset of a reserved member of four bytes; 0 if there is none.
 */
struct command {
	unsigned long number;
	__u32 size;
	int err;
	__u32 reserved;
};

FIXTURE(command) {
	struct fw fw;
	int fd;
	unsigned char arg[512];
};

FIXTURE_VARIANT(command) {
	struct command c;
};

#define COMMAND(name, type, error, ...) \
	FIXTURE_VARIANT_ADD(command, name) { \
		.c = { \
			.number = DFX_IOC_##name, \
			.size = sizeof(struct type), \
			.err = error, \
			__VA_ARGS__ \
		}, \
	}

#define RESERVED(type, member) .reserved = offsetof(struct type, member)

/* On a file that is a monitor, without a session. */
COMMAND(QUERY, dfx_query, 0);
COMMAND(POOLS, dfx_pools, EMSGSIZE, RESERVED(dfx_pools, reserved));
COMMAND(STATE, dfx_state, 0);
COMMAND(ATTACH, dfx_attach, 0);
COMMAND(DETACH, dfx_detach, EINVAL);
COMMAND(START, dfx_start, EINVAL, RESERVED(dfx_start, reserved));
COMMAND(STOP, dfx_stop, EINVAL);
COMMAND(FLUSH, dfx_flush, EINVAL);
COMMAND(WAIT, dfx_wait, EINVAL, RESERVED(dfx_wait, reserved));
COMMAND(POLICY, dfx_policy, 0, RESERVED(dfx_policy, reserved));
COMMAND(RESET, dfx_reset, 0);
COMMAND(FRAME, dfx_get_frame, EINVAL, RESERVED(dfx_get_frame, reserved));

FIXTURE_SETUP(command)
{
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
}

FIXTURE_TEARDOWN(command)
{
	close(self->fd);
	fw_down(&self->fw);
}

/* ioctl() with all of the structure 0 but its size. */
static int call_sized(FIXTURE_DATA(command) *self, const struct command *c,
		      __u32 size)
{
	memcpy(self->arg, &size, sizeof(size));
	return ioctl(self->fd, c->number, self->arg);
}

#define EXPECT_ANSWER(err, call) \
	({ \
		if (err) \
			EXPECT_ERRNO(err, call); \
		else \
			EXPECT_EQ(0, call); \
	})

TEST_F(command, exact)
{
	EXPECT_ANSWER(variant->c.err,
		      call_sized(self, &variant->c, variant->c.size));
}

TEST_F(command, short)
{
	EXPECT_ERRNO(EINVAL, call_sized(self, &variant->c,
					variant->c.size - 1));
	EXPECT_ERRNO(EINVAL, call_sized(self, &variant->c, 0));
	EXPECT_ERRNO(EINVAL, call_sized(self, &variant->c, 4));
}

TEST_F(command, long_zero)
{
	__u32 size;

	EXPECT_ANSWER(variant->c.err,
		      call_sized(self, &variant->c, variant->c.size + BEYOND));
	/* The caller's own size stays. */
	memcpy(&size, self->arg, sizeof(size));
	EXPECT_EQ(variant->c.size + BEYOND, size);
}

TEST_F(command, long_nonzero)
{
	self->arg[variant->c.size] = 1;
	EXPECT_ERRNO(E2BIG, call_sized(self, &variant->c,
				       variant->c.size + BEYOND));
	self->arg[variant->c.size] = 0;
	self->arg[variant->c.size + BEYOND - 1] = 0x80;
	EXPECT_ERRNO(E2BIG, call_sized(self, &variant->c,
				       variant->c.size + BEYOND));
}

/* More than a page that the kernel would have to look at, all of it 0. */
TEST_F(command, too_long)
{
	static __u32 huge[3 * 4096 / sizeof(__u32)];

	EXPECT_ERRNO(E2BIG, call_sized(self, &variant->c, UINT32_MAX));
	huge[0] = 4096 + 1;
	EXPECT_ERRNO(E2BIG, ioctl(self->fd, variant->c.number, huge));
	huge[0] = 4096;
	EXPECT_ANSWER(variant->c.err,
		      ioctl(self->fd, variant->c.number, huge));
}

TEST_F(command, unknown_flag)
{
	__u32 flag, at = 4;

	/* Each bit but the one that POLICY knows. */
	for (flag = 2; flag; flag <<= 1) {
		memcpy(self->arg + at, &flag, sizeof(flag));
		EXPECT_ERRNO(EOPNOTSUPP, call_sized(self, &variant->c,
						    variant->c.size));
	}
	if (variant->c.number == DFX_IOC_POLICY)
		return;
	flag = 1;
	memcpy(self->arg + at, &flag, sizeof(flag));
	EXPECT_ERRNO(EOPNOTSUPP, call_sized(self, &variant->c,
					    variant->c.size));
}

TEST_F(command, reserved)
{
	__u32 value = 1;

	/* Not every structure has one; the flags stand for it there. */
	memcpy(self->arg + (variant->c.reserved ?: 4), &value, sizeof(value));
	if (!variant->c.reserved) {
		value = 0x80000000u;
		memcpy(self->arg + 4, &value, sizeof(value));
	}
	EXPECT_ERRNO(EOPNOTSUPP, call_sized(self, &variant->c,
					    variant->c.size));
}

TEST_F(command, bad_pointer)
{
	unsigned char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char *at;

	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->c.number, NULL));
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->c.number,
				   page + 4096));
	/* The size can be read, what it promises cannot. */
	at = page + 4096 - 4;
	memcpy(at, &variant->c.size, sizeof(variant->c.size));
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->c.number, at));
	/* Cannot be written: an answer has nowhere to go. */
	if (variant->c.err)
		return;
	memcpy(page, &variant->c.size, sizeof(variant->c.size));
	memset(page + 4, 0, 508);
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, variant->c.number, page));
}

FIXTURE(abi) {
	struct fw fw;
	int fd;
};

FIXTURE_SETUP(abi)
{
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
}

FIXTURE_TEARDOWN(abi)
{
	close(self->fd);
	fw_down(&self->fw);
}

TEST_F(abi, unknown_number)
{
	__u32 arg[64] = { sizeof(arg) };
	unsigned int nr;

	for (nr = 0; nr < 256; nr++) {
		if (nr >= DFX_CMD_BASE && nr < DFX_CMD_END)
			continue;
		EXPECT_ERRNO(ENOTTY, ioctl(self->fd,
					   _IOC(_IOC_READ | _IOC_WRITE,
						DFX_IOC_MAGIC, nr, 96), arg));
	}
	/* Another driver's number, and another direction. */
	EXPECT_ERRNO(ENOTTY, ioctl(self->fd, _IOC(_IOC_READ | _IOC_WRITE, 0xde,
						  DFX_CMD_QUERY, 96), arg));
	EXPECT_ERRNO(ENOTTY, ioctl(self->fd, _IOC(_IOC_NONE, DFX_IOC_MAGIC,
						  DFX_CMD_QUERY, 0), arg));
}

TEST_F(abi, query)
{
	struct dfx_query q;

	test_ioctl_query(self->fd, &q);
	EXPECT_EQ(sizeof(q), q.size);
	EXPECT_EQ(0, q.flags);
	EXPECT_EQ(DFX_ABI_VERSION, q.out_abi);
	EXPECT_EQ(DFX_LAYOUT_MAJOR, q.out_layout_major);
	EXPECT_EQ(DFX_LAYOUT_MINOR, q.out_layout_minor);
	EXPECT_EQ(DFX_SUBSYS_L2_SWIMLANE, q.out_subsys);
	EXPECT_EQ(fw_arch(), q.out_arch);
	EXPECT_EQ(DFX_ISA_X86_64, q.out_isa);
	EXPECT_EQ(4, q.out_nr_cores);
	EXPECT_EQ(2, q.out_nr_lanes);
	EXPECT_EQ(4, q.out_nr_pools);
	EXPECT_EQ(32, q.out_nr_buffers);
	EXPECT_EQ(32, q.out_rq_depth);
	EXPECT_EQ(self->fw.lane[0].dev.generation, q.out_generation);
	EXPECT_EQ(FW_HZ, q.out_counter_hz);
	EXPECT_EQ(0, q.out_watchdog_us);
	EXPECT_EQ(0, q.out_features);
	EXPECT_STREQ("l2_swimlane", (char *)q.out_name);
	EXPECT_EQ(0, q.out_name[sizeof(q.out_name) - 1]);
}

TEST_F(abi, pools)
{
	struct dfx_pool_info info[5];
	__u32 nr = 5, i;
	char *end;

	memset(info, PATTERN8, sizeof(info));
	test_ioctl_pools(self->fd, info, &nr);
	ASSERT_EQ(4, nr);
	for (i = 0; i < nr; i++) {
		EXPECT_EQ(i, info[i].pool);
		EXPECT_EQ(DFX_KIND_AICPU_TASK, info[i].kind);
		EXPECT_EQ(i, info[i].instance);
		EXPECT_EQ(i / 2, info[i].lane);
		EXPECT_EQ(8, info[i].buffers);
		EXPECT_EQ(8 * i, info[i].first_buffer);
		EXPECT_EQ(32, info[i].record_size);
		EXPECT_EQ(1000, info[i].capacity);
		EXPECT_EQ(32768, info[i].stride);
		EXPECT_EQ(4, info[i].slots);
		EXPECT_EQ(8 * i * 32768ull * fw_copies(), info[i].buf_off);
	}
	/* No more than there is. */
	end = (char *)&info[4];
	EXPECT_EQ((char)PATTERN8, *end);
}

TEST_F(abi, pools_too_small)
{
	struct dfx_pool_info info[3];
	__u32 nr = 3;

	memset(info, PATTERN8, sizeof(info));
	test_err_ioctl_pools(EMSGSIZE, self->fd, info, &nr);
	EXPECT_EQ(4, nr);
	EXPECT_EQ(PATTERN32, info[0].pool);
	nr = 0;
	test_err_ioctl_pools(EMSGSIZE, self->fd, NULL, &nr);
	EXPECT_EQ(4, nr);
	nr = 4;
	test_err_ioctl_pools(EFAULT, self->fd, NULL, &nr);
}

TEST_F(abi, state)
{
	struct snap snap;
	__u32 i, d;

	test_ioctl_state(self->fd, &snap);
	EXPECT_EQ(2, snap.s.nr_lanes);
	EXPECT_EQ(4, snap.s.nr_pools);
	EXPECT_EQ(DFX_SESSION_IDLE, snap.s.out_session_state);
	EXPECT_EQ(DFX_RECOVERY_GLOBAL, snap.s.out_recovery);
	EXPECT_EQ(0, snap.s.out_session);
	EXPECT_EQ(0, snap.s.out_lane_mask);
	EXPECT_EQ(0, snap.s.out_attached_mask);
	EXPECT_EQ(0, snap.s.out_start_ns);
	EXPECT_LE(snap.s.out_now_ns, clock_ns());
	EXPECT_EQ(0, snap.s.out_level);
	EXPECT_EQ(0, snap.s.out_consumers);
	EXPECT_EQ(0, snap.s.out_events);
	EXPECT_NE(PATTERN64, snap.s.out_passes);
	for (i = 0; i < DFX_NR_GATE; i++) {
		EXPECT_EQ(0, snap.s.out_freeze[i].active);
		EXPECT_EQ(0, snap.s.out_freeze[i].opens);
		EXPECT_EQ(0, snap.s.out_freeze[i].since_ns);
	}
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(i, snap.lanes[i].lane);
		EXPECT_EQ(DFX_LANE_IDLE, snap.lanes[i].state);
		EXPECT_EQ(0, snap.lanes[i].flags);
		EXPECT_EQ(0, snap.lanes[i].entries);
	}
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(i, snap.pools[i].pool);
		EXPECT_EQ(i / 2, snap.pools[i].lane);
		EXPECT_EQ(8, snap.pools[i].free);
		EXPECT_EQ(0, snap.pools[i].produced);
		EXPECT_EQ(~0ull, snap.pools[i].first_seq_here);
		for (d = 0; d < DFX_NR_DROP; d++)
			EXPECT_EQ(0, snap.pools[i].dropped[d]);
	}
	/* No more than there is. */
	EXPECT_EQ(PATTERN32, snap.lanes[2].lane);
	EXPECT_EQ(PATTERN32, snap.pools[4].pool);
}

TEST_F(abi, state_too_small)
{
	struct dfx_lane_state lanes[2];
	struct dfx_pool_state pools[4];
	struct dfx_state s = {
		.size = sizeof(s),
		.lanes_uptr = (__u64)(unsigned long)lanes,
		.pools_uptr = (__u64)(unsigned long)pools,
		.nr_lanes = 1,
		.nr_pools = 4,
	};

	/* One that is too small says how many there are, and is left alone. */
	memset(lanes, PATTERN8, sizeof(lanes));
	memset(pools, PATTERN8, sizeof(pools));
	ASSERT_EQ(0, ioctl(self->fd, DFX_IOC_STATE, &s));
	EXPECT_EQ(2, s.nr_lanes);
	EXPECT_EQ(4, s.nr_pools);
	EXPECT_EQ(PATTERN32, lanes[0].lane);
	EXPECT_EQ(3, pools[3].pool);

	/* The other way round, and an array that cannot be written. */
	s.nr_pools = 0;
	s.pools_uptr = 0;
	ASSERT_EQ(0, ioctl(self->fd, DFX_IOC_STATE, &s));
	EXPECT_EQ(1, lanes[1].lane);
	s.pools_uptr = 8;
	s.nr_lanes = 0;
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, DFX_IOC_STATE, &s));
	s.lanes_uptr = 8;
	s.nr_lanes = 2;
	EXPECT_ERRNO(EFAULT, ioctl(self->fd, DFX_IOC_STATE, &s));
}

TEST_F(abi, policy)
{
	struct dfx_policy p;

	/* Read: what is in force, whatever the structure held. */
	memset(&p, PATTERN8, sizeof(p));
	p.reserved = 0;
	ASSERT_EQ(0, _test_ioctl_policy(self->fd, 0, &p));
	EXPECT_EQ(sizeof(p), p.size);
	EXPECT_EQ(0, p.flags);
	EXPECT_EQ(DFX_RECOVERY_GLOBAL, p.recovery);
	EXPECT_EQ(8, p.buffers);
	EXPECT_EQ(1000, p.records);
	EXPECT_EQ(4, p.slots);
	EXPECT_EQ(32, p.rq_depth);
	EXPECT_EQ(30000, p.deadline_ms);
	EXPECT_EQ(30000, p.linger_ms);
	EXPECT_EQ(0, p.delay_us);
	/* This subsystem has no arena. */
	EXPECT_EQ(0, p.arena_kb);
}

TEST_F(abi, frame)
{
	struct ledger ledger = { };
	unsigned char buf[4096];
	struct dfx_attach a;
	__u64 session, len = sizeof(buf);

	test_ioctl_attach(self->fd, 0, &a);
	test_err_ioctl_frame(EAGAIN, self->fd, DFX_FRAME_SESSION, buf, &len);
	test_ioctl_start(self->fd, 0, &session);
	test_err_ioctl_frame(EINVAL, self->fd, DFX_FRAME_DATA, buf, &len);
	test_err_ioctl_frame(EINVAL, self->fd, 0, buf, &len);
	test_err_ioctl_frame(EAGAIN, self->fd, DFX_FRAME_END, buf, &len);

	/* The size first, then the frame; one byte less is too little. */
	len = 0;
	test_err_ioctl_frame(EMSGSIZE, self->fd, DFX_FRAME_SESSION, NULL,
			     &len);
	ASSERT_EQ(sizeof(struct dfx_frame) + sizeof(struct dfx_session_info) +
		  4 * sizeof(struct dfx_pool_info), len);
	test_err_ioctl_frame(EFAULT, self->fd, DFX_FRAME_SESSION, NULL, &len);
	len--;
	test_err_ioctl_frame(EMSGSIZE, self->fd, DFX_FRAME_SESSION, buf, &len);
	test_ioctl_frame(self->fd, DFX_FRAME_SESSION, buf, &len);
	ASSERT_EQ(len, ledger_stream(&ledger, buf, len)) {
		TH_LOG("%s", ledger.why);
	}
	EXPECT_EQ(session, ledger.info.session);
	EXPECT_EQ(3, ledger.info.lane_mask);
	EXPECT_EQ(3, ledger.info.lanes_here);
	EXPECT_STREQ("l2_swimlane", (char *)ledger.info.name);

	ASSERT_EQ(0, fw_run(&self->fw, 0));
	test_ioctl_stop(self->fd);
	len = sizeof(buf);
	test_ioctl_frame(self->fd, DFX_FRAME_END, buf, &len);
	ASSERT_EQ(len, ledger_stream(&ledger, buf, len)) {
		TH_LOG("%s", ledger.why);
	}
	EXPECT_TRUE(ledger.end_seen);
	EXPECT_EQ(0, ledger.end.silent);
}

TEST_F(abi, out_members)
{
	__u64 session, silent, number, pending, revived;
	struct dfx_attach a;
	__u32 events;

	test_ioctl_attach(self->fd, 0, &a);
	EXPECT_EQ(3, a.out_lanes);
	EXPECT_EQ(0, a.out_ready_off);
	EXPECT_EQ(1ull << 32, a.out_release_off);
	EXPECT_EQ(2ull << 32, a.out_buffers_off);
	EXPECT_EQ(4096 + 32 * fw_copies() * sizeof(struct dfx_ready),
		  a.out_ready_len);
	EXPECT_EQ(4096, a.out_release_len);
	EXPECT_EQ(32 * 32768 * fw_copies(), a.out_buffers_len);

	test_ioctl_start(self->fd, 0, &session);
	EXPECT_NE(0, session);
	EXPECT_NE(PATTERN64, session);
	fw_poll(&self->fw);
	test_ioctl_flush(self->fd, 0, &number, &pending);
	EXPECT_EQ(1, number);
	EXPECT_EQ(3, pending);
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	ASSERT_EQ(0, _test_ioctl_stop(self->fd, &number, &silent));
	EXPECT_EQ(session, number);
	EXPECT_EQ(0, silent);
	test_ioctl_reset(self->fd, &revived);
	EXPECT_EQ(0, revived);
	/* Not a consumer in ring mode, but it has one member to write. */
	test_err_ioctl_wait(EINVAL, self->fd, 0);
	ASSERT_NE(MAP_FAILED, mmap(NULL, a.out_ready_len, PROT_READ, MAP_SHARED,
				   self->fd, a.out_ready_off));
	test_ioctl_wait(self->fd, 0, &events);
	EXPECT_EQ(DFX_WAIT_END, events);
}

/* A structure that is longer than the kernel's is written no further. */
TEST_F(abi, out_no_further)
{
	struct {
		struct dfx_query q;
		__u64 beyond[4];
	} arg = { .q.size = sizeof(arg) };

	ASSERT_EQ(0, ioctl(self->fd, DFX_IOC_QUERY, &arg));
	EXPECT_EQ(sizeof(arg), arg.q.size);
	EXPECT_EQ(DFX_ABI_VERSION, arg.q.out_abi);
	EXPECT_EQ(0, arg.beyond[0]);
	EXPECT_EQ(0, arg.beyond[3]);
}

TEST_HARNESS_MAIN
