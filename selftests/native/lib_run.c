// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_run.c - a word of the dfx command, run in a child
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib_run.h"

static char out_text[1 << 20], err_text[1 << 16];

static void child(const struct command *cmd, int argc, char **argv, int out,
		  int err)
{
	int status;

	if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(99);
	optind = 0;
	opterr = 0;
	status = cmd->run(cmd, argc, argv);
	fflush(NULL);
	_exit(status);
}

static void take(FILE *f, char *text, size_t size)
{
	size_t n;

	rewind(f);
	n = fread(text, 1, size - 1, f);
	text[n] = '\0';
	fclose(f);
}

struct run run_command(const struct command *cmd, ...)
{
	char *argv[RUN_MAX_ARGS + 2] = { (char *)cmd->name };
	struct run run = { .status = -1, .out = out_text, .err = err_text };
	FILE *out = tmpfile(), *err = tmpfile();
	struct rusage used;
	int argc = 1, status;
	va_list ap;
	pid_t pid;

	va_start(ap, cmd);
	while ((argv[argc] = va_arg(ap, char *)))
		assert(++argc <= RUN_MAX_ARGS);
	va_end(ap);

	assert(out && err);
	fflush(NULL);
	pid = fork();
	assert(pid >= 0);
	if (!pid)
		child(cmd, argc, argv, fileno(out), fileno(err));
	assert(wait4(pid, &status, 0, &used) == pid);
	if (WIFEXITED(status))
		run.status = WEXITSTATUS(status);
	run.cpu_s = (double)used.ru_utime.tv_sec + used.ru_stime.tv_sec +
		    (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
	run.rss_kb = used.ru_maxrss;
	take(out, out_text, sizeof(out_text));
	take(err, err_text, sizeof(err_text));
	return run;
}

unsigned int run_lines(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}
