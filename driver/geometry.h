/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * geometry.h - where everything in a region lies: the driver's trusted copy
 *
 * Computed once from the device's identity, the subsystem's row and the policy,
 * then written into the region's header. The driver never reads it back from
 * shared memory.
 */
#ifndef DFX_GEOMETRY_H
#define DFX_GEOMETRY_H

#include <linux/types.h>

#include "region_ops.h"
#include "subsys.h"

/**
 * struct dfx_limits - what a policy may change; 0 takes the default
 * @buffers: buffers in each pool.
 * @records: records in each buffer; a kind that has fewer by default keeps to
 *	that. At most that of the largest.
 * @slots: free-queue depth, a power of two up to DFX_MAX_FQ_SLOTS.
 * @rq_depth: ready-queue depth, a power of two up to DFX_MAX_RQ_DEPTH.
 * @arena_kb: size of each lane's arena in KiB, a power of two, at least 4.
 * @copies: none of the policy's: &dfx_region_ops.copies.
 * @kinds: none of the policy's: bit mask of the kinds that the device writes; 0:
 *	all of the subsystem's.
 */
struct dfx_limits {
	u32 buffers;
	u32 records;
	u32 slots;
	u32 rq_depth;
	u32 arena_kb;
	u32 copies;
	u32 kinds;
};

/**
 * struct dfx_pool_geom - one pool; as &struct dfx_shm_pool_desc
 * @kind: the subsystem's kind.
 * @instance: core or lane that the records belong to.
 * @lane: lane that it is bound to.
 * @slots: free-queue depth.
 * @nr_buffers: its buffers.
 * @first_buffer: id of the first.
 * @record_size: bytes.
 * @capacity: records in one buffer.
 * @stride: bytes from one buffer to the next.
 * @min_level: level from which on the kind is recorded.
 * @buf_off: first buffer, from the start of the region.
 * @nr_copies: buffers of the data area that records are copied to; 0 if its
 *	buffers are the device's own.
 * @first_copy: id of the first of these.
 * @data_off: first buffer of the data area, from its start.
 */
struct dfx_pool_geom {
	u32 kind;
	u32 instance;
	u32 lane;
	u32 slots;
	u32 nr_buffers;
	u32 first_buffer;
	u32 record_size;
	u32 capacity;
	u32 stride;
	u32 min_level;
	u64 buf_off;
	u32 nr_copies;
	u32 first_copy;
	u64 data_off;
};

/**
 * struct dfx_geometry - one region
 * @subsys: DFX_SUBSYS_*.
 * @nr_lanes: lanes.
 * @nr_pools: pools.
 * @nr_buffers: buffers of all pools.
 * @rq_depth: ready-queue depth.
 * @desc_off: pool table; this and the following as in &struct dfx_shm_region.
 * @host_off: control line.
 * @freeze_off: the host's half of the backpressure flags.
 * @rq_head_off: ready-queue heads.
 * @fq_off: free queues.
 * @dev_off: the device's half of the backpressure flags.
 * @lane_off: lanes.
 * @pool_off: pools.
 * @rq_off: ready queues.
 * @buf_off: buffers.
 * @arena_off: arenas; 0 if there are none.
 * @arena_units: size of each lane's arena in DFX_ARENA_UNIT; 0 likewise.
 * @size: bytes that all of it takes.
 * @nr_copies: buffers of the data area that are not the device's; their ids
 *	follow on those of the device's.
 * @data_arena_off: arenas in the data area, lane by lane as in the region.
 * @data_size: bytes of the data area. It has the buffers, pool by pool, then
 *	the arenas. Without copies it is the tail of the region, from @buf_off.
 * @pools: the caller's array of at least @nr_pools elements.
 */
struct dfx_geometry {
	u32 subsys;
	u32 nr_lanes;
	u32 nr_pools;
	u32 nr_buffers;
	u32 rq_depth;
	u32 desc_off;
	u32 host_off;
	u32 freeze_off;
	u32 rq_head_off;
	u32 fq_off;
	u32 dev_off;
	u32 lane_off;
	u32 pool_off;
	u32 rq_off;
	u64 buf_off;
	u64 arena_off;
	u32 arena_units;
	u64 size;
	u32 nr_copies;
	u64 data_arena_off;
	u64 data_size;
	struct dfx_pool_geom *pools;
};

u32 dfx_geometry_nr_pools(const struct dfx_subsys_desc *desc, u32 nr_lanes,
			  u32 nr_cores, u32 kinds);
int dfx_geometry_init(struct dfx_geometry *geom, struct dfx_pool_geom *pools,
		      const struct dfx_subsys_desc *desc, u32 nr_lanes,
		      u32 nr_cores, const struct dfx_limits *limits);
/* Ids of buffers run from 0 to this: the device's, then the copies. */
static inline u32 dfx_geometry_nr_ids(const struct dfx_geometry *geom)
{
	return geom->nr_buffers + geom->nr_copies;
}

/* Buffers that can be with consumers, or wait for them, at one time. */
static inline u32 dfx_geometry_nr_ready(const struct dfx_geometry *geom)
{
	return geom->nr_copies ?: geom->nr_buffers;
}

int dfx_geometry_write(const struct dfx_geometry *geom, struct dfx_io *io);

#endif /* DFX_GEOMETRY_H */
