// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_swim_test.c - what dfx report says of a swimlane, and dfx export writes
 *
 * The command itself is run, over recordings and over upstream's JSON of the same
 * tasks; each fault is put into an otherwise good one.
 */
#include <assert.h>
#include <endian.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib_run.h"
#include "lib_swim_gen.h"
#include "tap.h"
#include "tools/dist.h"
#include "tools/upstream.h"

#define TICK_US		0.02
#define MAX_TASKS	20000

static char dir[] = "/tmp/dfx-swim-XXXXXX";
static char rec[64], more[64], json[64], out_dir[64], exported[96], beside[96];
static struct gen gen;
static struct gen_task task[MAX_TASKS];

/* A report as JSON; the caller puts it. */
struct answer {
	struct run run;
	struct json_object *all;
	struct json_object *swim;
};

static struct answer report(const char *first, const char *second)
{
	struct answer a = { .swim = NULL };

	a.run = run_command(&cmd_report, "--json", first, second, NULL);
	a.all = json_tokener_parse(a.run.out);
	json_object_object_get_ex(a.all, "swimlane", &a.swim);
	return a;
}

static double figure(const struct answer *a, const char *group,
		     const char *key)
{
	struct json_object *o = a->swim, *v = NULL;

	if (group && !json_object_object_get_ex(o, group, &o))
		return -1e9;
	if (!json_object_object_get_ex(o, key, &v))
		return -1e9;
	return json_object_get_double(v);
}

#define FIGURE(a, group, key, want) \
	tap_check(fabs(figure(a, group, key) - (want)) < 1e-9, \
		  #group " " #key " is " #want, __FILE__, __LINE__)

/* Counts that are 0 in a good swimlane, and those that are not to be. */
static bool only(const struct answer *a, const char *key, unsigned int n)
{
	static const char *const keys[] = {
		"unmatched_aicore", "unmatched_aicpu", "duplicate",
		"zero_start", "out_of_order", "late", "backward", "overlap",
		"unclassified",
	};
	bool good = true;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		bool wanted = key && !strcmp(keys[i], key);

		if (figure(a, NULL, keys[i]) == (wanted ? n : 0))
			continue;
		tap_note("%s: %g", keys[i], figure(a, NULL, keys[i]));
		good = false;
	}
	return good;
}

static void done(struct answer *a)
{
	json_object_put(a->all);
}

static void write_tasks(const char *path, unsigned int nr)
{
	unsigned int i;

	gen_open(&gen, path);
	for (i = 0; i < nr; i++)
		gen_task(&gen, &task[i]);
	gen_close(&gen, false);
}

/* One core's tasks: 100 ticks each, and @gap between them, all waits. */
static void row_of_tasks(unsigned int nr, __u32 core, __u64 gap)
{
	__u64 at = GEN_START_NS / 20 + 1000;
	unsigned int i;

	for (i = 0; i < nr; i++, at += 100 + gap)
		task[i] = (struct gen_task){
			.core = core,
			.id = i,
			.dispatch = at - 20,
			.receive = at - 10,
			.start = at,
			.end = at + 100,
			.finish = at + 105,
		};
}

/* Both forms of the tasks, each reported; @key is what must be wrong. */
static void both_say(const char *key, unsigned int n, unsigned int nr,
		     unsigned int lines)
{
	const char *path[] = { rec, json };
	unsigned int i;

	gen_init(&gen);
	write_tasks(rec, nr);
	gen_json(json, task, nr, 4);
	for (i = 0; i < 2; i++) {
		struct answer a = report(path[i], NULL);

		CHECK_EQ(a.run.status, key ? 1 : 0);
		CHECK_EQ(run_lines(a.run.err), lines);
		CHECK(only(&a, key, n));
		done(&a);
	}
}

