// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * writer_sync.c - the back-end that writes and waits
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "writer.h"

/* Longest wait for a pipe that is full before the caller is asked again. */
#define PIPE_WAIT_MS	100

static void advance(struct dfx_writer_job *job, size_t n)
{
	int done = 0;

	job->offset += n;
	while (done < job->nr && n >= job->iov[done].iov_len)
		n -= job->iov[done++].iov_len;
	job->nr -= done;
	memmove(job->iov, job->iov + done, (size_t)job->nr * sizeof(*job->iov));
	if (job->nr) {
		job->iov[0].iov_base = (char *)job->iov[0].iov_base + n;
		job->iov[0].iov_len -= n;
	}
}

static int sync_run(struct dfx_writer *w)
{
	struct dfx_writer_job *job = &w->job;

	while (job->nr) {
		ssize_t n;

		if (w->regular)
			n = pwritev(w->fd, job->iov, job->nr,
				    (off_t)job->offset);
		else
			n = writev(w->fd, job->iov, job->nr);
		if (n > 0) {
			advance(job, (size_t)n);
			continue;
		}
		/* A file that takes nothing and says nothing is full. */
		if (!n)
			return -ENOSPC;
		if (errno == EINTR)
			continue;
		if (errno == EAGAIN) {
			struct pollfd pfd = { .fd = w->fd, .events = POLLOUT };

			if (poll(&pfd, 1, PIPE_WAIT_MS) > 0)
				continue;
			return -EAGAIN;
		}
		return -errno;
	}
	return 0;
}

static int sync_finish(struct dfx_writer *w)
{
	if (w->regular && fdatasync(w->fd))
		return -errno;
	return 0;
}

const struct dfx_writer_ops dfx_writer_sync = {
	.name = "sync",
	.run = sync_run,
	.finish = sync_finish,
};
