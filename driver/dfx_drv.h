/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dfx_drv.h - devices, regions and open files of the driver
 *
 * A bus (pci.c, or a module of its own) finds an aperture and calls
 * dfx_device_create() of dfx_bus.h, which makes one region, with its own node and
 * its own kthread, for each subsystem.
 *
 * Lock order: mmap_lock > region->srcu (read) > nothing;
 *	file->read_lock > region->lock > nothing. Both are mutexes. Nobody
 *	sleeps for an event while holding region->lock, and nothing that may
 *	fault is done under it.
 *
 * Revocation: dfx_region_unregister() removes the node, sets @gone under @lock,
 * wakes everybody, waits for readers of @srcu, zaps the mappings and stops the
 * kthread. After
 * that nothing reaches the aperture; what user space still has is the
 * &struct dfx_region itself, freed with its last reference. When the transport
 * finds that nobody answers, the kthread does the same, but for the node and for
 * itself.
 */
#ifndef DFX_DRV_H
#define DFX_DRV_H

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/srcu.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <uapi/linux/dfx.h>

#include "dfx_bus.h"
#include "host.h"
#include "region_shadow.h"

/**
 * struct dfx_info - what the device said of itself, checked
 * @arch: DFX_ARCH_*.
 * @isa: DFX_ISA_*.
 * @nr_lanes: lanes, 1 to DFX_MAX_LANES.
 * @nr_cores: AICore instances, 1 to 512.
 * @counter_hz: 1 kHz to 10 GHz.
 * @watchdog_us: outer watchdog, 0 if none.
 * @shared_offset: where the host's part of the aperture begins.
 * @shared_size: its bytes; within the aperture.
 * @subsystems: bit mask of what it can produce.
 * @boot: incarnation of the firmware.
 * @doorbell: interrupt vectors that it can ring, 0 to DFX_MAX_VECTORS.
 * @swim_kinds: bit mask of the kinds of l2_swimlane that it can write, as far as
 *	the driver knows them; not 0.
 */
struct dfx_info {
	u32 arch;
	u32 isa;
	u32 nr_lanes;
	u32 nr_cores;
	u64 counter_hz;
	u64 watchdog_us;
	u64 shared_offset;
	u64 shared_size;
	u32 subsystems;
	u32 boot;
	u32 doorbell;
	u32 swim_kinds;
};

/**
 * dfx_info_kinds() - kinds of a subsystem that a device can write
 * @info: the device.
 * @subsys: DFX_SUBSYS_*.
 *
 * Return: a bit mask. Only l2_swimlane has kinds that a device may lack.
 */
static inline u32 dfx_info_kinds(const struct dfx_info *info, u32 subsys)
{
	return subsys == DFX_SUBSYS_L2_SWIMLANE ? info->swim_kinds : ~0u;
}

/**
 * struct dfx_device - one aperture
 * @parent: the device that it belongs to.
 * @bell: interrupts from the device; NULL if it cannot.
 * @aperture: how it is reached.
 * @io: all of it, for its two headers.
 * @info: what the device said.
 * @generation: of this host.
 * @regions: one for each subsystem, @nr_regions of them.
 * @offsets: where each begins in the aperture.
 * @nr_regions: their number.
 */
struct dfx_device {
	struct device *parent;
	struct dfx_doorbell *bell;
	struct dfx_aperture aperture;
	struct dfx_io io;
	struct dfx_info info;
	u32 generation;
	struct dfx_region *regions[DFX_NR_SUBSYS];
	u64 offsets[DFX_NR_SUBSYS];
	u32 nr_regions;
};

/**
 * struct dfx_region - one subsystem's region and its /dev/dfxN
 * @dev: class device; owns the memory of this structure.
 * @cdev: its node.
 * @desc: the subsystem.
 * @info: copy of the device's.
 * @lock: protects all that follows, unless said otherwise.
 * @srcu: read side around every access to the aperture outside of @lock.
 * @gone: the aperture must not be touched any more; written under @lock.
 * @host: queues, tables, freeze.
 * @policy: as set, defaults resolved.
 * @level: level of the session.
 * @kinds: kinds of the session.
 * @start_ns: CLOCK_MONOTONIC at START.
 * @start_realtime_ns: CLOCK_REALTIME at START.
 * @end_ns: CLOCK_MONOTONIC at STOP.
 * @stop_by_ns: CLOCK_MONOTONIC when STOPPING is over at the latest.
 * @lonely_ns: CLOCK_MONOTONIC since when there is no consumer.
 * @files: open files, by &struct dfx_file.node.
 * @attached: lanes that have a consumer.
 * @nr_consumers: files that have attached lanes.
 * @events: openings, closings and faults.
 * @wait: readers, pollers and those who wait for a change of state.
 * @wake_seq: grows with each wake-up of @wake; read without @lock as a wait
 *	condition, written under it.
 * @thread: the replenish-and-freeze kthread.
 * @thread_wait: where it sleeps.
 * @kicked: it has work; written by anyone, cleared by the thread.
 * @rung: and the doorbell says so; written by the interrupt handler, likewise.
 * @bell: interrupts from the device; NULL without. Constant once the node is live.
 * @vector: which of them.
 * @passes: of the thread; written by it, under @lock.
 * @debugfs: its folder there; see debugfs.c.
 */