static void check_seed(const struct answer *a)
{
	CHECK_EQ(a->run.status, 0);
	CHECK_EQ(strlen(a->run.err), 0);
	FIGURE(a, NULL, "cores", 72);
	FIGURE(a, NULL, "tasks", 1088);
	FIGURE(a, NULL, "joined", 1088);
	FIGURE(a, NULL, "switch_cores", 32);
	FIGURE(a, "steady", "n", 581);
	FIGURE(a, "steady", "p50_us", 0.80);
	FIGURE(a, "steady", "p90_us", 1.00);
	FIGURE(a, "steady", "p99_us", 1.22);
	FIGURE(a, "prev_tail", "n", 581);
	FIGURE(a, "prev_tail", "p50_us", 0.50);
	FIGURE(a, "prev_tail", "p90_us", 0.66);
	FIGURE(a, "prev_tail", "p99_us", 0.88);
	FIGURE(a, "setup", "n", 581);
	FIGURE(a, "setup", "p50_us", 0.28);
	FIGURE(a, "setup", "p90_us", 0.40);
	FIGURE(a, "setup", "p99_us", 0.60);
	FIGURE(a, "first", "n", 32);
	FIGURE(a, "first", "p50_us", 1.48);
	FIGURE(a, "first", "p90_us", 1.86);
	FIGURE(a, "first", "p99_us", 1.98);
	FIGURE(a, "wait", "n", 403);
	FIGURE(a, "wait", "p50_us", 54.00);
	FIGURE(a, "wait", "p90_us", 381.00);
	FIGURE(a, "wait", "p99_us", 698.00);
	/* Sums of the generator's tables, in ticks. */
	CHECK(fabs(figure(a, "steady", "mean_us") -
		   23510 * TICK_US / 581) < 1e-9);
	CHECK(fabs(figure(a, "prev_tail", "mean_us") -
		   14993 * TICK_US / 581) < 1e-9);
	CHECK(fabs(figure(a, "setup", "mean_us") -
		   8517 * TICK_US / 581) < 1e-9);
	CHECK(fabs(figure(a, "first", "mean_us") -
		   2228 * TICK_US / 32) < 1e-9);
	CHECK(fabs(figure(a, "wait", "mean_us") -
		   2536700 * TICK_US / 403) < 1e-8);
	CHECK(only(a, NULL, 0));
}

static bool has_row(const char *text, const char *name, unsigned int n,
		    const char *mean, const char *p50, const char *p90,
		    const char *p99)
{
	char row[128];

	snprintf(row, sizeof(row), "    %-26s %10u %9s %9s %9s %9s\n", name, n,
		 mean, p50, p90, p99);
	return strstr(text, row);
}

static void check_table(const char *path)
{
	struct run run = run_command(&cmd_report, path, NULL);

	CHECK_EQ(run.status, 0);
	CHECK(has_row(run.out, "STEADY switch (disp < end)", 581, "0.81",
		      "0.80", "1.00", "1.22"));
	CHECK(has_row(run.out, "  prev_tail", 581, "0.52", "0.50", "0.66",
		      "0.88"));
	CHECK(has_row(run.out, "  setup", 581, "0.29", "0.28", "0.40", "0.60"));
	CHECK(has_row(run.out, "first switch of a core", 32, "1.39", "1.48",
		      "1.86", "1.98"));
	CHECK(has_row(run.out, "WAIT gap (core idle)", 403, "125.89", "54.00",
		      "381.00", "698.00"));
	CHECK(strstr(run.out, "n = 581 steady switches, 403 wait gaps, 32 cores with a switch\n"));
}

static void test_seed(void)
{
	struct answer a;

	gen_init(&gen);
	gen_seed(task);
	write_tasks(rec, GEN_SEED_TASKS);
	gen_json(json, task, GEN_SEED_TASKS, 4);

	a = report(rec, NULL);
	check_seed(&a);
	done(&a);
	tap_end("the seed's run: a recording's JSON");
	check_table(rec);
	tap_end("the seed's run: a recording's table");
	a = report(json, NULL);
	check_seed(&a);
	done(&a);
	tap_end("the seed's run: JSON of upstream's file");
	check_table(json);
	tap_end("the seed's run: table of upstream's file");
}

/* A session that two consumers recorded, lanes 0 and 1, and 2 and 3. */
static void write_halves(void)
{
	unsigned int half, i;

	for (half = 0; half < 2; half++) {
		gen_init(&gen);
		gen.session.lanes_here = half ? 12 : 3;
		gen_open(&gen, half ? more : rec);
		for (i = 0; i < GEN_SEED_TASKS; i++)
			if ((task[i].core >= GEN_CORES / 2) == half)
				gen_task(&gen, &task[i]);
		gen_close(&gen, false);
	}
}

