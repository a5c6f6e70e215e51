// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * swimlane.c - what the cores did between their tasks
 *
 * A core's tasks wait in its window, a list in the order of their starts, for the
 * AICPU's row of each. The earliest one is judged when its room is needed; only
 * then is it known what came before it and whether it has a partner. The AICPU's
 * rows that came first wait in a ring of as many.
 *
 * Task ids come again in time. Two rows with one id are one task twice if their
 * times overlap, and two tasks if they do not. Chains have the newest row first:
 * behind one of the same id that is over before another begins, all are.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "swimlane.h"

#define NONE	0xffffffffu

/**
 * struct task - a task in the window
 * @row: the core's row.
 * @dispatch: from the AICPU's row, if @joined.
 * @earlier: neighbour in the order of starts, NONE at the end.
 * @later: likewise.
 * @chain: next one of the same hash.
 * @joined: the AICPU's row has come.
 */
struct task {
	struct swim_task row;
	__u64 dispatch;
	__u32 earlier;
	__u32 later;
	__u32 chain;
	bool joined;
};

/**
 * struct stamp - a row of the AICPU that waits for its task
 * @row: it.
 * @chain: next one of the same hash.
 * @waits: its task has not come.
 */
struct stamp {
	struct swim_stamp row;
	__u32 chain;
	bool waits;
};

/**
 * struct core - one core
 * @task: window; NULL until the core's first row.
 * @task_hash: first task of each hash.
 * @nr: tasks in the window.
 * @earliest: ends of the list.
 * @latest: likewise.
 * @stamp: ring.
 * @stamp_hash: first stamp of each hash.
 * @nr_stamps: that were put into the ring, ever.
 * @lane: that it belongs to.
 * @busy: it had a task.
 * @judged: some task was judged.
 * @judged_start: start of the last one that was.
 * @follows: @end is that of a task which the next one follows.
 * @end: of the last task.
 * @switched: it had its first switch.
 */
struct core {
	struct task *task;
	__u32 *task_hash;
	__u32 nr;
	__u32 earliest;
	__u32 latest;
	struct stamp *stamp;
	__u32 *stamp_hash;
	__u32 nr_stamps;
	unsigned int lane;
	bool busy;
	bool judged;
	__u64 judged_start;
	bool follows;
	__u64 end;
	bool switched;
};

struct swimlane {
	__u32 window;
	const struct freezes *freezes;
	struct swim_result result;
	struct dist steady;
	struct dist prev_tail;
	struct dist setup;
	struct dist first;
	struct dist wait;
	struct dist frozen;
	struct core core[SWIM_MAX_CORES];
};

static const struct freezes no_freezes;

int swim_new(__u64 hz, __u32 window, const struct freezes *freezes,
	     struct swimlane **out)
{
	struct swimlane *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->window = window;
	s->freezes = freezes ? freezes : &no_freezes;
	s->result.hz = hz;
	s->result.freezes = s->freezes->total;
	s->result.placed = s->freezes->total && s->freezes->placed;
	*out = s;
	return 0;
}

void swim_free(struct swimlane *s)
{
	unsigned int i;

	if (!s)
		return;
	for (i = 0; i < SWIM_MAX_CORES; i++) {
		free(s->core[i].task);
		free(s->core[i].task_hash);
		free(s->core[i].stamp);
		free(s->core[i].stamp_hash);
	}
	dist_free(&s->steady);
	dist_free(&s->prev_tail);
	dist_free(&s->setup);
	dist_free(&s->first);
	dist_free(&s->wait);
	dist_free(&s->frozen);
	free(s);
}

void swim_fault(struct swimlane *s, enum swim_fault fault, unsigned int core,
		__u32 id)
{
	struct swim_finding *f = &s->result.fault[fault];

	if (!f->n++) {
		f->core = core;
		f->id = id;
	}
}

static unsigned int index_of(const struct swimlane *s, const struct core *c)
{
	return (unsigned int)(c - s->core);
}

