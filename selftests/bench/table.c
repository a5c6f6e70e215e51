// SPDX-License-Identifier: GPL-2.0-only
/*
 * table.c - medians, and the table
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void sorted(double *out, const double *v, unsigned int nr)
{
	memcpy(out, v, nr * sizeof(*v));
	qsort(out, nr, sizeof(*out), by_value);
}

double median(const double *v, unsigned int nr)
{
	double s[64];

	sorted(s, v, nr);
	return nr % 2 ? s[nr / 2] : (s[nr / 2 - 1] + s[nr / 2]) / 2;
}

double quantile(double *v, unsigned int nr, double q)
{
	unsigned int rank = (unsigned int)(q * nr + 0.999999);

	qsort(v, nr, sizeof(*v), by_value);
	return v[rank ? rank - 1 : 0];
}

void table_head(FILE *out)
{
	fprintf(out, "%-36s %-24s %-24s %-26s %-8s\n", "measurement",
		"numerator", "denominator", "ratio, median [min-max]", "bar");
}

static void operand(FILE *out, const char *name, const double *v,
		    const struct row *row)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %.3g %s", name, median(v, row->nr),
		 row->unit);
	fprintf(out, "%-24s ", text);
}

/* Returns whether the row misses its bar. */
int table_row(FILE *out, const struct row *row)
{
	double r[64], s[64], m;
	char ratio[48];
	unsigned int i;
	bool good;

	for (i = 0; i < row->nr; i++)
		r[i] = row->a[i] / row->b[i];
	sorted(s, r, row->nr);
	m = median(r, row->nr);
	good = row->kind == AT_MOST ? m <= row->bar : m >= row->bar;

	fprintf(out, "%-36s ", row->name);
	operand(out, row->a_name, row->a, row);
	operand(out, row->b_name, row->b, row);
	snprintf(ratio, sizeof(ratio), "%.3f [%.3f-%.3f]", m, s[0],
		 s[row->nr - 1]);
	fprintf(out, "%-26s %s %-5g %s\n", ratio,
		row->kind == AT_MOST ? "<=" : ">=", row->bar,
		good ? "ok" : "FAIL");
	if (row->note[0])
		fprintf(out, "  %s\n", row->note);
	return !good;
}