static void test_files(void)
{
	struct answer a;
	unsigned int i;

	gen_seed(task);
	write_halves();
	a = report(rec, more);
	check_seed(&a);
	done(&a);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 0);
	FIGURE(&a, NULL, "cores", 36);
	done(&a);
	tap_end("a session in two files, each with its lanes");

	/* The second has all of the first once more. */
	for (i = 0; i < 2; i++) {
		gen_init(&gen);
		gen.flags = i ? DFX_FRAME_REDELIVERED : 0;
		gen_open(&gen, i ? more : rec);
		for (unsigned int k = 0; k < GEN_SEED_TASKS; k++)
			gen_task(&gen, &task[k]);
		gen_close(&gen, false);
	}
	a = report(rec, more);
	check_seed(&a);
	done(&a);
	tap_end("buffers that were redelivered count once");
}

/* ---------------- export ------------------------------------------------- */

static void add_phases(void)
{
	const struct dfx_rec_sched_phase dispatch = {
		.start_time = htole64(7), .end_time = htole64(9),
		.loop_iter = htole32(3), .kind = htole32(1),
		.tasks_processed = htole32(2),
		.extra = { htole32(5), htole32(6) },
		.depth_at_start = { htole16(1), htole16(2), htole16(0xffff) },
	};
	const struct dfx_rec_sched_phase skip = {
		.kind = htole32(12), .extra = { htole32(121), htole32(2) },
	};
	const struct dfx_rec_orch_phase orch = {
		.start_time = htole64(1), .end_time = htole64(2),
		.task_id = htole64(1ull << 63), .submit_idx = htole32(4),
	};

	gen_record(&gen, gen_sched_pool(2), &dispatch);
	gen_record(&gen, gen_sched_pool(2), &skip);
	gen_record(&gen, gen_orch_pool(), &orch);
}

static void write_with_phases(unsigned int level)
{
	unsigned int i;

	gen_init(&gen);
	gen.session.level = level;
	gen_seed(task);
	gen_open(&gen, rec);
	for (i = 0; i < GEN_SEED_TASKS; i++)
		gen_task(&gen, &task[i]);
	if (level == 4)
		add_phases();
	gen_close(&gen, false);
}

/* Member @key of @o as text, without spaces. */
static bool is(struct json_object *o, const char *key, const char *want)
{
	struct json_object *v = NULL;
	const char *text;

	json_object_object_get_ex(o, key, &v);
	text = json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN);
	if (!strcmp(text, want))
		return true;
	tap_note("%s: %s", key, text);
	return false;
}

