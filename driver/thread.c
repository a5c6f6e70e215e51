// SPDX-License-Identifier: GPL-2.0-only
/*
 * thread.c - the replenish-and-freeze kthread: when to make a pass
 *
 * Without a session it sleeps without a timer. In a session it polls: often
 * while there is work or a freeze, less and less often while there is none.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>

#include "dfx_drv.h"

/* Entries that one lane may hand over in one pass (R15). */
#define DFX_PASS_BUDGET		64

/* Pause between two passes, in ns: after work, in a freeze, at most. */
#define DFX_PAUSE_MIN_NS	(20 * NSEC_PER_USEC)
#define DFX_PAUSE_FREEZE_NS	(50 * NSEC_PER_USEC)
#define DFX_PAUSE_MAX_NS	(1 * NSEC_PER_MSEC)
/* While only the linger runs. */
#define DFX_PAUSE_LINGER_NS	(50 * NSEC_PER_MSEC)

/**
 * struct dfx_pace - how the thread paces itself
 * @pause_ns: until the next pass; 0 for none, U64_MAX for as long as nobody
 *	kicks.
 */
struct dfx_pace {
	u64 pause_ns;
};

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

static bool dfx_thread_has_ring(const struct dfx_region *region)
{
	const struct dfx_file *f;

	list_for_each_entry(f, &region->files, node)
		if (f->lanes && f->mode == DFX_MODE_RING)
			return true;
	return false;
}

static void dfx_thread_pass(struct dfx_region *region, struct dfx_pace *pace)
{
	struct dfx_host *host = &region->host;
	u64 now_ns = ktime_get_ns();
	struct dfx_pass_result res;
	bool moved;

	region->passes++;
	moved = dfx_thread_consumers(region, now_ns, false);
	res = dfx_pass(host, DFX_PASS_BUDGET, now_ns);
	dfx_session_tick(region, now_ns);
	moved |= dfx_thread_consumers(region, now_ns, true);
	if (res.taken)
		dfx_region_wake(region);

	if (host->state == DFX_SESSION_IDLE) {
		pace->pause_ns = U64_MAX;
	} else if (host->state == DFX_SESSION_DRAINING &&
		   !dfx_thread_has_ring(region)) {
		pace->pause_ns = DFX_PAUSE_LINGER_NS;
	} else if (res.more) {
		pace->pause_ns = 0;
	} else if (res.taken || moved) {
		pace->pause_ns = DFX_PAUSE_MIN_NS;
	} else if (res.frozen) {
		pace->pause_ns = DFX_PAUSE_FREEZE_NS;
	} else {
		pace->pause_ns = clamp(pace->pause_ns * 2, DFX_PAUSE_MIN_NS,
				       DFX_PAUSE_MAX_NS);
	}
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
	/* Cleared before the pass: a kick during it asks for another. */
	WRITE_ONCE(region->kicked, false);
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

	while (!kthread_should_stop()) {
		dfx_thread_pause(region, pace.pause_ns);
		if (delay_us)
			fsleep(delay_us);
		mutex_lock(&region->lock);
		/* From here on the aperture is not to be touched. */
		if (region->gone)
			pace.pause_ns = U64_MAX;
		else
			dfx_thread_pass(region, &pace);
		delay_us = region->policy.delay_us;
		mutex_unlock(&region->lock);
	}
	return 0;
}
