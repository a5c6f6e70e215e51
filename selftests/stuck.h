/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stuck.h - a thread that makes one blocking call, and whether it sleeps in it
 */
#ifndef DFX_TEST_STUCK_H
#define DFX_TEST_STUCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * struct stuck - one call in a thread of its own
 * @thread: the thread.
 * @tid: its id; 0 until it runs.
 * @call: the call; returns what the system call returns, errno beside it.
 * @arg: for @call.
 * @rc: what it returned.
 * @err: its errno.
 * @done: it has returned.
 */
struct stuck {
	pthread_t thread;
	pid_t tid;
	long (*call)(void *arg);
	void *arg;
	long rc;
	int err;
	bool done;
};

int stuck_start(struct stuck *s, long (*call)(void *arg), void *arg);

/* Whether the thread sleeps in system call @nr (SYS_*). */
bool stuck_in(const struct stuck *s, long nr);

/* Whether the call has returned. */
bool stuck_done(const struct stuck *s);

/* To be called once it is done; @rc and @err are valid then. */
void stuck_join(struct stuck *s);

#endif /* DFX_TEST_STUCK_H */
