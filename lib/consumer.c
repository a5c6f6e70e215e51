// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * consumer.c - attach lanes, map what comes with them, and let go of both
 */
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "internal.h"

static void unmap_all(struct dfx *dfx)
{
	if (dfx->buffers)
		dfx->tr->unmap(dfx->buffers, dfx->buffers_len);
	if (dfx->release)
		dfx->tr->unmap(dfx->release, dfx->release_len);
	if (dfx->ready)
		dfx->tr->unmap(dfx->ready, dfx->ready_len);
	dfx->buffers = NULL;
	dfx->release = NULL;
	dfx->ready = NULL;
}

static int map_one(struct dfx *dfx, __u64 off, __u64 len, int prot,
		   void **addr, size_t *mapped)
{
	if (!len || len > SIZE_MAX)
		return -EOVERFLOW;
	*mapped = (size_t)len;
	return dfx->tr->map(dfx->fd, off, (size_t)len, prot, addr);
}

/* The rings must hold what their control pages say they hold. */
static int check_rings(struct dfx *dfx)
{
	__u64 mask, nr;

	if (dfx->ready_len < sizeof(*dfx->ready) ||
	    dfx->release_len < sizeof(*dfx->release))
		return -EPROTO;
	mask = dfx->ready->mask;
	nr = mask + 1;
	if (nr & mask || nr > SIZE_MAX / sizeof(struct dfx_ready))
		return -EPROTO;
	if (dfx->ready->elem_off % __alignof__(struct dfx_ready) ||
	    dfx->ready->elem_off > dfx->ready_len ||
	    nr * sizeof(struct dfx_ready) >
	    dfx->ready_len - dfx->ready->elem_off)
		return -EPROTO;
	if (nr * sizeof(__u64) > dfx->release_len - sizeof(*dfx->release))
		return -EPROTO;

	dfx->mask = (__u32)mask;
	dfx->elem = (const void *)((const char *)dfx->ready +
				   dfx->ready->elem_off);
	dfx->head = dfx->release->ready_head;
	dfx->released = dfx->release->tail;
	return 0;
}

static int map_all(struct dfx *dfx, const struct dfx_attach *a)
{
	void *addr;
	int ret;

	ret = map_one(dfx, a->out_ready_off, a->out_ready_len, PROT_READ,
		      &addr, &dfx->ready_len);
	if (ret)
		return ret;
	dfx->ready = addr;

	ret = map_one(dfx, a->out_release_off, a->out_release_len,
		      PROT_READ | PROT_WRITE, &addr, &dfx->release_len);
	if (ret)
		return ret;
	dfx->release = addr;

	ret = map_one(dfx, a->out_buffers_off, a->out_buffers_len, PROT_READ,
		      &addr, &dfx->buffers_len);
	if (ret)
		return ret;
	dfx->buffers = addr;

	return check_rings(dfx);
}

int dfx_lanes_attach(struct dfx *dfx, __u64 lanes, __u64 *attached)
{
	struct dfx_attach arg = { .size = sizeof(arg), .lanes = lanes };
	struct dfx_detach undo = { .size = sizeof(undo) };
	int ret;

	if (dfx->lanes)
		return -EBUSY;
	ret = dfx->tr->ioctl(dfx->fd, DFX_IOC_ATTACH, &arg);
	if (ret)
		return ret;

	ret = map_all(dfx, &arg);
	if (ret) {
		unmap_all(dfx);
		dfx->tr->ioctl(dfx->fd, DFX_IOC_DETACH, &undo);
		return ret;
	}
	dfx->lanes = arg.out_lanes;
	if (attached)
		*attached = arg.out_lanes;
	return 0;
}

int dfx_lanes_detach(struct dfx *dfx)
{
	struct dfx_detach arg = { .size = sizeof(arg) };

	if (!dfx->lanes)
		return -EINVAL;
	unmap_all(dfx);
	dfx->lanes = 0;
	return dfx->tr->ioctl(dfx->fd, DFX_IOC_DETACH, &arg);
}

int dfx_frame_get(struct dfx *dfx, unsigned int type, void *buf, size_t size,
		  size_t *need)
{
	struct dfx_get_frame arg = {
		.size = sizeof(arg),
		.type = type,
		.buf_uptr = (uintptr_t)buf,
		.len = size,
	};
	int ret = dfx->tr->ioctl(dfx->fd, DFX_IOC_FRAME, &arg);

	if (need)
		*need = (size_t)arg.len;
	if (ret)
		return ret;
	return arg.len > size ? -EPROTO : (int)arg.len;
}
