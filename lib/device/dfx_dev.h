/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * dfx_dev.h - the producer engine for a device's control processor
 *
 * Firmware links dfx_dev.c and calls it from each of its writer threads:
 *
 *	dfx_dev_announce(base, &info);			once, at boot
 *	while (dfx_dev_attach(&dev, base, size))	the host may come late
 *		relax();
 *	dfx_dev_set_doorbell(&dev, ring, ctx);		if there is one
 *	dfx_dev_region_open(&region, &dev, subsys, pools, nr_pools);
 *	dfx_dev_lane_open(&lane, &region, n);		in each thread
 *	for (;;) {
 *		dfx_dev_poll(&lane);			when there is no work
 *		rec = dfx_dev_reserve(&lane, pool, DFX_DEV_BLOCK);
 *		if (rec) {
 *			fill *rec;
 *			dfx_dev_commit(&lane, pool);
 *		}
 *	}
 *
 * No allocation, no global state, no library: the caller gives the memory, and
 * nothing of it needs to be shared but the aperture itself. Every object is
 * used by one thread, except &struct dfx_dev and &struct dfx_dev_region, which
 * are constant after they have been opened.
 *
 * Locking: none. A pool belongs to the lane that the host has bound it to;
 * calls for it come from that lane's thread only.
 *
 * Waiting: a lane waits at two gates only, both inside dfx_dev_reserve() at
 * the switch from one buffer to the next, and for an arena in
 * dfx_dev_wait_for_release(). Each wait has one deadline, taken once. After
 * one has expired the lane is in host-gone state and does not wait again until
 * an attempt without waiting succeeds.
 *
 * Several regions: the host runs each by a thread of its own. A thread that
 * serves a lane of several regions and is parked at the gate of one does not
 * obey the others meanwhile: a STOP there finds the lane silent after a second.
 * Such firmware calls dfx_dev_poll() for the other regions from the port's
 * dfx_port_relax(), guarded against nesting, as selftests/firmware/lane.c does.
 */
#ifndef DFX_DEV_H
#define DFX_DEV_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stddef.h>
#include <stdint.h>
#endif
#include <linux/dfx_layout.h>
#include "dfx_core.h"
#include "dfx_port.h"

/* What calls return, and &struct dfx_dev_lane.rc after a NULL. */
#define DFX_DEV_OK		0
#define DFX_DEV_NOSESSION	(-1)	/* no session, or not for this lane */
#define DFX_DEV_AGAIN		(-2)	/* a try or bounded call: not now */
#define DFX_DEV_TIMEDOUT	(-3)	/* the session's deadline expired */
#define DFX_DEV_GONE		(-4)	/* host-gone: not waited for */
#define DFX_DEV_FAULT		(-5)	/* the host broke the protocol */
#define DFX_DEV_DETACHED	(-6)	/* another host: attach anew */
#define DFX_DEV_VERSION		(-7)	/* the host speaks another layout */
#define DFX_DEV_INVAL		(-8)	/* an argument, or bad geometry */

/* Budgets of a wait in counter ticks; anything between is a bounded call. */
#define DFX_DEV_TRY		((__u64)0)
#define DFX_DEV_BLOCK		(~(__u64)0)	/* the session's deadline */

/**
 * struct dfx_dev_info - what the firmware says of itself
 * @arch: DFX_ARCH_*.
 * @isa: DFX_ISA_*.
 * @nr_lanes: writer threads, 1 to DFX_MAX_LANES.
 * @nr_cores: AICore instances, at least 1.
 * @counter_hz: frequency of dfx_port_cycles().
 * @watchdog_us: shortest outer watchdog in microseconds, 0 if none.
 * @shared_offset: first byte of the aperture that the host may format.
 * @shared_size: bytes from there.
 * @boot: differs from the last boot's; not 0.
 * @subsystems: bit mask of DFX_SUBSYS_* that the firmware can produce.
 * @doorbell: interrupt vectors that it can ring, at most DFX_MAX_VECTORS; 0
 *	without a doorbell.
 * @swim_kinds: bit mask of the kinds of l2_swimlane that it can write; 0 for
 *	DFX_KIND_AICPU_TASK alone.
 */
struct dfx_dev_info {
	__u32 arch;
	__u32 isa;
	__u32 nr_lanes;
	__u32 nr_cores;
	__u64 counter_hz;
	__u64 watchdog_us;
	__u64 shared_offset;
	__u64 shared_size;
	__u32 boot;
	__u32 subsystems;
	__u32 doorbell;
	__u32 swim_kinds;
};

