// SPDX-License-Identifier: GPL-2.0-only
/*
 * region.c - life of a region: tables, node, kthread, revocation
 */
#include <linux/kthread.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "doorbell.h"
#include "dfx_drv.h"
#include "trace.h"

static struct dfx_region *dfx_region_of(struct dfx_host *host)
{
	return container_of(host, struct dfx_region, host);
}

static int dfx_region_minor(const struct dfx_region *region)
{
	return MINOR(region->dev.devt);
}

static const char * const dfx_fault_names[DFX_NR_FAULT] = {
	[DFX_FAULT_RQ_TAIL] = "ready-queue tail out of range",
	[DFX_FAULT_FQ_HEAD] = "free-queue head out of range",
	[DFX_FAULT_POOL] = "entry names a pool that is not the lane's",
	[DFX_FAULT_BUFFER] = "entry names a buffer that is not the pool's",
	[DFX_FAULT_OWNER] = "entry names a buffer that the device has not",
	[DFX_FAULT_COUNT] = "count of records out of range",
	[DFX_FAULT_SEQ] = "sequence is not the next one",
	[DFX_FAULT_FLAGS] = "flags that cannot be",
	[DFX_FAULT_SESSION] = "entry of another session or lane",
	[DFX_FAULT_ARENA] = "arena position out of range",
};

static void dfx_region_on_fault(struct dfx_host *host, u32 lane, u32 fault,
				u64 val)
{
	struct dfx_region *region = dfx_region_of(host);

	/* Once per lane until RESET, so that it cannot flood the log. */
	dev_err(&region->dev, "lane %u: FAULT: %s (%#llx); refused until RESET\n",
		lane, dfx_fault_names[fault], val);
	trace_dfx_fault(dfx_region_minor(region), lane, fault, val);
	region->events++;
	dfx_region_wake(region);
}

static void dfx_region_on_freeze(struct dfx_host *host, u32 gate, bool active)
{
	struct dfx_region *region = dfx_region_of(host);

	trace_dfx_freeze(dfx_region_minor(region), gate, active);
	region->events++;
	dfx_region_wake(region);
}

static void dfx_region_on_handoff(struct dfx_host *host, u32 id, u8 from,
				  u8 to)
{
	trace_dfx_handoff(dfx_region_minor(dfx_region_of(host)), id, from, to);
}

static void dfx_region_on_lost(struct dfx_host *host, u32 pool, u32 count)
{
	struct dfx_region *region = dfx_region_of(host);

	dev_err_ratelimited(&region->dev,
			    "pool %u: %u records cannot be copied, dropped\n",
			    pool, count);
	region->events++;
	dfx_region_wake(region);
}

static const struct dfx_host_ops dfx_region_host_ops = {
	.fault = dfx_region_on_fault,
	.freeze = dfx_region_on_freeze,
	.handoff = dfx_region_on_handoff,
	.lost = dfx_region_on_lost,
};

/* For regions whose records point into arenas. */
static const struct dfx_host_ops dfx_region_arena_ops = {
	.fault = dfx_region_on_fault,
	.freeze = dfx_region_on_freeze,
	.handoff = dfx_region_on_handoff,
	.lost = dfx_region_on_lost,
	.release_ready = dfx_arena_release_ready,
};

/**
 * dfx_region_wake() - wake readers and all who wait for a change of state
 * @region: the region; locked.
 */
void dfx_region_wake(struct dfx_region *region)
{
	lockdep_assert_held(&region->lock);
	/* Read as a wait condition in dfx_read() and others. */
	WRITE_ONCE(region->wake_seq, region->wake_seq + 1);
	wake_up_interruptible_all(&region->wait);
}

/**
 * dfx_region_kick() - let the kthread make a pass now
 * @region: the region; locked or not.
 */
void dfx_region_kick(struct dfx_region *region)
{
	WRITE_ONCE(region->kicked, true);
	wake_up_interruptible(&region->thread_wait);
}

static void dfx_region_free_tables(struct dfx_host *host)
{
	kvfree(host->geom.pools);
	kvfree(host->bufs);
	kvfree(host->pools);
	host->geom.pools = NULL;
	host->bufs = NULL;
	host->pools = NULL;
}

/**
 * dfx_region_tables() - give the region another geometry
 * @region: the region; locked, no session, no consumer.
 * @limits: what it is to be.
 *
 * Return: 0; -EINVAL, -ENOSPC, -ENOMEM or -EIO, and the old geometry stays.
 */
