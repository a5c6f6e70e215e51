/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * harness.h - a region between the real engine and the real host side
 *
 * An aperture in memory, announced by lib/device and formatted as the driver
 * does it. What is tested lies on both sides of it; here is only what brings
 * the two together.
 */
#ifndef DFX_HARNESS_H
#define DFX_HARNESS_H

#include <pthread.h>
#include <stdbool.h>

/* First, so that the kernel's types come from the shim. */
#include <linux/kernel.h>

#include "dfx_dev.h"
#include "driver/host.h"
#include "driver/region_shadow.h"

#include "bus.h"

/**
 * struct world_config - what to build
 * @subsys: DFX_SUBSYS_*.
 * @lanes: lanes.
 * @pools_per_lane: pools of each lane.
 * @limits: of the geometry.
 * @shadow: the host reaches the aperture by copies over &world.bus.
 * @kinds: bit mask of the kinds that the device writes, and that sessions record;
 *	0: kind 0.
 */
struct world_config {
	u32 subsys;
	u32 lanes;
	u32 pools_per_lane;
	struct dfx_limits limits;
	bool shadow;
	u32 kinds;
};

/* What the host side told its owner. */
struct world_seen {
	u32 faults;
	u32 fault_lane;
	u32 fault;
	u64 fault_val;
	u32 opened[DFX_NR_GATE];
	u32 closed[DFX_NR_GATE];
	u64 lost;
};

/**
 * struct world - one aperture with one region
 * @host: the host side.
 * @lock: stands for the region's lock; taken by the threaded tests.
 * @seen: what the host side reported.
 * @release_ready: the subsystem's predicate; true at first.
 * @aperture: the shared memory.
 * @size: its bytes.
 * @kinds: kinds that a session records.
 * @shadow: the transport, if the aperture is copied.
 * @bus: likewise.
 * @dev: the engine's side, attached.
 * @region: likewise, open.
 * @dpools: the engine's private pools.
 * @lanes: the engine's lanes, open.
 */
struct world {
	struct dfx_host host;
	pthread_mutex_t lock;
	struct world_seen seen;
	bool release_ready;
	u8 *aperture;
	u64 size;
	u32 kinds;
	struct dfx_shadow shadow;
	struct bus bus;
	struct dfx_dev dev;
	struct dfx_dev_region region;
	struct dfx_dev_pool *dpools;
	struct dfx_dev_lane *lanes;
};

struct world *world_new(const struct world_config *config);
void world_free(struct world *w);

/* A session of all lanes; @deadline is in the device's ticks. */
int world_start(struct world *w, u64 session, u64 deadline, u32 recovery);

/* One pass of the host with a generous budget; time is CLOCK_MONOTONIC. */
struct dfx_pass_result world_pass(struct world *w);
u64 world_now(void);

/* Identity R7 of one pool as it stands. */
bool world_identity(const struct dfx_pool_state *s);

/* Where the region begins in the aperture. */
#define WORLD_REGION	(2 * DFX_SHM_PAGE)

/* Address of a shared structure in the region, as the device has it. */
void *world_at(struct world *w, u64 off);
struct dfx_shm_lane *world_lane(struct world *w, u32 lane);
struct dfx_shm_pool *world_pool(struct world *w, u32 pool);
struct dfx_shm_fq *world_fq(struct world *w, u32 pool);
struct dfx_shm_rq_head *world_rq_head(struct world *w, u32 lane);
struct dfx_shm_freeze *world_freeze(struct world *w);
struct dfx_shm_contended *world_contended(struct world *w);
struct dfx_shm_ctl *world_ctl(struct world *w);

/* What a consumer sees of a READY or HELD buffer. */
u8 *world_buffer(struct world *w, u32 id);

/*
 * Records whose every byte follows from where they are: word 0 is the running
 * number of the record in its pool, the others are mixed from that number, the
 * pool, the buffer's sequence and the place in it.
 */
void record_fill(void *rec, u32 size, u32 pool, u32 seq, u32 index, u64 number);
bool record_check(const void *rec, u32 size, u32 pool, u32 seq, u32 index,
		  u64 number);

/* Producer: reserve, fill, commit one record. NULL as dfx_dev_reserve(). */
void *world_produce(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
		    u64 budget, u64 number);

#endif /* DFX_HARNESS_H */