/**
 * dfx_dev_ring_fn - interrupt the host
 * @ctx: as given to dfx_dev_set_doorbell().
 * @peer: the host's number, at most DFX_MAX_PEER.
 * @vector: the interrupt, below what the firmware has announced.
 *
 * Called by lanes, several at once, after the stores that it tells of and a full
 * barrier. Must not wait and need not be sure of success: the host looks by
 * itself every now and then.
 */
typedef void dfx_dev_ring_fn(void *ctx, __u32 peer, __u32 vector);

/**
 * struct dfx_dev - an attached aperture; constant once its regions are opened
 * @base: first byte of the aperture.
 * @size: its bytes.
 * @aperture: the host's header.
 * @generation: generation of the host that was attached to.
 * @ring: interrupts the host; NULL without a doorbell, or if it does not listen.
 * @ring_ctx: for @ring.
 * @peer: the host's number, for @ring.
 * @vectors: interrupts that the host listens to.
 */
struct dfx_dev {
	__u8 *base;
	__u64 size;
	struct dfx_shm_aperture *aperture;
	__u32 generation;
	dfx_dev_ring_fn *ring;
	void *ring_ctx;
	__u32 peer;
	__u32 vectors;
};

/**
 * struct dfx_dev_full - a buffer on its way to the host
 * @buffer: its id.
 * @count: records in it.
 * @first_time: counter when it became current.
 * @gap: records dropped between the last buffer's and this one's.
 * @gate: task whose ACK proves it complete; valid once @gated.
 * @gated: a task has been dispatched since it was stashed.
 */
struct dfx_dev_full {
	__u32 buffer;
	__u32 count;
	__u64 first_time;
	__u64 gap;
	__u32 gate;
	__u32 gated;
};

/**
 * struct dfx_dev_core - a lane's private state of a core that writes records
 * @head: what the two share.
 * @early_fin: the core may tell FIN before its record has reached memory, and the
 *	lane calls dfx_dev_core_ack().
 * @given: slots given out since boot.
 * @token: the last task that got one.
 * @left: slots that are left in the current buffer.
 * @stash: full buffers that may lack their last record; entry i is
 *	@stash[i % DFX_NR_STASH].
 * @first: free-running index of the oldest.
 * @acked: of the first that is not proven to be complete.
 * @next: of the first free place.
 * @cut: number of the last flush that the core's pool took part in.
 * @cut_wanted: the current buffer is to be rotated although it is not full.
 * @cut_upto: @next behind the last buffer that the flush wants.
 */
struct dfx_dev_core {
	struct dfx_core_head *head;
	__u32 early_fin;
	__u32 given;
	__u32 token;
	__u32 left;
	struct dfx_dev_full stash[DFX_NR_STASH];
	__u32 first;
	__u32 acked;
	__u32 next;
	__u32 cut;
	__u32 cut_wanted;
	__u32 cut_upto;
};

/**
 * struct dfx_dev_pool - private state of one pool; its lane's thread only
 * @slot: where the next record goes; NULL without a buffer.
 * @left: records that still fit into the current buffer; 0 without one.
 * @record_size: bytes; 0 if the pool does not record in this session.
 * @buffer: id of the current buffer, DFX_NO_BUFFER if there is none.
 * @count: records in it.
 * @capacity: records that it holds.
 * @seq: sequence of the next entry.
 * @fq_head: private cursor in the free queue.
 * @slots: free-queue depth.
 * @first_buffer: first id of the pool.
 * @nr_buffers: its number of ids.
 * @stride: bytes from one buffer to the next.
 * @id: pool id.
 * @kind: the subsystem's kind.
 * @instance: core, thread or orchestrator.
 * @lane: lane that it is bound to.
 * @buf_off: first buffer, from the start of the region.
 * @first_time: counter when @buffer became current.
 * @produced: records asked for in this session, without those in @buffer.
 * @lost: records dropped since the current buffer was taken.
 * @gap: records dropped between the last buffer's and the current one's.
 * @dropped: by DFX_DROP_*; copied to shared memory at each change.
 * @mismatch: free-queue slots refused.
 * @gone_tail: tail of the free queue when the lane gave up at the pop gate.
 * @shm: the pool's words in device pages.
 * @fq: the pool's free queue in host pages.
 * @core: the core that writes the records; NULL if the lane does.
 * @next: next pool of the same lane.
 */
