// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * gaps.c - the gaps of a session, by the lanes that they are common to
 */
#include <stdio.h>

#include "gaps.h"
#include "names.h"
#include "state_text.h"

/**
 * struct gap_group - the listed incidents that stopped the same lanes
 * @lanes: these.
 * @nr: incidents.
 * @total_ns: their length in total.
 * @longest_ns: length of the longest.
 */
struct gap_group {
	__u64 lanes;
	__u64 nr;
	__u64 total_ns;
	__u64 longest_ns;
};

static __u64 gap_ns(const struct dfx_incident *g)
{
	return g->close_ns > g->open_ns ? g->close_ns - g->open_ns : 0;
}

/* The group that begins with incident @i; false if an earlier one has it. */
static bool group_at(const struct session *s, unsigned int i,
		     struct gap_group *group)
{
	const struct dfx_incident *gap = s->incidents;
	unsigned int k;

	for (k = 0; k < i; k++)
		if (gap[k].lanes == gap[i].lanes)
			return false;
	*group = (struct gap_group){ .lanes = gap[i].lanes };
	for (k = i; k < s->end.nr_incidents; k++) {
		if (gap[k].lanes != gap[i].lanes)
			continue;
		group->nr++;
		group->total_ns += gap_ns(&gap[k]);
		if (gap_ns(&gap[k]) > group->longest_ns)
			group->longest_ns = gap_ns(&gap[k]);
	}
	return true;
}

/* "common to lanes 0-3", "in lane 2", "in no lane" */
static const char *whose(__u64 lanes, char *buf, size_t size)
{
	char mask[128];

	if (!lanes)
		return "in no lane";
	mask_text(lanes, mask, sizeof(mask));
	snprintf(buf, size, lanes & (lanes - 1) ? "common to lanes %s" :
		 "in lane %s", mask);
	return buf;
}

void gaps_text(const struct session *s, bool each)
{
	char who[160], total[24], longest[24];
	struct gap_group g;
	unsigned int i;

	for (i = 0; i < s->end.nr_incidents; i++) {
		if (!group_at(s, i, &g))
			continue;
		printf("  gaps     %llu %s, %s in total, longest %s\n", g.nr,
		       whose(g.lanes, who, sizeof(who)),
		       duration_text(g.total_ns, total, sizeof(total)),
		       duration_text(g.longest_ns, longest, sizeof(longest)));
	}
	if (s->end.incidents > s->end.nr_incidents)
		printf("  gaps     %llu more, whose lanes are not listed\n",
		       s->end.incidents - s->end.nr_incidents);
	for (i = 0; i < s->nr_lanes; i++)
		if (s->lanes[i].alone)
			printf("  gaps     %llu in lane %u alone, without a freeze, %s in total\n",
			       s->lanes[i].alone, s->lanes[i].lane,
			       duration_text(s->lanes[i].alone_ns, total,
					     sizeof(total)));
	for (i = 0; each && i < s->end.nr_incidents; i++) {
		const struct dfx_incident *gap = &s->incidents[i];

		printf("  gap %4u at %s for %s, %s\n", gap->number,
		       duration_text(gap->open_ns - s->info.start_ns, total,
				     sizeof(total)),
		       duration_text(gap_ns(gap), longest, sizeof(longest)),
		       whose(gap->lanes, who, sizeof(who)));
	}
}

void gaps_json(struct json *j, const struct session *s)
{
	struct gap_group g;
	unsigned int i;

	json_object(j, "gaps");
	json_u64(j, "incidents", s->end.incidents);
	json_array(j, "common");
	for (i = 0; i < s->end.nr_incidents; i++) {
		if (!group_at(s, i, &g))
			continue;
		json_object(j, NULL);
		json_u64(j, "lanes", g.lanes);
		json_u64(j, "gaps", g.nr);
		json_u64(j, "total_ns", g.total_ns);
		json_u64(j, "longest_ns", g.longest_ns);
		json_object_end(j);
	}
	json_array_end(j);
	json_array(j, "alone");
	for (i = 0; i < s->nr_lanes; i++) {
		if (!s->lanes[i].alone)
			continue;
		json_object(j, NULL);
		json_u64(j, "lane", s->lanes[i].lane);
		json_u64(j, "gaps", s->lanes[i].alone);
		json_u64(j, "total_ns", s->lanes[i].alone_ns);
		json_object_end(j);
	}
	json_array_end(j);
	json_array(j, "listed");
	for (i = 0; i < s->end.nr_incidents; i++) {
		const struct dfx_incident *gap = &s->incidents[i];

		json_object(j, NULL);
		json_u64(j, "number", gap->number);
		json_u64(j, "open_ns", gap->open_ns);
		json_u64(j, "length_ns", gap_ns(gap));
		json_u64(j, "lanes", gap->lanes);
		json_u64(j, "gates", gap->gates);
		json_object_end(j);
	}
	json_array_end(j);
	json_object_end(j);
}
