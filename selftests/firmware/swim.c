// SPDX-License-Identifier: GPL-2.0-only
/*
 * swim.c - dispatchers and cores
 *
 * Times in records are the model's: a core that finds its next task waiting takes it
 * when it is free, however late the thread looks that stands for it. So the gaps
 * between tasks are what the costs say, on a loaded machine too.
 */
#include "byteorder.h"
#include "lane.h"
#include "swim.h"

/* Turns of a lane that finds nothing to do, before it waits longer and longer. */
#define SWIM_SPINS	256

enum { SWIM_IDLE, SWIM_SETUP, SWIM_EXEC, SWIM_FLUSH };

static __u32 mix(__u64 seed, __u32 core, __u32 task)
{
	__u64 x = seed * 0x9e3779b97f4a7c15ull + ((__u64)core << 32 | task);

	x ^= x >> 29;
	x *= 0xd6e8feb86659fd93ull;
	return (__u32)(x ^ x >> 32);
}

static __u64 ticks(__u64 ns)
{
	return ns * (plat_counter_hz / 1000000) / 1000;
}

static int is_over(__u64 now, __u64 until)
{
	return !((now - until) >> 63);
}

/* ---- core ----------------------------------------------------------------------- */

static __u64 exec_ticks(const struct fw_args *args, __u32 core, __u32 task)
{
	/* From half of the mean to one and a half. */
	return ticks(args->exec_ns / 2 +
		     args->exec_ns * (mix(args->seed, core, task) % 1024) /
		     1024);
}

/* Sees a task in the register; 0 if there is none. */
static int receive(struct swim_core *c, const struct fw_args *args)
{
	/* Pairs with the release store in dispatch(). */
	__u32 task = dfx_port_load32_acquire(&c->task);
	__u64 when;

	if (task == c->now)
		return 0;
	c->now = task;
	when = dfx_port_load64(&c->when[task % SWIM_IN_CORE]);
	/* It had been free for a while, or it found this one waiting. */
	c->received = (is_over(when, c->until) ? when : c->until) +
		      ticks(args->read_ns);
	c->until = c->received + ticks(args->clean_ns + args->read_ns);
	c->state = SWIM_SETUP;
	return 1;
}

static void write_record(struct swim_core *c)
{
	if (!c->slot)
		return;
	*c->slot = (struct dfx_rec_aicore_task){
		.start_time = cpu_to_le64(c->start),
		.end_time = cpu_to_le64(c->end),
		.task_token = cpu_to_le64(c->now),
		.reg_task_id = cpu_to_le32(c->now),
		.receive_to_start = cpu_to_le32((__u32)(c->start -
							c->received)),
	};
	dfx_core_commit(&c->core, c->slot);
}

int swim_step(struct swim_core *c, const struct fw_args *args, __u32 core)
{
	if (c->state == SWIM_IDLE)
		return receive(c, args);
	if (!is_over(dfx_port_cycles(), c->until))
		return 1;
	switch (c->state) {
	case SWIM_SETUP:
		c->slot = dfx_core_reserve(&c->core);
		/* Pairs with the acquire load in visit(), as those of @fin do. */
		dfx_port_store32_release(&c->ack, c->now);
		c->start = c->until;
		c->end = c->start + exec_ticks(args, core, c->now);
		c->until = c->end;
		c->state = SWIM_EXEC;
		break;
	case SWIM_EXEC:
		if (!args->late)
			dfx_port_store32_release(&c->fin, c->now);
		if (c->slot)
			c->until += ticks(args->clean_ns + args->barrier_ns);
		c->state = SWIM_FLUSH;
		break;
	default:
		write_record(c);
		if (args->late)
			dfx_port_store32_release(&c->fin, c->now);
		c->state = SWIM_IDLE;
		break;
	}
	return 1;
}

/* ---- lane ------------------------------------------------------------------------ */

/* Of one run. */
struct run {
	struct fw_lane *lane;
	struct dfx_dev_lane *dev;
	struct swim_core *cores;
	struct dfx_dev_pool *sched;
	struct dfx_dev_pool *orch;
	__u64 mine[SWIM_MAX_CORES / 64];
	__u32 turn;
	__u32 submitted;
	__u32 ended;
	int over;
};

static int is_mine(const struct run *r, __u32 core)
{
	return r->mine[core / 64] >> core % 64 & 1;
}

/* What the engine said, when it was no record: is the run's session gone? */
static int look_over(struct run *r, int rc)
{
	if (rc == DFX_DEV_NOSESSION || rc == DFX_DEV_DETACHED ||
	    r->dev->session != r->lane->session[FW_SWIMLANE])
		r->over = 1;
	return rc == DFX_DEV_DETACHED ? rc : DFX_DEV_OK;
}