/* The core, with room for its rows; NULL if there is no memory for it. */
static struct core *open_core(struct swimlane *s, unsigned int core,
			      unsigned int lane)
{
	struct core *c = &s->core[core];
	size_t n = s->window;

	if (c->stamp_hash)
		return c;
	c->lane = lane;
	c->earliest = NONE;
	c->latest = NONE;
	c->task = c->task ? c->task : malloc(n * sizeof(*c->task));
	c->task_hash = c->task_hash ? c->task_hash : malloc(n * sizeof(__u32));
	c->stamp = c->stamp ? c->stamp : calloc(n, sizeof(*c->stamp));
	if (!c->task || !c->task_hash || !c->stamp)
		return NULL;
	memset(c->task_hash, 0xff, n * sizeof(__u32));
	/* Last, since it says that the core is ready. */
	c->stamp_hash = malloc(n * sizeof(__u32));
	if (!c->stamp_hash)
		return NULL;
	memset(c->stamp_hash, 0xff, n * sizeof(__u32));
	return c;
}

static __u32 hash(const struct swimlane *s, __u32 id)
{
	return (id * 2654435761u >> 8) & (s->window - 1);
}

/* What a task occupies ends here, even if its counter ran backwards. */
static __u64 task_end(const struct swim_task *row)
{
	return row->end > row->start ? row->end : row->start;
}

/* ---------------- judging ------------------------------------------------ */

static void judge_switch(struct swimlane *s, struct core *c,
			 const struct task *t, __u64 gap)
{
	__u32 setup = t->row.receive_to_start;

	if (!c->switched) {
		c->switched = true;
		s->result.switch_cores++;
		dist_add(&s->first, (__s64)gap);
		return;
	}
	dist_add(&s->steady, (__s64)gap);
	dist_add(&s->prev_tail, (__s64)gap - setup);
	dist_add(&s->setup, setup);
}

static void judge_gap(struct swimlane *s, struct core *c,
		      const struct task *t)
{
	__u64 gap = t->row.start - c->end;

	if (t->row.start < c->end) {
		swim_fault(s, SWIM_OVERLAP, index_of(s, c), t->row.id);
	} else if (!t->joined) {
		s->result.unclassified++;
	} else if (t->dispatch < c->end) {
		judge_switch(s, c, t, gap);
	} else {
		dist_add(&s->wait, (__s64)gap);
		if (freezes_during(s->freezes, c->lane, c->end, t->row.start))
			dist_add(&s->frozen, (__s64)gap);
	}
}

static void judge(struct swimlane *s, struct core *c, const struct task *t)
{
	c->judged = true;
	c->judged_start = t->row.start;
	if (t->joined)
		s->result.joined++;
	else
		swim_fault(s, SWIM_NO_STAMP, index_of(s, c), t->row.id);
	if (t->row.end < t->row.start) {
		swim_fault(s, SWIM_BACKWARD, index_of(s, c), t->row.id);
		c->follows = false;
		return;
	}
	if (c->follows)
		judge_gap(s, c, t);
	c->follows = true;
	c->end = t->row.end;
}

/* ---------------- the window --------------------------------------------- */

static void unchain_task(const struct swimlane *s, struct core *c, __u32 i)
{
	__u32 *link = &c->task_hash[hash(s, c->task[i].row.id)];

	while (*link != i)
		link = &c->task[*link].chain;
	*link = c->task[i].chain;
}

/* Judge the earliest task; the place in the window that it leaves. */
static __u32 take_earliest(struct swimlane *s, struct core *c)
{
	__u32 i = c->earliest;

	judge(s, c, &c->task[i]);
	unchain_task(s, c, i);
	c->earliest = c->task[i].later;
	if (c->earliest == NONE)
		c->latest = NONE;
	else
		c->task[c->earliest].earlier = NONE;
	c->nr--;
	return i;
}

