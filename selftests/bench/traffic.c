// SPDX-License-Identifier: GPL-2.0-only
/*
 * traffic.c - bytes that the shadow transport copies for each byte of records
 *
 * An a5 device: five lanes, 108 cores, buffers of 32 KiB, records at a steady rate.
 * What a copy costs depends on the bus; how many bytes are copied does not.
 */
#include <stdlib.h>

#include "bench.h"

#define LANES	5
#define CORES	22	/* of each lane: 110 in all */
#define CHUNK	64u	/* records between two looks at the clock */

static u64 copied(void)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < DFX_NR_COPIED; i++)
		sum += bench.w->host.io.copied[i];
	return sum;
}

/* One buffer's worth for each core, at @rate bytes a second; 0: at full speed. */
static void rotate(double rate)
{
	u32 n = bench.w->host.geom.pools[0].capacity;
	u32 size = bench.w->host.geom.pools[0].record_size;
	double t0 = cpu_now();
	u64 bytes = 0, *rec;
	u32 i, p, k;

	for (i = 0; i < n; i += CHUNK) {
		for (p = 0; p < LANES * CORES; p++) {
			struct dfx_dev_pool *pool = &bench.w->dpools[p];

			for (k = i; k < n && k < i + CHUNK; k++) {
				rec = dfx_dev_reserve(&bench.w->lanes[pool->lane],
						      pool, DFX_DEV_BLOCK);
				if (!rec)
					abort();
				rec[0] = k;
				dfx_dev_commit(&bench.w->lanes[pool->lane],
					       pool);
				bytes += size;
			}
			while (rate && cpu_now() - t0 < bytes / rate)
				dfx_port_relax();
		}
	}
}

/* Until the host has all that rotations before the last have published. */
static u64 settle(u64 rotations)
{
	u64 want = (rotations - 1) * LANES * CORES *
		   bench.w->host.geom.pools[0].capacity;
	u64 have;

	do {
		dfx_port_relax();
		have = __atomic_load_n(&bench.delivered, __ATOMIC_ACQUIRE);
	} while (have < want);
	return have;
}

void measure_traffic(struct row *row, double rate)
{
	u64 from, records;
	u32 i;

	bench.w = world_new(&(struct world_config){
		.subsys = DFX_SUBSYS_L2_SWIMLANE, .lanes = LANES,
		.pools_per_lane = CORES, .shadow = true,
	});
	bench.w->bus.hasty = true;
	bench.w->host.io.look_ns = DFX_SHADOW_LOOK_NS;
	bench.delivered = 0;
	if (world_start(bench.w, 1, 60 * DFX_PORT_POSIX_HZ,
			DFX_RECOVERY_GLOBAL))
		abort();
	for (i = 0; i < LANES; i++)
		if (dfx_dev_poll(&bench.w->lanes[i]))
			abort();
	host_order(HOST_COPY);
	/* The first buffers are published at once, and the first looks are long. */
	rotate(rate);
	rotate(rate);
	for (i = 0; i < TRAFFIC_REPS; i++) {
		records = settle(i + 2);
		from = copied();
		rotate(rate);
		row->b[i] = (settle(i + 3) - records) *
			    bench.w->host.geom.pools[0].record_size;
		row->a[i] = copied() - from;
	}
	row->nr = TRAFFIC_REPS;
	host_order(HOST_IDLE);
	if (bench.w->seen.faults)
		abort();
	world_free(bench.w);
	bench.w = NULL;
}