/* Room for a record that the lane writes; NULL: there is none, and it is counted. */
static void *reserve(struct run *r, struct dfx_dev_pool *pool)
{
	void *rec;

	if (!pool || r->over)
		return NULL;
	rec = dfx_dev_reserve(fw_lane_enter(r->lane, FW_SWIMLANE), pool,
			      r->lane->args->try ? DFX_DEV_TRY : DFX_DEV_BLOCK);
	if (r->dev->session != r->lane->session[FW_SWIMLANE]) {
		r->over = 1;
		return NULL;
	}
	if (rec) {
		r->lane->recorded++;
		return rec;
	}
	look_over(r, r->dev->rc);
	if (!r->over && r->dev->rc == DFX_DEV_AGAIN)
		dfx_dev_drop(r->dev, pool);
	r->lane->dropped++;
	return NULL;
}

static void phase(struct run *r, __u32 kind, __u64 begin, __u32 tasks)
{
	struct dfx_rec_sched_phase *rec = reserve(r, r->sched);

	if (!rec)
		return;
	*rec = (struct dfx_rec_sched_phase){
		.start_time = cpu_to_le64(begin),
		.end_time = cpu_to_le64(dfx_port_cycles()),
		.loop_iter = cpu_to_le32(r->turn),
		.kind = cpu_to_le32(kind),
		.tasks_processed = cpu_to_le32(tasks),
	};
	dfx_dev_commit(r->dev, r->sched);
}

static void submit(struct run *r)
{
	struct dfx_rec_orch_phase *rec;
	__u64 begin = dfx_port_cycles();

	if (!r->orch || r->submitted == r->lane->args->tasks)
		return;
	rec = reserve(r, r->orch);
	if (!rec)
		return;
	*rec = (struct dfx_rec_orch_phase){
		.start_time = cpu_to_le64(begin),
		.end_time = cpu_to_le64(dfx_port_cycles()),
		.task_id = cpu_to_le64(r->submitted),
		.submit_idx = cpu_to_le32(r->submitted),
	};
	dfx_dev_commit(r->dev, r->orch);
	r->submitted++;
}

/* Writes the lane's own record of a task that has ended. */
static void finish(struct run *r, __u32 core)
{
	struct swim_core *c = &r->cores[core];
	struct dfx_rec_aicpu_task *rec;
	__u32 number = c->seen_fin + 1;
	__u64 when, now = dfx_port_cycles();

	rec = reserve(r, r->lane->pool[FW_SWIMLANE][core]);
	if (rec) {
		when = dfx_port_load64(&c->when[number % SWIM_IN_CORE]);
		*rec = (struct dfx_rec_aicpu_task){
			.dispatch_time = cpu_to_le64(when),
			.finish_time = cpu_to_le64(now),
			.reg_task_id = cpu_to_le32(number),
		};
		dfx_dev_commit(r->dev, r->lane->pool[FW_SWIMLANE][core]);
	}
	c->seen_fin = number;
	r->ended++;
}

/* Whether what the next task of a core waits for has ended: another core's task. */
static int is_ready(struct run *r, __u32 core)
{
	struct swim_core *c = &r->cores[core];
	const struct swim_core *other;
	__u32 nr = c->sent - c->first;
	__u32 x = mix(r->lane->args->seed + 1, core, nr);

	/* Two of five wait for one that was dispatched in the round before. */
	if (!nr || x % 5 > 1)
		return 1;
	x = (x >> 8) % r->lane->args->cores;
	other = &r->cores[x];
	/* Another lane's may be in no run: nobody waits for it. */
	if (!is_mine(r, x) || other->tasks < nr)
		return 1;
	return other->seen_fin - other->first >= nr;
}

/* How many tasks it has dispatched: one or none. */
static __u32 dispatch(struct run *r, __u32 core)
{
	struct swim_core *c = &r->cores[core];
	int rc = DFX_DEV_OK;

	if (c->pool)
		rc = dfx_dev_core_give(fw_lane_enter(r->lane, FW_SWIMLANE),
				       c->pool, c->sent + 1);
	look_over(r, rc);
	/* Held back, so that nothing is lost. */
	if (r->over || (rc == DFX_DEV_AGAIN && !r->lane->args->try))
		return 0;
	if (rc) {
		dfx_dev_drop(r->dev, c->pool);
		r->lane->dropped++;
	} else if (c->pool) {
		r->lane->recorded++;
	}
	c->sent++;
	dfx_port_store64(&c->when[c->sent % SWIM_IN_CORE], dfx_port_cycles());
	/* Pairs with the acquire load in receive(). */
	dfx_port_store32_release(&c->task, c->sent);
	return 1;
}