/* Put it behind the last one that began no later. */
static void link_task(struct core *c, __u32 i)
{
	struct task *t = &c->task[i];

	t->earlier = c->latest;
	while (t->earlier != NONE &&
	       c->task[t->earlier].row.start > t->row.start)
		t->earlier = c->task[t->earlier].earlier;
	if (t->earlier == NONE) {
		t->later = c->earliest;
		c->earliest = i;
	} else {
		t->later = c->task[t->earlier].later;
		c->task[t->earlier].later = i;
	}
	if (t->later == NONE)
		c->latest = i;
	else
		c->task[t->later].earlier = i;
}

/* Is it in the window already? */
static bool task_twice(const struct swimlane *s, const struct core *c,
		       const struct swim_task *row)
{
	__u32 i = c->task_hash[hash(s, row->id)];

	for (; i != NONE; i = c->task[i].chain) {
		const struct swim_task *other = &c->task[i].row;

		if (other->id != row->id)
			continue;
		if (other->start == row->start ||
		    (row->start < task_end(other) &&
		     other->start < task_end(row)))
			return true;
		if (task_end(other) <= row->start)
			break;
	}
	return false;
}

/* The earliest task that waits for this row of the AICPU. */
static struct task *find_task(const struct swimlane *s, const struct core *c,
			      const struct swim_stamp *row)
{
	__u32 i = c->task_hash[hash(s, row->id)];
	struct task *found = NULL;

	for (; i != NONE; i = c->task[i].chain) {
		struct task *t = &c->task[i];

		if (t->row.id != row->id)
			continue;
		/* One that had ended by then is an earlier one of this id. */
		if (task_end(&t->row) <= row->dispatch)
			break;
		if (!t->joined &&
		    (!found || t->row.start < found->row.start))
			found = t;
	}
	return found;
}

/* Has the task of this row a row of the AICPU already? */
static bool stamp_twice(const struct swimlane *s, const struct core *c,
			const struct swim_stamp *row)
{
	__u32 i = c->task_hash[hash(s, row->id)];

	for (; i != NONE; i = c->task[i].chain) {
		const struct task *t = &c->task[i];

		if (t->row.id != row->id)
			continue;
		if (task_end(&t->row) <= row->dispatch)
			break;
		if (t->joined)
			return true;
	}
	for (i = c->stamp_hash[hash(s, row->id)]; i != NONE;
	     i = c->stamp[i].chain) {
		const struct swim_stamp *other = &c->stamp[i].row;

		if (other->id != row->id)
			continue;
		if (other->dispatch == row->dispatch ||
		    (row->dispatch < other->finish &&
		     other->dispatch < row->finish))
			return true;
		if (other->finish <= row->dispatch)
			break;
	}
	return false;
}

static void unchain_stamp(const struct swimlane *s, struct core *c, __u32 i)
{
	__u32 *link = &c->stamp_hash[hash(s, c->stamp[i].row.id)];

	while (*link != i)
		link = &c->stamp[*link].chain;
	*link = c->stamp[i].chain;
	c->stamp[i].waits = false;
}

/* The earliest row of the AICPU that waits for this task. */
static __u32 find_stamp(const struct swimlane *s, const struct core *c,
			const struct swim_task *row)
{
	__u32 i = c->stamp_hash[hash(s, row->id)];
	__u32 found = NONE;

	for (; i != NONE; i = c->stamp[i].chain)
		if (c->stamp[i].row.id == row->id &&
		    c->stamp[i].row.dispatch < task_end(row) &&
		    (found == NONE || c->stamp[i].row.dispatch <
		     c->stamp[found].row.dispatch))
			found = i;
	return found;
}

/* Would its place be before tasks that were judged, or are about to be? */
static bool too_late(const struct swimlane *s, const struct core *c,
		     const struct swim_task *row)
{
	if (c->judged && row->start < c->judged_start)
		return true;
	return c->nr == s->window &&
	       row->start < c->task[c->earliest].row.start;
}

static void join(struct swimlane *s, struct core *c, struct task *t,
		 const struct swim_stamp *row)
{
	t->joined = true;
	t->dispatch = row->dispatch;
	s->result.inflated += freezes_inflated(s->freezes, c->lane,
					       task_end(&t->row), row->finish);
}

