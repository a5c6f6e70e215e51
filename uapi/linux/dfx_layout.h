/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * dfx_layout.h - memory that a profiled device shares with its host
 *
 * One header for the kernel, for user space and for bare-metal firmware. It
 * describes bytes, not behaviour: who may write which word, where it lies and
 * what a valid value is. How the words are used is the protocol, described in
 * Documentation/driver-api/dfx.rst; letters such as (A) refer to the ordering
 * diagram there.
 *
 * DOC: conventions
 *
 * - Every multi-byte field is little-endian. Nothing is packed; every hole is
 *   a named reserved field that the writer sets to zero and the reader ignores.
 * - Every structure is reached by an offset in bytes. Offsets in the aperture
 *   header count from the first byte of the aperture (the start of the BAR),
 *   offsets in a region header from the first byte of that region. There are
 *   no pointers in shared memory.
 * - Every word has one writer, named in the comment of its structure: HOST or
 *   DEVICE. Words of different writers lie on different pages. The one
 *   exception is &struct dfx_shm_contended, which lanes set and the host
 *   clears.
 * - Queue indices are free-running u32. Depths are powers of two, so that
 *   ``index % depth`` survives the wrap. Entries in a queue: ``tail - head``;
 *   anything above the depth is a broken index and must not be used.
 * - Access is by single-copy-atomic loads and stores of one field, acquire and
 *   release where the comment says so, never through a copy of a structure
 *   that the other side may be writing.
 *
 * DOC: layout changelog
 *
 * MINOR grows when a reserved field gets a meaning that the other side may
 * ignore; MAJOR when it may not. A side refuses another MAJOR.
 *
 * - 1.0: first version.
 * - 1.1: the doorbell: &dfx_shm_ident.doorbell, &dfx_shm_aperture.peer and
 *   &dfx_shm_aperture.vectors, &dfx_shm_region_ref.vector,
 *   &dfx_shm_rq_head.event and &dfx_shm_rq_head.armed. All of them are 0 from a
 *   side that does not know them: nobody rings, and the host polls.
 * - 1.2: &dfx_shm_ident.swim_kinds. 0 from a device that does not know it stands
 *   for the one kind that such a device writes. &dfx_shm_pool.stash_first,
 *   &dfx_shm_pool.stash_next and &dfx_shm_pool.stash: equal from a device that
 *   does not know them, which stashes nothing.
 *
 * Aperture::
 *
 *   0                +------------------------+
 *                    | dfx_shm_ident          |  DEVICE, one page
 *   4096             +------------------------+
 *                    | private to the device  |
 *   shared_offset    +------------------------+
 *                    | dfx_shm_aperture       |  HOST, one page
 *                    +------------------------+
 *                    | region, region, ...    |
 *   shared_offset    +------------------------+
 *    + shared_size
 *
 * Region::
 *
 *   0                +------------------------+
 *                    | dfx_shm_region         |  HOST, constant for a session
 *                    | dfx_shm_pool_desc[]    |
 *   host_off         +------------------------+
 *                    | dfx_shm_ctl            |  HOST
 *                    | dfx_shm_freeze         |
 *    rq_head_off     | dfx_shm_rq_head[lane]  |
 *    fq_off          | dfx_shm_fq[pool]       |
 *   dev_off          +------------------------+
 *                    | dfx_shm_contended      |  DEVICE (host clears)
 *    lane_off        | dfx_shm_lane[lane]     |  DEVICE
 *    pool_off        | dfx_shm_pool[pool]     |
 *    rq_off          | dfx_shm_entry[lane][]  |
 *   buf_off          +------------------------+
 *                    | buffers, pool by pool  |  DEVICE while it owns them
 *   arena_off        +------------------------+
 *                    | arenas, lane by lane   |  DEVICE until reclaimed
 *   size             +------------------------+
 */
#ifndef _UAPI_LINUX_DFX_LAYOUT_H
#define _UAPI_LINUX_DFX_LAYOUT_H

#if defined(__KERNEL__) || (defined(__linux__) && __STDC_HOSTED__)
#include <linux/types.h>
#else
/* Freestanding: C99 guarantees these two headers without a library. */
#include <stddef.h>
#include <stdint.h>
typedef uint8_t __u8;
typedef uint16_t __u16;
typedef uint32_t __u32;
typedef uint64_t __u64;
typedef __u16 __le16;
typedef __u32 __le32;
typedef __u64 __le64;
#endif

/*
 * A compile-time check that works as C90, C++ and freestanding: the array has
 * a negative size when the condition is false.
 */
#define DFX_STATIC_ASSERT(name, cond) \
	typedef char dfx_static_assert_##name[(cond) ? 1 : -1]
#define DFX_ASSERT_OFFSET(type, field, off) \
	DFX_STATIC_ASSERT(type##_at_##field, \
			  __builtin_offsetof(struct type, field) == (off))
