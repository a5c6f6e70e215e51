// SPDX-License-Identifier: GPL-2.0-only
/*
 * plat.c - the firmware's platform: lanes are kernel threads
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/printk.h>
#include <linux/random.h>
#include <linux/sched.h>

#include "dfx_port.h"
#include "link.h"
#include "sim.h"

const __u32 plat_max_lanes = PLAT_MAX_LANES;
const __u32 plat_max_workers;

#if defined(CONFIG_X86_64)
const __u32 plat_isa = DFX_ISA_X86_64;
#elif defined(CONFIG_ARM64)
const __u32 plat_isa = DFX_ISA_AARCH64;
#elif defined(CONFIG_RISCV)
const __u32 plat_isa = DFX_ISA_RISCV64;
#else
const __u32 plat_isa = DFX_ISA_UNKNOWN;
#endif

/* It cannot interrupt the host: dfx.ko polls. */
__u32 plat_vectors;

void plat_ring(void *ctx, __u32 peer, __u32 vector)
{
}

struct fw_lane *plat_lane(void)
{
	return kthread_data(current);
}

int plat_stopping(void)
{
	return kthread_should_stop();
}

static struct dfx_sim *sim_of(struct fw_lane *lane)
{
	return container_of(lane->fw, struct dfx_sim, fw);
}

DEFINE_STATIC_KEY_FALSE(dfx_sim_linked);

/* Its device's, if the caller is a lane: whoever boots a device is not. */
static struct dfx_sim_link *sim_link(void)
{
	if (kthread_func(current) != dfx_sim_lane)
		return NULL;
	return sim_of(plat_lane())->link;
}

void dfx_sim_posted(const void *p, u64 len)
{
	struct dfx_sim_link *link = sim_link();
	u64 off;

	if (!link)
		return;
	/* Lanes also meet in words that are nobody else's. */
	off = (unsigned long)p - (unsigned long)link->config.dev;
	if (off < link->config.size)
		dfx_sim_link_post(link, off, len);
}

void dfx_sim_arrived(void)
{
	struct dfx_sim_link *link = sim_link();

	if (link)
		dfx_sim_link_settle(link);
}

/* Stands still while the device is dead. */
static void sim_pause(struct dfx_sim *sim)
{
	if (!READ_ONCE(sim->dead))
		return;
	atomic_inc(&sim->still);
	wake_up(&sim->stood);
	wait_event_idle(sim->wake, !READ_ONCE(sim->dead) ||
			kthread_should_stop());
	atomic_dec(&sim->still);
}

/* Who dies asleep does not wake up. */
static void sim_nap(struct dfx_sim *sim, u64 us)
{
	usleep_idle_range(us, us + us / 4);
	sim_pause(sim);
}

void plat_relax(void)
{
	struct fw_lane *lane = plat_lane();
	struct dfx_sim *sim = sim_of(lane);
	u64 nap;

	sim_pause(sim);
	if (sim->config.latency_us)
		sim_nap(sim, sim->config.latency_us);
	nap = backoff_turn(&sim->wait[lane->index], dfx_port_cycles(),
			   plat_counter_hz);
	if (nap) {
		sim_nap(sim, nap / (plat_counter_hz / 1000000));
		return;
	}
	cpu_relax();
	/* The thread that is waited for may need this processor. */
	cond_resched();
}

void plat_busy(void)
{
	struct fw_lane *lane = plat_lane();
	struct dfx_sim *sim = sim_of(lane);

	backoff_reset(&sim->wait[lane->index]);
	sim_pause(sim);
	/* A lane that never waits still shares its processor. */
	cond_resched();
}

void plat_write(const char *line, __u32 len)
{
	pr_debug("%.*s", (int)len, line);
}

__u32 plat_boot_number(void)
{
	return get_random_u32() | 1;
}

int dfx_sim_lane(void *data)
{
	fw_lane_main(data);
	return 0;
}
