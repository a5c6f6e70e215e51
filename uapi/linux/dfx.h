/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * dfx.h - the user's view of /dev/dfxN
 *
 * DOC: general ioctl format
 *
 * Every command takes one structure whose first member is @size, the size that
 * the caller compiled against, and whose second is @flags. The kernel accepts
 * a shorter structure (missing members read as 0) down to the first version's
 * size, and a longer one as long as what it does not know is 0. It writes back
 * no more than @size bytes. Members that the kernel writes begin with out\_.
 *
 * Errors that every command shares:
 *
 * - ENOTTY: the kernel does not know the command.
 * - EINVAL: @size is too small, or a member has a value that cannot be.
 * - E2BIG: a member that the kernel does not know is not 0, or @size is more than
 *   a page.
 * - EOPNOTSUPP: @flags has a bit that the kernel does not know, or a reserved
 *   member is not 0.
 * - EFAULT: a pointer is bad.
 * - ENODEV: the device has gone; only close() is left to do, and read() of what
 *   was READY by then, where the host has copies of its own.
 *
 * Arrays are passed as a user pointer and a capacity; the kernel writes the
 * number of elements there are, and EMSGSIZE (with that number written back)
 * means that the array was too small and nothing was copied to it.
 *
 * All multi-byte values are in the host's byte order, except in a recording
 * (see &struct dfx_frame), which is little-endian. Times end in _ns
 * (CLOCK_MONOTONIC unless said otherwise) or are device counter ticks.
 *
 * DOC: consumers and monitors
 *
 * An open file that has attached lanes is a consumer; one that has not is a
 * monitor and may use QUERY, POOLS, STATE, START, STOP, FLUSH and RESET. A
 * lane belongs to one consumer at a time. What a consumer has been given and
 * has not released when it goes away is given to the next one, in order.
 *
 * Delivery is at least once, and exactly once by (session, pool, seq): a
 * consumer that dies between storing a buffer and releasing it leaves a copy
 * that its successor stores again, with DFX_FRAME_REDELIVERED.
 */
#ifndef _UAPI_LINUX_DFX_H
#define _UAPI_LINUX_DFX_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include <linux/dfx_layout.h>

/* Version of this ABI; grows with every command or member that is added. */
#define DFX_ABI_VERSION		1

#define DFX_IOC_MAGIC		0xdf

enum {
	DFX_CMD_BASE = 0x80,
	DFX_CMD_QUERY = DFX_CMD_BASE,
	DFX_CMD_POOLS,
	DFX_CMD_STATE,
	DFX_CMD_ATTACH,
	DFX_CMD_DETACH,
	DFX_CMD_START,
	DFX_CMD_STOP,
	DFX_CMD_FLUSH,
	DFX_CMD_WAIT,
	DFX_CMD_POLICY,
	DFX_CMD_RESET,
	DFX_CMD_FRAME,
	DFX_CMD_END
};

/**
 * struct dfx_query - ioctl(DFX_IOC_QUERY)
 * @size: sizeof(struct dfx_query).
 * @flags: 0.
 * @out_abi: DFX_ABI_VERSION of the driver.
 * @out_layout_major: DFX_LAYOUT_MAJOR of the driver.
 * @out_layout_minor: DFX_LAYOUT_MINOR of the driver.
 * @out_subsys: DFX_SUBSYS_*.
 * @out_arch: DFX_ARCH_* of the device.
 * @out_isa: DFX_ISA_* of the firmware.
 * @out_nr_cores: AICore instances.
 * @out_nr_lanes: lanes of the region.
 * @out_nr_pools: pools of the region, as the policy in force makes them.
 * @out_nr_buffers: buffers of the region, likewise.
 * @out_rq_depth: ready-queue depth, likewise.
 * @out_generation: generation of the host in the aperture.
 * @out_counter_hz: frequency of the device's counter in Hz.
 * @out_watchdog_us: the device's outer watchdog, 0 if it declares none.
 * @out_features: bit mask of optional features; none is defined yet.
 * @out_name: subsystem name, terminated by NUL.
 *
 * Errors: none beyond the shared ones.
 */
struct dfx_query {
	__u32 size;
	__u32 flags;
	__u32 out_abi;
	__u32 out_layout_major;
	__u32 out_layout_minor;
	__u32 out_subsys;
	__u32 out_arch;
	__u32 out_isa;
	__u32 out_nr_cores;
	__u32 out_nr_lanes;
	__u32 out_nr_pools;
	__u32 out_nr_buffers;
	__u32 out_rq_depth;
	__u32 out_generation;
	__aligned_u64 out_counter_hz;
	__aligned_u64 out_watchdog_us;
	__aligned_u64 out_features;
	__u8 out_name[16];
};
#define DFX_IOC_QUERY	_IOWR(DFX_IOC_MAGIC, DFX_CMD_QUERY, struct dfx_query)
DFX_ASSERT_SIZE(dfx_query, 96);