static void test_export(void)
{
	struct json_object *file, *meta, *rows, *types;
	struct answer a, b;
	struct run run;
	struct stat st;

	write_with_phases(4);
	run = run_command(&cmd_export, rec, "--format", "upstream", "-o",
			  out_dir, NULL);
	CHECK_EQ(run.status, 0);
	CHECK_EQ(strlen(run.err), 0);
	a = report(rec, NULL);
	b = report(exported, NULL);
	check_seed(&b);
	CHECK(json_object_equal(a.swim, b.swim));
	done(&a);
	done(&b);
	a = report(out_dir, NULL);
	check_seed(&a);
	done(&a);
	run = run_command(&cmd_export, rec, "--format", "upstream", "-o", dir,
			  NULL);
	CHECK_EQ(run.status, 0);
	/* Where there are both, the recordings come first. */
	a = report(dir, NULL);
	CHECK_EQ(json_object_array_length(json_object_object_get(a.all,
								 "sessions")),
		 1);
	done(&a);
	unlink(beside);
	tap_end("a report of the export is that of the recording");

	file = json_object_from_file(exported);
	meta = json_object_object_get(file, "metadata");
	CHECK(is(file, "chip_swimlane_level", "4"));
	CHECK(is(meta, "clock_freq_hz", "50000000"));
	CHECK(is(meta, "num_cores", "72"));
	types = json_object_object_get(meta, "core_types");
	CHECK_EQ(json_object_array_length(types), 72);
	CHECK(!strcmp(json_object_get_string(json_object_array_get_idx(types, 23)), "aic"));
	CHECK(!strcmp(json_object_get_string(json_object_array_get_idx(types, 24)), "aiv"));
	rows = json_object_object_get(meta, "core_to_thread");
	CHECK_EQ(json_object_array_length(rows), 72);
	CHECK_EQ(json_object_get_int(json_object_array_get_idx(rows, 71)), 3);
	rows = json_object_object_get(file, "aicore_tasks");
	CHECK_EQ(json_object_array_length(rows), 1088);
	CHECK(!strcmp(json_object_to_json_string_ext(json_object_array_get_idx(rows, 0), 0),
		      "[0,4294967296,0,50001000,50002000,12]"));
	rows = json_object_object_get(file, "aicpu_tasks");
	CHECK_EQ(json_object_array_length(rows), 1088);
	CHECK(!strcmp(json_object_to_json_string_ext(json_object_array_get_idx(rows, 0), 0),
		      "[0,0,50000960,50002009]"));
	CHECK(is(file, "aicpu_scheduler_phases",
		 "[[],[],[{\"kind\":\"dispatch\",\"start_cycles\":7,\"end_cycles\":9,\"loop_iter\":3,\"tasks_processed\":2,\"pop_hit\":5,\"pop_miss\":6,\"shared_at_start\":[1,2,-1],\"shared_at_end\":[0,0,0]},{\"kind\":\"predicated_skip\",\"start_cycles\":0,\"end_cycles\":0,\"loop_iter\":0,\"tasks_processed\":0,\"task_id\":8589934713,\"shared_at_start\":[0,0,0],\"shared_at_end\":[0,0,0]}],[]]"));
	CHECK(is(file, "aicpu_orchestrator_phases",
		 "[[{\"submit_idx\":4,\"task_id\":9223372036854775808,\"start_cycles\":1,\"end_cycles\":2}]]"));
	json_object_put(file);
	tap_end("what is in the export");

	write_with_phases(2);
	run = run_command(&cmd_export, rec, "--format", "upstream", "-o",
			  out_dir, NULL);
	CHECK_EQ(run.status, 0);
	file = json_object_from_file(exported);
	CHECK(is(file, "chip_swimlane_level", "2"));
	CHECK(!json_object_object_get_ex(file, "aicpu_scheduler_phases", NULL));
	CHECK(!json_object_object_get_ex(file, "aicpu_orchestrator_phases",
					 NULL));
	json_object_put(file);
	tap_end("phases are of the levels that have them");

	unlink(exported);
	CHECK_EQ(run_command(&cmd_export, rec, NULL).status, 2);
	CHECK_EQ(run_command(&cmd_export, rec, "--format", "fax", "-o",
			     out_dir, NULL).status, 2);
	CHECK_EQ(run_command(&cmd_export, rec, "--format", "upstream",
			     NULL).status, 2);
	CHECK_EQ(run_command(&cmd_export, "--help", NULL).status, 0);
	run = run_command(&cmd_export, "/nonexistent/file", "--format",
			  "upstream", "-o", out_dir, NULL);
	CHECK_EQ(run.status, 1);
	CHECK_EQ(run_lines(run.err), 1);
	run = run_command(&cmd_export, rec, "--format", "upstream", "-o",
			  "/nonexistent/dir", NULL);
	CHECK_EQ(run.status, 1);
	CHECK_EQ(run_lines(run.err), 1);
	CHECK(stat(exported, &st));
	tap_end("an export that was asked for wrongly");
}

/* ---------------- bad input ---------------------------------------------- */

static void test_partners(void)
{
	struct answer a;

	row_of_tasks(10, 5, 50);
	task[4].hide_aicpu = true;
	gen_init(&gen);
	write_tasks(rec, 10);
	gen_json(json, task, 10, 2);
	for (unsigned int i = 0; i < 2; i++) {
		a = report(i ? json : rec, NULL);
		CHECK_EQ(a.run.status, 1);
		CHECK_EQ(run_lines(a.run.err), 1);
		CHECK(strstr(a.run.err, "core 5, task 4"));
		FIGURE(&a, NULL, "unmatched_aicore", 1);
		FIGURE(&a, NULL, "unmatched_aicpu", 0);
		FIGURE(&a, NULL, "joined", 9);
		/* The gap before it cannot be classified, that after it can. */
		FIGURE(&a, NULL, "unclassified", 1);
		FIGURE(&a, "wait", "n", 8);
		FIGURE(&a, "wait", "mean_us", 1.0);
		done(&a);
	}
	tap_end("a task without the AICPU's record");

	row_of_tasks(10, 5, 50);
	task[4].hide_aicore = true;
	both_say("unmatched_aicpu", 1, 10, 1);
	tap_end("a record of the AICPU without its task");

	row_of_tasks(10, 5, 50);
	for (unsigned int i = 0; i < 10; i++)
		task[i].hide_aicore = true;
	gen_init(&gen);
	write_tasks(rec, 10);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 0);
	CHECK_EQ(strlen(a.run.err), 0);
	FIGURE(&a, NULL, "tasks", 0);
	FIGURE(&a, "steady", "mean_us", 0);
	done(&a);
	tap_end("a device that writes one of the streams only");
}

