/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doorbell.h - interrupts by which a PCI device says that there is something
 *
 * Each region listens to one MSI-X vector, several to the same where there are
 * fewer vectors than regions. An interrupt kicks the kthread of each region that
 * listens to its vector and masks the vector; the kthread unmasks it when it arms
 * the doorbell again. So a device that rings without end gets one interrupt for each
 * time that a kthread was about to sleep.
 *
 * All may be called with NULL for the doorbell: there is none, and regions poll.
 */
#ifndef DFX_DOORBELL_H
#define DFX_DOORBELL_H

#include <linux/types.h>

struct dfx_doorbell;
struct dfx_region;
struct pci_dev;

/**
 * dfx_doorbell_create() - find the interrupts of a device
 * @pdev: an enabled device.
 *
 * Return: the doorbell; NULL if the device has no MSI-X or no registers, or there
 * are no interrupts left; ERR_PTR(-ENOMEM).
 */
struct dfx_doorbell *dfx_doorbell_create(struct pci_dev *pdev);

/* Gives them back. No region listens any more. */
void dfx_doorbell_destroy(struct dfx_doorbell *bell);

/**
 * dfx_doorbell_open() - agree on vectors with the device
 * @bell: the doorbell.
 * @vectors: how many the device can ring.
 *
 * Return: @bell; NULL if that leaves none.
 */
struct dfx_doorbell *dfx_doorbell_open(struct dfx_doorbell *bell, u32 vectors);

/* The host's number on the device's doorbell. */
u32 dfx_doorbell_peer(const struct dfx_doorbell *bell);

/* Vectors that are listened to. */
u32 dfx_doorbell_vectors(const struct dfx_doorbell *bell);

/**
 * dfx_doorbell_listen() - let a vector kick a region's kthread
 * @bell: the doorbell.
 * @region: the region; its node is not live yet.
 * @nr: its place in the aperture's table.
 *
 * Sets @region->bell and @region->vector. If the interrupt is not to be had, the
 * region polls.
 */
void dfx_doorbell_listen(struct dfx_doorbell *bell, struct dfx_region *region,
			 u32 nr);

/* Undoes it; the region's kthread has ended. */
void dfx_doorbell_ignore(struct dfx_region *region);

/* Lets the region's vector interrupt again; region locked. */
void dfx_doorbell_unmask(struct dfx_region *region);

#endif /* DFX_DOORBELL_H */
