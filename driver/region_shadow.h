/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * region_shadow.h - transport for an aperture that is reached by copies only
 *
 * The host works on memory of its own: a shadow of the pages that the device
 * writes its words to, and the data area that consumers map. Nothing here
 * allocates, so that the same object runs in a host program.
 *
 * Locking: as &struct dfx_region_ops says.
 */
#ifndef DFX_REGION_SHADOW_H
#define DFX_REGION_SHADOW_H

#include <linux/types.h>

#include "geometry.h"
#include "region_ops.h"
#include "transport.h"

/* Buffers of the data area for each of the device's: see &enum dfx_owner. */
#define DFX_SHADOW_COPIES	2

/* Nanoseconds between two looks at the device's words: each is a burst. */
#define DFX_SHADOW_LOOK_NS	500000u

/* How often one copy is tried before the caller hears of it. */
#define DFX_SHADOW_TRIES	4

/*
 * Copies that fail in a row, and none succeeds in between, before the device
 * counts as gone. A pass makes one, and pauses for up to a millisecond.
 */
#define DFX_SHADOW_FAILURES	2000

/**
 * struct dfx_shadow_store - a field that could not be written yet
 * @off: from the start of the region.
 * @val: what is to be there.
 */
struct dfx_shadow_store {
	u32 off;
	__le32 val;
};

/**
 * struct dfx_shadow_memory - the host's memory for a region that is copied
 * @index: shadow of the device's words, from &dfx_geometry.dev_off to
 *	&dfx_geometry.rq_off.
 * @landing: as large, for what is being pulled.
 * @data: the data area, page-aligned.
 * @stores: room for fields that cannot be written at once, @nr_stores of them,
 *	at least dfx_shadow_nr_stores().
 * @nr_stores: their number.
 */
struct dfx_shadow_memory {
	void *index;
	void *landing;
	void *data;
	struct dfx_shadow_store *stores;
	u32 nr_stores;
};

/**
 * struct dfx_shadow - &dfx_io.base of a region that is reached by copies
 * @copy: the way there.
 * @bus: first argument of @copy.
 * @origin: first byte of the region in the aperture.
 * @mem: the memory; all zero before there is a geometry.
 * @index_off: first byte that @mem.index is a shadow of.
 * @index_len: its bytes.
 * @buf_off: first byte of the buffers.
 * @arena_off: first byte of the arenas; U64_MAX if there are none.
 * @pending: fields in @mem.stores, in the order in which they were stored.
 * @failures: copies that have failed since the last one that succeeded.
 */
struct dfx_shadow {
	const struct dfx_copy_ops *copy;
	void *bus;
	u64 origin;
	struct dfx_shadow_memory mem;
	u64 index_off;
	u64 index_len;
	u64 buf_off;
	u64 arena_off;
	u32 pending;
	u32 failures;
};

u32 dfx_shadow_nr_stores(const struct dfx_geometry *geom);
void dfx_shadow_layout(struct dfx_io *io, const struct dfx_geometry *geom,
		       const struct dfx_shadow_memory *mem);

extern const struct dfx_region_ops dfx_region_shadow_ops;

#endif /* DFX_REGION_SHADOW_H */
