// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_list.c - the regions there are
 */
#include <stdio.h>

#include "tool.h"

static int run(const struct command *cmd, int argc, char **argv)
{
	static const struct option options[] = {
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	struct dfx_list *list;
	unsigned int i;
	int c, ret;

	c = getopt_long(argc, argv, ":hV", options, NULL);
	if (c != -1)
		return tool_common(cmd, c, argv);
	if (optind < argc)
		return tool_usage(cmd, "it takes no operand, not even %s",
				  argv[optind]);

	ret = dfx_list_new(&list);
	if (ret)
		return tool_fail("/sys/class/dfx", "read", ret, NULL);
	if (!dfx_list_count(list)) {
		dfx_list_free(list);
		return tool_error("no device; load the driver, modprobe dfx, and see dmesg");
	}
	printf("%-8s %-14s %s\n", "NAME", "SUBSYSTEM", "PARENT");
	for (i = 0; i < dfx_list_count(list); i++)
		printf("%-8s %-14s %s\n", dfx_list_name(list, i),
		       dfx_list_subsystem(list, i), dfx_list_parent(list, i));
	dfx_list_free(list);
	return 0;
}

const struct command cmd_list = {
	.name = "list",
	.brief = "show the devices",
	.help = "Usage: dfx list\n\n"
		"Show each region's name, its subsystem and the device it belongs to.\n",
	.run = run,
};
