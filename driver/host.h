/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host.h - one region's host side: who owns which buffer, and the passes
 *
 * Everything here is plain computation over the region's shared memory and the
 * driver's own tables. It neither sleeps nor allocates nor locks, so that the
 * same objects run in the kernel and, hammered by threads, in a host program.
 *
 * Locking: every call is made under the region's lock (struct dfx_region),
 * which is not held while anything waits.
 *
 *	table.c		owners of buffers; every transition is checked
 *	drain.c		ready queues: DEVICE -> READY
 *	fetch.c		records and payloads to where consumers find them
 *	look.c		when the device's words are looked at
 *	replenish.c	free queues: FREE -> QUEUED -> DEVICE
 *	pass.c		one pass of the kthread, and the freeze
 *	control.c	start, stop, flush, reset, faults
 *	arena.c		payload rings
 *	recover.c	what a dead device has left
 *	account.c	figures of lanes and pools
 *	incident.c	which lanes a freeze has stopped
 */
#ifndef DFX_HOST_H
#define DFX_HOST_H

#include <linux/types.h>
#include <uapi/linux/dfx.h>

#include "geometry.h"
#include "region_ops.h"

/* End of a list of buffers; also "no buffer". */
#define DFX_NIL		DFX_NO_BUFFER

/**
 * enum dfx_owner - who owns a buffer
 * @DFX_OWNER_FREE: the driver; can be queued.
 * @DFX_OWNER_QUEUED: in the free queue.
 * @DFX_OWNER_DEVICE: taken by the device.
 * @DFX_OWNER_READY: back from the device, waits for a consumer.
 * @DFX_OWNER_HELD: with a consumer.
 * @DFX_OWNER_QUARANTINE: nobody; the device may still write to it.
 * @DFX_OWNER_SPARE: the driver; a copy that holds nothing.
 * @DFX_NR_OWNER: number of owners.
 *
 * Where records are copied to buffers of the host, one of the device's is FREE,
 * QUEUED, DEVICE or QUARANTINE, and FREE again as soon as its records are safe
 * in a copy; a copy is SPARE, READY or HELD. A buffer is queued only while there
 * is a spare copy for it and for each that the device has already: so what is
 * full can be taken, and a consumer that holds every copy is felt at the pop
 * gate, as it is without copies.
 */
enum dfx_owner {
	DFX_OWNER_FREE,
	DFX_OWNER_QUEUED,
	DFX_OWNER_DEVICE,
	DFX_OWNER_READY,
	DFX_OWNER_HELD,
	DFX_OWNER_QUARANTINE,
	DFX_OWNER_SPARE,
	DFX_NR_OWNER,
};

/**
 * struct dfx_buf - one row of the ownership table
 * @owner: enum dfx_owner.
 * @redelivered: a consumer that died may have stored it already.
 * @recovered: the device died before it published it.
 * @pool: its pool; constant.
 * @next: next in the list that @owner implies, or DFX_NIL.
 * @seq: per-pool sequence, while READY or HELD; and so on below.
 * @count: records.
 * @flags: DFX_ENTRY_*.
 * @turn: grows with each hand-over; half of the cookie.
 * @holder: consumer that it is HELD by.
 * @order: place in the lane's order of arrival.
 * @lost: records lost before it.
 * @arena_pos: first unit of the arena that belongs to it, from the start of the
 *	session.
 * @arena_len: units of it.
 * @older: the lane's share before it that is still needed, or DFX_NIL.
 * @newer: the one behind it, or DFX_NIL.
 * @time: device counter at publication.
 * @ready_ns: CLOCK_MONOTONIC when it was taken from the ready queue.
 */
struct dfx_buf {
	u8 owner;
	bool redelivered;
	bool recovered;
	u32 pool;
	u32 next;
	u32 seq;
	u32 count;
	u32 flags;
	u32 turn;
	void *holder;
	u32 arena_len;
	u64 arena_pos;
	u32 older;
	u32 newer;
	u64 order;
	u64 lost;
	u64 time;
	u64 ready_ns;
};