#define DFX_ASSERT_SIZE(type, size) \
	DFX_STATIC_ASSERT(type##_sizeof, sizeof(struct type) == (size))

#define DFX_LAYOUT_MAJOR	1
#define DFX_LAYOUT_MINOR	2

/* Granule that separates words of different lanes and pools, in bytes. */
#define DFX_SHM_LINE		64
/* Granule that separates words of different writers, in bytes. */
#define DFX_SHM_PAGE		4096

/* Hard limits of layout 1. Larger values in a header are refused. */
#define DFX_MAX_REGIONS		16
#define DFX_MAX_LANES		64
#define DFX_MAX_POOLS		1024
#define DFX_MAX_BUFFERS		16384	/* in one region */
#define DFX_MAX_FQ_SLOTS	8	/* of one free queue; a power of two */
#define DFX_MAX_RQ_DEPTH	4096	/* of one ready queue; a power of two */
#define DFX_MAX_RECORD_SIZE	8192	/* bytes */
#define DFX_MAX_BUFFER_SIZE	(16u << 20) /* bytes */
#define DFX_MAX_ARENA_SIZE	(512u << 20) /* bytes, of one lane */
#define DFX_MAX_VECTORS		DFX_MAX_REGIONS	/* interrupts of a doorbell */
#define DFX_MAX_PEER		65535u	/* largest &dfx_shm_aperture.peer */

/* Granule of an arena in bytes; positions in it count in this unit. */
#define DFX_ARENA_UNIT		64

/* "No buffer" wherever a buffer id is expected. */
#define DFX_NO_BUFFER		0xffffffffu

/* Magic numbers: "DFXI", "DFXA", "DFXR" read as little-endian u32. */
#define DFX_MAGIC_IDENT		0x49584644u
#define DFX_MAGIC_APERTURE	0x41584644u
#define DFX_MAGIC_REGION	0x52584644u

/* Architecture profiles: &struct dfx_shm_ident.arch. */
#define DFX_ARCH_A2A3		1	/* 72 cores, 4 lanes, 50 MHz */
#define DFX_ARCH_A5		2	/* 108 cores, 5 lanes, 1000 MHz */

/* Instruction set that the firmware runs on: &struct dfx_shm_ident.isa. */
#define DFX_ISA_UNKNOWN		0
#define DFX_ISA_AARCH64		1
#define DFX_ISA_X86_64		2
#define DFX_ISA_ARMV7		3
#define DFX_ISA_RISCV64		4

/* Subsystems; bit (1 << id) in &struct dfx_shm_ident.subsystems. */
#define DFX_SUBSYS_L2_SWIMLANE	0
#define DFX_SUBSYS_PMU		1
#define DFX_SUBSYS_DEP_GEN	2
#define DFX_SUBSYS_ARGS_DUMP	3
#define DFX_SUBSYS_SCOPE_STATS	4
#define DFX_SUBSYS_TENSOR_DUMP	5
#define DFX_NR_SUBSYS		6

/**
 * struct dfx_shm_ident - identity of the device, first page of the aperture
 * @magic: DFX_MAGIC_IDENT. Stored last, with release; a host that does not
 *	find it leaves the aperture alone.
 * @layout_major: DFX_LAYOUT_MAJOR of the firmware.
 * @layout_minor: DFX_LAYOUT_MINOR of the firmware.
 * @arch: DFX_ARCH_*.
 * @isa: DFX_ISA_*.
 * @nr_lanes: number of writer threads, 1 to DFX_MAX_LANES.
 * @counter_hz: frequency in Hz of the counter behind every time and deadline
 *	in this aperture, at least 1000.
 * @watchdog_us: shortest outer watchdog of the device in microseconds; a gate
 *	must give up before it. 0 means that there is none.
 * @shared_offset: first byte that the host may format; a multiple of
 *	DFX_SHM_PAGE, at least DFX_SHM_PAGE.
 * @shared_size: bytes from there that the host may use; a multiple of
 *	DFX_SHM_PAGE.
 * @nr_cores: number of AICore instances, 1 to 512.
 * @boot: differs between two boots of the firmware; never 0.
 * @subsystems: bit mask of the subsystems that the firmware can produce.
 * @attached: generation of the host that the firmware has attached to; 0 while
 *	it has found none. Stored with release.
 * @doorbell: interrupt vectors that the firmware can ring, 0 if it has no
 *	doorbell, at most DFX_MAX_VECTORS.
 * @swim_kinds: bit mask of the kinds of l2_swimlane that the firmware can write,
 *	1 << DFX_KIND_*; the host makes no pools for the others. 0 stands for
 *	DFX_KIND_AICPU_TASK alone. Bits that the host does not know are ignored.
 * @reserved: 0.
 *
 * Written by: DEVICE, once at boot, but for @attached.
 */
struct dfx_shm_ident {
	__le32 magic;
	__le32 layout_major;
	__le32 layout_minor;
	__le32 arch;
	__le32 isa;
	__le32 nr_lanes;
	__le64 counter_hz;
	__le64 watchdog_us;
	__le64 shared_offset;
	__le64 shared_size;
	__le32 nr_cores;
	__le32 boot;
	__le32 subsystems;
	__le32 attached;
	__le32 doorbell;
	__le32 swim_kinds;
	__le64 reserved[6];
};
DFX_ASSERT_SIZE(dfx_shm_ident, 128);
DFX_ASSERT_OFFSET(dfx_shm_ident, magic, 0);
DFX_ASSERT_OFFSET(dfx_shm_ident, layout_major, 4);
DFX_ASSERT_OFFSET(dfx_shm_ident, layout_minor, 8);
DFX_ASSERT_OFFSET(dfx_shm_ident, arch, 12);
DFX_ASSERT_OFFSET(dfx_shm_ident, isa, 16);
DFX_ASSERT_OFFSET(dfx_shm_ident, nr_lanes, 20);
DFX_ASSERT_OFFSET(dfx_shm_ident, counter_hz, 24);
DFX_ASSERT_OFFSET(dfx_shm_ident, watchdog_us, 32);
DFX_ASSERT_OFFSET(dfx_shm_ident, shared_offset, 40);
DFX_ASSERT_OFFSET(dfx_shm_ident, shared_size, 48);
DFX_ASSERT_OFFSET(dfx_shm_ident, nr_cores, 56);
DFX_ASSERT_OFFSET(dfx_shm_ident, boot, 60);
DFX_ASSERT_OFFSET(dfx_shm_ident, subsystems, 64);
DFX_ASSERT_OFFSET(dfx_shm_ident, attached, 68);
DFX_ASSERT_OFFSET(dfx_shm_ident, doorbell, 72);
DFX_ASSERT_OFFSET(dfx_shm_ident, swim_kinds, 76);

/**
 * struct dfx_shm_region_ref - one row of the aperture's region table
 * @subsys: DFX_SUBSYS_*; at most one region of each.
 * @vector: interrupt to ring for this region; below &dfx_shm_aperture.vectors,
 *	or nobody listens.
 * @offset: first byte of the region, counted from the start of the aperture; a
 *	multiple of DFX_SHM_PAGE.
 * @size: bytes; a multiple of DFX_SHM_PAGE.
 * @reserved2: 0.
 */
struct dfx_shm_region_ref {
	__le32 subsys;
	__le32 vector;
	__le64 offset;
	__le64 size;
	__le64 reserved2;
};
DFX_ASSERT_SIZE(dfx_shm_region_ref, 32);
DFX_ASSERT_OFFSET(dfx_shm_region_ref, subsys, 0);
DFX_ASSERT_OFFSET(dfx_shm_region_ref, vector, 4);
DFX_ASSERT_OFFSET(dfx_shm_region_ref, offset, 8);
DFX_ASSERT_OFFSET(dfx_shm_region_ref, size, 16);

/**
 * struct dfx_shm_aperture - the host's header, at shared_offset
 * @magic: DFX_MAGIC_APERTURE. Cleared first and stored last, with release,
 *	whenever the host formats; the device attaches when it reads it
 *	(acquire) and looks at nothing else before.
 * @layout_major: DFX_LAYOUT_MAJOR of the host.
 * @layout_minor: DFX_LAYOUT_MINOR of the host.
 * @generation: differs between two hosts that formatted this aperture; never 0.
 * @nr_regions: rows of @regions in use, at most DFX_MAX_REGIONS.
 * @peer: whom to ring: the host's number on the device's doorbell, at most
 *	DFX_MAX_PEER.
 * @vectors: interrupts that the host listens to; 0 if it does not listen, at
 *	most &dfx_shm_ident.doorbell.
 * @reserved: 0.
 * @regions: where each subsystem's region lies.
 *
 * Written by: HOST at probe and removal.
 */
struct dfx_shm_aperture {
	__le32 magic;
	__le32 layout_major;
	__le32 layout_minor;
	__le32 generation;
	__le32 nr_regions;
	__le32 peer;
	__le32 vectors;
	__le32 reserved[9];
	struct dfx_shm_region_ref regions[DFX_MAX_REGIONS];
};
DFX_ASSERT_SIZE(dfx_shm_aperture, 576);
DFX_ASSERT_OFFSET(dfx_shm_aperture, magic, 0);
DFX_ASSERT_OFFSET(dfx_shm_aperture, layout_major, 4);
DFX_ASSERT_OFFSET(dfx_shm_aperture, layout_minor, 8);
DFX_ASSERT_OFFSET(dfx_shm_aperture, generation, 12);
DFX_ASSERT_OFFSET(dfx_shm_aperture, nr_regions, 16);
DFX_ASSERT_OFFSET(dfx_shm_aperture, peer, 20);
DFX_ASSERT_OFFSET(dfx_shm_aperture, vectors, 24);
DFX_ASSERT_OFFSET(dfx_shm_aperture, regions, 64);

/* Recovery of a starved lane: &struct dfx_shm_region.recovery. */
#define DFX_RECOVERY_GLOBAL	0	/* freeze all lanes at the gate */
#define DFX_RECOVERY_LANE	1	/* serve the starved pool alone */

/**
 * struct dfx_shm_region - header of one region
 * @magic: DFX_MAGIC_REGION.
 * @subsys: DFX_SUBSYS_*.
 * @nr_lanes: lanes, 1 to DFX_MAX_LANES.
 * @nr_pools: rows of the pool table, 1 to DFX_MAX_POOLS.
 * @nr_buffers: buffers of all pools; ids run from 0 to @nr_buffers - 1.
 * @rq_depth: entries of each lane's ready queue, a power of two, 1 to
 *	DFX_MAX_RQ_DEPTH. All of them can be used.
 * @desc_off: first &struct dfx_shm_pool_desc.
 * @host_off: &struct dfx_shm_ctl, followed by &struct dfx_shm_freeze; a
 *	multiple of DFX_SHM_PAGE.
 * @rq_head_off: first &struct dfx_shm_rq_head, one for each lane.
 * @fq_off: first &struct dfx_shm_fq, one for each pool.
 * @dev_off: &struct dfx_shm_contended; a multiple of DFX_SHM_PAGE.
 * @lane_off: first &struct dfx_shm_lane, one for each lane.
 * @pool_off: first &struct dfx_shm_pool, one for each pool.
 * @rq_off: first &struct dfx_shm_entry; lane L's queue starts at
 *	@rq_off + L * @rq_depth * sizeof(struct dfx_shm_entry).
 * @buf_off: first buffer; a multiple of DFX_SHM_PAGE.
 * @size: bytes of the region, equal to its row in the aperture header.
 * @session: id of the session that this header describes; 0 before the first.
 * @lane_mask: lanes that record in this session; the others stay idle.
 * @deadline: longest wait at a gate, in counter ticks; at least 1.
 * @level: the subsystem's level.
 * @kinds: bit mask of the kinds that are recorded.
 * @recovery: DFX_RECOVERY_*.
 * @param: opaque to the driver; handed to the firmware from START.
 * @arena_off: first arena; a multiple of DFX_SHM_PAGE; 0 if the region has
 *	none. Lane L's begins at @arena_off + L * @arena_units * DFX_ARENA_UNIT.
 * @arena_units: size of each lane's arena in units of DFX_ARENA_UNIT, a power
 *	of two; 0 if the region has none.
 * @reserved0: 0.
 * @reserved: 0.
 *
 * Written by: HOST, between sessions only. Constant from the release store of
 * &dfx_shm_ctl.seq that starts a session to the one that ends it.
 */
struct dfx_shm_region {
	__le32 magic;
	__le32 subsys;
	__le32 nr_lanes;
	__le32 nr_pools;
	__le32 nr_buffers;
	__le32 rq_depth;
	__le32 desc_off;
	__le32 host_off;
	__le32 rq_head_off;
	__le32 fq_off;
	__le32 dev_off;
	__le32 lane_off;
	__le32 pool_off;
	__le32 rq_off;
	__le64 buf_off;
	__le64 size;
	__le64 session;
	__le64 lane_mask;
	__le64 deadline;
	__le32 level;
	__le32 kinds;
	__le32 recovery;
	__le32 param;
	__le64 arena_off;
	__le32 arena_units;
	__le32 reserved0;
	__le64 reserved[16];
};
DFX_ASSERT_SIZE(dfx_shm_region, 256);
DFX_ASSERT_OFFSET(dfx_shm_region, magic, 0);
DFX_ASSERT_OFFSET(dfx_shm_region, subsys, 4);
DFX_ASSERT_OFFSET(dfx_shm_region, nr_lanes, 8);
DFX_ASSERT_OFFSET(dfx_shm_region, nr_pools, 12);
DFX_ASSERT_OFFSET(dfx_shm_region, nr_buffers, 16);
DFX_ASSERT_OFFSET(dfx_shm_region, rq_depth, 20);
DFX_ASSERT_OFFSET(dfx_shm_region, desc_off, 24);
DFX_ASSERT_OFFSET(dfx_shm_region, host_off, 28);
DFX_ASSERT_OFFSET(dfx_shm_region, rq_head_off, 32);
DFX_ASSERT_OFFSET(dfx_shm_region, fq_off, 36);
DFX_ASSERT_OFFSET(dfx_shm_region, dev_off, 40);
DFX_ASSERT_OFFSET(dfx_shm_region, lane_off, 44);
DFX_ASSERT_OFFSET(dfx_shm_region, pool_off, 48);
DFX_ASSERT_OFFSET(dfx_shm_region, rq_off, 52);
DFX_ASSERT_OFFSET(dfx_shm_region, buf_off, 56);
DFX_ASSERT_OFFSET(dfx_shm_region, size, 64);
DFX_ASSERT_OFFSET(dfx_shm_region, session, 72);
DFX_ASSERT_OFFSET(dfx_shm_region, lane_mask, 80);
DFX_ASSERT_OFFSET(dfx_shm_region, deadline, 88);
DFX_ASSERT_OFFSET(dfx_shm_region, level, 96);
DFX_ASSERT_OFFSET(dfx_shm_region, kinds, 100);
DFX_ASSERT_OFFSET(dfx_shm_region, recovery, 104);
DFX_ASSERT_OFFSET(dfx_shm_region, param, 108);
DFX_ASSERT_OFFSET(dfx_shm_region, arena_off, 112);
DFX_ASSERT_OFFSET(dfx_shm_region, arena_units, 120);

/**
 * struct dfx_shm_pool_desc - one pool: equal buffers of one kind and instance
 * @kind: the subsystem's kind, 0 to 31.
 * @instance: core, thread or orchestrator that the records belong to.
 * @lane: the only lane that may use the pool in this session.
 * @slots: free-queue depth, a power of two, 1 to DFX_MAX_FQ_SLOTS.
 * @nr_buffers: buffers of the pool, at least 1.
 * @first_buffer: their ids run from here to @first_buffer + @nr_buffers - 1.
 * @record_size: bytes of one record, 1 to DFX_MAX_RECORD_SIZE.
 * @capacity: records in one buffer, at least 1.
 * @stride: bytes from one buffer to the next; a multiple of DFX_SHM_PAGE, at
 *	least @capacity * @record_size.
 * @reserved: 0.
 * @buf_off: first byte of @first_buffer, counted from the start of the region;
 *	a multiple of DFX_SHM_PAGE.
 * @reserved2: 0.
 *
 * Written by: HOST, with the region header.
 */
struct dfx_shm_pool_desc {
	__le32 kind;
	__le32 instance;
	__le32 lane;
	__le32 slots;
	__le32 nr_buffers;
	__le32 first_buffer;
	__le32 record_size;
	__le32 capacity;
	__le32 stride;
	__le32 reserved;
	__le64 buf_off;
	__le64 reserved2[2];
};
DFX_ASSERT_SIZE(dfx_shm_pool_desc, 64);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, kind, 0);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, instance, 4);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, lane, 8);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, slots, 12);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, nr_buffers, 16);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, first_buffer, 20);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, record_size, 24);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, capacity, 28);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, stride, 32);
DFX_ASSERT_OFFSET(dfx_shm_pool_desc, buf_off, 40);

