// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * writer.c - frames to a file; what all back-ends share
 *
 * A buffer goes back to its region when its last byte has been written, not
 * before and not later.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc32c.h"
#include "writer.h"

static const struct dfx_writer_ops *const backends[] = {
	&dfx_writer_sync,
};

static const struct dfx_writer_ops *find_backend(const char *name)
{
	size_t i;

	if (!name)
		return backends[0];
	for (i = 0; i < sizeof(backends) / sizeof(backends[0]); i++)
		if (!strcmp(backends[i]->name, name))
			return backends[i];
	return NULL;
}

int dfx_writer_open(const char *path, const char *backend,
		    struct dfx_writer **out)
{
	struct dfx_writer *w;
	struct stat st;
	int ret;

	w = calloc(1, sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->ops = find_backend(backend);
	if (!w->ops) {
		ret = -EOPNOTSUPP;
		goto err_free;
	}
	/* O_NONBLOCK: neither open nor write waits for a FIFO's reader. */
	w->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC |
			   O_NONBLOCK, 0644);
	if (w->fd < 0) {
		ret = -errno;
		goto err_free;
	}
	if (fstat(w->fd, &st)) {
		ret = -errno;
		goto err_close;
	}
	w->regular = S_ISREG(st.st_mode);
	*out = w;
	return 0;

err_close:
	close(w->fd);
err_free:
	free(w);
	return ret;
}

static void add_piece(struct dfx_writer_job *job, const void *base, size_t len)
{
	if (!len)
		return;
	job->iov[job->nr].iov_base = (void *)(uintptr_t)base;
	job->iov[job->nr].iov_len = len;
	job->nr++;
}

int dfx_writer_resume(struct dfx_writer *writer)
{
	struct dfx_writer_job *job = &writer->job;
	int ret;

	if (!writer->busy)
		return 0;
	ret = writer->ops->run(writer);
	if (ret)
		return ret;
	writer->busy = false;
	writer->end = job->offset;
	return job->dfx ? dfx_buffer_release(job->dfx, &job->buf) : 0;
}

static void begin(struct dfx_writer *w, const struct dfx_frame *frame)
{
	struct dfx_writer_job *job = &w->job;

	job->head = *frame;
	job->nr = 0;
	job->offset = w->end;
	add_piece(job, &job->head, sizeof(job->head));
}

/* The pieces of the job are a frame: complete its header and write it. */
static int submit(struct dfx_writer *w)
{
	struct dfx_writer_job *job = &w->job;
	struct dfx_frame *head = &job->head;
	__u64 len = 0;
	__u32 crc;
	int i;

	for (i = 1; i < job->nr; i++)
		len += job->iov[i].iov_len;
	if (le16toh(head->header_size) != sizeof(*head) ||
	    le32toh(head->len) != len)
		return -EPROTO;
	head->flags |= htole32(DFX_FRAME_CRC);
	crc = dfx_frame_crc(head, NULL, 0);
	for (i = 1; i < job->nr; i++)
		crc = dfx_crc32c(crc, job->iov[i].iov_base,
				 job->iov[i].iov_len);
	head->crc = htole32(crc);
	w->busy = true;
	return dfx_writer_resume(w);
}

int dfx_writer_put(struct dfx_writer *writer, struct dfx *dfx,
		   const struct dfx_buffer *buf)
{
	struct dfx_writer_job *job = &writer->job;

	if (writer->busy)
		return -EBUSY;
	job->dfx = dfx;
	job->buf = *buf;
	begin(writer, buf->frame);
	add_piece(job, buf->data, buf->len);
	if (buf->arena) {
		add_piece(job, buf->arena, sizeof(*buf->arena));
		add_piece(job, buf->share[0].data, buf->share[0].len);
		add_piece(job, buf->share[1].data, buf->share[1].len);
	}
	return submit(writer);
}

int dfx_writer_frame(struct dfx_writer *writer, const void *frame, size_t len)
{
	if (writer->busy)
		return -EBUSY;
	if (len < sizeof(struct dfx_frame))
		return -EPROTO;
	writer->job.dfx = NULL;
	begin(writer, frame);
	add_piece(&writer->job, (const char *)frame + sizeof(struct dfx_frame),
		  len - sizeof(struct dfx_frame));
	return submit(writer);
}

__u64 dfx_writer_bytes(const struct dfx_writer *writer)
{
	return writer->end;
}

int dfx_writer_close(struct dfx_writer *writer)
{
	int ret = 0;

	if (!writer)
		return 0;
	if (writer->busy && writer->regular &&
	    ftruncate(writer->fd, (off_t)writer->end))
		ret = -errno;
	if (!ret)
		ret = writer->ops->finish(writer);
	if (close(writer->fd) && !ret)
		ret = -errno;
	free(writer);
	return ret;
}
