// SPDX-License-Identifier: GPL-2.0-only
/*
 * device.c - an aperture: identity, generation, table of regions
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "doorbell.h"
#include "dfx_drv.h"

#define DFX_MAX_CORES	512

/* Kinds of l2_swimlane that there are. */
#define DFX_SWIM_KINDS	(BIT(DFX_KIND_AICPU_TASK) | BIT(DFX_KIND_SCHED_PHASE) | \
			 BIT(DFX_KIND_ORCH_PHASE) | BIT(DFX_KIND_AICORE_TASK))

/* Of the identity, and of the host's header. */
#define DFX_IDENT(field)	offsetof(struct dfx_shm_ident, field)
#define DFX_APERTURE(dfx, field) \
	((dfx)->info.shared_offset + offsetof(struct dfx_shm_aperture, field))

bool dfx_device_is_ours(const struct dfx_aperture *aperture, u32 *arch)
{
	struct dfx_io io;
	bool ours;

	if (dfx_transport_open(&io, aperture, 0, aperture->size))
		return false;
	/* Pairs with the release store in dfx_dev_announce(). */
	ours = io.ops->load32(&io, DFX_IDENT(magic)) == DFX_MAGIC_IDENT;
	*arch = ours ? io.ops->load32(&io, DFX_IDENT(arch)) : 0;
	dfx_transport_close(&io);
	return ours;
}
EXPORT_SYMBOL_NS_GPL(dfx_device_is_ours, DFX_NS);

#define DFX_REFUSE(dfx, field, val) \
	(dev_err((dfx)->parent, "identity: bad %s %llu\n", field, \
		 (unsigned long long)(val)), -EINVAL)

/* Reads the identity once and checks the copy. */
static int dfx_device_identify(struct dfx_device *dfx)
{
	struct dfx_info *info = &dfx->info;
	struct dfx_shm_ident id;
	u64 end;

	/* Again, and now it must be there: it may have gone since the probe. */
	if (dfx->io.ops->load32(&dfx->io, DFX_IDENT(magic)) !=
	    DFX_MAGIC_IDENT ||
	    dfx->io.ops->read(&dfx->io, 0, &id, sizeof(id))) {
		dev_err(dfx->parent, "identity: does not answer\n");
		return -EIO;
	}
	if (le32_to_cpu(id.layout_major) != DFX_LAYOUT_MAJOR) {
		dev_err(dfx->parent, "identity: layout %u.%u, need %u.x\n",
			le32_to_cpu(id.layout_major),
			le32_to_cpu(id.layout_minor), DFX_LAYOUT_MAJOR);
		return -EPROTO;
	}
	*info = (struct dfx_info){
		.arch = le32_to_cpu(id.arch),
		.isa = le32_to_cpu(id.isa),
		.nr_lanes = le32_to_cpu(id.nr_lanes),
		.nr_cores = le32_to_cpu(id.nr_cores),
		.counter_hz = le64_to_cpu(id.counter_hz),
		.watchdog_us = le64_to_cpu(id.watchdog_us),
		.shared_offset = le64_to_cpu(id.shared_offset),
		.shared_size = le64_to_cpu(id.shared_size),
		.subsystems = le32_to_cpu(id.subsystems),
		.boot = le32_to_cpu(id.boot),
		.doorbell = le32_to_cpu(id.doorbell),
		.swim_kinds = le32_to_cpu(id.swim_kinds) ?:
			      BIT(DFX_KIND_AICPU_TASK),
	};
	if (info->arch != DFX_ARCH_A2A3 && info->arch != DFX_ARCH_A5)
		return DFX_REFUSE(dfx, "arch", info->arch);
	if (!info->nr_lanes || info->nr_lanes > DFX_MAX_LANES)
		return DFX_REFUSE(dfx, "nr_lanes", info->nr_lanes);
	if (!info->nr_cores || info->nr_cores > DFX_MAX_CORES)
		return DFX_REFUSE(dfx, "nr_cores", info->nr_cores);
	/* The upper bound keeps ticks of one second times 10^9 in a u64. */
	if (info->counter_hz < 1000 || info->counter_hz > 10000000000ull)
		return DFX_REFUSE(dfx, "counter_hz", info->counter_hz);
	if (info->shared_offset % DFX_SHM_PAGE ||
	    info->shared_offset < DFX_SHM_PAGE)
		return DFX_REFUSE(dfx, "shared_offset", info->shared_offset);
	if (info->shared_size % DFX_SHM_PAGE ||
	    check_add_overflow(info->shared_offset, info->shared_size, &end) ||
	    end > dfx->io.size || info->shared_size < DFX_SHM_PAGE)
		return DFX_REFUSE(dfx, "shared_size", info->shared_size);
	if (info->doorbell > DFX_MAX_VECTORS)
		return DFX_REFUSE(dfx, "doorbell", info->doorbell);
	if (!(info->swim_kinds & DFX_SWIM_KINDS))
		return DFX_REFUSE(dfx, "swim_kinds", info->swim_kinds);
	info->swim_kinds &= DFX_SWIM_KINDS;
	return 0;
}

