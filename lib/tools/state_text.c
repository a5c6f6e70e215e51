// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * state_text.c - gates, lanes and pools as text
 */
#include <stdio.h>

#include "names.h"
#include "state_text.h"

const char *duration_text(__u64 ns, char *buf, size_t size)
{
	if (ns < 10000)
		snprintf(buf, size, "%llu ns", ns);
	else if (ns < 10000000)
		snprintf(buf, size, "%.1f us", (double)ns / 1e3);
	else if (ns < 10000000000ull)
		snprintf(buf, size, "%.1f ms", (double)ns / 1e6);
	else
		snprintf(buf, size, "%.1f s", (double)ns / 1e9);
	return buf;
}

const char *mask_text(__u64 mask, char *buf, size_t size)
{
	size_t n = 0;
	int i, end;

	snprintf(buf, size, "none");
	for (i = 0; i < 64 && n < size; i = end + 1) {
		end = i;
		if (!(mask >> i & 1))
			continue;
		while (end < 63 && mask >> (end + 1) & 1)
			end++;
		n += (size_t)snprintf(buf + n, size - n, "%s%d",
				      n ? "," : "", i);
		if (end > i && n < size)
			n += (size_t)snprintf(buf + n, size - n, "-%d", end);
	}
	return buf;
}

void records_text(const struct totals *t)
{
	unsigned int i;
	bool any = false;

	printf("  records  %llu produced, %llu delivered, %llu dropped, %llu in flight\n",
	       t->produced, t->delivered, dropped_sum(t->dropped),
	       t->in_flight);
	for (i = 0; i < DFX_NR_DROP; i++) {
		if (!t->dropped[i])
			continue;
		printf("%s %s %llu", any ? "," : "  lost    ",
		       drop_name(i) ? drop_name(i) : "unknown", t->dropped[i]);
		any = true;
	}
	if (any)
		putchar('\n');
	if (t->broken)
		printf("  BROKEN   produced is not delivered + dropped + in flight in %u pools\n",
		       t->broken);
}

void freeze_text(const struct dfx_freeze_stat *freeze)
{
	char total[24], longest[24];
	unsigned int g;

	for (g = 0; g < DFX_NR_GATE; g++) {
		const struct dfx_freeze_stat *f = &freeze[g];

		printf("  %s gate  %llu opens, %llu releases, %llu marks",
		       gate_name(g), f->opens, f->releases, f->marks);
		printf(", %s in total, longest %s%s\n",
		       duration_text(f->total_ns, total, sizeof(total)),
		       duration_text(f->longest_ns, longest, sizeof(longest)),
		       f->active ? ", FROZEN now" : "");
	}
}

void lanes_text(const struct dfx_lane_state *lanes, unsigned int nr)
{
	char push[24], pop[24];
	unsigned int i;

	printf("  %4s  %-11s %5s %9s  %18s  %18s %7s %7s %8s\n", "lane",
	       "state", "runs", "entries", "push waits", "pop waits",
	       "expired", "resumed", "marks");
	for (i = 0; i < nr; i++) {
		const struct dfx_lane_state *l = &lanes[i];

		printf("  %4u  %-11s %5u %9llu  %7llu %10s  %7llu %10s %7llu %7llu %8llu",
		       l->lane, lane_state_name(l->state), l->runs, l->entries,
		       l->push_waits,
		       duration_text(l->push_ns, push, sizeof(push)),
		       l->pop_waits,
		       duration_text(l->pop_ns, pop, sizeof(pop)),
		       l->expired, l->resumed, l->marks);
		if (l->fault)
			printf("  FAULT %s, %llu bad entries",
			       fault_name(l->fault), l->bad_entries);
		if (l->flags & DFX_LANE_F_SILENT)
			fputs("  SILENT at stop", stdout);
		putchar('\n');
	}
}

void pools_text(const struct dfx_pool_state *pools, unsigned int nr)
{
	unsigned int i;

	printf("  %4s %4s %4s %6s %6s %5s %4s %4s %12s %12s %10s %9s\n",
	       "pool", "lane", "free", "queued", "device", "ready", "held",
	       "quar", "produced", "delivered", "dropped", "in_flight");
	for (i = 0; i < nr; i++) {
		const struct dfx_pool_state *p = &pools[i];

		printf("  %4u %4u %4u %6u %6u %5u %4u %4u %12llu %12llu %10llu %9llu\n",
		       p->pool, p->lane, p->free, p->queued, p->device,
		       p->ready, p->held, p->quarantine, p->produced,
		       p->delivered, dropped_sum(p->dropped), p->in_flight);
	}
}