int swim_add_task(struct swimlane *s, unsigned int core, unsigned int lane,
		  const struct swim_task *row)
{
	struct core *c = open_core(s, core, lane);
	struct task *t;
	__u32 i, h;

	if (!c)
		return -ENOMEM;
	if (!row->start) {
		swim_fault(s, SWIM_ZERO_START, core, row->id);
		return 0;
	}
	if (task_twice(s, c, row)) {
		swim_fault(s, SWIM_TWICE, core, row->id);
		return 0;
	}
	if (too_late(s, c, row)) {
		swim_fault(s, SWIM_LATE, core, row->id);
		return 0;
	}
	s->result.cores += !c->busy;
	c->busy = true;
	s->result.tasks++;
	if (c->latest != NONE && row->start < c->task[c->latest].row.start)
		swim_fault(s, SWIM_DISORDER, core, row->id);
	/* Nothing leaves a window that is not full. */
	i = c->nr < s->window ? c->nr : take_earliest(s, c);
	h = hash(s, row->id);
	t = &c->task[i];
	*t = (struct task){ .row = *row, .chain = c->task_hash[h] };
	c->task_hash[h] = i;
	link_task(c, i);
	c->nr++;

	i = find_stamp(s, c, row);
	if (i != NONE) {
		join(s, c, t, &c->stamp[i].row);
		unchain_stamp(s, c, i);
	}
	return 0;
}

int swim_add_stamp(struct swimlane *s, unsigned int core, unsigned int lane,
		   const struct swim_stamp *row)
{
	struct core *c = open_core(s, core, lane);
	struct stamp *w;
	struct task *t;
	__u32 i, h;

	if (!c)
		return -ENOMEM;
	if (row->finish < row->dispatch)
		swim_fault(s, SWIM_BACKWARD, core, row->id);
	t = find_task(s, c, row);
	if (!t && stamp_twice(s, c, row)) {
		swim_fault(s, SWIM_TWICE, core, row->id);
		return 0;
	}
	s->result.stamps++;
	if (t) {
		join(s, c, t, row);
		return 0;
	}
	i = c->nr_stamps++ & (s->window - 1);
	w = &c->stamp[i];
	if (w->waits) {
		swim_fault(s, SWIM_NO_TASK, core, w->row.id);
		unchain_stamp(s, c, i);
	}
	h = hash(s, row->id);
	*w = (struct stamp){
		.row = *row,
		.chain = c->stamp_hash[h],
		.waits = true,
	};
	c->stamp_hash[h] = i;
	return 0;
}

/* ---------------- the end ------------------------------------------------ */

static void close_core(struct swimlane *s, struct core *c)
{
	__u32 i;

	while (c->earliest != NONE)
		take_earliest(s, c);
	for (i = 0; i < s->window; i++)
		if (c->stamp[i].waits)
			swim_fault(s, SWIM_NO_TASK, index_of(s, c),
				   c->stamp[i].row.id);
}

static struct swim_group group(struct dist *d, __u64 hz)
{
	double us = 1e6 / (double)hz;

	return (struct swim_group){
		.n = d->n,
		.mean = dist_mean(d) * us,
		.p50 = dist_quantile(d, 50) * us,
		.p90 = dist_quantile(d, 90) * us,
		.p99 = dist_quantile(d, 99) * us,
	};
}

int swim_finish(struct swimlane *s, struct swim_result *out)
{
	__u64 hz = s->result.hz;
	unsigned int i;

	for (i = 0; i < SWIM_MAX_CORES; i++)
		if (s->core[i].stamp_hash)
			close_core(s, &s->core[i]);
	*out = s->result;
	out->steady = group(&s->steady, hz);
	out->prev_tail = group(&s->prev_tail, hz);
	out->setup = group(&s->setup, hz);
	out->first = group(&s->first, hz);
	out->wait = group(&s->wait, hz);
	out->frozen = group(&s->frozen, hz);
	if (s->steady.failed || s->prev_tail.failed || s->setup.failed ||
	    s->first.failed || s->wait.failed || s->frozen.failed)
		return -ENOMEM;
	return 0;
}
