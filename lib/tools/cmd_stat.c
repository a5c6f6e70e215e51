// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_stat.c - a region's state, once or again and again
 */
#include <stdio.h>
#include <time.h>

#include "names.h"
#include "parse.h"
#include "snapshot.h"
#include "state_json.h"
#include "state_text.h"
#include "tool.h"

static void sum_up(const struct snapshot *s, struct totals *t)
{
	unsigned int i;

	*t = (struct totals){ 0 };
	for (i = 0; i < s->state.nr_pools; i++)
		totals_add_pool(t, &s->pools[i]);
	totals_add_freeze(t, s->state.out_freeze);
}

static void print_json(const char *name, const char *subsystem,
		       const struct snapshot *s, const struct totals *t)
{
	const struct dfx_state *st = &s->state;
	struct json j = { .out = stdout };

	json_object(&j, NULL);
	json_string(&j, "device", name);
	json_string(&j, "subsystem", subsystem);
	json_object(&j, "session");
	json_string(&j, "state", session_state_name(st->out_session_state));
	json_u64(&j, "id", st->out_session);
	json_u64(&j, "lane_mask", st->out_lane_mask);
	json_u64(&j, "attached_mask", st->out_attached_mask);
	json_u64(&j, "consumers", st->out_consumers);
	json_string(&j, "recovery", recovery_name(st->out_recovery));
	json_u64(&j, "level", st->out_level);
	json_u64(&j, "start_ns", st->out_start_ns);
	json_u64(&j, "now_ns", st->out_now_ns);
	json_u64(&j, "passes", st->out_passes);
	json_u64(&j, "events", st->out_events);
	json_object_end(&j);
	freeze_json(&j, st->out_freeze);
	json_u64(&j, "incidents", st->out_incidents);
	lanes_json(&j, s->lanes, st->nr_lanes);
	pools_json(&j, s->pools, st->nr_pools);
	totals_json(&j, t);
	json_object_end(&j);
	putchar('\n');
}

static void print_text(const char *name, const char *subsystem,
		       const struct snapshot *s, struct totals *t)
{
	const struct dfx_state *st = &s->state;
	char lanes[128], attached[128], age[24];

	printf("%s: %s, %s", name, subsystem,
	       session_state_name(st->out_session_state));
	if (st->out_session)
		printf(", session %llu, lanes %s, recovery %s, level %u",
		       st->out_session,
		       mask_text(st->out_lane_mask, lanes, sizeof(lanes)),
		       recovery_name(st->out_recovery), st->out_level);
	if (st->out_session_state == DFX_SESSION_RUNNING)
		printf(", since %s",
		       duration_text(st->out_now_ns - st->out_start_ns, age,
				     sizeof(age)));
	putchar('\n');
	printf("  readers  %u, of lanes %s\n", st->out_consumers,
	       mask_text(st->out_attached_mask, attached, sizeof(attached)));
	/* While lanes write, a snapshot is not of one instant. */
	if (st->out_session_state != DFX_SESSION_IDLE)
		t->broken = 0;
	records_text(t);
	freeze_text(st->out_freeze);
	lanes_text(s->lanes, st->nr_lanes);
	pools_text(s->pools, st->nr_pools);
}

static int stat_loop(struct dfx *dfx, bool as_json, __u64 interval_ns)
{
	struct snapshot s = { 0 };
	struct dfx_query q;
	struct totals t;
	int ret;

	ret = dfx_query_get(dfx, &q);
	while (!ret) {
		const char *subsystem = (const char *)q.out_name;
		struct timespec ts = {
			.tv_sec = (time_t)(interval_ns / 1000000000u),
			.tv_nsec = (long)(interval_ns % 1000000000u),
		};

		ret = snapshot_take(dfx, &s);
		if (ret)
			break;
		sum_up(&s, &t);
		if (as_json)
			print_json(dfx_name(dfx), subsystem, &s, &t);
		else
			print_text(dfx_name(dfx), subsystem, &s, &t);
		if (!interval_ns || fflush(stdout))
			break;
		nanosleep(&ts, NULL);
	}
	snapshot_free(&s);
	return ret ? tool_fail(dfx_name(dfx), "read the state", ret, NULL) : 0;
}

static int run(const struct command *cmd, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "interval", required_argument, NULL, 'i' },
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	__u64 interval_ns = 0;
	bool as_json = false;
	const char *dev;
	struct dfx *dfx;
	int c, ret;

	while ((c = getopt_long(argc, argv, ":hV", options, NULL)) != -1) {
		switch (c) {
		case 'j':
			as_json = true;
			break;
		case 'i':
			if (parse_seconds(optarg, &interval_ns))
				return tool_usage(cmd, "%s is no number of seconds",
						  optarg);
			break;
		default:
			return tool_common(cmd, c, argv);
		}
	}
	ret = tool_operand(cmd, argc, argv, &dev);
	if (!ret)
		ret = tool_open(dev, &dfx);
	if (ret)
		return ret;
	ret = stat_loop(dfx, as_json, interval_ns);
	dfx_close(dfx);
	return ret;
}

const struct command cmd_stat = {
	.name = "stat",
	.brief = "show a device's state: session, freezes, lanes, pools",
	.help = "Usage: dfx stat DEV [--json] [--interval S]\n\n"
		"  --json        one JSON object, on one line\n"
		"  --interval S  again every S seconds, until interrupted\n",
	.run = run,
};
