// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ring.c - the data path: take from the ready ring, give to the release ring
 *
 * Neither direction makes a system call. Only dfx_buffer_wait() does, and it
 * is for when there is nothing to take.
 */
#include <endian.h>
#include <errno.h>

#include "internal.h"

int dfx_buffer_next(struct dfx *dfx, struct dfx_buffer *buf)
{
	const struct dfx_ready *e;
	__u32 flags, tail, len;

	if (!dfx->ready)
		return -EINVAL;
	/*
	 * Flags first: the driver sets GONE after its last element, so an
	 * empty ring seen after the flag stays empty.
	 */
	flags = dfx_load_acquire(&dfx->ready->flags);
	/* Pairs with the driver's release store of tail after the element. */
	tail = dfx_load_acquire(&dfx->ready->tail);
	if (tail == dfx->head)
		return flags & DFX_RING_GONE ? -ENODEV : 0;
	if (tail - dfx->head > dfx->mask + 1)
		return -EPROTO;

	e = &dfx->elem[dfx->head & dfx->mask];
	len = le32toh(e->frame.len);
	if (e->offset > dfx->buffers_len ||
	    len > dfx->buffers_len - e->offset)
		return -EPROTO;

	buf->frame = &e->frame;
	buf->data = (const char *)dfx->buffers + e->offset;
	buf->len = len;
	buf->lane = le16toh(e->frame.lane);
	buf->cookie = e->cookie;
	buf->ready_ns = e->ready_ns;
	dfx->head++;
	__atomic_store_n(&dfx->release->ready_head, dfx->head,
			 __ATOMIC_RELAXED);
	return 1;
}

int dfx_buffer_release(struct dfx *dfx, const struct dfx_buffer *buf)
{
	__u32 taken;

	if (!dfx->release)
		return -EINVAL;
	/* Only more releases than there are buffers could overrun the ring. */
	taken = dfx_load_acquire(&dfx->ready->released);
	if (dfx->released - taken > dfx->mask)
		return -ENOBUFS;

	DFX_RELEASE_COOKIES(dfx->release)[dfx->released & dfx->mask] =
		buf->cookie;
	dfx->released++;
	/* Pairs with the driver's acquire load: cookie, then tail. */
	dfx_store_release(&dfx->release->tail, dfx->released);
	return 0;
}

int dfx_buffer_wait(struct dfx *dfx, __u64 timeout_ns)
{
	struct dfx_wait arg = {
		.size = sizeof(arg),
		.timeout_ns = timeout_ns,
	};
	int ret = dfx->tr->ioctl(dfx->fd, DFX_IOC_WAIT, &arg);

	if (ret == -ETIMEDOUT)
		return 0;
	if (ret)
		return ret;
	return arg.out_events ? 1 : 0;
}

int dfx_session_ended(const struct dfx *dfx)
{
	__u32 flags;

	if (!dfx->ready)
		return 0;
	/* In this order for the same reason as in dfx_buffer_next(). */
	flags = dfx_load_acquire(&dfx->ready->flags);
	return flags & DFX_RING_END &&
	       dfx_load_acquire(&dfx->ready->tail) == dfx->head;
}
