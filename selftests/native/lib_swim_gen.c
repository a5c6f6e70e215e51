// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_swim_gen.c - recordings of a swimlane, with tasks that the caller makes
 */
#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "crc32c.h"
#include "lib_swim_gen.h"

/* Of the seed's 72 cores these have switches, the others wait between tasks. */
#define SWITCH_CORES	32
#define QUIET_TASKS	6	/* of a core without switches */
#define STEADY		581
#define WAITS		403

unsigned int gen_aicpu_pool(unsigned int core)
{
	return core;
}

unsigned int gen_aicore_pool(unsigned int core)
{
	return GEN_CORES + core;
}

unsigned int gen_sched_pool(unsigned int lane)
{
	return 2 * GEN_CORES + lane;
}

unsigned int gen_orch_pool(void)
{
	return GEN_POOLS - 1;
}

static void init_pool(struct gen_pool *pool, __u32 id, __u32 kind,
		      __u32 instance, __u32 lane, __u32 size, __u32 capacity)
{
	pool->info = (struct dfx_pool_info){
		.pool = id,
		.kind = kind,
		.instance = instance,
		.lane = lane,
		.buffers = 4,
		.first_buffer = 4 * id,
		.record_size = size,
		.capacity = capacity,
		.stride = 4096,
		.slots = 4,
	};
	pool->state.pool = id;
	pool->state.lane = lane;
	pool->state.first_seq_here = ~0ull;
}

void gen_init(struct gen *g)
{
	unsigned int i;

	memset(g, 0, sizeof(*g));
	g->session = (struct dfx_session_info){
		.info_size = sizeof(g->session),
		.pool_size = sizeof(struct dfx_pool_info),
		.nr_pools = GEN_POOLS,
		.nr_lanes = GEN_LANES,
		.subsys = DFX_SUBSYS_L2_SWIMLANE,
		.arch = DFX_ARCH_A2A3,
		.nr_cores = GEN_CORES,
		.level = 4,
		.kinds = (1u << GEN_KINDS) - 1,
		.session = 41,
		.lane_mask = (1u << GEN_LANES) - 1,
		.lanes_here = (1u << GEN_LANES) - 1,
		.counter_hz = GEN_HZ,
		.start_ns = GEN_START_NS,
		.name = "l2_swimlane",
	};
	for (i = 0; i < GEN_CORES; i++) {
		__u32 lane = i * GEN_LANES / GEN_CORES;

		init_pool(&g->pool[gen_aicpu_pool(i)], gen_aicpu_pool(i),
			  DFX_KIND_AICPU_TASK, i, lane,
			  sizeof(struct dfx_rec_aicpu_task), 1000);
		init_pool(&g->pool[gen_aicore_pool(i)], gen_aicore_pool(i),
			  DFX_KIND_AICORE_TASK, i, lane,
			  sizeof(struct dfx_rec_aicore_task), 1024);
	}
	for (i = 0; i < GEN_LANES; i++)
		init_pool(&g->pool[gen_sched_pool(i)], gen_sched_pool(i),
			  DFX_KIND_SCHED_PHASE, i, i,
			  sizeof(struct dfx_rec_sched_phase), 64);
	init_pool(&g->pool[gen_orch_pool()], gen_orch_pool(),
		  DFX_KIND_ORCH_PHASE, 0, 0,
		  sizeof(struct dfx_rec_orch_phase), 64);
	g->end_ns = GEN_START_NS + 3600ull * 1000000000;
	g->time = GEN_START_NS / 20;
}

/* Fill in the header of the frame at @bytes and write it. */
static void put_frame(struct gen *g, unsigned char *bytes, unsigned int type,
		      size_t len)
{
	struct dfx_frame *h = (struct dfx_frame *)(void *)bytes;

	h->magic = htole32(DFX_FRAME_MAGIC);
	h->type = (__u8)type;
	h->version = DFX_FRAME_VERSION;
	h->header_size = htole16(sizeof(*h));
	h->len = htole32((__u32)len);
	h->flags |= htole32(DFX_FRAME_CRC);
	h->session = htole64(g->session.session);
	h->crc = htole32(dfx_frame_crc(h, h + 1, len));
	if (dfx_writer_frame(g->writer, bytes, sizeof(*h) + len))
		abort();
}

static unsigned char *append(unsigned char *to, const void *from, size_t len)
{
	memcpy(to, from, len);
	return to + len;
}

void gen_open(struct gen *g, const char *path)
{
	static unsigned char bytes[65536];
	unsigned char *to = bytes + sizeof(struct dfx_frame);
	unsigned int i;

	if (dfx_writer_open(path, "sync", &g->writer))
		abort();
	memset(bytes, 0, sizeof(struct dfx_frame));
	to = append(to, &g->session, sizeof(g->session));
	for (i = 0; i < GEN_POOLS; i++) {
		struct gen_pool *pool = &g->pool[i];

		to = append(to, &pool->info, sizeof(pool->info));
		pool->frame = calloc(1, sizeof(struct dfx_frame) +
				     (size_t)pool->info.capacity *
				     pool->info.record_size);
		assert(pool->frame);
	}
	put_frame(g, bytes, DFX_FRAME_SESSION,
		  (size_t)(to - bytes) - sizeof(struct dfx_frame));
}

