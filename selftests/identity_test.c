// SPDX-License-Identifier: GPL-2.0-only
/*
 * identity_test.c - which apertures the driver takes, and which it refuses
 */
#include <fcntl.h>
#include <stdint.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

FIXTURE(identity) {
	struct fw fw;
	int klog;
};

FIXTURE_SETUP(identity)
{
	ASSERT_EQ(0, fw_open(&self->fw));
	self->klog = klog_open();
	ASSERT_GE(self->klog, 0);
}

FIXTURE_TEARDOWN(identity)
{
	close(self->klog);
	fw_down(&self->fw);
}

/* Nothing of the aperture has been written to. */
static bool untouched(struct fw *fw, unsigned char pattern)
{
	size_t i;

	for (i = 0; i < fw->bar_size; i++)
		if (fw->bar[i] != pattern)
			return false;
	return true;
}

TEST_F(identity, blank)
{
	memset(self->fw.bar, 0, self->fw.bar_size);
	EXPECT_EQ(-ENODEV, sysfs_bind(self->fw.bdf));
	EXPECT_FALSE(sysfs_bound(self->fw.bdf));
	EXPECT_EQ(1, klog_count(self->klog,
				"no dfx identity in BAR 2, left alone"));
	EXPECT_TRUE(untouched(&self->fw, 0));
}

TEST_F(identity, somebody_elses)
{
	memset(self->fw.bar, 0xa5, self->fw.bar_size);
	EXPECT_EQ(-ENODEV, sysfs_bind(self->fw.bdf));
	EXPECT_EQ(1, klog_count(self->klog,
				"no dfx identity in BAR 2, left alone"));
	EXPECT_TRUE(untouched(&self->fw, 0xa5));
	memset(self->fw.bar, 0, self->fw.bar_size);
}

TEST_F(identity, good)
{
	const struct fw_config config = {
		.lanes = 2,
		.cores = 4,
		.subsystems = 1u << DFX_SUBSYS_L2_SWIMLANE |
			      1u << DFX_SUBSYS_PMU,
	};
	struct dfx_query q;
	int fd;

	fw_announce(&self->fw, &config);
	EXPECT_EQ(0, sysfs_bind(self->fw.bdf));
	EXPECT_TRUE(sysfs_bound(self->fw.bdf));
	ASSERT_EQ(DFX_DEV_OK, fw_attach(&self->fw));
	/* The firmware says so in its own page. */
	EXPECT_EQ(self->fw.lane[0].dev.generation,
		  fw_ident(&self->fw)->attached);
	fd = fw_node("pmu", O_RDWR);
	ASSERT_GE(fd, 0);
	test_ioctl_query(fd, &q);
	EXPECT_EQ(DFX_SUBSYS_PMU, q.out_subsys);
	EXPECT_STREQ("pmu", (char *)q.out_name);
	close(fd);
	fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(fd, 0);
	close(fd);
	EXPECT_EQ(0, klog_count(self->klog, "identity"));
}

/* A pool for each of two kinds, and some more. */
TEST_F(identity, too_many_pools)
{
	const struct fw_config config = {
		.lanes = 1,
		.cores = DFX_MAX_POOLS / 2,
		.subsystems = 1u << DFX_SUBSYS_L2_SWIMLANE,
		.swim_kinds = ~0u,
	};

	fw_announce(&self->fw, &config);
	EXPECT_EQ(-ENOSPC, sysfs_bind(self->fw.bdf));
	EXPECT_EQ(1, klog_count(self->klog, "nr_cores: 1026 pools are too many"));
}

/* Pools for what the device can write: a core's first, then a lane's, its own. */
TEST_F(identity, swim_kinds)
{
	static const struct {
		__u32 kind;
		__u32 instance;
		__u32 capacity;
	} want[] = {
		{ DFX_KIND_AICPU_TASK, 0, 1000 },
		{ DFX_KIND_AICPU_TASK, 1, 1000 },
		{ DFX_KIND_AICORE_TASK, 0, 1024 },
		{ DFX_KIND_AICORE_TASK, 1, 1024 },
		{ DFX_KIND_SCHED_PHASE, 0, 16384 },
		{ DFX_KIND_ORCH_PHASE, 0, 16384 },
	};
	const struct fw_config config = {
		.lanes = 1,
		.cores = 2,
		.subsystems = 1u << DFX_SUBSYS_L2_SWIMLANE,
		.swim_kinds = ~0u,
	};
	struct dfx_policy policy = { .size = sizeof(policy) };
	struct dfx_start start = { .size = sizeof(start), .level = 3 };
	struct dfx_pool_info info[6];
	struct dfx_attach a;
	__u32 nr = 6, i;
	int fd;

	fw_announce(&self->fw, &config);
	ASSERT_EQ(0, sysfs_bind(self->fw.bdf));
	fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(fd, 0);
	test_ioctl_pools(fd, info, &nr);
	ASSERT_EQ(6, nr);
	for (i = 0; i < nr; i++) {
		EXPECT_EQ(want[i].kind, info[i].kind);
		EXPECT_EQ(want[i].instance, info[i].instance);
		EXPECT_EQ(want[i].capacity, info[i].capacity);
		EXPECT_EQ(0, info[i].lane);
	}
	/* No one figure is true of all pools. */
	EXPECT_EQ(0, ioctl(fd, DFX_IOC_POLICY, &policy));
	EXPECT_EQ(0, policy.buffers);
	EXPECT_EQ(16384, policy.records);
	/* The kinds that level 3 does not have. */
	test_ioctl_attach(fd, 1, &a);
	start.kinds = 1u << DFX_KIND_ORCH_PHASE;
	EXPECT_ERRNO(EINVAL, ioctl(fd, DFX_IOC_START, &start));
	start.kinds = 1u << DFX_KIND_SCHED_PHASE | 1u << DFX_KIND_AICORE_TASK;
	EXPECT_EQ(0, ioctl(fd, DFX_IOC_START, &start));
	close(fd);
}

