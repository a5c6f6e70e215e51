// SPDX-License-Identifier: GPL-2.0-only
/*
 * geometry.c - computes a region's geometry and writes its header
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include <uapi/linux/dfx_layout.h>

#include "geometry.h"

static u32 dfx_kind_instances(const struct dfx_kind_desc *kind, u32 nr_lanes,
			      u32 nr_cores)
{
	switch (kind->per) {
	case DFX_PER_CORE:
		return nr_cores;
	case DFX_PER_LANE:
		return nr_lanes;
	case DFX_PER_DEVICE:
		return 1;
	}
	return 0;
}

static bool dfx_kind_wanted(const struct dfx_kind_desc *kind, u32 kinds)
{
	return !kinds || kinds & BIT(kind->kind);
}

/**
 * dfx_geometry_nr_pools() - pools that a subsystem has on a device
 * @desc: the subsystem.
 * @nr_lanes: the device's lanes.
 * @nr_cores: the device's cores.
 * @kinds: as &struct dfx_limits.kinds.
 */
u32 dfx_geometry_nr_pools(const struct dfx_subsys_desc *desc, u32 nr_lanes,
			  u32 nr_cores, u32 kinds)
{
	u32 i, nr = 0;

	for (i = 0; i < desc->nr_kinds; i++)
		if (dfx_kind_wanted(&desc->kinds[i], kinds))
			nr += dfx_kind_instances(&desc->kinds[i], nr_lanes,
						 nr_cores);
	return nr;
}

/* Records in a buffer of the largest kind that there is. */
static u32 dfx_geometry_most_records(const struct dfx_subsys_desc *desc,
				     u32 kinds)
{
	u32 i, most = 0;

	for (i = 0; i < desc->nr_kinds; i++)
		if (dfx_kind_wanted(&desc->kinds[i], kinds))
			most = max(most, desc->kinds[i].records);
	return most;
}

static int dfx_geometry_kind(struct dfx_geometry *geom,
			     const struct dfx_kind_desc *kind, u32 nr_cores,
			     const struct dfx_limits *limits)
{
	u32 nr = dfx_kind_instances(kind, geom->nr_lanes, nr_cores);
	u32 buffers = limits->buffers ?: kind->buffers;
	u32 records = min(limits->records ?: kind->records, kind->records);
	u32 slots = limits->slots ?: kind->slots;
	u32 i;

	if (!is_power_of_2(slots) || slots > DFX_MAX_FQ_SLOTS ||
	    buffers > DFX_MAX_BUFFERS)
		return -EINVAL;
	if (geom->nr_pools + nr > DFX_MAX_POOLS ||
	    geom->nr_buffers + (u64)nr * buffers > DFX_MAX_BUFFERS)
		return -ENOSPC;

	for (i = 0; i < nr; i++) {
		struct dfx_pool_geom *p = &geom->pools[geom->nr_pools++];

		*p = (struct dfx_pool_geom){
			.kind = kind->kind,
			.instance = i,
			/* Neighbouring cores share a lane. */
			.lane = kind->per == DFX_PER_CORE ?
				i * geom->nr_lanes / nr_cores : i,
			.slots = slots,
			.nr_buffers = buffers,
			.first_buffer = geom->nr_buffers,
			.record_size = kind->record_size,
			.capacity = records,
			.stride = ALIGN(records * kind->record_size,
					DFX_SHM_PAGE),
			.min_level = kind->min_level,
		};
		geom->nr_buffers += buffers;
	}
	return 0;
}

static int dfx_geometry_arena(struct dfx_geometry *geom,
			      const struct dfx_subsys_desc *desc,
			      const struct dfx_limits *limits, u64 *off)
{
	u32 kb = limits->arena_kb ?: desc->arena_kb;

	if (!desc->arena_kb)
		return 0;
	if (!is_power_of_2(kb) || kb < DFX_SHM_PAGE / SZ_1K ||
	    kb > DFX_MAX_ARENA_SIZE / SZ_1K)
		return -EINVAL;
	geom->arena_off = *off;
	geom->arena_units = kb * (SZ_1K / DFX_ARENA_UNIT);
	*off += (u64)geom->nr_lanes * kb * SZ_1K;
	return 0;
}

/* What consumers map: the device's own buffers and arenas, or as much memory. */
static void dfx_geometry_data(struct dfx_geometry *geom, u32 copies)
{
	u64 off = 0;
	u32 i;

	for (i = 0; i < geom->nr_pools; i++) {
		struct dfx_pool_geom *p = &geom->pools[i];

		p->nr_copies = p->nr_buffers * copies;
		p->first_copy = geom->nr_buffers + geom->nr_copies;
		p->data_off = off;
		geom->nr_copies += p->nr_copies;
		off += (u64)(p->nr_copies ?: p->nr_buffers) * p->stride;
	}
	geom->data_arena_off = off;
	geom->data_size = off + (u64)geom->nr_lanes * geom->arena_units *
			  DFX_ARENA_UNIT;
}

/**
 * dfx_geometry_init() - compute a region's geometry
 * @geom: filled in.
 * @pools: room for dfx_geometry_nr_pools() elements; must outlive @geom.
 * @desc: the subsystem.
 * @nr_lanes: the device's lanes, 1 to DFX_MAX_LANES.
 * @nr_cores: the device's cores, at least 1.
 * @limits: the policy.
 *
 * Return: 0; -EINVAL if the policy asks for what cannot be; -ENOSPC if it asks
 * for more than the layout allows. Whether @geom->size fits is the caller's
 * question.
 */