struct dfx_dev_pool {
	__u8 *slot;
	__u32 left;
	__u32 record_size;
	__u32 buffer;
	__u32 count;
	__u32 capacity;
	__u32 seq;
	__u32 fq_head;
	__u32 slots;
	__u32 first_buffer;
	__u32 nr_buffers;
	__u32 stride;
	__u32 id;
	__u32 kind;
	__u32 instance;
	__u32 lane;
	__u64 buf_off;
	__u64 first_time;
	__u64 produced;
	__u64 lost;
	__u64 gap;
	__u64 dropped[DFX_NR_DROP];
	__u64 mismatch;
	__u32 gone_tail;
	struct dfx_shm_pool *shm;
	struct dfx_shm_fq *fq;
	struct dfx_dev_core *core;
	struct dfx_dev_pool *next;
} __attribute__((aligned(DFX_SHM_LINE)));

/**
 * struct dfx_dev_region - one subsystem's region; constant once opened
 * @dev: the aperture.
 * @subsys: DFX_SUBSYS_*.
 * @base: first byte of the region.
 * @size: its bytes.
 * @shm: its header.
 * @ctl: the host's control line.
 * @pools: the caller's array, indexed by pool id; each element belongs to its
 *	lane.
 * @max_pools: elements there.
 * @vector: interrupt to ring for this region.
 * @bell: the host listens to it.
 */
struct dfx_dev_region {
	struct dfx_dev *dev;
	__u32 subsys;
	__u8 *base;
	__u64 size;
	struct dfx_shm_region *shm;
	struct dfx_shm_ctl *ctl;
	struct dfx_dev_pool *pools;
	__u32 max_pools;
	__u32 vector;
	__u32 bell;
};

/**
 * struct dfx_dev_lane - private state of one lane in one region; one thread
 * @ctl_seq: the host's control line, watched at every record.
 * @seen: last value of it that was obeyed.
 * @running: the lane records.
 * @region: the region.
 * @index: lane number.
 * @rc: why the last dfx_dev_reserve() returned NULL: DFX_DEV_*.
 * @state: DFX_LANE_*, as in shared memory.
 * @gone: host-gone state: DFX_LANE_PARKED_PUSH or DFX_LANE_PARKED_POP, the gate
 *	at which the deadline expired; 0 otherwise.
 * @gone_frozen: the pop gate was frozen at that moment.
 * @gone_arena: the host's position in the arena at that moment.
 * @fault: the host broke the protocol in this session.
 * @session: id of the session.
 * @flush: number of the last flush that was completed.
 * @cut: number of the last flush that core-written pools were asked for.
 * @cutting: it is not completed.
 * @stopping: the session ends: no more slots for cores.
 * @deadline: the session's deadline in ticks.
 * @arena_tail: units of the arena committed with their records in this session.
 * @arena: the lane's arena; NULL if the region has none.
 * @arena_units: its size in units, a power of two.
 * @recovery: DFX_RECOVERY_*.
 * @rq_depth: ready-queue depth.
 * @rq_tail: private cursor in the ready queue.
 * @nr_pools: pools of the region in this session.
 * @first_pool: first of the lane's own pools.
 * @level: the session's level, for the firmware to look at.
 * @kinds: the session's kinds, likewise.
 * @param: the session's parameter, likewise.
 * @heartbeat: private copy.
 * @runs: private copy.
 * @push_waits: private copies of the counters of &struct dfx_shm_lane, here
 *	and below.
 * @pop_waits: see there.
 * @push_ticks: see there.
 * @pop_ticks: see there.
 * @expired: see there.
 * @resumed: see there.
 * @marks: see there.
 * @alone: see there.
 * @alone_ticks: see there.
 * @freeze: the host's half of the backpressure flags.
 * @contended: the device's half.
 * @rq_head: the host's index.
 * @entries: the ready queue.
 * @shm: the lane's words in device pages.
 */
