/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * link.h - a device and a host with different memories
 *
 * The device's memory is what the lanes work on. The host's is what the device has
 * made known so far: copies from the device read that. A wire in each direction
 * carries what is written, late and in order; copies fail now and then.
 *
 * What a lane stores it posts (dfx_sim_link_post()), and before it loads it lets
 * arrive what is due (dfx_sim_link_settle()). Records and payloads are written
 * without a call; they are posted where the engine's port cleans the cache.
 *
 * Locking: none needed; the wires have their own.
 */
#ifndef DFX_SIM_LINK_H
#define DFX_SIM_LINK_H

#include <linux/types.h>

#include "wire.h"

/**
 * struct dfx_sim_link_config - what a link is to be
 * @dev: the device's memory.
 * @host: the host's, as large.
 * @size: bytes of each.
 * @delay_ns: time that a write is under way, in each direction.
 * @piece_ns: see dfx_sim_wire_init().
 * @fail_ppm: of a million copies so many fail; may change at any time.
 * @fail_len: of copies of at least that many bytes; others never do.
 * @clock: nanoseconds, monotonic.
 * @relax: one turn of a wait; may sleep.
 */
struct dfx_sim_link_config {
	void *dev;
	void *host;
	u64 size;
	u64 delay_ns;
	u64 piece_ns;
	u32 fail_ppm;
	u32 fail_len;
	u64 (*clock)(void);
	void (*relax)(void);
};

/**
 * struct dfx_sim_link - both directions
 * @config: as given; constant but for @config.fail_ppm.
 * @up: to the host.
 * @down: to the device.
 * @copies: copies that could have failed so far; decides which of them fail.
 *	Whoever copies adds to it, and a lost addition only moves a failure.
 */
struct dfx_sim_link {
	struct dfx_sim_link_config config;
	struct dfx_sim_wire up;
	struct dfx_sim_wire down;
	u32 copies;
};

/* @link is zeroed, some 800 KiB. Both memories hold the same. */
void dfx_sim_link_init(struct dfx_sim_link *link,
		       const struct dfx_sim_link_config *config);

/* The device has written @len bytes at @off of its memory. May wait for room. */
void dfx_sim_link_post(struct dfx_sim_link *link, u64 off, u64 len);

/* The device is about to read. */
void dfx_sim_link_settle(struct dfx_sim_link *link);

/*
 * The host's side: the members of &struct dfx_copy_ops, with the link for a bus.
 * From and to copy all, or return -EIO and have copied nothing. A copy of 4 bytes
 * at a multiple of 4 is one access; a longer one may be torn. The fence returns
 * when everything that was written down has arrived, and everything that the device
 * had posted until then as well. May sleep.
 */
int dfx_sim_link_from(void *link, void *dst, u64 off, size_t len);
int dfx_sim_link_to(void *link, u64 off, const void *src, size_t len);
void dfx_sim_link_fence(void *link);

#endif /* DFX_SIM_LINK_H */
