/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plat_port.h - the engine's port, as the reference firmware sets it up
 *
 * Two things are decided at run time: the counter's frequency, which is the
 * profile's (arch=), and how a lane waits: it goes on obeying the regions that
 * it does not wait for.
 */
#ifndef DFX_FW_PLAT_PORT_H
#define DFX_FW_PLAT_PORT_H

#include <linux/dfx_layout.h>

/* Set before the first call of the engine, constant from then on. */
extern __u64 plat_counter_hz;

void fw_relax(void);

#define dfx_port_relax()	fw_relax()

#if __STDC_HOSTED__
#define DFX_PORT_POSIX_HZ	plat_counter_hz
#include "port/posix.h"
#else
#define DFX_PORT_AARCH64_HZ	plat_counter_hz
/* The MMU stays off: Device memory, no cache. */
#define DFX_PORT_AARCH64_CACHED	0
#include "port/aarch64.h"
#endif

#endif /* DFX_FW_PLAT_PORT_H */
