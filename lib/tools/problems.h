/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * problems.h - what is wrong with a recording, counted and said
 */
#ifndef DFX_PROBLEMS_H
#define DFX_PROBLEMS_H

#include <stdio.h>

#include "tool.h"

enum problem_kind {
	PROBLEM_FORMAT,		/* not, or no longer, a recording */
	PROBLEM_CHECKSUM,	/* bytes differ from what was written */
	PROBLEM_FRAME,		/* a frame contradicts its session */
	PROBLEM_ORDER,		/* a pool's buffers are out of order */
	PROBLEM_TWICE,		/* a buffer is there twice, unmarked or changed */
	PROBLEM_SEQUENCE,	/* buffers are missing */
	PROBLEM_PAYLOAD,	/* payloads are not where records say */
	PROBLEM_COUNT,		/* fewer or more records than were delivered */
	PROBLEM_LOST,		/* frames tell of more loss than the counters */
	PROBLEM_IDENTITY,	/* produced is not the sum of its parts */
	PROBLEM_FLIGHT,		/* records that never arrived */
	PROBLEM_LANES,		/* lanes that another consumer recorded */
	PROBLEM_END,		/* no END frame */
	PROBLEM_TASK,		/* rows of tasks are missing or contradict */
	NR_PROBLEMS
};

/**
 * struct problems - findings
 * @out: where they are said, NULL for nowhere.
 * @count: by kind.
 */
struct problems {
	FILE *out;
	unsigned long count[NR_PROBLEMS];
};

void problem(struct problems *p, enum problem_kind kind, const char *fmt, ...)
	TOOL_PRINTF(3, 4);
unsigned long problems_total(const struct problems *p);

#endif /* DFX_PROBLEMS_H */
