// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim.c - life of a software device
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/idr.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/platform_device.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

#include "dfx_bus.h"
#include "dfx_port.h"
#include "link.h"
#include "node.h"
#include "sim.h"

static DEFINE_IDA(sim_ids);

void dfx_sim_config_init(struct dfx_sim_config *config)
{
	*config = (struct dfx_sim_config){ };
	fw_args_init(&config->fw);
}

static void sim_stop_lanes(struct dfx_sim *sim)
{
	u32 i;

	for (i = 0; i < sim->config.fw.lanes; i++)
		if (sim->task[i])
			kthread_stop(sim->task[i]);
}

/* All of them before the first one runs: lanes meet to look for a host. */
static int sim_make_lanes(struct dfx_sim *sim)
{
	struct task_struct *task;
	u32 i;

	for (i = 0; i < sim->config.fw.lanes; i++) {
		task = kthread_create(dfx_sim_lane, &sim->fw.lane[i],
				      "dfx_sim%d/%u", sim->id, i);
		if (IS_ERR(task))
			return PTR_ERR(task);
		sim->task[i] = task;
	}
	return 0;
}

/* ---- the link ------------------------------------------------------------- */

/* From one piece of what is posted to the next: some 300 MB/s. */
#define SIM_PIECE_NS	200

static u64 sim_clock(void)
{
	return ktime_get_ns();
}

static void sim_relax(void)
{
	usleep_idle_range(10, 50);
}

static const struct dfx_copy_ops sim_copy_ops = {
	.from = dfx_sim_link_from,
	.to = dfx_sim_link_to,
	.fence = dfx_sim_link_fence,
};

/* When the firmware has booted, and nobody runs yet: both sides know the same. */
static int sim_link(struct dfx_sim *sim)
{
	struct dfx_sim_link_config config = {
		.dev = sim->base,
		.size = sim->size,
		.delay_ns = sim->config.delay_us * 1000ull,
		.piece_ns = sim->config.delay_us ? SIM_PIECE_NS : 0,
		.fail_ppm = sim->config.copy_fail_ppm,
		.fail_len = sim->config.copy_fail_len,
		.clock = sim_clock,
		.relax = sim_relax,
	};
	struct dfx_sim_link *link;

	config.host = vzalloc(sim->size);
	link = kvzalloc(sizeof(*link), GFP_KERNEL_ACCOUNT);
	if (!config.host || !link) {
		vfree(config.host);
		kvfree(link);
		return -ENOMEM;
	}
	memcpy(config.host, sim->base, DFX_SHM_PAGE);
	dfx_sim_link_init(link, &config);
	sim->link = link;
	static_branch_inc(&dfx_sim_linked);
	return 0;
}

static void sim_unlink(struct dfx_sim *sim)
{
	if (!sim->link)
		return;
	static_branch_dec(&dfx_sim_linked);
	vfree(sim->link->config.host);
	kvfree(sim->link);
}

/*
 * There is no host any more. One that took the device for removed, or whose copies
 * failed, could not say so: the bus does, as it would reset the device.
 */
static void sim_unplug(struct dfx_sim *sim)
{
	struct dfx_shm_aperture *ap = sim->base + PLAT_SHARED_OFFSET;
	struct dfx_shm_region *region;
	struct dfx_shm_ctl *ctl;
	u32 i, seq;

	/* Nothing that the host wrote comes later. */
	dfx_sim_link_fence(sim->link);
	/* Pairs with dfx_dev_attach(). */
	smp_store_release(&ap->magic, 0);
	for (i = 0; i < le32_to_cpu(ap->nr_regions); i++) {
		region = sim->base + le64_to_cpu(ap->regions[i].offset);
		ctl = (void *)region + le32_to_cpu(region->host_off);
		WRITE_ONCE(ctl->generation, 0);
		seq = (le32_to_cpu(ctl->seq) | 1) + 1;
		/* As (C): another generation, which is nobody's. */
		smp_store_release(&ctl->seq, cpu_to_le32(seq));
	}
}

/* ---- life ------------------------------------------------------------------- */

static bool sim_wants_link(const struct dfx_sim_config *config)
{
	return config->delay_us || config->copy_fail_ppm;
}

