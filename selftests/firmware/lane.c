// SPDX-License-Identifier: GPL-2.0-only
/*
 * lane.c - what a lane does between runs
 *
 * It attaches, obeys the host in all regions, and begins a run when the
 * sessions say so. Knows nothing of the platform nor of what a run writes.
 */
#include "console.h"
#include "host.h"
#include "lane.h"
#include "workload.h"

static void say_boot(__u64 size, const struct fw_args *args)
{
	struct console_line l;

	console_begin(&l);
	console_str(&l, args->arch == DFX_ARCH_A5 ? "a5, " : "a2a3, ");
	console_u64(&l, args->lanes);
	console_str(&l, " lanes, ");
	console_u64(&l, args->cores);
	console_str(&l, " cores, ");
	console_u64(&l, args->tasks);
	console_str(&l, " tasks, ");
	console_u64(&l, plat_counter_hz);
	console_str(&l, " Hz, ");
	console_u64(&l, size >> 20);
	console_str(&l, " MiB, seed ");
	console_u64(&l, args->seed);
	console_str(&l, ", boot ");
	console_u64(&l, args->boot);
	if (plat_vectors) {
		console_str(&l, ", doorbell with ");
		console_u64(&l, plat_vectors);
		console_str(&l, " vectors");
	}
	console_end(&l);
}

int fw_boot(struct fw *fw, void *base, __u64 size, const struct fw_args *args)
{
	struct dfx_dev_info info = {
		.arch = args->arch,
		.isa = plat_isa,
		.nr_lanes = args->lanes,
		.nr_cores = args->cores,
		.counter_hz = plat_counter_hz,
		.watchdog_us = args->watchdog_us,
		.shared_offset = PLAT_SHARED_OFFSET,
		.boot = args->boot,
		.subsystems = args->subsystems,
		.doorbell = plat_vectors,
		.swim_kinds = args->swim ? 1u << DFX_KIND_AICPU_TASK |
					   1u << DFX_KIND_AICORE_TASK |
					   1u << DFX_KIND_SCHED_PHASE |
					   1u << DFX_KIND_ORCH_PHASE : 0,
	};
	__u32 i;

	size -= size % DFX_SHM_PAGE;
	if (size < PLAT_SHARED_OFFSET + DFX_SHM_PAGE) {
		console_say("the aperture has no room for a host");
		return -1;
	}
	if (args->swim && args->cores > SWIM_MAX_CORES) {
		console_say("too many cores for workload=swim");
		return -1;
	}
	info.shared_size = size - PLAT_SHARED_OFFSET;
	fw->args = args;
	for (i = 0; i < args->lanes; i++) {
		fw->lane[i].fw = fw;
		fw->lane[i].index = i;
		fw->lane[i].args = args;
	}
	host_init(&fw->host, base, size, args->lanes);
	dfx_dev_announce(base, &info);
	say_boot(size, args);
	return 0;
}

void fw_lane_mute(struct fw_lane *lane)
{
	struct console_line l;

	console_begin(&l);
	console_str(&l, "lane ");
	console_u64(&l, lane->index);
	console_str(&l, " is mute from now on");
	console_end(&l);
	host_leave(&lane->fw->host, lane->index);
	while (!plat_stopping())
		plat_relax();
}

static void open_lanes(struct fw_lane *lane)
{
	struct dfx_dev_region *region;
	__u32 i;

	lane->open = 0;
	for (i = 0; i < FW_NR_REGIONS; i++) {
		lane->session[i] = 0;
		region = host_region(&lane->fw->host, i);
		if (region &&
		    !dfx_dev_lane_open(&lane->dev[i], region, lane->index))
			lane->open |= 1u << i;
	}
}

int fw_lane_poll(struct fw_lane *lane)
{
	__u32 i;

	for (i = 0; i < FW_NR_REGIONS; i++)
		if (lane->open >> i & 1 &&
		    dfx_dev_poll(fw_lane_enter(lane, i)) == DFX_DEV_DETACHED)
			return DFX_DEV_DETACHED;
	plat_relax();
	return DFX_DEV_OK;
}

/*
 * One turn of a wait inside the engine. The regions are drained by threads of
 * their own: while this lane is parked at the gate of one, another may want it
 * to flush or to stop, and would take its silence for death. What a poll from
 * here returns, the next call for that region returns again.
 */
void fw_relax(void)
{
	struct fw_lane *lane = plat_lane();
	__u32 i;

	plat_relax();
	/* Obeying may wait in its turn; that wait obeys nobody. */
	if (lane->nested)
		return;
	lane->nested = 1;
	for (i = 0; i < FW_NR_REGIONS; i++)
		if (i != lane->busy && lane->open >> i & 1)
			dfx_dev_poll(&lane->dev[i]);
	lane->nested = 0;
}

/*
 * A region that runs a session without this lane. A reading that the host
 * overtakes says no: the next poll will tell.
 */
static int is_left_out(struct dfx_dev_lane *dev)
{
	struct dfx_shm_ctl *ctl = dev->region->ctl;
	__u32 seq = dfx_port_load32_acquire(&ctl->seq);
	__u32 state = dfx_port_load32(&ctl->state);
	__u64 mask = dfx_port_load64(&dev->region->shm->lane_mask);

	dfx_port_rmb();
	if (seq & 1 || dfx_port_load32(&ctl->seq) != seq)
		return 0;
	return state == DFX_CTL_RUNNING && !(mask >> dev->index & 1);
}

/* A new session in each region that the run is to write to, or in any. */
static int is_run_due(struct fw_lane *lane)
{
	struct dfx_dev_lane *dev;
	int due = 0;
	__u32 i;

	if (lane->args->runs && lane->runs >= lane->args->runs)
		return 0;
	for (i = 0; i < FW_NR_REGIONS; i++) {
		if (!((lane->args->regions & lane->open) >> i & 1))
			continue;
		dev = &lane->dev[i];
		if (dev->fault || is_left_out(dev))
			continue;
		if (dev->running && dev->session != lane->session[i])
			due = 1;
		else if (!lane->args->any)
			return 0;
	}
	return due;
}

static int has_session(struct fw_lane *lane)
{
	__u32 i;

	for (i = 0; i < FW_NR_REGIONS; i++)
		if (lane->open >> i & 1 && lane->dev[i].running)
			return 1;
	return 0;
}

/* Serves one host until it goes. */
static void serve(struct fw_lane *lane)
{
	while (!plat_stopping() && fw_lane_poll(lane) != DFX_DEV_DETACHED) {
		if (is_run_due(lane)) {
			if (fw_run(lane) == DFX_DEV_DETACHED)
				return;
			lane->freed = 0;
		} else if (lane->args->free && !lane->freed &&
			   !has_session(lane)) {
			lane->freed = 1;
			fw_run_free(lane);
		}
	}
}

void fw_lane_main(struct fw_lane *lane)
{
	if (lane->args->mute == lane->index && !lane->args->mute_at)
		fw_lane_mute(lane);
	for (;;) {
		lane->open = 0;
		if (host_join(&lane->fw->host, lane->index))
			return;
		open_lanes(lane);
		serve(lane);
	}
}