/* One look at one core. Counts the tasks that have ended and been dispatched. */
static void visit(struct run *r, __u32 core, __u32 *ended, __u32 *begun)
{
	struct swim_core *c = &r->cores[core];
	/* These pair with the release stores in swim_step(). */
	__u32 ack = dfx_port_load32_acquire(&c->ack);
	__u32 fin = dfx_port_load32_acquire(&c->fin);

	if (ack != c->seen_ack) {
		c->seen_ack = ack;
		if (c->pool && !r->lane->args->late)
			dfx_dev_core_ack(r->dev, c->pool, ack);
	}
	for (; c->seen_fin != fin; ++*ended)
		finish(r, core);
	if (!r->over && c->sent - c->first != c->tasks &&
	    c->seen_ack == c->sent && c->sent - c->seen_fin < SWIM_IN_CORE &&
	    is_ready(r, core))
		*begun += dispatch(r, core);
}

/* Lets the lane's cores get on, where no thread of their own does. */
static void work(struct run *r)
{
	const struct fw_args *args = r->lane->args;
	__u32 core;

	for (core = 0; !args->workers && core < args->cores; core++)
		if (is_mine(r, core))
			swim_step(&r->cores[core], args, core);
}

/* Whether a core has a slot whose record it has not written. */
static int is_writing(struct run *r)
{
	struct swim_core *c;
	__u32 core;

	for (core = 0; core < r->lane->args->cores; core++) {
		c = &r->cores[core];
		/* Pairs with the release store in dfx_core_commit(). */
		if (is_mine(r, core) &&
		    dfx_port_load32_acquire(&c->head.done) != c->dcore.given)
			return 1;
	}
	return 0;
}

/* The pools of this run, and the lane's share of it: how many tasks. */
static __u32 begin(struct run *r)
{
	struct fw_lane *lane = r->lane;
	const struct fw_args *args = lane->args;
	struct swim_core *c;
	__u32 core, all = 0;

	r->sched = dfx_dev_find_pool(r->dev, DFX_KIND_SCHED_PHASE, lane->index);
	r->orch = dfx_dev_find_pool(r->dev, DFX_KIND_ORCH_PHASE, 0);
	for (core = 0; core < args->cores; core++) {
		struct dfx_dev_pool *pool =
			dfx_dev_find_pool(r->dev, DFX_KIND_AICORE_TASK, core);

		if (!pool && !lane->pool[FW_SWIMLANE][core])
			continue;
		r->mine[core / 64] |= 1ull << core % 64;
		c = &r->cores[core];
		c->first = c->sent;
		c->tasks = (__u32)((args->tasks + args->cores - 1 - core) /
				   args->cores);
		all += c->tasks;
		/* It is idle: the last run has waited for it. */
		c->core.head = &c->head;
		c->core.region = r->dev->region->base;
		c->core.record_size = sizeof(struct dfx_rec_aicore_task);
		c->pool = NULL;
		if (pool && !dfx_dev_core_open(r->dev, &c->dcore, pool,
					       &c->head, !args->late))
			c->pool = pool;
	}
	return all;
}

/* One turn of the scheduler; how many tasks are under way after it. */
static __u32 turn(struct run *r, __u64 *done, int *quiet)
{
	__u32 ended = 0, begun = 0, out = 0, core;
	__u64 t = dfx_port_cycles();

	r->turn++;
	submit(r);
	work(r);
	for (core = 0; core < r->lane->args->cores; core++) {
		if (!is_mine(r, core))
			continue;
		visit(r, core, &ended, &begun);
		out += r->cores[core].sent - r->cores[core].seen_fin;
	}
	if (ended)
		phase(r, 0, t, ended);
	if (begun)
		phase(r, 1, t, begun);
	*done += ended;
	*quiet = !ended && !begun;
	return out;
}

int swim_tasks(struct fw_lane *lane, __u64 *done)
{
	struct run r = {
		.lane = lane,
		.dev = &lane->dev[FW_SWIMLANE],
		.cores = lane->fw->swim,
	};
	__u32 all, out, spins = 0;
	int quiet, rc = DFX_DEV_OK;

	if (!(lane->on >> FW_SWIMLANE & 1))
		return DFX_DEV_OK;
	all = begin(&r);
	do {
		out = turn(&r, done, &quiet);
		if (!quiet) {
			plat_busy();
			spins = 0;
		} else if (++spins >= SWIM_SPINS) {
			rc = fw_lane_poll(lane);
			look_over(&r, rc);
		}
	} while (out || (!r.over && r.ended != all));
	/* FIN has been told; the records follow. */
	while (is_writing(&r)) {
		work(&r);
		if (!r.over)
			rc = fw_lane_poll(lane);
		look_over(&r, rc);
	}
	return rc == DFX_DEV_DETACHED ? rc : DFX_DEV_OK;
}
