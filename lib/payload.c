// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * payload.c - from a record to its payload
 *
 * A record comes from a device that nobody vouches for. What it names must lie
 * within the bytes that came with its buffer, or it is refused.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "internal.h"

int dfx_payload_place(const struct dfx_rec_dump *rec, __u64 pos, __u64 size,
		      size_t *at, size_t *len)
{
	__u64 from = le64toh(rec->payload_offset) - pos;
	__u64 n = le64toh(rec->payload_size);

	*at = 0;
	*len = 0;
	if (!n)
		return 0;
	/* One that begins before @pos is a huge difference. */
	if (from > size || n > size - from)
		return -EPROTO;
	*at = (size_t)from;
	*len = (size_t)n;
	return 0;
}

/* Copy the @i-th of @count records, which need not be aligned. */
static int get_record(const void *records, __u32 count, __u32 record_size,
		      unsigned int i, struct dfx_rec_dump *rec)
{
	if (record_size != sizeof(*rec))
		return -EINVAL;
	if (i >= count)
		return -ENOENT;
	memcpy(rec, (const char *)records + (size_t)i * record_size,
	       sizeof(*rec));
	return 0;
}

int dfx_buffer_payload(const struct dfx_buffer *buf, unsigned int i,
		       struct dfx_piece *payload)
{
	const struct dfx_piece *piece = buf->share;
	struct dfx_rec_dump rec;
	__u64 pos = 0;
	size_t at;
	int ret;

	ret = get_record(buf->data, le32toh(buf->frame->count),
			 le32toh(buf->frame->record_size), i, &rec);
	if (ret)
		return ret;
	if (buf->arena)
		pos = le64toh(buf->arena->pos);
	ret = dfx_payload_place(&rec, pos, piece[0].len + piece[1].len, &at,
				&payload->len);
	if (ret)
		return ret;
	if (at >= piece[0].len) {
		at -= piece[0].len;
		piece++;
	}
	/* A payload does not go over the end of the arena. */
	if (payload->len > piece->len - at)
		return -EPROTO;
	payload->data = payload->len ? (const char *)piece->data + at : NULL;
	return 0;
}

int dfx_view_payload(const struct dfx_view *view, unsigned int i,
		     struct dfx_piece *payload)
{
	struct dfx_rec_dump rec;
	size_t at;
	int ret;

	if (view->head.type != DFX_FRAME_DATA)
		return -EINVAL;
	ret = get_record(view->data, view->head.count, view->head.record_size,
			 i, &rec);
	if (!ret)
		ret = dfx_payload_place(&rec, view->arena.pos, view->arena.len,
					&at, &payload->len);
	if (ret)
		return ret;
	payload->data = payload->len ? (const char *)view->share + at : NULL;
	return 0;
}
