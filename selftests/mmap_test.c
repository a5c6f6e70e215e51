// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmap_test.c - what a consumer can map, and that it can never be made more
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"

enum area {
	READY,
	RELEASE,
	BUFFERS,
	NR_AREA
};

FIXTURE(area) {
	struct fw fw;
	int fd;
	struct dfx_attach a;
	__u64 off;
	__u64 len;
};

FIXTURE_VARIANT(area) {
	enum area area;
};

FIXTURE_VARIANT_ADD(area, ready) { .area = READY, };
FIXTURE_VARIANT_ADD(area, release) { .area = RELEASE, };
FIXTURE_VARIANT_ADD(area, buffers) { .area = BUFFERS, };

FIXTURE_SETUP(area)
{
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	test_ioctl_attach(self->fd, 0, &self->a);
	switch (variant->area) {
	case READY:
		self->off = self->a.out_ready_off;
		self->len = self->a.out_ready_len;
		break;
	case RELEASE:
		self->off = self->a.out_release_off;
		self->len = self->a.out_release_len;
		break;
	default:
		self->off = self->a.out_buffers_off;
		self->len = self->a.out_buffers_len;
	}
}

FIXTURE_TEARDOWN(area)
{
	close(self->fd);
	fw_down(&self->fw);
}

static void *map(FIXTURE_DATA(area) *self, int prot, int flags)
{
	return mmap(NULL, self->len, prot, flags, self->fd, self->off);
}

/* mmap() as something that returns -1 when it fails, as ioctl() does. */
static int try_map(int fd, __u64 off, __u64 len, int prot, int flags)
{
	void *p = mmap(NULL, len, prot, flags, fd, off);

	if (p == MAP_FAILED)
		return -1;
	munmap(p, len);
	return 0;
}

static bool writable(const FIXTURE_VARIANT(area) *variant)
{
	return variant->area == RELEASE;
}

TEST_F(area, read)
{
	volatile unsigned char *p = map(self, PROT_READ, MAP_SHARED);
	unsigned int sum = 0;
	__u64 i;

	ASSERT_NE(MAP_FAILED, p);
	/* Every page is there. */
	for (i = 0; i < self->len; i += 4096)
		sum += p[i];
	EXPECT_GE(sum, 0);
	EXPECT_EQ(0, munmap((void *)p, self->len));
}

TEST_F(area, write)
{
	int rc = try_map(self->fd, self->off, self->len,
			 PROT_READ | PROT_WRITE, MAP_SHARED);
	volatile unsigned char *p;

	if (!writable(variant)) {
		EXPECT_EQ(-1, rc);
		EXPECT_EQ(EPERM, errno);
		EXPECT_ERRNO(EPERM, try_map(self->fd, self->off, self->len,
					    PROT_WRITE, MAP_SHARED));
		return;
	}
	EXPECT_EQ(0, rc);
	p = map(self, PROT_READ | PROT_WRITE, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, p);
	p[self->len - 1] = 0x5a;
	EXPECT_EQ(0x5a, p[self->len - 1]);
}

TEST_F(area, mprotect_write)
{
	void *p = map(self, PROT_READ, MAP_SHARED);

	ASSERT_NE(MAP_FAILED, p);
	if (writable(variant)) {
		EXPECT_EQ(0, mprotect(p, self->len, PROT_READ | PROT_WRITE));
		return;
	}
	EXPECT_ERRNO(EACCES, mprotect(p, self->len, PROT_READ | PROT_WRITE));
	EXPECT_ERRNO(EACCES, mprotect(p, 4096, PROT_WRITE));
	/* Nor by way of no access at all. */
	EXPECT_EQ(0, mprotect(p, self->len, PROT_NONE));
	EXPECT_ERRNO(EACCES, mprotect(p, self->len, PROT_WRITE));
	EXPECT_EQ(0, mprotect(p, self->len, PROT_READ));
}

