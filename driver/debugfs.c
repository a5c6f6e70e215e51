// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - what a region's memory is used for, and who owns its buffers
 *
 * dfx/dfxN/memory	bytes of the host's, by what they are for
 * dfx/dfxN/owners	buffers of each pool, by owner
 *
 * For people: the format may change. A missing debugfs is no error.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "dfx_drv.h"

static struct dentry *dfx_debugfs_root;

/* Both rings, and what is kept for each pool and buffer of a consumer. */
static u64 dfx_debugfs_consumers(const struct dfx_region *region)
{
	const struct dfx_geometry *geom = &region->host.geom;
	const struct dfx_file *f;
	u64 sum = 0;

	list_for_each_entry(f, &region->files, node)
		if (f->lanes)
			sum += f->ready_len + f->release_len +
			       geom->nr_pools * sizeof(*f->shares) +
			       geom->nr_buffers * sizeof(*f->given);
	return sum;
}

static int memory_show(struct seq_file *m, void *unused)
{
	struct dfx_region *region = m->private;
	const struct dfx_host *host = &region->host;
	const struct dfx_geometry *geom = &host->geom;

	mutex_lock(&region->lock);
	seq_printf(m, "tables %llu\n",
		   (u64)dfx_geometry_nr_ids(geom) * sizeof(*host->bufs) +
		   geom->nr_pools * (sizeof(*host->pools) +
				     sizeof(*geom->pools)) +
		   geom->nr_lanes * sizeof(*host->lanes));
	seq_printf(m, "incidents %zu\n",
		   DFX_MAX_INCIDENTS * sizeof(*host->incidents));
	seq_printf(m, "transport %llu\n", dfx_transport_bytes(&host->io, geom));
	seq_printf(m, "consumers %llu\n", dfx_debugfs_consumers(region));
	mutex_unlock(&region->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(memory);

static int owners_show(struct seq_file *m, void *unused)
{
	static const char * const owner[DFX_NR_OWNER] = {
		[DFX_OWNER_FREE] = "free",
		[DFX_OWNER_QUEUED] = "queued",
		[DFX_OWNER_DEVICE] = "device",
		[DFX_OWNER_READY] = "ready",
		[DFX_OWNER_HELD] = "held",
		[DFX_OWNER_QUARANTINE] = "quarantine",
		[DFX_OWNER_SPARE] = "spare",
	};
	struct dfx_region *region = m->private;
	const struct dfx_host *host = &region->host;
	u32 pool, o;

	mutex_lock(&region->lock);
	for (pool = 0; pool < host->geom.nr_pools; pool++) {
		seq_printf(m, "pool %u lane %u", pool,
			   host->geom.pools[pool].lane);
		for (o = 0; o < DFX_NR_OWNER; o++)
			seq_printf(m, " %s %u", owner[o],
				   host->pools[pool].nr[o]);
		seq_putc(m, '\n');
	}
	mutex_unlock(&region->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(owners);

/**
 * dfx_debugfs_add() - a region's files
 * @region: the region; its node is live.
 */
void dfx_debugfs_add(struct dfx_region *region)
{
	region->debugfs = debugfs_create_dir(dev_name(&region->dev),
					     dfx_debugfs_root);
	debugfs_create_file("memory", 0400, region->debugfs, region,
			    &memory_fops);
	debugfs_create_file("owners", 0400, region->debugfs, region,
			    &owners_fops);
}

/**
 * dfx_debugfs_remove() - take them away; waits for who reads them
 * @region: the region; not locked.
 */
void dfx_debugfs_remove(struct dfx_region *region)
{
	debugfs_remove(region->debugfs);
}

void dfx_debugfs_init(void)
{
	dfx_debugfs_root = debugfs_create_dir("dfx", NULL);
}

void dfx_debugfs_exit(void)
{
	debugfs_remove(dfx_debugfs_root);
}
