// SPDX-License-Identifier: GPL-2.0-only
/*
 * arena_world.c - a world whose records have payloads
 */
#include <stdlib.h>
#include <string.h>

#include "arena_world.h"

static const struct dfx_host_ops arena_ops = {
	.release_ready = dfx_arena_release_ready,
};

struct world *arena_world_new(u32 lanes, const struct dfx_limits *limits,
			      bool shadow)
{
	struct world_config config = {
		.subsys = DFX_SUBSYS_TENSOR_DUMP, .lanes = lanes,
		.pools_per_lane = 1, .limits = *limits, .shadow = shadow,
	};
	struct world *w;

	config.limits.arena_kb = ARENA_KB;
	w = world_new(&config);
	w->host.ops = &arena_ops;
	return w;
}

u64 arena_size(u64 n, u64 max)
{
	n *= 0x9e3779b97f4a7c15ull;
	return (n ^ n >> 29) % (max + 1);
}

static u8 arena_byte(u32 lane, u64 offset)
{
	u64 x = (offset + 1) * 0xbf58476d1ce4e5b9ull + lane;

	return (u8)(x >> 32 ^ x >> 11);
}

void *arena_put(struct dfx_dev_lane *lane, u64 size, u64 budget)
{
	struct dfx_dev_pool *pool = lane->first_pool;
	struct dfx_dev_payload p;
	struct dfx_rec_dump *rec;
	u64 i;

	/* Without a session there is nothing to write to. */
	if (!pool)
		return NULL;
	rec = dfx_dev_reserve_payload(lane, pool, size, budget, &p);
	if (!rec)
		return NULL;
	memset(rec, 0, sizeof(*rec));
	rec->task_id = (u64)pool->seq << 32 | pool->count;
	rec->payload_offset = p.offset;
	rec->payload_size = p.size;
	rec->full_size = p.full_size;
	rec->truncated = p.size < p.full_size;
	for (i = 0; i < p.size; i++)
		((u8 *)p.data)[i] = arena_byte(lane->index, p.offset + i);
	dfx_dev_commit_payload(lane, pool, &p);
	return rec;
}

static bool payload_right(struct world *w, const struct dfx_buf *buf,
			  const struct dfx_rec_dump *rec)
{
	u32 lane = w->host.geom.pools[buf->pool].lane;
	u64 from = buf->arena_pos * DFX_ARENA_UNIT;
	u64 to = from + (u64)buf->arena_len * DFX_ARENA_UNIT;
	const u8 *arena = w->host.io.ops->data(&w->host.io,
					       w->host.geom.data_arena_off +
					       lane * ARENA_BYTES);
	u64 i, at = rec->payload_offset;

	if (rec->payload_size &&
	    (at < from || at > to || rec->payload_size > to - at))
		return false;
	for (i = 0; i < rec->payload_size; i++)
		if (arena[(at + i) % ARENA_BYTES] != arena_byte(lane, at + i))
			return false;
	return rec->payload_size <= rec->full_size &&
	       rec->truncated == (rec->payload_size < rec->full_size);
}

void arena_check(struct world *w, u32 id, struct arena_check *c)
{
	const struct dfx_buf *buf = &w->host.bufs[id];
	const struct dfx_rec_dump *rec = (void *)world_buffer(w, id);
	u32 i;

	c->bad += buf->arena_pos != c->pos;
	c->pos = buf->arena_pos + buf->arena_len;
	c->wraps += buf->arena_pos % ARENA_UNITS + buf->arena_len > ARENA_UNITS;
	c->lost += buf->lost;
	for (i = 0; i < buf->count; i++, rec++) {
		c->bad += rec->task_id != ((u64)buf->seq << 32 | i) ||
			  !payload_right(w, buf, rec);
		c->truncated += rec->truncated;
		c->number++;
	}
}
