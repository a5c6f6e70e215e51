// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_session.c - start, stop, flush and reset by hand
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "parse.h"
#include "policy.h"
#include "snapshot.h"
#include "state_text.h"

static const struct tool_hint start_hints[] = {
	{ EBUSY, "a session runs, or records wait; see dfx stop and dfx record" },
	{ EINVAL, "no such lane or level, or the deadline exceeds the watchdog; see dfx info" },
	{ EIO, "all those lanes are in fault or silent; revive them with dfx reset" },
	{ 0, NULL }
};

static const struct tool_hint stop_hints[] = {
	{ EINVAL, "no session runs; start one with dfx start" },
	{ 0, NULL }
};

static int open_operand(const struct command *cmd, int argc, char **argv,
			struct dfx **dfx)
{
	const char *dev;
	int ret = tool_operand(cmd, argc, argv, &dev);

	return ret ? ret : tool_open(dev, dfx);
}

static int start(struct dfx *dfx, __u64 lanes, __u32 level)
{
	struct dfx_start arg = { .lanes = lanes, .level = level };
	struct dfx_query q;
	int ret;

	if (!lanes) {
		ret = dfx_query_get(dfx, &q);
		if (ret)
			return tool_fail(dfx_name(dfx), "query", ret, NULL);
		/* Nobody is attached to a monitor's session: name them all. */
		arg.lanes = q.out_nr_lanes < 64 ?
			    (1ull << q.out_nr_lanes) - 1 : ~0ull;
	}
	ret = dfx_session_start(dfx, &arg);
	if (ret)
		return tool_fail(dfx_name(dfx), "start", ret, start_hints);
	printf("%s: session %llu started\n", dfx_name(dfx), arg.out_session);
	return 0;
}

