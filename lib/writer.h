/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * writer.h - what a back-end of the writer has to do
 */
#ifndef DFX_WRITER_H
#define DFX_WRITER_H

#include <stdbool.h>
#include <sys/uio.h>

#include <dfx/dfx.h>

/* Header, records, and of an arena: what it is, and its bytes in two pieces. */
#define DFX_WRITER_PIECES	5

/**
 * struct dfx_writer_job - one frame on its way to the file
 * @head: its header, checksum included.
 * @iov: what is still to be written.
 * @nr: entries of @iov; 0 when all is written.
 * @offset: where in the file @iov goes.
 * @dfx: region that gets the buffer back, NULL for a frame without one.
 * @buf: the buffer.
 */
struct dfx_writer_job {
	struct dfx_frame head;
	struct iovec iov[DFX_WRITER_PIECES];
	int nr;
	__u64 offset;
	struct dfx *dfx;
	struct dfx_buffer buf;
};

struct dfx_writer;

/**
 * struct dfx_writer_ops - a back-end
 * @name: as the user calls it.
 * @run: write the rest of the job. 0 when it is done; -errno to be called
 *	again with what is left.
 * @finish: return when every byte is durable.
 */
struct dfx_writer_ops {
	const char *name;
	int (*run)(struct dfx_writer *writer);
	int (*finish)(struct dfx_writer *writer);
};

/**
 * struct dfx_writer - an output
 * @ops: its back-end.
 * @fd: its file.
 * @regular: a file with offsets; otherwise a pipe, a terminal, /dev/null.
 * @busy: @job is not done.
 * @job: the frame under way.
 * @end: bytes of whole frames; where the next frame goes.
 */
struct dfx_writer {
	const struct dfx_writer_ops *ops;
	int fd;
	bool regular;
	bool busy;
	struct dfx_writer_job job;
	__u64 end;
};

extern const struct dfx_writer_ops dfx_writer_sync;

#endif /* DFX_WRITER_H */