/**
 * struct dfx_pool_info - one pool as the region has it now
 * @pool: pool id.
 * @kind: the subsystem's kind.
 * @instance: core, thread or orchestrator.
 * @lane: lane that it is bound to.
 * @buffers: number of buffers.
 * @first_buffer: id of the first.
 * @record_size: bytes.
 * @capacity: records in one buffer.
 * @stride: bytes from one buffer to the next.
 * @slots: free-queue depth.
 * @buf_off: first byte of the pool's buffers in the buffers mapping.
 */
struct dfx_pool_info {
	__u32 pool;
	__u32 kind;
	__u32 instance;
	__u32 lane;
	__u32 buffers;
	__u32 first_buffer;
	__u32 record_size;
	__u32 capacity;
	__u32 stride;
	__u32 slots;
	__aligned_u64 buf_off;
};
DFX_ASSERT_SIZE(dfx_pool_info, 48);

/**
 * struct dfx_pools - ioctl(DFX_IOC_POOLS): the region's geometry
 * @size: sizeof(struct dfx_pools).
 * @flags: 0.
 * @pools_uptr: array of &struct dfx_pool_info.
 * @nr_pools: in: elements at @pools_uptr; out: number of pools.
 * @reserved: 0.
 *
 * Errors: EMSGSIZE.
 */
struct dfx_pools {
	__u32 size;
	__u32 flags;
	__aligned_u64 pools_uptr;
	__u32 nr_pools;
	__u32 reserved;
};
#define DFX_IOC_POOLS	_IOWR(DFX_IOC_MAGIC, DFX_CMD_POOLS, struct dfx_pools)
DFX_ASSERT_SIZE(dfx_pools, 24);

/**
 * struct dfx_lane_state - one lane, now
 * @lane: lane number.
 * @state: DFX_LANE_*, as the device says.
 * @flags: DFX_LANE_F_*, as the driver says.
 * @runs: ends of run that the firmware reported in this session.
 * @ready: buffers that wait for the lane's consumer.
 * @rq_fill: entries in the ready queue.
 * @heartbeat: grows while the firmware's lane is alive.
 * @fault: why the lane is in FAULT: DFX_FAULT_*, 0 if it is not.
 * @push_waits: waits at the push gate.
 * @pop_waits: waits at the pop gate.
 * @push_ns: nanoseconds waited at the push gate.
 * @pop_ns: nanoseconds waited at the pop gate.
 * @expired: waits that ran into their deadline.
 * @resumed: times the lane left the host-gone state.
 * @marks: times the lane raised a contended flag.
 * @entries: ready entries that the driver took in this session.
 * @bad_entries: ready entries that the driver refused.
 * @alone: waits during which no freeze was open: gaps in this lane only.
 * @alone_ns: nanoseconds of these.
 */
struct dfx_lane_state {
	__u32 lane;
	__u32 state;
	__u32 flags;
	__u32 runs;
	__u32 ready;
	__u32 rq_fill;
	__u32 heartbeat;
	__u32 fault;
	__aligned_u64 push_waits;
	__aligned_u64 pop_waits;
	__aligned_u64 push_ns;
	__aligned_u64 pop_ns;
	__aligned_u64 expired;
	__aligned_u64 resumed;
	__aligned_u64 marks;
	__aligned_u64 entries;
	__aligned_u64 bad_entries;
	__aligned_u64 alone;
	__aligned_u64 alone_ns;
};
DFX_ASSERT_SIZE(dfx_lane_state, 120);

/* &struct dfx_lane_state.flags */
#define DFX_LANE_F_ENABLED	0x1u	/* in the session's lane mask */
#define DFX_LANE_F_ATTACHED	0x2u	/* the firmware follows the session */
#define DFX_LANE_F_CONSUMER	0x4u	/* has a consumer */
#define DFX_LANE_F_FAULT	0x8u	/* refused until RESET */
#define DFX_LANE_F_SILENT	0x10u	/* did not answer STOP in time */

