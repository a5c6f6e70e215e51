// SPDX-License-Identifier: GPL-2.0-only
/*
 * handoff.c - how long a buffer is on its way
 */
#include <stdlib.h>

#include "bench.h"

#define ROUNDS	20000u

/* ns for a cache line to the host and another one back. */
double ping_pong(void)
{
	double t0;
	u32 i;

	host_order(HOST_PING);
	t0 = cpu_now();
	for (i = 0; i < ROUNDS; i++) {
		__atomic_store_n(&bench.ping, bench.ping + 1,
				 __ATOMIC_RELEASE);
		while (__atomic_load_n(&bench.pong, __ATOMIC_ACQUIRE) !=
		       bench.ping)
			;
	}
	return (cpu_now() - t0) * 1e9 / ROUNDS;
}

static void write_one(u64 v)
{
	struct dfx_dev_lane *lane = &bench.w->lanes[0];
	struct dfx_dev_pool *pool = &bench.w->dpools[0];
	u64 *rec = dfx_dev_reserve(lane, pool, DFX_DEV_BLOCK);

	if (!rec)
		abort();
	rec[0] = v;
	dfx_dev_commit(lane, pool);
}

/* A pool of one buffer of one record: each record is a whole round. */
static double round_trip(void)
{
	double t0;
	u32 i;

	host_order(HOST_SERVE);
	write_one(0);
	t0 = cpu_now();
	for (i = 0; i < ROUNDS; i++)
		write_one(i);
	return (cpu_now() - t0) * 1e9 / ROUNDS;
}

static const struct dfx_limits single = {
	.buffers = 1, .records = 1, .slots = 1, .rq_depth = 1,
};

void measure_handoff(struct row *row, u32 recovery)
{
	u32 i;

	region_open(DFX_SUBSYS_L2_SWIMLANE, single, recovery);
	for (i = 0; i < BENCH_REPS; i++) {
		burst_begin();
		row->a[i] = round_trip();
		row->b[i] = ping_pong();
		burst_end();
	}
	row->nr = BENCH_REPS;
	region_close();
}
