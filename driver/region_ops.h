/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * region_ops.h - how the host reaches a region's shared memory
 *
 * The only place that knows whether the aperture is memory or has to be copied.
 * Everything above works with offsets into the region and host-endian values.
 */
#ifndef DFX_REGION_OPS_H
#define DFX_REGION_OPS_H

#include <linux/types.h>

struct dfx_io;

/**
 * struct dfx_region_ops - one transport
 * @load32: one field, with acquire: what the device wrote before it stored this
 *	value is visible to later calls.
 * @store32: one field, with release: earlier stores are visible to the device
 *	before this one.
 * @load64: one field, relaxed. Guarded by a 32-bit field where a torn value
 *	would matter.
 * @full_barrier: stores before it are visible to the device before any load
 *	after it is carried out.
 * @read: @len bytes out of the region, once; the copy is what is validated.
 *	Returns 0 or -EIO.
 * @write: @len bytes into the region, without order among them. Returns 0 or
 *	-EIO.
 *
 * Offsets are trusted: they come from the driver's own geometry. Called under
 * the region's lock, by its kthread or by a control call.
 */
struct dfx_region_ops {
	u32 (*load32)(struct dfx_io *io, u64 off);
	void (*store32)(struct dfx_io *io, u64 off, u32 val);
	u64 (*load64)(struct dfx_io *io, u64 off);
	void (*full_barrier)(struct dfx_io *io);
	int (*read)(struct dfx_io *io, u64 off, void *dst, u32 len);
	int (*write)(struct dfx_io *io, u64 off, const void *src, u32 len);
};

/**
 * struct dfx_io - a region's memory through its transport
 * @ops: the transport.
 * @base: first byte of the region, as the transport sees it.
 * @size: bytes of the region.
 */
struct dfx_io {
	const struct dfx_region_ops *ops;
	void *base;
	u64 size;
};

/* SVM: the aperture is coherent memory; barriers only. */
extern const struct dfx_region_ops dfx_region_direct_ops;

#endif /* DFX_REGION_OPS_H */
