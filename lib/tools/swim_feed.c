// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * swim_feed.c - the swimlanes of recordings
 *
 * The END frame, with the freezes, comes last, and is needed first: recordings
 * are read twice.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "swim_faults.h"
#include "swim_feed.h"
#include "walk.h"

/* Two buffers of either stream: they are published within one of each other. */
#define WINDOW_BUFFERS	2

/**
 * struct feed - a session's swimlane while it is filled
 * @swim: NULL if it has none.
 * @freezes: of the session.
 */
struct feed {
	struct swimlane *swim;
	struct freezes freezes;
};

bool session_has_swimlane(const struct session *s)
{
	return s->info.subsys == DFX_SUBSYS_L2_SWIMLANE;
}

__u32 swim_record_size(__u32 kind)
{
	switch (kind) {
	case DFX_KIND_AICPU_TASK:
		return sizeof(struct dfx_rec_aicpu_task);
	case DFX_KIND_SCHED_PHASE:
		return sizeof(struct dfx_rec_sched_phase);
	case DFX_KIND_ORCH_PHASE:
		return sizeof(struct dfx_rec_orch_phase);
	case DFX_KIND_AICORE_TASK:
		return sizeof(struct dfx_rec_aicore_task);
	default:
		return 0;
	}
}

/* Records of this pool can be read as what they say they are. */
static bool readable(const struct dfx_pool_info *pool)
{
	return pool->record_size == swim_record_size(pool->kind) &&
	       pool->instance < SWIM_MAX_CORES;
}

void swim_check(const struct session *s, struct problems *p)
{
	unsigned int i;

	if (s->info.level > SWIM_MAX_LEVEL)
		problem(p, PROBLEM_TASK,
			"session %llu: level %u is not known; it is read as level %u",
			s->info.session, s->info.level, SWIM_MAX_LEVEL);
	if (!s->info.counter_hz)
		problem(p, PROBLEM_TASK,
			"session %llu: the frequency of its counter is missing; its times are left out",
			s->info.session);
	for (i = 0; i < s->info.nr_pools; i++) {
		const struct dfx_pool_info *pool = &s->pool_info[i];

		if (!swim_record_size(pool->kind))
			problem(p, PROBLEM_TASK,
				"session %llu: kind %u of pool %u is not known; its records are left out",
				s->info.session, pool->kind, i);
		else if (!readable(pool))
			problem(p, PROBLEM_TASK,
				"session %llu: pool %u has records of %u bytes for instance %u, which its kind cannot have; they are left out",
				s->info.session, i, pool->record_size,
				pool->instance);
	}
}

static __u32 window_of(const struct session *s)
{
	__u32 window = SWIM_WINDOW;
	unsigned int i;

	for (i = 0; i < s->info.nr_pools; i++) {
		__u32 kind = s->pool_info[i].kind;

		if (kind != DFX_KIND_AICPU_TASK && kind != DFX_KIND_AICORE_TASK)
			continue;
		while (window / WINDOW_BUFFERS < s->pool_info[i].capacity &&
		       window < 1u << 30)
			window *= 2;
	}
	return window;
}

static int feed_tasks(struct swimlane *swim, unsigned int core,
		      const struct dfx_view *view)
{
	const char *at = view->data;
	struct dfx_rec_aicore_task rec;
	__u32 i;
	int ret = 0;

	for (i = 0; i < view->head.count && !ret; i++, at += sizeof(rec)) {
		struct swim_task row;

		memcpy(&rec, at, sizeof(rec));
		row.start = le64toh(rec.start_time);
		row.end = le64toh(rec.end_time);
		row.id = le32toh(rec.reg_task_id);
		row.receive_to_start = le32toh(rec.receive_to_start);
		ret = swim_add_task(swim, core, view->head.lane, &row);
	}
	return ret;
}

static int feed_stamps(struct swimlane *swim, unsigned int core,
		       const struct dfx_view *view)
{
	const char *at = view->data;
	struct dfx_rec_aicpu_task rec;
	__u32 i;
	int ret = 0;

	for (i = 0; i < view->head.count && !ret; i++, at += sizeof(rec)) {
		struct swim_stamp row;

		memcpy(&rec, at, sizeof(rec));
		row.dispatch = le64toh(rec.dispatch_time);
		row.finish = le64toh(rec.finish_time);
		row.id = le32toh(rec.reg_task_id);
		ret = swim_add_stamp(swim, core, view->head.lane, &row);
	}
	return ret;
}

/**
 * struct feeds - all of them
 * @set: sessions.
 * @feed: by session.
 */
struct feeds {
	const struct sessions *set;
	struct feed *feed;
};

static int take(void *arg, unsigned int session, const struct dfx_view *view)
{
	struct feeds *f = arg;
	const struct dfx_pool_info *pool;

	pool = &f->set->session[session].pool_info[view->head.pool];
	if (!f->feed[session].swim || !readable(pool))
		return 0;
	if (pool->kind == DFX_KIND_AICORE_TASK)
		return feed_tasks(f->feed[session].swim, pool->instance, view);
	if (pool->kind == DFX_KIND_AICPU_TASK)
		return feed_stamps(f->feed[session].swim, pool->instance, view);
	return 0;
}

static int open_feed(const struct session *s, struct feed *feed,
		     struct problems *p)
{
	int ret;

	if (!session_has_swimlane(s))
		return 0;
	swim_check(s, p);
	if (!s->info.counter_hz)
		return 0;
	ret = freezes_init(&feed->freezes, s);
	if (ret)
		return ret;
	return swim_new(s->info.counter_hz, window_of(s), &feed->freezes,
			&feed->swim);
}

static int close_feed(const struct session *s, struct feed *feed,
		      struct swim_result *result, struct problems *p)
{
	char name[48];
	int ret = swim_finish(feed->swim, result);

	if (ret)
		return ret;
	snprintf(name, sizeof(name), "session %llu", s->info.session);
	/* A device may well write one of the streams only. */
	swim_say_faults(result, name, result->tasks && result->stamps, p);
	return 0;
}

int swim_results(const struct sessions *set, struct swim_result *results,
		 struct problems *p)
{
	struct feeds f = { .set = set };
	struct walk walk = { .buffer = take, .arg = &f };
	unsigned int i, nr = 0;
	int ret = 0;

	f.feed = calloc(set->nr ? set->nr : 1, sizeof(*f.feed));
	if (!f.feed)
		return -ENOMEM;
	for (i = 0; i < set->nr && !ret; i++) {
		ret = open_feed(&set->session[i], &f.feed[i], p);
		nr += !!f.feed[i].swim;
	}
	if (!ret && nr)
		ret = walk_buffers(set, &walk, p);
	for (i = 0; i < set->nr; i++) {
		if (!ret && f.feed[i].swim)
			ret = close_feed(&set->session[i], &f.feed[i],
					 &results[i], p);
		swim_free(f.feed[i].swim);
		freezes_free(&f.feed[i].freezes);
	}
	free(f.feed);
	return ret;
}
