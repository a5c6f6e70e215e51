/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * freeze.h - the freeze machine: decisions only
 *
 * A pass of the region's kthread asks twice: dfx_freeze_mark() with the
 * leaders' marks, before it drains, and dfx_freeze_close() with what it found,
 * after. Both are pure functions of their arguments; the caller carries out
 * the actions in the order in which &struct dfx_freeze_act lists them.
 */
#ifndef DFX_FREEZE_H
#define DFX_FREEZE_H

#include <linux/types.h>

/**
 * struct dfx_freeze_gate - what a pass sees of one gate
 * @active: the host's freeze is open.
 * @contended: a leader's mark is set.
 */
struct dfx_freeze_gate {
	bool active;
	bool contended;
};

/**
 * struct dfx_freeze_act - what to do at one gate; in this order
 * @open: set active, and publish it.
 * @consume: then clear the mark.
 */
struct dfx_freeze_act {
	bool open;
	bool consume;
};

/**
 * struct dfx_freeze_tests - the conjunction that ends a freeze
 * @rq_empty: every ready queue of the region is drained.
 * @fq_full: every free queue is at its attainable limit.
 * @release_ready: the subsystem's own predicate holds.
 */
struct dfx_freeze_tests {
	bool rq_empty;
	bool fq_full;
	bool release_ready;
};

struct dfx_freeze_act dfx_freeze_mark(struct dfx_freeze_gate gate,
				      u32 recovery);
bool dfx_freeze_may_refill(bool any_active, bool rq_empty);
bool dfx_freeze_close(bool any_active, struct dfx_freeze_tests tests);

#endif /* DFX_FREEZE_H */
