// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * swim_print.c - a swimlane's figures, for people and for programs
 */
#include <stdio.h>

#include "swim_faults.h"
#include "swim_print.h"

static const char *const fault_key[SWIM_NR_FAULT] = {
	[SWIM_NO_STAMP] = "unmatched_aicore",
	[SWIM_NO_TASK] = "unmatched_aicpu",
	[SWIM_TWICE] = "duplicate",
	[SWIM_ZERO_START] = "zero_start",
	[SWIM_DISORDER] = "out_of_order",
	[SWIM_LATE] = "late",
	[SWIM_BACKWARD] = "backward",
	[SWIM_OVERLAP] = "overlap",
};

static void group_text(const char *name, const struct swim_group *g)
{
	printf("    %-26s %10llu", name, g->n);
	if (g->n)
		printf(" %9.2f %9.2f %9.2f %9.2f", g->mean, g->p50, g->p90,
		       g->p99);
	putchar('\n');
}

static void findings_text(const struct swim_result *r)
{
	int i;

	for (i = 0; i < SWIM_NR_FAULT; i++)
		if (r->fault[i].n)
			printf("    %llu %s\n", r->fault[i].n,
			       swim_fault_text((enum swim_fault)i));
	if (r->unclassified)
		printf("    %llu gaps are before a task without an AICPU record\n",
		       r->unclassified);
}

static void freezes_text(const struct swim_result *r)
{
	if (!r->freezes)
		return;
	printf("    %llu freezes: for them the AICPU saw the end of %llu tasks late%s\n",
	       r->freezes, r->inflated,
	       r->placed ? "" : ", going by their length");
	if (!r->placed)
		puts("    which gaps they are in is not known: the device has its own clock");
}

void swim_text(const struct swim_result *r)
{
	if (!r->tasks || !r->stamps) {
		printf("  swimlane %llu tasks of cores, %llu AICPU records: nothing to join\n",
		       r->tasks, r->stamps);
		return;
	}
	printf("  swimlane %llu tasks on %u cores, %llu of them joined, counter at %.6g MHz\n",
	       r->tasks, r->cores, r->joined, (double)r->hz / 1e6);
	printf("    %-26s %10s %9s %9s %9s %9s\n", "us", "n", "mean", "p50",
	       "p90", "p99");
	group_text("STEADY switch (disp < end)", &r->steady);
	group_text("  prev_tail", &r->prev_tail);
	group_text("  setup", &r->setup);
	group_text("first switch of a core", &r->first);
	group_text("WAIT gap (core idle)", &r->wait);
	if (r->frozen.n)
		group_text("  in a freeze", &r->frozen);
	printf("    n = %llu steady switches, %llu wait gaps, %u cores with a switch\n",
	       r->steady.n, r->wait.n, r->switch_cores);
	freezes_text(r);
	findings_text(r);
}

static void group_json(struct json *j, const char *key,
		       const struct swim_group *g)
{
	json_object(j, key);
	json_u64(j, "n", g->n);
	json_double(j, "mean_us", g->mean);
	json_double(j, "p50_us", g->p50);
	json_double(j, "p90_us", g->p90);
	json_double(j, "p99_us", g->p99);
	json_object_end(j);
}

void swim_json(struct json *j, const struct swim_result *r)
{
	int i;

	json_object(j, "swimlane");
	json_u64(j, "cores", r->cores);
	json_u64(j, "tasks", r->tasks);
	group_json(j, "steady", &r->steady);
	group_json(j, "prev_tail", &r->prev_tail);
	group_json(j, "setup", &r->setup);
	group_json(j, "first", &r->first);
	group_json(j, "wait", &r->wait);
	group_json(j, "wait_in_freeze", &r->frozen);
	json_u64(j, "switch_cores", r->switch_cores);
	json_u64(j, "counter_hz", r->hz);
	json_u64(j, "joined", r->joined);
	json_u64(j, "unclassified", r->unclassified);
	for (i = 0; i < SWIM_NR_FAULT; i++)
		json_u64(j, fault_key[i], r->fault[i].n);
	json_u64(j, "freezes", r->freezes);
	json_bool(j, "freezes_placed", r->placed);
	json_u64(j, "inflated", r->inflated);
	json_object_end(j);
}
