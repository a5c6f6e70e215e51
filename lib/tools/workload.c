// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * workload.c - the command that is run while recording
 */
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

int workload_start(struct workload *w, char **argv, const sigset_t *mask)
{
	posix_spawnattr_t attr;
	sigset_t defaults;
	int ret;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGBUS);
	sigaddset(&defaults, SIGPIPE);
	ret = posix_spawnattr_init(&attr);
	if (ret)
		return -ret;
	posix_spawnattr_setsigmask(&attr, mask);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK |
					POSIX_SPAWN_SETSIGDEF);
	ret = posix_spawnp(&w->pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	if (ret)
		w->pid = 0;
	return -ret;
}

bool workload_reap(struct workload *w)
{
	int status;

	if (!w->pid || waitpid(w->pid, &status, WNOHANG) != w->pid)
		return false;
	w->pid = 0;
	w->status = WIFEXITED(status) ? WEXITSTATUS(status) :
		    128 + WTERMSIG(status);
	return true;
}
