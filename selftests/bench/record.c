// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - what one record costs, and what the gate adds to it
 */
#include <stdlib.h>

#include "bench.h"

#define RECORDS	100000u
#define GATE_REPS	61

static inline void fill(u64 *rec, u32 size, u64 v)
{
	u32 i;

	for (i = 0; i < size / sizeof(*rec); i++)
		rec[i] = v + i;
	/* The stores happen, and happen here. */
	__asm__ __volatile__("" : : "r"(rec) : "memory");
}

/* As dfx_dev_reserve(), but blind to what the host asks for. */
static inline void *reserve_blind(struct dfx_dev_lane *lane,
				  struct dfx_dev_pool *pool)
{
	if (pool->left)
		return pool->slot;
	return dfx_dev_reserve_slow(lane, pool, DFX_DEV_BLOCK);
}

/* Seconds for RECORDS records through the engine. */
static inline double through_engine(u32 size, bool stamp, bool blind)
{
	struct dfx_dev_lane *lane = &bench.w->lanes[0];
	struct dfx_dev_pool *pool = &bench.w->dpools[0];
	double t0 = cpu_now();
	void *rec;
	u32 i;

	for (i = 0; i < RECORDS; i++) {
		rec = blind ? reserve_blind(lane, pool) :
		      dfx_dev_reserve(lane, pool, DFX_DEV_BLOCK);
		if (!rec)
			abort();
		fill(rec, size, stamp ? cpu_ticks() : i);
		dfx_dev_commit(lane, pool);
	}
	return cpu_now() - t0;
}

/* Seconds for as many plain stores over the same buffers. */
static inline double plain(u32 size, bool stamp)
{
	const struct dfx_pool_geom *g = &bench.w->host.geom.pools[0];
	double t0 = cpu_now();
	u32 buf = 0, n = 0, i;
	u8 *rec = world_buffer(bench.w, 0);

	for (i = 0; i < RECORDS; i++) {
		fill((u64 *)rec, size, stamp ? cpu_ticks() : i);
		rec += size;
		if (++n < g->capacity)
			continue;
		n = 0;
		buf = (buf + 1) % g->nr_buffers;
		rec = world_buffer(bench.w, buf);
	}
	return cpu_now() - t0;
}

/* Constant sizes, so that all loops are compiled for theirs. */
static void one(struct row *row, u32 subsys, bool stamp)
{
	double a, b;

	burst_begin();
	if (subsys == DFX_SUBSYS_PMU) {
		a = stamp ? through_engine(64, true, false) :
		    through_engine(64, false, false);
		b = stamp ? plain(64, true) : plain(64, false);
	} else {
		a = stamp ? through_engine(32, true, false) :
		    through_engine(32, false, false);
		b = stamp ? plain(32, true) : plain(32, false);
	}
	burst_end();
	row->a[row->nr] = a * 1e9 / RECORDS;
	row->b[row->nr++] = b * 1e9 / RECORDS;
}

static const struct dfx_limits roomy = {
	.buffers = 8, .slots = 8, .rq_depth = 8,
};

void measure_record(struct row *row, u32 subsys, bool stamp)
{
	u32 i;

	region_open(subsys, roomy, DFX_RECOVERY_GLOBAL);
	host_order(HOST_SERVE);
	one(row, subsys, stamp);
	row->nr = 0;
	for (i = 0; i < BENCH_REPS; i++)
		one(row, subsys, stamp);
	region_close();
}

void measure_gate(struct row *row)
{
	u32 i;

	region_open(DFX_SUBSYS_PMU, roomy, DFX_RECOVERY_GLOBAL);
	host_order(HOST_SERVE);
	through_engine(64, true, false);
	for (i = 0; i < GATE_REPS; i++) {
		burst_begin();
		/* There and back again, so that a drift hits both alike. */
		row->a[i] = through_engine(64, true, false);
		row->b[i] = through_engine(64, true, true);
		row->b[i] += through_engine(64, true, true);
		row->a[i] += through_engine(64, true, false);
		burst_end();
		row->a[i] *= 0.5e9 / RECORDS;
		row->b[i] *= 0.5e9 / RECORDS;
	}
	row->nr = GATE_REPS;
	region_close();
}
