// SPDX-License-Identifier: GPL-2.0-only
/*
 * snap.c - STATE with all its arrays
 */
#include <string.h>
#include <sys/ioctl.h>

#include "snap.h"

int snap_take(struct snap *snap, int fd)
{
	memset(snap, 0xcc, sizeof(*snap));
	snap->s.size = sizeof(snap->s);
	snap->s.flags = 0;
	snap->s.lanes_uptr = (__u64)(unsigned long)snap->lanes;
	snap->s.pools_uptr = (__u64)(unsigned long)snap->pools;
	snap->s.nr_lanes = FW_MAX_LANES;
	snap->s.nr_pools = FW_MAX_POOLS;
	return ioctl(fd, DFX_IOC_STATE, &snap->s);
}

__u64 snap_dropped(const struct dfx_pool_state *pool)
{
	__u64 sum = 0;
	int i;

	for (i = 0; i < DFX_NR_DROP; i++)
		sum += pool->dropped[i];
	return sum;
}

__u32 snap_buffers(const struct dfx_pool_state *pool)
{
	__u32 nr = pool->free + pool->queued + pool->device + pool->quarantine;

	return fw_copies() == 1 ? nr + pool->ready + pool->held : nr;
}

__u32 snap_session_state(int fd)
{
	struct snap snap;

	return snap_take(&snap, fd) ? ~0u : snap.s.out_session_state;
}

__u32 snap_active(int fd, unsigned int gate)
{
	struct snap snap;

	return snap_take(&snap, fd) ? ~0u : snap.s.out_freeze[gate].active;
}

__u32 snap_fault(int fd, unsigned int lane)
{
	struct snap snap;

	return snap_take(&snap, fd) ? ~0u : snap.lanes[lane].fault;
}

__u32 snap_lane_state(int fd, unsigned int lane)
{
	struct snap snap;

	return snap_take(&snap, fd) ? ~0u : snap.lanes[lane].state;
}

__u64 snap_entries(int fd, unsigned int lane)
{
	struct snap snap;

	return snap_take(&snap, fd) ? ~0ull : snap.lanes[lane].entries;
}

__u32 snap_rq_fill(int fd)
{
	struct snap snap;
	__u32 i, fill = 0;

	if (snap_take(&snap, fd))
		return ~0u;
	for (i = 0; i < snap.s.nr_lanes; i++)
		fill += snap.lanes[i].rq_fill;
	return fill;
}

__u64 snap_passes(int fd)
{
	struct snap snap;

	return snap_take(&snap, fd) ? ~0ull : snap.s.out_passes;
}

__u32 snap_held(int fd)
{
	struct snap snap;
	__u32 i, held = 0;

	if (snap_take(&snap, fd))
		return ~0u;
	for (i = 0; i < snap.s.nr_pools; i++)
		held += snap.pools[i].held;
	return held;
}
