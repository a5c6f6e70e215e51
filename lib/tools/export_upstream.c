// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * export_upstream.c - a swimlane as the file that upstream's tools read
 *
 * The file has one array after the other, a recording all kinds mixed: it is read
 * once for each array, so that no rows have to be kept.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "export_upstream.h"
#include "json.h"
#include "swim_feed.h"
#include "walk.h"

/* Levels from which on the two kinds of phases are in the file. */
#define LEVEL_SCHED	3
#define LEVEL_ORCH	4

/* A third of the cores, the first, are cubes; two vectors go with each. */
#define CORES_PER_CUBE	3

#define KIND_DISPATCH	1

/* By &struct dfx_rec_sched_phase.kind. */
static const char *const phase_names[] = {
	[0] = "complete",
	[KIND_DISPATCH] = "dispatch",
	[2] = "release",
	[4] = "dummy",
	[5] = "early_dispatch",
	[6] = "resolve",
	[7] = "dummy_task",
	[8] = "drain",
	[9] = "drain_prepare",
	[10] = "drain_publish",
	[11] = "async_poll",
	[12] = "predicated_skip",
	[13] = "graph_prepare",
};

/**
 * struct export - one array under way
 * @set: sessions.
 * @session: which of them.
 * @kind: of the records that go into the array.
 * @instance: likewise; -1 for all.
 * @json: the file.
 * @unwritten: records of cores that were never written.
 * @unnamed: phases of a kind that has no name.
 */
struct export {
	const struct sessions *set;
	unsigned int session;
	__u32 kind;
	int instance;
	struct json json;
	__u64 unwritten;
	__u64 unnamed;
};

static void put_task(struct export *e, __u32 core, const char *at)
{
	struct dfx_rec_aicore_task rec;
	struct json *j = &e->json;

	memcpy(&rec, at, sizeof(rec));
	if (!rec.start_time) {
		e->unwritten++;
		return;
	}
	json_array(j, NULL);
	json_u64(j, NULL, core);
	json_u64(j, NULL, le64toh(rec.task_token));
	json_u64(j, NULL, le32toh(rec.reg_task_id));
	json_u64(j, NULL, le64toh(rec.start_time));
	json_u64(j, NULL, le64toh(rec.end_time));
	json_u64(j, NULL, le32toh(rec.receive_to_start));
	json_array_end(j);
}

static void put_stamp(struct export *e, __u32 core, const char *at)
{
	struct dfx_rec_aicpu_task rec;
	struct json *j = &e->json;

	memcpy(&rec, at, sizeof(rec));
	json_array(j, NULL);
	json_u64(j, NULL, core);
	json_u64(j, NULL, le32toh(rec.reg_task_id));
	json_u64(j, NULL, le64toh(rec.dispatch_time));
	json_u64(j, NULL, le64toh(rec.finish_time));
	json_array_end(j);
}

static void put_depths(struct json *j, const char *key, const __le16 depth[3])
{
	int i;

	json_array(j, key);
	for (i = 0; i < 3; i++)
		json_s64(j, NULL, (__s16)le16toh(depth[i]));
	json_array_end(j);
}

static void put_sched(struct export *e, const char *at)
{
	struct dfx_rec_sched_phase rec;
	struct json *j = &e->json;
	__u32 kind;

	memcpy(&rec, at, sizeof(rec));
	kind = le32toh(rec.kind);
	if (kind >= sizeof(phase_names) / sizeof(*phase_names) ||
	    !phase_names[kind]) {
		e->unnamed++;
		return;
	}
	json_object(j, NULL);
	json_string(j, "kind", phase_names[kind]);
	json_u64(j, "start_cycles", le64toh(rec.start_time));
	json_u64(j, "end_cycles", le64toh(rec.end_time));
	json_u64(j, "loop_iter", le32toh(rec.loop_iter));
	json_u64(j, "tasks_processed", le32toh(rec.tasks_processed));
	if (kind == KIND_DISPATCH) {
		json_u64(j, "pop_hit", le32toh(rec.extra[0]));
		json_u64(j, "pop_miss", le32toh(rec.extra[1]));
	} else {
		json_u64(j, "task_id", (__u64)le32toh(rec.extra[1]) << 32 |
			 le32toh(rec.extra[0]));
	}
	put_depths(j, "shared_at_start", rec.depth_at_start);
	put_depths(j, "shared_at_end", rec.depth_at_end);
	json_object_end(j);
}

static void put_orch(struct export *e, const char *at)
{
	struct dfx_rec_orch_phase rec;
	struct json *j = &e->json;

	memcpy(&rec, at, sizeof(rec));
	json_object(j, NULL);
	json_u64(j, "submit_idx", le32toh(rec.submit_idx));
	json_u64(j, "task_id", le64toh(rec.task_id));
	json_u64(j, "start_cycles", le64toh(rec.start_time));
	json_u64(j, "end_cycles", le64toh(rec.end_time));
	json_object_end(j);
}

