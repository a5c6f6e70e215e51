// SPDX-License-Identifier: GPL-2.0-only
/*
 * region_shadow.c - transport for an aperture that is reached by copies only
 *
 * Loads come from the shadow of the device's words, as of the last pull. Stores
 * go out one field at a time, in the order in which they were made: one that
 * fails holds up those behind it, and as long as any is held up nothing is
 * pulled, so that no pass acts on what the device has not been told.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include <uapi/linux/dfx_layout.h>

#include "region_shadow.h"

#define DFX_ALL_ONES	0xffffffffu

static struct dfx_shadow *dfx_shadow_of(struct dfx_io *io)
{
	return io->base;
}

static u32 dfx_shadow_class(const struct dfx_shadow *s, u64 off)
{
	if (!s->index_len || off < s->index_off)
		return DFX_COPIED_HEADER;
	if (off < s->buf_off)
		return DFX_COPIED_INDEX;
	return off < s->arena_off ? DFX_COPIED_BUFFERS : DFX_COPIED_ARENA;
}

/*
 * A device that had gone before a copy ended has answered some of it with all
 * ones. So may a device that is there; but its magic does not read so.
 */
static bool dfx_shadow_present(struct dfx_io *io, const void *dst, size_t len)
{
	struct dfx_shadow *s = dfx_shadow_of(io);
	const u32 *word = dst;
	size_t i, nr = len / sizeof(*word);
	u32 magic;

	for (i = 0; i < nr && word[i] != DFX_ALL_ONES; i++)
		;
	if (i == nr)
		return true;
	/* A failure of this one says nothing. */
	if (s->copy->from(s->bus, &magic, offsetof(struct dfx_shm_ident, magic),
			  sizeof(magic)))
		return true;
	io->gone = magic == DFX_ALL_ONES;
	return !io->gone;
}

static int dfx_shadow_failed(struct dfx_io *io)
{
	if (++dfx_shadow_of(io)->failures >= DFX_SHADOW_FAILURES)
		io->gone = true;
	return -EIO;
}

static int dfx_shadow_from(struct dfx_io *io, u64 off, void *dst, size_t len)
{
	struct dfx_shadow *s = dfx_shadow_of(io);
	u32 tries = 0;

	if (io->gone)
		return -EIO;
	while (s->copy->from(s->bus, dst, s->origin + off, len))
		if (++tries == DFX_SHADOW_TRIES)
			return dfx_shadow_failed(io);
	if (!dfx_shadow_present(io, dst, len))
		return -EIO;
	s->failures = 0;
	io->copied[dfx_shadow_class(s, off)] += len;
	return 0;
}

static int dfx_shadow_to(struct dfx_io *io, u64 off, const void *src,
			 size_t len)
{
	struct dfx_shadow *s = dfx_shadow_of(io);
	u32 tries = 0;

	if (io->gone)
		return -EIO;
	while (s->copy->to(s->bus, s->origin + off, src, len))
		if (++tries == DFX_SHADOW_TRIES)
			return dfx_shadow_failed(io);
	s->failures = 0;
	io->copied[dfx_shadow_class(s, off)] += len;
	return 0;
}

/* Writes what is held up, oldest first; -EIO if something still is. */
static int dfx_shadow_settle(struct dfx_io *io)
{
	struct dfx_shadow *s = dfx_shadow_of(io);
	u32 done = 0;
	int err = 0;

	if (!s->pending)
		return 0;
	while (!err && done < s->pending) {
		const struct dfx_shadow_store *st = &s->mem.stores[done];

		err = dfx_shadow_to(io, st->off, &st->val, sizeof(st->val));
		if (!err)
			done++;
	}
	s->pending -= done;
	memmove(s->mem.stores, s->mem.stores + done,
		s->pending * sizeof(*s->mem.stores));
	return err;
}

/* Behind all that is held up already. */
static void dfx_shadow_hold_up(struct dfx_io *io, u64 off, __le32 val)
{
	struct dfx_shadow *s = dfx_shadow_of(io);

	/* The same field twice in a row: only the later value was to stay. */
	if (s->pending && s->mem.stores[s->pending - 1].off == off)
		s->pending--;
	if (s->pending == s->mem.nr_stores) {
		/* To leave one out would break the order: better no device. */
		io->gone = true;
		return;
	}
	s->mem.stores[s->pending++] =
		(struct dfx_shadow_store){ .off = off, .val = val };
}

static void *dfx_shadow_index(const struct dfx_shadow *s, u64 off)
{
	return off - s->index_off < s->index_len ?
	       s->mem.index + (off - s->index_off) : NULL;
}

