// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * main.c - the dfx command: find the word, run it
 */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const struct command *const commands[] = {
	&cmd_list,
	&cmd_info,
	&cmd_stat,
	&cmd_start,
	&cmd_stop,
	&cmd_flush,
	&cmd_reset,
	&cmd_policy,
	&cmd_record,
	&cmd_verify,
	&cmd_report,
	&cmd_export,
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static void help(void)
{
	size_t i;

	puts("Usage: dfx COMMAND [ARGUMENTS]\n\n"
	     "Record what an accelerator's control processor writes, without loss.\n\n"
	     "Commands:");
	for (i = 0; i < NR_COMMANDS; i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->brief);
	puts("\nDEV is a path (/dev/dfx0), a number (0), a name (dfx0) or a subsystem\n"
	     "(pmu). dfx COMMAND --help tells more.");
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		fputs("dfx: which command? see dfx --help\n", stderr);
		return TOOL_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		help();
		return 0;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("dfx %s\n", dfx_version());
		return 0;
	}
	opterr = 0;
	for (i = 0; i < NR_COMMANDS; i++) {
		int status;

		if (strcmp(argv[1], commands[i]->name))
			continue;
		status = commands[i]->run(commands[i], argc - 1, argv + 1);
		if (fflush(stdout) && !status)
			status = tool_error("cannot write the output; is there room?");
		return status;
	}
	fprintf(stderr, "dfx: no command %s; see dfx --help\n", argv[1]);
	return TOOL_USAGE;
}
