// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * swim_faults.c - what is wrong with the rows of a swimlane, in words
 */
#include "swim_faults.h"

static const char *const fault_text[SWIM_NR_FAULT] = {
	[SWIM_NO_STAMP] = "tasks have no AICPU record; the gap before each is not classified",
	[SWIM_NO_TASK] = "AICPU records have no task of their core; they are left out",
	[SWIM_TWICE] = "records are of a task that has one already; they are left out",
	[SWIM_ZERO_START] = "records of cores were never written (start 0); they are left out",
	[SWIM_DISORDER] = "records of cores are not in the order of time; they were put into it",
	[SWIM_LATE] = "records of cores are too far from their place in time; they are left out",
	[SWIM_BACKWARD] = "records end before they begin: a counter ran back",
	[SWIM_OVERLAP] = "tasks began before the last of their core had ended: a counter ran back",
};

const char *swim_fault_text(enum swim_fault fault)
{
	return fault_text[fault];
}

void swim_say_faults(const struct swim_result *r, const char *name, bool both,
		     struct problems *p)
{
	int i;

	for (i = 0; i < SWIM_NR_FAULT; i++) {
		const struct swim_finding *f = &r->fault[i];

		if (!f->n || (!both && (i == SWIM_NO_STAMP ||
					i == SWIM_NO_TASK)))
			continue;
		problem(p, PROBLEM_TASK, "%s: %llu %s (the first: core %u, task %u)",
			name, f->n, fault_text[i], f->core, f->id);
	}
}
