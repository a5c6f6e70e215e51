// SPDX-License-Identifier: GPL-2.0-only
/*
 * check_swim.c - does a recording of workload=swim have every task, once, twofold?
 *
 * Of each session: no record without a start, none twice, each pool's sequence
 * complete, and for each task of the lane's records one of the core's, and the
 * other way round, on (core, reg_task_id).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

/* Lines about single errors; beyond, only the sum tells. */
#define MAX_COMPLAINTS	20

enum side { BY_LANE, BY_CORE, NR_SIDES };

/**
 * struct session - one session, from all files
 * @next: another one.
 * @id: its id.
 * @nr_pools: elements of what follows.
 * @info: geometry, as the SESSION frame has it.
 * @next_seq: sequence of the pool's next frame.
 * @keys: core << 32 | reg_task_id, of each side.
 * @nr: how many.
 * @room: elements allocated.
 */
struct session {
	struct session *next;
	uint64_t id;
	uint32_t nr_pools;
	struct dfx_pool_info *info;
	uint32_t *next_seq;
	uint64_t *keys[NR_SIDES];
	size_t nr[NR_SIDES];
	size_t room[NR_SIDES];
};

static struct session *sessions;
static uint64_t nr_records, nr_phases, nr_wrong, nr_lost, nr_joined;

static void wrong(const struct session *s, const char *what, uint64_t core,
		  uint64_t task)
{
	if (nr_wrong++ < MAX_COMPLAINTS)
		fprintf(stderr, "session %#llx: %s: core or pool %llu, task or seq %llu\n",
			s ? (unsigned long long)s->id : 0, what,
			(unsigned long long)core, (unsigned long long)task);
}

static void *must(void *p)
{
	if (!p) {
		fputs("out of memory\n", stderr);
		exit(1);
	}
	return p;
}

static struct session *find(uint64_t id)
{
	struct session *s;

	for (s = sessions; s && s->id != id; s = s->next)
		;
	return s;
}

static void session_add(const struct dfx_frame *f,
			const struct dfx_session_info *info)
{
	struct session *s;
	uint32_t i;

	if (f->len < sizeof(*info) || f->len < info->info_size ||
	    (f->len - info->info_size) / sizeof(struct dfx_pool_info) <
	    info->nr_pools || info->pool_size != sizeof(struct dfx_pool_info)) {
		wrong(NULL, "a session that cannot be", 0, 0);
		return;
	}
	if (info->subsys != DFX_SUBSYS_L2_SWIMLANE || find(f->session))
		return;
	s = must(calloc(1, sizeof(*s)));
	s->id = f->session;
	s->nr_pools = info->nr_pools;
	s->info = must(calloc(s->nr_pools, sizeof(*s->info)));
	s->next_seq = must(calloc(s->nr_pools, sizeof(*s->next_seq)));
	for (i = 0; i < s->nr_pools; i++)
		memcpy(&s->info[i], (const char *)info + info->info_size +
		       i * sizeof(*s->info), sizeof(*s->info));
	s->next = sessions;
	sessions = s;
}

static void key_add(struct session *s, enum side by, uint64_t key)
{
	if (s->nr[by] == s->room[by]) {
		s->room[by] = s->room[by] ? 2 * s->room[by] : 4096;
		s->keys[by] = must(realloc(s->keys[by], s->room[by] *
					   sizeof(key)));
	}
	s->keys[by][s->nr[by]++] = key;
}

static void record_add(struct session *s, const struct dfx_frame *f,
		       const void *rec)
{
	uint64_t core = s->info[f->pool].instance;
	const struct dfx_rec_aicpu_task *cpu = rec;
	const struct dfx_rec_aicore_task *own = rec;
	const struct dfx_rec_sched_phase *phase = rec;

	switch (f->kind) {
	case DFX_KIND_AICPU_TASK:
		if (!cpu->dispatch_time || cpu->finish_time < cpu->dispatch_time)
			wrong(s, "bad times", core, cpu->reg_task_id);
		key_add(s, BY_LANE, core << 32 | cpu->reg_task_id);
		nr_records++;
		break;
	case DFX_KIND_AICORE_TASK:
		if (!own->start_time)
			wrong(s, "no start", core, own->reg_task_id);
		else if (own->end_time < own->start_time)
			wrong(s, "end before start", core, own->reg_task_id);
		key_add(s, BY_CORE, core << 32 | own->reg_task_id);
		nr_records++;
		break;
	default:
		/* Both kinds of phases begin alike. */
		if (!phase->start_time || phase->end_time < phase->start_time)
			wrong(s, "bad times of a phase", core, f->seq);
		nr_phases++;
		break;
	}
}

