// SPDX-License-Identifier: GPL-2.0-only
/*
 * control.c - what the host asks of the lanes, and who still follows
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <asm/byteorder.h>

#include "host.h"

#define DFX_CTL(host, field) \
	((host)->geom.host_off + offsetof(struct dfx_shm_ctl, field))

/*
 * Writes the control line as one change: the sequence is odd while the fields
 * move, and the even value that ends it is released (C).
 */
static void dfx_control_write(struct dfx_host *host, u32 state, u64 session,
			      u32 generation)
{
	dfx_store32(host, DFX_CTL(host, seq), host->ctl_seq + 1);
	dfx_store32(host, DFX_CTL(host, state), state);
	/* Lanes look at it in every turn of a wait: no copy, but two words. */
	dfx_store32(host, DFX_CTL(host, session), lower_32_bits(session));
	dfx_store32(host, DFX_CTL(host, session) + sizeof(__le32),
		    upper_32_bits(session));
	dfx_store32(host, DFX_CTL(host, flush), host->flush);
	dfx_store32(host, DFX_CTL(host, generation), generation);
	host->ctl_seq += 2;
	dfx_store32(host, DFX_CTL(host, seq), host->ctl_seq);
}

/**
 * dfx_control_init() - first contact with a region's memory
 * @host: the region; io, geom, tables and generation are set.
 *
 * Goes on from the sequence that an earlier host may have left there, so that
 * lanes which still watch it notice the change.
 *
 * Return: 0 or -EIO.
 */
int dfx_control_init(struct dfx_host *host)
{
	__le32 seq;
	u32 lane;

	if (host->io.ops->read(&host->io, DFX_CTL(host, seq), &seq,
			       sizeof(seq)))
		return -EIO;
	host->ctl_seq = le32_to_cpu(seq) & ~1u;
	/*
	 * The one time that the host writes a lane's word: nobody has attached
	 * to this generation yet, and what memory held before is no answer.
	 */
	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		dfx_store32(host, dfx_off_lane(host, lane) +
			    offsetof(struct dfx_shm_lane, ack), 0);
	host->state = DFX_SESSION_IDLE;
	dfx_control_write(host, DFX_CTL_IDLE, 0, host->generation);
	return 0;
}

/**
 * dfx_control_lane_live() - whether a lane's shared words are looked at
 * @host: the region.
 * @lane: the lane.
 */
bool dfx_control_lane_live(const struct dfx_host *host, u32 lane)
{
	const struct dfx_hlane *l = &host->lanes[lane];

	return l->enabled && l->attached && !l->fault;
}

static u32 dfx_control_ack(struct dfx_host *host, u32 lane)
{
	/* Pairs with the lane's release store: its words are reset. */
	return dfx_load32(host, dfx_off_lane(host, lane) +
			  offsetof(struct dfx_shm_lane, ack));
}

/**
 * dfx_control_check_acks() - see which lanes have joined the session
 * @host: the region; the lanes' words pulled.
 */
void dfx_control_check_acks(struct dfx_host *host)
{
	u64 joined = 0;
	u32 lane, ack;

	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		struct dfx_hlane *l = &host->lanes[lane];

		if (!l->enabled || l->attached || l->fault)
			continue;
		ack = dfx_control_ack(host, lane);
		/* An older ack is one that the lane has not overtaken yet. */
		if (ack - host->start_seq <= host->ctl_seq - host->start_seq)
			joined |= BIT_ULL(lane);
	}
	if (!joined)
		return;
	/*
	 * What the lane has reset before the ack: seen only by a
	 * look that comes after the one that showed it. Failing that, later.
	 */
	if (dfx_look_lanes(host) || dfx_pull_pools(host))
		return;
	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		if (joined & BIT_ULL(lane))
			host->lanes[lane].attached = true;
}

/* The device may still write to what it has: nobody gets it. */
static void dfx_control_quarantine(struct dfx_host *host, u32 lane)
{
	u32 id;

	for (id = 0; id < host->geom.nr_buffers; id++)
		if (host->geom.pools[host->bufs[id].pool].lane == lane &&
		    !dfx_table_move(host, id, DFX_OWNER_QUEUED,
				    DFX_OWNER_QUARANTINE))
			dfx_table_move(host, id, DFX_OWNER_DEVICE,
				       DFX_OWNER_QUARANTINE);
}

/**
 * dfx_control_fault() - a lane has broken the protocol
 * @host: the region.
 * @lane: the lane.
 * @fault: DFX_FAULT_*.
 * @val: what was found.
 */