/**
 * struct dfx_list - singly linked list of buffers, by id
 * @head: first, or DFX_NIL.
 * @tail: last, or DFX_NIL.
 */
struct dfx_list {
	u32 head;
	u32 tail;
};

/**
 * struct dfx_device_figures - what the device says of a pool
 * @produced: records asked for, without those in the current buffer.
 * @current_records: records in the current buffer.
 * @mismatch: free-queue slots refused.
 * @dropped: by DFX_DROP_*; that of the host's reasons is not the device's.
 */
struct dfx_device_figures {
	u64 produced;
	u32 current_records;
	u64 mismatch;
	u64 dropped[DFX_NR_DROP];
};

/**
 * struct dfx_hpool - the driver's view of a pool
 * @free: FREE buffers.
 * @spare: SPARE copies.
 * @nr: buffers by owner.
 * @fq_tail: private cursor; the shared tail is written, never read.
 * @fq_head: last head of the device that passed its check.
 * @slot: what is in the queue, by place; the shared slots are written, never
 *	read.
 * @next_seq: sequence that the next entry must carry.
 * @delivered: records released by consumers in this session.
 * @ready_records: records in READY and HELD buffers.
 * @device: the device's figures; read anew until the session has ended, then
 *	kept.
 * @discarded: records that no consumer came for.
 * @uncopied: records that could not be copied off the device.
 * @uncopied_untold: of these, not yet told as lost before a buffer.
 * @recovered: records that were taken from the device's current and stashed
 *	buffers.
 */
struct dfx_hpool {
	struct dfx_list free;
	struct dfx_list spare;
	u32 nr[DFX_NR_OWNER];
	u32 fq_tail;
	u32 fq_head;
	u32 slot[DFX_MAX_FQ_SLOTS];
	u32 next_seq;
	u64 delivered;
	u64 ready_records;
	struct dfx_device_figures device;
	u64 discarded;
	u64 uncopied;
	u64 uncopied_untold;
	u32 recovered;
};

/**
 * struct dfx_hlane - the driver's view of a lane
 * @ready: READY buffers in order of arrival.
 * @nr_ready: their number.
 * @rq_head: private cursor; the shared head is written, never read.
 * @attached: the lane has acknowledged the start of this session.
 * @enabled: the lane is in the session's mask.
 * @silent: it did not acknowledge the end of a session.
 * @fault: DFX_FAULT_*; not 0: nothing of the lane is looked at until RESET.
 * @order: next place in the order of arrival.
 * @shares: buffers whose shares of the arena are still needed, in order.
 * @arena_tail: position behind the last share, in units from the start of the
 *	session.
 * @copy_failures: passes in a row in which the oldest entry could not be copied.
 * @entries: entries taken in this session.
 * @bad_entries: entries refused in this session.
 */
struct dfx_hlane {
	struct dfx_list ready;
	u32 nr_ready;
	u32 rq_head;
	bool attached;
	bool enabled;
	bool silent;
	u32 fault;
	u64 order;
	struct dfx_list shares;
	u64 arena_tail;
	u32 copy_failures;
	u64 entries;
	u64 bad_entries;
};

struct dfx_host;

/**
 * struct dfx_host_ops - what the owner of a host is told; all optional
 * @fault: a lane has just gone to FAULT; @fault is DFX_FAULT_*, @val what was
 *	found. Once per lane until RESET.
 * @freeze: a gate was opened or closed.
 * @handoff: a buffer changed owner.
 * @lost: @count records of a pool could not be copied off the device.
 * @release_ready: the subsystem's predicate for ending a freeze; absent means
 *	true. Cheap, does not block.
 */
struct dfx_host_ops {
	void (*fault)(struct dfx_host *host, u32 lane, u32 fault, u64 val);
	void (*freeze)(struct dfx_host *host, u32 gate, bool active);
	void (*handoff)(struct dfx_host *host, u32 id, u8 from, u8 to);
	void (*lost)(struct dfx_host *host, u32 pool, u32 count);
	bool (*release_ready)(struct dfx_host *host);
};