static void sim_free(struct dfx_sim *sim)
{
	if (!IS_ERR_OR_NULL(sim->pdev))
		platform_device_unregister(sim->pdev);
	sim_unlink(sim);
	/* Pages that user space still writes from live on by their references. */
	vfree(sim->base);
	ida_free(&sim_ids, sim->id);
	kvfree(sim);
}

static struct dfx_sim *sim_alloc(const struct dfx_sim_config *config)
{
	struct dfx_sim *sim;
	int id;

	id = ida_alloc(&sim_ids, GFP_KERNEL);
	if (id < 0)
		return ERR_PTR(id);
	sim = kvzalloc(sizeof(*sim), GFP_KERNEL_ACCOUNT);
	if (!sim) {
		ida_free(&sim_ids, id);
		return ERR_PTR(-ENOMEM);
	}
	sim->id = id;
	sim->config = *config;
	fw_args_resolve(&sim->config.fw);
	sim->size = sim->config.fw.aperture * SZ_1M;
	init_waitqueue_head(&sim->wake);
	init_waitqueue_head(&sim->stood);
	return sim;
}

/* Boots the firmware, has dfx.ko find it, and lets the lanes run. */
static int sim_start_lanes(struct dfx_sim *sim)
{
	struct dfx_aperture aperture = {
		.size = sim->size,
		.base = sim->base,
	};
	int err;
	u32 i;

	if (fw_boot(&sim->fw, sim->base, sim->size, &sim->config.fw))
		return -ENOSPC;
	if (sim_wants_link(&sim->config)) {
		err = sim_link(sim);
		if (err)
			return err;
		aperture.base = NULL;
		aperture.copy = &sim_copy_ops;
		aperture.bus = sim->link;
	}
	err = sim_make_lanes(sim);
	if (err)
		goto err_stop;
	sim->dfx = dfx_device_create(&sim->pdev->dev, &aperture, NULL);
	if (IS_ERR(sim->dfx)) {
		err = PTR_ERR(sim->dfx);
		goto err_stop;
	}
	for (i = 0; i < sim->config.fw.lanes; i++)
		wake_up_process(sim->task[i]);
	return 0;

err_stop:
	sim_stop_lanes(sim);
	return err;
}

struct dfx_sim *dfx_sim_create(const struct dfx_sim_config *config)
{
	struct dfx_sim *sim;
	int err = -ENOMEM;

	if (config->mode == DFX_SIM_PROCESS && sim_wants_link(config))
		return ERR_PTR(-EINVAL);
	sim = sim_alloc(config);
	if (IS_ERR(sim))
		return sim;
	/* Page by page and zeroed: so much is not to be had in one piece. */
	sim->base = vmalloc_user(sim->size);
	if (!sim->base)
		goto err_free;
	sim->pdev = platform_device_register_simple("dfx_sim", sim->id, NULL,
						    0);
	err = PTR_ERR_OR_ZERO(sim->pdev);
	if (err)
		goto err_free;
	if (config->mode == DFX_SIM_PROCESS) {
		sim->node = dfx_sim_node_create(sim);
		err = PTR_ERR_OR_ZERO(sim->node);
	} else {
		err = sim_start_lanes(sim);
	}
	if (err)
		goto err_free;
	return sim;

err_free:
	sim_free(sim);
	return ERR_PTR(err);
}

void dfx_sim_destroy(struct dfx_sim *sim)
{
	if (sim->node) {
		dfx_sim_node_destroy(sim->node);
	} else {
		/*
		 * The host first: whatever a lane waits for, it learns that
		 * there is nobody any more, and comes to where it can end.
		 */
		dfx_device_destroy(sim->dfx);
		if (sim->link)
			sim_unplug(sim);
		sim_stop_lanes(sim);
	}
	sim_free(sim);
}

int dfx_sim_set_dead(struct dfx_sim *sim, bool dead)
{
	WRITE_ONCE(sim->dead, dead);
	wake_up_all(&sim->wake);
	if (!dead)
		return 0;
	/* What a lane does now it would do after the host's next request. */
	return wait_event_killable(sim->stood, atomic_read(&sim->still) ==
				   sim->config.fw.lanes);
}

int dfx_sim_set_fail(struct dfx_sim *sim, u32 ppm)
{
	if (!sim->link)
		return -EBUSY;
	WRITE_ONCE(sim->link->config.fail_ppm, ppm);
	return 0;
}
