// SPDX-License-Identifier: GPL-2.0-only
/*
 * look.c - when the device's words are looked at
 *
 * Where the aperture is memory a look costs nothing. Where it is copied, the
 * lanes' words are one burst and the pools' words another, many times larger.
 * Which of them a pass can do without is decided here, from what it knows.
 */
#include <linux/kernel.h>

#include "host.h"

/* What a look at a lane takes: its words for queue, ack, state and flush. */
#define DFX_LOOK_LANE	(offsetof(struct dfx_shm_lane, flush_ack) + \
			 sizeof(__le32))
/* And at the marks. */
#define DFX_LOOK_MARKS	(offsetof(struct dfx_shm_contended, fq_contended) + \
			 sizeof(__le32))

/*
 * A pool that publishes is looked at with its entry, one that starves when its
 * lane says that it waits. What is left are buffers taken after a flush: for them
 * all pools are looked at once for each of this many times their words' size in
 * records, and after this time at the latest.
 */
#define DFX_SWEEP_SHARE		256
#define DFX_SWEEP_NS		1000000000ull
/* A lane waits: its pools are looked at this often. */
#define DFX_SWEEP_STARVED_NS	200000ull

/**
 * dfx_look_lanes() - see each lane's first words, now
 * @host: the region.
 *
 * The few that all depends on, and not whole lines: this is done so often that
 * even an idle device would see more bytes copied for it than for its records.
 *
 * Return: 0 or -EIO.
 */
int dfx_look_lanes(struct dfx_host *host)
{
	int err = 0;
	u32 lane;

	for (lane = 0; !err && lane < host->geom.nr_lanes; lane++)
		err = host->io.ops->pull(&host->io, dfx_off_lane(host, lane),
					 DFX_LOOK_LANE);
	return err;
}

/**
 * dfx_look() - see the marks and the lanes' words, if it is time to
 * @host: the region.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * In a freeze always. Pairs with (A), (D) and the lanes' acks; what was
 * published before any of these is in what is pulled or read after it.
 *
 * Return: 0 or -EIO.
 */
int dfx_look(struct dfx_host *host, u64 now_ns)
{
	int err;

	if (!dfx_frozen(host) &&
	    now_ns - host->looked_ns < host->io.look_ns)
		return 0;
	host->looked_ns = now_ns;
	err = host->io.ops->pull(&host->io, host->geom.dev_off, DFX_LOOK_MARKS);
	return err ?: dfx_look_lanes(host);
}

/**
 * dfx_look_again() - see what was published before a mark that is now cleared
 * @host: the region.
 *
 * A leader whose mark (F) has erased must be seen with all that it published
 * before the mark. A release alone lets what follows overtake the store, and
 * what was pulled together with the mark is in no order with it.
 *
 * Return: 0 or -EIO.
 */
int dfx_look_again(struct dfx_host *host)
{
	host->io.ops->full_barrier(&host->io);
	return dfx_look_lanes(host);
}

/* The lane has said that it waits for a buffer, or would if it still waited. */
static bool dfx_look_starved(struct dfx_host *host, u32 lane)
{
	u32 state;

	if (!dfx_control_lane_live(host, lane))
		return false;
	state = dfx_load32(host, dfx_off_lane(host, lane) +
			   offsetof(struct dfx_shm_lane, state));
	return state == DFX_LANE_PARKED_POP || state == DFX_LANE_HOST_GONE;
}

static int dfx_look_lane_pools(struct dfx_host *host, u32 lane)
{
	int err = 0;
	u32 pool;

	for (pool = 0; !err && pool < host->geom.nr_pools; pool++)
		if (host->geom.pools[pool].lane == lane)
			err = dfx_pull_pool_line(host, pool, 0);
	return err;
}

/**
 * dfx_look_sweep() - see the words of pools, if it is time to
 * @host: the region.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * Lanes that wait while a freeze is open wait for its end, and all pools are
 * looked at before that.
 *
 * Return: 0 or -EIO.
 */
int dfx_look_sweep(struct dfx_host *host, u64 now_ns)
{
	u64 len = host->geom.nr_pools * sizeof(struct dfx_shm_pool);
	int err = 0;
	u32 lane;

	if (host->swept_credit >= len * DFX_SWEEP_SHARE ||
	    now_ns - host->swept_ns >= DFX_SWEEP_NS) {
		host->swept_ns = now_ns;
		host->swept_credit = 0;
		return dfx_pull_pools(host);
	}
	if (dfx_frozen(host) ||
	    now_ns - host->starved_ns < DFX_SWEEP_STARVED_NS)
		return 0;
	host->starved_ns = now_ns;
	for (lane = 0; !err && lane < host->geom.nr_lanes; lane++)
		if (dfx_look_starved(host, lane))
			err = dfx_look_lane_pools(host, lane);
	return err;
}
