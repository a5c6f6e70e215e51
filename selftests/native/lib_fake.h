/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * lib_fake.h - a region without a kernel, for the library's consumer side
 *
 * It keeps the driver's half of the contract in <linux/dfx.h>: rings, cookies,
 * releases, the end of a session, frames. One region at a time.
 */
#ifndef DFX_LIB_FAKE_H
#define DFX_LIB_FAKE_H

#include "internal.h"
#include "lib_frames.h"

#define FAKE_BUFFERS	16
#define FAKE_STRIDE	4096

/**
 * struct fake - the region
 * @frames: state of the pools, and a place to make frames in.
 * @ready: what is mapped as ready ring.
 * @elem: its elements.
 * @release: what is mapped as release ring.
 * @cookie: its elements.
 * @buffers: what is mapped as buffers.
 * @held: by buffer: its cookie while the consumer has it, else 0.
 * @count: by buffer: records in it.
 * @next_cookie: serial.
 * @release_head: releases that were taken.
 * @bad: releases that were refused.
 * @running: a session runs.
 * @session: id that frames get.
 * @waits: WAIT calls that found nothing.
 * @arena_kb: of the policy.
 */
struct fake {
	struct frames frames;
	struct {
		struct dfx_ready_ring ctl;
		struct dfx_ready elem[FAKE_BUFFERS];
	} ready __attribute__((aligned(64)));
	struct {
		struct dfx_release_ring ctl;
		__u64 cookie[FAKE_BUFFERS];
	} release __attribute__((aligned(64)));
	unsigned char buffers[FAKE_BUFFERS * FAKE_STRIDE];
	__u64 held[FAKE_BUFFERS];
	unsigned int count[FAKE_BUFFERS];
	__u64 next_cookie;
	__u32 release_head;
	unsigned int bad;
	bool running;
	__u64 session;
	unsigned int waits;
	unsigned int arena_kb;
};

/* A fresh region and a handle on it. */
struct dfx *fake_open(void);
extern struct fake *fake;

/* Fill a free buffer of @pool and publish it; false if none is free. */
bool fake_publish(unsigned int pool, unsigned int count, __u64 time);
/* Take the consumer's releases as the driver's thread would. */
void fake_take(void);
/* Stop the session: what is published is the last. */
void fake_stop(void);
unsigned int fake_nr_held(void);

#endif /* DFX_LIB_FAKE_H */
