/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - a consumer that uses nothing but mmap and ioctl
 */
#ifndef DFX_TEST_RING_H
#define DFX_TEST_RING_H

#include <linux/dfx.h>

#include "ledger.h"

/**
 * struct ring - the mapped areas of a consumer
 * @fd: the file.
 * @a: what ATTACH answered.
 * @ready: the ready ring.
 * @release: the release ring.
 * @buffers: the buffers.
 * @head: elements of the ready ring that were looked at.
 * @tail: cookies released.
 */
struct ring {
	int fd;
	struct dfx_attach a;
	struct dfx_ready_ring *ready;
	struct dfx_release_ring *release;
	const unsigned char *buffers;
	__u32 head;
	__u32 tail;
};

/* Attaches @lanes (0: all) and maps. 0 or -errno. */
int ring_open(struct ring *r, int fd, __u64 lanes);

/* Unmaps; the file stays a consumer. */
void ring_close(struct ring *r);

/* The next element, or NULL. It stays the consumer's until ring_release(). */
const struct dfx_ready *ring_next(struct ring *r);

/* The records of an element. */
const void *ring_records(const struct ring *r, const struct dfx_ready *e);

/* Enters an element, with its share of the arena, into a ledger. 0 or -1. */
int ring_enter(const struct ring *r, const struct dfx_ready *e,
	       struct ledger *ledger);

/* Puts a cookie into the release ring. */
void ring_release(struct ring *r, __u64 cookie);

/* The kernel has said that the session is over and nothing will follow. */
int ring_ended(const struct ring *r);

/* WAIT: -errno, or the events. */
int ring_wait(struct ring *r, __u64 timeout_ns);

/*
 * Takes, checks and releases all there is now: how many buffers, or -1 if the
 * ledger complains.
 */
int ring_drain(struct ring *r, struct ledger *ledger);

/* Likewise, but keeps them. Cookies go to @cookie, at most @max. */
int ring_hold(struct ring *r, struct ledger *ledger, __u64 *cookie, int max);

/*
 * Drains until the session ends: 0; -1 if the ledger complains; -2 if it did
 * not end in time.
 */
int ring_drain_to_end(struct ring *r, struct ledger *ledger);

#endif /* DFX_TEST_RING_H */
