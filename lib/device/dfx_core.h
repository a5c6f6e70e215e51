/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * dfx_core.h - records that an AICore writes itself
 *
 * A core writes its records straight into a buffer of its pool; the lane that
 * dispatches to it only gives out the slots and rotates the buffers. The two
 * share one &struct dfx_core_head in the device's own memory. Here is the core's
 * half, which needs no C file; the lane's half is in dfx_dev.h.
 *
 *	for (;;) {
 *		wait for a task in the register
 *		slot = dfx_core_reserve(&core);		before the ACK
 *		tell the lane: ACK
 *		execute
 *		tell the lane: FIN			or after the record
 *		if (slot) {
 *			fill *slot;
 *			dfx_core_commit(&core, slot);	before the next ACK
 *		}
 *	}
 *
 * The order is what everything rests on. A core does one thing after the other:
 * when it acknowledges a task, the records of all tasks before it have reached
 * memory. That is the only proof the lane has that a full buffer is complete,
 * where FIN comes before the record. And as a slot is reserved before the ACK, a
 * rotation, which happens after it, cannot redirect a record that is under way.
 *
 * The register holds one task: the lane writes the next one only when the core
 * has acknowledged the last.
 */
#ifndef DFX_CORE_H
#define DFX_CORE_H

#include <linux/dfx_layout.h>
#include "dfx_port.h"

/**
 * struct dfx_core_head - what a lane and a core tell each other
 * @given: slots given out since boot, free-running; stored with release after
 *	@base and @offset, and before the task is dispatched.
 * @base: number of the present buffer's first slot, counted as @given is.
 * @offset: first byte of that buffer, from the start of the region.
 * @done: records that have reached memory since boot; stored with release after
 *	the record.
 *
 * Zeroed at boot. Written by: the lane, but for @done, which the core writes, on a
 * line of its own.
 */
struct dfx_core_head {
	__le32 given;
	__le32 base;
	__le64 offset;
	__u8 reserved[DFX_SHM_LINE - 16];
	__le32 done;
	__u8 reserved2[DFX_SHM_LINE - 4];
} __attribute__((aligned(DFX_SHM_LINE)));
DFX_ASSERT_SIZE(dfx_core_head, 2 * DFX_SHM_LINE);
DFX_ASSERT_OFFSET(dfx_core_head, offset, 8);
DFX_ASSERT_OFFSET(dfx_core_head, done, DFX_SHM_LINE);

/**
 * struct dfx_core - a core's own state; used by it alone
 * @head: what it shares with its lane.
 * @region: first byte of the region, where the core has it.
 * @record_size: bytes.
 * @taken: slots reserved since boot.
 * @done: records written since boot.
 */
struct dfx_core {
	struct dfx_core_head *head;
	__u8 *region;
	__u32 record_size;
	__u32 taken;
	__u32 done;
};

/**
 * dfx_core_reserve() - where the record of the task just received goes
 * @core: the core.
 *
 * Called once for each task, after it has been seen in the register and before it is
 * acknowledged. Never waits.
 *
 * Return: the slot, to be handed to dfx_core_commit(); NULL if the task is not to
 * be recorded.
 */
static inline void *dfx_core_reserve(struct dfx_core *core)
{
	struct dfx_core_head *head = core->head;
	__u32 at;

	dfx_port_invalidate(head, DFX_SHM_LINE);
	/* (K), pairs with the release store in dfx_dev_core_give(). */
	if (dfx_port_load32_acquire(&head->given) == core->taken)
		return NULL;
	at = core->taken++ - dfx_port_load32(&head->base);
	return core->region + dfx_port_load64(&head->offset) +
	       (__u64)at * core->record_size;
}

/**
 * dfx_core_commit() - the record is written
 * @core: the core.
 * @slot: from dfx_core_reserve().
 *
 * Waits until the record has reached memory. Called before the next task is
 * acknowledged, and for every slot that was reserved.
 */
static inline void dfx_core_commit(struct dfx_core *core, void *slot)
{
	dfx_port_clean(slot, core->record_size);
	core->done++;
	/* (L), pairs with the acquire load in dfx_dev_core_idle(). */
	dfx_port_store32_release(&core->head->done, core->done);
	dfx_port_clean(&core->head->done, sizeof(core->head->done));
}

#endif /* DFX_CORE_H */