static void test_twice(void)
{
	row_of_tasks(10, 5, 50);
	task[10] = task[9];
	task[10].hide_aicpu = true;
	both_say("duplicate", 1, 11, 1);
	tap_end("a task twice in its core's stream");

	task[10] = task[3];
	task[10].hide_aicore = true;
	both_say("duplicate", 1, 11, 1);
	tap_end("a task twice in the AICPU's stream");

	row_of_tasks(20, 5, 50);
	for (unsigned int i = 0; i < 20; i++)
		task[i].id = i % 7;
	both_say(NULL, 0, 20, 0);
	tap_end("ids that come again are other tasks");
}

static void test_times(void)
{
	struct answer a;

	row_of_tasks(10, 5, 50);
	task[6].start = 0;
	task[6].receive = 0;
	task[6].hide_aicpu = true;
	both_say("zero_start", 1, 10, 1);
	tap_end("a record that a core never wrote");

	row_of_tasks(10, 5, 50);
	task[6].end = task[6].start - 30;
	both_say("backward", 1, 10, 1);
	a = report(rec, NULL);
	/* Neither the gap before it nor the one after it is known. */
	FIGURE(&a, "wait", "n", 7);
	FIGURE(&a, "wait", "p99_us", 1.0);
	done(&a);
	tap_end("a task that ends before it begins");

	row_of_tasks(10, 5, 50);
	task[6].finish = task[6].dispatch - 1;
	both_say("backward", 1, 10, 1);
	tap_end("an AICPU that sees an end before its dispatch");

	row_of_tasks(10, 5, 50);
	task[6].end = task[7].start + 1;
	both_say("overlap", 1, 10, 1);
	a = report(json, NULL);
	FIGURE(&a, "wait", "n", 8);
	done(&a);
	tap_end("a task that begins before the last one has ended");

	row_of_tasks(10, 5, 50);
	for (unsigned int i = 1; i < 10; i++) {
		task[i].dispatch = task[i - 1].end - 1;
		task[i].receive = task[i - 1].end - 3;
	}
	both_say(NULL, 0, 10, 0);
	a = report(rec, NULL);
	FIGURE(&a, "steady", "n", 8);
	FIGURE(&a, "prev_tail", "mean_us", -0.06);
	FIGURE(&a, "prev_tail", "p50_us", -0.06);
	FIGURE(&a, "setup", "p50_us", 1.06);
	done(&a);
	tap_end("a task that is received before the last one has ended is no fault");
}

static void test_order(void)
{
	struct gen_task t;
	struct answer a;

	row_of_tasks(10, 5, 50);
	t = task[3];
	task[3] = task[4];
	task[4] = t;
	both_say("out_of_order", 1, 10, 1);
	a = report(rec, NULL);
	FIGURE(&a, "wait", "n", 9);
	FIGURE(&a, "wait", "p99_us", 1.0);
	done(&a);
	tap_end("two rows in the wrong order are put right");

	row_of_tasks(6000, 5, 50);
	t = task[3];
	memmove(&task[3], &task[4], 5996 * sizeof(t));
	task[5999] = t;
	gen_init(&gen);
	write_tasks(rec, 6000);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 1);
	CHECK_EQ(run_lines(a.run.err), 2);
	FIGURE(&a, NULL, "late", 1);
	FIGURE(&a, NULL, "unmatched_aicpu", 1);
	FIGURE(&a, "wait", "n", 5998);
	done(&a);
	tap_end("a row that is too far from its place is left out");
}

static void test_apart(void)
{
	struct answer a;
	unsigned int i;

	/* The AICPU's rows come a whole buffer of the other stream late. */
	row_of_tasks(10000, 5, 50);
	gen_init(&gen);
	gen.pool[gen_aicore_pool(5)].info.capacity = 16;
	write_tasks(rec, 10000);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 0);
	FIGURE(&a, NULL, "joined", 10000);
	FIGURE(&a, "wait", "n", 9999);
	done(&a);
	tap_end("streams that are a buffer apart");

	row_of_tasks(10000, 5, 50);
	gen_init(&gen);
	gen_open(&gen, rec);
	for (i = 0; i < 20000; i++) {
		struct gen_task t = task[i % 10000];

		t.hide_aicore = i >= 10000;
		t.hide_aicpu = i < 10000;
		gen_task(&gen, &t);
	}
	gen_close(&gen, false);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 1);
	CHECK_EQ(run_lines(a.run.err), 2);
	CHECK(figure(&a, NULL, "unmatched_aicore") > 0);
	CHECK(figure(&a, NULL, "joined") + figure(&a, NULL, "unmatched_aicore") == 10000);
	CHECK(figure(&a, NULL, "joined") + figure(&a, NULL, "unmatched_aicpu") == 10000);
	done(&a);
	tap_end("streams that are further apart than the window: all accounted for");
}

