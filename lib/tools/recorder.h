/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder.h - one device's session on its way to one file
 *
 * Each recorder has a thread of its own, so that a buffer never waits for
 * another device or for another file.
 */
#ifndef DFX_RECORDER_H
#define DFX_RECORDER_H

#include <limits.h>
#include <pthread.h>

#include "totals.h"

/* Room for the SESSION and the END frame of the largest region. */
#define RECORDER_FRAME_SIZE	(256u << 10)

/**
 * struct recorder - a device that is recorded
 * @dfx: attached; the thread's once it runs.
 * @monitor: the same region for the main thread: state and stop.
 * @query: what the region is.
 * @writer: the thread's.
 * @path: where it writes.
 * @frame: room for SESSION and END frames.
 * @pool_records: records written, by pool.
 * @nr_pools: their number.
 * @lanes: lanes attached.
 * @session: its id.
 * @slow_us: pause after each buffer.
 * @started: this recorder started the session.
 * @running: the thread exists.
 * @stopped: STOP has been asked for; main thread only.
 * @wake_fd: eventfd to write to when done.
 * @thread: the thread.
 * @records: written so far.
 * @bytes: written so far.
 * @leave: main asks: let go of a session that goes on.
 * @closing: main says: STOP was asked for, nothing new will come.
 * @abandon: main asks: end at once, whatever is left in the kernel.
 * @done: the thread has ended and the members below are valid.
 * @error: 0 or -errno.
 * @left: ended by @leave.
 * @end: the END frame.
 * @pool_mismatch: pools of which more or less was written than released.
 */
struct recorder {
	struct dfx *dfx;
	struct dfx *monitor;
	struct dfx_query query;
	struct dfx_writer *writer;
	char path[PATH_MAX];
	unsigned char *frame;
	__u64 *pool_records;
	unsigned int nr_pools;
	__u64 lanes;
	__u64 session;
	unsigned int slow_us;
	bool started;
	bool running;
	bool stopped;
	int wake_fd;
	pthread_t thread;

	/* written by the thread, read by main */
	__u64 records;
	__u64 bytes;
	bool done;

	/* written by main, read by the thread */
	bool leave;
	bool closing;
	bool abandon;

	int error;
	bool left;
	struct dfx_view end;
	unsigned int pool_mismatch;
};

/* One word from one thread to another; what it announces is ordered. */
#define recorder_set(field, v)	__atomic_store_n(field, v, __ATOMIC_RELEASE)
#define recorder_get(field)	__atomic_load_n(field, __ATOMIC_ACQUIRE)

/* Write the SESSION frame; before the thread runs. 0 or -errno. */
int recorder_begin(struct recorder *r);
/* Start the thread. 0 or -errno. */
int recorder_run(struct recorder *r);
/* A device that goes away must not take the process with it. */
int recorder_catch_sigbus(void);

#endif /* DFX_RECORDER_H */