/* Entries that are copied out of a ready queue at one go. */
#define DFX_ENTRY_BATCH		8

/**
 * struct dfx_host - one region
 * @io: its memory.
 * @geom: its geometry; constant during a session.
 * @ops: whom to tell.
 * @bufs: dfx_geometry_nr_ids() rows.
 * @pools: @geom.nr_pools rows.
 * @lanes: @geom.nr_lanes rows.
 * @generation: of the host, as in the aperture.
 * @ctl_seq: last even value of the control line.
 * @start_seq: its value that started the session.
 * @state: DFX_SESSION_*.
 * @session: id of the session or of the last one.
 * @lane_mask: lanes of the session.
 * @recovery: DFX_RECOVERY_*.
 * @armed: the lanes are asked to ring; see event.c.
 * @flush: number of the last flush asked for in this session.
 * @freeze: both gates, as in the state ioctl.
 * @incidents: DFX_MAX_INCIDENTS rows, little-endian; or NULL: none are listed.
 * @nr_incidents: incidents of the session, listed or not.
 * @batch: entries of one lane, copied and not yet looked at.
 * @looked_ns: CLOCK_MONOTONIC of the last look at the lanes' words.
 * @swept_ns: CLOCK_MONOTONIC of the last look at all of the pools' words.
 * @swept_credit: bytes of records taken since.
 * @starved_ns: CLOCK_MONOTONIC of the last look at the pools of starved lanes.
 */
struct dfx_host {
	struct dfx_io io;
	struct dfx_geometry geom;
	const struct dfx_host_ops *ops;
	struct dfx_buf *bufs;
	struct dfx_hpool *pools;
	struct dfx_hlane *lanes;
	u32 generation;
	u32 ctl_seq;
	u32 start_seq;
	u32 state;
	u64 session;
	u64 lane_mask;
	u32 recovery;
	bool armed;
	u32 flush;
	struct dfx_freeze_stat freeze[DFX_NR_GATE];
	struct dfx_incident *incidents;
	u64 nr_incidents;
	struct dfx_shm_entry batch[DFX_ENTRY_BATCH];
	u64 looked_ns;
	u64 swept_ns;
	u64 swept_credit;
	u64 starved_ns;
};

/**
 * struct dfx_host_session - what a session is started with
 * @session: its id, not 0.
 * @lane_mask: lanes to record; those in FAULT or silent are left out.
 * @deadline: longest wait at a gate, in the device's ticks.
 * @level: the subsystem's level.
 * @kinds: bit mask of kinds.
 * @recovery: DFX_RECOVERY_*.
 * @param: for the firmware.
 */
struct dfx_host_session {
	u64 session;
	u64 lane_mask;
	u64 deadline;
	u32 level;
	u32 kinds;
	u32 recovery;
	u32 param;
};

/* &struct dfx_pass_result: what one pass did, for the caller to pace itself */
struct dfx_pass_result {
	/** @taken: entries taken from ready queues. */
	u32 taken;
	/** @more: a lane had more than one pass may take. */
	bool more;
	/** @refilled: a free queue was given buffers. */
	bool refilled;
	/** @marked: a mark was seen. */
	bool marked;
	/** @frozen: a freeze is open. */
	bool frozen;
	/** @ready: some lane has READY buffers. */
	bool ready;
	/** @retry: a copy has failed; it is tried again in the next pass. */
	bool retry;
};

/* &struct dfx_drained: how a lane's ready queue was left */
struct dfx_drained {
	/** @empty: nothing was in it; so too if the lane is not looked at. */
	bool empty;
	/** @retry: a copy has failed. */
	bool retry;
};

/* table.c */
void dfx_table_init(struct dfx_host *host);
bool dfx_table_move(struct dfx_host *host, u32 id, u8 from, u8 to);
u32 dfx_table_take_free(struct dfx_host *host, u32 pool);
u32 dfx_table_target(const struct dfx_host *host, u32 id);
void dfx_table_ready(struct dfx_host *host, u32 lane, u32 id, u32 target);
u32 dfx_table_hold(struct dfx_host *host, u32 lane, void *holder);
bool dfx_table_holds(const struct dfx_host *host, u64 cookie,
		     const void *holder);
