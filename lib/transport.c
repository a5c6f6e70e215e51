// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * transport.c - the real character device behind a handle
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

static int kernel_ioctl(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) < 0 ? -errno : 0;
}

static int kernel_map(int fd, __u64 off, size_t len, int prot, void **out)
{
	void *addr = mmap(NULL, len, prot, MAP_SHARED, fd, (off_t)off);

	if (addr == MAP_FAILED)
		return -errno;
	*out = addr;
	return 0;
}

static void kernel_unmap(void *addr, size_t len)
{
	munmap(addr, len);
}

static void kernel_close(int fd)
{
	close(fd);
}

const struct dfx_transport dfx_transport_kernel = {
	.ioctl = kernel_ioctl,
	.map = kernel_map,
	.unmap = kernel_unmap,
	.close = kernel_close,
};
