/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim.h - one software device
 *
 * Memory that stands for an aperture, and kernel threads that are the lanes: they
 * run the reference firmware (selftests/firmware) over lib/device, and dfx.ko
 * drains them as it would a PCI device's.
 *
 * Locking: none inside. Who owns a device makes one call for it at a time.
 */
#ifndef DFX_SIM_H
#define DFX_SIM_H

#include <linux/kconfig.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "args.h"
#include "backoff.h"
#include "lane.h"

struct dfx_device;
struct dfx_sim_link;
struct dfx_sim_node;
struct platform_device;
struct task_struct;

#define DFX_SIM_MAX_LATENCY_US	1000000
#define DFX_SIM_MAX_DELAY_US	100000
#define DFX_SIM_MAX_FAIL_PPM	1000000

/**
 * enum dfx_sim_mode - who the firmware is
 * @DFX_SIM_LANES: kernel threads.
 * @DFX_SIM_PROCESS: whoever opens the device's node.
 */
enum dfx_sim_mode {
	DFX_SIM_LANES,
	DFX_SIM_PROCESS,
};

/**
 * struct dfx_sim_config - what a device is asked to be
 * @fw: the firmware's arguments; @fw.aperture is the aperture in MiB.
 * @mode: who the firmware is. What it is told of @fw in another process is
 *	nobody's business here but the aperture.
 * @latency_us: what each turn of a lane's wait takes longer.
 * @delay_us: how long what one side writes is on its way to the other.
 * @copy_fail_ppm: of a million copies of the host's so many fail.
 * @copy_fail_len: but none that is shorter than that, in bytes.
 *
 * With @delay_us or @copy_fail_ppm the device's memory is not the host's, and
 * dfx.ko copies, whatever the profile and its parameter say.
 */
struct dfx_sim_config {
	struct fw_args fw;
	enum dfx_sim_mode mode;
	u32 latency_us;
	u32 delay_us;
	u32 copy_fail_ppm;
	u32 copy_fail_len;
};

/**
 * struct dfx_sim - a device that is there
 * @fw: the firmware; used by the lanes.
 * @config: as given, resolved; constant.
 * @id: number of the device.
 * @pdev: what its regions have for a parent.
 * @base: the aperture, vmalloc_user() memory.
 * @size: bytes of it.
 * @link: between @base and what the host knows of it; NULL if that is the same.
 * @dfx: what dfx.ko made of it; NULL in process mode, where @node has it.
 * @node: where a process is the firmware; NULL where lanes are.
 * @task: the lanes' threads.
 * @wait: each lane's wait; its own.
 * @dead: lanes stand still; written by the owner.
 * @wake: where they do.
 * @still: how many of them do.
 * @stood: where the owner waits for that.
 */
struct dfx_sim {
	struct fw fw;
	struct dfx_sim_config config;
	int id;
	struct platform_device *pdev;
	void *base;
	u64 size;
	struct dfx_sim_link *link;
	struct dfx_device *dfx;
	struct dfx_sim_node *node;
	struct task_struct *task[PLAT_MAX_LANES];
	struct backoff wait[PLAT_MAX_LANES];
	bool dead;
	wait_queue_head_t wake;
	atomic_t still;
	wait_queue_head_t stood;
};

/* Defaults. */
void dfx_sim_config_init(struct dfx_sim_config *config);

/**
 * dfx_sim_create() - make a device, and have dfx.ko find it
 * @config: what it is to be; copied.
 *
 * Return: the device; ERR_PTR(): -ENOMEM, -ENOSPC if the aperture is too small
 * for the regions, -EINVAL for a link in process mode, whose stores are plain
 * ones that nothing could hold up, or what else dfx_device_create() or dfx_sim_node_create()
 * returns.
 */
struct dfx_sim *dfx_sim_create(const struct dfx_sim_config *config);

/**
 * dfx_sim_destroy() - take a device away
 * @sim: the device; whoever has it open or mapped.
 */
void dfx_sim_destroy(struct dfx_sim *sim);

/**
 * dfx_sim_set_dead() - let a device die, or go on where it stood
 * @sim: the device.
 * @dead: its lanes stop in the middle of whatever they do, and are silent when
 *	this returns.
 *
 * Return: 0; -ERESTARTSYS if the caller is killed before all of them stand still.
 */
int dfx_sim_set_dead(struct dfx_sim *sim, bool dead);

/**
 * dfx_sim_set_fail() - let more or fewer copies fail
 * @sim: the device.
 * @ppm: of a million copies so many, at most DFX_SIM_MAX_FAIL_PPM.
 *
 * Return: 0; -EBUSY if nothing is copied.
 */
int dfx_sim_set_fail(struct dfx_sim *sim, u32 ppm);

/* configfs.c; nothing in a kernel without configfs. */
#if IS_ENABLED(CONFIG_CONFIGFS_FS)
int dfx_sim_configfs_init(void);
void dfx_sim_configfs_exit(void);
#else
static inline int dfx_sim_configfs_init(void)
{
	return 0;
}

static inline void dfx_sim_configfs_exit(void)
{
}
#endif

/* plat.c: the thread of the lane @data, a &struct fw_lane. */
int dfx_sim_lane(void *data);

#endif /* DFX_SIM_H */
