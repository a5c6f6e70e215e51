/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sessions.h - files of frames, put together to sessions
 *
 * A session may be spread over several files, and a file may hold several
 * sessions. What lies between a SESSION frame and the next is a part: what one
 * consumer was given.
 */
#ifndef DFX_SESSIONS_H
#define DFX_SESSIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "problems.h"
#include "totals.h"

/**
 * struct payload_sum - payloads of records
 * @records: records that have one.
 * @bytes: bytes of them that are there.
 * @truncated: payloads that are shorter than what they stand for.
 */
struct payload_sum {
	__u64 records;
	__u64 bytes;
	__u64 truncated;
};

/**
 * struct buffer_ref - a DATA frame
 * @seq: its sequence.
 * @count: its records.
 * @flags: DFX_FRAME_*.
 * @len: bytes of payload.
 * @lost: records lost before it.
 * @time: when it was published.
 * @offset: of its payload.
 * @arena: its share of the lane's arena.
 * @file: index of the file.
 */
struct buffer_ref {
	__u32 seq;
	__u32 count;
	__u32 flags;
	__u32 len;
	__u64 lost;
	__u64 time;
	__u64 offset;
	struct dfx_arena_info arena;
	unsigned int file;
};

/**
 * struct part_pool - what a part has of a pool
 * @records: in DATA frames.
 * @buffers: DATA frames.
 * @first_seq: of the first of them.
 * @last_seq: of the last.
 */
struct part_pool {
	__u64 records;
	__u64 buffers;
	__u32 first_seq;
	__u32 last_seq;
};

/**
 * struct part - what one consumer was given
 * @file: index of the file.
 * @lanes_here: its lanes.
 * @ended: it has an END frame, from which @end is.
 * @checked: frames whose checksum is right.
 * @unchecked: frames that carry none.
 * @pools: by pool.
 * @end: by pool.
 */
struct part {
	unsigned int file;
	__u64 lanes_here;
	bool ended;
	__u64 checked;
	__u64 unchecked;
	struct part_pool *pools;
	struct dfx_pool_state *end;
};

/**
 * struct pool_refs - all of a pool's DATA frames, in the order they were read
 * @ref: the frames.
 * @nr: their number.
 * @cap: room.
 */
struct pool_refs {
	struct buffer_ref *ref;
	size_t nr;
	size_t cap;
};

/**
 * struct session - one session
 * @info: from its first SESSION frame.
 * @pool_info: likewise.
 * @parts: who got what.
 * @nr_parts: their number.
 * @lanes_here: lanes of all parts.
 * @ended: some part has an END frame.
 * @end: from an END frame.
 * @lanes: likewise.
 * @nr_lanes: their number.
 * @pools: each from the latest END frame.
 * @incidents: from an END frame, @end.nr_incidents of them.
 * @refs: by pool; only if the set was asked to keep them.
 * @records: in DATA frames, redelivered ones counted twice.
 * @bytes: of them.
 * @lost: that DATA frames tell of, likewise.
 * @first_time: of all DATA frames the earliest time, if there is one.
 * @last_time: likewise the latest.
 * @payload: of the records, likewise.
 */
struct session {
	struct dfx_session_info info;
	struct dfx_pool_info *pool_info;
	struct part *parts;
	unsigned int nr_parts;
	__u64 lanes_here;
	bool ended;
	struct dfx_end_info end;
	struct dfx_lane_state *lanes;
	unsigned int nr_lanes;
	struct dfx_pool_state *pools;
	struct dfx_incident *incidents;
	struct pool_refs *refs;
	__u64 records;
	__u64 bytes;
	__u64 lost;
	__u64 first_time;
	__u64 last_time;
	struct payload_sum payload;
};

/**
 * struct sessions - all that was read
 * @keep_refs: keep each pool's DATA frames.
 * @data: called for each DATA frame that fits its session, which is number
 *	@session of the set; an error ends the reading. NULL for nothing.
 * @arg: its first argument.
 * @session: in the order of their first frames.
 * @nr: their number.
 * @path: of each file.
 * @nr_files: their number.
 */
struct sessions {
	bool keep_refs;
	int (*data)(void *arg, unsigned int session,
		    const struct dfx_view *view);
	void *arg;
	struct session *session;
	unsigned int nr;
	char **path;
	unsigned int nr_files;
};

/*
 * Read a file, or the files whose names end in .dfx of a directory. What is
 * wrong with them goes to @p; -errno if one cannot be read at all.
 */
int sessions_read(struct sessions *set, const char *path, struct problems *p);
/* Recordings in a directory, as sessions_read() would find them; -errno. */
int sessions_count(const char *dir);
void sessions_free(struct sessions *set);
/* Do the session's records have payloads? */
bool session_has_payloads(const struct session *s);
/* Does the pool's lane belong to one of the session's parts? */
bool session_has_pool(const struct session *s, unsigned int pool);
/* From END frames, or from what is there if there is none. */
void session_totals(const struct session *s, struct totals *t);

#endif /* DFX_SESSIONS_H */
