/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * sim.h - the engine's port in dfx_sim.ko: kernel.h, waiting as the firmware does
 */
#ifndef DFX_PORT_SIM_H
#define DFX_PORT_SIM_H

#include <linux/dfx_layout.h>

/* Whatever the profile says: lanes of several devices read the same clock. */
#define plat_counter_hz		DFX_PORT_KERNEL_HZ

void fw_relax(void);

#define dfx_port_relax()	fw_relax()

#include "port/kernel.h"

#endif /* DFX_PORT_SIM_H */