/* ---------------- host pages: written by HOST only ---------------------- */

/* &struct dfx_shm_ctl.state */
#define DFX_CTL_IDLE		0	/* no session */
#define DFX_CTL_RUNNING		1	/* lanes of lane_mask record */
#define DFX_CTL_STOPPING	2	/* lanes publish what they have and stop */

/**
 * struct dfx_shm_ctl - what the host asks of the lanes
 * @seq: sequence count. Odd while the host changes the fields below; each
 *	change ends with a release store of an even value (C). A lane loads it
 *	at every record, and obeys a new even value as soon as it sees it.
 * @state: DFX_CTL_*.
 * @session: id of the session; 0 when idle.
 * @flush: number of the last flush asked for.
 * @generation: equal to &dfx_shm_aperture.generation; 0 once the host has
 *	gone, whereupon the lane must attach anew.
 * @reserved: 0.
 *
 * Written by: HOST.
 */
struct dfx_shm_ctl {
	__le32 seq;
	__le32 state;
	__le64 session;
	__le32 flush;
	__le32 generation;
	__le32 reserved[10];
};
DFX_ASSERT_SIZE(dfx_shm_ctl, DFX_SHM_LINE);
DFX_ASSERT_OFFSET(dfx_shm_ctl, seq, 0);
DFX_ASSERT_OFFSET(dfx_shm_ctl, state, 4);
DFX_ASSERT_OFFSET(dfx_shm_ctl, session, 8);
DFX_ASSERT_OFFSET(dfx_shm_ctl, flush, 16);
DFX_ASSERT_OFFSET(dfx_shm_ctl, generation, 20);

