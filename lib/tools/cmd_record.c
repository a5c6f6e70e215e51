// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_record.c - record devices until something ends it
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "parse.h"
#include "progress.h"
#include "record_setup.h"
#include "record_summary.h"
#include "state_text.h"
#include "workload.h"

#define MAX_DEVICES	64
/* Between two looks for the end of a run. */
#define RUN_POLL_NS	20000000u

/**
 * struct job - a recording
 * @opt: what was asked for.
 * @r: its devices.
 * @nr: their number.
 * @signal_fd: SIGINT, SIGTERM and SIGCHLD.
 * @wake_fd: a recorder has ended.
 * @mask: signals blocked when the command was called.
 * @child: the workload.
 * @snap: for states.
 * @stopping: sessions have been asked to end.
 * @over: every lane has reported the end of a run.
 */
struct job {
	struct record_options opt;
	struct recorder r[MAX_DEVICES];
	unsigned int nr;
	int signal_fd;
	int wake_fd;
	sigset_t mask;
	struct workload child;
	struct snapshot snap;
	bool stopping;
	bool over;
};

static const struct tool_hint workload_hints[] = {
	{ ENOENT, "there is no such command; check its name and PATH" },
	{ EACCES, "it may not be executed; check its mode" },
	{ 0, NULL }
};

static __u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (__u64)ts.tv_sec * 1000000000u + (__u64)ts.tv_nsec;
}

static int catch_signals(struct job *job)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	if (pthread_sigmask(SIG_BLOCK, &set, &job->mask))
		return tool_error("cannot block signals");
	signal(SIGPIPE, SIG_IGN);
	job->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	job->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (job->signal_fd < 0 || job->wake_fd < 0)
		return tool_error("cannot wait for signals: %s",
				  strerror(errno));
	return recorder_catch_sigbus() ?
	       tool_error("cannot catch SIGBUS") : 0;
}

/* End the recorder's session, or let go of one that others go on with. */
static void stop_one(struct job *job, struct recorder *r)
{
	struct dfx_stop arg = { 0 };
	char lanes[128];

	if (r->stopped)
		return;
	r->stopped = true;
	if (!r->started && !job->over) {
		recorder_set(&r->leave, true);
		return;
	}
	/* -EINVAL: somebody else has stopped it; the ring says so as well. */
	if (!dfx_session_stop(r->monitor, &arg) && arg.out_silent)
		tool_note("%s: lanes %s did not answer; dfx reset %s revives them",
			  dfx_name(r->monitor),
			  mask_text(arg.out_silent, lanes, sizeof(lanes)),
			  dfx_name(r->monitor));
	recorder_set(&r->closing, true);
}

static void stop_all(struct job *job)
{
	unsigned int i;

	if (job->stopping)
		return;
	job->stopping = true;
	for (i = 0; i < job->nr; i++)
		stop_one(job, &job->r[i]);
}

static void abandon_all(struct job *job)
{
	unsigned int i;

	for (i = 0; i < job->nr; i++)
		recorder_set(&job->r[i].abandon, true);
}

static void handle_signals(struct job *job)
{
	struct signalfd_siginfo info;

	while (read(job->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			if (workload_reap(&job->child))
				stop_all(job);
			continue;
		}
		if (job->child.pid)
			kill(job->child.pid, SIGTERM);
		if (job->stopping)
			abandon_all(job);
		stop_all(job);
	}
}

/* All recorders are done; one that failed stops its session at once. */
static bool all_done(struct job *job)
{
	bool all = true;
	unsigned int i;

	for (i = 0; i < job->nr; i++) {
		struct recorder *r = &job->r[i];

		if (!r->running)
			continue;
		if (!recorder_get(&r->done))
			all = false;
		else if (r->error && r->started)
			stop_one(job, r);
	}
	return all;
}

static bool runs_over(struct job *job)
{
	unsigned int i;

	for (i = 0; i < job->nr; i++)
		if (!recorder_get(&job->r[i].done) &&
		    (snapshot_take_lanes(job->r[i].monitor, &job->snap) ||
		     !snapshot_runs_complete(&job->snap)))
			return false;
	return true;
}

static int wait_ms(const struct job *job, __u64 now, __u64 deadline,
		   bool progress)
{
	__u64 ns = 3600ull * 1000000000u;

	if (progress)
		ns = PROGRESS_NS;
	if (job->opt.until_run && !job->stopping && ns > RUN_POLL_NS)
		ns = RUN_POLL_NS;
	if (deadline && !job->stopping && ns > deadline - now)
		ns = deadline - now;
	return (int)(ns / 1000000u) + 1;
}

