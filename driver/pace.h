/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pace.h - when the kthread makes its next pass
 *
 * A decision and no more: no I/O, no locks. Times are nanoseconds.
 *
 * Without a session the thread sleeps until it is kicked. In a session it polls:
 * often while there is work or a freeze, less and less often while there is none.
 * Where the device has a doorbell it arms it after a while without work, looks
 * once more, and then sleeps until it rings; every DFX_PACE_BELL_NS it looks by
 * itself, so that a doorbell that is broken or hostile costs time and no record.
 */
#ifndef DFX_PACE_H
#define DFX_PACE_H

#include <linux/types.h>

/* Pause between two passes: after work, in a freeze, at most when polling. */
#define DFX_PACE_MIN_NS		20000u
#define DFX_PACE_FREEZE_NS	50000u
#define DFX_PACE_MAX_NS		1000000u
/* While only the linger runs. */
#define DFX_PACE_LINGER_NS	50000000u
/* The doorbell is armed when the pause has grown to this. */
#define DFX_PACE_ARM_NS		160000u
/* Between two looks while it is armed: 50 a second. */
#define DFX_PACE_BELL_NS	20000000u
/* So many times in a row it did not ring: not relied on in this session. */
#define DFX_PACE_MISSES		8

/**
 * struct dfx_pace - how the thread paces itself
 * @pause_ns: until the next pass; 0 for none, U64_MAX for as long as nobody kicks.
 * @armed: the doorbell is to be armed during that pause.
 * @missed: times in a row that the doorbell did not ring for an entry.
 */
struct dfx_pace {
	u64 pause_ns;
	bool armed;
	u32 missed;
};

/**
 * struct dfx_pace_seen - what the thread has just seen
 * @session: lanes may be at work: RUNNING or STOPPING.
 * @draining: a session is over but for its consumers.
 * @ring: a consumer uses the mapped rings, and may release without a call.
 * @owed: such a consumer has something to release.
 * @more: the pass left entries behind.
 * @work: the pass moved something.
 * @frozen: a freeze is open.
 * @marked: a mark was seen.
 * @retry: a copy has failed, and another try may be no better at once.
 * @look_ns: least time between two looks at the lanes' words.
 * @bell: there is a doorbell.
 * @rung: it has rung since the pass before this one.
 * @kicked: somebody has called for this pass, the doorbell included.
 */
struct dfx_pace_seen {
	bool session;
	bool draining;
	bool ring;
	bool owed;
	bool more;
	bool work;
	bool frozen;
	bool marked;
	bool retry;
	u64 look_ns;
	bool bell;
	bool rung;
	bool kicked;
};

void dfx_pace_next(struct dfx_pace *pace, const struct dfx_pace_seen *seen);

#endif /* DFX_PACE_H */