void dfx_table_release(struct dfx_host *host, u32 id);
void dfx_table_requeue(struct dfx_host *host, const void *holder);
void dfx_table_discard(struct dfx_host *host);

static inline u64 dfx_table_cookie(const struct dfx_host *host, u32 id)
{
	return (u64)host->bufs[id].turn << 32 | id;
}

/* arena.c */
bool dfx_arena_check(const struct dfx_host *host, u32 lane, u32 end);
bool dfx_arena_reach(const struct dfx_host *host, u32 lane,
		     const struct dfx_rec_dump *rec, u32 *end);
void dfx_arena_add(struct dfx_host *host, u32 lane, u32 id, u32 end);
void dfx_arena_done(struct dfx_host *host, u32 id);
bool dfx_arena_release_ready(struct dfx_host *host);
void dfx_arena_reset(struct dfx_host *host, u32 lane);

/* drain.c */
u32 dfx_drain_lane(struct dfx_host *host, u32 lane, u32 budget, u64 now_ns,
		   struct dfx_drained *out);
u32 dfx_drain_fill(struct dfx_host *host, u32 lane);

/* fetch.c */
int dfx_fetch_buffer(struct dfx_host *host, u32 id, u32 target, u32 count);
int dfx_fetch_share(struct dfx_host *host, u32 lane, u32 end);

/* look.c */
int dfx_look(struct dfx_host *host, u64 now_ns);
int dfx_look_again(struct dfx_host *host);
int dfx_look_lanes(struct dfx_host *host);
int dfx_look_sweep(struct dfx_host *host, u64 now_ns);

/* recover.c */
void dfx_recover_lane(struct dfx_host *host, u32 lane, u64 now_ns);

/* replenish.c */
bool dfx_replenish_observe(struct dfx_host *host, u32 pool);
bool dfx_replenish_pool(struct dfx_host *host, u32 pool);
bool dfx_replenish_at_limit(struct dfx_host *host, u32 pool);

/* pass.c */
struct dfx_pass_result dfx_pass(struct dfx_host *host, u32 budget, u64 now_ns);
void dfx_pass_close_freeze(struct dfx_host *host, u64 now_ns, bool released);

/* control.c */
int dfx_control_init(struct dfx_host *host);
int dfx_control_start(struct dfx_host *host,
		      const struct dfx_host_session *session);
void dfx_control_stop(struct dfx_host *host, u64 now_ns);
u64 dfx_control_pending(struct dfx_host *host);
int dfx_control_end(struct dfx_host *host, u64 now_ns);
void dfx_control_flush(struct dfx_host *host);
u64 dfx_control_unflushed(struct dfx_host *host);
u64 dfx_control_revive(struct dfx_host *host);
void dfx_control_gone(struct dfx_host *host);
void dfx_control_check_acks(struct dfx_host *host);
void dfx_control_fault(struct dfx_host *host, u32 lane, u32 fault, u64 val);
bool dfx_control_lane_live(const struct dfx_host *host, u32 lane);

/* account.c */
void dfx_account_device(struct dfx_host *host, u32 pool);
void dfx_account_lane(struct dfx_host *host, u32 lane, u64 counter_hz,
		      struct dfx_lane_state *out);
void dfx_account_pool(struct dfx_host *host, u32 pool,
		      struct dfx_pool_state *out);
void dfx_account_freeze(const struct dfx_host *host, u64 now_ns,
			struct dfx_freeze_stat out[DFX_NR_GATE]);
bool dfx_account_idle(const struct dfx_host *host);

/* event.c */
void dfx_event_reset(struct dfx_host *host, u32 lane);
void dfx_event_arm(struct dfx_host *host);
void dfx_event_disarm(struct dfx_host *host);

