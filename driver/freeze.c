// SPDX-License-Identifier: GPL-2.0-only
/*
 * freeze.c - the freeze machine's decisions
 *
 * No I/O, no locks, no state: a truth table that the tests go through row by
 * row. The ordering diagram is in Documentation/driver-api/dfx.rst.
 */
#include <linux/types.h>
#include <uapi/linux/dfx_layout.h>

#include "freeze.h"

/**
 * dfx_freeze_mark() - what a leader's mark asks for
 * @gate: the gate, with the mark as loaded at the start of this pass.
 * @recovery: DFX_RECOVERY_*.
 *
 * A mark opens a closed gate. A mark at an open gate is covered by that freeze
 * and consumed, so that one incident makes one gap. In both cases the mark is
 * cleared only while the freeze is open: a leader never reads both as zero
 * between its mark and its release. Recovery by lane opens nothing and leaves
 * the marks alone.
 */
struct dfx_freeze_act dfx_freeze_mark(struct dfx_freeze_gate gate, u32 recovery)
{
	struct dfx_freeze_act act = { };

	if (!gate.contended || recovery != DFX_RECOVERY_GLOBAL)
		return act;
	act.open = !gate.active;
	act.consume = true;
	return act;
}

/**
 * dfx_freeze_may_refill() - whether this pass may fill free queues
 * @any_active: a freeze is open at either gate.
 * @rq_empty: every ready queue of the region is drained.
 *
 * Without a freeze always. During one only once the ready queues are empty:
 * the refill is then the freeze's own, and lanes resume with full queues.
 */
bool dfx_freeze_may_refill(bool any_active, bool rq_empty)
{
	return !any_active || rq_empty;
}

/**
 * dfx_freeze_close() - whether both gates open up again
 * @any_active: a freeze is open at either gate.
 * @tests: as found after the marks were consumed.
 */
bool dfx_freeze_close(bool any_active, struct dfx_freeze_tests tests)
{
	return any_active && tests.rq_empty && tests.fq_full &&
	       tests.release_ready;
}