/* &struct dfx_lane_state.fault */
#define DFX_FAULT_NONE		0
#define DFX_FAULT_RQ_TAIL	1	/* ready-queue tail out of range */
#define DFX_FAULT_FQ_HEAD	2	/* free-queue head out of range */
#define DFX_FAULT_POOL		3	/* entry names a pool of another lane */
#define DFX_FAULT_BUFFER	4	/* entry names a buffer of another pool */
#define DFX_FAULT_OWNER		5	/* the device does not own that buffer */
#define DFX_FAULT_COUNT		6	/* count is 0 or above the capacity */
#define DFX_FAULT_SEQ		7	/* sequence is not the next one */
#define DFX_FAULT_FLAGS		8	/* unknown flags, or GAP without loss */
#define DFX_FAULT_SESSION	9	/* another session, or another lane */
#define DFX_FAULT_ARENA		10	/* arena position out of range */
#define DFX_NR_FAULT		11

/**
 * struct dfx_pool_state - one pool, now; the identity R7
 * @pool: pool id.
 * @lane: its lane.
 * @free: buffers FREE.
 * @queued: buffers QUEUED.
 * @device: buffers that the device holds.
 * @ready: buffers READY.
 * @held: buffers HELD by a consumer.
 * @quarantine: buffers QUARANTINEd.
 * @produced: records that the lane was asked to write.
 * @delivered: records released by consumers.
 * @delivered_here: of these, released by the caller's file.
 * @in_flight: records in the current buffer, in READY and in HELD ones.
 * @mismatch: free-queue slots that the device refused.
 * @dropped: records lost, by DFX_DROP_*.
 * @next_seq: sequence of the next buffer that the driver expects.
 * @first_seq_here: sequence of the first buffer given to the caller's file;
 *	~0 if there was none.
 *
 * Where the driver copies records off the device (the attribute transport in sysfs
 * says shadow), @ready and @held count copies, of which there are more than the
 * device has buffers; a buffer is @free once it has been copied.
 *
 * When the session has ended, @produced == @delivered + sum(@dropped) +
 * @in_flight, and @in_flight is 0 unless a lane was silent.
 */
struct dfx_pool_state {
	__u32 pool;
	__u32 lane;
	__u32 free;
	__u32 queued;
	__u32 device;
	__u32 ready;
	__u32 held;
	__u32 quarantine;
	__aligned_u64 produced;
	__aligned_u64 delivered;
	__aligned_u64 delivered_here;
	__aligned_u64 in_flight;
	__aligned_u64 mismatch;
	__aligned_u64 dropped[DFX_NR_DROP];
	__aligned_u64 next_seq;
	__aligned_u64 first_seq_here;
};
DFX_ASSERT_SIZE(dfx_pool_state, 152);

/* &struct dfx_state.session_state */
#define DFX_SESSION_IDLE	0	/* none */
#define DFX_SESSION_RUNNING	1
#define DFX_SESSION_STOPPING	2	/* lanes publish what they have */
#define DFX_SESSION_DRAINING	3	/* consumers take what is ready */

/* Gates: &struct dfx_state.freeze and &struct dfx_freeze_stat */
#define DFX_GATE_RQ		0
#define DFX_GATE_FQ		1
#define DFX_NR_GATE		2

/**
 * struct dfx_freeze_stat - one gate's freezes in this session
 * @active: 1 while it is open.
 * @reserved: 0.
 * @opens: times it was opened.
 * @releases: times it was closed by the conjunction; a STOP that closes a
 *	freeze does not count here.
 * @marks: contended marks that the driver consumed.
 * @total_ns: time open in total, the one that is open now included.
 * @longest_ns: longest time open.
 * @since_ns: CLOCK_MONOTONIC when the open one was opened; 0 if none is.
 */
struct dfx_freeze_stat {
	__u32 active;
	__u32 reserved;
	__aligned_u64 opens;
	__aligned_u64 releases;
	__aligned_u64 marks;
	__aligned_u64 total_ns;
	__aligned_u64 longest_ns;
	__aligned_u64 since_ns;
};
DFX_ASSERT_SIZE(dfx_freeze_stat, 56);

/**
 * struct dfx_state - ioctl(DFX_IOC_STATE)
 * @size: sizeof(struct dfx_state).
 * @flags: 0.
 * @lanes_uptr: array of &struct dfx_lane_state, may be 0 with @nr_lanes 0.
 * @pools_uptr: array of &struct dfx_pool_state, may be 0 with @nr_pools 0.
 * @nr_lanes: in: elements at @lanes_uptr; out: number of lanes.
 * @nr_pools: in: elements at @pools_uptr; out: number of pools.
 * @out_session_state: DFX_SESSION_*.
 * @out_recovery: DFX_RECOVERY_*.
 * @out_session: id of the session, or of the last one; 0 before the first.
 * @out_lane_mask: lanes of the session.
 * @out_attached_mask: lanes that have a consumer.
 * @out_start_ns: CLOCK_MONOTONIC at START.
 * @out_now_ns: CLOCK_MONOTONIC now.
 * @out_freeze: per gate.
 * @out_level: level of the session.
 * @out_consumers: open files that have attached lanes.
 * @out_passes: passes of the region's kthread since the driver was loaded.
 * @out_events: grows with each opening, closing and fault; poll() reports PRI
 *	until the caller has read the current value here.
 * @out_incidents: incidents of the session, see &struct dfx_incident.
 *
 * A count that is too small copies nothing to that array but is no error, so
 * that one call can ask for the numbers.
 */