static u32 dfx_shadow_load32(struct dfx_io *io, u64 off)
{
	const __le32 *word = dfx_shadow_index(dfx_shadow_of(io), off);
	__le32 val;

	if (word)
		return le32_to_cpu(*word);
	/* As a device that is not there would answer. */
	if (dfx_shadow_from(io, off, &val, sizeof(val)))
		return DFX_ALL_ONES;
	return le32_to_cpu(val);
}

static void dfx_shadow_store32(struct dfx_io *io, u64 off, u32 val)
{
	struct dfx_shadow *s = dfx_shadow_of(io);
	__le32 *word = dfx_shadow_index(s, off);
	__le32 v = cpu_to_le32(val);

	if (io->gone)
		return;
	/* The few words of the device that the host writes, as (F). */
	if (word)
		*word = v;
	if (dfx_shadow_settle(io) || dfx_shadow_to(io, off, &v, sizeof(v)))
		dfx_shadow_hold_up(io, off, v);
}

static u64 dfx_shadow_load64(struct dfx_io *io, u64 off)
{
	const __le64 *word = dfx_shadow_index(dfx_shadow_of(io), off);
	__le64 val;

	if (word)
		return le64_to_cpu(*word);
	if (dfx_shadow_from(io, off, &val, sizeof(val)))
		return U64_MAX;
	return le64_to_cpu(val);
}

static void dfx_shadow_full_barrier(struct dfx_io *io)
{
	struct dfx_shadow *s = dfx_shadow_of(io);

	/* If something is held up, the next pull fails. */
	if (!dfx_shadow_settle(io) && !io->gone)
		s->copy->fence(s->bus);
}

static int dfx_shadow_pull(struct dfx_io *io, u64 off, u32 len)
{
	struct dfx_shadow *s = dfx_shadow_of(io);
	int err;

	err = dfx_shadow_settle(io);
	/* Not in place: half of a copy that fails may have been made. */
	if (!err)
		err = dfx_shadow_from(io, off, s->mem.landing, len);
	if (!err)
		memcpy(dfx_shadow_index(s, off), s->mem.landing, len);
	return err;
}

static int dfx_shadow_read(struct dfx_io *io, u64 off, void *dst, u32 len)
{
	return dfx_shadow_from(io, off, dst, len);
}

static int dfx_shadow_write(struct dfx_io *io, u64 off, const void *src,
			    u32 len)
{
	int err = dfx_shadow_settle(io);

	return err ?: dfx_shadow_to(io, off, src, len);
}

static int dfx_shadow_fetch(struct dfx_io *io, u64 off, u64 data, u32 len)
{
	return dfx_shadow_from(io, off, dfx_shadow_of(io)->mem.data + data,
			       len);
}

static void *dfx_shadow_data(struct dfx_io *io, u64 data)
{
	return dfx_shadow_of(io)->mem.data + data;
}

/**
 * dfx_shadow_nr_stores() - fields that may have to wait to be written
 * @geom: the geometry.
 *
 * What START and one pass store, and some control calls after it. While any
 * waits there is no pass. A region that needs more is lost.
 */
u32 dfx_shadow_nr_stores(const struct dfx_geometry *geom)
{
	return geom->nr_pools * (DFX_MAX_FQ_SLOTS + 2) +
	       geom->nr_lanes * 128 + 256;
}

/**
 * dfx_shadow_layout() - give a region its geometry
 * @io: the region, which is not in use.
 * @geom: the geometry.
 * @mem: memory for it; the caller gives up what @io had before.
 */
void dfx_shadow_layout(struct dfx_io *io, const struct dfx_geometry *geom,
		       const struct dfx_shadow_memory *mem)
{
	struct dfx_shadow *s = dfx_shadow_of(io);

	s->mem = *mem;
	s->index_off = geom->dev_off;
	s->index_len = geom->rq_off - geom->dev_off;
	s->buf_off = geom->buf_off;
	s->arena_off = geom->arena_units ? geom->arena_off : U64_MAX;
	s->pending = 0;
}

const struct dfx_region_ops dfx_region_shadow_ops = {
	.name = "shadow",
	.copies = DFX_SHADOW_COPIES,
	.stays = true,
	.load32 = dfx_shadow_load32,
	.store32 = dfx_shadow_store32,
	.load64 = dfx_shadow_load64,
	.full_barrier = dfx_shadow_full_barrier,
	.pull = dfx_shadow_pull,
	.read = dfx_shadow_read,
	.write = dfx_shadow_write,
	.fetch = dfx_shadow_fetch,
	.data = dfx_shadow_data,
};
