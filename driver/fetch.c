// SPDX-License-Identifier: GPL-2.0-only
/*
 * fetch.c - brings records and payloads to where consumers find them
 *
 * By their exact length: what an entry says, checked. Where the device's memory
 * is what consumers map, nothing moves.
 */
#include <linux/kernel.h>

#include "host.h"

/**
 * dfx_fetch_buffer() - the records of a buffer
 * @host: the region.
 * @id: the device's buffer.
 * @target: dfx_table_target() of it.
 * @count: records in it, at most its capacity.
 *
 * Called after the entry has been read, or the count, of which (A) says that the
 * records were there before.
 *
 * Return: 0 or -EIO.
 */
int dfx_fetch_buffer(struct dfx_host *host, u32 id, u32 target, u32 count)
{
	const struct dfx_pool_geom *g = &host->geom.pools[host->bufs[id].pool];
	u32 len = count * g->record_size;
	int err;

	err = host->io.ops->fetch(&host->io, dfx_off_buffer(host, id),
				  dfx_data_buffer(host, target), len);
	if (!err)
		host->swept_credit += len;
	return err;
}

/**
 * dfx_fetch_share() - the payloads up to a position in a lane's arena
 * @host: the region.
 * @lane: the lane.
 * @end: from an entry; dfx_arena_check().
 *
 * They lie in the data area as in the region: nothing there is overwritten that
 * a consumer may need, since the lane does not write to it either until it has
 * been reclaimed.
 *
 * Return: 0 or -EIO.
 */
int dfx_fetch_share(struct dfx_host *host, u32 lane, u32 end)
{
	const struct dfx_geometry *geom = &host->geom;
	u64 size = (u64)geom->arena_units * DFX_ARENA_UNIT;
	u64 tail = host->lanes[lane].arena_tail;
	u64 len = (u64)(end - (u32)tail) * DFX_ARENA_UNIT;
	u64 pos = (tail * DFX_ARENA_UNIT) & (size - 1);
	u64 first = dfx_arena_unwrapped(geom, pos, len);
	u64 off = geom->arena_off + lane * size;
	u64 data = geom->data_arena_off + lane * size;
	int err = 0;

	if (!size)
		return 0;
	if (first)
		err = host->io.ops->fetch(&host->io, off + pos, data + pos,
					  first);
	/* The rest has wrapped. */
	if (!err && len > first)
		err = host->io.ops->fetch(&host->io, off, data, len - first);
	return err;
}