/**
 * struct dfx_shm_freeze - the host's half of the backpressure flags
 * @rq_freeze_active: 0 or 1; lanes park at the push gate while it is 1.
 * @fq_freeze_active: 0 or 1; lanes park at the pop gate while it is 1.
 * @incident: number of the last incident of this session, 0 before the first.
 *	An incident lasts from the opening of a gate while both are closed until
 *	both are closed again; its number is stored before the gate is opened.
 * @reserved: 0.
 *
 * The flags are set by release store (E) before the contended mark that asked for it is
 * cleared (F); cleared by release store (H) after the refill. Lanes load with
 * acquire.
 *
 * Written by: HOST, the region's own kthread.
 */
struct dfx_shm_freeze {
	__le32 rq_freeze_active;
	__le32 fq_freeze_active;
	__le32 incident;
	__le32 reserved[13];
};
DFX_ASSERT_SIZE(dfx_shm_freeze, DFX_SHM_LINE);
DFX_ASSERT_OFFSET(dfx_shm_freeze, rq_freeze_active, 0);
DFX_ASSERT_OFFSET(dfx_shm_freeze, fq_freeze_active, 4);
DFX_ASSERT_OFFSET(dfx_shm_freeze, incident, 8);

/**
 * struct dfx_shm_rq_head - how far the host has taken a lane's ready queue
 * @head: free-running; stored with release (B) after the entry is safe. The
 *	lane loads it with acquire.
 * @arena_head: free-running position, in units, up to which the lane may use
 *	its arena again; stored with release after the consumers have released
 *	what lay before it. The lane loads it with acquire.
 * @refused: 1 if the host has found a fault in the lane and looks at nothing of
 *	it for the rest of the session; the lane stops waiting and marking.
 * @event: the lane rings when it has published the entry of this index, counted
 *	as @head is. @head - 1, which is published already, asks for nothing.
 * @armed: 1 if the lane is to ring also when it has raised a mark, obeyed the
 *	control line or taken the last buffer of a free queue; 0 if not. Stored
 *	after @event (J); followed by a full barrier and a look at what the lane
 *	writes, so that nothing is missed.
 * @reserved: 0.
 *
 * A lane with a doorbell looks at @event and @armed after a full barrier (I)
 * behind the store that the host may be asleep for. A ring is a hint: it may be
 * late, lost or for nothing.
 *
 * Written by: HOST, under the region's lock; @head, @event and @armed by its
 * kthread alone, but for START.
 */
