/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host.h - the host that all lanes are attached to
 *
 * When a host goes, every lane has to let go of its objects before one of them
 * looks for the next host: pools are bound to lanes anew by each host, and two
 * lanes that follow different hosts could take the same pool for theirs.
 */
#ifndef DFX_FW_HOST_H
#define DFX_FW_HOST_H

#include "args.h"
#include "dfx_dev.h"
#include "plat.h"

/**
 * struct fw_meeting - one lane's part
 * @done: last epoch that it has let go of; its own word.
 * @seen: epoch that it works in; private.
 */
struct fw_meeting {
	__le32 done;
	__u32 seen;
} __attribute__((aligned(DFX_SHM_LINE)));

/**
 * struct fw_host - the host and the lanes' meeting
 * @base: first byte of the aperture.
 * @size: its bytes.
 * @lanes: lanes that take part.
 * @dev: the attached aperture.
 * @region: its regions; the leader opens them, all use them.
 * @pools: of each region; each element is its lane's, the array the region's.
 * @present: bit mask of those that there are.
 * @lane: what each lane says; see &struct fw_meeting.
 * @epoch: number of hosts found since boot; the leader's.
 */
struct fw_host {
	void *base;
	__u64 size;
	__u32 lanes;
	struct dfx_dev dev;
	struct dfx_dev_region region[FW_NR_REGIONS];
	struct dfx_dev_pool pools[FW_NR_REGIONS][DFX_MAX_POOLS];
	__u32 present;
	struct fw_meeting lane[PLAT_MAX_LANES];
	__le32 epoch;
};

/**
 * host_init() - where to look for a host
 * @host: the host.
 * @base: first byte of the aperture.
 * @size: its bytes.
 * @lanes: lanes that take part.
 */
void host_init(struct fw_host *host, void *base, __u64 size, __u32 lanes);

/**
 * host_join() - let go of the last host and wait for the next
 * @host: the host.
 * @lane: lane number.
 *
 * Return: 0 when the aperture has a host and every region of it is open; -1 if
 * the lane is to end.
 */
int host_join(struct fw_host *host, __u32 lane);

/* Lane @lane is dead: the others must not wait for it in host_join(). */
void host_leave(struct fw_host *host, __u32 lane);

/**
 * host_region() - an open region of the host
 * @host: the host.
 * @r: place in fw_regions[].
 *
 * Return: NULL if the host has no such region. Valid between host_join() and
 * DFX_DEV_DETACHED.
 */
struct dfx_dev_region *host_region(struct fw_host *host, __u32 r);

#endif /* DFX_FW_HOST_H */
