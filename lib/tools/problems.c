// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * problems.c - what is wrong with a recording, counted and said
 */
#include <stdarg.h>

#include "problems.h"

/* Lines of one kind; a broken disk would fill the terminal otherwise. */
#define MAX_LINES	16

void problem(struct problems *p, enum problem_kind kind, const char *fmt, ...)
{
	unsigned long n = ++p->count[kind];
	va_list ap;

	if (!p->out || n > MAX_LINES)
		return;
	va_start(ap, fmt);
	vfprintf(p->out, fmt, ap);
	va_end(ap);
	fputs(n == MAX_LINES ? " (more of this kind are only counted)\n" : "\n",
	      p->out);
}

unsigned long problems_total(const struct problems *p)
{
	unsigned long sum = 0;
	int i;

	for (i = 0; i < NR_PROBLEMS; i++)
		sum += p->count[i];
	return sum;
}
