/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * backoff.h - how long a waiting lane sleeps in this turn
 *
 * A gate usually opens within microseconds, or not for milliseconds. So the
 * first turns spin, and later ones sleep for a quarter of the time that has
 * been waited: the lane is late by a quarter at most, and a long wait costs
 * few wake-ups.
 */
#ifndef DFX_FW_BACKOFF_H
#define DFX_FW_BACKOFF_H

#include <linux/dfx_layout.h>

#define BACKOFF_SPINS		16u	/* turns before the first sleep */
#define BACKOFF_MIN_US		50u
#define BACKOFF_MAX_US		2000u	/* an idle lane polls as often */

/**
 * struct backoff - one lane's wait
 * @turns: turns of this wait; 0 between waits.
 * @since: counter when it began to sleep.
 *
 * One cache line, since lanes keep theirs side by side.
 */
struct backoff {
	__u32 turns;
	__u64 since;
} __attribute__((aligned(DFX_SHM_LINE)));

/**
 * backoff_turn() - account one turn
 * @b: the lane's wait.
 * @now: counter.
 * @hz: its frequency.
 *
 * Return: ticks to sleep, 0 to spin.
 */
static inline __u64 backoff_turn(struct backoff *b, __u64 now, __u64 hz)
{
	__u64 us = hz / 1000000u;
	__u64 nap;

	if (b->turns < BACKOFF_SPINS) {
		b->turns++;
		b->since = now;
		return 0;
	}
	nap = (now - b->since) / 4;
	if (nap < BACKOFF_MIN_US * us)
		return BACKOFF_MIN_US * us;
	return nap < BACKOFF_MAX_US * us ? nap : BACKOFF_MAX_US * us;
}

static inline void backoff_reset(struct backoff *b)
{
	b->turns = 0;
}

#endif /* DFX_FW_BACKOFF_H */
