// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_policy.c - show or change what the next sessions are made of
 */
#include "policy.h"

static int run(const struct command *cmd, int argc, char **argv)
{
	static const struct option options[] = {
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	struct policy_change change = { 0 };
	struct dfx_policy policy;
	struct dfx *dfx;
	int c, ret;

	c = getopt_long(argc, argv, ":hV", options, NULL);
	if (c != -1)
		return tool_common(cmd, c, argv);
	if (optind == argc)
		return tool_usage(cmd, "which device? DEV is missing");
	if (optind + 2 < argc)
		return tool_usage(cmd, "%s is one argument too many",
				  argv[optind + 2]);
	if (optind + 1 < argc) {
		ret = policy_parse(cmd, argv[optind + 1], &change);
		if (ret)
			return ret;
	}

	ret = tool_open(argv[optind], &dfx);
	if (ret)
		return ret;
	ret = policy_apply(dfx, &change);
	if (!ret) {
		ret = dfx_policy_get(dfx, &policy);
		if (ret)
			ret = tool_fail(dfx_name(dfx), "read the policy", ret,
					NULL);
		else
			policy_print(&policy);
	}
	dfx_close(dfx);
	return ret;
}

const struct command cmd_policy = {
	.name = "policy",
	.brief = "show or set sizes and limits of the next sessions",
	.help = "Usage: dfx policy DEV [KEY=VALUE,...]\n\n"
		"Set what is named, leave the rest, print what is in force.\n\n"
		POLICY_KEYS
		"\nA value of 0 stands for the subsystem's default.\n",
	.run = run,
};
