/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * lib_swim_gen.h - recordings of a swimlane, with tasks that the caller makes
 *
 * Cores and lanes of the profile a2a3. Frames are written through the library's
 * writer, a buffer whenever it is full, as a lane would.
 */
#ifndef DFX_LIB_SWIM_GEN_H
#define DFX_LIB_SWIM_GEN_H

#include <dfx/dfx.h>
#include <stdbool.h>
#include <stdio.h>

#define GEN_CORES	72
#define GEN_LANES	4
#define GEN_HZ		50000000ull	/* 20 ns a tick */
#define GEN_KINDS	4
#define GEN_POOLS	(2 * GEN_CORES + GEN_LANES + 1)
#define GEN_START_NS	1000000000ull
#define GEN_MAX_FREEZES	8

/* The seed's run. */
#define GEN_SEED_TASKS	1088

/**
 * struct gen_task - a task as both streams have it
 * @core: that ran it.
 * @id: register's id.
 * @dispatch: ticks, as the next.
 * @receive: when the core saw it.
 * @start: when it began.
 * @end: when it ended.
 * @finish: when the AICPU saw so.
 * @hide_aicore: the core has no row of it.
 * @hide_aicpu: the AICPU has none.
 */
struct gen_task {
	__u32 core;
	__u32 id;
	__u64 dispatch;
	__u64 receive;
	__u64 start;
	__u64 end;
	__u64 finish;
	bool hide_aicore;
	bool hide_aicpu;
};

/**
 * struct gen_pool - a pool under way
 * @info: its geometry.
 * @state: what the END frame will say.
 * @frame: header and records of the buffer being filled.
 * @count: records in it.
 */
struct gen_pool {
	struct dfx_pool_info info;
	struct dfx_pool_state state;
	unsigned char *frame;
	__u32 count;
};

/**
 * struct gen - a recording under way
 * @writer: where it goes.
 * @session: its SESSION frame's payload; may be changed before gen_open().
 * @pool: AICPU tasks by core, core tasks by core, scheduler phases by lane, the
 *	orchestrator's; likewise.
 * @incident: for the END frame.
 * @nr_incidents: their number.
 * @end_ns: of the END frame.
 * @time: ticks that the next buffer is published at.
 * @flags: of DATA frames, besides those that belong there.
 */
struct gen {
	struct dfx_writer *writer;
	struct dfx_session_info session;
	struct gen_pool pool[GEN_POOLS];
	struct dfx_incident incident[GEN_MAX_FREEZES];
	unsigned int nr_incidents;
	__u64 end_ns;
	__u64 time;
	__u32 flags;
};

void gen_init(struct gen *g);
void gen_open(struct gen *g, const char *path);
/* Records as they are, little-endian, into the pool's buffer. */
void gen_record(struct gen *g, unsigned int pool, const void *rec);
void gen_task(struct gen *g, const struct gen_task *t);
/* Publish what the pool has. */
void gen_flush(struct gen *g, unsigned int pool);
/* Publish all, and end the session unless it is to be @cut. */
void gen_close(struct gen *g, bool cut);

unsigned int gen_aicpu_pool(unsigned int core);
unsigned int gen_aicore_pool(unsigned int core);
unsigned int gen_sched_pool(unsigned int lane);
unsigned int gen_orch_pool(void);

/* Write upstream's file by hand. */
void gen_json(const char *path, const struct gen_task *t, unsigned int nr,
	      int level);

/*
 * GEN_SEED_TASKS tasks of 72 cores, those of a core in the order of time: 32
 * first switches, 581 steady ones and 403 waits, whose figures are those of the
 * seed's table.
 */
void gen_seed(struct gen_task *t);

#endif /* DFX_LIB_SWIM_GEN_H */
