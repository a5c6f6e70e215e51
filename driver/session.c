// SPDX-License-Identifier: GPL-2.0-only
/*
 * session.c - START, STOP, flush, linger, RESET, policy
 *
 * The control calls only ask; the kthread does, and wakes who waits.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/random.h>

#include "dfx_drv.h"
#include "trace.h"

/* How long the lanes have to answer a STOP or a RESET. */
#define DFX_STOP_NS	(900 * NSEC_PER_MSEC)

static void dfx_session_trace(struct dfx_region *region)
{
	trace_dfx_session(MINOR(region->dev.devt), region->host.session,
			  region->host.state);
}

/**
 * dfx_session_ended() - whether the last session is over and done with
 * @region: the region; locked.
 */
bool dfx_session_ended(const struct dfx_region *region)
{
	return region->host.state == DFX_SESSION_IDLE ||
	       (region->host.state == DFX_SESSION_DRAINING &&
		dfx_account_idle(&region->host));
}

/* Kinds that a level has and the device can write. */
static u32 dfx_session_kinds(const struct dfx_region *region, u32 level)
{
	const struct dfx_subsys_desc *desc = region->desc;
	u32 i, kinds = 0;

	for (i = 0; i < desc->nr_kinds; i++)
		if (desc->kinds[i].min_level <= level)
			kinds |= BIT(desc->kinds[i].kind);
	return kinds & dfx_info_kinds(&region->info, desc->id);
}

/* Whether a consumer other than @f still has to read to the end. */
static bool dfx_session_unread(const struct dfx_file *f)
{
	const struct dfx_region *region = f->region;
	u64 session = region->host.session;
	const struct dfx_file *other;

	list_for_each_entry(other, &region->files, node)
		if (other != f && other->lanes && session &&
		    other->session_sent == session &&
		    other->end_sent != session)
			return true;
	return false;
}

/**
 * dfx_session_start() - START
 * @f: the file that asks; its region is locked and not gone.
 * @lanes: bit mask of lanes.
 * @args: level, kinds and param; out_session is filled in.
 *
 * Return: 0, -EBUSY, -EINVAL, -EIO as &struct dfx_start says.
 */
int dfx_session_start(struct dfx_file *f, u64 lanes, struct dfx_start *args)
{
	struct dfx_region *region = f->region;
	const struct dfx_subsys_desc *desc = region->desc;
	const struct dfx_info *info = &region->info;
	struct dfx_host_session s = {
		.lane_mask = lanes,
		.level = args->level ?: desc->default_level,
		.recovery = region->policy.recovery,
		.param = args->param,
	};
	u64 now_ns = ktime_get_ns();
	u32 all;
	int err;

	lockdep_assert_held(&region->lock);
	if (!dfx_session_ended(region) || dfx_session_unread(f))
		return -EBUSY;
	if (!lanes || lanes & ~GENMASK_ULL(info->nr_lanes - 1, 0) ||
	    s.level > desc->max_level)
		return -EINVAL;
	all = dfx_session_kinds(region, s.level);
	s.kinds = args->kinds ?: all;
	if (!s.kinds || s.kinds & ~all)
		return -EINVAL;
	if (info->watchdog_us &&
	    region->policy.deadline_ms * 1000ull >= info->watchdog_us) {
		dev_notice(&region->dev,
			   "START refused: deadline %u ms is not below the device's watchdog, %llu us\n",
			   region->policy.deadline_ms, info->watchdog_us);
		return -EINVAL;
	}
	/* At most 2^32 ms times 10^10 Hz: divide first. */
	s.deadline = max_t(u64, 1, div_u64(info->counter_hz, 1000) *
			   region->policy.deadline_ms);
	do {
		s.session = get_random_u64();
	} while (!s.session || s.session == region->host.session);

	err = dfx_control_start(&region->host, &s);
	if (err) {
		/* If the device is found to have gone, the thread acts on it. */
		dfx_region_kick(region);
		return err;
	}
	region->level = s.level;
	region->kinds = s.kinds;
	region->start_ns = now_ns;
	region->start_realtime_ns = ktime_get_real_ns();
	region->end_ns = 0;
	region->lonely_ns = now_ns;
	args->out_session = s.session;
	dfx_session_trace(region);
	dfx_region_kick(region);
	dfx_region_wake(region);
	return 0;
}

