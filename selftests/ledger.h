/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ledger.h - what of a session was received, by whichever consumer
 *
 * Checks each frame and every byte of every record and payload. A buffer that comes a second
 * time must say so and is not counted again; one that is missing is an error.
 * Has no pointers, so that it can lie in memory that processes share.
 */
#ifndef DFX_TEST_LEDGER_H
#define DFX_TEST_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <linux/dfx.h>

#include "fw.h"

/**
 * struct ledger_pool - receipts of one pool
 * @next_seq: of its next frame.
 * @records: records received.
 * @lost: records that frames said were lost.
 * @bytes: bytes of payloads received.
 * @truncated: payloads that were truncated.
 * @pos: byte of the arena that its next share begins with.
 * @wraps: shares that went over the end of the arena.
 */
struct ledger_pool {
	__u32 next_seq;
	__u64 records;
	__u64 lost;
	__u64 bytes;
	__u64 truncated;
	__u64 pos;
	__u64 wraps;
};

/**
 * struct ledger_share - a frame's share of its lane's arena
 * @info: as in the recording; all 0 without a share.
 * @data: its first bytes.
 * @first: their number; a payload does not go over the end of the arena.
 * @wrap: the rest.
 */
struct ledger_share {
	struct dfx_arena_info info;
	const unsigned char *data;
	__u64 first;
	const unsigned char *wrap;
};

/**
 * struct ledger - one session's receipts
 * @seed: of the reference firmware, whose records these are; 0: fw.h's.
 * @session: the session; 0 until the first frame.
 * @pools: by pool.
 * @frames: buffers received, each once.
 * @records: records in them.
 * @lost: records that frames said were lost before them.
 * @partial: buffers that were not full.
 * @redelivered: buffers that came again.
 * @recovered: buffers that a silent lane had left.
 * @started: a frame of the current recording was read.
 * @info_seen: a SESSION frame was read, in the current recording.
 * @info: its payload.
 * @end_seen: an END frame was read.
 * @end: its payload: head, lanes and pools.
 * @end_lanes: see @end.
 * @end_pools: see @end.
 * @time: of the last buffer, by lane.
 * @why: first complaint.
 */
struct ledger {
	__u64 seed;
	__u64 session;
	struct ledger_pool pools[FW_MAX_POOLS];
	__u64 frames;
	__u64 records;
	__u64 lost;
	__u64 partial;
	__u64 redelivered;
	__u64 recovered;
	bool started;
	bool info_seen;
	struct dfx_session_info info;
	bool end_seen;
	struct dfx_end_info end;
	struct dfx_lane_state end_lanes[FW_MAX_LANES];
	struct dfx_pool_state end_pools[FW_MAX_POOLS];
	__u64 time[FW_MAX_LANES];
	char why[160];
};

/* A DATA frame and its records: 0, or -1 with @why. @share may be NULL. */
int ledger_frame(struct ledger *l, const struct dfx_frame *f,
		 const void *records, const struct ledger_share *share);

/*
 * Bytes of a recording from the start of a frame. Returns how many belong to
 * whole frames, all of which were taken in; or -1 with @why.
 */
ssize_t ledger_stream(struct ledger *l, const void *bytes, size_t len);

/* What follows comes from another recording of the same session. */
void ledger_next_file(struct ledger *l);

#endif /* DFX_TEST_LEDGER_H */