struct dfx_dev_lane {
	__le32 *ctl_seq;
	__u32 seen;
	__u32 running;
	struct dfx_dev_region *region;
	__u32 index;
	int rc;
	__u32 state;
	__u32 gone;
	__u32 gone_frozen;
	__u32 gone_arena;
	__u32 fault;
	__u32 flush;
	__u32 cut;
	__u32 cutting;
	__u32 stopping;
	__u64 session;
	__u64 deadline;
	__u64 arena_tail;
	__u8 *arena;
	__u32 arena_units;
	__u32 recovery;
	__u32 rq_depth;
	__u32 rq_tail;
	__u32 nr_pools;
	struct dfx_dev_pool *first_pool;
	__u32 level;
	__u32 kinds;
	__u32 param;
	__u32 heartbeat;
	__u32 runs;
	__u64 push_waits;
	__u64 pop_waits;
	__u64 push_ticks;
	__u64 pop_ticks;
	__u64 expired;
	__u64 resumed;
	__u64 marks;
	__u64 alone;
	__u64 alone_ticks;
	struct dfx_shm_freeze *freeze;
	struct dfx_shm_contended *contended;
	struct dfx_shm_rq_head *rq_head;
	struct dfx_shm_entry *entries;
	struct dfx_shm_lane *shm;
} __attribute__((aligned(DFX_SHM_LINE)));

/**
 * dfx_dev_announce() - write the identity page
 * @base: first byte of the aperture, DFX_SHM_PAGE aligned.
 * @info: what to say.
 *
 * Called once at boot, by one thread, before anything else. The magic is
 * stored last.
 */
void dfx_dev_announce(void *base, const struct dfx_dev_info *info);

/**
 * dfx_dev_attach() - look for a host
 * @dev: filled in.
 * @base: first byte of the aperture.
 * @size: its bytes.
 *
 * Does not wait. After DFX_DEV_DETACHED from any other call, no lane may use
 * its objects any more; call this again and open everything anew.
 *
 * Return: DFX_DEV_OK; DFX_DEV_AGAIN while there is no host; DFX_DEV_VERSION;
 * DFX_DEV_INVAL if the host's table does not fit into the aperture.
 */
int dfx_dev_attach(struct dfx_dev *dev, void *base, __u64 size);

/**
 * dfx_dev_set_doorbell() - let lanes interrupt the host
 * @dev: an attached aperture, none of whose regions is open.
 * @ring: how.
 * @ctx: for @ring.
 *
 * To be called after each dfx_dev_attach(), or there is no doorbell. Does nothing
 * if the host does not listen. The host is rung only when it has asked for it;
 * without a doorbell it polls.
 */
void dfx_dev_set_doorbell(struct dfx_dev *dev, dfx_dev_ring_fn *ring,
			  void *ctx);

/**
 * dfx_dev_region_open() - find a subsystem's region
 * @region: filled in.
 * @dev: an attached aperture; must outlive @region.
 * @subsys: DFX_SUBSYS_*.
 * @pools: array for the pools' private state; must outlive @region.
 * @max_pools: its elements; a session with more pools is refused by the lane.
 *
 * Return: DFX_DEV_OK; DFX_DEV_NOSESSION if the host has no such region;
 * DFX_DEV_INVAL if the region's header does not fit into the region.
 */
int dfx_dev_region_open(struct dfx_dev_region *region, struct dfx_dev *dev,
			__u32 subsys, struct dfx_dev_pool *pools,
			__u32 max_pools);

/**
 * dfx_dev_lane_open() - become a lane
 * @lane: filled in; used by the calling thread only from now on.
 * @region: an open region.
 * @index: lane number; each is opened by one thread.
 *
 * Return: DFX_DEV_OK; DFX_DEV_INVAL if there is no such lane.
 */
int dfx_dev_lane_open(struct dfx_dev_lane *lane, struct dfx_dev_region *region,
		      __u32 index);

/**
 * dfx_dev_poll() - obey the host: start, stop, flush
 * @lane: the lane.
 *
 * Called by an idle lane, at least every few milliseconds; a lane that writes
 * records obeys in dfx_dev_reserve(). May wait at the push gate when the host
 * asks for a flush or a stop.
 *
 * Return: DFX_DEV_OK while the lane records; DFX_DEV_NOSESSION;
 * DFX_DEV_FAULT; DFX_DEV_DETACHED.
 */
int dfx_dev_poll(struct dfx_dev_lane *lane);

/**
 * dfx_dev_next_pool() - iterate over the pools that a lane records into
 * @lane: the lane.
 * @pool: the last one, NULL to begin.
 *
 * Return: the next pool of this session, or NULL.
 */
struct dfx_dev_pool *dfx_dev_next_pool(struct dfx_dev_lane *lane,
				       struct dfx_dev_pool *pool);

/**
 * dfx_dev_find_pool() - pool of a kind and instance
 * @lane: a recording lane.
 * @kind: the subsystem's kind.
 * @instance: core, thread or orchestrator.
 *
 * Pools may change with each session: look them up again when
 * &struct dfx_dev_lane.session has changed. Linear in the number of pools.
 *
 * Return: the pool, or NULL if the session has none or it is another lane's.
 */
