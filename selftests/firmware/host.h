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

/**
 * host_init() - where to look for a host
 * @base: first byte of the aperture.
 * @size: its bytes.
 * @lanes: lanes that take part.
 */
void host_init(void *base, __u64 size, __u32 lanes);

/**
 * host_join() - let go of the last host and wait for the next
 * @lane: lane number.
 *
 * Returns when the aperture has a host and every region of it is open.
 */
void host_join(__u32 lane);

/* Lane @lane is dead: the others must not wait for it in host_join(). */
void host_leave(__u32 lane);

/**
 * host_region() - an open region of the host
 * @r: place in fw_regions[].
 *
 * Return: NULL if the host has no such region. Valid between host_join() and
 * DFX_DEV_DETACHED.
 */
struct dfx_dev_region *host_region(__u32 r);

#endif /* DFX_FW_HOST_H */