struct dfx_shm_rq_head {
	__le32 head;
	__le32 arena_head;
	__le32 refused;
	__le32 event;
	__le32 armed;
	__le32 reserved[11];
};
DFX_ASSERT_SIZE(dfx_shm_rq_head, DFX_SHM_LINE);
DFX_ASSERT_OFFSET(dfx_shm_rq_head, head, 0);
DFX_ASSERT_OFFSET(dfx_shm_rq_head, arena_head, 4);
DFX_ASSERT_OFFSET(dfx_shm_rq_head, refused, 8);
DFX_ASSERT_OFFSET(dfx_shm_rq_head, event, 12);
DFX_ASSERT_OFFSET(dfx_shm_rq_head, armed, 16);

/**
 * struct dfx_shm_fq - a pool's free queue, host to device
 * @tail: free-running; stored with release (G) after the slot. The lane loads
 *	it with acquire.
 * @slot: buffer ids; entry i is @slot[i % slots].
 * @reserved: 0.
 *
 * Written by: HOST, the region's own kthread.
 */
struct dfx_shm_fq {
	__le32 tail;
	__le32 slot[DFX_MAX_FQ_SLOTS];
	__le32 reserved[7];
};
DFX_ASSERT_SIZE(dfx_shm_fq, DFX_SHM_LINE);
DFX_ASSERT_OFFSET(dfx_shm_fq, tail, 0);
DFX_ASSERT_OFFSET(dfx_shm_fq, slot, 4);

/* ---------------- device pages: written by DEVICE ----------------------- */

/**
 * struct dfx_shm_contended - the device's half of the backpressure flags
 * @rq_contended: 0 or 1; a lane found its ready queue full.
 * @fq_contended: 0 or 1; a lane found a free queue empty.
 * @reserved: 0.
 *
 * Written by: any lane sets 1 (release, D); the host's kthread clears to 0
 * (release, F). A clear that erases another lane's mark is covered by the
 * freeze that was opened before it; see (E) and (F).
 */
struct dfx_shm_contended {
	__le32 rq_contended;
	__le32 fq_contended;
	__le32 reserved[14];
};
DFX_ASSERT_SIZE(dfx_shm_contended, DFX_SHM_LINE);
DFX_ASSERT_OFFSET(dfx_shm_contended, rq_contended, 0);
DFX_ASSERT_OFFSET(dfx_shm_contended, fq_contended, 4);

/* &struct dfx_shm_lane.state */
#define DFX_LANE_IDLE		0	/* attached, records nothing */
#define DFX_LANE_RUNNING	1	/* records, or may at any moment */
#define DFX_LANE_PARKED_PUSH	2	/* waits at the push gate */
#define DFX_LANE_PARKED_POP	3	/* waits at the pop gate */
#define DFX_LANE_HOST_GONE	4	/* a deadline expired; drops, tries on */
#define DFX_LANE_FAULT		5	/* the host broke the protocol */

/**
 * struct dfx_shm_lane - a lane's words, two lines
 * @rq_tail: free-running; stored with release (A) after the entry and after
 *	every record in its buffer. A push has succeeded when it has advanced.
 * @ack: even value of &dfx_shm_ctl.seq that the lane has fully obeyed; stored
 *	with release. The host trusts the lane's indices and those of its pools
 *	only from the ack of the session's start on, since the lane resets them
 *	itself before that store.
 * @state: DFX_LANE_*.
 * @flush_ack: &dfx_shm_ctl.flush that the lane has completed.
 * @runs: ends of run that the firmware has reported in this session.
 * @heartbeat: grows while the firmware's lane is alive, in a session or not.
 * @session: session that the lane has attached to; 0 when idle.
 * @incident: &dfx_shm_freeze.incident of the last freeze that the lane has waited
 *	in; 0 if there was none.
 * @reserved: 0.
 * @alone: waits during which no freeze was open: a gap in this lane only.
 * @alone_ticks: counter ticks of these.
 * @reserved1: 0.
 * @push_waits: times the lane had to wait at the push gate.
 * @pop_waits: times the lane had to wait at the pop gate.
 * @push_ticks: counter ticks waited at the push gate.
 * @pop_ticks: counter ticks waited at the pop gate.
 * @expired: waits that ran into their deadline.
 * @resumed: times the lane left the host-gone state.
 * @marks: times the lane raised one of the contended flags.
 * @reserved2: 0.
 *
 * Counters count from the start of the session. Written by: DEVICE, the lane.
 */
struct dfx_shm_lane {
	__le32 rq_tail;
	__le32 ack;
	__le32 state;
	__le32 flush_ack;
	__le32 runs;
	__le32 heartbeat;
	__le64 session;
	__le32 incident;
	__le32 reserved;
	__le64 alone;
	__le64 alone_ticks;
	__le64 reserved1;
	__le64 push_waits;
	__le64 pop_waits;
	__le64 push_ticks;
	__le64 pop_ticks;
	__le64 expired;
	__le64 resumed;
	__le64 marks;
	__le64 reserved2;
};
DFX_ASSERT_SIZE(dfx_shm_lane, 2 * DFX_SHM_LINE);
DFX_ASSERT_OFFSET(dfx_shm_lane, rq_tail, 0);
DFX_ASSERT_OFFSET(dfx_shm_lane, ack, 4);
DFX_ASSERT_OFFSET(dfx_shm_lane, state, 8);
DFX_ASSERT_OFFSET(dfx_shm_lane, flush_ack, 12);
DFX_ASSERT_OFFSET(dfx_shm_lane, runs, 16);
DFX_ASSERT_OFFSET(dfx_shm_lane, heartbeat, 20);
DFX_ASSERT_OFFSET(dfx_shm_lane, session, 24);
DFX_ASSERT_OFFSET(dfx_shm_lane, incident, 32);
DFX_ASSERT_OFFSET(dfx_shm_lane, alone, 40);
DFX_ASSERT_OFFSET(dfx_shm_lane, alone_ticks, 48);
DFX_ASSERT_OFFSET(dfx_shm_lane, push_waits, 64);
DFX_ASSERT_OFFSET(dfx_shm_lane, pop_waits, 72);
DFX_ASSERT_OFFSET(dfx_shm_lane, push_ticks, 80);
DFX_ASSERT_OFFSET(dfx_shm_lane, pop_ticks, 88);
DFX_ASSERT_OFFSET(dfx_shm_lane, expired, 96);
DFX_ASSERT_OFFSET(dfx_shm_lane, resumed, 104);
DFX_ASSERT_OFFSET(dfx_shm_lane, marks, 112);

