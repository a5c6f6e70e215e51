/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * swimlane.h - what the cores did between their tasks
 *
 * A core writes when it received, began and ended a task, the AICPU when it
 * dispatched it and saw its end. Both are joined by core and task id. Then, in
 * the order of a core's tasks, start(K+1) - end(K) is a gap: a switch if the next
 * task was dispatched before the last one had ended, a wait otherwise.
 *
 * Rows may come from both streams in any mixture. Of each core the last rows of
 * either stream are kept, as many as the window says, so that memory does not
 * grow: a row whose partner, or whose place in the order, lies further away than
 * that is counted as such.
 */
#ifndef DFX_SWIMLANE_H
#define DFX_SWIMLANE_H

#include "dist.h"
#include "freezes.h"

#define SWIM_MAX_CORES	512
/* The highest level of detail: all four kinds. */
#define SWIM_MAX_LEVEL	4u
#define SWIM_WINDOW	2048	/* rows; the least */

/**
 * struct swim_task - the core's own row; times in ticks
 * @start: when the task began; 0 in a row that was never written.
 * @end: when it ended.
 * @id: joins it with the AICPU's row.
 * @receive_to_start: from the core's seeing the task to @start.
 */
struct swim_task {
	__u64 start;
	__u64 end;
	__u32 id;
	__u32 receive_to_start;
};

/**
 * struct swim_stamp - the AICPU's row; times in ticks
 * @dispatch: when it gave the task to the core.
 * @finish: when it saw its end.
 * @id: as in the core's row.
 */
struct swim_stamp {
	__u64 dispatch;
	__u64 finish;
	__u32 id;
};

/* What can be wrong with rows. */
enum swim_fault {
	SWIM_NO_STAMP,		/* the AICPU has no row of a task */
	SWIM_NO_TASK,		/* the core has no row of a task */
	SWIM_TWICE,		/* a task is in one stream twice */
	SWIM_ZERO_START,	/* the core's row was never written */
	SWIM_DISORDER,		/* rows of a core not in the order of time */
	SWIM_LATE,		/* so far from its place that it is left out */
	SWIM_BACKWARD,		/* a task ended before it began */
	SWIM_OVERLAP,		/* a task began before the last had ended */
	SWIM_NR_FAULT
};

/**
 * struct swim_finding - how often, and where first
 * @n: how often.
 * @core: of the first.
 * @id: of the first.
 */
struct swim_finding {
	__u64 n;
	__u32 core;
	__u32 id;
};

/**
 * struct swim_group - a distribution's figures, in microseconds
 * @n: values; the rest is 0 if there are none.
 * @mean: exact.
 * @p50: by nearest rank, as are the next; see dist.h for how exact.
 * @p90: likewise.
 * @p99: likewise.
 */
struct swim_group {
	__u64 n;
	double mean;
	double p50;
	double p90;
	double p99;
};

/**
 * struct swim_result - what came of it
 * @hz: ticks in a second.
 * @cores: with at least one task.
 * @switch_cores: with at least one switch.
 * @tasks: rows of cores, each task once.
 * @stamps: rows of the AICPU, likewise.
 * @joined: tasks that have both.
 * @steady: switches, without each core's first.
 * @prev_tail: of these, from the last end to the receipt of the next task;
 *	negative if a core received it before.
 * @setup: of these, from there to its start.
 * @first: the first switch in time of each core.
 * @wait: gaps in which the core had nothing to do.
 * @frozen: of these, those during which the core's lane was in a freeze.
 * @unclassified: gaps before a task without the AICPU's row.
 * @inflated: tasks whose end the AICPU saw late because of a freeze.
 * @freezes: of the session; 0 where there is none.
 * @placed: they have a place among the records; see freezes.h.
 * @fault: by SWIM_*.
 */
struct swim_result {
	__u64 hz;
	unsigned int cores;
	unsigned int switch_cores;
	__u64 tasks;
	__u64 stamps;
	__u64 joined;
	struct swim_group steady;
	struct swim_group prev_tail;
	struct swim_group setup;
	struct swim_group first;
	struct swim_group wait;
	struct swim_group frozen;
	__u64 unclassified;
	__u64 inflated;
	__u64 freezes;
	bool placed;
	struct swim_finding fault[SWIM_NR_FAULT];
};

struct swimlane;

/*
 * @hz is at least 1, @window at least 1 and a power of two. @freezes may be NULL
 * and must outlive the swimlane. -ENOMEM.
 */
int swim_new(__u64 hz, __u32 window, const struct freezes *freezes,
	     struct swimlane **out);
void swim_free(struct swimlane *s);
/* @core is below SWIM_MAX_CORES; @lane is the one that it belongs to. -ENOMEM. */
int swim_add_task(struct swimlane *s, unsigned int core, unsigned int lane,
		  const struct swim_task *row);
int swim_add_stamp(struct swimlane *s, unsigned int core, unsigned int lane,
		   const struct swim_stamp *row);
/* Count what the caller has found. */
void swim_fault(struct swimlane *s, enum swim_fault fault, unsigned int core,
		__u32 id);
/* No row will follow. -ENOMEM. */
int swim_finish(struct swimlane *s, struct swim_result *out);

#endif /* DFX_SWIMLANE_H */
