// SPDX-License-Identifier: GPL-2.0-only
/*
 * fail_test.c - every allocation of loading, binding and attaching fails once
 *
 * Needs a kernel with fault injection; skips all in any other.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

/* The n-th allocation of this task from now on fails; 0: none. */
#define FAIL_NTH	"/proc/self/fail-nth"
/* More than any of these takes. */
#define MOST		2000

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

static int fail_nth(unsigned int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	return put(FAIL_NTH, text);
}

/* Whether the failure has come to pass; there will be none any more. */
static bool failed(void)
{
	char text[16] = "";
	int fd = open(FAIL_NTH, O_RDONLY | O_CLOEXEC);
	ssize_t len = read(fd, text, sizeof(text) - 1);

	close(fd);
	fail_nth(0);
	return len > 0 && atoi(text) == 0;
}

FIXTURE(fail) {
	struct fw fw;
};

FIXTURE_SETUP(fail)
{
	if (access(FAIL_NTH, W_OK))
		SKIP(return, "no fault injection in this kernel");
	/* Those that may sleep as well, and without a trace for each. */
	ASSERT_EQ(0, put("/sys/kernel/debug/failslab/ignore-gfp-wait", "N"));
	ASSERT_EQ(0, put("/sys/kernel/debug/failslab/verbose", "0"));
	ASSERT_EQ(0, put("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait",
			 "N"));
	ASSERT_EQ(0, put("/sys/kernel/debug/fail_page_alloc/verbose", "0"));
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
}

FIXTURE_TEARDOWN(fail)
{
	fail_nth(0);
	fw_down(&self->fw);
}

/* What works must work in full: a node, and a session with every record. */
#define EXPECT_WORKS() \
	({ \
		struct ledger _ledger = { }; \
		struct ring _ring = { }; \
		__u64 _session; \
		int _fd = fw_node("l2_swimlane", O_RDWR); \
		ASSERT_GE(_fd, 0); \
		ASSERT_EQ(DFX_DEV_OK, fw_attach(&self->fw)); \
		ASSERT_EQ(0, ring_open(&_ring, _fd, 0)); \
		test_ioctl_start(_fd, 0, &_session); \
		fw_poll(&self->fw); \
		EXPECT_EQ(5, fw_records(&self->fw.lane[0], 0, 5)); \
		ASSERT_EQ(0, fw_run(&self->fw, 0)); \
		test_ioctl_stop(_fd); \
		EXPECT_EQ(0, ring_drain_to_end(&_ring, &_ledger)) { \
			TH_LOG("%s", _ledger.why); \
		} \
		EXPECT_EQ(5, _ledger.records); \
		fw_stop(&self->fw); \
		ring_close(&_ring); \
		close(_fd); \
	})

TEST_F_TIMEOUT(fail, bind, 300)
{
	unsigned int n, errors = 0;
	int err;

	for (n = 1; n < MOST; n++) {
		ASSERT_EQ(0, sysfs_unbind(self->fw.bdf));
		ASSERT_EQ(0, fail_nth(n));
		err = sysfs_bind(self->fw.bdf);
		if (!failed())
			break;
		errors += err != 0;
		if (err) {
			EXPECT_FALSE(sysfs_bound(self->fw.bdf));
			EXPECT_EQ(-1, fw_node("l2_swimlane", O_RDWR));
			ASSERT_EQ(0, sysfs_bind(self->fw.bdf));
		}
	}
	TH_LOG("%u allocations, %u of them needed", n - 1, errors);
	EXPECT_LT(n, MOST);
	EXPECT_LT(10, errors);
	EXPECT_WORKS();
}

TEST_F_TIMEOUT(fail, insmod, 300)
{
	unsigned int n, errors = 0;
	int err;

	/* Far more are the module loader's than ours: not each of them. */
	for (n = 1; n < MOST; n += 1 + n / 6) {
		ASSERT_EQ(0, sysfs_unload_module());
		ASSERT_EQ(0, fail_nth(n));
		err = sysfs_load_module();
		if (!failed())
			break;
		errors += err != 0;
		if (err) {
			EXPECT_FALSE(sysfs_module_loaded());
			EXPECT_EQ(-1, access("/sys/class/dfx", F_OK));
			ASSERT_EQ(0, sysfs_load_module());
		}
		/* The device may have been what failed, not the module. */
		if (!sysfs_bound(self->fw.bdf))
			ASSERT_EQ(0, sysfs_bind(self->fw.bdf));
	}
	TH_LOG("up to %u allocations, %u errors", n - 1, errors);
	EXPECT_LT(n, MOST);
	EXPECT_LT(4, errors);
	if (!sysfs_bound(self->fw.bdf))
		ASSERT_EQ(0, sysfs_bind(self->fw.bdf));
	EXPECT_WORKS();
}

TEST_F_TIMEOUT(fail, open_and_attach, 300)
{
	unsigned int n, errors = 0;
	struct dfx_attach a;
	int fd, rc;

	for (n = 1; n < MOST; n++) {
		fd = fw_node("l2_swimlane", O_RDWR);
		ASSERT_GE(fd, 0);
		ASSERT_EQ(0, fail_nth(n));
		rc = _test_ioctl_attach(fd, 0, &a);
		if (!failed())
			break;
		if (rc) {
			EXPECT_EQ(ENOMEM, errno);
			errors++;
			/* Nobody has the lanes. */
			test_ioctl_attach(fd, 0, &a);
		}
		close(fd);
	}
	close(fd);
	TH_LOG("%u allocations, %u of them needed", n - 1, errors);
	EXPECT_LT(n, MOST);
	EXPECT_LT(2, errors);
	EXPECT_WORKS();
}

TEST_F_TIMEOUT(fail, policy, 300)
{
	struct dfx_policy p, before;
	unsigned int n, errors = 0;
	int fd = fw_node("l2_swimlane", O_RDWR), rc;

	ASSERT_GE(fd, 0);
	for (n = 1; n < MOST; n++) {
		memset(&before, 0, sizeof(before));
		ASSERT_EQ(0, _test_ioctl_policy(fd, 0, &before));
		p = (struct dfx_policy){ .buffers = 1 + n % 3, .records = 4 };
		ASSERT_EQ(0, fail_nth(n));
		rc = _test_ioctl_policy(fd, DFX_POLICY_SET, &p);
		if (!failed())
			break;
		if (rc) {
			EXPECT_EQ(ENOMEM, errno);
			errors++;
			/* The old geometry stays. */
			memset(&p, 0, sizeof(p));
			ASSERT_EQ(0, _test_ioctl_policy(fd, 0, &p));
			EXPECT_EQ(before.buffers, p.buffers);
			EXPECT_EQ(before.records, p.records);
		}
	}
	close(fd);
	TH_LOG("%u allocations, %u of them needed", n - 1, errors);
	EXPECT_LT(n, MOST);
	EXPECT_LT(2, errors);
	EXPECT_WORKS();
}

TEST_HARNESS_MAIN