static int run_start(const struct command *cmd, int argc, char **argv)
{
	static const struct option options[] = {
		{ "lanes", required_argument, NULL, 'l' },
		{ "level", required_argument, NULL, 'v' },
		{ "policy", required_argument, NULL, 'p' },
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	struct policy_change change = { 0 };
	__u64 lanes = 0, level = 0;
	struct dfx *dfx;
	int c, ret;

	while ((c = getopt_long(argc, argv, ":hV", options, NULL)) != -1) {
		switch (c) {
		case 'l':
			if (parse_u64(optarg, ~0ull, &lanes) || !lanes)
				return tool_usage(cmd, "%s is no mask of lanes",
						  optarg);
			break;
		case 'v':
			if (parse_u64(optarg, 0xffffffffu, &level))
				return tool_usage(cmd, "%s is no level",
						  optarg);
			break;
		case 'p':
			ret = policy_parse(cmd, optarg, &change);
			if (ret)
				return ret;
			break;
		default:
			return tool_common(cmd, c, argv);
		}
	}
	ret = open_operand(cmd, argc, argv, &dfx);
	if (ret)
		return ret;
	ret = policy_apply(dfx, &change);
	if (!ret)
		ret = start(dfx, lanes, (__u32)level);
	dfx_close(dfx);
	return ret;
}

const struct command cmd_start = {
	.name = "start",
	.brief = "start a session",
	.help = "Usage: dfx start DEV [--lanes MASK] [--level N] [--policy KEY=VALUE,...]\n\n"
		"  --lanes MASK  lanes to record; all of them by default\n"
		"  --level N     the subsystem's level; its default if not given\n"
		"  --policy ...  first set the policy, see dfx policy --help\n\n"
		"The session lasts until dfx stop, or until linger_ms have passed without a\n"
		"consumer.\n",
	.run = run_start,
};

/* Wait for every lane's end of run. 0 or an exit status. */
static int wait_runs(struct dfx *dfx, __u64 timeout_ns)
{
	static const struct timespec pause = { .tv_nsec = 20000000 };
	struct snapshot s = { 0 };
	__u64 start_ns = 0;
	int ret;

	for (;;) {
		ret = snapshot_take_lanes(dfx, &s);
		if (ret) {
			ret = tool_fail(dfx_name(dfx), "read the state", ret,
					NULL);
			break;
		}
		if (!start_ns)
			start_ns = s.state.out_now_ns;
		if (snapshot_runs_complete(&s))
			break;
		if (s.state.out_session_state != DFX_SESSION_RUNNING)
			break;
		if (s.state.out_now_ns - start_ns >= timeout_ns) {
			ret = tool_error("%s: not every lane ended its run in time; see dfx stat",
					 dfx_name(dfx));
			break;
		}
		nanosleep(&pause, NULL);
	}
	snapshot_free(&s);
	return ret;
}

static int run_stop(const struct command *cmd, int argc, char **argv)
{
	static const struct option options[] = {
		{ "wait-run", required_argument, NULL, 'w' },
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	struct dfx_stop arg = { 0 };
	__u64 wait_ns = 0;
	char lanes[128];
	struct dfx *dfx;
	int c, ret, status = 0;

	while ((c = getopt_long(argc, argv, ":hV", options, NULL)) != -1) {
		if (c != 'w')
			return tool_common(cmd, c, argv);
		if (parse_seconds(optarg, &wait_ns))
			return tool_usage(cmd, "%s is no number of seconds",
					  optarg);
	}
	ret = open_operand(cmd, argc, argv, &dfx);
	if (ret)
		return ret;
	if (wait_ns)
		status = wait_runs(dfx, wait_ns);
	ret = dfx_session_stop(dfx, &arg);
	if (ret) {
		status = tool_fail(dfx_name(dfx), "stop", ret, stop_hints);
	} else {
		printf("%s: session %llu stopped\n", dfx_name(dfx),
		       arg.out_session);
		if (arg.out_silent)
			status = tool_error("%s: lanes %s did not answer; try dfx reset %s",
					    dfx_name(dfx),
					    mask_text(arg.out_silent, lanes,
						      sizeof(lanes)),
					    dfx_name(dfx));
	}
	dfx_close(dfx);
	return status;
}

const struct command cmd_stop = {
	.name = "stop",
	.brief = "stop the session",
	.help = "Usage: dfx stop DEV [--wait-run S]\n\n"
		"  --wait-run S  first wait, at most S seconds, until every lane has reported\n"
		"                the end of a run\n\n"
		"What the lanes had recorded stays to be read.\n",
	.run = run_stop,
};

static int run_flush(const struct command *cmd, int argc, char **argv)
{
	static const struct tool_hint hints[] = {
		{ EINVAL, "no session runs; start one with dfx start" },
		{ ETIMEDOUT, "a lane did not answer in time; try a longer --timeout" },
		{ 0, NULL }
	};
	static const struct option options[] = {
		{ "timeout", required_argument, NULL, 't' },
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	struct dfx_flush arg = { .timeout_ns = 1000000000u };
	__u64 timeout_ns = arg.timeout_ns;
	struct dfx *dfx;
	int c, ret;

	while ((c = getopt_long(argc, argv, ":hV", options, NULL)) != -1) {
		if (c != 't')
			return tool_common(cmd, c, argv);
		if (parse_seconds(optarg, &timeout_ns))
			return tool_usage(cmd, "%s is no number of seconds",
					  optarg);
	}
	arg.timeout_ns = timeout_ns;
	ret = open_operand(cmd, argc, argv, &dfx);
	if (ret)
		return ret;
	ret = dfx_session_flush(dfx, &arg);
	if (ret)
		ret = tool_fail(dfx_name(dfx), "flush", ret, hints);
	else
		printf("%s: flush %llu done\n", dfx_name(dfx), arg.out_number);
	dfx_close(dfx);
	return ret;
}

const struct command cmd_flush = {
	.name = "flush",
	.brief = "make what was recorded so far readable",
	.help = "Usage: dfx flush DEV [--timeout S]\n\n"
		"  --timeout S  how long to wait for the lanes; 1 second by default\n",
	.run = run_flush,
};

static int run_reset(const struct command *cmd, int argc, char **argv)
{
	static const struct tool_hint hints[] = {
		{ EBUSY, "a consumer holds buffers; end it first" },
		{ 0, NULL }
	};
	static const struct option options[] = {
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	char lanes[128];
	__u64 revived = 0;
	struct dfx *dfx;
	int c, ret;

	c = getopt_long(argc, argv, ":hV", options, NULL);
	if (c != -1)
		return tool_common(cmd, c, argv);
	ret = open_operand(cmd, argc, argv, &dfx);
	if (ret)
		return ret;
	ret = dfx_region_reset(dfx, &revived);
	if (ret)
		ret = tool_fail(dfx_name(dfx), "reset", ret, hints);
	else
		printf("%s: lanes revived: %s\n", dfx_name(dfx),
		       mask_text(revived, lanes, sizeof(lanes)));
	dfx_close(dfx);
	return ret;
}

const struct command cmd_reset = {
	.name = "reset",
	.brief = "revive lanes that are in fault",
	.help = "Usage: dfx reset DEV\n\n"
		"Ends the session if one runs; what was not read yet is discarded and\n"
		"counted.\n",
	.run = run_reset,
};