static void dfx_device_store32(struct dfx_device *dfx, u64 off, u32 val)
{
	dfx->io.ops->store32(&dfx->io, off, val);
}

/* Takes the aperture from whoever had it: no device attaches until (publish). */
static int dfx_device_claim(struct dfx_device *dfx)
{
	static const struct dfx_shm_region_ref none[DFX_MAX_REGIONS];
	u32 last;

	last = dfx->io.ops->load32(&dfx->io, DFX_APERTURE(dfx, generation));
	/* Pairs with the acquire load in dfx_dev_attach(). */
	dfx_device_store32(dfx, DFX_APERTURE(dfx, magic), 0);
	do {
		dfx->generation = get_random_u32();
	} while (!dfx->generation || dfx->generation == last);
	dfx_device_store32(dfx, DFX_APERTURE(dfx, layout_major),
			   DFX_LAYOUT_MAJOR);
	dfx_device_store32(dfx, DFX_APERTURE(dfx, layout_minor),
			   DFX_LAYOUT_MINOR);
	dfx_device_store32(dfx, DFX_APERTURE(dfx, generation),
			   dfx->generation);
	dfx_device_store32(dfx, DFX_APERTURE(dfx, peer),
			   dfx_doorbell_peer(dfx->bell));
	dfx_device_store32(dfx, DFX_APERTURE(dfx, vectors),
			   dfx_doorbell_vectors(dfx->bell));
	return dfx->io.ops->write(&dfx->io, DFX_APERTURE(dfx, regions), none,
				  sizeof(none));
}

static int dfx_device_publish(struct dfx_device *dfx)
{
	dfx_device_store32(dfx, DFX_APERTURE(dfx, nr_regions),
			   dfx->nr_regions);
	/* Pairs with the acquire load in dfx_dev_attach(). */
	dfx_device_store32(dfx, DFX_APERTURE(dfx, magic), DFX_MAGIC_APERTURE);
	/* It has to have arrived. */
	dfx->io.ops->full_barrier(&dfx->io);
	return dfx->io.ops->load32(&dfx->io, DFX_APERTURE(dfx, magic)) ==
	       DFX_MAGIC_APERTURE ? 0 : -EIO;
}

