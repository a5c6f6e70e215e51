// SPDX-License-Identifier: GPL-2.0-only
/*
 * device.c - an aperture: identity, generation, table of regions
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <asm/barrier.h>

#include "doorbell.h"
#include "dfx_drv.h"

#define DFX_MAX_CORES	512

bool dfx_device_is_ours(const void *ident)
{
	const struct dfx_shm_ident *id = ident;

	/* Pairs with the release store in dfx_dev_announce(). */
	return le32_to_cpu(virt_load_acquire(&id->magic)) == DFX_MAGIC_IDENT;
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

	memcpy(&id, dfx->base, sizeof(id));
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
	    end > dfx->size || info->shared_size < DFX_SHM_PAGE)
		return DFX_REFUSE(dfx, "shared_size", info->shared_size);
	if (info->doorbell > DFX_MAX_VECTORS)
		return DFX_REFUSE(dfx, "doorbell", info->doorbell);
	return 0;
}

static struct dfx_shm_aperture *dfx_device_aperture(struct dfx_device *dfx)
{
	return dfx->base + dfx->info.shared_offset;
}

/* Takes the aperture from whoever had it: no device attaches until (publish). */
static void dfx_device_claim(struct dfx_device *dfx)
{
	struct dfx_shm_aperture *ap = dfx_device_aperture(dfx);
	u32 last = le32_to_cpu(READ_ONCE(ap->generation));

	/* Pairs with the acquire load in dfx_dev_attach(). */
	virt_store_release(&ap->magic, 0);
	do {
		dfx->generation = get_random_u32();
	} while (!dfx->generation || dfx->generation == last);
	memset(ap->regions, 0, sizeof(ap->regions));
	WRITE_ONCE(ap->layout_major, cpu_to_le32(DFX_LAYOUT_MAJOR));
	WRITE_ONCE(ap->layout_minor, cpu_to_le32(DFX_LAYOUT_MINOR));
	WRITE_ONCE(ap->generation, cpu_to_le32(dfx->generation));
	WRITE_ONCE(ap->peer, cpu_to_le32(dfx_doorbell_peer(dfx->bell)));
	WRITE_ONCE(ap->vectors, cpu_to_le32(dfx_doorbell_vectors(dfx->bell)));
}

static void dfx_device_publish(struct dfx_device *dfx)
{
	struct dfx_shm_aperture *ap = dfx_device_aperture(dfx);

	WRITE_ONCE(ap->nr_regions, cpu_to_le32(dfx->nr_regions));
	/* Pairs with the acquire load in dfx_dev_attach(). */
	virt_store_release(&ap->magic, cpu_to_le32(DFX_MAGIC_APERTURE));
}

static int dfx_device_add_region(struct dfx_device *dfx,
				 const struct dfx_subsys_desc *desc, u64 *next)
{
	struct dfx_shm_aperture *ap = dfx_device_aperture(dfx);
	u64 end = dfx->info.shared_offset + dfx->info.shared_size;
	const struct dfx_limits defaults = { };
	struct dfx_pool_geom *pools;
	struct dfx_geometry geom;
	struct dfx_region *region;
	u32 nr_pools;
	int err;

	nr_pools = dfx_geometry_nr_pools(desc, dfx->info.nr_lanes,
					 dfx->info.nr_cores);
	pools = kvcalloc(nr_pools, sizeof(*pools), GFP_KERNEL);
	if (!pools)
		return -ENOMEM;
	err = dfx_geometry_init(&geom, pools, desc, dfx->info.nr_lanes,
				dfx->info.nr_cores, &defaults);
	kvfree(pools);
	if (err)
		return err;
	if (geom.size > end - *next) {
		dev_err(dfx->parent, "shared_size: no room for %s, %llu bytes\n",
			desc->name, geom.size);
		return -ENOSPC;
	}

	region = dfx_region_register(dfx, desc, *next, geom.size);
	if (IS_ERR(region))
		return PTR_ERR(region);
	ap->regions[dfx->nr_regions] = (struct dfx_shm_region_ref){
		.subsys = cpu_to_le32(desc->id),
		.vector = cpu_to_le32(region->bell ? region->vector :
				      DFX_MAX_VECTORS),
		.offset = cpu_to_le64(*next),
		.size = cpu_to_le64(geom.size),
	};
	dfx->offsets[dfx->nr_regions] = *next;
	dfx->regions[dfx->nr_regions++] = region;
	*next += geom.size;
	return 0;
}

struct dfx_device *dfx_device_create(struct device *parent, void *base,
				     u64 size, struct dfx_doorbell *bell)
{
	struct dfx_device *dfx;
	unsigned int i;
	u64 next;
	int err;

	dfx = kzalloc(sizeof(*dfx), GFP_KERNEL);
	if (!dfx)
		return ERR_PTR(-ENOMEM);
	dfx->parent = parent;
	dfx->base = base;
	dfx->size = size;
	err = dfx_device_identify(dfx);
	if (err)
		goto err_free;
	dfx->bell = dfx_doorbell_open(bell, dfx->info.doorbell);

	dfx_device_claim(dfx);
	next = dfx->info.shared_offset + DFX_SHM_PAGE;
	for (i = 0; i < dfx_nr_subsys; i++) {
		if (!(dfx->info.subsystems & BIT(dfx_subsys[i].id)))
			continue;
		err = dfx_device_add_region(dfx, &dfx_subsys[i], &next);
		if (err)
			goto err_destroy;
	}
	dfx_device_publish(dfx);
	return dfx;

err_destroy:
	dfx_device_destroy(dfx);
	return ERR_PTR(err);
err_free:
	kfree(dfx);
	return ERR_PTR(err);
}
EXPORT_SYMBOL_NS_GPL(dfx_device_create, DFX_NS);

void dfx_device_destroy(struct dfx_device *dfx)
{
	/* The lanes first: each must find its way back to the attach loop. */
	virt_store_release(&dfx_device_aperture(dfx)->magic, 0);
	while (dfx->nr_regions)
		dfx_region_unregister(dfx->regions[--dfx->nr_regions]);
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