static void cut(const char *path, double share)
{
	struct stat st;

	if (stat(path, &st) ||
	    truncate(path, (off_t)((double)st.st_size * share)))
		abort();
}

static void test_cut(void)
{
	static const char *const broken[] = {
		"{", "{}", "{\"aicore_tasks\": 7}", "{\"aicore_tasks\": [[1,2",
		"{\"metadata\": {\"clock_freq_hz\": 0}}", "{7: 7}", "{]",
		"{\"aicore_tasks\": [7, [], [1,2,3,4,5,-6], [999,1,1,1,1,1]]}",
		"{\"metadata\": {\"clock_freq_hz\": 1}} x",
	};
	unsigned int i, missed = 0;
	struct answer a;
	FILE *f;

	gen_init(&gen);
	gen_seed(task);
	write_tasks(rec, GEN_SEED_TASKS);
	cut(rec, 0.9);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 1);
	CHECK(strstr(a.run.err, "cut off"));
	CHECK(figure(&a, NULL, "tasks") > 0);
	CHECK(figure(&a, "wait", "n") > 0);
	done(&a);
	tap_end("a recording that is cut off: what is there");

	gen_json(json, task, GEN_SEED_TASKS, 4);
	cut(json, 0.9);
	a = report(json, NULL);
	CHECK_EQ(a.run.status, 1);
	CHECK(strstr(a.run.err, "is cut off at byte"));
	FIGURE(&a, NULL, "tasks", 1088);
	CHECK(figure(&a, "wait", "n") > 0);
	done(&a);
	tap_end("a JSON that is cut off: what is there");

	for (i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct run run;

		f = fopen(json, "w");
		assert(f);
		fputs(broken[i], f);
		fclose(f);
		run = run_command(&cmd_report, json, NULL);
		missed += run.status != 1 || !run_lines(run.err);
	}
	CHECK_EQ(missed, 0);
	tap_end("JSON that is none, or has no swimlane: said");
}

static void test_unknown(void)
{
	struct answer a;

	gen_init(&gen);
	gen_seed(task);
	gen.session.level = 9;
	write_tasks(rec, GEN_SEED_TASKS);
	gen_json(json, task, GEN_SEED_TASKS, 9);
	for (unsigned int i = 0; i < 2; i++) {
		a = report(i ? json : rec, NULL);
		CHECK_EQ(a.run.status, 1);
		CHECK_EQ(run_lines(a.run.err), 1);
		CHECK(strstr(a.run.err, "level 9 is not known"));
		FIGURE(&a, "steady", "n", 581);
		done(&a);
	}
	tap_end("a level that is not known");

	gen_init(&gen);
	gen.pool[gen_orch_pool()].info.kind = 17;
	write_tasks(rec, GEN_SEED_TASKS);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 1);
	CHECK_EQ(run_lines(a.run.err), 1);
	CHECK(strstr(a.run.err, "kind 17"));
	FIGURE(&a, "steady", "n", 581);
	done(&a);
	tap_end("a kind that is not known");

	gen_init(&gen);
	gen.session.counter_hz = 0;
	write_tasks(rec, GEN_SEED_TASKS);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 1);
	CHECK_EQ(run_lines(a.run.err), 1);
	done(&a);
	tap_end("no frequency");
}

/* ---------------- freezes ------------------------------------------------ */

static void add_freeze(__u64 open, __u64 close, __u64 lanes)
{
	struct dfx_incident *in = &gen.incident[gen.nr_incidents++];

	in->open_ns = htole64(open * 20);
	in->close_ns = htole64(close * 20);
	in->lanes = htole64(lanes);
	in->number = htole32(gen.nr_incidents);
	in->gates = htole32(2);
}