/* A device that can produce nothing that the driver knows has no node. */
TEST_F(identity, nothing_known)
{
	const struct fw_config config = {
		.lanes = 1,
		.cores = 1,
		.subsystems = 1u << 31,
	};

	fw_announce(&self->fw, &config);
	EXPECT_EQ(0, sysfs_bind(self->fw.bdf));
	EXPECT_EQ(-1, fw_node("l2_swimlane", O_RDWR));
	EXPECT_EQ(ENOENT, errno);
}

/* No room for the regions: refused, and what was begun is undone. */
TEST_F(identity, too_small)
{
	const struct fw_config config = FW_CONFIG_DEFAULT;

	fw_announce(&self->fw, &config);
	fw_ident(&self->fw)->shared_size = 2 * DFX_SHM_PAGE;
	EXPECT_EQ(-ENOSPC, sysfs_bind(self->fw.bdf));
	EXPECT_EQ(1, klog_count(self->klog,
				"shared_size: no room for l2_swimlane"));
	EXPECT_EQ(-1, fw_node("l2_swimlane", O_RDWR));
	/* With room it is taken, at the next attempt. */
	fw_announce(&self->fw, &config);
	EXPECT_EQ(0, sysfs_bind(self->fw.bdf));
}

FIXTURE(bad) {
	FIXTURE_DATA(identity) i;
};

/**
 * FIXTURE_VARIANT(bad) - one member of the identity that cannot be
 * @at: its offset.
 * @size: its bytes.
 * @value: the value.
 * @err: what binding answers.
 * @says: the message, which names the member.
 */
FIXTURE_VARIANT(bad) {
	size_t at;
	size_t size;
	__u64 value;
	int err;
	const char *says;
};

#define BAD(name, member, bad_value, error, text) \
	FIXTURE_VARIANT_ADD(bad, name) { \
		.at = offsetof(struct dfx_shm_ident, member), \
		.size = sizeof(((struct dfx_shm_ident *)0)->member), \
		.value = (bad_value), \
		.err = error, \
		.says = text, \
	}

BAD(layout_newer, layout_major, DFX_LAYOUT_MAJOR + 1, EPROTO, "layout 2.2");
BAD(layout_zero, layout_major, 0, EPROTO, "layout 0.2");
BAD(arch_zero, arch, 0, EINVAL, "bad arch 0");
BAD(arch_unknown, arch, 3, EINVAL, "bad arch 3");
BAD(no_lanes, nr_lanes, 0, EINVAL, "bad nr_lanes 0");
BAD(many_lanes, nr_lanes, DFX_MAX_LANES + 1, EINVAL, "bad nr_lanes 65");
BAD(wild_lanes, nr_lanes, UINT32_MAX, EINVAL, "bad nr_lanes 4294967295");
BAD(no_cores, nr_cores, 0, EINVAL, "bad nr_cores 0");
BAD(many_cores, nr_cores, 513, EINVAL, "bad nr_cores 513");
BAD(slow_counter, counter_hz, 999, EINVAL, "bad counter_hz 999");
BAD(no_counter, counter_hz, 0, EINVAL, "bad counter_hz 0");
BAD(fast_counter, counter_hz, 10000000001ull, EINVAL,
    "bad counter_hz 10000000001");
BAD(offset_zero, shared_offset, 0, EINVAL, "bad shared_offset 0");
BAD(offset_unaligned, shared_offset, 4100, EINVAL, "bad shared_offset 4100");
BAD(offset_beyond, shared_offset, 1ull << 40, EINVAL, "bad shared_size");
BAD(size_zero, shared_size, 0, EINVAL, "bad shared_size 0");
BAD(size_unaligned, shared_size, 4097, EINVAL, "bad shared_size 4097");
BAD(size_beyond, shared_size, 1ull << 40, EINVAL, "bad shared_size");
BAD(size_wraps, shared_size, ~4095ull, EINVAL, "bad shared_size");
BAD(no_swim_kind, swim_kinds, 1u << 31, EINVAL, "bad swim_kinds 2147483648");

FIXTURE_SETUP(bad)
{
	identity_setup(_metadata, &self->i, NULL);
}

FIXTURE_TEARDOWN(bad)
{
	identity_teardown(_metadata, &self->i, NULL);
}

TEST_F(bad, refused)
{
	const struct fw_config config = FW_CONFIG_DEFAULT;
	struct fw *fw = &self->i.fw;

	/* Whatever a host has left there. */
	memset(fw->bar, 0, 2 * DFX_SHM_PAGE);
	fw_announce(fw, &config);
	memcpy(fw->bar + variant->at, &variant->value, variant->size);
	EXPECT_EQ(-variant->err, sysfs_bind(fw->bdf));
	EXPECT_FALSE(sysfs_bound(fw->bdf));
	EXPECT_EQ(1, klog_count(self->i.klog, variant->says));
	/* The host's header has not been written. */
	EXPECT_EQ(0, *(__u32 *)(fw->bar + DFX_SHM_PAGE));
	EXPECT_EQ(-1, fw_node("l2_swimlane", O_RDWR));
}

TEST_HARNESS_MAIN