static void dfx_session_begin_stop(struct dfx_region *region, u64 now_ns)
{
	dfx_control_stop(&region->host, now_ns);
	region->end_ns = now_ns;
	region->stop_by_ns = now_ns + DFX_STOP_NS;
	dfx_session_trace(region);
	dfx_region_kick(region);
}

/**
 * dfx_session_tick() - what time and the lanes' answers bring about
 * @region: the region; locked, not gone.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * Called by the kthread after each pass.
 */
void dfx_session_tick(struct dfx_region *region, u64 now_ns)
{
	struct dfx_host *host = &region->host;
	bool lonely = !region->nr_consumers &&
		      now_ns - region->lonely_ns >=
		      region->policy.linger_ms * NSEC_PER_MSEC;

	if (host->state == DFX_SESSION_RUNNING && lonely) {
		dev_notice(&region->dev,
			   "no consumer for %u ms, the session ends\n",
			   region->policy.linger_ms);
		dfx_session_begin_stop(region, now_ns);
	}
	if (host->state == DFX_SESSION_STOPPING &&
	    (!dfx_control_pending(host) || now_ns >= region->stop_by_ns) &&
	    !dfx_control_end(host, now_ns)) {
		dfx_session_trace(region);
		dfx_region_wake(region);
	}
	if (host->state == DFX_SESSION_DRAINING) {
		if (lonely)
			dfx_table_discard(host);
		if (dfx_account_idle(host)) {
			host->state = DFX_SESSION_IDLE;
			dfx_session_trace(region);
			dfx_region_wake(region);
		}
	}
}

/* Waits, unlocked, for the next wake-up; -EINTR or -ENODEV, else 0. */
static int dfx_session_wait(struct dfx_region *region, u64 timeout_ns)
{
	u32 seq = region->wake_seq;
	int err;

	mutex_unlock(&region->lock);
	err = wait_event_interruptible_hrtimeout(region->wait,
						 READ_ONCE(region->wake_seq) !=
						 seq, ns_to_ktime(timeout_ns));
	mutex_lock(&region->lock);
	if (region->gone)
		return -ENODEV;
	return err == -ERESTARTSYS ? -EINTR : 0;
}

static int dfx_session_wait_stopped(struct dfx_region *region)
{
	int err = 0;

	while (!err && region->host.state == DFX_SESSION_STOPPING)
		err = dfx_session_wait(region, DFX_STOP_NS);
	return err;
}

/**
 * dfx_session_stop() - STOP
 * @region: the region; locked, not gone; unlocked meanwhile.
 * @session: set to the session's id.
 * @silent: set to the lanes that did not answer.
 *
 * Return: 0, -EINVAL, -EINTR, -ENODEV.
 */
int dfx_session_stop(struct dfx_region *region, u64 *session, u64 *silent)
{
	struct dfx_host *host = &region->host;
	u32 lane;
	int err;

	if (host->state != DFX_SESSION_RUNNING &&
	    host->state != DFX_SESSION_STOPPING)
		return -EINVAL;
	*session = host->session;
	if (host->state == DFX_SESSION_RUNNING)
		dfx_session_begin_stop(region, ktime_get_ns());
	err = dfx_session_wait_stopped(region);
	if (err)
		return err;
	for (lane = 0; lane < host->geom.nr_lanes; lane++)
		if (host->lanes[lane].enabled && host->lanes[lane].silent)
			*silent |= BIT_ULL(lane);
	return 0;
}

/**
 * dfx_session_flush() - FLUSH
 * @region: the region; locked, not gone; unlocked meanwhile.
 * @args: in and out.
 *
 * Return: 0, -EINVAL, -ETIMEDOUT, -EINTR, -ENODEV.
 */
