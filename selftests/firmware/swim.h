/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * swim.h - lanes that dispatch, and cores that execute and write their own records
 *
 * A lane writes a task's number to a core's register when the core has acknowledged
 * the one before, which may still be running. A core goes through a task in the
 * order ACK, start, execute, FIN, end, record; with runtime=late the record comes
 * before FIN. What the record costs is time of the core's, between the tasks.
 */
#ifndef DFX_FW_SWIM_H
#define DFX_FW_SWIM_H

#include "args.h"
#include "dfx_dev.h"

/* Tasks that are dispatched and have not ended: one runs, one waits. */
#define SWIM_IN_CORE	2

/* Cores at most with workload=swim: what the image has room for. */
#define SWIM_MAX_CORES	128

/**
 * struct swim_core - one core; each block of fields has one writer
 * @task: the register: number of the last task dispatched since boot; the lane.
 * @when: counter at its dispatch, by number modulo SWIM_IN_CORE; before @task.
 * @ack: the last one acknowledged; the core.
 * @fin: the last one ended; the core.
 * @head: what the engine's two halves share.
 * @core: the engine's half of the core; the core, from here on. The lane sets the
 *	region and the size when the core is idle, before a dispatch.
 * @slot: where the present task's record goes; NULL: not recorded.
 * @state: of the present task.
 * @now: number of the present task.
 * @until: counter at which @state is over.
 * @received: counter when the core saw the task.
 * @start: counter before it.
 * @end: counter after it.
 * @dcore: the engine's half of the lane; the lane, from here on.
 * @pool: where the core's own records go; NULL: nowhere.
 * @first: number of the run's first task.
 * @tasks: tasks of the run.
 * @sent: the last number dispatched.
 * @seen_ack: the last @ack seen.
 * @seen_fin: the last @fin whose record has been written.
 */
struct swim_core {
	struct {
		__le32 task;
		__le64 when[SWIM_IN_CORE];
	} __attribute__((aligned(DFX_SHM_LINE)));
	struct {
		__le32 ack;
		__le32 fin;
	} __attribute__((aligned(DFX_SHM_LINE)));
	struct dfx_core_head head;
	struct {
		struct dfx_core core;
		struct dfx_rec_aicore_task *slot;
		__u32 state;
		__u32 now;
		__u64 until;
		__u64 received;
		__u64 start;
		__u64 end;
	} __attribute__((aligned(DFX_SHM_LINE)));
	struct {
		struct dfx_dev_core dcore;
		struct dfx_dev_pool *pool;
		__u32 first;
		__u32 tasks;
		__u32 sent;
		__u32 seen_ack;
		__u32 seen_fin;
	} __attribute__((aligned(DFX_SHM_LINE)));
};

struct fw_lane;

/**
 * swim_step() - let a core get on by one step
 * @c: the core.
 * @args: the firmware's arguments.
 * @core: its number.
 *
 * By the one thread that is this core. Never waits.
 *
 * Return: 0 if it has nothing to do.
 */
int swim_step(struct swim_core *c, const struct fw_args *args, __u32 core);

/**
 * swim_tasks() - dispatch the tasks of the lane's cores in this run
 * @lane: the lane, its pools mapped.
 * @done: set to their number.
 *
 * Return: DFX_DEV_OK when all have ended, or the session has; DFX_DEV_DETACHED.
 */
int swim_tasks(struct fw_lane *lane, __u64 *done);

#endif /* DFX_FW_SWIM_H */
