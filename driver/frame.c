// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame.c - the frames of a recording, the same for read() and the rings
 *
 * Recordings are little-endian. The structures that are shared with the ioctls
 * go into them as they are, which is right on the little-endian machines that
 * Kconfig allows.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "dfx_drv.h"

/**
 * dfx_frame_data() - header of a DATA frame
 * @region: the region; locked.
 * @id: a buffer that is READY or HELD.
 * @out: filled in.
 */
void dfx_frame_data(struct dfx_region *region, u32 id, struct dfx_frame *out)
{
	const struct dfx_buf *buf = &region->host.bufs[id];
	const struct dfx_pool_geom *g = &region->host.geom.pools[buf->pool];
	u32 len = buf->count * g->record_size;
	u32 flags = 0;

	if (buf->arena_len) {
		flags |= DFX_FRAME_ARENA;
		len += sizeof(struct dfx_arena_info) +
		       buf->arena_len * DFX_ARENA_UNIT;
	}
	if (buf->count < g->capacity)
		flags |= DFX_FRAME_PARTIAL;
	if (buf->lost)
		flags |= DFX_FRAME_GAP;
	if (buf->recovered)
		flags |= DFX_FRAME_RECOVERED;
	if (buf->redelivered)
		flags |= DFX_FRAME_REDELIVERED;
	*out = (struct dfx_frame){
		.magic = cpu_to_le32(DFX_FRAME_MAGIC),
		.type = DFX_FRAME_DATA,
		.version = DFX_FRAME_VERSION,
		.header_size = cpu_to_le16(sizeof(*out)),
		.len = cpu_to_le32(len),
		.flags = cpu_to_le32(flags),
		.session = cpu_to_le64(region->host.session),
		.pool = cpu_to_le32(buf->pool),
		.seq = cpu_to_le32(buf->seq),
		.count = cpu_to_le32(buf->count),
		.lane = cpu_to_le16(g->lane),
		.kind = cpu_to_le16(g->kind),
		.lost = cpu_to_le64(buf->lost),
		.time = cpu_to_le64(buf->time),
		.record_size = cpu_to_le32(g->record_size),
	};
}

/**
 * dfx_frame_arena() - a buffer's share of its lane's arena
 * @region: the region; locked.
 * @id: a buffer that is READY or HELD.
 * @out: filled in; nothing has a length if the buffer has no share.
 */
void dfx_frame_arena(struct dfx_region *region, u32 id,
		     struct dfx_share_bytes *out)
{
	const struct dfx_geometry *geom = &region->host.geom;
	const struct dfx_buf *buf = &region->host.bufs[id];
	u64 size = (u64)geom->arena_units * DFX_ARENA_UNIT;
	u64 pos = buf->arena_pos * DFX_ARENA_UNIT;
	u64 len = (u64)buf->arena_len * DFX_ARENA_UNIT;

	*out = (struct dfx_share_bytes){ };
	if (!len)
		return;
	out->info.pos = cpu_to_le64(pos);
	out->info.len = cpu_to_le64(len);
	out->wrap = geom->data_arena_off +
		    geom->pools[buf->pool].lane * size;
	out->off = out->wrap + (pos & (size - 1));
	out->first = dfx_arena_unwrapped(geom, pos, len);
	out->rest = len - out->first;
}

static void *dfx_frame_alloc(struct dfx_region *region, u8 type, size_t len)
{
	struct dfx_frame *frame = kvzalloc(len, GFP_KERNEL_ACCOUNT);

	if (!frame)
		return NULL;
	*frame = (struct dfx_frame){
		.magic = cpu_to_le32(DFX_FRAME_MAGIC),
		.type = type,
		.version = DFX_FRAME_VERSION,
		.header_size = cpu_to_le16(sizeof(*frame)),
		.len = cpu_to_le32(len - sizeof(*frame)),
		.session = cpu_to_le64(region->host.session),
	};
	return frame;
}

/**
 * dfx_frame_session() - a SESSION frame for a consumer
 * @f: the file; region locked; there is or was a session.
 * @len: set to its bytes.
 *
 * Return: kvmalloc memory, or NULL.
 */
