/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fault.h - breaks the protocol on purpose, to test the host
 */
#ifndef DFX_FW_FAULT_H
#define DFX_FW_FAULT_H

#include "lane.h"

/**
 * fw_fault() - break the protocol, if it is time
 * @lane: the lane.
 * @i: region that it has just written to, place in fw_regions[].
 * @pool: pool that it has just written to; holds at least one record.
 *
 * Lane 0 does it once since boot, in the first region of the run, when it has
 * published as many buffers as fault= says.
 */
void fw_fault(struct fw_lane *lane, __u32 i, struct dfx_dev_pool *pool);

#endif /* DFX_FW_FAULT_H */
