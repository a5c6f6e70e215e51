// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * open.c - life of a handle
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "internal.h"

const char *dfx_version(void)
{
	return DFX_VERSION;
}

int dfx_open_with(const struct dfx_transport *tr, int fd, const char *name,
		  struct dfx **out)
{
	struct dfx *dfx = calloc(1, sizeof(*dfx));

	if (!dfx)
		return -ENOMEM;
	dfx->tr = tr;
	dfx->fd = fd;
	snprintf(dfx->name, sizeof(dfx->name), "%s", name);
	*out = dfx;
	return 0;
}

/* The kernel's name of an open node, whatever path led to it. */
static void node_name(int fd, const char *path, char *out, size_t size)
{
	const char *name = path;
	char link[64];
	char target[PATH_MAX];
	struct stat st;
	ssize_t n = -1;

	if (!fstat(fd, &st)) {
		snprintf(link, sizeof(link), "/sys/dev/char/%u:%u",
			 major(st.st_rdev), minor(st.st_rdev));
		n = readlink(link, target, sizeof(target) - 1);
	}
	if (n > 0) {
		target[n] = '\0';
		name = target;
	}
	if (strrchr(name, '/'))
		name = strrchr(name, '/') + 1;
	snprintf(out, size, "%.*s", (int)size - 1, name);
}

static int open_path(const char *path, struct dfx **out)
{
	char name[32];
	struct stat st;
	int fd, ret;

	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;

	ret = fstat(fd, &st) ? -errno : 0;
	if (!ret && !S_ISCHR(st.st_mode))
		ret = -ENOTTY;
	if (!ret) {
		node_name(fd, path, name, sizeof(name));
		ret = dfx_open_with(&dfx_transport_kernel, fd, name, out);
	}
	if (ret)
		close(fd);
	return ret;
}

int dfx_open(const char *dev, struct dfx **out)
{
	struct dfx_list *list;
	const char *name;
	char path[64];
	int ret;

	if (strchr(dev, '/'))
		return open_path(dev, out);

	ret = dfx_list_new(&list);
	if (ret)
		return ret;
	ret = dfx_list_resolve(list, dev, &name);
	if (!ret) {
		snprintf(path, sizeof(path), "/dev/%s", name);
		ret = open_path(path, out);
	}
	dfx_list_free(list);
	return ret;
}

void dfx_close(struct dfx *dfx)
{
	if (!dfx)
		return;
	if (dfx->lanes)
		dfx_lanes_detach(dfx);
	dfx->tr->close(dfx->fd);
	free(dfx);
}

int dfx_fd(const struct dfx *dfx)
{
	return dfx->fd;
}

const char *dfx_name(const struct dfx *dfx)
{
	return dfx->name;
}
