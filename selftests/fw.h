/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fw.h - the device, under the test's control
 *
 * The test program is the firmware: it maps the BAR through sysfs, writes the
 * identity page and runs lib/device. A lane is stepped by hand, a record at a
 * time, or runs as a thread. What a lane publishes can be forged.
 *
 * Records have contents that follow from session, pool and index, so that who
 * reads them can check every byte. The index counts all records that a pool was
 * asked for in the session, those that were dropped included. In a region with
 * arenas the fields that tell of the payload are true instead, and the payload's
 * bytes follow from their place in the lane's arena.
 */
#ifndef DFX_TEST_FW_H
#define DFX_TEST_FW_H

#include <pthread.h>
#include <stdbool.h>
#include <linux/dfx_layout.h>

#include "dfx_dev.h"
#include "sysfs.h"

#define FW_MAX_LANES	4
#define FW_MAX_POOLS	16

/* Quota of a lane that never has enough. */
#define FW_ENDLESS	(~0ull)

/* Ticks of the lanes' counter in a second. */
#define FW_HZ		DFX_PORT_POSIX_HZ

/**
 * struct fw_config - what the device is
 * @lanes: lanes, up to FW_MAX_LANES.
 * @cores: cores, each with a pool; up to FW_MAX_POOLS. Core i belongs to lane
 *	i * lanes / cores.
 * @watchdog_us: outer watchdog.
 * @subsystems: bit mask.
 * @subsys: DFX_SUBSYS_* that its lanes write for.
 * @payload: bytes of a payload at most, in a region with arenas.
 * @doorbell: vectors that it can ring.
 * @swim_kinds: kinds of l2_swimlane that it says it can write; 0: says nothing.
 */
struct fw_config {
	__u32 lanes;
	__u32 cores;
	__u64 watchdog_us;
	__u32 subsystems;
	__u32 subsys;
	__u64 payload;
	__u32 doorbell;
	__u32 swim_kinds;
};

/* Two lanes, two pools each: 0 and 1 are lane 0's, 2 and 3 are lane 1's. */
#define FW_CONFIG_DEFAULT \
	((struct fw_config){ \
		.lanes = 2, \
		.cores = 4, \
		.subsystems = 1u << DFX_SUBSYS_L2_SWIMLANE, \
	})

struct fw;

/**
 * struct fw_lane - one lane; used by one thread
 * @fw: the device.
 * @number: its number.
 * @subsys: DFX_SUBSYS_* that it writes for.
 * @dev: attachment of its own, so that it can attach anew by itself.
 * @region: likewise.
 * @pools: by pool id; only the lane's own are in use.
 * @lane: the engine's lane.
 * @session: session that @asked is of.
 * @asked: records asked for, by pool.
 * @bytes: of the payloads that were asked for and not dropped.
 * @attaches: times it found a host.
 * @thread: the thread, if @threaded.
 * @threaded: it runs as a thread.
 * @stop: the thread is to end.
 * @quota: records of each pool in each session; the thread writes no more.
 */
struct fw_lane {
	struct fw *fw;
	__u32 number;
	__u32 subsys;
	struct dfx_dev dev;
	struct dfx_dev_region region;
	struct dfx_dev_pool pools[FW_MAX_POOLS];
	struct dfx_dev_lane lane;
	__u64 session;
	__u64 asked[FW_MAX_POOLS];
	__u64 bytes;
	__u64 attaches;
	pthread_t thread;
	bool threaded;
	bool stop;
	__u64 quota;
};

/**
 * struct fw - the device
 * @bdf: its address.
 * @bar: its aperture.
 * @bar_size: bytes of it.
 * @config: what it is.
 * @ring: how lanes that attach from now on ring; NULL: not at all.
 * @ring_ctx: for @ring.
 * @lane: its lanes.
 */
struct fw {
	char bdf[SYSFS_BDF_LEN];
	unsigned char *bar;
	size_t bar_size;
	struct fw_config config;
	dfx_dev_ring_fn *ring;
	void *ring_ctx;
	struct fw_lane lane[FW_MAX_LANES];
};

/*
 * Finds the device, with the module loaded and the driver not bound, and maps
 * the BAR. 0 or -errno.
 */
int fw_open(struct fw *fw);

/*
 * The profile that it announces, from the environment: DFX_ARCH=a5, or a2a3. The
 * driver reaches an a5 device by copies.
 */
__u32 fw_arch(void);

/*
 * Buffers that consumers can have at once for each of the device's: records of an
 * a5 device are copied, and there are two copies for each of its buffers.
 */
__u32 fw_copies(void);

/* Boots it: writes the identity page. */
void fw_announce(struct fw *fw, const struct fw_config *config);

/* What the identity page says. */
struct dfx_shm_ident *fw_ident(struct fw *fw);

/* Opens, boots, binds the driver and attaches every lane. 0 or -errno. */
int fw_up(struct fw *fw, const struct fw_config *config);

/* Lanes find the host's region. DFX_DEV_*. */
int fw_attach(struct fw *fw);
int fw_lane_attach(struct fw_lane *l);

/* Ends threads, unbinds the driver, unmaps. */
void fw_down(struct fw *fw);

/* Opens the node of a subsystem; -1 with errno. */
int fw_node(const char *subsys, int flags);

/* ---- by hand ----------------------------------------------------------- */

/* One poll of each lane. */
void fw_poll(struct fw *fw);

/*
 * One record into a pool: DFX_DEV_OK, or why not. In a region with arenas it has a
 * payload, of any size up to the configured one.
 */
int fw_record(struct fw_lane *l, __u32 pool, __u64 budget);

/* Likewise, with a payload of @size bytes. */
int fw_payload(struct fw_lane *l, __u32 pool, __u64 size, __u64 budget);

/* @n records; how many were written before the host let the lane wait too long. */
__u32 fw_records(struct fw_lane *l, __u32 pool, __u32 n);

/* ---- threads ------------------------------------------------------------- */

/* Every lane writes @quota records into each of its pools in each session. */
int fw_run(struct fw *fw, __u64 quota);
int fw_run_lane(struct fw_lane *l, __u64 quota);
void fw_set_quota(struct fw *fw, __u64 quota);
void fw_stop(struct fw *fw);

/* ---- contents -------------------------------------------------------------- */

void fw_fill(void *rec, __u32 size, __u64 session, __u32 pool, __u64 index);
bool fw_is_filled(const void *rec, __u32 size, __u64 session, __u32 pool,
		  __u64 index);

/* A record that is right but for what it tells of its payload. */
bool fw_is_dump(const struct dfx_rec_dump *rec, __u64 session, __u32 pool,
		__u64 index);

/* The payload that lies in pool @pool's arena from byte @at of the session on. */
bool fw_is_payload(const void *data, __u64 size, __u64 session, __u32 pool,
		   __u64 at);

/* ---- forgery ---------------------------------------------------------------- */

/* The entry that the engine would publish for the pool's current buffer. */
struct dfx_shm_entry fw_entry(struct fw_lane *l, __u32 pool);

/* Publishes it whether there is room or not. */
void fw_forge(struct fw_lane *l, const struct dfx_shm_entry *e);

/* Stores the ready queue's tail. */
void fw_forge_rq_tail(struct fw_lane *l, __u32 tail);

/* Stores a free queue's head. */
void fw_forge_fq_head(struct fw_lane *l, __u32 pool, __u32 head);

#endif /* DFX_TEST_FW_H */