/* Tasks of cores 0 and 71, lanes 0 and 3, whose lane was stopped at task 5. */
static void frozen_tasks(void)
{
	unsigned int i;

	row_of_tasks(10, 0, 50);
	for (i = 6; i < 10; i++) {
		task[i].dispatch += 5000;
		task[i].receive += 5000;
		task[i].start += 5000;
		task[i].end += 5000;
		task[i].finish += 5000;
	}
	task[5].finish = task[5].end + 4000;
	memcpy(&task[10], task, 10 * sizeof(*task));
	for (i = 10; i < 20; i++)
		task[i].core = 71;
	gen_init(&gen);
	add_freeze(task[5].start + 10, task[5].end + 3990, 1);
	add_freeze(task[9].end + 1000, task[9].end + 1500, 15);
}

static void test_freezes(void)
{
	struct answer a;
	struct run run;

	frozen_tasks();
	write_tasks(rec, 20);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 0);
	CHECK(json_object_get_boolean(json_object_object_get(a.swim,
							     "freezes_placed")));
	FIGURE(&a, NULL, "freezes", 2);
	/* Lane 3 was not stopped by the first, and had nothing to do later. */
	FIGURE(&a, NULL, "inflated", 1);
	FIGURE(&a, "wait", "n", 18);
	FIGURE(&a, "wait_in_freeze", "n", 1);
	FIGURE(&a, "wait_in_freeze", "p50_us", 5050 * TICK_US);
	done(&a);
	run = run_command(&cmd_report, rec, NULL);
	CHECK(strstr(run.out, "2 freezes: for them the AICPU saw the end of 1 tasks late\n"));
	CHECK(has_row(run.out, "  in a freeze", 1, "101.00", "101.00",
		      "101.00", "101.00"));
	tap_end("gaps and ends that a freeze has stretched");

	/* The same of a device whose clock began a day before the host's. */
	frozen_tasks();
	for (unsigned int i = 0; i < 20; i++) {
		__u64 day = 86400 * GEN_HZ;

		task[i].dispatch += day;
		task[i].receive += day;
		task[i].start += day;
		task[i].end += day;
		task[i].finish += day;
	}
	write_tasks(rec, 20);
	a = report(rec, NULL);
	CHECK_EQ(a.run.status, 0);
	CHECK(!json_object_get_boolean(json_object_object_get(a.swim,
							      "freezes_placed")));
	/* By their length: lane 3 was in one of 500 ticks only. */
	FIGURE(&a, NULL, "inflated", 2);
	FIGURE(&a, "wait_in_freeze", "n", 0);
	done(&a);
	tap_end("freezes of a device with a clock of its own");
}

/* ---------------- figures ------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
	__s64 x = *(const __s64 *)a, y = *(const __s64 *)b;

	return (x > y) - (x < y);
}

static void test_dist(void)
{
	static __s64 v[4 * DIST_FEW];
	const unsigned int nr = sizeof(v) / sizeof(*v);
	unsigned int i, percent, wrong = 0, rough = 0;
	struct dist d = { 0 };
	__u64 x = 88172645463325252ull;

	/* Of all sizes, and of both signs. */
	for (i = 0; i < nr; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		v[i] = (__s64)(x >> (17 + x % 40));
		v[i] = x & 1 << 12 ? v[i] : -v[i];
		dist_add(&d, v[i]);
	}
	qsort(v, nr, sizeof(*v), by_value);
	for (percent = 1; percent <= 100; percent++) {
		double want = (double)v[(nr * percent + 99) / 100 - 1];
		double off = fabs(dist_quantile(&d, percent) - want);

		wrong += fabs(want) < 65536 && off != 0;
		rough += off > fabs(want) / 65536;
	}
	CHECK_EQ(d.n, nr);
	CHECK_EQ(wrong, 0);
	CHECK_EQ(rough, 0);
	CHECK(!d.failed);
	dist_free(&d);
	tap_end("quantiles of many values: exact below 65536, to 1/65536 above");

	for (i = 0; i < DIST_FEW; i++)
		dist_add(&d, (__s64)(DIST_FEW - i) << 40);
	CHECK(dist_quantile(&d, 50) == (double)(1ull << 55));
	CHECK(dist_quantile(&d, 99) == (double)(64881ull << 40));
	dist_free(&d);
	for (i = 1; i <= 7; i++)
		dist_add(&d, i);
	CHECK(dist_quantile(&d, 50) == 4);
	CHECK(dist_quantile(&d, 0) == 1);
	CHECK(dist_quantile(&d, 100) == 7);
	CHECK(dist_mean(&d) == 4);
	dist_free(&d);
	CHECK(dist_quantile(&d, 50) == 0);
	tap_end("quantiles of few values: exact");
}

