// SPDX-License-Identifier: GPL-2.0-only
/*
 * pace.c - when the kthread makes its next pass
 */
#include <linux/kernel.h>

#include "pace.h"

static bool dfx_pace_busy(const struct dfx_pace_seen *seen)
{
	return seen->more || seen->work || seen->frozen || seen->marked;
}

/* An armed doorbell that keeps quiet about an entry is no doorbell. */
static void dfx_pace_judge(struct dfx_pace *pace,
			   const struct dfx_pace_seen *seen)
{
	if (seen->rung && seen->work)
		pace->missed = 0;
	else if (pace->armed && !pace->pause_ns)
		/* The look after arming: nobody has been asked before it. */
		return;
	else if (pace->armed && !seen->kicked && seen->work)
		pace->missed++;
}

static bool dfx_pace_may_arm(const struct dfx_pace *pace,
			     const struct dfx_pace_seen *seen)
{
	/*
	 * A mark that stays, as with recovery by lane, would be rung for again
	 * and again; and no ring tells of a release in a mapped ring.
	 */
	return seen->bell && seen->session && !seen->owed && !seen->marked &&
	       !seen->retry && pace->missed < DFX_PACE_MISSES;
}

/* Polls at the pace for doing so, with the doorbell disarmed. */
static void dfx_pace_poll(struct dfx_pace *pace, u64 pause_ns)
{
	pace->armed = false;
	pace->pause_ns = pause_ns;
}

/**
 * dfx_pace_next() - after a pass: for how long to pause
 * @pace: what it did last; updated.
 * @seen: what the pass has seen.
 *
 * When @pace->armed comes out set while it was clear, the caller arms the
 * doorbell before it pauses; the pause is then 0, and the pass that follows is the
 * look that must come between arming and sleep. When it comes out clear, the
 * doorbell is not armed, or to be disarmed.
 */
void dfx_pace_next(struct dfx_pace *pace, const struct dfx_pace_seen *seen)
{
	dfx_pace_judge(pace, seen);
	if (!seen->session) {
		pace->missed = 0;
		if (!seen->draining)
			dfx_pace_poll(pace, U64_MAX);
		else if (!seen->ring)
			dfx_pace_poll(pace, DFX_PACE_LINGER_NS);
		else
			dfx_pace_poll(pace, clamp_t(u64, pace->pause_ns * 2,
						    DFX_PACE_MIN_NS,
						    DFX_PACE_MAX_NS));
		return;
	}
	if (seen->more) {
		dfx_pace_poll(pace, 0);
	} else if (seen->work && !seen->retry) {
		dfx_pace_poll(pace, max_t(u64, DFX_PACE_MIN_NS, seen->look_ns));
	} else if (seen->frozen && !seen->retry) {
		dfx_pace_poll(pace, DFX_PACE_FREEZE_NS);
	} else if (!dfx_pace_may_arm(pace, seen)) {
		dfx_pace_poll(pace, clamp_t(u64, pace->pause_ns * 2,
					    DFX_PACE_MIN_NS, DFX_PACE_MAX_NS));
	} else if (seen->rung && !dfx_pace_busy(seen)) {
		/* Rung for nothing: a storm is worth no more than polling. */
		dfx_pace_poll(pace, DFX_PACE_MAX_NS);
	} else if (pace->armed) {
		/* This pass came after the arming and found nothing. */
		pace->pause_ns = DFX_PACE_BELL_NS;
	} else if (pace->pause_ns >= DFX_PACE_ARM_NS) {
		pace->armed = true;
		pace->pause_ns = 0;
	} else {
		dfx_pace_poll(pace, max_t(u64, pace->pause_ns * 2,
					  DFX_PACE_MIN_NS));
	}
}
