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

int sysfs_read(const char *path, char *line, size_t len)
{
	FILE *f = fopen(path, "re");
	int err = 0;

	if (!f)
		return -errno;
	errno = EIO;
	if (!fgets(line, len, f))
		err = -errno;
	else
		line[strcspn(line, "\n")] = 0;
	fclose(f);
	return err;
}

int sysfs_write(const char *path, const char *s)
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
	return sysfs_read(path, line, sizeof(line)) ? -1 :
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
	return sysfs_write(PCI_DRIVER "/bind", bdf);
}

int sysfs_unbind(const char *bdf)
{
	return sysfs_write(PCI_DRIVER "/unbind", bdf);
}

bool sysfs_module_loaded(void)
{
	return !access(PCI_DRIVER, F_OK);
}

int sysfs_load(const char *path, const char *params)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, params, 0))
		err = -errno;
	close(fd);
	return err;
}

int sysfs_unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

int sysfs_load_module(void)
{
	return sysfs_load(getenv("DFX_MODULE") ?: MODULE_FILE, "");
}

int sysfs_unload_module(void)
{
	return sysfs_unload("dfx");
}

/* Whether an attribute of a node reads so. */
static bool node_has(const char *name, const char *attr, const char *value)
{
	char file[512], line[64];

	snprintf(file, sizeof(file), "/sys/class/dfx/%s/%s", name, attr);
	return !sysfs_read(file, line, sizeof(line)) && !strcmp(line, value);
}

int sysfs_node_of(const char *parent, const char *subsys, char *path,
		  size_t len)
{
	DIR *dir = opendir("/sys/class/dfx");
	struct dirent *d;
	int err = -ENOENT;

	if (!dir)
		return -errno;
	while ((d = readdir(dir))) {
		if (!node_has(d->d_name, "subsys", subsys) ||
		    (parent && !node_has(d->d_name, "parent", parent)))
			continue;
		snprintf(path, len, "/dev/%s", d->d_name);
		err = 0;
		break;
	}
	closedir(dir);
	return err;
}

int sysfs_node(const char *subsys, char *path, size_t len)
{
	return sysfs_node_of(NULL, subsys, path, len);
}