struct dfx_region {
	struct device dev;
	struct cdev cdev;
	const struct dfx_subsys_desc *desc;
	struct dfx_info info;

	struct mutex lock;	/* all that follows, see above */
	struct srcu_struct srcu;
	bool gone;
	struct dfx_host host;
	struct dfx_policy policy;
	u32 level;
	u32 kinds;
	u64 start_ns;
	u64 start_realtime_ns;
	u64 end_ns;
	u64 stop_by_ns;
	u64 lonely_ns;
	struct list_head files;
	u64 attached;
	u32 nr_consumers;
	u64 events;

	wait_queue_head_t wait;
	u32 wake_seq;

	struct task_struct *thread;
	wait_queue_head_t thread_wait;
	bool kicked;
	bool rung;
	struct dfx_doorbell *bell;
	u32 vector;
	u64 passes;
	struct dentry *debugfs;
};

/**
 * enum dfx_file_mode - how a consumer takes its buffers; settled by first use
 * @DFX_MODE_NONE: not settled.
 * @DFX_MODE_READ: by read().
 * @DFX_MODE_RING: by the mapped rings.
 */
enum dfx_file_mode {
	DFX_MODE_NONE,
	DFX_MODE_READ,
	DFX_MODE_RING,
};

/**
 * struct dfx_share - what a consumer had of a pool in this session
 * @delivered: records released.
 * @first_seq: sequence of the first buffer, ~0 if there was none.
 */
struct dfx_share {
	u64 delivered;
	u64 first_seq;
};

/**
 * struct dfx_share_bytes - where a buffer's share of an arena lies
 * @info: what goes before it into a frame.
 * @off: first byte, in the data area.
 * @first: bytes there.
 * @wrap: first byte of the lane's arena, likewise.
 * @rest: bytes there.
 */
struct dfx_share_bytes {
	struct dfx_arena_info info;
	u64 off;
	u64 first;
	u64 wrap;
	u64 rest;
};

/**
 * struct dfx_segment - a piece of a frame that read() copies
 * @data: first byte.
 * @len: bytes.
 */
struct dfx_segment {
	const void *data;
	size_t len;
};

/* Header, records, and of an arena: what it is, and its bytes in two pieces. */
#define DFX_MAX_SEGMENTS	5

/**
 * struct dfx_file - an open file
 * @region: the region; holds a reference.
 * @node: in @region->files.
 * @mapping: where its mappings are found, for the zap.
 * @lanes: lanes attached; 0 for a monitor. This and the following up to @mapped
 *	are protected by @region->lock.
 * @mode: how it takes its buffers.
 * @ring_mask: elements of both rings minus one.
 * @ready: ready ring, vmalloc() memory; only the kernel writes.
 * @release: release ring, likewise; the user writes.
 * @ready_len: bytes of @ready.
 * @release_len: bytes of @release.
 * @ready_tail: private copy of the ready ring's tail.
 * @release_head: cookies taken.
 * @bad_releases: of these, refused.
 * @shares: by pool.
 * @share_session: session that @shares are of.
 * @past_session: session that was over before it attached.
 * @session_sent: session whose SESSION frame it has been given.
 * @end_sent: session whose END frame it has been given.
 * @held: buffers HELD by it.
 * @events_seen: @region->events at its last STATE.
 * @mapped: VMAs of this file.
 * @read_lock: one read() at a time; protects what follows.
 * @given: buffers that earlier reads have copied completely; they are released
 *	when the caller comes back.
 * @nr_given: their number.
 * @seg: what is left of the frame that is being read.
 * @nr_segs: how many; 0 if there is no frame.
 * @cur_seg: the first that is not copied.
 * @cur_meta: SESSION or END frame being read, kvmalloc memory; or NULL.
 * @cur_buf: buffer of the DATA frame being read, or DFX_NIL.
 * @cur_hdr: its header.
 * @cur_arena: its share of the arena.
 */
struct dfx_file {
	struct dfx_region *region;
	struct list_head node;
	struct address_space *mapping;

	u64 lanes;
	enum dfx_file_mode mode;
	u32 ring_mask;
	struct dfx_ready_ring *ready;
	struct dfx_release_ring *release;
	size_t ready_len;
	size_t release_len;
	u32 ready_tail;
	u32 release_head;
	u32 bad_releases;
	struct dfx_share *shares;
	u64 share_session;
	u64 past_session;
	u64 session_sent;
	u64 end_sent;
	u32 held;
	u64 events_seen;
	u32 mapped;