void *dfx_frame_session(struct dfx_file *f, size_t *len)
{
	struct dfx_region *region = f->region;
	const struct dfx_host *host = &region->host;
	struct dfx_session_info *info;
	struct dfx_pool_info *pools;
	struct dfx_frame *frame;
	u32 i;

	*len = sizeof(*frame) + sizeof(*info) +
	       host->geom.nr_pools * sizeof(*pools);
	frame = dfx_frame_alloc(region, DFX_FRAME_SESSION, *len);
	if (!frame)
		return NULL;
	info = (void *)(frame + 1);
	pools = (void *)(info + 1);
	*info = (struct dfx_session_info){
		.info_size = cpu_to_le32(sizeof(*info)),
		.pool_size = cpu_to_le32(sizeof(*pools)),
		.nr_pools = cpu_to_le32(host->geom.nr_pools),
		.nr_lanes = cpu_to_le32(host->geom.nr_lanes),
		.subsys = cpu_to_le32(region->desc->id),
		.arch = cpu_to_le32(region->info.arch),
		.isa = cpu_to_le32(region->info.isa),
		.nr_cores = cpu_to_le32(region->info.nr_cores),
		.level = cpu_to_le32(region->level),
		.kinds = cpu_to_le32(region->kinds),
		.recovery = cpu_to_le32(host->recovery),
		.rq_depth = cpu_to_le32(host->geom.rq_depth),
		.session = cpu_to_le64(host->session),
		.lane_mask = cpu_to_le64(host->lane_mask),
		.lanes_here = cpu_to_le64(f->lanes),
		.counter_hz = cpu_to_le64(region->info.counter_hz),
		.deadline_ms = cpu_to_le32(region->policy.deadline_ms),
		.start_ns = cpu_to_le64(region->start_ns),
		.start_realtime_ns = cpu_to_le64(region->start_realtime_ns),
	};
	strscpy(info->name, region->desc->name, sizeof(info->name));
	for (i = 0; i < host->geom.nr_pools; i++)
		dfx_state_pool_info(region, i, &pools[i]);
	return frame;
}

/**
 * dfx_frame_end() - the END frame for a consumer
 * @f: the file; region locked, not gone; the consumer has finished.
 * @len: set to its bytes.
 *
 * Return: kvmalloc memory, or NULL.
 */
void *dfx_frame_end(struct dfx_file *f, size_t *len)
{
	struct dfx_region *region = f->region;
	struct dfx_host *host = &region->host;
	struct dfx_lane_state *lanes;
	u32 i, nr_incidents = dfx_incident_listed(host);
	struct dfx_pool_state *pools;
	struct dfx_end_info *info;
	struct dfx_frame *frame;

	*len = sizeof(*frame) + sizeof(*info) +
	       host->geom.nr_lanes * sizeof(*lanes) +
	       host->geom.nr_pools * sizeof(*pools) +
	       nr_incidents * sizeof(*host->incidents);
	frame = dfx_frame_alloc(region, DFX_FRAME_END, *len);
	if (!frame)
		return NULL;
	info = (void *)(frame + 1);
	lanes = (void *)(info + 1);
	pools = (void *)(lanes + host->geom.nr_lanes);
	*info = (struct dfx_end_info){
		.info_size = cpu_to_le32(sizeof(*info)),
		.lane_size = cpu_to_le32(sizeof(*lanes)),
		.pool_size = cpu_to_le32(sizeof(*pools)),
		.nr_lanes = cpu_to_le32(host->geom.nr_lanes),
		.nr_pools = cpu_to_le32(host->geom.nr_pools),
		.session = cpu_to_le64(host->session),
		.end_ns = cpu_to_le64(region->end_ns),
		.incident_size = cpu_to_le32(sizeof(*host->incidents)),
		.nr_incidents = cpu_to_le32(nr_incidents),
		.incidents = cpu_to_le64(host->nr_incidents),
	};
	dfx_account_freeze(host, region->end_ns, info->freeze);
	for (i = 0; i < host->geom.nr_lanes; i++) {
		dfx_state_lane(region, i, &lanes[i]);
		/* One that was left out of this session is none of its. */
		if (host->lanes[i].enabled && host->lanes[i].silent)
			info->silent = cpu_to_le32(1);
	}
	for (i = 0; i < host->geom.nr_pools; i++)
		dfx_state_pool(f, i, &pools[i]);
	memcpy(pools + host->geom.nr_pools, host->incidents,
	       nr_incidents * sizeof(*host->incidents));
	return frame;
}
