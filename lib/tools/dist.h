/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * dist.h - a distribution of integers, in bounded memory
 *
 * Up to DIST_FEW values are kept as they are, and every figure is exact. From
 * there on values are counted: each one below 1 << DIST_EXACT_BITS for itself,
 * larger ones in steps of at most 1 / (1 << (DIST_EXACT_BITS - 1)) of their size.
 * A quantile is then the middle of its step, so that it is off by less than
 * 1 / (1 << DIST_EXACT_BITS) of itself. Mean and number are always exact.
 */
#ifndef DFX_DIST_H
#define DFX_DIST_H

#include <linux/types.h>
#include <stdbool.h>

#define DIST_FEW	65536
#define DIST_EXACT_BITS	16
/* One block of counters for the exact values, one for each power of two above. */
#define DIST_BLOCKS	(65 - DIST_EXACT_BITS)

/**
 * struct dist - a distribution; all 0 is an empty one
 * @n: values in it.
 * @sum: of them.
 * @few: the values while there are at most DIST_FEW, NULL before the first and
 *	when there are more.
 * @block: counters by sign and size, each NULL while it has counted nothing.
 * @failed: there was no memory for a value; the figures are not to be used.
 */
struct dist {
	__u64 n;
	__int128 sum;
	__s64 *few;
	__u64 *block[2][DIST_BLOCKS];
	bool failed;
};

void dist_add(struct dist *d, __s64 v);
/* 0 for an empty one, as the next. */
double dist_mean(const struct dist *d);
/* By nearest rank: the value at place ceil(@percent / 100 * n) in order. */
double dist_quantile(struct dist *d, unsigned int percent);
/* Leaves an empty one. */
void dist_free(struct dist *d);

#endif /* DFX_DIST_H */
