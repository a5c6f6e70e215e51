// SPDX-License-Identifier: GPL-2.0-only
/*
 * region.c - a region with one lane and one pool, between the two threads
 */
#include <stdlib.h>

#include "bench.h"

#define MINUTE	(60 * DFX_PORT_POSIX_HZ)

/* The host must be idle. */
void region_open(u32 subsys, struct dfx_limits limits, u32 recovery)
{
	bench.w = world_new(&(struct world_config){
		.subsys = subsys, .lanes = 1, .pools_per_lane = 1,
		.limits = limits,
	});
	bench.delivered = 0;
	if (world_start(bench.w, 1, MINUTE, recovery) ||
	    dfx_dev_poll(&bench.w->lanes[0]))
		abort();
}

/* Nothing may have been lost, whatever was measured. */
void region_close(void)
{
	struct dfx_pool_state s;
	u32 i;

	host_order(HOST_IDLE);
	dfx_account_pool(&bench.w->host, 0, &s);
	for (i = 0; i < DFX_NR_DROP; i++)
		if (s.dropped[i])
			abort();
	if (!world_identity(&s) || bench.w->seen.faults)
		abort();
	world_free(bench.w);
	bench.w = NULL;
}