void gen_flush(struct gen *g, unsigned int nr)
{
	struct gen_pool *pool = &g->pool[nr];
	struct dfx_pool_state *st = &pool->state;
	struct dfx_frame *h = (struct dfx_frame *)(void *)pool->frame;
	__u32 flags = g->flags;

	if (!pool->count)
		return;
	if (pool->count < pool->info.capacity)
		flags |= DFX_FRAME_PARTIAL;
	memset(h, 0, sizeof(*h));
	h->flags = htole32(flags);
	h->pool = htole32(nr);
	h->seq = htole32((__u32)st->next_seq);
	h->count = htole32(pool->count);
	h->lane = htole16((__u16)pool->info.lane);
	h->kind = htole16((__u16)pool->info.kind);
	h->time = htole64(g->time);
	h->record_size = htole32(pool->info.record_size);
	put_frame(g, pool->frame, DFX_FRAME_DATA,
		  (size_t)pool->count * pool->info.record_size);
	if (st->first_seq_here == ~0ull)
		st->first_seq_here = st->next_seq;
	st->next_seq++;
	st->produced += pool->count;
	st->delivered += pool->count;
	st->delivered_here += pool->count;
	pool->count = 0;
}

void gen_record(struct gen *g, unsigned int nr, const void *rec)
{
	struct gen_pool *pool = &g->pool[nr];
	size_t size = pool->info.record_size;

	memcpy(pool->frame + sizeof(struct dfx_frame) + pool->count * size,
	       rec, size);
	if (++pool->count == pool->info.capacity)
		gen_flush(g, nr);
}

void gen_task(struct gen *g, const struct gen_task *t)
{
	const struct dfx_rec_aicore_task aicore = {
		.start_time = htole64(t->start),
		.end_time = htole64(t->end),
		.task_token = htole64(1ull << 32 | t->id),
		.reg_task_id = htole32(t->id),
		.receive_to_start = htole32((__u32)(t->start - t->receive)),
	};
	const struct dfx_rec_aicpu_task aicpu = {
		.dispatch_time = htole64(t->dispatch),
		.finish_time = htole64(t->finish),
		.reg_task_id = htole32(t->id),
	};

	if (t->finish > g->time)
		g->time = t->finish;
	if (!t->hide_aicore)
		gen_record(g, gen_aicore_pool(t->core), &aicore);
	if (!t->hide_aicpu)
		gen_record(g, gen_aicpu_pool(t->core), &aicpu);
}

static void put_end(struct gen *g)
{
	static unsigned char bytes[131072];
	unsigned char *to = bytes + sizeof(struct dfx_frame);
	const struct dfx_end_info end = {
		.info_size = sizeof(end),
		.lane_size = sizeof(struct dfx_lane_state),
		.pool_size = sizeof(struct dfx_pool_state),
		.nr_lanes = GEN_LANES,
		.nr_pools = GEN_POOLS,
		.session = g->session.session,
		.end_ns = g->end_ns,
		.incident_size = sizeof(struct dfx_incident),
		.nr_incidents = g->nr_incidents,
		.incidents = g->nr_incidents,
	};
	unsigned int i;

	memset(bytes, 0, sizeof(struct dfx_frame));
	to = append(to, &end, sizeof(end));
	for (i = 0; i < GEN_LANES; i++) {
		const struct dfx_lane_state lane = {
			.lane = i,
			.flags = DFX_LANE_F_ENABLED,
		};

		to = append(to, &lane, sizeof(lane));
	}
	for (i = 0; i < GEN_POOLS; i++)
		to = append(to, &g->pool[i].state, sizeof(g->pool[i].state));
	to = append(to, g->incident, g->nr_incidents * sizeof(*g->incident));
	put_frame(g, bytes, DFX_FRAME_END,
		  (size_t)(to - bytes) - sizeof(struct dfx_frame));
}

void gen_close(struct gen *g, bool cut)
{
	unsigned int i;

	for (i = 0; i < GEN_POOLS; i++)
		gen_flush(g, i);
	if (!cut)
		put_end(g);
	if (dfx_writer_close(g->writer))
		abort();
	for (i = 0; i < GEN_POOLS; i++)
		free(g->pool[i].frame);
}

static void json_rows(FILE *out, const struct gen_task *t, unsigned int nr,
		      bool aicore)
{
	const char *comma = "";
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (aicore ? t[i].hide_aicore : t[i].hide_aicpu)
			continue;
		if (aicore)
			fprintf(out, "%s\n    [%u, %llu, %u, %llu, %llu, %u]",
				comma, t[i].core, 1ull << 32 | t[i].id,
				t[i].id, t[i].start, t[i].end,
				(__u32)(t[i].start - t[i].receive));
		else
			fprintf(out, "%s\n    [%u, %u, %llu, %llu]", comma,
				t[i].core, t[i].id, t[i].dispatch,
				t[i].finish);
		comma = ",";
	}
}