static int take(void *arg, unsigned int session, const struct dfx_view *view)
{
	struct export *e = arg;
	const struct dfx_pool_info *pool;
	const char *at = view->data;
	__u32 i;

	pool = &e->set->session[session].pool_info[view->head.pool];
	if (session != e->session || pool->kind != e->kind ||
	    pool->record_size != swim_record_size(pool->kind) ||
	    (e->instance >= 0 && pool->instance != (__u32)e->instance))
		return 0;
	for (i = 0; i < view->head.count; i++, at += pool->record_size) {
		if (pool->kind == DFX_KIND_AICORE_TASK)
			put_task(e, pool->instance, at);
		else if (pool->kind == DFX_KIND_AICPU_TASK)
			put_stamp(e, pool->instance, at);
		else if (pool->kind == DFX_KIND_SCHED_PHASE)
			put_sched(e, at);
		else
			put_orch(e, at);
	}
	return ferror(e->json.out) ? -EIO : 0;
}

/* All records of a kind, or of one instance of it, as one array. */
static int put_array(struct export *e, const char *key, __u32 kind,
		     int instance, struct problems *p)
{
	struct walk walk = { .buffer = take, .arg = e };
	int ret;

	e->kind = kind;
	e->instance = instance;
	json_array(&e->json, key);
	ret = walk_buffers(e->set, &walk, p);
	json_array_end(&e->json);
	return ret;
}

/* An array of arrays, one for each instance of the kind. */
static int put_phases(struct export *e, const char *key, __u32 kind,
		      struct problems *p)
{
	const struct session *s = &e->set->session[e->session];
	unsigned int i;
	int ret = 0;

	json_array(&e->json, key);
	for (i = 0; i < s->info.nr_pools && !ret; i++)
		if (s->pool_info[i].kind == kind)
			ret = put_array(e, NULL, kind,
					(int)s->pool_info[i].instance, p);
	json_array_end(&e->json);
	return ret;
}

static void put_metadata(struct json *j, const struct session *s)
{
	unsigned int core, i;

	json_object(j, "metadata");
	json_u64(j, "clock_freq_hz", s->info.counter_hz);
	json_u64(j, "num_cores", s->info.nr_cores);
	json_array(j, "core_types");
	for (core = 0; core < s->info.nr_cores; core++)
		json_string(j, NULL, core < s->info.nr_cores / CORES_PER_CUBE ?
			    "aic" : "aiv");
	json_array_end(j);
	json_array(j, "core_to_thread");
	for (core = 0; core < s->info.nr_cores; core++) {
		int thread = -1;

		for (i = 0; i < s->info.nr_pools && thread < 0; i++) {
			const struct dfx_pool_info *pool = &s->pool_info[i];

			if ((pool->kind == DFX_KIND_AICPU_TASK ||
			     pool->kind == DFX_KIND_AICORE_TASK) &&
			    pool->instance == core)
				thread = (int)pool->lane;
		}
		json_s64(j, NULL, thread);
	}
	json_array_end(j);
	json_object_end(j);
}

static void say_left_out(const struct export *e, struct problems *p)
{
	if (e->unwritten)
		problem(p, PROBLEM_TASK,
			"%llu records of cores were never written (start 0); they are left out",
			e->unwritten);
	if (e->unnamed)
		problem(p, PROBLEM_TASK,
			"%llu scheduler phases are of a kind that is not known; they are left out",
			e->unnamed);
}

int export_upstream(const struct sessions *set, unsigned int session,
		    FILE *out, struct problems *p)
{
	const struct session *s = &set->session[session];
	struct export e = {
		.set = set,
		.session = session,
		.json.out = out,
	};
	/* The order of buffers is looked at once, not for each array. */
	struct problems silent = { 0 };
	struct json *j = &e.json;
	int ret;

	json_object(j, NULL);
	json_u64(j, "chip_swimlane_level", s->info.level);
	put_metadata(j, s);
	ret = put_array(&e, "aicore_tasks", DFX_KIND_AICORE_TASK, -1, p);
	if (!ret)
		ret = put_array(&e, "aicpu_tasks", DFX_KIND_AICPU_TASK, -1,
				&silent);
	if (!ret && s->info.level >= LEVEL_SCHED)
		ret = put_phases(&e, "aicpu_scheduler_phases",
				 DFX_KIND_SCHED_PHASE, &silent);
	if (!ret && s->info.level >= LEVEL_ORCH)
		ret = put_phases(&e, "aicpu_orchestrator_phases",
				 DFX_KIND_ORCH_PHASE, &silent);
	json_object_end(j);
	putc('\n', out);
	if (!ret)
		say_left_out(&e, p);
	return ret;
}