void dfx_control_fault(struct dfx_host *host, u32 lane, u32 fault, u64 val)
{
	struct dfx_hlane *l = &host->lanes[lane];

	if (l->fault)
		return;
	l->fault = fault;
	dfx_control_quarantine(host, lane);
	/* An honest lane would go on marking, and freeze the others. */
	dfx_store32(host, dfx_off_rq_head(host, lane) +
		    offsetof(struct dfx_shm_rq_head, refused), 1);
	if (host->ops && host->ops->fault)
		host->ops->fault(host, lane, fault, val);
}

/**
 * dfx_control_start() - start a session
 * @host: the region; IDLE, and no buffer READY or HELD.
 * @session: with what.
 *
 * Return: 0; -EIO if every lane asked for is in FAULT or silent, or the region
 * could not be reached.
 */
int dfx_control_start(struct dfx_host *host,
		      const struct dfx_host_session *session)
{
	struct {
		__le64 session;
		__le64 lane_mask;
		__le64 deadline;
		__le32 level;
		__le32 kinds;
		__le32 recovery;
		__le32 param;
	} hdr = {
		.session = cpu_to_le64(session->session),
		.deadline = cpu_to_le64(session->deadline),
		.level = cpu_to_le32(session->level),
		.kinds = cpu_to_le32(session->kinds),
		.recovery = cpu_to_le32(session->recovery),
		.param = cpu_to_le32(session->param),
	};
	u32 lane, pool, gate;
	u64 mask = session->lane_mask;

	BUILD_BUG_ON(sizeof(hdr) !=
		     offsetofend(struct dfx_shm_region, param) -
		     offsetof(struct dfx_shm_region, session));

	if (dfx_look_lanes(host))
		return -EIO;
	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		struct dfx_hlane *l = &host->lanes[lane];

		/* A silent lane that has caught up since is welcome again. */
		if (l->silent && dfx_control_ack(host, lane) == host->ctl_seq)
			l->silent = false;
		if (l->fault || l->silent)
			mask &= ~BIT_ULL(lane);
	}
	if (!mask)
		return -EIO;
	hdr.lane_mask = cpu_to_le64(mask);
	if (host->io.ops->write(&host->io,
				offsetof(struct dfx_shm_region, session), &hdr,
				sizeof(hdr)))
		return -EIO;

	dfx_table_init(host);
	for (gate = 0; gate < DFX_NR_GATE; gate++)
		host->freeze[gate] = (struct dfx_freeze_stat){ };
	dfx_incident_reset(host);
	dfx_store32(host, host->geom.freeze_off +
		    offsetof(struct dfx_shm_freeze, rq_freeze_active), 0);
	dfx_store32(host, host->geom.freeze_off +
		    offsetof(struct dfx_shm_freeze, fq_freeze_active), 0);
	dfx_store32(host, host->geom.dev_off +
		    offsetof(struct dfx_shm_contended, rq_contended), 0);
	dfx_store32(host, host->geom.dev_off +
		    offsetof(struct dfx_shm_contended, fq_contended), 0);

	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		struct dfx_hlane *l = &host->lanes[lane];

		l->enabled = mask & BIT_ULL(lane);
		l->attached = false;
		l->rq_head = 0;
		l->order = 0;
		l->copy_failures = 0;
		l->entries = 0;
		l->bad_entries = 0;
		dfx_arena_reset(host, lane);
		dfx_store32(host, dfx_off_rq_head(host, lane), 0);
		dfx_store32(host, dfx_off_rq_head(host, lane) +
			    offsetof(struct dfx_shm_rq_head, refused), 0);
		dfx_event_reset(host, lane);
	}
	for (pool = 0; pool < host->geom.nr_pools; pool++) {
		dfx_store32(host, dfx_off_fq(host, pool), 0);
		/* A lane that is in nobody's session gets no buffer. */
		if (host->lanes[host->geom.pools[pool].lane].enabled)
			dfx_replenish_pool(host, pool);
	}

	host->session = session->session;
	host->lane_mask = mask;
	host->recovery = session->recovery;
	host->flush = 0;
	host->state = DFX_SESSION_RUNNING;
	dfx_control_write(host, DFX_CTL_RUNNING, host->session,
			  host->generation);
	host->start_seq = host->ctl_seq;
	return 0;
}

/**
 * dfx_control_stop() - ask the lanes to publish what they have and to stop
 * @host: the region; RUNNING.
 * @now_ns: CLOCK_MONOTONIC.
 */
void dfx_control_stop(struct dfx_host *host, u64 now_ns)
{
	host->state = DFX_SESSION_STOPPING;
	dfx_control_write(host, DFX_CTL_STOPPING, host->session,
			  host->generation);
	/* After the request: a lane that wakes from its park sees it. */
	dfx_pass_close_freeze(host, now_ns, false);
}

