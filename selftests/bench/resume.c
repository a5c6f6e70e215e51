// SPDX-License-Identifier: GPL-2.0-only
/*
 * resume.c - how long a freeze lasts beyond the draining that it waits for
 */
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

#define FREEZES	500u

/* From the consumer's last release to the lane's record, and what led to it. */
static double resumed_ns[FREEZES * BENCH_REPS];
static double drained_ns[FREEZES * BENCH_REPS];

/* Records until as many freezes have come and gone. */
static void freeze_often(double *resumed, double *drained)
{
	struct dfx_dev_lane *lane = &bench.w->lanes[0];
	struct dfx_dev_pool *pool = &bench.w->dpools[0];
	u64 last = 0, released;
	u32 i, n = 0;
	u64 *rec;

	host_order(HOST_HOLD);
	for (i = 0; n < FREEZES; i++) {
		rec = dfx_dev_reserve(lane, pool, DFX_DEV_BLOCK);
		if (!rec)
			abort();
		/* Pairs with the release store in the host's hold_ready(). */
		released = __atomic_load_n(&bench.released, __ATOMIC_ACQUIRE);
		if (released != last) {
			resumed[n] = (cpu_ticks() - released) *
				     cpu_ns_per_tick();
			drained[n++] = (released - bench.drain_from) *
				       cpu_ns_per_tick();
			last = released;
		}
		rec[0] = i;
		dfx_dev_commit(lane, pool);
	}
}

void measure_resume(struct row *row)
{
	u32 i;

	region_open(DFX_SUBSYS_L2_SWIMLANE,
		    (struct dfx_limits){ .buffers = 2, .slots = 2,
					 .rq_depth = 4 },
		    DFX_RECOVERY_GLOBAL);
	cpu_ns_per_tick();
	for (i = 0; i < BENCH_REPS; i++) {
		double *resumed = &resumed_ns[i * FREEZES];
		double *drained = &drained_ns[i * FREEZES];

		file_open();
		burst_begin();
		freeze_often(resumed, drained);
		row->a[i] = quantile(resumed, FREEZES, 0.5);
		/* Held buffers are released before anything else is done. */
		host_order(HOST_SERVE);
		row->b[i] = ping_pong();
		burst_end();
		close(bench.fd);
	}
	row->nr = BENCH_REPS;
	snprintf(row->note, sizeof(row->note),
		 "%u freezes: to lane running median %.2f us, p99 %.2f us; draining itself (two buffers to tmpfs) median %.2f us, p99 %.2f us",
		 FREEZES * BENCH_REPS,
		 quantile(resumed_ns, FREEZES * BENCH_REPS, 0.5) / 1e3,
		 quantile(resumed_ns, FREEZES * BENCH_REPS, 0.99) / 1e3,
		 quantile(drained_ns, FREEZES * BENCH_REPS, 0.5) / 1e3,
		 quantile(drained_ns, FREEZES * BENCH_REPS, 0.99) / 1e3);
	region_close();
}
