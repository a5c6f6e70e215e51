// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * dist.c - a distribution of integers, in bounded memory
 */
#include <stdlib.h>
#include <string.h>

#include "dist.h"

#define EXACT	(1ull << DIST_EXACT_BITS)
#define STEPS	(EXACT / 2)	/* in each power of two above */

static int by_value(const void *a, const void *b)
{
	__s64 x = *(const __s64 *)a, y = *(const __s64 *)b;

	return (x > y) - (x < y);
}

/* Counters of a block. */
static size_t block_size(unsigned int block)
{
	return block ? STEPS : EXACT;
}

/* The middle of a counter's values, without their sign. */
static double middle(unsigned int block, size_t i)
{
	if (!block)
		return (double)i;
	return ((double)(i + STEPS) + 0.5) * (double)(1ull << block) - 0.5;
}

static void count(struct dist *d, __s64 v)
{
	bool negative = v < 0;
	__u64 size = negative ? -(__u64)v : (__u64)v;
	unsigned int block = 0;
	__u64 **counters;

	if (size >= EXACT) {
		block = 64 - DIST_EXACT_BITS -
			(unsigned int)__builtin_clzll(size);
		size = (size >> block) - STEPS;
	}
	counters = &d->block[negative][block];
	if (!*counters)
		*counters = calloc(block_size(block), sizeof(**counters));
	if (*counters)
		(*counters)[size]++;
	else
		d->failed = true;
}

static void count_few(struct dist *d)
{
	unsigned int i;

	for (i = 0; i < DIST_FEW; i++)
		count(d, d->few[i]);
	free(d->few);
	d->few = NULL;
}

void dist_add(struct dist *d, __s64 v)
{
	if (!d->n && !d->few)
		d->few = malloc(DIST_FEW * sizeof(*d->few));
	if (d->few && d->n == DIST_FEW)
		count_few(d);
	if (d->few)
		d->few[d->n] = v;
	else
		count(d, v);
	d->n++;
	d->sum += v;
}

double dist_mean(const struct dist *d)
{
	return d->n ? (double)d->sum / (double)d->n : 0;
}

/* Value at place @rank, from 1, of those that were counted. */
static double counted(const struct dist *d, __u64 rank)
{
	unsigned int b;
	size_t i;

	for (b = DIST_BLOCKS; b-- > 0;) {
		for (i = d->block[1][b] ? block_size(b) : 0; i-- > 0;) {
			if (rank <= d->block[1][b][i])
				return -middle(b, i);
			rank -= d->block[1][b][i];
		}
	}
	for (b = 0; b < DIST_BLOCKS; b++) {
		for (i = 0; d->block[0][b] && i < block_size(b); i++) {
			if (rank <= d->block[0][b][i])
				return middle(b, i);
			rank -= d->block[0][b][i];
		}
	}
	return 0;
}

double dist_quantile(struct dist *d, unsigned int percent)
{
	__u64 rank = (__u64)(((__uint128_t)d->n * percent + 99) / 100);

	if (!d->n)
		return 0;
	if (!rank)
		rank = 1;
	if (!d->few)
		return counted(d, rank);
	qsort(d->few, d->n, sizeof(*d->few), by_value);
	return (double)d->few[rank - 1];
}

void dist_free(struct dist *d)
{
	unsigned int sign, b;

	free(d->few);
	for (sign = 0; sign < 2; sign++)
		for (b = 0; b < DIST_BLOCKS; b++)
			free(d->block[sign][b]);
	memset(d, 0, sizeof(*d));
}