/*
 * Why a record was dropped. Those that do not say host are counted by the
 * device in &struct dfx_shm_pool.dropped.
 */
#define DFX_DROP_PUSH_TIMEOUT	0	/* deadline expired at the push gate */
#define DFX_DROP_POP_TIMEOUT	1	/* deadline expired at the pop gate */
#define DFX_DROP_HOST_GONE	2	/* not waited for after an expiry */
#define DFX_DROP_WOULD_BLOCK	3	/* the firmware chose not to wait */
#define DFX_DROP_FAULT		4	/* the lane is in FAULT */
#define DFX_DROP_HOST_FAULT	5	/* host: quarantined, or not copied */
#define DFX_DROP_HOST_DISCARD	6	/* host: no consumer came in time */
#define DFX_DROP_ARENA_TIMEOUT	7	/* deadline expired for arena room */
#define DFX_NR_DROP		8

/* Buffers of one pool that a lane can keep back: &struct dfx_shm_pool.stash. */
#define DFX_NR_STASH		4	/* a power of two */

/**
 * struct dfx_shm_stash - a buffer that is full but may lack its last record
 * @buffer: its id.
 * @count: records of it that are known to be complete.
 */
struct dfx_shm_stash {
	__le32 buffer;
	__le32 count;
};
DFX_ASSERT_SIZE(dfx_shm_stash, 8);

/**
 * struct dfx_shm_pool - a pool's device-written words, four lines
 * @fq_head: free-running; stored with release after the slot has been read.
 * @cur_buffer: id of the buffer being filled, DFX_NO_BUFFER if there is none.
 * @seq: sequence number that the next published buffer will carry.
 * @reserved: 0.
 * @count: records in @cur_buffer; stored with release after each record. Stays 0
 *	where the device cannot show single records to the host. Of a buffer that a
 *	core writes: those that are known to be complete.
 * @stash_first: free-running index of the oldest buffer in @stash.
 * @stash_next: of the first place behind the youngest; stored with release after
 *	the place before it. At most DFX_NR_STASH more than @stash_first.
 * @stash: buffers that a core may still be writing the last record of; entry i is
 *	@stash[i % DFX_NR_STASH]. They are published in this order, and before
 *	@cur_buffer.
 * @reserved2: 0.
 * @produced: records that the lane was asked to write in this session, without
 *	those in @cur_buffer and @stash; exact whenever the lane is quiet.
 * @mismatch: free-queue slots that held no id of this pool; skipped.
 * @reserved3: 0.
 * @dropped: records dropped, by DFX_DROP_*.
 *
 * Counters count from the start of the session. Written by: DEVICE, the lane
 * that owns the pool.
 */
struct dfx_shm_pool {
	__le32 fq_head;
	__le32 cur_buffer;
	__le32 seq;
	__le32 reserved[13];
	__le32 count;
	__le32 stash_first;
	__le32 stash_next;
	struct dfx_shm_stash stash[DFX_NR_STASH];
	__le32 reserved2[5];
	__le64 produced;
	__le64 mismatch;
	__le64 reserved3[6];
	__le64 dropped[DFX_NR_DROP];
};
DFX_ASSERT_SIZE(dfx_shm_pool, 4 * DFX_SHM_LINE);
DFX_ASSERT_OFFSET(dfx_shm_pool, fq_head, 0);
DFX_ASSERT_OFFSET(dfx_shm_pool, cur_buffer, 4);
DFX_ASSERT_OFFSET(dfx_shm_pool, seq, 8);
DFX_ASSERT_OFFSET(dfx_shm_pool, count, 64);
DFX_ASSERT_OFFSET(dfx_shm_pool, stash_first, 68);
DFX_ASSERT_OFFSET(dfx_shm_pool, stash_next, 72);
DFX_ASSERT_OFFSET(dfx_shm_pool, stash, 76);
DFX_ASSERT_OFFSET(dfx_shm_pool, produced, 128);
DFX_ASSERT_OFFSET(dfx_shm_pool, mismatch, 136);
DFX_ASSERT_OFFSET(dfx_shm_pool, dropped, 192);

/* &struct dfx_shm_entry.flags; unknown bits are a protocol error. */
#define DFX_ENTRY_PARTIAL	0x1u	/* published by a flush or a stop */
#define DFX_ENTRY_GAP		0x2u	/* lost != 0 */
#define DFX_ENTRY_FLAGS		0x3u	/* all known bits */

/**
 * struct dfx_shm_entry - one full buffer on its way to the host
 * @pool: pool that the buffer belongs to.
 * @buffer: its id.
 * @seq: per-pool sequence, 0 for the first buffer of a session, then +1.
 * @count: valid records, 1 to the pool's capacity.
 * @session: session in which the buffer was filled.
 * @lost: records of this pool that were dropped between the last record of the
 *	entry before and the first of this one.
 * @time: counter when the entry was published.
 * @first_time: counter when the buffer became current.
 * @flags: DFX_ENTRY_*.
 * @lane: the lane that publishes.
 * @arena_end: free-running position, in units, up to which the lane has used its
 *	arena; what lies between the last entry's and this one belongs to this
 *	one. 0 in a region without arenas.
 * @reserved: 0.
 *
 * Written by: DEVICE, before the release store of &dfx_shm_lane.rq_tail.
 */
struct dfx_shm_entry {
	__le32 pool;
	__le32 buffer;
	__le32 seq;
	__le32 count;
	__le64 session;
	__le64 lost;
	__le64 time;
	__le64 first_time;
	__le32 flags;
	__le32 lane;
	__le32 arena_end;
	__le32 reserved;
};
DFX_ASSERT_SIZE(dfx_shm_entry, DFX_SHM_LINE);
DFX_ASSERT_OFFSET(dfx_shm_entry, pool, 0);
DFX_ASSERT_OFFSET(dfx_shm_entry, buffer, 4);
DFX_ASSERT_OFFSET(dfx_shm_entry, seq, 8);
DFX_ASSERT_OFFSET(dfx_shm_entry, count, 12);
DFX_ASSERT_OFFSET(dfx_shm_entry, session, 16);
DFX_ASSERT_OFFSET(dfx_shm_entry, lost, 24);
DFX_ASSERT_OFFSET(dfx_shm_entry, time, 32);
DFX_ASSERT_OFFSET(dfx_shm_entry, first_time, 40);
DFX_ASSERT_OFFSET(dfx_shm_entry, flags, 48);
DFX_ASSERT_OFFSET(dfx_shm_entry, lane, 52);
DFX_ASSERT_OFFSET(dfx_shm_entry, arena_end, 56);

