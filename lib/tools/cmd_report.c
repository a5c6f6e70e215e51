// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_report.c - what happened in a recording
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "gaps.h"
#include "names.h"
#include "state_json.h"
#include "state_text.h"
#include "swim_feed.h"
#include "swim_print.h"
#include "upstream.h"

/**
 * struct report - all that there is to tell
 * @set: recordings.
 * @swim: by session.
 * @foreign: from upstream's file.
 * @has_foreign: there was one.
 */
struct report {
	struct sessions set;
	struct swim_result *swim;
	struct swim_result foreign;
	bool has_foreign;
};

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
			 const struct swim_result *swim, bool verbose)
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
	if (session_has_swimlane(s))
		swim_text(swim);
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
			 const struct totals *t,
			 const struct swim_result *swim)
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
	if (session_has_swimlane(s))
		swim_json(j, swim);
	totals_json(j, t);
	freeze_json(j, s->end.freeze);
	gaps_json(j, s);
	lanes_json(j, s->lanes, s->nr_lanes);
	pools_json(j, s->pools, s->ended ? i->nr_pools : 0);
	json_object_end(j);
}

/* The swimlane that programs ask for first: the last that there is. */
static const struct swim_result *main_swimlane(const struct report *r)
{
	unsigned int i;

	if (r->has_foreign)
		return &r->foreign;
	for (i = r->set.nr; i-- > 0;)
		if (session_has_swimlane(&r->set.session[i]))
			return &r->swim[i];
	return NULL;
}

static void print_json(const struct report *r, struct totals *sum)
{
	const struct swim_result *swim = main_swimlane(r);
	struct json j = { .out = stdout };
	unsigned int i;

	json_object(&j, NULL);
	json_array(&j, "sessions");
	for (i = 0; i < r->set.nr; i++) {
		struct totals t;

		session_totals(&r->set.session[i], &t);
		totals_add(sum, &t);
		session_json(&j, &r->set.session[i], &t, &r->swim[i]);
	}
	json_array_end(&j);
	if (r->set.nr_files)
		totals_json(&j, sum);
	if (swim)
		swim_json(&j, swim);
	json_object_end(&j);
	putchar('\n');
}

static void print_text(const struct report *r, bool verbose,
		       struct totals *sum)
{
	unsigned int i;

	for (i = 0; i < r->set.nr; i++) {
		struct totals t;

		session_totals(&r->set.session[i], &t);
		totals_add(sum, &t);
		session_text(&r->set.session[i], &t, &r->swim[i], verbose);
	}
	if (r->has_foreign)
		swim_text(&r->foreign);
	if (r->set.nr_files)
		totals_print(sum);
}

static bool all_ended(const struct sessions *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (!set->session[i].ended)
			return false;
	return set->nr > 0 || !set->nr_files;
}

static int read_path(struct report *r, const char *path, struct problems *p)
{
	char file[PATH_MAX];

	if (!upstream_find(path, file, sizeof(file)))
		return sessions_read(&r->set, path, p);
	if (r->has_foreign) {
		problem(p, PROBLEM_FORMAT,
			"%s: is left out: one file of upstream's at a time",
			file);
		return 0;
	}
	r->has_foreign = true;
	return upstream_read(file, &r->foreign, p);
}

static void free_report(struct report *r)
{
	sessions_free(&r->set);
	free(r->swim);
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
	struct report r = { .swim = NULL };
	struct totals sum = { 0 };
	bool as_json = false, verbose = false, whole;
	int c, i, ret = 0;

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

	for (i = optind; i < argc && !ret; i++) {
		ret = read_path(&r, argv[i], &p);
		if (ret)
			tool_fail(argv[i], "read", ret, hints);
	}
	if (!ret) {
		r.swim = calloc(r.set.nr ? r.set.nr : 1, sizeof(*r.swim));
		ret = r.swim ? swim_results(&r.set, r.swim, &p) : -ENOMEM;
		if (ret)
			tool_fail(argv[optind], "read again", ret, hints);
	}
	if (ret) {
		free_report(&r);
		return TOOL_FAILED;
	}
	if (as_json)
		print_json(&r, &sum);
	else
		print_text(&r, verbose, &sum);
	whole = all_ended(&r.set) && !sum.broken && !problems_total(&p);
	free_report(&r);
	return whole ? 0 : TOOL_FAILED;
}

const struct command cmd_report = {
	.name = "report",
	.brief = "tell what happened in a recording: loss, freezes, lanes, switches",
	.help = "Usage: dfx report PATH... [--json] [-v]\n\n"
		"  --json         JSON instead of text\n"
		"  -v, --verbose  each gap and each pool as well\n\n"
		"PATH is a recording, a directory of them, or a " UPSTREAM_SWIMLANE "\n"
		"of upstream's. Of the swimlane it tells what the cores did between their tasks.\n"
		"Exit status 0 if the recording is readable to its end, its identity holds, and\n"
		"the records of tasks fit each other; dfx verify checks more.\n",
	.run = run,
};
