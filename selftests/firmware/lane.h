/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lane.h - one writer thread of the firmware
 */
#ifndef DFX_FW_LANE_H
#define DFX_FW_LANE_H

#include "args.h"
#include "dfx_dev.h"
#include "host.h"
#include "plat.h"
#include "swim.h"

/**
 * struct fw_lane - a lane; its own thread only
 * @fw: the device.
 * @index: lane number.
 * @args: the firmware's arguments.
 * @open: bit mask of regions that the host has.
 * @dev: the engine's lane in each of them.
 * @busy: region whose engine has been called and may be waiting.
 * @nested: obeys other regions from within that wait.
 * @on: bit mask of regions that the present run records into.
 * @session: session of the last run in each region.
 * @pool: where the records of each core go; NULL if it is another lane's.
 * @payloads: payloads of the present run in each region.
 * @runs: runs begun since boot.
 * @tasks: tasks done since boot.
 * @recorded: records written in the present run.
 * @dropped: records dropped in the present run.
 * @freed: has made its run without a session.
 * @faulted: has broken the protocol.
 */
struct fw_lane {
	struct fw *fw;
	__u32 index;
	const struct fw_args *args;
	__u32 open;
	struct dfx_dev_lane dev[FW_NR_REGIONS];
	__u32 busy;
	int nested;
	__u32 on;
	__u64 session[FW_NR_REGIONS];
	struct dfx_dev_pool *pool[FW_NR_REGIONS][FW_MAX_CORES];
	__u64 payloads[FW_NR_REGIONS];
	__u64 runs;
	__u64 tasks;
	__u64 recorded;
	__u64 dropped;
	int freed;
	int faulted;
};

/**
 * struct fw - one device; zeroed before fw_boot()
 * @args: its arguments.
 * @host: the host that all lanes are attached to.
 * @lane: its lanes, @args->lanes of them.
 * @swim: its cores, with workload=swim.
 */
struct fw {
	const struct fw_args *args;
	struct fw_host host;
	struct fw_lane lane[PLAT_MAX_LANES];
	struct swim_core swim[SWIM_MAX_CORES];
};

/**
 * fw_boot() - announce the device
 * @fw: the device.
 * @base: first byte of the aperture.
 * @size: its bytes.
 * @args: arguments; must stay as they are from now on.
 *
 * Return: 0; -1 after a line on the console if the aperture is too small, or there
 * are too many cores.
 */
int fw_boot(struct fw *fw, void *base, __u64 size, const struct fw_args *args);

/*
 * Be a lane, until plat_stopping(); each lane from its own thread, after
 * fw_boot(), with plat_lane() being this one.
 */
void fw_lane_main(struct fw_lane *lane);

/**
 * fw_lane_enter() - about to call the engine for a region
 * @lane: the lane.
 * @i: place in fw_regions[].
 *
 * Before every call that may wait, see fw_relax().
 *
 * Return: the engine's lane.
 */
static inline struct dfx_dev_lane *fw_lane_enter(struct fw_lane *lane, __u32 i)
{
	lane->busy = i;
	return &lane->dev[i];
}

/**
 * fw_lane_poll() - obey the host in every region, then one turn of waiting
 * @lane: the lane.
 *
 * Return: DFX_DEV_OK; DFX_DEV_DETACHED.
 */
int fw_lane_poll(struct fw_lane *lane);

/* Not be heard of again until plat_stopping(), at the task that mute= names. */
void fw_lane_mute(struct fw_lane *lane);

#endif /* DFX_FW_LANE_H */
