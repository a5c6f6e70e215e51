/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * transport.h - how a bus reaches the aperture of a device
 *
 * A bus asks dfx_transport_copies() whether the aperture of a device of this
 * profile is memory or has to be copied, maps it accordingly, and hands a
 * &struct dfx_aperture to dfx_device_create(). Nothing else asks.
 *
 * Offsets and lengths are in bytes, offsets counted from the start of the
 * aperture. Nothing here is called from a context that may not sleep.
 */
#ifndef DFX_TRANSPORT_H
#define DFX_TRANSPORT_H

#include <linux/types.h>

/**
 * struct dfx_copy_ops - how a bus reaches an aperture that is not memory
 * @from: copy @len bytes at byte @off of the aperture to @dst; all or -EIO, and
 *	then @dst may have anything.
 * @to: the other way round. Writes become visible to the device in the order of
 *	the calls.
 * @fence: everything written by @to is visible to the device before anything
 *	later @from reads.
 *
 * What @from reads is read in the order of the calls; within one call neither of
 * them promises an order. Four bytes at a multiple of four are moved as one
 * access, never in pieces. @off and @len lie in the aperture. Regions call from
 * several threads at once; a device that has gone answers with all ones.
 */
struct dfx_copy_ops {
	int (*from)(void *bus, void *dst, u64 off, size_t len);
	int (*to)(void *bus, u64 off, const void *src, size_t len);
	void (*fence)(void *bus);
};

/**
 * struct dfx_aperture - how the aperture of a device is reached
 * @size: its bytes.
 * @base: its first byte, mapped write-back and backed by pages; NULL if it is
 *	not memory.
 * @copy: if it is not, the way there.
 * @bus: first argument of @copy.
 */
struct dfx_aperture {
	u64 size;
	void *base;
	const struct dfx_copy_ops *copy;
	void *bus;
};

/**
 * dfx_transport_copies() - whether a device's aperture is to be copied
 * @arch: DFX_ARCH_*, as the device says; anything.
 *
 * A device of the a5 profile has no memory in common with the host.
 */
bool dfx_transport_copies(u32 arch);

#endif /* DFX_TRANSPORT_H */
