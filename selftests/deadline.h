/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * deadline.h - waiting for conditions, never for a while
 */
#ifndef DFX_TEST_DEADLINE_H
#define DFX_TEST_DEADLINE_H

#include <stdbool.h>
#include <time.h>
#include <linux/types.h>

/* Under emulation on a busy machine: far above what anything takes. */
#define SOON_MS		10000

static inline __u64 clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* Gives the processor to those who are waited for. */
static inline void breathe(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

/* Whether @cond becomes true before @ms milliseconds are over. */
#define WITHIN(ms, cond) \
	({ \
		__u64 _until = clock_ns() + (ms) * 1000000ull; \
		bool _met; \
		while (!(_met = (cond)) && clock_ns() < _until) \
			breathe(); \
		_met; \
	})

#endif /* DFX_TEST_DEADLINE_H */