int dfx_region_tables(struct dfx_region *region, const struct dfx_limits *limits)
{
	const struct dfx_info *info = &region->info;
	struct dfx_host *host = &region->host;
	struct dfx_limits l = *limits;
	struct dfx_host new = *host;
	struct dfx_shadow_memory mem;
	struct dfx_pool_geom *geom;
	u32 nr, i;
	int err;

	l.kinds = dfx_info_kinds(info, region->desc->id);
	nr = dfx_geometry_nr_pools(region->desc, info->nr_lanes,
				   info->nr_cores, l.kinds);
	geom = kvcalloc(nr, sizeof(*geom), GFP_KERNEL_ACCOUNT);
	if (!geom)
		return -ENOMEM;
	l.copies = host->io.ops->copies;
	err = dfx_geometry_init(&new.geom, geom, region->desc, info->nr_lanes,
				info->nr_cores, &l);
	if (!err && new.geom.size > host->io.size)
		err = -ENOSPC;
	if (err)
		goto err_free_geom;

	new.bufs = kvcalloc(dfx_geometry_nr_ids(&new.geom), sizeof(*new.bufs),
			    GFP_KERNEL_ACCOUNT);
	new.pools = kvcalloc(nr, sizeof(*new.pools), GFP_KERNEL_ACCOUNT);
	if (!new.bufs || !new.pools) {
		err = -ENOMEM;
		goto err_free_tables;
	}
	err = dfx_transport_prepare(&host->io, &new.geom, &mem);
	if (err)
		goto err_free_tables;
	err = dfx_geometry_write(&new.geom, &host->io);
	if (err)
		goto err_cancel;
	dfx_transport_commit(&host->io, &new.geom, &mem);
	dfx_region_free_tables(host);
	host->geom = new.geom;
	host->bufs = new.bufs;
	host->pools = new.pools;
	dfx_table_init(host);
	region->policy.buffers = geom[0].nr_buffers;
	region->policy.records = 0;
	for (i = 0; i < nr; i++) {
		/* One figure would be wrong for some: each has its default. */
		if (geom[i].nr_buffers != geom[0].nr_buffers)
			region->policy.buffers = 0;
		region->policy.records = max(region->policy.records,
					     geom[i].capacity);
	}
	region->policy.slots = geom[0].slots;
	region->policy.rq_depth = host->geom.rq_depth;
	region->policy.arena_kb = host->geom.arena_units /
				  (SZ_1K / DFX_ARENA_UNIT);
	return 0;

err_cancel:
	dfx_transport_cancel(&mem);
err_free_tables:
	kvfree(new.pools);
	kvfree(new.bufs);
err_free_geom:
	kvfree(geom);
	return err;
}

static void dfx_region_release(struct device *dev)
{
	struct dfx_region *region = container_of(dev, struct dfx_region, dev);

	dfx_region_free_tables(&region->host);
	kvfree(region->host.lanes);
	kvfree(region->host.incidents);
	dfx_transport_close(&region->host.io);
	cleanup_srcu_struct(&region->srcu);
	mutex_destroy(&region->lock);
	dfx_main_put_minor(dfx_region_minor(region));
	kfree(region);
}

static struct dfx_region *dfx_region_alloc(struct dfx_device *dfx,
					   const struct dfx_subsys_desc *desc,
					   u64 offset, u64 size)
{
	struct dfx_region *region;
	int minor, err = -ENOMEM;

	region = kzalloc(sizeof(*region), GFP_KERNEL);
	if (!region)
		return ERR_PTR(-ENOMEM);
	region->host.lanes = kvcalloc(dfx->info.nr_lanes,
				      sizeof(*region->host.lanes), GFP_KERNEL);
	region->host.incidents = kvcalloc(DFX_MAX_INCIDENTS,
					  sizeof(*region->host.incidents),
					  GFP_KERNEL);
	if (!region->host.lanes || !region->host.incidents)
		goto err_free_lanes;
	err = dfx_transport_open(&region->host.io, &dfx->aperture, offset,
				 size);
	if (err)
		goto err_free_lanes;
	err = init_srcu_struct(&region->srcu);
	if (err)
		goto err_close;
	minor = dfx_main_minor();
	if (minor < 0) {
		err = minor;
		goto err_cleanup_srcu;
	}

	region->desc = desc;
	region->info = dfx->info;
	mutex_init(&region->lock);
	INIT_LIST_HEAD(&region->files);
	init_waitqueue_head(&region->wait);
	init_waitqueue_head(&region->thread_wait);
	region->policy = (struct dfx_policy){
		.size = sizeof(region->policy),
		.recovery = DFX_RECOVERY_GLOBAL,
		.deadline_ms = 30000,
		.linger_ms = 30000,
	};
	device_initialize(&region->dev);
	region->dev.class = &dfx_class;
	region->dev.parent = dfx->parent;
	region->dev.groups = dfx_region_groups;
	region->dev.release = dfx_region_release;
	region->dev.devt = MKDEV(MAJOR(dfx_devt), minor);
	err = dev_set_name(&region->dev, "dfx%d", minor);
	if (err) {
		put_device(&region->dev);
		return ERR_PTR(err);
	}
	return region;

err_cleanup_srcu:
	cleanup_srcu_struct(&region->srcu);
err_close:
	dfx_transport_close(&region->host.io);
err_free_lanes:
	kvfree(region->host.incidents);
	kvfree(region->host.lanes);
	kfree(region);
	return ERR_PTR(err);
}

