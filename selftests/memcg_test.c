// SPDX-License-Identifier: GPL-2.0-only
/*
 * memcg_test.c - a consumer's memory is charged to its cgroup
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

#define ROOT	"/sys/fs/cgroup"
#define GROUP	ROOT "/dfx-test"

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

/* A line of memory.stat in bytes; ~0 if there is none. */
static __u64 stat_of(const char *name)
{
	unsigned long long bytes;
	char line[128], key[64];
	__u64 found = ~0ull;
	FILE *f = fopen(GROUP "/memory.stat", "re");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %llu", key, &bytes) == 2 &&
		    !strcmp(key, name))
			found = bytes;
	if (f)
		fclose(f);
	return found;
}

/* What the first region's file says; ~0 if it does not. */
static __u64 debugfs_consumers(void)
{
	FILE *f = fopen("/sys/kernel/debug/dfx/dfx0/memory", "re");
	unsigned long long bytes;
	__u64 found = ~0ull;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "consumers %llu", &bytes) == 1)
			found = bytes;
	if (f)
		fclose(f);
	return found;
}

FIXTURE(memcg) {
	struct fw fw;
	int fd;
};

FIXTURE_SETUP(memcg)
{
	if (access(ROOT "/cgroup.controllers", F_OK))
		ASSERT_EQ(0, mount("none", ROOT, "cgroup2", 0, NULL));
	ASSERT_EQ(0, put(ROOT "/cgroup.subtree_control", "+memory"));
	ASSERT_TRUE(!mkdir(GROUP, 0755) || errno == EEXIST);
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	ASSERT_EQ(0, put(GROUP "/cgroup.procs", "0"));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
}

FIXTURE_TEARDOWN(memcg)
{
	close(self->fd);
	put(ROOT "/cgroup.procs", "0");
	rmdir(GROUP);
	fw_down(&self->fw);
}

TEST_F(memcg, rings)
{
	struct dfx_attach a;
	__u64 before, rings;

	before = stat_of("vmalloc");
	ASSERT_NE(~0ull, before);
	test_ioctl_attach(self->fd, 0, &a);
	rings = a.out_ready_len + a.out_release_len;
	EXPECT_SOON(stat_of("vmalloc") >= before + rings);
	/* Debugfs tells of the same bytes, and what goes with them. */
	EXPECT_LE(rings, debugfs_consumers());
	test_ioctl_detach(self->fd);
	EXPECT_EQ(0, debugfs_consumers());
	EXPECT_SOON(stat_of("vmalloc") <= before);
}

TEST_HARNESS_MAIN