/* incident.c */
void dfx_incident_open(struct dfx_host *host, u32 gate, u64 now_ns);
void dfx_incident_close(struct dfx_host *host, u64 now_ns);
void dfx_incident_ask(struct dfx_host *host);
void dfx_incident_reset(struct dfx_host *host);
u32 dfx_incident_listed(const struct dfx_host *host);

/* Offsets of single words in the region. */
static inline u64 dfx_off_lane(const struct dfx_host *host, u32 lane)
{
	return host->geom.lane_off + (u64)lane * sizeof(struct dfx_shm_lane);
}

static inline u64 dfx_off_pool(const struct dfx_host *host, u32 pool)
{
	return host->geom.pool_off + (u64)pool * sizeof(struct dfx_shm_pool);
}

static inline u64 dfx_off_fq(const struct dfx_host *host, u32 pool)
{
	return host->geom.fq_off + (u64)pool * sizeof(struct dfx_shm_fq);
}

static inline u64 dfx_off_rq_head(const struct dfx_host *host, u32 lane)
{
	return host->geom.rq_head_off +
	       (u64)lane * sizeof(struct dfx_shm_rq_head);
}

/* A buffer of the device, in the region. */
static inline u64 dfx_off_buffer(const struct dfx_host *host, u32 id)
{
	const struct dfx_pool_geom *g = &host->geom.pools[host->bufs[id].pool];

	return g->buf_off + (u64)(id - g->first_buffer) * g->stride;
}

/* A buffer that can be READY, in the data area. */
static inline u64 dfx_data_buffer(const struct dfx_host *host, u32 id)
{
	const struct dfx_pool_geom *g = &host->geom.pools[host->bufs[id].pool];
	u32 first = g->nr_copies ? g->first_copy : g->first_buffer;

	return g->data_off + (u64)(id - first) * g->stride;
}

static inline u32 dfx_load32(struct dfx_host *host, u64 off)
{
	return host->io.ops->load32(&host->io, off);
}

static inline void dfx_store32(struct dfx_host *host, u64 off, u32 val)
{
	host->io.ops->store32(&host->io, off, val);
}

static inline u64 dfx_load64(struct dfx_host *host, u64 off)
{
	return host->io.ops->load64(&host->io, off);
}

/* A freeze is open, at either gate. */
static inline bool dfx_frozen(const struct dfx_host *host)
{
	return host->freeze[DFX_GATE_RQ].active ||
	       host->freeze[DFX_GATE_FQ].active;
}

/*
 * Of @len bytes from position @pos of a lane's arena on, those before its end; the
 * rest is at its beginning.
 */
static inline u64 dfx_arena_unwrapped(const struct dfx_geometry *geom, u64 pos,
				      u64 len)
{
	u64 size = (u64)geom->arena_units * DFX_ARENA_UNIT;

	return min(len, size - (pos & (size - 1)));
}

/* All words of all lanes. */
static inline int dfx_pull_lanes(struct dfx_host *host)
{
	return host->io.ops->pull(&host->io, host->geom.lane_off,
				  host->geom.pool_off - host->geom.lane_off);
}

static inline int dfx_pull_lane(struct dfx_host *host, u32 lane)
{
	return host->io.ops->pull(&host->io, dfx_off_lane(host, lane),
				  sizeof(struct dfx_shm_lane));
}

/* All words of all pools. */
static inline int dfx_pull_pools(struct dfx_host *host)
{
	return host->io.ops->pull(&host->io, host->geom.pool_off,
				  host->geom.nr_pools *
				  sizeof(struct dfx_shm_pool));
}

static inline int dfx_pull_pool(struct dfx_host *host, u32 pool)
{
	return host->io.ops->pull(&host->io, dfx_off_pool(host, pool),
				  sizeof(struct dfx_shm_pool));
}

/* One line of a pool: what goes with the queues is in the first. */
static inline int dfx_pull_pool_line(struct dfx_host *host, u32 pool, u32 off)
{
	return host->io.ops->pull(&host->io, dfx_off_pool(host, pool) + off,
				  DFX_SHM_LINE);
}

#endif /* DFX_HOST_H */
