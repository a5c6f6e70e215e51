// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_swim_speed_test.c - how long a report of a large recording takes
 *
 * Ten million tasks, each with its record of both streams: 640 MB. The time is
 * that of a processor, so that what else the machine does counts for little; the
 * memory is the largest that the command had, and must be what it has for a tenth
 * of the tasks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib_run.h"
#include "lib_swim_gen.h"
#include "tap.h"

#define TASKS		10000000u
#define BAR_S		10.0
/* Pages of counters that rarer values touch, and chance. */
#define SLACK_KB	2048

static char dir[] = "/tmp/dfx-swim-XXXXXX";
static char path[64];
static struct gen gen;

/* All cores, task by task, as they would run side by side. */
static void write_recording(unsigned int nr)
{
	static __u64 end[GEN_CORES];
	__u64 x = 88172645463325252ull;
	unsigned int i;

	gen_init(&gen);
	gen_open(&gen, path);
	for (i = 0; i < GEN_CORES; i++)
		end[i] = GEN_START_NS / 20 + i;
	for (i = 0; i < nr; i++) {
		unsigned int core = i % GEN_CORES;
		struct gen_task t = { .core = core, .id = i / GEN_CORES };
		__u64 gap;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		/* Two of three are switches of 1 us, the rest waits up to 1 ms. */
		gap = x % 3 ? 20 + x / 3 % 64 : 100 + x / 3 % 50000;
		t.receive = end[core] + gap - 15;
		t.dispatch = x % 3 ? end[core] - 1 : t.receive - 5;
		t.start = end[core] + gap;
		t.end = t.start + 500 + x / 1000 % 1000;
		t.finish = t.end + 20;
		end[core] = t.end;
		gen_task(&gen, &t);
	}
	gen.end_ns = gen.time * 20 + 1000000;
	gen_close(&gen, false);
}

static struct run measure(unsigned int nr)
{
	struct run run;
	struct stat st;
	char count[64];

	write_recording(nr);
	run = run_command(&cmd_report, "--json", path, NULL);
	CHECK_EQ(run.status, 0);
	snprintf(count, sizeof(count), "\"tasks\":%u,", nr);
	CHECK(strstr(run.out, count));
	snprintf(count, sizeof(count), "\"joined\":%u,", nr);
	CHECK(strstr(run.out, count));
	CHECK_EQ(stat(path, &st), 0);
	tap_note("%u tasks, %lld MB: %.2f s, %ld KiB", nr,
		 (long long)st.st_size / 1000000, run.cpu_s, run.rss_kb);
	unlink(path);
	return run;
}

int main(void)
{
	struct run small, large;

	tap_plan(3, 300);
	if (!mkdtemp(dir)) {
		perror(dir);
		return 1;
	}
	snprintf(path, sizeof(path), "%s/a.dfx", dir);
	small = measure(TASKS / 10);
	large = measure(TASKS);
	tap_end("ten million tasks are reported");
	tap_ok(large.cpu_s < BAR_S, "in %.2f s of a processor, at most %.0f",
	       large.cpu_s, BAR_S);
	tap_ok(large.rss_kb <= small.rss_kb + SLACK_KB,
	       "in %ld KiB, a tenth of them in %ld", large.rss_kb,
	       small.rss_kb);
	rmdir(dir);
	return tap_done();
}
