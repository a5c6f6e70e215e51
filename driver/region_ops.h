/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * region_ops.h - how the host reaches a region's shared memory
 *
 * The only place that knows whether the aperture is memory or has to be copied.
 * Everything above works with offsets into the region and host-endian values.
 *
 * Two kinds of offsets: those of the region, where the device has its words,
 * buffers and arenas; and those of the data area, where consumers find records
 * and payloads. See geometry.h for what lies where in each.
 */
#ifndef DFX_REGION_OPS_H
#define DFX_REGION_OPS_H

#include <linux/types.h>

struct dfx_io;

/**
 * struct dfx_region_ops - one transport
 * @name: for people.
 * @copies: buffers that the data area has for each of the device's; 0 if the
 *	device's own are what consumers get.
 * @load32: one field, with acquire: what the device wrote before it stored this
 *	value is visible to later calls. At least as new as the last @pull of it.
 * @store32: one field, with release: earlier stores are visible to the device
 *	before this one.
 * @load64: one field, relaxed. Guarded by a 32-bit field where a torn value
 *	would matter.
 * @full_barrier: stores before it are visible to the device before any @pull,
 *	@read or @fetch after it is carried out, and any load too where @pull
 *	does nothing.
 * @pull: the device's words in @len bytes at @off, all of them between
 *	&dfx_geometry.dev_off and &dfx_geometry.rq_off, are loaded from now on as
 *	they are now or later. Pulls, reads and fetches are carried out in the
 *	order of the calls; within one call there is no order. Returns 0, or -EIO
 *	and what is loaded is as old as before.
 * @read: @len bytes out of the region, once; the copy is what is validated.
 *	Returns 0 or -EIO.
 * @write: @len bytes into the region, without order among them. Returns 0 or
 *	-EIO.
 * @fetch: @len bytes at @off of the region, which the device does not write to
 *	any more, are at @data of the data area. Returns 0 or -EIO.
 * @stays: the data area is the host's own: it is there when the device is not.
 * @data: the byte at @data of the data area, in the kernel's address space.
 *	What follows is contiguous, as far as the area goes.
 *
 * Offsets are trusted: they come from the driver's own geometry. Called under
 * the region's lock, by its kthread or by a control call; @data by anyone.
 */
struct dfx_region_ops {
	const char *name;
	u32 copies;
	bool stays;
	u32 (*load32)(struct dfx_io *io, u64 off);
	void (*store32)(struct dfx_io *io, u64 off, u32 val);
	u64 (*load64)(struct dfx_io *io, u64 off);
	void (*full_barrier)(struct dfx_io *io);
	int (*pull)(struct dfx_io *io, u64 off, u32 len);
	int (*read)(struct dfx_io *io, u64 off, void *dst, u32 len);
	int (*write)(struct dfx_io *io, u64 off, const void *src, u32 len);
	int (*fetch)(struct dfx_io *io, u64 off, u64 data, u32 len);
	void *(*data)(struct dfx_io *io, u64 data);
};

/**
 * enum dfx_copied - what bytes are copied for
 * @DFX_COPIED_HEADER: headers, the control line, freeze flags and queues of the
 *	host.
 * @DFX_COPIED_INDEX: words and entries of the device.
 * @DFX_COPIED_BUFFERS: records.
 * @DFX_COPIED_ARENA: payloads.
 * @DFX_NR_COPIED: number of classes.
 */
enum dfx_copied {
	DFX_COPIED_HEADER,
	DFX_COPIED_INDEX,
	DFX_COPIED_BUFFERS,
	DFX_COPIED_ARENA,
	DFX_NR_COPIED,
};

/**
 * struct dfx_io - a region's memory through its transport
 * @ops: the transport.
 * @base: the transport's own: first byte of the region, or what it keeps.
 * @size: bytes of the region.
 * @data_off: where the data area begins in the region, if it lies there.
 * @look_ns: shortest time between two looks at the device's words while nothing
 *	is known to wait; 0 if a look costs nothing.
 * @gone: nobody answers any more, and never will. Set by the transport.
 * @copied: bytes copied in either direction, by enum dfx_copied; they never go
 *	back.
 */
struct dfx_io {
	const struct dfx_region_ops *ops;
	void *base;
	u64 size;
	u64 data_off;
	u64 look_ns;
	bool gone;
	u64 copied[DFX_NR_COPIED];
};

/* SVM: the aperture is coherent memory; barriers only. */
extern const struct dfx_region_ops dfx_region_direct_ops;

#endif /* DFX_REGION_OPS_H */
