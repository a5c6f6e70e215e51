// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * snapshot.c - a region's state with arrays that fit
 */
#include <errno.h>
#include <stdlib.h>

#include "snapshot.h"

/* The pools may change between two calls, though hardly more than once. */
#define MAX_TRIES	8

static int grow(struct snapshot *s)
{
	void *p;

	if (s->state.nr_lanes > s->cap_lanes) {
		p = realloc(s->lanes, s->state.nr_lanes * sizeof(*s->lanes));
		if (!p)
			return -ENOMEM;
		s->lanes = p;
		s->cap_lanes = s->state.nr_lanes;
	}
	if (s->state.nr_pools > s->cap_pools) {
		p = realloc(s->pools, s->state.nr_pools * sizeof(*s->pools));
		if (!p)
			return -ENOMEM;
		s->pools = p;
		s->cap_pools = s->state.nr_pools;
	}
	return 0;
}

static int take(struct dfx *dfx, struct snapshot *s, bool pools)
{
	int i, ret;

	for (i = 0; i < MAX_TRIES; i++) {
		ret = dfx_state_get(dfx, &s->state, s->lanes, s->cap_lanes,
				    s->pools, pools ? s->cap_pools : 0);
		if (ret)
			return ret;
		if (s->state.nr_lanes <= s->cap_lanes &&
		    (!pools || s->state.nr_pools <= s->cap_pools))
			return 0;
		ret = grow(s);
		if (ret)
			return ret;
	}
	return -EAGAIN;
}

int snapshot_take(struct dfx *dfx, struct snapshot *s)
{
	return take(dfx, s, true);
}

int snapshot_take_lanes(struct dfx *dfx, struct snapshot *s)
{
	return take(dfx, s, false);
}

void snapshot_free(struct snapshot *s)
{
	free(s->lanes);
	free(s->pools);
}

bool snapshot_runs_complete(const struct snapshot *s)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < s->state.nr_lanes; i++) {
		if (!(s->lanes[i].flags & DFX_LANE_F_ENABLED))
			continue;
		if (!s->lanes[i].runs)
			return false;
		any = true;
	}
	return any;
}
