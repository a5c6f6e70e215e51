// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload.c - walks a lane through its tasks and writes their records
 */
#include "byteorder.h"
#include "console.h"
#include "fault.h"
#include "pattern.h"
#include "workload.h"

/* A pool of one core, or, as the host binds cores to lanes, of all of a lane's. */
static void map_pool(struct fw_lane *lane, __u32 i, struct dfx_dev_pool *pool)
{
	const struct fw_args *args = lane->args;
	__u32 core;

	if (fw_regions[i].per_core) {
		if (pool->instance < FW_MAX_CORES)
			lane->pool[i][pool->instance] = pool;
		return;
	}
	for (core = 0; core < args->cores; core++)
		if (core * args->lanes / args->cores == lane->index)
			lane->pool[i][core] = pool;
}

/* Looks up where each core's records go, in the sessions of now. */
static void map_pools(struct fw_lane *lane)
{
	const struct fw_region_desc *desc;
	struct dfx_dev_pool *pool;
	struct dfx_dev_lane *dev;
	__u32 i, core, size;

	lane->on = 0;
	for (i = 0; i < FW_NR_REGIONS; i++) {
		dev = &lane->dev[i];
		desc = &fw_regions[i];
		size = dfx_pattern_size(desc->subsys, desc->kind);
		for (core = 0; core < FW_MAX_CORES; core++)
			lane->pool[i][core] = NULL;
		if (!((lane->args->regions & lane->open) >> i & 1) ||
		    !dev->running ||
		    (lane->args->any && dev->session == lane->session[i]))
			continue;
		lane->on |= 1u << i;
		lane->session[i] = dev->session;
		for (pool = dfx_dev_next_pool(dev, NULL); pool;
		     pool = dfx_dev_next_pool(dev, pool))
			if (pool->kind == desc->kind &&
			    pool->record_size == size)
				map_pool(lane, i, pool);
	}
}

/* Leaves regions whose session is not the run's any more. */
static void check_sessions(struct fw_lane *lane)
{
	__u32 i;

	for (i = 0; i < FW_NR_REGIONS; i++)
		if (!lane->dev[i].running ||
		    lane->dev[i].session != lane->session[i])
			lane->on &= ~(1u << i);
}

static void *reserve(struct fw_lane *lane, __u32 i, struct dfx_dev_pool *pool,
		     struct dfx_dev_payload *payload)
{
	const struct fw_args *args = lane->args;
	struct dfx_dev_lane *dev = fw_lane_enter(lane, i);
	__u64 budget = args->try ? DFX_DEV_TRY : DFX_DEV_BLOCK;
	__u64 size;

	if (!fw_regions[i].payloads)
		return dfx_dev_reserve(dev, pool, budget);
	size = dfx_pattern_payload_size(args->seed, fw_regions[i].subsys,
					pool->id, lane->payloads[i],
					args->payload);
	lane->payloads[i]++;
	if (args->big && lane->payloads[i] % args->big == 0)
		size += (__u64)dev->arena_units * DFX_ARENA_UNIT + 1;
	return dfx_dev_reserve_payload(dev, pool, size, budget, payload);
}

static void write_record(struct fw_lane *lane, __u32 i,
			 struct dfx_dev_pool *pool, struct dfx_rec_dump *rec,
			 const struct dfx_dev_payload *payload)
{
	__u64 seed = lane->args->seed;

	dfx_pattern_record(seed, fw_regions[i].subsys, pool->kind, pool->id,
			   pool->seq, pool->count, rec);
	if (fw_regions[i].payloads) {
		rec->payload_offset = cpu_to_le64(payload->offset);
		rec->payload_size = cpu_to_le64(payload->size);
		rec->full_size = cpu_to_le64(payload->full_size);
		rec->truncated = payload->size < payload->full_size;
		dfx_pattern_payload(seed, fw_regions[i].subsys, pool->id,
				    payload->offset, payload->data,
				    payload->size);
		dfx_dev_commit_payload(&lane->dev[i], pool, payload);
	} else {
		dfx_dev_commit(&lane->dev[i], pool);
	}
	lane->recorded++;
	if (lane->args->fault && !lane->faulted)
		fw_fault(lane, i, pool);
}

static int record(struct fw_lane *lane, __u32 i, __u32 core)
{
	struct dfx_dev_pool *pool = lane->pool[i][core];
	struct dfx_dev_lane *dev = &lane->dev[i];
	struct dfx_dev_payload payload;
	void *rec;

	if (!pool || !(lane->on >> i & 1))
		return DFX_DEV_OK;
	rec = reserve(lane, i, pool, &payload);
	/* Reserving obeys the host, who may have begun another session. */
	if (dev->session != lane->session[i]) {
		lane->on &= ~(1u << i);
		return !rec && dev->rc == DFX_DEV_DETACHED ?
		       DFX_DEV_DETACHED : DFX_DEV_OK;
	}
	if (rec) {
		write_record(lane, i, pool, rec, &payload);
		return DFX_DEV_OK;
	}
	switch (dev->rc) {
	case DFX_DEV_DETACHED:
		return DFX_DEV_DETACHED;
	case DFX_DEV_NOSESSION:
	case DFX_DEV_INVAL:
		lane->on &= ~(1u << i);
		return DFX_DEV_OK;
	case DFX_DEV_AGAIN:
		break;
	default:
		/* A blocking call has counted the drop itself. */
		if (!lane->args->try)
			goto dropped;
	}
	dfx_dev_drop(dev, pool);
dropped:
	lane->dropped++;
	return DFX_DEV_OK;
}