void gen_json(const char *path, const struct gen_task *t, unsigned int nr,
	      int level)
{
	FILE *out = fopen(path, "w");

	assert(out);
	fprintf(out, "{\n  \"chip_swimlane_level\": %d,\n", level);
	fprintf(out, "  \"metadata\": {\"clock_freq_hz\": %llu, \"num_cores\": %u,\n",
		GEN_HZ, GEN_CORES);
	fputs("    \"host_capture\": {\"status\": \"complete\", \"error\": null}},\n",
	      out);
	/* What a report does not need, and has to pass over. */
	fputs("  \"aicpu_scheduler_phases\": [[{\"a\": [1, 0]}, {}], []],\n",
	      out);
	fputs("  \"aicore_tasks\": [", out);
	json_rows(out, t, nr, true);
	fputs("\n  ],\n  \"aicpu_tasks\": [", out);
	json_rows(out, t, nr, false);
	fputs("\n  ]\n}\n", out);
	assert(!ferror(out));
	fclose(out);
}

/* ---------------- the seed ----------------------------------------------- */

struct step {
	unsigned int nr;
	__u32 ticks;
};

static const struct step tails[] = {
	{ 209, 20 }, { 124, 25 }, { 167, 29 }, { 60, 33 }, { 10, 40 },
	{ 8, 44 }, { 3, 46 },
};

static const struct step setups[] = {
	{ 259, 11 }, { 65, 14 }, { 176, 17 }, { 60, 20 }, { 14, 24 },
	{ 5, 30 }, { 2, 40 },
};

static const struct step firsts[] = {
	{ 10, 47 }, { 10, 74 }, { 8, 80 }, { 3, 93 }, { 1, 99 },
};

static const struct step waits[] = {
	{ 150, 200 }, { 100, 2700 }, { 100, 10500 }, { 40, 19050 },
	{ 8, 30000 }, { 3, 34900 }, { 2, 40000 },
};

/* Value number @i, from 0, of those in the order of their size. */
static __u32 value(const struct step *step, unsigned int i)
{
	for (; i >= step->nr; step++)
		i -= step->nr;
	return step->ticks;
}

/*
 * Sizes come in no order. The order of tails and setups is such that their sums
 * have the quantiles that they have to.
 */
static __u32 steady_tail(unsigned int i)
{
	return value(tails, i * 100 % STEADY);
}

static __u32 steady_setup(unsigned int i)
{
	return value(setups, (i * 100 % STEADY * 58 + 380) % STEADY);
}

static __u32 wait_gap(unsigned int i)
{
	return value(waits, i * 100 % WAITS);
}

/**
 * struct chain - a core's tasks under way
 * @next: task to fill in.
 * @core: whose.
 * @id: of the next task.
 * @end: of the last task.
 */
struct chain {
	struct gen_task *next;
	__u32 core;
	__u32 id;
	__u64 end;
};

static void add(struct chain *c, __u64 dispatch, __u64 receive, __u64 start)
{
	c->end = start + 1000 + c->id * 7;
	*c->next++ = (struct gen_task){
		.core = c->core,
		.id = c->id++,
		.dispatch = dispatch,
		.receive = receive,
		.start = start,
		.end = c->end,
		.finish = c->end + 9,
	};
}

static void add_switch(struct chain *c, __u32 tail, __u32 setup)
{
	add(c, c->end - 1, c->end + tail, c->end + tail + setup);
}

static void add_wait(struct chain *c, __u32 gap)
{
	/* Dispatched at the very end of the last task: no longer a switch. */
	add(c, c->end, c->end + gap - 15, c->end + gap);
}

static void begin_core(struct chain *c, __u32 core)
{
	__u64 start = GEN_START_NS / 20 + 1000 + core * 13;

	c->core = core;
	c->id = 0;
	add(c, start - 40, start - 12, start);
}

void gen_seed(struct gen_task *t)
{
	struct chain c = { .next = t };
	unsigned int core, i, steady = 0, waited = 0, share;

	for (core = SWITCH_CORES; core < GEN_CORES; core++) {
		begin_core(&c, core);
		for (i = 1; i < QUIET_TASKS; i++)
			add_wait(&c, wait_gap(waited++));
	}
	for (core = 0; core < SWITCH_CORES; core++) {
		begin_core(&c, core);
		/* A wait before the first switch, as after it. */
		share = (WAITS - waited) / (SWITCH_CORES - core);
		for (i = 0; i < share / 2; i++)
			add_wait(&c, wait_gap(waited++));
		add_switch(&c, value(firsts, core) - 20, 20);
		share -= i;
		i = (STEADY - steady) / (SWITCH_CORES - core);
		for (; i; i--, steady++) {
			add_switch(&c, steady_tail(steady),
				   steady_setup(steady));
			if (share) {
				add_wait(&c, wait_gap(waited++));
				share--;
			}
		}
	}
	assert(c.next == t + GEN_SEED_TASKS && steady == STEADY &&
	       waited == WAITS);
}
