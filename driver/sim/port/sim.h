/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * sim.h - the engine's port in dfx_sim.ko: kernel.h, waiting as the firmware does
 *
 * Where a device's memory is not the host's, what a lane stores is posted, and
 * before it loads, what is due arrives. What it writes without the port, records
 * and payloads, goes nowhere until it is cleaned. As long as there is no such
 * device this costs a branch that is never taken.
 */
#ifndef DFX_PORT_SIM_H
#define DFX_PORT_SIM_H

#include <linux/dfx_layout.h>
#include <linux/jump_label.h>

/* Whatever the profile says: lanes of several devices read the same clock. */
#define plat_counter_hz		DFX_PORT_KERNEL_HZ

void fw_relax(void);

#define dfx_port_relax()	fw_relax()

#include "port/kernel.h"

/* There are devices with a link. */
DECLARE_STATIC_KEY_FALSE(dfx_sim_linked);

/* plat.c: of the calling lane's device; nothing if the caller is no lane. */
void dfx_sim_posted(const void *p, u64 len);
void dfx_sim_arrived(void);

static inline void dfx_sim_post(const void *p, u64 len)
{
	if (static_branch_unlikely(&dfx_sim_linked))
		dfx_sim_posted(p, len);
}

static inline void dfx_sim_settle(void)
{
	if (static_branch_unlikely(&dfx_sim_linked))
		dfx_sim_arrived();
}

static inline u32 dfx_sim_load32(const __le32 *p)
{
	dfx_sim_settle();
	return le32_to_cpu(READ_ONCE(*p));
}

static inline u32 dfx_sim_load32_acquire(const __le32 *p)
{
	dfx_sim_settle();
	/* Pairs with what the caller of the port says. */
	return le32_to_cpu(smp_load_acquire(p));
}

static inline u64 dfx_sim_load64(const __le64 *p)
{
	dfx_sim_settle();
	return le64_to_cpu(READ_ONCE(*p));
}

static inline void dfx_sim_store32(__le32 *p, u32 v)
{
	WRITE_ONCE(*p, cpu_to_le32(v));
	dfx_sim_post(p, sizeof(*p));
}

static inline void dfx_sim_store32_release(__le32 *p, u32 v)
{
	/* Likewise. On a link the order of the posts is enough. */
	smp_store_release(p, cpu_to_le32(v));
	dfx_sim_post(p, sizeof(*p));
}

static inline void dfx_sim_store64(__le64 *p, u64 v)
{
	WRITE_ONCE(*p, cpu_to_le64(v));
	dfx_sim_post(p, sizeof(*p));
}

#undef dfx_port_load32
#undef dfx_port_load32_acquire
#undef dfx_port_store32
#undef dfx_port_store32_release
#undef dfx_port_load64
#undef dfx_port_store64
#undef dfx_port_clean
#undef dfx_port_show
#define dfx_port_load32(p)		dfx_sim_load32(p)
#define dfx_port_load32_acquire(p)	dfx_sim_load32_acquire(p)
#define dfx_port_store32(p, v)		dfx_sim_store32(p, v)
#define dfx_port_store32_release(p, v)	dfx_sim_store32_release(p, v)
#define dfx_port_load64(p)		dfx_sim_load64(p)
#define dfx_port_store64(p, v)		dfx_sim_store64(p, v)
#define dfx_port_clean(addr, len)	dfx_sim_post(addr, len)
#define dfx_port_show(addr, len)	(dfx_sim_post(addr, len), 1)

#endif /* DFX_PORT_SIM_H */