static void wait_for_end(struct job *job)
{
	bool progress = progress_wanted();
	__u64 now = now_ns(), shown = now;
	__u64 deadline = job->opt.duration_ns ? now + job->opt.duration_ns : 0;

	for (;;) {
		struct pollfd fds[2] = {
			{ .fd = job->signal_fd, .events = POLLIN },
			{ .fd = job->wake_fd, .events = POLLIN },
		};
		__u64 wakes;

		/* A workload outlives a session that others have stopped. */
		if (all_done(job) && (job->stopping || !job->child.pid))
			break;
		poll(fds, 2, wait_ms(job, now, deadline, progress));
		if (read(job->wake_fd, &wakes, sizeof(wakes)) < 0 &&
		    errno != EAGAIN)
			break;
		handle_signals(job);
		now = now_ns();
		if (deadline && now >= deadline)
			stop_all(job);
		if (job->opt.until_run && !job->stopping && runs_over(job)) {
			job->over = true;
			stop_all(job);
		}
		if (progress && now - shown >= PROGRESS_NS) {
			progress_show(job->r, job->nr, &job->snap);
			shown = now;
		}
	}
	if (progress)
		progress_clear();
}

static int begin(struct job *job, char **devices)
{
	unsigned int i;
	int ret;

	for (i = 0; i < job->nr; i++) {
		job->r[i].wake_fd = job->wake_fd;
		ret = record_open(&job->r[i], devices[i], &job->opt);
		if (ret)
			return ret;
	}
	for (i = 0; i < job->nr; i++) {
		ret = record_create(&job->r[i], &job->opt, job->nr > 1);
		if (ret)
			return ret;
	}
	return 0;
}

/* Start sessions, threads and the workload. What fails ends what runs. */
static int start(struct job *job)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < job->nr && !ret; i++) {
		struct recorder *r = &job->r[i];

		ret = record_start(r, &job->opt);
		if (!ret) {
			ret = recorder_run(r);
			if (ret)
				ret = tool_fail(dfx_name(r->dfx),
						"start a thread", ret, NULL);
		}
	}
	if (!ret && job->opt.workload) {
		ret = workload_start(&job->child, job->opt.workload,
				     &job->mask);
		if (ret)
			ret = tool_fail(job->opt.workload[0], "run", ret,
					workload_hints);
	}
	if (ret)
		stop_all(job);
	return ret;
}

/* Exit status of what the recorders have got. */
static int summarize(struct job *job)
{
	struct totals sum = { 0 };
	bool whole = true, any = false;
	unsigned int i;

	for (i = 0; i < job->nr; i++) {
		if (!job->r[i].running)
			continue;
		any = true;
		pthread_join(job->r[i].thread, NULL);
		if (!record_summary(&job->r[i], &sum))
			whole = false;
	}
	if (any)
		totals_print(&sum);
	return whole ? 0 : TOOL_FAILED;
}

static int record(struct job *job, char **devices)
{
	unsigned int i;
	int ret, status;

	status = catch_signals(job);
	if (!status)
		status = begin(job, devices);
	if (!status) {
		status = start(job);
		wait_for_end(job);
		ret = summarize(job);
		if (!status)
			status = ret;
	}
	for (i = 0; i < job->nr; i++) {
		ret = record_close(&job->r[i]);
		if (!status)
			status = ret;
	}
	snapshot_free(&job->snap);
	if (!status && job->child.status) {
		tool_note("%s ended with status %d", job->opt.workload[0],
			  job->child.status);
		status = job->child.status;
	}
	return status;
}

/* All devices that there are. 0 or an exit status. */
static int all_devices(struct job *job, char **devices)
{
	struct dfx_list *list;
	unsigned int i;
	int ret;

	ret = dfx_list_new(&list);
	if (ret)
		return tool_fail("/sys/class/dfx", "read", ret, NULL);
	for (i = 0; i < dfx_list_count(list) && i < MAX_DEVICES; i++) {
		devices[i] = strdup(dfx_list_name(list, i));
		if (devices[i])
			job->nr++;
		else
			ret = TOOL_FAILED;
	}
	dfx_list_free(list);
	if (ret)
		return tool_error("out of memory");
	if (!job->nr)
		return tool_error("no device; load the driver, modprobe dfx, or name one with -d");
	return 0;
}

enum {
	OPT_WRITER = TOOL_OPT_FIRST,
	OPT_RECOVERY,
	OPT_LEVEL,
	OPT_POLICY,
	OPT_SLOW,
	OPT_RUN,
	OPT_DURATION,
};