/* ---------------- noise -------------------------------------------------- */

/* Rows with no sense in them; each must be in the account all the same. */
static bool noise_adds_up(unsigned int rows, __u32 window, __u64 times,
			  __u32 ids)
{
	__u64 tasks = 0, stamps = 0, gaps;
	struct swim_result r;
	struct swimlane *s;
	unsigned int i;

	if (swim_new(1000, window, NULL, &s))
		return false;
	for (i = 0; i < rows; i++) {
		unsigned int core = (unsigned int)rand() % 3;
		__u64 a = (__u64)rand() * (__u64)rand() % times;
		__u64 b = (__u64)rand() * (__u64)rand() % times;
		__u32 id = (__u32)rand() % ids;
		const struct swim_task t = { a, b, id, (__u32)rand() };
		const struct swim_stamp st = { a, b, id };

		tasks += !(i & 1);
		stamps += i & 1;
		if (i & 1 ? swim_add_stamp(s, core, 0, &st) :
			    swim_add_task(s, core, 0, &t))
			return false;
	}
	if (swim_finish(s, &r))
		return false;
	swim_free(s);
	gaps = r.steady.n + r.first.n + r.wait.n + r.unclassified +
	       r.fault[SWIM_OVERLAP].n;
	return r.tasks == r.joined + r.fault[SWIM_NO_STAMP].n &&
	       r.stamps == r.joined + r.fault[SWIM_NO_TASK].n &&
	       tasks + stamps == r.tasks + r.stamps + r.fault[SWIM_TWICE].n +
	       r.fault[SWIM_LATE].n + r.fault[SWIM_ZERO_START].n &&
	       gaps <= r.tasks && r.first.n == r.switch_cores;
}

static void test_noise(void)
{
	unsigned int seed = 20260708, round, i, wrong = 0, errors = 0;
	static char bytes[4096];
	size_t len;
	FILE *f;

	srand(seed);
	for (round = 0; round < 300; round++)
		wrong += !noise_adds_up(3000, 1u << round % 8,
					round & 1 ? ~0ull : 5000,
					1u << round % 11);
	CHECK_EQ(wrong, 0);
	tap_end("noise (seed %u): rows of 300 swimlanes add up", seed);

	row_of_tasks(20, 5, 50);
	gen_json(json, task, 20, 4);
	f = fopen(json, "r");
	assert(f);
	len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	for (round = 0; round < 3000; round++) {
		unsigned int changes = 1 + (unsigned int)rand() % 4;
		struct problems p = { .out = NULL };
		static char noisy[sizeof(bytes)];
		struct swim_result r = { .hz = 0 };

		memcpy(noisy, bytes, len);
		for (i = 0; i < changes; i++)
			noisy[(size_t)rand() % len] = round & 1 ? (char)rand() :
				"0,[]{}\"-:e. "[rand() % 13];
		f = fopen(json, "w");
		assert(f);
		fwrite(noisy, 1, len, f);
		fclose(f);
		errors += !!upstream_read(json, &r, &p);
	}
	CHECK_EQ(errors, 0);
	tap_end("noise (seed %u): 3000 files of upstream's are read to their end", seed);
}

int main(void)
{
	tap_plan(37, 300);
	if (!mkdtemp(dir)) {
		perror(dir);
		return 1;
	}
	snprintf(rec, sizeof(rec), "%s/a.dfx", dir);
	snprintf(more, sizeof(more), "%s/b.dfx", dir);
	snprintf(json, sizeof(json), "%s/up.json", dir);
	snprintf(out_dir, sizeof(out_dir), "%s/out", dir);
	snprintf(exported, sizeof(exported),
		 "%s/chip_swimlane_records.json", out_dir);
	snprintf(beside, sizeof(beside), "%s/chip_swimlane_records.json", dir);

	test_seed();
	test_files();
	test_export();
	test_partners();
	test_twice();
	test_times();
	test_order();
	test_apart();
	test_cut();
	test_unknown();
	test_freezes();
	test_dist();
	test_noise();

	unlink(rec);
	unlink(more);
	unlink(json);
	unlink(exported);
	rmdir(out_dir);
	rmdir(dir);
	return tap_done();
}