/* Region locked: nothing begins to reach the aperture from here on. */
static void dfx_region_set_gone(struct dfx_region *region)
{
	struct dfx_file *f;

	/* Read without the lock in the sections that @srcu covers. */
	WRITE_ONCE(region->gone, true);
	list_for_each_entry(f, &region->files, node)
		if (f->ready)
			WRITE_ONCE(f->ready->flags,
				   f->ready->flags | DFX_RING_GONE);
	dfx_region_wake(region);
}

/**
 * dfx_region_lost() - the device does not answer any more
 * @region: the region; locked, not gone. To be followed by dfx_region_zap().
 */
void dfx_region_lost(struct dfx_region *region)
{
	dev_err(&region->dev, "the device does not answer: taken for removed\n");
	dfx_region_set_gone(region);
}

/**
 * dfx_region_zap() - end what has begun to reach the aperture
 * @region: the region; gone, not locked.
 */
void dfx_region_zap(struct dfx_region *region)
{
	struct dfx_file *f;

	/* Copies and faults that began before see it through; none begins. */
	synchronize_srcu(&region->srcu);

	mutex_lock(&region->lock);
	list_for_each_entry(f, &region->files, node)
		unmap_mapping_range(f->mapping, 0, 0, 1);
	mutex_unlock(&region->lock);
}

/* Files may be open and stay so; nothing of them reaches the aperture after. */
static void dfx_region_revoke(struct dfx_region *region)
{
	mutex_lock(&region->lock);
	dfx_control_gone(&region->host);
	dfx_region_set_gone(region);
	mutex_unlock(&region->lock);
	dfx_region_zap(region);
	kthread_stop(region->thread);
	/* The thread is the one that unmasks. */
	dfx_doorbell_ignore(region);
}

/**
 * dfx_region_register() - make a region and its node
 * @dfx: the device.
 * @desc: the subsystem.
 * @offset: first byte of the region in the aperture.
 * @size: its bytes.
 *
 * Return: the region, to be ended by dfx_region_unregister(); or ERR_PTR().
 */
struct dfx_region *dfx_region_register(struct dfx_device *dfx,
				       const struct dfx_subsys_desc *desc,
				       u64 offset, u64 size)
{
	const struct dfx_limits defaults = { };
	struct dfx_region *region;
	struct dfx_host *host;
	int err;

	region = dfx_region_alloc(dfx, desc, offset, size);
	if (IS_ERR(region))
		return region;
	host = &region->host;
	host->ops = desc->arena_kb ? &dfx_region_arena_ops :
				     &dfx_region_host_ops;
	host->generation = dfx->generation;

	mutex_lock(&region->lock);
	err = dfx_region_tables(region, &defaults);
	if (!err)
		err = dfx_control_init(host);
	mutex_unlock(&region->lock);
	if (err)
		goto err_put;

	region->thread = kthread_run(dfx_thread, region, "%s",
				     dev_name(&region->dev));
	if (IS_ERR(region->thread)) {
		err = PTR_ERR(region->thread);
		goto err_put;
	}
	dfx_doorbell_listen(dfx->bell, region, dfx->nr_regions);
	/* Last: the node is live from here on. */
	cdev_init(&region->cdev, &dfx_fops);
	region->cdev.owner = THIS_MODULE;
	err = cdev_device_add(&region->cdev, &region->dev);
	if (err)
		goto err_revoke;
	dfx_debugfs_add(region);
	return region;

err_revoke:
	/* The node was live for a moment: a file may be open. */
	dfx_region_revoke(region);
err_put:
	put_device(&region->dev);
	return ERR_PTR(err);
}

/**
 * dfx_region_unregister() - take a region away
 * @region: the region.
 *
 * Never waits for user space. On return the aperture is not touched through
 * this region any more, and no mapping of it is left.
 */
void dfx_region_unregister(struct dfx_region *region)
{
	cdev_device_del(&region->cdev, &region->dev);
	dfx_debugfs_remove(region);
	dfx_region_revoke(region);
	put_device(&region->dev);
}