static void data_add(struct session *s, const struct dfx_frame *f,
		     const char *payload)
{
	uint32_t i;

	if (f->pool >= s->nr_pools || !f->record_size ||
	    f->record_size != s->info[f->pool].record_size ||
	    f->kind != s->info[f->pool].kind ||
	    f->len != (uint64_t)f->count * f->record_size) {
		wrong(s, "a frame that cannot be", f->pool, f->seq);
		return;
	}
	/* Stored again by a successor. */
	if (f->seq < s->next_seq[f->pool] && f->flags & DFX_FRAME_REDELIVERED)
		return;
	if (f->seq != s->next_seq[f->pool])
		wrong(s, "sequence", f->pool, f->seq);
	s->next_seq[f->pool] = f->seq + 1;
	nr_lost += f->lost;
	for (i = 0; i < f->count; i++)
		record_add(s, f, payload + (size_t)i * f->record_size);
}

static void read_file(const char *path)
{
	const struct dfx_frame *f;
	const void *payload;
	struct recording rec;
	struct session *s;
	int rc;

	if (recording_open(&rec, path)) {
		perror(path);
		exit(1);
	}
	while ((rc = recording_next(&rec, &f, &payload)) > 0) {
		if (f->type == DFX_FRAME_SESSION) {
			session_add(f, payload);
			continue;
		}
		s = find(f->session);
		if (s && f->type == DFX_FRAME_DATA)
			data_add(s, f, payload);
	}
	if (rc < 0)
		wrong(NULL, "no whole frame at its end", 0, rec.at);
}

static int by_key(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void sort(struct session *s, enum side by)
{
	uint64_t *k = s->keys[by];
	size_t i;

	if (s->nr[by])
		qsort(k, s->nr[by], sizeof(*k), by_key);
	for (i = 1; i < s->nr[by]; i++)
		if (k[i] == k[i - 1])
			wrong(s, "twice", k[i] >> 32, (uint32_t)k[i]);
}

/* One side of level 1 is enough; from level 2 on there are both. */
static void join(struct session *s)
{
	const uint64_t *lane = s->keys[BY_LANE], *core = s->keys[BY_CORE];
	size_t i = 0, k = 0;

	sort(s, BY_LANE);
	sort(s, BY_CORE);
	if (!s->nr[BY_LANE] || !s->nr[BY_CORE])
		return;
	while (i < s->nr[BY_LANE] || k < s->nr[BY_CORE]) {
		if (i < s->nr[BY_LANE] && k < s->nr[BY_CORE] &&
		    lane[i] == core[k]) {
			nr_joined++;
			i++;
			k++;
		} else if (k == s->nr[BY_CORE] ||
			   (i < s->nr[BY_LANE] && lane[i] < core[k])) {
			wrong(s, "no core's record", lane[i] >> 32,
			      (uint32_t)lane[i]);
			i++;
		} else {
			wrong(s, "no lane's record", core[k] >> 32,
			      (uint32_t)core[k]);
			k++;
		}
	}
}

int main(int argc, char **argv)
{
	struct session *s;
	int i;

	if (argc < 2 || argv[1][0] == '-') {
		fputs("usage: dfx-check-swim FILE...\n"
		      "Check recordings of the reference firmware's workload=swim.\n",
		      stderr);
		return 2;
	}
	for (i = 1; i < argc; i++)
		read_file(argv[i]);
	for (s = sessions; s; s = s->next)
		join(s);
	printf("%" PRIu64 " records checked, %" PRIu64 " tasks joined, ",
	       nr_records, nr_joined);
	printf("%" PRIu64 " phases, %" PRIu64 " lost, %" PRIu64 " wrong\n",
	       nr_phases, nr_lost, nr_wrong);
	return nr_wrong || !nr_records;
}
