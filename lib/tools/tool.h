/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tool.h - what the commands share: errors, options, opening a device
 *
 * Exit status: 0 done, 1 failed or found something wrong, 2 called wrongly.
 */
#ifndef DFX_TOOL_H
#define DFX_TOOL_H

#include <getopt.h>
#include <stdbool.h>

#include <dfx/dfx.h>

#define TOOL_FAILED	1
#define TOOL_USAGE	2

#define TOOL_PRINTF(fmt, args) \
	__attribute__((__format__(__printf__, fmt, args)))

/**
 * struct command - one word after "dfx"
 * @name: the word.
 * @brief: one line for "dfx --help".
 * @help: what "dfx NAME --help" prints.
 * @run: returns the exit status; argv[0] is the word.
 */
struct command {
	const char *name;
	const char *brief;
	const char *help;
	int (*run)(const struct command *cmd, int argc, char **argv);
};

extern const struct command cmd_list;
extern const struct command cmd_info;
extern const struct command cmd_stat;
extern const struct command cmd_start;
extern const struct command cmd_stop;
extern const struct command cmd_flush;
extern const struct command cmd_reset;
extern const struct command cmd_policy;
extern const struct command cmd_record;
extern const struct command cmd_verify;
extern const struct command cmd_report;
extern const struct command cmd_export;

/* Options that every command has; values above any short option. */
#define TOOL_OPT_FIRST	0x100
#define TOOL_OPTION_HELP	{ "help", no_argument, NULL, 'h' }
#define TOOL_OPTION_VERSION	{ "version", no_argument, NULL, 'V' }
#define TOOL_OPTION_END		{ NULL, 0, NULL, 0 }

/* Exit status for --help, --version and whatever getopt did not like. */
int tool_common(const struct command *cmd, int opt, char **argv);

/* One line on stderr. Returns TOOL_FAILED. */
int tool_error(const char *fmt, ...) TOOL_PRINTF(1, 2);
/* The same for a wrong call of @cmd. Returns TOOL_USAGE. */
int tool_usage(const struct command *cmd, const char *fmt, ...)
	TOOL_PRINTF(2, 3);
/* One line on stderr that is no error. */
void tool_note(const char *fmt, ...) TOOL_PRINTF(1, 2);

/**
 * struct tool_hint - what to do about an error
 * @err: positive errno; 0 ends a table.
 * @text: completes the line.
 */
struct tool_hint {
	int err;
	const char *text;
};

/* "NAME: cannot VERB: why, and what to do". Returns TOOL_FAILED. */
int tool_fail(const char *name, const char *verb, int err,
	      const struct tool_hint *hints);

/* Open or say why not. 0 or an exit status. */
int tool_open(const char *dev, struct dfx **out);
/* The only operand of a command that takes one. 0 or an exit status. */
int tool_operand(const struct command *cmd, int argc, char **argv,
		 const char **out);

#endif /* DFX_TOOL_H */