struct dfx_state {
	__u32 size;
	__u32 flags;
	__aligned_u64 lanes_uptr;
	__aligned_u64 pools_uptr;
	__u32 nr_lanes;
	__u32 nr_pools;
	__u32 out_session_state;
	__u32 out_recovery;
	__aligned_u64 out_session;
	__aligned_u64 out_lane_mask;
	__aligned_u64 out_attached_mask;
	__aligned_u64 out_start_ns;
	__aligned_u64 out_now_ns;
	struct dfx_freeze_stat out_freeze[DFX_NR_GATE];
	__u32 out_level;
	__u32 out_consumers;
	__aligned_u64 out_passes;
	__aligned_u64 out_events;
	__aligned_u64 out_incidents;
};
#define DFX_IOC_STATE	_IOWR(DFX_IOC_MAGIC, DFX_CMD_STATE, struct dfx_state)
DFX_ASSERT_SIZE(dfx_state, 224);

/**
 * struct dfx_attach - ioctl(DFX_IOC_ATTACH): become a consumer
 * @size: sizeof(struct dfx_attach).
 * @flags: 0.
 * @lanes: bit mask of lanes; 0 means all of the region's.
 * @out_lanes: lanes that were attached.
 * @out_ready_off: mmap offset of the ready ring (&struct dfx_ready_ring).
 * @out_ready_len: its bytes; map it PROT_READ.
 * @out_release_off: mmap offset of the release ring (&struct dfx_release_ring).
 * @out_release_len: its bytes; map it PROT_READ | PROT_WRITE.
 * @out_buffers_off: mmap offset of the buffers.
 * @out_buffers_len: their bytes; map them PROT_READ.
 *
 * Errors: EBUSY: a lane has another consumer, or this file is one already (the
 * first ATTACH settles its lanes until DETACH). EINVAL: a lane that is not
 * there. ENOMEM.
 */
struct dfx_attach {
	__u32 size;
	__u32 flags;
	__aligned_u64 lanes;
	__aligned_u64 out_lanes;
	__aligned_u64 out_ready_off;
	__aligned_u64 out_ready_len;
	__aligned_u64 out_release_off;
	__aligned_u64 out_release_len;
	__aligned_u64 out_buffers_off;
	__aligned_u64 out_buffers_len;
};
#define DFX_IOC_ATTACH	_IOWR(DFX_IOC_MAGIC, DFX_CMD_ATTACH, struct dfx_attach)
DFX_ASSERT_SIZE(dfx_attach, 72);

/**
 * struct dfx_detach - ioctl(DFX_IOC_DETACH): be a monitor again
 * @size: sizeof(struct dfx_detach).
 * @flags: 0.
 *
 * What was held goes to the next consumer. Errors: EINVAL: not a consumer.
 * EBUSY: the file's rings or buffers are still mapped, or a read() is under way.
 */
struct dfx_detach {
	__u32 size;
	__u32 flags;
};
#define DFX_IOC_DETACH	_IOWR(DFX_IOC_MAGIC, DFX_CMD_DETACH, struct dfx_detach)
DFX_ASSERT_SIZE(dfx_detach, 8);

/**
 * struct dfx_start - ioctl(DFX_IOC_START)
 * @size: sizeof(struct dfx_start).
 * @flags: 0.
 * @lanes: lanes to record; 0 means those that have a consumer now.
 * @level: the subsystem's level; 0 means its default.
 * @kinds: bit mask of kinds; 0 means all that the level has.
 * @param: handed to the firmware as it is.
 * @reserved: 0.
 * @out_session: the new session's id, never 0.
 *
 * Errors: EBUSY: a session runs, or the last one's records have not all been
 * taken, or another consumer that has its SESSION frame has not taken its END
 * frame yet. EINVAL: a lane, level or kind that is not there, no lane at all, or a
 * deadline that is not below the device's watchdog. EIO: every lane asked for
 * is in FAULT or silent; RESET first.
 */
