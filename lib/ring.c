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

/* @len bytes from @off on in the buffers mapping. */
static int map_piece(const struct dfx *dfx, __u64 off, __u64 len,
		     struct dfx_piece *out)
{
	if (off > dfx->buffers_len || len > dfx->buffers_len - off)
		return -EPROTO;
	out->data = (const char *)dfx->buffers + off;
	out->len = (size_t)len;
	return 0;
}

/* What of a lane's arena comes with the records, if anything does. */
static int map_share(const struct dfx *dfx, const struct dfx_ready *e,
		     struct dfx_buffer *buf)
{
	__u64 len = le64toh(e->arena.len);
	int ret;

	buf->arena = NULL;
	buf->share[0] = (struct dfx_piece){ 0 };
	buf->share[1] = (struct dfx_piece){ 0 };
	if (!(le32toh(e->frame.flags) & DFX_FRAME_ARENA))
		return buf->len == le32toh(e->frame.len) ? 0 : -EPROTO;
	if (e->arena_first > len ||
	    buf->len + sizeof(e->arena) + len != le32toh(e->frame.len))
		return -EPROTO;
	buf->arena = &e->arena;
	ret = map_piece(dfx, e->arena_off, e->arena_first, &buf->share[0]);
	if (!ret && e->arena_first < len)
		ret = map_piece(dfx, e->arena_wrap, len - e->arena_first,
				&buf->share[1]);
	return ret;
}

static int map_buffer(const struct dfx *dfx, const struct dfx_ready *e,
		      struct dfx_buffer *buf)
{
	__u64 len = (__u64)le32toh(e->frame.count) *
		    le32toh(e->frame.record_size);
	struct dfx_piece records;
	int ret;

	ret = map_piece(dfx, e->offset, len, &records);
	if (ret)
		return ret;
	buf->frame = &e->frame;
	buf->data = records.data;
	buf->len = (__u32)len;
	buf->lane = le16toh(e->frame.lane);
	buf->cookie = e->cookie;
	buf->ready_ns = e->ready_ns;
	return map_share(dfx, e, buf);
}

int dfx_buffer_next(struct dfx *dfx, struct dfx_buffer *buf)
{
	__u32 flags, tail;
	int ret;

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

	ret = map_buffer(dfx, &dfx->elem[dfx->head & dfx->mask], buf);
	if (ret)
		return ret;
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
