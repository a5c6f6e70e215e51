/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dfx_bus.h - what a driver of a bus needs to hand an aperture to dfx.ko
 *
 * The bus driver finds a device whose aperture carries an identity, maps it and
 * calls dfx_device_create(). That makes a region, with its node and its kthread,
 * for each subsystem of the identity. When the device goes, dfx_device_destroy()
 * takes all of it back, whoever has it open or mapped.
 *
 * Locking: none inside. For one aperture the caller makes one call at a time;
 * calls for different apertures may run at once. All of them sleep, and none may
 * be made under a lock that a page fault takes.
 *
 * Modules: a user of these symbols keeps dfx.ko loaded. An open /dev/dfxN does not
 * keep the bus driver loaded: it destroys its devices when it is unloaded.
 *
 * Symbols are in the namespace DFX: MODULE_IMPORT_NS(DFX_NS).
 */
#ifndef DFX_BUS_H
#define DFX_BUS_H

#include <linux/types.h>
#include <uapi/linux/dfx_layout.h>

#include "compat.h"
#include "transport.h"

struct device;
struct dfx_device;
struct dfx_doorbell;

/**
 * dfx_device_is_ours() - whether an aperture carries a device's identity
 * @aperture: at least its first DFX_SHM_PAGE bytes.
 * @arch: set to DFX_ARCH_*, as the device says; not checked.
 *
 * Return: true if the magic is there. What else the page says is checked by
 * dfx_device_create().
 */
bool dfx_device_is_ours(const struct dfx_aperture *aperture, u32 *arch);

/**
 * dfx_device_create() - take over an aperture
 * @parent: the device that it belongs to; must stay registered until after
 *	dfx_device_destroy().
 * @aperture: how it is reached; what it names must stay until after
 *	dfx_device_destroy(). Its @base, if it has one, is memory of vmalloc(), or
 *	of the direct map (memremap_pages() included), in any case with a struct
 *	page behind it. A page that user space is writing from may live longer than
 *	that: who frees it frees references to pages.
 * @bell: interrupts from the device, see doorbell.h; NULL if it has none, and the
 *	kthreads poll. Must stay until after dfx_device_destroy().
 *
 * The nodes are there, and may be open, before this returns.
 *
 * Return: the device; or ERR_PTR(): -EPROTO for another major version of the
 * layout, -EINVAL for an identity that cannot be, -EIO if it does not answer,
 * -ENOSPC if the regions do not fit or there are no minors left, -ENOMEM. What is
 * wrong with an identity is logged on @parent.
 */
struct dfx_device *dfx_device_create(struct device *parent,
				     const struct dfx_aperture *aperture,
				     struct dfx_doorbell *bell);

/**
 * dfx_device_destroy() - give an aperture up
 * @dfx: from dfx_device_create().
 *
 * Waits neither for the device nor for user space: sleepers wake with -ENODEV and
 * mappings are gone. On return nothing of dfx.ko touches the aperture.
 */
void dfx_device_destroy(struct dfx_device *dfx);

/**
 * dfx_device_writes() - whether the device may write to a page of its aperture
 * @dfx: from dfx_device_create(), not yet destroyed.
 * @off: a byte of the page, from the start of the aperture.
 *
 * For a bus that can keep a device from what is not its own. The answer does not
 * change while @dfx lives, and comes from the driver's own tables, not from the
 * aperture. Does not sleep.
 *
 * Return: false for pages that the host writes and for what nobody uses.
 */
bool dfx_device_writes(const struct dfx_device *dfx, u64 off);

#endif /* DFX_BUS_H */