struct dfx_start {
	__u32 size;
	__u32 flags;
	__aligned_u64 lanes;
	__u32 level;
	__u32 kinds;
	__u32 param;
	__u32 reserved;
	__aligned_u64 out_session;
};
#define DFX_IOC_START	_IOWR(DFX_IOC_MAGIC, DFX_CMD_START, struct dfx_start)
DFX_ASSERT_SIZE(dfx_start, 40);

/**
 * struct dfx_stop - ioctl(DFX_IOC_STOP)
 * @size: sizeof(struct dfx_stop).
 * @flags: 0.
 * @out_session: id of the session that was stopped.
 * @out_silent: lanes that did not answer within a second.
 *
 * Returns when every lane has published what it had, or after a second. The
 * consumers then read to the end. Errors: EINVAL: no session runs. EINTR: a
 * signal came; the session ends all the same.
 */
struct dfx_stop {
	__u32 size;
	__u32 flags;
	__aligned_u64 out_session;
	__aligned_u64 out_silent;
};
#define DFX_IOC_STOP	_IOWR(DFX_IOC_MAGIC, DFX_CMD_STOP, struct dfx_stop)
DFX_ASSERT_SIZE(dfx_stop, 24);

/**
 * struct dfx_flush - ioctl(DFX_IOC_FLUSH)
 * @size: sizeof(struct dfx_flush).
 * @flags: 0.
 * @timeout_ns: how long to wait for the lanes; 0 only asks.
 * @out_number: number of this flush.
 * @out_pending: lanes that have not published yet.
 *
 * A finite cut: what each lane had recorded when it saw the request becomes
 * ready; what it records later does not extend the wait. Errors: EINVAL: no
 * session runs. ETIMEDOUT: @out_pending is not 0. EINTR.
 */
struct dfx_flush {
	__u32 size;
	__u32 flags;
	__aligned_u64 timeout_ns;
	__aligned_u64 out_number;
	__aligned_u64 out_pending;
};
#define DFX_IOC_FLUSH	_IOWR(DFX_IOC_MAGIC, DFX_CMD_FLUSH, struct dfx_flush)
DFX_ASSERT_SIZE(dfx_flush, 32);

/* &struct dfx_wait.out_events */
#define DFX_WAIT_READY		0x1u	/* the ready ring is not empty */
#define DFX_WAIT_END		0x2u	/* the session ended and all is taken */

/**
 * struct dfx_wait - ioctl(DFX_IOC_WAIT): hand back releases, wait for more
 * @size: sizeof(struct dfx_wait).
 * @flags: 0.
 * @timeout_ns: how long to wait; 0 only hands back, and is never ETIMEDOUT. The
 *	file's O_NONBLOCK has no effect.
 * @out_events: DFX_WAIT_*.
 * @reserved: 0.
 *
 * Takes the caller's release ring at once, instead of at the kthread's next
 * pass, then sleeps until the ready ring holds something beyond
 * &struct dfx_release_ring.ready_head. Errors: EINVAL: not a consumer.
 * ETIMEDOUT. EINTR. EPROTO: the release ring holds something that the caller
 * does not hold; it has been skipped and counted.
 */
struct dfx_wait {
	__u32 size;
	__u32 flags;
	__aligned_u64 timeout_ns;
	__u32 out_events;
	__u32 reserved;
};
#define DFX_IOC_WAIT	_IOWR(DFX_IOC_MAGIC, DFX_CMD_WAIT, struct dfx_wait)
DFX_ASSERT_SIZE(dfx_wait, 24);

/* &struct dfx_policy.flags */
#define DFX_POLICY_SET		0x1u	/* change; otherwise only read */

/**
 * struct dfx_policy - ioctl(DFX_IOC_POLICY): sizes and limits of next sessions
 * @size: sizeof(struct dfx_policy).
 * @flags: DFX_POLICY_SET or 0.
 * @recovery: DFX_RECOVERY_*.
 * @buffers: buffers in each pool; 0 means each kind's default, and is what is in
 *	force where they differ. At most what the region has room for.
 * @records: records in each buffer; 0 means each kind's default. A kind that has
 *	fewer by default keeps to that. At most the largest kind's; what is in force
 *	is that of the largest pool.
 * @slots: free-queue depth, a power of two up to DFX_MAX_FQ_SLOTS; 0 means the
 *	default.
 * @rq_depth: ready-queue depth, a power of two up to DFX_MAX_RQ_DEPTH, as far as
 *	the region has room; 0 means the default.
 * @deadline_ms: longest wait of a lane at a gate; 0 means 30,000.
 * @linger_ms: how long a session without a consumer lasts; 0 means 30,000.
 * @delay_us: the kthread waits this long before every pass; 0 means none. For
 *	tests that need a slow host; at most 100,000.
 * @arena_kb: size of each lane's arena in KiB, a power of two, at least 4; 0
 *	means the default. Ignored where the subsystem has none.
 * @reserved: 0.
 *
 * On return the structure holds what is in force, defaults resolved. Errors:
 * EBUSY: a session runs or a consumer is attached. EINVAL. ENOSPC: the region
 * is too small for that.
 */