int dfx_geometry_init(struct dfx_geometry *geom, struct dfx_pool_geom *pools,
		      const struct dfx_subsys_desc *desc, u32 nr_lanes,
		      u32 nr_cores, const struct dfx_limits *limits)
{
	u64 off;
	u32 i;
	int err;

	*geom = (struct dfx_geometry){
		.subsys = desc->id,
		.nr_lanes = nr_lanes,
		.pools = pools,
	};
	if (limits->records > dfx_geometry_most_records(desc, limits->kinds))
		return -EINVAL;
	for (i = 0; i < desc->nr_kinds; i++) {
		if (!dfx_kind_wanted(&desc->kinds[i], limits->kinds))
			continue;
		err = dfx_geometry_kind(geom, &desc->kinds[i], nr_cores,
					limits);
		if (err)
			return err;
	}

	/* By default one lane's queue has room for every buffer there is. */
	geom->rq_depth = limits->rq_depth ?:
			 min_t(u32, roundup_pow_of_two(geom->nr_buffers),
			       DFX_MAX_RQ_DEPTH);
	if (!is_power_of_2(geom->rq_depth) ||
	    geom->rq_depth > DFX_MAX_RQ_DEPTH)
		return -EINVAL;

	off = sizeof(struct dfx_shm_region);
	geom->desc_off = off;
	off += geom->nr_pools * sizeof(struct dfx_shm_pool_desc);

	off = ALIGN(off, DFX_SHM_PAGE);
	geom->host_off = off;
	off += sizeof(struct dfx_shm_ctl);
	geom->freeze_off = off;
	off += sizeof(struct dfx_shm_freeze);
	geom->rq_head_off = off;
	off += nr_lanes * sizeof(struct dfx_shm_rq_head);
	geom->fq_off = off;
	off += geom->nr_pools * sizeof(struct dfx_shm_fq);

	off = ALIGN(off, DFX_SHM_PAGE);
	geom->dev_off = off;
	off += sizeof(struct dfx_shm_contended);
	geom->lane_off = off;
	off += nr_lanes * sizeof(struct dfx_shm_lane);
	geom->pool_off = off;
	off += geom->nr_pools * sizeof(struct dfx_shm_pool);
	geom->rq_off = off;
	off += (u64)nr_lanes * geom->rq_depth * sizeof(struct dfx_shm_entry);

	off = ALIGN(off, DFX_SHM_PAGE);
	geom->buf_off = off;
	for (i = 0; i < geom->nr_pools; i++) {
		pools[i].buf_off = off;
		off += (u64)pools[i].nr_buffers * pools[i].stride;
	}
	err = dfx_geometry_arena(geom, desc, limits, &off);
	if (err)
		return err;
	geom->size = off;
	dfx_geometry_data(geom, limits->copies);
	return 0;
}

/**
 * dfx_geometry_write() - write a region's header and pool table
 * @geom: the geometry.
 * @io: the region.
 *
 * The session's fields are 0. Only while no lane follows a session.
 *
 * Return: 0 or -EIO.
 */
int dfx_geometry_write(const struct dfx_geometry *geom, struct dfx_io *io)
{
	struct dfx_shm_region hdr = {
		.magic = cpu_to_le32(DFX_MAGIC_REGION),
		.subsys = cpu_to_le32(geom->subsys),
		.nr_lanes = cpu_to_le32(geom->nr_lanes),
		.nr_pools = cpu_to_le32(geom->nr_pools),
		.nr_buffers = cpu_to_le32(geom->nr_buffers),
		.rq_depth = cpu_to_le32(geom->rq_depth),
		.desc_off = cpu_to_le32(geom->desc_off),
		.host_off = cpu_to_le32(geom->host_off),
		.rq_head_off = cpu_to_le32(geom->rq_head_off),
		.fq_off = cpu_to_le32(geom->fq_off),
		.dev_off = cpu_to_le32(geom->dev_off),
		.lane_off = cpu_to_le32(geom->lane_off),
		.pool_off = cpu_to_le32(geom->pool_off),
		.rq_off = cpu_to_le32(geom->rq_off),
		.buf_off = cpu_to_le64(geom->buf_off),
		.size = cpu_to_le64(io->size),
		.arena_off = cpu_to_le64(geom->arena_off),
		.arena_units = cpu_to_le32(geom->arena_units),
	};
	u32 i;
	int err;

	for (i = 0; i < geom->nr_pools; i++) {
		const struct dfx_pool_geom *p = &geom->pools[i];
		struct dfx_shm_pool_desc desc = {
			.kind = cpu_to_le32(p->kind),
			.instance = cpu_to_le32(p->instance),
			.lane = cpu_to_le32(p->lane),
			.slots = cpu_to_le32(p->slots),
			.nr_buffers = cpu_to_le32(p->nr_buffers),
			.first_buffer = cpu_to_le32(p->first_buffer),
			.record_size = cpu_to_le32(p->record_size),
			.capacity = cpu_to_le32(p->capacity),
			.stride = cpu_to_le32(p->stride),
			.buf_off = cpu_to_le64(p->buf_off),
		};

		err = io->ops->write(io, geom->desc_off + i * sizeof(desc),
				     &desc, sizeof(desc));
		if (err)
			return err;
	}
	return io->ops->write(io, 0, &hdr, sizeof(hdr));
}