/* ---------------- records ----------------------------------------------- */

/* l2_swimlane kinds */
#define DFX_KIND_AICPU_TASK	0
#define DFX_KIND_SCHED_PHASE	1
#define DFX_KIND_ORCH_PHASE	2
#define DFX_KIND_AICORE_TASK	3

/**
 * struct dfx_rec_aicpu_task - l2_swimlane, kind DFX_KIND_AICPU_TASK
 * @dispatch_time: counter when the AICPU dispatched the task.
 * @finish_time: counter when the AICPU observed its end.
 * @reg_task_id: join key with the core's own record.
 * @reserved: 0.
 */
struct dfx_rec_aicpu_task {
	__le64 dispatch_time;
	__le64 finish_time;
	__le32 reg_task_id;
	__le32 reserved[3];
};
DFX_ASSERT_SIZE(dfx_rec_aicpu_task, 32);
DFX_ASSERT_OFFSET(dfx_rec_aicpu_task, dispatch_time, 0);
DFX_ASSERT_OFFSET(dfx_rec_aicpu_task, finish_time, 8);
DFX_ASSERT_OFFSET(dfx_rec_aicpu_task, reg_task_id, 16);

/**
 * struct dfx_rec_sched_phase - l2_swimlane, kind DFX_KIND_SCHED_PHASE
 * @start_time: counter at its begin.
 * @end_time: counter at its end.
 * @loop_iter: turn of the scheduler's loop.
 * @kind: 0 complete, 1 dispatch, 2 release, 4 dummy, 5 early dispatch, 6 resolve,
 *	7 dummy task, 8 drain, 9 drain prepare, 10 drain publish, 11 async poll,
 *	12 predicated skip, 13 graph prepare.
 * @tasks_processed: tasks that it dealt with.
 * @extra: of a dispatch: pops of its queue that found a task, and that found none;
 *	otherwise the task's local id and its ring.
 * @depth_at_start: of three shared queues at its begin.
 * @depth_at_end: likewise at its end.
 * @reserved: 0.
 */
struct dfx_rec_sched_phase {
	__le64 start_time;
	__le64 end_time;
	__le32 loop_iter;
	__le32 kind;
	__le32 tasks_processed;
	__le32 extra[2];
	__le16 depth_at_start[3];
	__le16 depth_at_end[3];
	__le32 reserved[4];
};
DFX_ASSERT_SIZE(dfx_rec_sched_phase, 64);
DFX_ASSERT_OFFSET(dfx_rec_sched_phase, loop_iter, 16);
DFX_ASSERT_OFFSET(dfx_rec_sched_phase, kind, 20);
DFX_ASSERT_OFFSET(dfx_rec_sched_phase, tasks_processed, 24);
DFX_ASSERT_OFFSET(dfx_rec_sched_phase, extra, 28);
DFX_ASSERT_OFFSET(dfx_rec_sched_phase, depth_at_start, 36);
DFX_ASSERT_OFFSET(dfx_rec_sched_phase, depth_at_end, 42);
DFX_ASSERT_OFFSET(dfx_rec_sched_phase, reserved, 48);

/**
 * struct dfx_rec_orch_phase - l2_swimlane, kind DFX_KIND_ORCH_PHASE
 * @start_time: counter when the orchestrator began to submit the task.
 * @end_time: counter when it had.
 * @task_id: the task.
 * @submit_idx: which submission of the run.
 * @reserved: 0.
 */
struct dfx_rec_orch_phase {
	__le64 start_time;
	__le64 end_time;
	__le64 task_id;
	__le32 submit_idx;
	__le32 reserved;
};
DFX_ASSERT_SIZE(dfx_rec_orch_phase, 32);
DFX_ASSERT_OFFSET(dfx_rec_orch_phase, end_time, 8);
DFX_ASSERT_OFFSET(dfx_rec_orch_phase, task_id, 16);
DFX_ASSERT_OFFSET(dfx_rec_orch_phase, submit_idx, 24);

/**
 * struct dfx_rec_aicore_task - l2_swimlane, kind DFX_KIND_AICORE_TASK
 * @start_time: counter before the task; never 0 in a record that was written.
 * @end_time: counter after it.
 * @task_token: ring of the task << 32 | its local id.
 * @reg_task_id: join key with the AICPU's record.
 * @receive_to_start: cycles from the core's seeing the task to @start_time.
 */
struct dfx_rec_aicore_task {
	__le64 start_time;
	__le64 end_time;
	__le64 task_token;
	__le32 reg_task_id;
	__le32 receive_to_start;
};
DFX_ASSERT_SIZE(dfx_rec_aicore_task, 32);
DFX_ASSERT_OFFSET(dfx_rec_aicore_task, start_time, 0);
DFX_ASSERT_OFFSET(dfx_rec_aicore_task, end_time, 8);
DFX_ASSERT_OFFSET(dfx_rec_aicore_task, task_token, 16);
DFX_ASSERT_OFFSET(dfx_rec_aicore_task, reg_task_id, 24);
DFX_ASSERT_OFFSET(dfx_rec_aicore_task, receive_to_start, 28);

/**
 * struct dfx_rec_pmu - pmu, kind 0
 * @task_id: task that was measured.
 * @func_id: its kernel.
 * @core_type: 0 cube, 1 vector.
 * @total_cycles: core cycles from start to end.
 * @counters: the event group's counters; the profile a2a3 has eight.
 * @reserved: 0; the profile a5 has counters 8 and 9 here.
 */
struct dfx_rec_pmu {
	__le64 task_id;
	__le32 func_id;
	__le32 core_type;
	__le64 total_cycles;
	__le32 counters[8];
	__le32 reserved[2];
};
DFX_ASSERT_SIZE(dfx_rec_pmu, 64);
DFX_ASSERT_OFFSET(dfx_rec_pmu, task_id, 0);
DFX_ASSERT_OFFSET(dfx_rec_pmu, func_id, 8);
DFX_ASSERT_OFFSET(dfx_rec_pmu, core_type, 12);
DFX_ASSERT_OFFSET(dfx_rec_pmu, total_cycles, 16);
DFX_ASSERT_OFFSET(dfx_rec_pmu, counters, 24);

