// SPDX-License-Identifier: GPL-2.0-only
/*
 * sysfs.c - the PCI device, the driver and its nodes, as sysfs has them
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sysfs.h"

#define PCI_DEVICES	"/sys/bus/pci/devices"
#define PCI_DRIVER	"/sys/bus/pci/drivers/dfx"
#define MODULE_FILE	"/dfx/modules/dfx.ko"

/* The id of every ivshmem. */
#define IVSHMEM_VENDOR	0x1af4
#define IVSHMEM_DEVICE	0x1110

/* First line of a file, without its newline. */
static int read_line(const char *path, char *line, size_t len)
{
	FILE *f = fopen(path, "re");
	int err = 0;

	if (!f)
		return -errno;
	if (!fgets(line, len, f))
		err = -EIO;
	else
		line[strcspn(line, "\n")] = 0;
	fclose(f);
	return err;
}

static int write_string(const char *path, const char *s)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, s, strlen(s)) < 0)
		err = -errno;
	close(fd);
	return err;
}

static long read_number(const char *dir, const char *name, const char *file)
{
	char path[512], line[64];

	snprintf(path, sizeof(path), "%s/%s/%s", dir, name, file);
	return read_line(path, line, sizeof(line)) ? -1 :
	       strtol(line, NULL, 0);
}

int sysfs_find_device(char bdf[SYSFS_BDF_LEN])
{
	DIR *dir = opendir(PCI_DEVICES);
	struct dirent *d;
	int err = -ENODEV;

	if (!dir)
		return -errno;
	while ((d = readdir(dir))) {
		if (read_number(PCI_DEVICES, d->d_name, "vendor") !=
		    IVSHMEM_VENDOR ||
		    read_number(PCI_DEVICES, d->d_name, "device") !=
		    IVSHMEM_DEVICE)
			continue;
		snprintf(bdf, SYSFS_BDF_LEN, "%.31s", d->d_name);
		err = 0;
		break;
	}
	closedir(dir);
	return err;
}

bool sysfs_bound(const char *bdf)
{
	char path[128];

	snprintf(path, sizeof(path), PCI_DRIVER "/%s", bdf);
	return !access(path, F_OK);
}

int sysfs_bind(const char *bdf)
{
	return write_string(PCI_DRIVER "/bind", bdf);
}

int sysfs_unbind(const char *bdf)
{
	return write_string(PCI_DRIVER "/unbind", bdf);
}

bool sysfs_module_loaded(void)
{
	return !access(PCI_DRIVER, F_OK);
}

int sysfs_load_module(void)
{
	const char *path = getenv("DFX_MODULE") ?: MODULE_FILE;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, "", 0))
		err = -errno;
	close(fd);
	return err;
}

int sysfs_unload_module(void)
{
	return syscall(SYS_delete_module, "dfx", O_NONBLOCK) ? -errno : 0;
}

int sysfs_node(const char *subsys, char *path, size_t len)
{
	DIR *dir = opendir("/sys/class/dfx");
	char file[512], line[64];
	struct dirent *d;
	int err = -ENOENT;

	if (!dir)
		return -errno;
	while ((d = readdir(dir))) {
		snprintf(file, sizeof(file), "/sys/class/dfx/%s/subsys",
			 d->d_name);
		if (read_line(file, line, sizeof(line)) || strcmp(line, subsys))
			continue;
		snprintf(path, len, "/dev/%s", d->d_name);
		err = 0;
		break;
	}
	closedir(dir);
	return err;
}
