// SPDX-License-Identifier: GPL-2.0-only
/*
 * bell.c - the doorbell of an ivshmem-doorbell, from both ends
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bell.h"

#define PCI_DEVICES	"/sys/bus/pci/devices"
#define PAGE		4096u

/* Registers, in words. */
#define REG_POSITION	2
#define REG_DOORBELL	3

int bell_open(struct bell *b, const char *bdf)
{
	unsigned long long start = 0;
	char path[128];
	FILE *f;
	int fd;

	memset(b, 0, sizeof(*b));
	/* Only a device with interrupts has a second BAR, for MSI-X. */
	snprintf(path, sizeof(path), PCI_DEVICES "/%s/resource1", bdf);
	if (access(path, F_OK))
		return -ENODEV;
	snprintf(path, sizeof(path), PCI_DEVICES "/%s/resource", bdf);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	if (fscanf(f, "%llx", &start) != 1)
		start = 0;
	fclose(f);
	snprintf(path, sizeof(path), PCI_DEVICES "/%s/resource0", bdf);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || !start)
		return -errno;
	b->page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (b->page == MAP_FAILED) {
		b->page = NULL;
		return -errno;
	}
	b->regs = (__u32 *)((char *)b->page + start % PAGE);
	return 0;
}

void bell_close(struct bell *b)
{
	if (b->page)
		munmap(b->page, PAGE);
	b->page = NULL;
}

__u32 bell_position(const struct bell *b)
{
	return __atomic_load_n(&b->regs[REG_POSITION], __ATOMIC_RELAXED);
}

void bell_ring(void *ctx, __u32 peer, __u32 vector)
{
	struct bell *b = ctx;

	__atomic_add_fetch(&b->rings, 1, __ATOMIC_RELAXED);
	if (!__atomic_load_n(&b->mute, __ATOMIC_RELAXED))
		__atomic_store_n(&b->regs[REG_DOORBELL], peer << 16 | vector,
				 __ATOMIC_RELAXED);
}

/* The line of /proc/interrupts whose list of names has @node. */
static int find_line(const char *node, char *line, size_t len)
{
	FILE *f = fopen("/proc/interrupts", "re");
	size_t n = strlen(node);
	int found = 0;
	char *p;

	if (!f)
		return 0;
	while (!found && fgets(line, len, f))
		for (p = strstr(line, node); p; p = strstr(p + 1, node))
			if (p > line && p[-1] == ' ' &&
			    (p[n] == ',' || p[n] == '\n'))
				found = 1;
	fclose(f);
	return found;
}

__u64 bell_interrupts(const char *node)
{
	char line[512], *p, *end;
	__u64 sum = 0;

	if (!find_line(node, line, sizeof(line)))
		return ~0ull;
	/* A number for each processor, behind the interrupt's. */
	for (p = strchr(line, ':') + 1;; p = end) {
		__u64 n = strtoull(p, &end, 10);

		if (end == p)
			return sum;
		sum += n;
	}
}

int bell_listeners(const char *node)
{
	char line[512], *p;
	int nr = 0;

	if (!find_line(node, line, sizeof(line)))
		return 0;
	for (p = strstr(line, " dfx"); p; p = strstr(p + 1, " dfx"))
		nr++;
	return nr;
}