/**
 * struct dfx_rec_dump - tensor_dump and args_dump, kind 0
 * @task_id: task whose argument this is.
 * @role: 0 input, 1 output, 2 in and out.
 * @stage: 0 before the dispatch, 1 after the completion.
 * @ndims: dimensions in use, at most 5.
 * @reserved: 0.
 * @arg_index: which argument.
 * @dtype: type of the elements.
 * @truncated: 1 if the payload is shorter than what it stands for.
 * @is_contiguous: 1 if the elements lie one after the other.
 * @reserved2: 0.
 * @payload_offset: where the payload lies in the lane's arena, in bytes from the
 *	start of the session; free-running: modulo the arena's size for the place.
 * @payload_size: bytes of it that are there.
 * @scalar_value: the value, for a scalar.
 * @kind: 0 tensor, 1 scalar.
 * @flags: opaque.
 * @func_ids: kernels, 0xffff for unknown.
 * @func_count: how many of them.
 * @reserved3: 0.
 * @start_offset: of the first element.
 * @strides: in elements.
 * @shapes: in elements.
 * @full_size: bytes of the payload before it was truncated.
 * @reserved4: 0.
 */
struct dfx_rec_dump {
	__le64 task_id;
	__u8 role;
	__u8 stage;
	__u8 ndims;
	__u8 reserved;
	__le32 arg_index;
	__u8 dtype;
	__u8 truncated;
	__u8 is_contiguous;
	__u8 reserved2[5];
	__le64 payload_offset;
	__le64 payload_size;
	__le64 scalar_value;
	__u8 kind;
	__u8 flags;
	__le16 func_ids[3];
	__u8 func_count;
	__u8 reserved3[7];
	__le64 start_offset;
	__le32 strides[5];
	__le32 shapes[5];
	__le64 full_size;
	__le64 reserved4;
};
DFX_ASSERT_SIZE(dfx_rec_dump, 128);
DFX_ASSERT_OFFSET(dfx_rec_dump, arg_index, 12);
DFX_ASSERT_OFFSET(dfx_rec_dump, dtype, 16);
DFX_ASSERT_OFFSET(dfx_rec_dump, payload_offset, 24);
DFX_ASSERT_OFFSET(dfx_rec_dump, payload_size, 32);
DFX_ASSERT_OFFSET(dfx_rec_dump, scalar_value, 40);
DFX_ASSERT_OFFSET(dfx_rec_dump, kind, 48);
DFX_ASSERT_OFFSET(dfx_rec_dump, func_ids, 50);
DFX_ASSERT_OFFSET(dfx_rec_dump, func_count, 56);
DFX_ASSERT_OFFSET(dfx_rec_dump, start_offset, 64);
DFX_ASSERT_OFFSET(dfx_rec_dump, strides, 72);
DFX_ASSERT_OFFSET(dfx_rec_dump, shapes, 92);
DFX_ASSERT_OFFSET(dfx_rec_dump, full_size, 112);

/**
 * struct dfx_rec_dep_gen - dep_gen, kind 0
 * @task_id: task whose dependencies these are.
 * @flags: 1 manual scope, 2 has overflow records, 4 is one, 8 is the last of them,
 *	16 early dispatch.
 * @tensor_count: arguments in use of @arg_types and @tensors.
 * @dep_count: explicit dependencies in use of @deps, at most 64.
 * @deps: tasks that it waits for.
 * @arg_types: of its arguments.
 * @kernel_id: its kernels, -1 for none.
 * @block_num: blocks that it runs in.
 * @tensors: descriptions of its arguments, opaque.
 *
 * With flag 4 the dependencies go on: up to 582 of them from @deps on, over
 * everything that follows it.
 */
struct dfx_rec_dep_gen {
	__le64 task_id;
	__le32 flags;
	__le16 tensor_count;
	__le16 dep_count;
	__le64 deps[64];
	__u8 arg_types[32];
	__le32 kernel_id[3];
	__le32 block_num;
	__u8 tensors[32][128];
};
DFX_ASSERT_SIZE(dfx_rec_dep_gen, 4672);
DFX_ASSERT_OFFSET(dfx_rec_dep_gen, flags, 8);
DFX_ASSERT_OFFSET(dfx_rec_dep_gen, tensor_count, 12);
DFX_ASSERT_OFFSET(dfx_rec_dep_gen, dep_count, 14);
DFX_ASSERT_OFFSET(dfx_rec_dep_gen, deps, 16);
DFX_ASSERT_OFFSET(dfx_rec_dep_gen, arg_types, 528);
DFX_ASSERT_OFFSET(dfx_rec_dep_gen, kernel_id, 560);
DFX_ASSERT_OFFSET(dfx_rec_dep_gen, block_num, 572);
DFX_ASSERT_OFFSET(dfx_rec_dep_gen, tensors, 576);

/**
 * struct dfx_rec_scope_stats - scope_stats, kind 0
 * @site: file that the scope is in, NUL-terminated unless all of it is used.
 * @heap_start: begin of the heap in use, in bytes.
 * @heap_end: its end.
 * @line: line of the scope, signed, as all that follows.
 * @task_start: begin of the task window in use.
 * @task_end: its end.
 * @dep_pool_start: begin of the dependencies in use.
 * @dep_pool_end: their end.
 * @tensormap_used: entries of the tensor map in use.
 * @depth: of the scope.
 * @ring: that it is of.
 * @phase: 0 begin, 1 end.
 * @reserved: 0.
 */
struct dfx_rec_scope_stats {
	__u8 site[32];
	__le64 heap_start;
	__le64 heap_end;
	__le32 line;
	__le32 task_start;
	__le32 task_end;
	__le32 dep_pool_start;
	__le32 dep_pool_end;
	__le32 tensormap_used;
	__le16 depth;
	__le16 ring;
	__le16 phase;
	__le16 reserved;
};
DFX_ASSERT_SIZE(dfx_rec_scope_stats, 80);
DFX_ASSERT_OFFSET(dfx_rec_scope_stats, heap_start, 32);
DFX_ASSERT_OFFSET(dfx_rec_scope_stats, line, 48);
DFX_ASSERT_OFFSET(dfx_rec_scope_stats, tensormap_used, 68);
DFX_ASSERT_OFFSET(dfx_rec_scope_stats, depth, 72);
DFX_ASSERT_OFFSET(dfx_rec_scope_stats, phase, 76);

#endif /* _UAPI_LINUX_DFX_LAYOUT_H */
