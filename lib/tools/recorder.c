// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * recorder.c - the loop from the ready ring to the file
 *
 * A buffer is given back when it is written. While the file cannot take it,
 * nothing is given back, so a full disk becomes backpressure at the device.
 */
#include <endian.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recorder.h"
#include "tool.h"

#define NS_PER_MS	1000000u
#define NS_PER_S	1000000000u

/* Longest sleep while there is nothing to take; flags are seen this often. */
#define IDLE_NS		(100u * NS_PER_MS)
/* Between two tries to write to a file that has no room. */
#define RETRY_NS	(100u * NS_PER_MS)
/* A file without room gets this long once the session is over. */
#define PATIENCE_TRIES	100u
/* The driver takes our last releases within this time. */
#define END_TRIES	200u
#define END_RETRY_NS	(5u * NS_PER_MS)

static __thread sigjmp_buf *gone;

static void on_sigbus(int sig)
{
	if (gone)
		siglongjmp(*gone, 1);
	signal(sig, SIG_DFL);
	raise(sig);
}

int recorder_catch_sigbus(void)
{
	struct sigaction sa = { .sa_handler = on_sigbus };

	return sigaction(SIGBUS, &sa, NULL) ? -errno : 0;
}

static void pause_ns(__u64 ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(ns / NS_PER_S),
		.tv_nsec = (long)(ns % NS_PER_S),
	};

	nanosleep(&ts, NULL);
}

static bool may_pass(int err)
{
	return err == -ENOSPC || err == -EDQUOT || err == -EIO ||
	       err == -EAGAIN;
}

/*
 * See a write through that has returned @ret. 0, or -errno when it is final,
 * was given up, or had its time after the session's end.
 */
static int persist(struct recorder *r, int ret)
{
	unsigned int late = 0;
	bool said = false;

	while (may_pass(ret)) {
		if (recorder_get(&r->abandon))
			return -ECANCELED;
		if ((recorder_get(&r->closing) || recorder_get(&r->leave)) &&
		    ++late > PATIENCE_TRIES)
			return ret;
		if (ret != -EAGAIN) {
			if (!said)
				tool_note("%s: %s; the recording waits until it can go on",
					  r->path, strerror(-ret));
			said = true;
			pause_ns(RETRY_NS);
		}
		ret = dfx_writer_resume(r->writer);
	}
	if (said && !ret)
		tool_note("%s: it can be written again; going on", r->path);
	return ret;
}

static int store(struct recorder *r, const struct dfx_buffer *buf)
{
	__u32 count = le32toh(buf->frame->count);
	__u32 pool = le32toh(buf->frame->pool);
	int ret;

	if (le64toh(buf->frame->session) != r->session)
		return -ESTALE;
	ret = persist(r, dfx_writer_put(r->writer, r->dfx, buf));
	if (ret)
		return ret;
	if (pool < r->nr_pools)
		r->pool_records[pool] += count;
	recorder_set(&r->records, r->records + count);
	recorder_set(&r->bytes, dfx_writer_bytes(r->writer));
	if (r->slow_us)
		pause_ns(r->slow_us * 1000ull);
	return 0;
}

static int drain(struct recorder *r)
{
	struct dfx_buffer buf;
	int ret;

	for (;;) {
		if (recorder_get(&r->abandon))
			return -ECANCELED;
		if (recorder_get(&r->leave)) {
			r->left = true;
			return 0;
		}
		ret = dfx_buffer_next(r->dfx, &buf);
		if (ret > 0)
			ret = store(r, &buf);
		else if (!ret && dfx_session_ended(r->dfx))
			return 0;
		else if (!ret)
			ret = dfx_buffer_wait(r->dfx, IDLE_NS);
		if (ret < 0 && ret != -EINTR)
			return ret;
	}
}

static int take_frame(struct recorder *r, unsigned int type, int *len)
{
	unsigned int i;
	int ret = -EAGAIN;

	for (i = 0; ret == -EAGAIN && i < END_TRIES; i++) {
		if (i)
			pause_ns(END_RETRY_NS);
		/* Our releases first: the END frame counts them. */
		ret = dfx_buffer_wait(r->dfx, 0);
		if (ret >= 0)
			ret = dfx_frame_get(r->dfx, type, r->frame,
					    RECORDER_FRAME_SIZE, NULL);
	}
	if (ret < 0)
		return ret;
	*len = ret;
	return 0;
}

int recorder_begin(struct recorder *r)
{
	struct dfx_view view;
	int len, ret;

	ret = take_frame(r, DFX_FRAME_SESSION, &len);
	if (!ret)
		ret = dfx_view_parse(r->frame, (size_t)len, &view);
	if (ret)
		return ret;
	r->session = view.head.session;
	return dfx_writer_frame(r->writer, r->frame, (size_t)len);
}

static int count_mismatch(struct recorder *r)
{
	struct dfx_pool_state pool;
	unsigned int i;
	int ret;

	for (i = 0; i < r->nr_pools; i++) {
		ret = dfx_view_pool(&r->end, i, &pool);
		if (ret)
			return ret;
		r->pool_mismatch += pool.delivered_here != r->pool_records[i];
	}
	return 0;
}

static int finish(struct recorder *r)
{
	int len, ret;

	ret = take_frame(r, DFX_FRAME_END, &len);
	if (!ret)
		ret = persist(r, dfx_writer_frame(r->writer, r->frame,
						  (size_t)len));
	if (!ret)
		ret = dfx_view_parse(r->frame, (size_t)len, &r->end);
	if (!ret && r->end.head.session != r->session)
		ret = -ESTALE;
	return ret ? ret : count_mismatch(r);
}

static void *thread_main(void *arg)
{
	static const __u64 one = 1;
	struct recorder *r = arg;
	sigjmp_buf env;
	ssize_t n;

	if (sigsetjmp(env, 1)) {
		r->error = -ENODEV;
	} else {
		gone = &env;
		r->error = drain(r);
		gone = NULL;
		if (!r->error && !r->left)
			r->error = finish(r);
	}
	gone = NULL;
	recorder_set(&r->done, true);
	n = write(r->wake_fd, &one, sizeof(one));
	(void)n;
	return NULL;
}

int recorder_run(struct recorder *r)
{
	int ret = -pthread_create(&r->thread, NULL, thread_main, r);

	r->running = !ret;
	return ret;
}
