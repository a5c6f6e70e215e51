// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * state_json.c - gates, lanes and pools as JSON
 */
#include "names.h"
#include "state_json.h"

void freeze_json(struct json *j, const struct dfx_freeze_stat *freeze)
{
	unsigned int g;

	json_object(j, "freeze");
	for (g = 0; g < DFX_NR_GATE; g++) {
		json_object(j, gate_name(g));
		json_u64(j, "active", freeze[g].active);
		json_u64(j, "opens", freeze[g].opens);
		json_u64(j, "releases", freeze[g].releases);
		json_u64(j, "marks", freeze[g].marks);
		json_u64(j, "total_ns", freeze[g].total_ns);
		json_u64(j, "longest_ns", freeze[g].longest_ns);
		json_u64(j, "since_ns", freeze[g].since_ns);
		json_object_end(j);
	}
	json_object_end(j);
}

static void lane_json(struct json *j, const struct dfx_lane_state *l)
{
	json_object(j, NULL);
	json_u64(j, "lane", l->lane);
	json_string(j, "state", lane_state_name(l->state));
	json_bool(j, "enabled", l->flags & DFX_LANE_F_ENABLED);
	json_bool(j, "attached", l->flags & DFX_LANE_F_ATTACHED);
	json_bool(j, "consumer", l->flags & DFX_LANE_F_CONSUMER);
	json_bool(j, "silent", l->flags & DFX_LANE_F_SILENT);
	json_string(j, "fault", fault_name(l->fault));
	json_u64(j, "runs", l->runs);
	json_u64(j, "ready", l->ready);
	json_u64(j, "rq_fill", l->rq_fill);
	json_u64(j, "heartbeat", l->heartbeat);
	json_u64(j, "push_waits", l->push_waits);
	json_u64(j, "pop_waits", l->pop_waits);
	json_u64(j, "push_ns", l->push_ns);
	json_u64(j, "pop_ns", l->pop_ns);
	json_u64(j, "expired", l->expired);
	json_u64(j, "resumed", l->resumed);
	json_u64(j, "marks", l->marks);
	json_u64(j, "entries", l->entries);
	json_u64(j, "bad_entries", l->bad_entries);
	json_u64(j, "alone", l->alone);
	json_u64(j, "alone_ns", l->alone_ns);
	json_object_end(j);
}

void lanes_json(struct json *j, const struct dfx_lane_state *lanes,
		unsigned int nr)
{
	unsigned int i;

	json_array(j, "lanes");
	for (i = 0; i < nr; i++)
		lane_json(j, &lanes[i]);
	json_array_end(j);
}

static void dropped_json(struct json *j, const char *key,
			 const __u64 dropped[DFX_NR_DROP])
{
	unsigned int i;

	json_object(j, key);
	for (i = 0; i < DFX_NR_DROP; i++)
		if (drop_name(i))
			json_u64(j, drop_name(i), dropped[i]);
	json_object_end(j);
}

static void pool_json(struct json *j, const struct dfx_pool_state *p)
{
	json_object(j, NULL);
	json_u64(j, "pool", p->pool);
	json_u64(j, "lane", p->lane);
	json_u64(j, "free", p->free);
	json_u64(j, "queued", p->queued);
	json_u64(j, "device", p->device);
	json_u64(j, "ready", p->ready);
	json_u64(j, "held", p->held);
	json_u64(j, "quarantine", p->quarantine);
	json_u64(j, "produced", p->produced);
	json_u64(j, "delivered", p->delivered);
	json_u64(j, "dropped", dropped_sum(p->dropped));
	json_u64(j, "in_flight", p->in_flight);
	json_u64(j, "mismatch", p->mismatch);
	json_u64(j, "next_seq", p->next_seq);
	dropped_json(j, "dropped_by", p->dropped);
	json_object_end(j);
}

void pools_json(struct json *j, const struct dfx_pool_state *pools,
		unsigned int nr)
{
	unsigned int i;

	json_array(j, "pools");
	for (i = 0; i < nr; i++)
		pool_json(j, &pools[i]);
	json_array_end(j);
}

void totals_json(struct json *j, const struct totals *t)
{
	json_object(j, "totals");
	json_u64(j, "produced", t->produced);
	json_u64(j, "delivered", t->delivered);
	json_u64(j, "dropped", dropped_sum(t->dropped));
	json_u64(j, "in_flight", t->in_flight);
	json_u64(j, "lost", totals_lost(t));
	json_u64(j, "freezes", t->freezes);
	dropped_json(j, "dropped_by", t->dropped);
	json_object_end(j);
}
