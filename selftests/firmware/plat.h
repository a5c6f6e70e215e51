/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plat.h - what a platform gives to the shared part of the firmware
 *
 * A platform reads the arguments, finds the aperture, calls fw_boot() once and
 * then fw_lane_main() from each of its lanes.
 */
#ifndef DFX_FW_PLAT_H
#define DFX_FW_PLAT_H

#include <linux/dfx_layout.h>

/* Writers are numbered; a platform may have an upper limit below this one. */
#define PLAT_MAX_LANES		8

/* Where the host's part of the aperture begins, on every platform. */
#define PLAT_SHARED_OFFSET	0x400000u

extern const __u32 plat_isa;	/* DFX_ISA_* */
extern const __u32 plat_max_lanes;

/* Lane that the caller is. */
__u32 plat_lane_index(void);

/**
 * plat_relax() - one turn of a wait of the calling lane
 *
 * Waits briefly at first and longer the longer the wait has lasted, so that a
 * lane that has nothing to do costs the machine next to nothing.
 */
void plat_relax(void);

/* The calling lane has got on: its next wait is a new one. */
void plat_busy(void);

/* Writes one whole line, not mixed up with another lane's. */
void plat_write(const char *line, __u32 len);

/* A number that differs from the last boot's, not 0. */
__u32 plat_boot_number(void);

#endif /* DFX_FW_PLAT_H */
