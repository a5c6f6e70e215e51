/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sysfs.h - the PCI device, the driver and its nodes, as sysfs has them
 */
#ifndef DFX_TEST_SYSFS_H
#define DFX_TEST_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

#define SYSFS_BDF_LEN	32

/* All return 0 or -errno. */

/* First line of a file, without its newline. */
int sysfs_read(const char *path, char *line, size_t len);

int sysfs_write(const char *path, const char *s);

/* A module by the path of its file, and by its name. Does not wait. */
int sysfs_load(const char *path, const char *params);
int sysfs_unload(const char *name);

int sysfs_find_device(char bdf[SYSFS_BDF_LEN]);
bool sysfs_bound(const char *bdf);
int sysfs_bind(const char *bdf);
int sysfs_unbind(const char *bdf);
bool sysfs_module_loaded(void);
int sysfs_load_module(void);
int sysfs_unload_module(void);

/* Path of the node of a device's subsystem ("pmu") into @path. */
int sysfs_node_of(const char *parent, const char *subsys, char *path,
		  size_t len);

/* Likewise, of whatever device. */
int sysfs_node(const char *subsys, char *path, size_t len);

#endif /* DFX_TEST_SYSFS_H */