TEST_F(area, execute)
{
	void *p;

	EXPECT_ERRNO(EPERM, try_map(self->fd, self->off, self->len,
				    PROT_READ | PROT_EXEC, MAP_SHARED));
	p = map(self, PROT_READ, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_ERRNO(EACCES, mprotect(p, self->len, PROT_READ | PROT_EXEC));
}

TEST_F(area, private)
{
	EXPECT_ERRNO(EINVAL, try_map(self->fd, self->off, self->len, PROT_READ,
				     MAP_PRIVATE));
	EXPECT_ERRNO(EINVAL, try_map(self->fd, self->off, self->len,
				     PROT_READ | PROT_WRITE, MAP_PRIVATE));
}

TEST_F(area, bounds)
{
	const __u64 off = self->off, len = self->len;

	EXPECT_ERRNO(EINVAL, try_map(self->fd, off, len + 4096, PROT_READ,
				     MAP_SHARED));
	EXPECT_ERRNO(EINVAL, try_map(self->fd, off + len, 4096, PROT_READ,
				     MAP_SHARED));
	EXPECT_ERRNO(EINVAL, try_map(self->fd, off + 4096, len, PROT_READ,
				     MAP_SHARED));
	EXPECT_ERRNO(EINVAL, try_map(self->fd, off + 1, 4096, PROT_READ,
				     MAP_SHARED));
	EXPECT_ERRNO(EINVAL, try_map(self->fd, off, 0, PROT_READ, MAP_SHARED));
	/* The last page by itself. */
	EXPECT_EQ(0, try_map(self->fd, off + len - 4096, 4096, PROT_READ,
			     MAP_SHARED));
}

TEST_F(area, mremap)
{
	void *to = mmap(NULL, 2 * self->len, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *p = map(self, PROT_READ, MAP_SHARED);

	ASSERT_NE(MAP_FAILED, to);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_EQ(MAP_FAILED, mremap(p, self->len, 2 * self->len,
				     MREMAP_MAYMOVE));
	errno = 0;
	EXPECT_EQ(MAP_FAILED, mremap(p, self->len, self->len,
				     MREMAP_MAYMOVE | MREMAP_FIXED, to));
	EXPECT_EQ(EPERM, errno);
	/* It is still where it was, and counted once. */
	(void)*(volatile unsigned char *)p;
	test_err_ioctl_detach(EBUSY, self->fd);
	EXPECT_EQ(0, munmap(p, self->len));
	test_ioctl_detach(self->fd);
}

TEST_F(area, detach_while_mapped)
{
	char *p;

	/* As many pages as it takes to leave one on either side. */
	if (self->len < 3 * 4096)
		self->len = 4096;
	p = map(self, PROT_READ, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, p);
	test_err_ioctl_detach(EBUSY, self->fd);
	if (self->len > 4096) {
		EXPECT_EQ(0, munmap(p + 4096, 4096));
		test_err_ioctl_detach(EBUSY, self->fd);
		EXPECT_EQ(0, munmap(p, 4096));
		test_err_ioctl_detach(EBUSY, self->fd);
		EXPECT_EQ(0, munmap(p + 8192, self->len - 8192));
	} else {
		EXPECT_EQ(0, munmap(p, 4096));
	}
	test_ioctl_detach(self->fd);
	/* A monitor has nothing to map. */
	EXPECT_ERRNO(EINVAL, try_map(self->fd, self->off, 4096, PROT_READ,
				     MAP_SHARED));
}

/* A child has no mapping, and cannot keep the parent from detaching. */
TEST_F(area, not_inherited)
{
	volatile unsigned char *p = map(self, PROT_READ, MAP_SHARED);
	int status;
	pid_t pid;

	ASSERT_NE(MAP_FAILED, p);
	pid = fork();
	ASSERT_GE(pid, 0);
	if (!pid) {
		(void)*p;
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	EXPECT_EQ(0, munmap((void *)p, self->len));
	test_ioctl_detach(self->fd);
}

FIXTURE(map) {
	struct fw fw;
	int fd;
};

FIXTURE_SETUP(map)
{
	ASSERT_EQ(0, fw_up(&self->fw, &FW_CONFIG_DEFAULT));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
}

FIXTURE_TEARDOWN(map)
{
	close(self->fd);
	fw_down(&self->fw);
}

TEST_F(map, monitor)
{
	unsigned int area;

	for (area = 0; area < 4; area++)
		EXPECT_ERRNO(EINVAL, try_map(self->fd, (__u64)area << 32, 4096,
					     PROT_READ, MAP_SHARED));
}

TEST_F(map, no_such_area)
{
	struct dfx_attach a;

	test_ioctl_attach(self->fd, 0, &a);
	EXPECT_ERRNO(EINVAL, try_map(self->fd, 3ull << 32, 4096, PROT_READ,
				     MAP_SHARED));
	EXPECT_ERRNO(EINVAL, try_map(self->fd, 1ull << 40, 4096, PROT_READ,
				     MAP_SHARED));
	EXPECT_EQ(-1, try_map(self->fd, INT64_MAX & ~4095ull, 4096, PROT_READ,
			      MAP_SHARED));
}

/* The device's own pages are not among what can be mapped. */
TEST_F(map, buffers_only)
{
	struct dfx_pool_info info[4];
	struct dfx_attach a;
	__u32 nr = 4;

	test_ioctl_attach(self->fd, 0, &a);
	test_ioctl_pools(self->fd, info, &nr);
	EXPECT_EQ(a.out_buffers_len, info[3].buf_off +
		  (__u64)info[3].buffers * info[3].stride * fw_copies());
	EXPECT_ERRNO(EINVAL, try_map(self->fd,
				     a.out_buffers_off + a.out_buffers_len,
				     4096, PROT_READ, MAP_SHARED));
}

TEST_F(map, read_only_file)
{
	int fd = fw_node("l2_swimlane", O_RDONLY);
	struct dfx_attach a;

	ASSERT_GE(fd, 0);
	test_ioctl_attach(fd, 0, &a);
	EXPECT_ERRNO(EACCES, try_map(fd, a.out_release_off, a.out_release_len,
				     PROT_READ | PROT_WRITE, MAP_SHARED));
	EXPECT_EQ(0, try_map(fd, a.out_ready_off, a.out_ready_len, PROT_READ,
			     MAP_SHARED));
	close(fd);
}

/*
 * A file that takes writes past the page cache, hence straight from the source's
 * pages: in a directory that the caller names, in one that it shares with the
 * guest, or a disk.
 */
static int open_direct(char *path, size_t len)
{
	const char *const places[] = {
		getenv("DFX_DIRECT"), "/host", "/dev/ram0", "/dev/vda",
	};
	const int flags = O_RDWR | O_DIRECT | O_CLOEXEC;
	unsigned int i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		if (!places[i])
			continue;
		snprintf(path, len, "%s/dfx-direct.%d", places[i], getpid());
		fd = open(path, flags | O_CREAT | O_EXCL, 0600);
		if (fd >= 0)
			return fd;
		snprintf(path, len, "%s", places[i]);
		fd = open(path, flags);
		if (fd >= 0)
			return fd;
	}
	return -1;
}

TEST_F(map, direct_write)
{
	static unsigned char back[8192] __attribute__((aligned(4096)));
	struct ledger ledger = { };
	const struct dfx_ready *e;
	const void *records;
	struct ring ring;
	char path[128];
	__u64 session;
	int out;

	out = open_direct(path, sizeof(path));
	if (out < 0)
		SKIP(return, "no disk or shared folder that takes O_DIRECT");

	test_ioctl_policy(self->fd, .records = 256);
	ASSERT_EQ(0, ring_open(&ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &session);
	fw_poll(&self->fw);
	/* A whole buffer, 8,192 bytes. */
	ASSERT_EQ(257, fw_records(&self->fw.lane[0], 0, 257));
	ASSERT_SOON((e = ring_next(&ring)));
	records = ring_records(&ring, e);
	ASSERT_EQ(0, ledger_frame(&ledger, &e->frame, records, NULL)) {
		TH_LOG("%s", ledger.why);
	}
	ASSERT_EQ(sizeof(back), e->frame.len);
	EXPECT_EQ(sizeof(back), pwrite(out, records, sizeof(back), 0)) {
		TH_LOG("%s: %s", path, strerror(errno));
	}
	ASSERT_EQ(sizeof(back), pread(out, back, sizeof(back), 0));
	EXPECT_EQ(0, memcmp(back, records, sizeof(back)));
	close(out);
	if (strstr(path, "/dfx-direct."))
		unlink(path);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
