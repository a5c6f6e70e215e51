/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena_world.h - a world whose records have payloads
 *
 * Every byte of a payload follows from its place in the lane's arena, so that a
 * payload that was overwritten, cut or taken from elsewhere shows.
 */
#ifndef DFX_ARENA_WORLD_H
#define DFX_ARENA_WORLD_H

#include "harness.h"

/* The smallest arena that there is. */
#define ARENA_KB	4
#define ARENA_BYTES	(ARENA_KB * 1024u)
#define ARENA_UNITS	(ARENA_BYTES / DFX_ARENA_UNIT)

/**
 * struct arena_check - what the consumer has seen of one lane
 * @pos: unit behind the last share.
 * @number: records.
 * @truncated: of these, truncated.
 * @lost: records that frames tell of as lost.
 * @wraps: shares that went over the end of the arena.
 * @bad: bytes, ranges or records that are wrong.
 */
struct arena_check {
	u64 pos;
	u64 number;
	u64 truncated;
	u64 lost;
	u64 wraps;
	u64 bad;
};

/* A tensor_dump region with arenas of ARENA_BYTES and the driver's predicate. */
struct world *arena_world_new(u32 lanes, const struct dfx_limits *limits,
			      bool shadow);

/* Producer: a record and its payload, or NULL as dfx_dev_reserve_payload(). */
void *arena_put(struct dfx_dev_lane *lane, u64 size, u64 budget);
/* Sizes that are different each time, 0 to @max. */
u64 arena_size(u64 n, u64 max);

/* Consumer: is all of a HELD buffer, and its share, what the lane wrote? */
void arena_check(struct world *w, u32 id, struct arena_check *c);

#endif /* DFX_ARENA_WORLD_H */