/* Lanes that have not acknowledged; their words pulled. */
static u64 dfx_control_behind(struct dfx_host *host)
{
	u64 behind = 0;
	u32 lane;

	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		if (host->lanes[lane].enabled && !host->lanes[lane].fault &&
		    dfx_control_ack(host, lane) != host->ctl_seq)
			behind |= BIT_ULL(lane);
	return behind;
}

static int dfx_control_look(struct dfx_host *host, u64 *pending)
{
	u32 lane;

	if (dfx_look_lanes(host))
		return -EIO;
	/* One that has joined since the last pass may have entries, too. */
	dfx_control_check_acks(host);
	*pending = dfx_control_behind(host);
	/* The ack first: after it no entry is added. */
	if (dfx_look_lanes(host))
		return -EIO;
	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		if (dfx_control_lane_live(host, lane) &&
		    dfx_drain_fill(host, lane))
			*pending |= BIT_ULL(lane);
	return 0;
}

/**
 * dfx_control_pending() - lanes that have not done what was asked last
 * @host: the region.
 *
 * A lane is done when it has acknowledged and its ready queue is empty. While
 * the region cannot be reached nobody is done.
 */
u64 dfx_control_pending(struct dfx_host *host)
{
	u64 pending;

	return dfx_control_look(host, &pending) ? host->lane_mask : pending;
}

/**
 * dfx_control_end() - the lanes have stopped, or were given up
 * @host: the region; STOPPING.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * Lanes that are still pending become silent; what they had recorded is
 * recovered, and their other buffers are put into quarantine. Those of the lanes
 * that answered go back to their pools at the next start.
 *
 * Whatever has been published is taken first: a pass takes no more than its
 * budget, and none follows.
 *
 * Return: 0; -EIO if the lanes' last words could not be had, and the session
 * has not ended.
 */
int dfx_control_end(struct dfx_host *host, u64 now_ns)
{
	u32 lane, pool;
	u64 pending;
	struct dfx_drained drained;

	/* The acks, the entries, then the figures that they stand for. */
	if (dfx_control_look(host, &pending))
		return -EIO;
	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		dfx_drain_lane(host, lane, host->geom.rq_depth, now_ns,
			       &drained);
	if (dfx_control_look(host, &pending) || dfx_pull_pools(host))
		return -EIO;
	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		if (pending & BIT_ULL(lane)) {
			host->lanes[lane].silent = true;
			dfx_recover_lane(host, lane, now_ns);
			dfx_control_quarantine(host, lane);
		}
	for (pool = 0; pool < host->geom.nr_pools; pool++)
		dfx_account_device(host, pool);
	dfx_incident_ask(host);
	/* Nobody waits for the answer to this one. */
	dfx_event_disarm(host);
	host->state = DFX_SESSION_DRAINING;
	dfx_control_write(host, DFX_CTL_IDLE, 0, host->generation);
	return 0;
}

/**
 * dfx_control_flush() - ask the lanes to publish their partial buffers
 * @host: the region; RUNNING.
 */
void dfx_control_flush(struct dfx_host *host)
{
	host->flush++;
	dfx_control_write(host, DFX_CTL_RUNNING, host->session,
			  host->generation);
}

/**
 * dfx_control_unflushed() - lanes that have not answered the last flush
 * @host: the region; RUNNING.
 */
u64 dfx_control_unflushed(struct dfx_host *host)
{
	u64 pending = 0;
	u32 lane, ack;

	/* Too old an answer is none. */
	dfx_look_lanes(host);
	/* A lane that has joined since the last pass may have records too. */
	dfx_control_check_acks(host);
	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		if (!dfx_control_lane_live(host, lane))
			continue;
		ack = dfx_load32(host, dfx_off_lane(host, lane) +
				 offsetof(struct dfx_shm_lane, flush_ack));
		if (ack != host->flush)
			pending |= BIT_ULL(lane);
	}
	return pending;
}

/**
 * dfx_control_revive() - forget faults and silence of lanes that follow again
 * @host: the region; IDLE or DRAINING.
 *
 * Return: lanes that were revived. A lane that has not acknowledged the end of
 * the session stays as it is.
 */
u64 dfx_control_revive(struct dfx_host *host)
{
	u64 revived = 0;
	u32 lane;

	dfx_look_lanes(host);
	for (lane = 0; lane < host->geom.nr_lanes; lane++) {
		struct dfx_hlane *l = &host->lanes[lane];

		if ((!l->fault && !l->silent) ||
		    dfx_control_ack(host, lane) != host->ctl_seq)
			continue;
		l->fault = DFX_FAULT_NONE;
		l->silent = false;
		revived |= BIT_ULL(lane);
	}
	return revived;
}

/**
 * dfx_control_gone() - tell the lanes that this host goes away
 * @host: the region.
 */
void dfx_control_gone(struct dfx_host *host)
{
	dfx_control_write(host, DFX_CTL_IDLE, 0, 0);
}