struct dfx_policy {
	__u32 size;
	__u32 flags;
	__u32 recovery;
	__u32 buffers;
	__u32 records;
	__u32 slots;
	__u32 rq_depth;
	__u32 deadline_ms;
	__u32 linger_ms;
	__u32 delay_us;
	__u32 arena_kb;
	__u32 reserved;
};
#define DFX_IOC_POLICY	_IOWR(DFX_IOC_MAGIC, DFX_CMD_POLICY, struct dfx_policy)
DFX_ASSERT_SIZE(dfx_policy, 48);

/**
 * struct dfx_reset - ioctl(DFX_IOC_RESET): revive faulty lanes
 * @size: sizeof(struct dfx_reset).
 * @flags: 0.
 * @out_revived: lanes that were in FAULT or silent.
 *
 * Ends the session if one runs; records that were not taken yet are discarded
 * and counted. A lane that has acknowledged the end within a second is revived
 * and takes part in the next session; one that has not stays out. Errors:
 * EBUSY: a consumer holds buffers. EINTR.
 */
struct dfx_reset {
	__u32 size;
	__u32 flags;
	__aligned_u64 out_revived;
};
#define DFX_IOC_RESET	_IOWR(DFX_IOC_MAGIC, DFX_CMD_RESET, struct dfx_reset)
DFX_ASSERT_SIZE(dfx_reset, 16);

/**
 * struct dfx_get_frame - ioctl(DFX_IOC_FRAME): frame to put into a recording
 * @size: sizeof(struct dfx_get_frame).
 * @flags: 0.
 * @type: DFX_FRAME_SESSION or DFX_FRAME_END.
 * @reserved: 0.
 * @buf_uptr: where to copy the frame, header and payload.
 * @len: in: bytes at @buf_uptr; out: bytes of the frame.
 *
 * Errors: EINVAL: not a consumer, or no such type. EAGAIN: no session yet
 * (SESSION); the session has not ended or the caller holds a buffer (END).
 * EMSGSIZE.
 */
struct dfx_get_frame {
	__u32 size;
	__u32 flags;
	__u32 type;
	__u32 reserved;
	__aligned_u64 buf_uptr;
	__aligned_u64 len;
};
#define DFX_IOC_FRAME \
	_IOWR(DFX_IOC_MAGIC, DFX_CMD_FRAME, struct dfx_get_frame)
DFX_ASSERT_SIZE(dfx_get_frame, 32);

/* ---------------- recording: what read() returns ------------------------ */

/* "DFXF" */
#define DFX_FRAME_MAGIC		0x46584644u
#define DFX_FRAME_VERSION	1

/* &struct dfx_frame.type */
#define DFX_FRAME_SESSION	1	/* &struct dfx_session_info and pools */
#define DFX_FRAME_DATA		2	/* count records of one pool */
#define DFX_FRAME_END		3	/* &struct dfx_end_info and what follows it */

/* &struct dfx_frame.flags */
#define DFX_FRAME_PARTIAL	0x1u	/* buffer was not full */
#define DFX_FRAME_GAP		0x2u	/* lost != 0 */
/* It was with an earlier consumer, which may have stored it, or not seen it. */
#define DFX_FRAME_REDELIVERED	0x4u
#define DFX_FRAME_CRC		0x8u	/* crc is valid */
#define DFX_FRAME_ARENA		0x10u	/* payloads follow the records */
#define DFX_FRAME_RECOVERED	0x20u	/* from a device that died; no time */