	struct mutex read_lock;	/* one read(), and what follows */
	u32 *given;
	u32 nr_given;
	struct dfx_segment seg[DFX_MAX_SEGMENTS];
	u32 nr_segs;
	u32 cur_seg;
	void *cur_meta;
	u32 cur_buf;
	struct dfx_frame cur_hdr;
	struct dfx_share_bytes cur_arena;
};

/**
 * enum dfx_area - what a consumer can map
 * @DFX_AREA_READY: ready ring.
 * @DFX_AREA_RELEASE: release ring.
 * @DFX_AREA_BUFFERS: buffers.
 */
enum dfx_area {
	DFX_AREA_READY,
	DFX_AREA_RELEASE,
	DFX_AREA_BUFFERS,
};

/* Bit of the mmap offset, in bytes, from which on the area is named. */
#define DFX_AREA_SHIFT	32

/* main.c */
int dfx_main_minor(void);
void dfx_main_put_minor(int minor);
extern struct class dfx_class;
extern dev_t dfx_devt;

/* transport.c */
int dfx_transport_open(struct dfx_io *io, const struct dfx_aperture *ap,
		       u64 off, u64 size);
void dfx_transport_close(struct dfx_io *io);
u64 dfx_transport_bytes(const struct dfx_io *io,
			const struct dfx_geometry *geom);
int dfx_transport_prepare(const struct dfx_io *io,
			  const struct dfx_geometry *geom,
			  struct dfx_shadow_memory *mem);
void dfx_transport_commit(struct dfx_io *io, const struct dfx_geometry *geom,
			  struct dfx_shadow_memory *mem);
void dfx_transport_cancel(struct dfx_shadow_memory *mem);

/* region.c */
struct dfx_region *dfx_region_register(struct dfx_device *dfx,
				       const struct dfx_subsys_desc *desc,
				       u64 offset, u64 size);
void dfx_region_unregister(struct dfx_region *region);
int dfx_region_tables(struct dfx_region *region,
		      const struct dfx_limits *limits);
void dfx_region_wake(struct dfx_region *region);
void dfx_region_kick(struct dfx_region *region);
void dfx_region_lost(struct dfx_region *region);
void dfx_region_zap(struct dfx_region *region);

/* thread.c */
int dfx_thread(void *arg);

/* session.c */
int dfx_session_start(struct dfx_file *f, u64 lanes, struct dfx_start *args);
int dfx_session_stop(struct dfx_region *region, u64 *session, u64 *silent);
int dfx_session_flush(struct dfx_region *region, struct dfx_flush *args);
int dfx_session_reset(struct dfx_region *region, u64 *revived);
int dfx_session_set_policy(struct dfx_region *region,
			   const struct dfx_policy *policy);
void dfx_session_tick(struct dfx_region *region, u64 now_ns);
bool dfx_session_ended(const struct dfx_region *region);

/* consumer.c */
int dfx_consumer_attach(struct dfx_file *f, u64 lanes);
void dfx_consumer_detach(struct dfx_file *f);
int dfx_consumer_take(struct dfx_file *f);
bool dfx_consumer_give(struct dfx_file *f, u64 now_ns);
u32 dfx_consumer_hold(struct dfx_file *f);
void dfx_consumer_release(struct dfx_file *f, u32 id);
bool dfx_consumer_has_ready(const struct dfx_file *f);
bool dfx_consumer_finished(const struct dfx_file *f);

/* frame.c */
void dfx_frame_data(struct dfx_region *region, u32 id, struct dfx_frame *out);
void dfx_frame_arena(struct dfx_region *region, u32 id,
		     struct dfx_share_bytes *out);
void *dfx_frame_session(struct dfx_file *f, size_t *len);
void *dfx_frame_end(struct dfx_file *f, size_t *len);

/* state.c */
void dfx_state_lane(struct dfx_region *region, u32 lane,
		    struct dfx_lane_state *out);
void dfx_state_pool(struct dfx_file *f, u32 pool, struct dfx_pool_state *out);
void dfx_state_pool_info(const struct dfx_region *region, u32 pool,
			 struct dfx_pool_info *out);

/* read.c */
ssize_t dfx_read(struct file *file, char __user *buf, size_t len, loff_t *pos);
void dfx_read_ack(struct dfx_file *f);
bool dfx_read_has_left(const struct dfx_file *f);
void dfx_read_forget(struct dfx_file *f);

/* debugfs.c */
void dfx_debugfs_init(void);
void dfx_debugfs_exit(void);
void dfx_debugfs_add(struct dfx_region *region);
void dfx_debugfs_remove(struct dfx_region *region);

/* ioctl.c, mmap.c, chardev.c, sysfs.c, pci.c */
long dfx_ioctl(struct file *file, unsigned int cmd, unsigned long arg);
int dfx_mmap(struct file *file, struct vm_area_struct *vma);
void *dfx_mmap_alloc(size_t len);
extern const struct file_operations dfx_fops;
extern const struct attribute_group *dfx_region_groups[];
int dfx_pci_init(void);
void dfx_pci_exit(void);

#endif /* DFX_DRV_H */
