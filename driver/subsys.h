/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * subsys.h - what the driver knows of each profiling subsystem
 *
 * A subsystem is a row of a table. Nothing else in the driver is particular to
 * one of them.
 */
#ifndef DFX_SUBSYS_H
#define DFX_SUBSYS_H

#include <linux/types.h>

/**
 * enum dfx_per - what a kind has one pool for
 * @DFX_PER_CORE: each AICore.
 * @DFX_PER_LANE: each lane.
 * @DFX_PER_DEVICE: the device; its first lane writes there.
 */
enum dfx_per {
	DFX_PER_CORE,
	DFX_PER_LANE,
	DFX_PER_DEVICE,
};

/**
 * struct dfx_kind_desc - one kind of record of a subsystem
 * @kind: its number, 0 to 31.
 * @per: what there is one pool for.
 * @record_size: bytes of a record.
 * @records: records in a buffer, by default and at most.
 * @buffers: buffers in a pool, by default.
 * @slots: free-queue depth, by default; a power of two.
 * @min_level: level from which on it is recorded.
 */
struct dfx_kind_desc {
	u32 kind;
	enum dfx_per per;
	u32 record_size;
	u32 records;
	u32 buffers;
	u32 slots;
	u32 min_level;
};

/**
 * struct dfx_subsys_desc - one subsystem
 * @id: DFX_SUBSYS_*.
 * @name: as it appears in sysfs and in recordings, at most 15 bytes.
 * @kinds: its kinds; pools are in this order.
 * @nr_kinds: their number.
 * @default_level: level of a START that names none.
 * @max_level: highest level.
 * @arena_kb: size of each lane's arena in KiB, a power of two; 0: none. A kind of
 *	such a subsystem has one pool for each lane, and its records are &struct
 *	dfx_rec_dump.
 */
struct dfx_subsys_desc {
	u32 id;
	const char *name;
	const struct dfx_kind_desc *kinds;
	u32 nr_kinds;
	u32 default_level;
	u32 max_level;
	u32 arena_kb;
};

extern const struct dfx_subsys_desc dfx_subsys[];
extern const unsigned int dfx_nr_subsys;

#endif /* DFX_SUBSYS_H */