/**
 * struct dfx_frame - header of each frame of a recording, 64 bytes
 * @magic: DFX_FRAME_MAGIC.
 * @type: DFX_FRAME_*.
 * @version: DFX_FRAME_VERSION.
 * @header_size: sizeof(struct dfx_frame).
 * @len: bytes of payload that follow.
 * @flags: DFX_FRAME_PARTIAL and so on.
 * @session: session id.
 * @pool: pool (DATA).
 * @seq: per-pool sequence (DATA).
 * @count: records (DATA); @len == @count * @record_size, and with
 *	DFX_FRAME_ARENA as much more as &struct dfx_arena_info says.
 * @lane: lane (DATA).
 * @kind: kind of record (DATA).
 * @lost: records of this pool dropped just before this frame (DATA).
 * @time: device counter when the buffer was published (DATA).
 * @record_size: bytes of one record (DATA).
 * @crc: CRC-32C (polynomial 0x1edc6f41 reflected, initial and final inversion)
 *	of the header with this field 0, then of the payload; valid with
 *	DFX_FRAME_CRC.
 *
 * Little-endian. A recording is a sequence of frames: SESSION, any number of
 * DATA, END; several sessions may follow each other. A reader skips types that
 * it does not know by @header_size + @len.
 */
struct dfx_frame {
	__le32 magic;
	__u8 type;
	__u8 version;
	__le16 header_size;
	__le32 len;
	__le32 flags;
	__le64 session;
	__le32 pool;
	__le32 seq;
	__le32 count;
	__le16 lane;
	__le16 kind;
	__le64 lost;
	__le64 time;
	__le32 record_size;
	__le32 crc;
};
DFX_ASSERT_SIZE(dfx_frame, 64);
DFX_ASSERT_OFFSET(dfx_frame, session, 16);
DFX_ASSERT_OFFSET(dfx_frame, pool, 24);
DFX_ASSERT_OFFSET(dfx_frame, lost, 40);
DFX_ASSERT_OFFSET(dfx_frame, crc, 60);

/**
 * struct dfx_arena_info - what follows the records with DFX_FRAME_ARENA
 * @pos: where the bytes that follow lay in the lane's arena, from the start of
 *	the session. A record's payload begins at payload_offset - @pos.
 * @len: their number. Some may belong to no record.
 *
 * Little-endian.
 */
struct dfx_arena_info {
	__le64 pos;
	__le64 len;
};
DFX_ASSERT_SIZE(dfx_arena_info, 16);

/**
 * struct dfx_session_info - payload of DFX_FRAME_SESSION
 * @info_size: bytes of this structure; the pools follow.
 * @pool_size: sizeof(struct dfx_pool_info).
 * @nr_pools: number of &struct dfx_pool_info that follow.
 * @nr_lanes: lanes of the region.
 * @subsys: DFX_SUBSYS_*.
 * @arch: DFX_ARCH_*.
 * @isa: DFX_ISA_* of the firmware.
 * @nr_cores: AICore instances.
 * @level: level of the session.
 * @kinds: kinds of the session.
 * @recovery: DFX_RECOVERY_*.
 * @rq_depth: ready-queue depth.
 * @session: session id.
 * @lane_mask: lanes that record.
 * @lanes_here: lanes whose frames this recording has.
 * @counter_hz: frequency of the device's counter.
 * @deadline_ms: longest wait at a gate.
 * @reserved: 0.
 * @start_ns: CLOCK_MONOTONIC at START.
 * @start_realtime_ns: CLOCK_REALTIME at START.
 * @name: subsystem name, terminated by NUL.
 */
struct dfx_session_info {
	__le32 info_size;
	__le32 pool_size;
	__le32 nr_pools;
	__le32 nr_lanes;
	__le32 subsys;
	__le32 arch;
	__le32 isa;
	__le32 nr_cores;
	__le32 level;
	__le32 kinds;
	__le32 recovery;
	__le32 rq_depth;
	__le64 session;
	__le64 lane_mask;
	__le64 lanes_here;
	__le64 counter_hz;
	__le32 deadline_ms;
	__le32 reserved;
	__le64 start_ns;
	__le64 start_realtime_ns;
	__u8 name[16];
};
DFX_ASSERT_SIZE(dfx_session_info, 120);

/* An END frame lists the first so many incidents of its session. */
#define DFX_MAX_INCIDENTS	1024

/**
 * struct dfx_incident - one gap that is common to several lanes
 * @open_ns: CLOCK_MONOTONIC when the first of its gates was opened.
 * @close_ns: CLOCK_MONOTONIC when both were closed again.
 * @lanes: lanes that waited in it.
 * @number: 1 for the first of a session, then +1.
 * @gates: bit mask (1 << DFX_GATE_*) of the gates that were opened.
 */
struct dfx_incident {
	__aligned_le64 open_ns;
	__aligned_le64 close_ns;
	__aligned_le64 lanes;
	__le32 number;
	__le32 gates;
};
DFX_ASSERT_SIZE(dfx_incident, 32);

