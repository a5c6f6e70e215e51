// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - records of which every byte can be checked
 */
#include "harness.h"

static u64 mix(u64 x)
{
	x ^= x >> 31;
	x *= 0x7fb5d329728ea185ull;
	x ^= x >> 27;
	x *= 0x81dadef4bc2dd44dull;
	return x ^ x >> 33;
}

static u64 seed(u32 pool, u32 seq, u32 index, u64 number)
{
	return mix(mix(((u64)pool << 32 | seq) + 1) ^
		   ((u64)index << 40 | number));
}

void record_fill(void *rec, u32 size, u32 pool, u32 seq, u32 index, u64 number)
{
	u64 s = seed(pool, seq, index, number);
	u64 *word = rec;
	u32 i;

	word[0] = number;
	for (i = 1; i < size / sizeof(*word); i++)
		word[i] = s + i;
}

bool record_check(const void *rec, u32 size, u32 pool, u32 seq, u32 index,
		  u64 number)
{
	u64 s = seed(pool, seq, index, number);
	const u64 *word = rec;
	bool good = word[0] == number;
	u32 i;

	for (i = 1; i < size / sizeof(*word); i++)
		good &= word[i] == s + i;
	return good;
}

void *world_produce(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
		    u64 budget, u64 number)
{
	void *rec = dfx_dev_reserve(lane, pool, budget);

	if (!rec)
		return NULL;
	record_fill(rec, pool->record_size, pool->id, pool->seq, pool->count,
		    number);
	dfx_dev_commit(lane, pool);
	return rec;
}