struct dfx_dev_pool *dfx_dev_find_pool(struct dfx_dev_lane *lane, __u32 kind,
				       __u32 instance);

/* The slow half of dfx_dev_reserve(): obeys the host, then passes the gates. */
void *dfx_dev_reserve_slow(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
			   __u64 budget);

/**
 * dfx_dev_reserve() - room for one record
 * @lane: the lane.
 * @pool: one of its pools.
 * @budget: DFX_DEV_BLOCK, DFX_DEV_TRY, or ticks to wait at most.
 *
 * A blocking call that fails has dropped the record and counted it. A try or a
 * bounded call that fails has not: call again, or dfx_dev_drop(). Without a
 * session nothing is counted.
 *
 * Return: where to write pool->record_size bytes, 4-byte aligned at least; or
 * NULL with the reason in lane->rc: DFX_DEV_NOSESSION, DFX_DEV_AGAIN,
 * DFX_DEV_TIMEDOUT, DFX_DEV_GONE, DFX_DEV_FAULT, DFX_DEV_DETACHED.
 */
static inline void *dfx_dev_reserve(struct dfx_dev_lane *lane,
				    struct dfx_dev_pool *pool, __u64 budget)
{
	if (pool->left && dfx_port_load32(lane->ctl_seq) == lane->seen)
		return pool->slot;
	return dfx_dev_reserve_slow(lane, pool, budget);
}

/**
 * dfx_dev_commit() - the record is written
 * @lane: the lane.
 * @pool: the pool that the last dfx_dev_reserve() named.
 *
 * Never waits and cannot fail.
 */
static inline void dfx_dev_commit(struct dfx_dev_lane *lane,
				  struct dfx_dev_pool *pool)
{
	int shown = dfx_port_show(pool->slot, pool->record_size);

	(void)lane;
	pool->slot += pool->record_size;
	pool->left--;
	pool->count++;
	/* Pairs with the host's load when it recovers a dead lane's buffer. */
	if (shown)
		dfx_port_store32_release(&pool->shm->count, pool->count);
}

/**
 * struct dfx_dev_payload - room for a payload in the lane's arena
 * @data: where to write it.
 * @size: bytes that there is room for.
 * @full_size: bytes that were asked for; more than @size if it is truncated.
 * @offset: what to store as the record's payload offset.
 */
struct dfx_dev_payload {
	void *data;
	__u64 size;
	__u64 full_size;
	__u64 offset;
};

/**
 * dfx_dev_reserve_payload() - room for one record and its payload
 * @lane: the lane; its region has arenas, and the lane one pool.
 * @pool: that pool.
 * @size: bytes of the payload; above half the arena it is truncated.
 * @budget: as for dfx_dev_reserve().
 * @payload: filled in.
 *
 * When the arena is full, publishes what the lane has and waits until the host
 * has taken everything: a whole cycle of the free-queue freeze, or, with
 * recovery by lane, room. To be followed by dfx_dev_commit_payload().
 *
 * Return: as dfx_dev_reserve(); the same rules for what is counted.
 */
void *dfx_dev_reserve_payload(struct dfx_dev_lane *lane,
			      struct dfx_dev_pool *pool, __u64 size,
			      __u64 budget, struct dfx_dev_payload *payload);

/**
 * dfx_dev_commit_payload() - the payload and its record are written
 * @lane: the lane.
 * @pool: the pool that dfx_dev_reserve_payload() named.
 * @payload: what it filled in.
 *
 * The record has @payload->offset and @payload->size by now: should the device
 * die, the host knows by them which bytes of the arena are complete.
 *
 * Never waits and cannot fail.
 */
void dfx_dev_commit_payload(struct dfx_dev_lane *lane,
			    struct dfx_dev_pool *pool,
			    const struct dfx_dev_payload *payload);

/**
 * dfx_dev_drop() - give up a record that a try or bounded call had no room for
 * @lane: the lane.
 * @pool: the pool.
 *
 * Counts it as DFX_DROP_WOULD_BLOCK, or as DFX_DROP_HOST_GONE or DFX_DROP_FAULT
 * in those states.
 * Nothing is counted without a session.
 */
void dfx_dev_drop(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool);

