/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * lib_run.h - a word of the dfx command, run in a child
 */
#ifndef DFX_LIB_RUN_H
#define DFX_LIB_RUN_H

#include "tools/tool.h"

#define RUN_MAX_ARGS	16

/**
 * struct run - what came of it
 * @status: exit status; -1 if it died of a signal.
 * @out: what it printed; valid until the next run, as @err.
 * @err: likewise, to standard error.
 * @cpu_s: processor time in seconds.
 * @rss_kb: its largest resident set, in KiB.
 */
struct run {
	int status;
	const char *out;
	const char *err;
	double cpu_s;
	long rss_kb;
};

/* Arguments after the word, NULL at the end. */
struct run run_command(const struct command *cmd, ...);
/* Lines of a text. */
unsigned int run_lines(const char *text);

#endif /* DFX_LIB_RUN_H */
