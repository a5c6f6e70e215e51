// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_report.c - what happened in a recording
 */
#include <errno.h>
#include <stdio.h>

#include "gaps.h"
#include "names.h"
#include "sessions.h"
#include "state_json.h"
#include "state_text.h"

static const struct tool_hint hints[] = {
	{ ENOENT, "there is no such file; name a recording of dfx record" },
	{ EINVAL, "it is not a regular file; name a recording of dfx record" },
	{ ENOMEM, "out of memory; report fewer files at once" },
	{ 0, NULL }
};

static __u64 length_ns(const struct session *s)
{
	if (!s->ended || s->end.end_ns < s->info.start_ns)
		return 0;
	return s->end.end_ns - s->info.start_ns;
}

static void session_text(const struct session *s, const struct totals *t,
			 bool verbose)
{
	const struct dfx_session_info *i = &s->info;
	char lanes[128], length[24];

	printf("%s on %s, firmware on %s, session %llu, lanes %s, recovery %s, level %u, %s\n",
	       (const char *)i->name, arch_name(i->arch), isa_name(i->isa),
	       i->session, mask_text(i->lane_mask, lanes, sizeof(lanes)),
	       recovery_name(i->recovery), i->level,
	       duration_text(length_ns(s), length, sizeof(length)));
	records_text(t);
	printf("  here     %llu records, %llu bytes, of lanes %s, in %u parts\n",
	       s->records, s->bytes,
	       mask_text(s->lanes_here, lanes, sizeof(lanes)), s->nr_parts);
	if (session_has_payloads(s))
		printf("  payloads %llu, %llu bytes, %llu truncated\n",
		       s->payload.records, s->payload.bytes,
		       s->payload.truncated);
	if (!s->ended) {
		puts("  CUT OFF  no END frame: the numbers are those of the frames that are there");
		return;
	}
	freeze_text(s->end.freeze);
	gaps_text(s, verbose);
	lanes_text(s->lanes, s->nr_lanes);
	if (verbose)
		pools_text(s->pools, s->info.nr_pools);
}

static void session_json(struct json *j, const struct session *s,
			 const struct totals *t)
{
	const struct dfx_session_info *i = &s->info;

	json_object(j, NULL);
	json_string(j, "subsystem", (const char *)i->name);
	json_string(j, "arch", arch_name(i->arch));
	json_string(j, "isa", isa_name(i->isa));
	json_u64(j, "session", i->session);
	json_u64(j, "lane_mask", i->lane_mask);
	json_u64(j, "lanes_here", s->lanes_here);
	json_string(j, "recovery", recovery_name(i->recovery));
	json_u64(j, "level", i->level);
	json_u64(j, "counter_hz", i->counter_hz);
	json_u64(j, "start_ns", i->start_ns);
	json_u64(j, "start_realtime_ns", i->start_realtime_ns);
	json_u64(j, "length_ns", length_ns(s));
	json_bool(j, "ended", s->ended);
	json_bool(j, "identity", s->ended && !t->broken);
	json_u64(j, "records_here", s->records);
	json_u64(j, "bytes_here", s->bytes);
	if (session_has_payloads(s)) {
		json_u64(j, "payloads_here", s->payload.records);
		json_u64(j, "payload_bytes_here", s->payload.bytes);
		json_u64(j, "truncated_here", s->payload.truncated);
	}
	totals_json(j, t);
	freeze_json(j, s->end.freeze);
	gaps_json(j, s);
	lanes_json(j, s->lanes, s->nr_lanes);
	pools_json(j, s->pools, s->ended ? i->nr_pools : 0);
	json_object_end(j);
}

/* Print every session; their sum goes to @sum. */
static void print_all(const struct sessions *set, bool as_json, bool verbose,
		      struct totals *sum)
{
	struct json j = { .out = stdout };
	unsigned int i;

	if (as_json) {
		json_object(&j, NULL);
		json_array(&j, "sessions");
	}
	for (i = 0; i < set->nr; i++) {
		const struct session *s = &set->session[i];
		struct totals t;

		session_totals(s, &t);
		totals_add(sum, &t);
		if (as_json)
			session_json(&j, s, &t);
		else
			session_text(s, &t, verbose);
	}
	if (as_json) {
		json_array_end(&j);
		totals_json(&j, sum);
		json_object_end(&j);
		putchar('\n');
	} else {
		totals_print(sum);
	}
}

static bool all_ended(const struct sessions *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (!set->session[i].ended)
			return false;
	return set->nr > 0;
}

static int run(const struct command *cmd, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "verbose", no_argument, NULL, 'v' },
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	struct problems p = { .out = stderr };
	struct sessions set = { 0 };
	struct totals sum = { 0 };
	bool as_json = false, verbose = false, whole;
	int c, i, ret;

	while ((c = getopt_long(argc, argv, ":hVv", options, NULL)) != -1) {
		if (c == 'j')
			as_json = true;
		else if (c == 'v')
			verbose = true;
		else
			return tool_common(cmd, c, argv);
	}
	if (optind == argc)
		return tool_usage(cmd, "which recording? PATH is missing");

	for (i = optind; i < argc; i++) {
		ret = sessions_read(&set, argv[i], &p);
		if (ret) {
			sessions_free(&set);
			return tool_fail(argv[i], "read", ret, hints);
		}
	}
	print_all(&set, as_json, verbose, &sum);
	whole = all_ended(&set) && !sum.broken && !problems_total(&p);
	sessions_free(&set);
	return whole ? 0 : TOOL_FAILED;
}

const struct command cmd_report = {
	.name = "report",
	.brief = "tell what happened in a recording: loss, freezes, lanes",
	.help = "Usage: dfx report PATH... [--json] [-v]\n\n"
		"  --json         JSON instead of text\n"
		"  -v, --verbose  each gap and each pool as well\n\n"
		"PATH is a recording or a directory of them. Exit status 0 if the recording is\n"
		"readable to its end and its identity holds; dfx verify checks more.\n",
	.run = run,
};