static const struct option options[] = {
	{ "device", required_argument, NULL, 'd' },
	{ "output", required_argument, NULL, 'o' },
	{ "writer", required_argument, NULL, OPT_WRITER },
	{ "recovery", required_argument, NULL, OPT_RECOVERY },
	{ "level", required_argument, NULL, OPT_LEVEL },
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "slow-us", required_argument, NULL, OPT_SLOW },
	{ "run", no_argument, NULL, OPT_RUN },
	{ "duration", required_argument, NULL, OPT_DURATION },
	TOOL_OPTION_HELP,
	TOOL_OPTION_VERSION,
	TOOL_OPTION_END
};

static int set_option(const struct command *cmd, struct record_options *opt,
		      int c)
{
	char recovery[64];
	__u64 v;

	switch (c) {
	case OPT_WRITER:
		if (strcmp(optarg, "sync"))
			return tool_usage(cmd, "there is no writer %s; take sync",
					  optarg);
		opt->writer = optarg;
		return 0;
	case OPT_RECOVERY:
		snprintf(recovery, sizeof(recovery), "recovery=%.50s", optarg);
		return policy_parse(cmd, recovery, &opt->policy);
	case OPT_LEVEL:
		if (parse_u64(optarg, 0xffffffffu, &v))
			return tool_usage(cmd, "%s is no level", optarg);
		opt->level = (__u32)v;
		return 0;
	case OPT_POLICY:
		return policy_parse(cmd, optarg, &opt->policy);
	case OPT_SLOW:
		if (parse_u64(optarg, 60000000, &v))
			return tool_usage(cmd, "%s is no number of microseconds up to a minute",
					  optarg);
		opt->slow_us = (unsigned int)v;
		return 0;
	case OPT_RUN:
		opt->until_run = true;
		return 0;
	default:
		if (parse_seconds(optarg, &opt->duration_ns))
			return tool_usage(cmd, "%s is no number of seconds",
					  optarg);
		return 0;
	}
}

static int parse(const struct command *cmd, int argc, char **argv,
		 struct job *job, char **devices)
{
	int c, ret;

	while ((c = getopt_long(argc, argv, "+:hVd:o:", options, NULL)) != -1) {
		if (c == 'd') {
			if (job->nr == MAX_DEVICES)
				return tool_usage(cmd, "more than %d devices",
						  MAX_DEVICES);
			devices[job->nr] = strdup(optarg);
			if (!devices[job->nr])
				return tool_error("out of memory");
			job->nr++;
			continue;
		}
		if (c == 'o') {
			job->opt.output = optarg;
			continue;
		}
		if (c < TOOL_OPT_FIRST)
			return tool_common(cmd, c, argv);
		ret = set_option(cmd, &job->opt, c);
		if (ret)
			return ret;
	}
	if (optind < argc) {
		if (strcmp(argv[optind - 1], "--"))
			return tool_usage(cmd, "write -- before the command %s",
					  argv[optind]);
		job->opt.workload = argv + optind;
	}
	if (job->opt.workload && job->opt.duration_ns)
		return tool_usage(cmd, "either --duration or a command");
	return job->nr ? 0 : all_devices(job, devices);
}

static int run(const struct command *cmd, int argc, char **argv)
{
	char *devices[MAX_DEVICES] = { NULL };
	struct job *job = calloc(1, sizeof(*job));
	int i, status;

	if (!job)
		return tool_error("out of memory");
	status = parse(cmd, argc, argv, job, devices);
	if (!status && job->nr)
		status = record(job, devices);
	for (i = 0; i < MAX_DEVICES; i++)
		free(devices[i]);
	free(job);
	return status;
}

const struct command cmd_record = {
	.name = "record",
	.brief = "record devices to files, without loss",
	.help = "Usage: dfx record [OPTIONS] [-- CMD [ARGUMENTS]]\n\n"
		"  -d, --device DEV         a device, may be repeated; all of them by default\n"
		"  -o, --output PATH        file for one device, directory for several; the\n"
		"                           current directory by default\n"
		"      --writer sync        how to write\n"
		"      --recovery global|lane\n"
		"      --level N            the subsystem's level\n"
		"      --policy KEY=VALUE,...  see dfx policy --help\n"
		"      --slow-us N          pause after each buffer, to see what backpressure does\n"
		"      --run                stop when every lane has reported the end of a run\n"
		"      --duration S         stop after S seconds\n"
		"      -- CMD               stop when CMD has ended\n\n"
		"Otherwise it ends when the session is stopped, or with SIGINT or SIGTERM; a\n"
		"second one ends it at once, and what was not written stays in the kernel for\n"
		"the next dfx record. A session that runs already is joined, and goes on.\n\n"
		"Exit status 0 only if the identity holds and nothing was lost; otherwise 1, or\n"
		"the status of CMD if only that failed.\n",
	.run = run,
};
