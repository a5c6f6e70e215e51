/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bell.h - the doorbell of an ivshmem-doorbell, from both ends
 *
 * The firmware of these tests is in the guest that it rings: it writes its own
 * number into the Doorbell register of the very device that the driver has.
 */
#ifndef DFX_TEST_BELL_H
#define DFX_TEST_BELL_H

#include <linux/types.h>

#include "sysfs.h"

/**
 * struct bell - the registers
 * @page: where they are mapped.
 * @regs: the first.
 * @mute: rings are not passed on.
 * @rings: asked for by the engine.
 */
struct bell {
	void *page;
	__u32 *regs;
	int mute;
	__u64 rings;
};

/* 0; -ENODEV if the device has no doorbell; -errno. */
int bell_open(struct bell *b, const char *bdf);
void bell_close(struct bell *b);

/* The number of the guest; valid while a driver has the device enabled. */
__u32 bell_position(const struct bell *b);

/* A dfx_dev_ring_fn; @ctx is the bell. */
void bell_ring(void *ctx, __u32 peer, __u32 vector);

/*
 * Interrupts so far of the vector that @node ("dfx0") listens to, on all
 * processors; ~0 if there is none.
 */
__u64 bell_interrupts(const char *node);

/* How many nodes listen to that vector. */
int bell_listeners(const char *node);

#endif /* DFX_TEST_BELL_H */
