// SPDX-License-Identifier: GPL-2.0-only
/*
 * event.c - asks the lanes to ring, and not to
 *
 * Plain computation on the lines of struct dfx_shm_rq_head. That the doorbell is
 * there, and what a ring does, is somebody else's business.
 */
#include <linux/kernel.h>

#include "host.h"

static void dfx_event_store(struct dfx_host *host, u32 lane, u32 event,
			    u32 armed)
{
	u64 off = dfx_off_rq_head(host, lane);

	dfx_store32(host, off + offsetof(struct dfx_shm_rq_head, event),
		    event);
	dfx_store32(host, off + offsetof(struct dfx_shm_rq_head, armed),
		    armed);
}

/**
 * dfx_event_reset() - a lane that is asked for nothing
 * @host: the region; no lane follows a session.
 * @lane: the lane; its head is set.
 */
void dfx_event_reset(struct dfx_host *host, u32 lane)
{
	host->armed = false;
	/* Published already, so that no entry to come has this index. */
	dfx_event_store(host, lane, host->lanes[lane].rq_head - 1, 0);
}

/**
 * dfx_event_arm() - ask every lane to ring once there is something
 * @host: the region; RUNNING or STOPPING.
 *
 * (J). The caller may sleep only after it has looked at everything once more: a
 * lane that stored before the barrier here need not have seen the request. The
 * barrier pairs with (I) in the lane.
 */
void dfx_event_arm(struct dfx_host *host)
{
	u32 lane;

	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		const struct dfx_hlane *l = &host->lanes[lane];

		/* Nothing of a lane in FAULT is worth waking up for. */
		if (l->enabled && !l->fault)
			dfx_event_store(host, lane, l->rq_head, 1);
	}
	host->armed = true;
	/* And the look that follows is one, however short ago the last was. */
	host->looked_ns = 0;
	host->io.ops->full_barrier(&host->io);
}

/**
 * dfx_event_disarm() - whoever asked is awake and looks by itself
 * @host: the region.
 */
void dfx_event_disarm(struct dfx_host *host)
{
	u32 lane;

	if (!host->armed)
		return;
	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		if (host->lanes[lane].enabled)
			dfx_event_store(host, lane,
					host->lanes[lane].rq_head - 1, 0);
	host->armed = false;
}
