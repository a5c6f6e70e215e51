// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * recording.c - the frames of a file, one after the other
 *
 * Nothing in the file is believed before it has been checked against the
 * file's real size, so a length cannot make the reader allocate or read more
 * than there is.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* The longest DATA frame: a buffer of records and a whole arena. */
#define MAX_DATA_LEN	(DFX_MAX_BUFFER_SIZE + \
			 (__u32)sizeof(struct dfx_arena_info) + \
			 DFX_MAX_ARENA_SIZE)

/* More than any SESSION or END frame of this version can have. */
#define MAX_CONTROL_LEN	0x100000u

struct dfx_recording {
	int fd;
	__u64 pos;
	__u64 size;
	unsigned char *buf;
	size_t buf_size;
	char error[160];
};

__attribute__((__format__(__printf__, 3, 4)))
static int fail(struct dfx_recording *r, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->error, sizeof(r->error), fmt, ap);
	va_end(ap);
	return err;
}

int dfx_recording_open(const char *path, struct dfx_recording **out)
{
	struct dfx_recording *r;
	struct stat st;
	int ret;

	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	/* O_NONBLOCK: a FIFO or a device must not keep us here. */
	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (r->fd < 0 || fstat(r->fd, &st))
		ret = -errno;
	else
		ret = S_ISREG(st.st_mode) ? 0 : -EINVAL;
	if (ret) {
		dfx_recording_close(r);
		return ret;
	}
	r->size = (__u64)st.st_size;
	*out = r;
	return 0;
}

void dfx_recording_close(struct dfx_recording *rec)
{
	if (!rec)
		return;
	if (rec->fd >= 0)
		close(rec->fd);
	free(rec->buf);
	free(rec);
}

const char *dfx_recording_error(const struct dfx_recording *rec)
{
	return rec->error;
}

static int read_at(struct dfx_recording *r, size_t at, size_t len)
{
	unsigned char *p = r->buf + at;
	__u64 pos = r->pos + at;

	while (len) {
		ssize_t n = pread(r->fd, p, len, (off_t)pos);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int err = -errno;

			return fail(r, err, "cannot read at offset %llu: %m",
				    pos);
		}
		if (!n)
			return fail(r, -EBADMSG,
				    "became shorter while it was read");
		p += n;
		pos += (__u64)n;
		len -= (size_t)n;
	}
	return 0;
}

static int make_room(struct dfx_recording *r, size_t len)
{
	unsigned char *buf;

	if (len <= r->buf_size)
		return 0;
	buf = realloc(r->buf, len);
	if (!buf)
		return fail(r, -ENOMEM, "no memory for a frame of %zu bytes",
			    len);
	r->buf = buf;
	r->buf_size = len;
	return 0;
}

/* Length of the frame at @r->pos, whose first 64 bytes are in the buffer. */
static int frame_length(struct dfx_recording *r, __u64 *total, bool *known)
{
	const struct dfx_frame *h = (const void *)r->buf;
	__u32 len = le32toh(h->len);
	__u16 header_size = le16toh(h->header_size);
	__u32 limit = MAX_CONTROL_LEN;

	if (le32toh(h->magic) != DFX_FRAME_MAGIC)
		return fail(r, -EBADMSG,
			    "no frame at offset %llu (magic is 0x%08x)",
			    r->pos, le32toh(h->magic));
	if (h->version != DFX_FRAME_VERSION)
		return fail(r, -EBADMSG,
			    "frame at offset %llu has version %u; only %u can be read",
			    r->pos, h->version, DFX_FRAME_VERSION);
	if (header_size < sizeof(*h))
		return fail(r, -EBADMSG,
			    "frame at offset %llu has a header of %u bytes",
			    r->pos, header_size);

	*total = (__u64)header_size + len;
	if (*total > r->size - r->pos)
		return fail(r, -EBADMSG,
			    "cut off in the frame at offset %llu (%llu of %llu bytes)",
			    r->pos, r->size - r->pos, *total);

	*known = h->type >= DFX_FRAME_SESSION && h->type <= DFX_FRAME_END;
	if (h->type == DFX_FRAME_DATA)
		limit = MAX_DATA_LEN;
	if (*known && len > limit)
		return fail(r, -EBADMSG,
			    "frame at offset %llu claims %u bytes; %u is the limit",
			    r->pos, len, limit);
	return 0;
}

static int read_frame(struct dfx_recording *r, size_t total,
		      struct dfx_view *view)
{
	int ret = make_room(r, total);

	if (!ret)
		ret = read_at(r, 0, total);
	if (ret)
		return ret;
	ret = dfx_view_parse(r->buf, total, view);
	view->offset = r->pos;
	r->pos += total;
	if (ret)
		return fail(r, ret,
			    "frame at offset %llu: %u records of %u bytes%s are not %u bytes",
			    view->offset, view->head.count,
			    view->head.record_size,
			    view->head.flags & DFX_FRAME_ARENA ?
			    " and their payloads" : "", view->head.len);
	return 1;
}

int dfx_recording_next(struct dfx_recording *rec, struct dfx_view *view)
{
	__u64 total = 0;
	bool known = false;
	int ret;

	for (;;) {
		if (rec->pos == rec->size)
			return 0;
		if (rec->size - rec->pos < sizeof(struct dfx_frame))
			return fail(rec, -EBADMSG,
				    "cut off in the frame at offset %llu (%llu bytes)",
				    rec->pos, rec->size - rec->pos);
		ret = make_room(rec, sizeof(struct dfx_frame));
		if (!ret)
			ret = read_at(rec, 0, sizeof(struct dfx_frame));
		if (!ret)
			ret = frame_length(rec, &total, &known);
		if (ret)
			return ret;
		if (known)
			return read_frame(rec, (size_t)total, view);
		rec->pos += total;
	}
}