/**
 * dfx_dev_flush() - publish the partial buffers of all the lane's pools
 * @lane: the lane.
 * @budget: as for dfx_dev_reserve().
 *
 * A buffer that finds no room in the ready queue stays current, with its
 * records, and is published by the next flush or when it is full. The partial
 * buffer of a core that is at work is rotated at the next dispatch and published
 * when it is complete: DFX_DEV_AGAIN until then. Call again; what was recorded
 * after the first call is not waited for.
 *
 * Return: DFX_DEV_OK; DFX_DEV_NOSESSION; DFX_DEV_AGAIN; DFX_DEV_TIMEDOUT;
 * DFX_DEV_GONE; DFX_DEV_FAULT; DFX_DEV_DETACHED.
 */
int dfx_dev_flush(struct dfx_dev_lane *lane, __u64 budget);

/**
 * dfx_dev_end_run() - report the end of a run
 * @lane: the lane.
 *
 * Flushes (blocking) and grows &struct dfx_shm_lane.runs. The session goes on.
 * While a core of the lane has not written its last record it is not the end:
 * DFX_DEV_AGAIN, nothing is reported, call again.
 *
 * Return: as dfx_dev_flush().
 */
int dfx_dev_end_run(struct dfx_dev_lane *lane);

/**
 * dfx_dev_wait_for_release() - wait for a whole open, drain, release cycle
 * @lane: the lane.
 * @budget: as for dfx_dev_reserve().
 *
 * For a leader whose own reclaim needs the host to complete a cycle of the
 * free-queue freeze: raises fq_contended, then waits until neither the mark
 * nor the freeze is there.
 *
 * Return: DFX_DEV_OK once released; DFX_DEV_INVAL with recovery by lane, which
 * has no freeze; DFX_DEV_AGAIN, DFX_DEV_TIMEDOUT, DFX_DEV_GONE,
 * DFX_DEV_NOSESSION, DFX_DEV_DETACHED.
 */
int dfx_dev_wait_for_release(struct dfx_dev_lane *lane, __u64 budget);

/* ---- records that a core writes: the lane's half; see dfx_core.h ------------- */

/**
 * dfx_dev_core_open() - let a core write the records of a pool
 * @lane: a recording lane.
 * @core: private state of the lane; zeroed at boot, kept from session to session.
 * @pool: one of the lane's pools that record; the core's own.
 * @head: what the lane and the core share; zeroed at boot, kept likewise.
 * @early_fin: the core tells FIN before its record has reached memory, and
 *	dfx_dev_core_ack() will be called; 0: it writes its record before FIN.
 *
 * In each session, before the first dfx_dev_core_give(). dfx_dev_reserve() refuses
 * the pool from then on.
 *
 * Return: DFX_DEV_OK; DFX_DEV_AGAIN while the core has not finished with a buffer
 * of an earlier session; DFX_DEV_INVAL: not a pool that the lane records into.
 */
int dfx_dev_core_open(struct dfx_dev_lane *lane, struct dfx_dev_core *core,
		      struct dfx_dev_pool *pool, struct dfx_core_head *head,
		      int early_fin);

/**
 * dfx_dev_core_give() - give the next task's record a slot
 * @lane: the lane.
 * @pool: a pool of a core.
 * @token: what the core will acknowledge the task by; differs from those of the
 *	tasks that have not been acknowledged.
 *
 * Called by the dispatcher when the core has acknowledged the task before, right
 * before it writes this one to the core's register. Rotates the buffer when the
 * record would not fit. Never waits: a dispatcher serves many cores.
 *
 * Without a slot the task may be dispatched all the same, after dfx_dev_drop(); or
 * be held back and asked for again, so that nothing is lost.
 *
 * Return: DFX_DEV_OK; DFX_DEV_AGAIN if there is no buffer now, nothing is counted;
 * DFX_DEV_NOSESSION; DFX_DEV_FAULT; DFX_DEV_DETACHED.
 */
int dfx_dev_core_give(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
		      __u32 token);

/**
 * dfx_dev_core_ack() - the core has acknowledged a task
 * @lane: the lane.
 * @pool: a pool of a core, opened with early_fin.
 * @token: the task.
 *
 * The gate of a rotation: publishes the full buffers that this proves to be
 * complete. Any token may be given, any number of times; a wrong one does nothing.
 * Never waits: without room in the ready queue they are kept, and tried again in
 * every call.
 */
void dfx_dev_core_ack(struct dfx_dev_lane *lane, struct dfx_dev_pool *pool,
		      __u32 token);

#endif /* DFX_DEV_H */
