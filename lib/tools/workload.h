/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * workload.h - the command that is run while recording
 */
#ifndef DFX_WORKLOAD_H
#define DFX_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct workload - a child process
 * @pid: 0 if there is none, or none any more.
 * @status: its exit status once it has ended; 128 + signal if one killed it.
 */
struct workload {
	pid_t pid;
	int status;
};

/* Run @argv with the signal mask @mask. 0 or -errno. */
int workload_start(struct workload *w, char **argv, const sigset_t *mask);
/* Collect it if it has ended; true if it has, just now. */
bool workload_reap(struct workload *w);

#endif /* DFX_WORKLOAD_H */
