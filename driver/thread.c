// SPDX-License-Identifier: GPL-2.0-only
/*
 * thread.c - the replenish-and-freeze kthread: when to make a pass
 *
 * pace.c decides; this file asks it, arms the doorbell, and sleeps.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>

#include "doorbell.h"
#include "dfx_drv.h"
#include "pace.h"

/* Entries that one lane may hand over in one pass (R15). */
#define DFX_PASS_BUDGET		64

/* Takes what consumers released, and gives them what became ready. */
static bool dfx_thread_consumers(struct dfx_region *region, u64 now_ns,
				 bool give)
{
	struct dfx_file *f;
	bool moved = false;

	list_for_each_entry(f, &region->files, node) {
		if (!f->lanes || f->mode != DFX_MODE_RING)
			continue;
		if (give)
			moved |= dfx_consumer_give(f, now_ns);
		else
			moved |= dfx_consumer_take(f) > 0;
	}
	return moved;
}

/* Whether there are mapped rings, and whether one of them owes a release. */
static void dfx_thread_rings(const struct dfx_region *region,
			     struct dfx_pace_seen *seen)
{
	const struct dfx_file *f;

	list_for_each_entry(f, &region->files, node)
		if (f->lanes && f->mode == DFX_MODE_RING) {
			seen->ring = true;
			seen->owed |= f->held != 0;
		}
}

static void dfx_thread_bell(struct dfx_region *region,
			    const struct dfx_pace *pace)
{
	struct dfx_host *host = &region->host;

	if (host->armed && !pace->armed)
		dfx_event_disarm(host);
	if (host->armed || !pace->armed)
		return;
	/* It may have been masked since it last rang. */
	dfx_doorbell_unmask(region);
	dfx_event_arm(host);
}

static void dfx_thread_pass(struct dfx_region *region, struct dfx_pace *pace,
			    struct dfx_pace_seen *seen)
{
	struct dfx_host *host = &region->host;
	u64 now_ns = ktime_get_ns();
	u32 missed = pace->missed;
	struct dfx_pass_result res;
	bool moved;

	region->passes++;
	moved = dfx_thread_consumers(region, now_ns, false);
	res = dfx_pass(host, DFX_PASS_BUDGET, now_ns);
	dfx_session_tick(region, now_ns);
	moved |= dfx_thread_consumers(region, now_ns, true);
	if (res.taken)
		dfx_region_wake(region);

	seen->session = host->state == DFX_SESSION_RUNNING ||
			host->state == DFX_SESSION_STOPPING;
	seen->draining = host->state == DFX_SESSION_DRAINING;
	dfx_thread_rings(region, seen);
	seen->more = res.more;
	seen->work = res.taken || res.refilled || moved;
	seen->frozen = res.frozen;
	seen->marked = res.marked;
	seen->retry = res.retry;
	seen->look_ns = host->io.look_ns;
	seen->bell = region->bell;
	/* A session that began in this pass's pause begins unarmed. */
	pace->armed &= host->armed;
	dfx_pace_next(pace, seen);
	if (host->io.gone) {
		dfx_region_lost(region);
		pace->pause_ns = U64_MAX;
		return;
	}
	dfx_thread_bell(region, pace);
	if (pace->missed == DFX_PACE_MISSES && missed < pace->missed)
		dev_notice(&region->dev,
			   "the doorbell does not ring, polling instead\n");
}

static void dfx_thread_pause(struct dfx_region *region, u64 pause_ns)
{
	if (!pause_ns) {
		cond_resched();
		return;
	}
	if (pause_ns == U64_MAX)
		wait_event_interruptible(region->thread_wait,
					 READ_ONCE(region->kicked) ||
					 kthread_should_stop());
	else
		wait_event_interruptible_hrtimeout(region->thread_wait,
						   READ_ONCE(region->kicked) ||
						   kthread_should_stop(),
						   ns_to_ktime(pause_ns));
}

/**
 * dfx_thread() - body of the kthread
 * @arg: the region.
 */
int dfx_thread(void *arg)
{
	struct dfx_region *region = arg;
	struct dfx_pace pace = { .pause_ns = U64_MAX };
	u32 delay_us = 0;
	bool zap;

	while (!kthread_should_stop()) {
		struct dfx_pace_seen seen = { };

		dfx_thread_pause(region, pace.pause_ns);
		/*
		 * Cleared before the pass: a kick during it asks for another.
		 * A full barrier each, so that the pass sees what a kick that
		 * is erased here was for.
		 */
		seen.kicked = xchg(&region->kicked, false);
		seen.rung = xchg(&region->rung, false);
		if (delay_us)
			fsleep(delay_us);
		mutex_lock(&region->lock);
		zap = !region->gone;
		/* If it is gone the aperture is not to be touched. */
		if (region->gone)
			pace.pause_ns = U64_MAX;
		else
			dfx_thread_pass(region, &pace, &seen);
		zap &= region->gone;
		delay_us = region->policy.delay_us;
		mutex_unlock(&region->lock);
		if (zap)
			dfx_region_zap(region);
	}
	return 0;
}
