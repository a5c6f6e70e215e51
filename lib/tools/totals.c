// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * totals.c - sums over pools and gates, and the identity
 */
#include <stdio.h>

#include "totals.h"

__u64 dropped_sum(const __u64 dropped[DFX_NR_DROP])
{
	__u64 sum = 0;
	unsigned int i;

	for (i = 0; i < DFX_NR_DROP; i++)
		sum += dropped[i];
	return sum;
}

bool identity_holds(const struct dfx_pool_state *pool)
{
	return pool->produced == pool->delivered + dropped_sum(pool->dropped) +
				 pool->in_flight;
}

void totals_add_pool(struct totals *t, const struct dfx_pool_state *pool)
{
	unsigned int i;

	t->produced += pool->produced;
	t->delivered += pool->delivered;
	for (i = 0; i < DFX_NR_DROP; i++)
		t->dropped[i] += pool->dropped[i];
	t->in_flight += pool->in_flight;
	t->broken += !identity_holds(pool);
}

void totals_add_freeze(struct totals *t, const struct dfx_freeze_stat *freeze)
{
	unsigned int g;

	for (g = 0; g < DFX_NR_GATE; g++)
		t->freezes += freeze[g].opens;
}

void totals_add(struct totals *t, const struct totals *other)
{
	unsigned int i;

	t->produced += other->produced;
	t->delivered += other->delivered;
	for (i = 0; i < DFX_NR_DROP; i++)
		t->dropped[i] += other->dropped[i];
	t->in_flight += other->in_flight;
	t->freezes += other->freezes;
	t->broken += other->broken;
}

__u64 totals_lost(const struct totals *t)
{
	__u64 kept = t->delivered + t->in_flight;

	return t->produced > kept ? t->produced - kept : 0;
}

void totals_print(const struct totals *t)
{
	printf("dfx: %llu produced, %llu delivered, %llu lost, %llu freezes\n",
	       t->produced, t->delivered, totals_lost(t), t->freezes);
}
