// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * query.c - what a region is, how it is now, how it is to be
 */
#include <stdint.h>
#include <string.h>

#include "internal.h"

int dfx_query_get(struct dfx *dfx, struct dfx_query *query)
{
	int ret;

	memset(query, 0, sizeof(*query));
	query->size = sizeof(*query);
	ret = dfx->tr->ioctl(dfx->fd, DFX_IOC_QUERY, query);
	query->out_name[sizeof(query->out_name) - 1] = '\0';
	return ret;
}

int dfx_pools_get(struct dfx *dfx, struct dfx_pool_info *pools,
		  unsigned int nr)
{
	struct dfx_pools arg = {
		.size = sizeof(arg),
		.pools_uptr = (uintptr_t)pools,
		.nr_pools = nr,
	};
	int ret = dfx->tr->ioctl(dfx->fd, DFX_IOC_POOLS, &arg);

	return ret ? ret : (int)arg.nr_pools;
}

int dfx_state_get(struct dfx *dfx, struct dfx_state *state,
		  struct dfx_lane_state *lanes, unsigned int nr_lanes,
		  struct dfx_pool_state *pools, unsigned int nr_pools)
{
	memset(state, 0, sizeof(*state));
	state->size = sizeof(*state);
	state->lanes_uptr = (uintptr_t)lanes;
	state->nr_lanes = nr_lanes;
	state->pools_uptr = (uintptr_t)pools;
	state->nr_pools = nr_pools;
	return dfx->tr->ioctl(dfx->fd, DFX_IOC_STATE, state);
}

int dfx_policy_get(struct dfx *dfx, struct dfx_policy *policy)
{
	memset(policy, 0, sizeof(*policy));
	policy->size = sizeof(*policy);
	return dfx->tr->ioctl(dfx->fd, DFX_IOC_POLICY, policy);
}

int dfx_policy_set(struct dfx *dfx, struct dfx_policy *policy)
{
	policy->size = sizeof(*policy);
	policy->flags = DFX_POLICY_SET;
	return dfx->tr->ioctl(dfx->fd, DFX_IOC_POLICY, policy);
}