static int dfx_device_add_region(struct dfx_device *dfx,
				 const struct dfx_subsys_desc *desc, u64 *next)
{
	u64 end = dfx->info.shared_offset + dfx->info.shared_size;
	const struct dfx_limits defaults = {
		.kinds = dfx_info_kinds(&dfx->info, desc->id),
	};
	struct dfx_shm_region_ref ref;
	struct dfx_pool_geom *pools;
	struct dfx_geometry geom;
	struct dfx_region *region;
	u32 nr_pools;
	int err;

	nr_pools = dfx_geometry_nr_pools(desc, dfx->info.nr_lanes,
					 dfx->info.nr_cores, defaults.kinds);
	pools = kvcalloc(nr_pools, sizeof(*pools), GFP_KERNEL);
	if (!pools)
		return -ENOMEM;
	err = dfx_geometry_init(&geom, pools, desc, dfx->info.nr_lanes,
				dfx->info.nr_cores, &defaults);
	kvfree(pools);
	if (err) {
		dev_err(dfx->parent, "nr_cores: %u pools are too many for %s\n",
			nr_pools, desc->name);
		return err;
	}
	if (geom.size > end - *next) {
		dev_err(dfx->parent, "shared_size: no room for %s, %llu bytes\n",
			desc->name, geom.size);
		return -ENOSPC;
	}

	region = dfx_region_register(dfx, desc, *next, geom.size);
	if (IS_ERR(region))
		return PTR_ERR(region);
	ref = (struct dfx_shm_region_ref){
		.subsys = cpu_to_le32(desc->id),
		.vector = cpu_to_le32(region->bell ? region->vector :
				      DFX_MAX_VECTORS),
		.offset = cpu_to_le64(*next),
		.size = cpu_to_le64(geom.size),
	};
	dfx->offsets[dfx->nr_regions] = *next;
	err = dfx->io.ops->write(&dfx->io, DFX_APERTURE(dfx, regions) +
				 dfx->nr_regions * sizeof(ref), &ref,
				 sizeof(ref));
	dfx->regions[dfx->nr_regions++] = region;
	*next += geom.size;
	return err;
}

struct dfx_device *dfx_device_create(struct device *parent,
				     const struct dfx_aperture *aperture,
				     struct dfx_doorbell *bell)
{
	struct dfx_device *dfx;
	unsigned int i;
	u64 next;
	int err;

	dfx = kzalloc(sizeof(*dfx), GFP_KERNEL);
	if (!dfx)
		return ERR_PTR(-ENOMEM);
	dfx->parent = parent;
	dfx->aperture = *aperture;
	err = dfx_transport_open(&dfx->io, aperture, 0, aperture->size);
	if (err)
		goto err_free;
	err = dfx_device_identify(dfx);
	if (err)
		goto err_close;
	dfx->bell = dfx_doorbell_open(bell, dfx->info.doorbell);

	err = dfx_device_claim(dfx);
	next = dfx->info.shared_offset + DFX_SHM_PAGE;
	for (i = 0; !err && i < dfx_nr_subsys; i++) {
		if (!(dfx->info.subsystems & BIT(dfx_subsys[i].id)))
			continue;
		err = dfx_device_add_region(dfx, &dfx_subsys[i], &next);
	}
	if (!err)
		err = dfx_device_publish(dfx);
	if (err) {
		if (err == -EIO)
			dev_err(parent, "aperture: copies fail\n");
		dfx_device_destroy(dfx);
		return ERR_PTR(err);
	}
	return dfx;

err_close:
	dfx_transport_close(&dfx->io);
err_free:
	kfree(dfx);
	return ERR_PTR(err);
}
EXPORT_SYMBOL_NS_GPL(dfx_device_create, DFX_NS);

void dfx_device_destroy(struct dfx_device *dfx)
{
	/* The lanes first: each must find its way back to the attach loop. */
	dfx_device_store32(dfx, DFX_APERTURE(dfx, magic), 0);
	while (dfx->nr_regions)
		dfx_region_unregister(dfx->regions[--dfx->nr_regions]);
	dfx_transport_close(&dfx->io);
	kfree(dfx);
}
EXPORT_SYMBOL_NS_GPL(dfx_device_destroy, DFX_NS);

bool dfx_device_writes(const struct dfx_device *dfx, u64 off)
{
	const struct dfx_host *host;
	u32 i;

	if (off < dfx->info.shared_offset)
		return true;
	for (i = 0; i < dfx->nr_regions; i++) {
		host = &dfx->regions[i]->host;
		/* Neither depends on the policy, so that no lock is needed. */
		if (off >= dfx->offsets[i] &&
		    off - dfx->offsets[i] < host->io.size)
			return off - dfx->offsets[i] >= host->geom.dev_off;
	}
	return false;
}
EXPORT_SYMBOL_NS_GPL(dfx_device_writes, DFX_NS);
