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
extern const __u32 plat_max_workers;	/* threads beside the lanes, for cores */

/* Vectors of the host that can be rung; 0: no doorbell. Set before fw_boot(). */
extern __u32 plat_vectors;

/* Rings the host: a dfx_dev_ring_fn. */
void plat_ring(void *ctx, __u32 peer, __u32 vector);

struct fw_lane;

/* Lane that the caller is; in fw_lane_main() and what it calls. */
struct fw_lane *plat_lane(void);

/*
 * The calling lane is to end. Only where a platform can end: the host has gone
 * for good before, so that every wait of the engine's is over soon.
 */
int plat_stopping(void);

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