int dfx_session_flush(struct dfx_region *region, struct dfx_flush *args)
{
	struct dfx_host *host = &region->host;
	u64 until, session = host->session;
	u32 number;
	int err = 0;

	if (host->state != DFX_SESSION_RUNNING)
		return -EINVAL;
	dfx_control_flush(host);
	dfx_region_kick(region);
	number = host->flush;
	args->out_number = number;
	until = ktime_get_ns() + min_t(u64, args->timeout_ns, S64_MAX / 2);
	for (;;) {
		/* Another session, or a later flush, answers this one too. */
		if (host->state != DFX_SESSION_RUNNING ||
		    host->session != session)
			return 0;
		args->out_pending = dfx_control_unflushed(host);
		if (!args->out_pending || !args->timeout_ns)
			return 0;
		if (err)
			return err;
		if (ktime_get_ns() >= until)
			return -ETIMEDOUT;
		/* Lanes answer in shared memory: nothing wakes us for it. */
		err = dfx_session_wait(region, NSEC_PER_MSEC);
	}
}

/**
 * dfx_session_reset() - RESET
 * @region: the region; locked, not gone; unlocked meanwhile.
 * @revived: set to the lanes that were revived.
 *
 * Return: 0, -EBUSY, -EINTR, -ENODEV.
 */
int dfx_session_reset(struct dfx_region *region, u64 *revived)
{
	struct dfx_host *host = &region->host;
	u64 until, ill = 0;
	int err = 0;
	u32 i;

	/* Somebody may start the next one before this call wakes up. */
	while (host->state == DFX_SESSION_RUNNING ||
	       host->state == DFX_SESSION_STOPPING) {
		if (host->state == DFX_SESSION_RUNNING)
			dfx_session_begin_stop(region, ktime_get_ns());
		err = dfx_session_wait_stopped(region);
		if (err)
			return err;
	}
	for (i = 0; i < host->geom.nr_pools; i++)
		if (host->pools[i].nr[DFX_OWNER_HELD])
			return -EBUSY;
	dfx_table_discard(host);
	host->state = DFX_SESSION_IDLE;

	for (i = 0; i < host->geom.nr_lanes; i++)
		if (host->lanes[i].fault || host->lanes[i].silent)
			ill |= BIT_ULL(i);
	until = ktime_get_ns() + DFX_STOP_NS;
	for (;;) {
		*revived |= dfx_control_revive(host);
		if (*revived == ill || ktime_get_ns() >= until)
			break;
		err = dfx_session_wait(region, NSEC_PER_MSEC);
		/* A session that has started since has left the others out. */
		if (err || host->state != DFX_SESSION_IDLE)
			break;
	}
	region->events++;
	dfx_session_trace(region);
	dfx_region_wake(region);
	return err;
}

/**
 * dfx_session_set_policy() - POLICY
 * @region: the region; locked, not gone.
 * @policy: what is asked for.
 *
 * Return: 0, -EBUSY, -EINVAL, -ENOSPC, -ENOMEM, -EIO.
 */
int dfx_session_set_policy(struct dfx_region *region,
			   const struct dfx_policy *policy)
{
	const struct dfx_limits limits = {
		.buffers = policy->buffers,
		.records = policy->records,
		.slots = policy->slots,
		.rq_depth = policy->rq_depth,
		.arena_kb = policy->arena_kb,
	};
	u32 lane;
	int err;

	if (policy->recovery > DFX_RECOVERY_LANE || policy->delay_us > 100000)
		return -EINVAL;
	if (!dfx_session_ended(region) || region->nr_consumers)
		return -EBUSY;
	/* A lane that has not left the last session still uses its geometry. */
	for (lane = 0; lane < region->host.geom.nr_lanes; lane++)
		if (region->host.lanes[lane].silent)
			return -EBUSY;
	region->host.state = DFX_SESSION_IDLE;
	err = dfx_region_tables(region, &limits);
	if (err)
		return err;
	region->policy.recovery = policy->recovery;
	region->policy.deadline_ms = policy->deadline_ms ?: 30000;
	region->policy.linger_ms = policy->linger_ms ?: 30000;
	region->policy.delay_us = policy->delay_us;
	return 0;
}