/**
 * struct dfx_end_info - payload of DFX_FRAME_END
 * @info_size: bytes of this structure; lanes, pools, then incidents follow.
 * @lane_size: sizeof(struct dfx_lane_state).
 * @pool_size: sizeof(struct dfx_pool_state).
 * @nr_lanes: number of &struct dfx_lane_state that follow.
 * @nr_pools: number of &struct dfx_pool_state that follow the lanes.
 * @silent: 1 if a lane did not answer STOP.
 * @session: session id.
 * @end_ns: CLOCK_MONOTONIC at STOP.
 * @freeze: per gate.
 * @incident_size: sizeof(struct dfx_incident).
 * @nr_incidents: number of &struct dfx_incident that follow the pools, at most
 *	DFX_MAX_INCIDENTS.
 * @incidents: how many there were.
 */
struct dfx_end_info {
	__le32 info_size;
	__le32 lane_size;
	__le32 pool_size;
	__le32 nr_lanes;
	__le32 nr_pools;
	__le32 silent;
	__le64 session;
	__le64 end_ns;
	struct dfx_freeze_stat freeze[DFX_NR_GATE];
	__le32 incident_size;
	__le32 nr_incidents;
	__le64 incidents;
};
DFX_ASSERT_SIZE(dfx_end_info, 168);

/* ---------------- mmap: the rings ---------------------------------------- */

/**
 * struct dfx_ready - one element of the ready ring
 * @frame: header to put into the recording as it is.
 * @cookie: what to put into the release ring; differs each time.
 * @offset: first byte of the records in the buffers mapping.
 * @ready_ns: CLOCK_MONOTONIC when the driver took the buffer.
 * @arena: what to put behind the records with DFX_FRAME_ARENA, as it is.
 * @arena_off: then come @arena.len bytes from here in the buffers mapping; if
 *	they reach the end of the lane's arena, they go on at @arena_wrap.
 * @arena_wrap: first byte of the lane's arena in the buffers mapping.
 * @arena_first: bytes at @arena_off; the rest is at @arena_wrap.
 */
struct dfx_ready {
	struct dfx_frame frame;
	__aligned_u64 cookie;
	__aligned_u64 offset;
	__aligned_u64 ready_ns;
	struct dfx_arena_info arena;
	__aligned_u64 arena_off;
	__aligned_u64 arena_wrap;
	__aligned_u64 arena_first;
};
DFX_ASSERT_SIZE(dfx_ready, 128);

/* &struct dfx_ready_ring.flags */
#define DFX_RING_END		0x1u	/* session ended, nothing will follow */
#define DFX_RING_GONE		0x2u	/* device gone */

/**
 * struct dfx_ready_ring - control page of the ready ring; only the kernel writes
 * @tail: elements published; free-running, stored with release after them.
 * @flags: DFX_RING_*; END is cleared when the next session starts. Load it, with
 *	acquire, before @tail: then END means that @tail is the last.
 * @mask: number of elements minus one.
 * @elem_off: first &struct dfx_ready, counted from the start of this ring.
 * @session: session of what is published.
 * @released: elements of the release ring that the driver has taken.
 * @bad_releases: of these, refused.
 *
 * Element i is at @elem_off + (i & @mask) * sizeof(struct dfx_ready). It may
 * be read until its cookie has been released. The ring has room for every
 * buffer of the region, so it cannot be full.
 */
struct dfx_ready_ring {
	__u32 tail;
	__u32 flags;
	__u32 mask;
	__u32 elem_off;
	__aligned_u64 session;
	__u32 released;
	__u32 bad_releases;
};
DFX_ASSERT_SIZE(dfx_ready_ring, 32);

/**
 * struct dfx_release_ring - control page of the release ring; the user writes
 * @tail: cookies published; free-running, stored with release after them.
 * @ready_head: elements of the ready ring that the user has seen; a hint for
 *	poll() and WAIT, stored plainly.
 * @reserved: 0.
 *
 * Cookie i is DFX_RELEASE_COOKIES()[i & mask], with the ready ring's mask. Both
 * rings start at index 0 with each ATTACH.
 *
 * Only this consumer writes it and the kernel takes it for a request: each
 * cookie is checked against what the consumer holds.
 */
struct dfx_release_ring {
	__u32 tail;
	__u32 ready_head;
	__u32 reserved[14];
};
DFX_ASSERT_SIZE(dfx_release_ring, 64);

/* First cookie of a &struct dfx_release_ring: they follow it. */
#define DFX_RELEASE_COOKIES(ring)	((__u64 *)((ring) + 1))

#endif /* _UAPI_LINUX_DFX_H */
