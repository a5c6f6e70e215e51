// SPDX-License-Identifier: GPL-2.0-only
/*
 * incident.c - which lanes a freeze has stopped
 *
 * A freeze of either gate is one gap in the timeline of every lane that reaches a
 * gate while it lasts. Each lane says in which freeze it has waited last; that is
 * asked at the next opening and at the end of the session, so that a lane has
 * from the freeze until then to say so. It is a figure: nothing depends on it.
 */
#include <linux/kernel.h>
#include <asm/byteorder.h>

#include "host.h"

/* The row of the last incident; NULL if there was none, or no row is left. */
static struct dfx_incident *dfx_incident_row(struct dfx_host *host)
{
	u64 n = host->nr_incidents;

	if (!host->incidents || !n || n > DFX_MAX_INCIDENTS)
		return NULL;
	return &host->incidents[n - 1];
}

/**
 * dfx_incident_ask() - see which lanes have waited in the last incident
 * @host: the region; RUNNING or STOPPING.
 */
void dfx_incident_ask(struct dfx_host *host)
{
	struct dfx_incident *row = dfx_incident_row(host);
	u64 lanes = 0;
	u32 lane;

	if (!row)
		return;
	/* If it fails, some say so the next time, or not. */
	dfx_pull_lanes(host);
	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		if (dfx_control_lane_live(host, lane) &&
		    dfx_load32(host, dfx_off_lane(host, lane) +
			       offsetof(struct dfx_shm_lane, incident)) ==
		    le32_to_cpu(row->number))
			lanes |= BIT_ULL(lane);
	row->lanes |= cpu_to_le64(lanes);
}

/* A new one, with its number where the lanes find it before they see a flag. */
static void dfx_incident_begin(struct dfx_host *host, u64 now_ns)
{
	struct dfx_incident *row;

	dfx_incident_ask(host);
	host->nr_incidents++;
	row = dfx_incident_row(host);
	if (row)
		*row = (struct dfx_incident){
			.open_ns = cpu_to_le64(now_ns),
			.number = cpu_to_le32(host->nr_incidents),
		};
	/* Before (E). */
	dfx_store32(host, host->geom.freeze_off +
		    offsetof(struct dfx_shm_freeze, incident),
		    lower_32_bits(host->nr_incidents));
}

/**
 * dfx_incident_open() - a gate is about to be opened
 * @host: the region; RUNNING.
 * @gate: which; closed.
 * @now_ns: CLOCK_MONOTONIC.
 */
void dfx_incident_open(struct dfx_host *host, u32 gate, u64 now_ns)
{
	struct dfx_incident *row;

	if (!dfx_frozen(host))
		dfx_incident_begin(host, now_ns);
	row = dfx_incident_row(host);
	if (row)
		row->gates |= cpu_to_le32(1u << gate);
}

/**
 * dfx_incident_close() - both gates have been closed
 * @host: the region.
 * @now_ns: CLOCK_MONOTONIC.
 */
void dfx_incident_close(struct dfx_host *host, u64 now_ns)
{
	struct dfx_incident *row = dfx_incident_row(host);

	if (row && !row->close_ns)
		row->close_ns = cpu_to_le64(now_ns);
}

/**
 * dfx_incident_reset() - a session starts
 * @host: the region.
 */
void dfx_incident_reset(struct dfx_host *host)
{
	host->nr_incidents = 0;
	dfx_store32(host, host->geom.freeze_off +
		    offsetof(struct dfx_shm_freeze, incident), 0);
}

/**
 * dfx_incident_listed() - rows of &struct dfx_host.incidents that are filled
 * @host: the region.
 */
u32 dfx_incident_listed(const struct dfx_host *host)
{
	return host->incidents ?
	       min_t(u64, host->nr_incidents, DFX_MAX_INCIDENTS) : 0;
}