/* Obeys the host until the counter reads @until. */
static int idle_until(struct fw_lane *lane, __u64 until)
{
	int rc = DFX_DEV_OK;

	while (!rc && (dfx_port_cycles() - until) >> 63)
		rc = fw_lane_poll(lane);
	check_sessions(lane);
	plat_busy();
	return rc;
}

/* Keeps to the rate and makes the pauses, after @done tasks of this run. */
static int pace(struct fw_lane *lane, __u64 begin, __u64 done)
{
	const struct fw_args *args = lane->args;
	int rc = DFX_DEV_OK;

	if (args->rate)
		rc = idle_until(lane, begin + done * plat_counter_hz /
				args->rate);
	if (!rc && args->burst && done % args->burst == 0)
		rc = idle_until(lane, dfx_port_cycles() + args->pause_us *
				(plat_counter_hz / 1000000));
	return rc;
}

static int do_task(struct fw_lane *lane, __u32 core)
{
	__u32 i;

	if (lane->args->mute == lane->index &&
	    lane->tasks >= lane->args->mute_at) {
		fw_lane_mute(lane);
		return DFX_DEV_DETACHED;
	}
	lane->tasks++;
	for (i = 0; i < FW_NR_REGIONS; i++)
		if (record(lane, i, core) == DFX_DEV_DETACHED)
			return DFX_DEV_DETACHED;
	plat_busy();
	return DFX_DEV_OK;
}

static int is_mine(struct fw_lane *lane, __u32 core)
{
	__u32 i;

	for (i = 0; i < FW_NR_REGIONS; i++)
		if (lane->pool[i][core])
			return 1;
	return 0;
}

/* Does all tasks of the lane's cores; returns how many through @done. */
static int do_tasks(struct fw_lane *lane, __u64 *done)
{
	const struct fw_args *args = lane->args;
	__u64 begin = dfx_port_cycles();
	__u64 round;
	__u32 core;

	for (round = 0; round < args->tasks; round += args->cores) {
		for (core = 0; core < args->cores; core++) {
			if (round + core >= args->tasks)
				return DFX_DEV_OK;
			if (!is_mine(lane, core))
				continue;
			if (!lane->on)
				return DFX_DEV_OK;
			if (do_task(lane, core))
				return DFX_DEV_DETACHED;
			++*done;
			if ((args->rate || args->burst) &&
			    pace(lane, begin, *done))
				return DFX_DEV_DETACHED;
		}
	}
	return DFX_DEV_OK;
}

static void say(struct fw_lane *lane, const char *what, __u64 tasks,
		__u64 ticks)
{
	struct console_line l;

	console_begin(&l);
	console_str(&l, "lane ");
	console_u64(&l, lane->index);
	console_str(&l, ": ");
	console_str(&l, what);
	console_u64(&l, lane->runs);
	console_str(&l, ": ");
	console_u64(&l, tasks);
	console_str(&l, " tasks, ");
	console_u64(&l, lane->recorded);
	console_str(&l, " recorded, ");
	console_u64(&l, lane->dropped);
	console_str(&l, " dropped, ");
	console_u64(&l, ticks / (plat_counter_hz / 1000000));
	console_str(&l, " us");
	console_end(&l);
}

int fw_run(struct fw_lane *lane)
{
	__u64 begin = dfx_port_cycles();
	__u64 done = 0;
	__u32 i;
	int rc;

	lane->runs++;
	for (i = 0; i < FW_NR_REGIONS; i++)
		lane->payloads[i] = 0;
	lane->recorded = 0;
	lane->dropped = 0;
	map_pools(lane);
	rc = lane->args->swim ? swim_tasks(lane, &done) : do_tasks(lane, &done);
	for (i = 0; !rc && i < FW_NR_REGIONS; i++)
		if (lane->on >> i & 1 &&
		    dfx_dev_end_run(fw_lane_enter(lane, i)) ==
		    DFX_DEV_DETACHED)
			rc = DFX_DEV_DETACHED;
	say(lane, "run ", done, dfx_port_cycles() - begin);
	return rc;
}

void fw_run_free(struct fw_lane *lane)
{
	/* Stands for a pool that no session has: nothing of it is ever used. */
	struct dfx_dev_pool none = { .lane = lane->index };
	__u64 begin = dfx_port_cycles();
	__u64 tasks = lane->args->tasks / lane->args->lanes;
	__u64 t;
	__u32 i;

	lane->recorded = 0;
	lane->dropped = 0;
	for (t = 0; t < tasks; t++)
		for (i = 0; i < FW_NR_REGIONS; i++)
			if (lane->open >> i & 1 &&
			    dfx_dev_reserve(fw_lane_enter(lane, i), &none,
					    DFX_DEV_BLOCK))
				lane->recorded++;
	say(lane, "free run after run ", tasks, dfx_port_cycles() - begin);
}
