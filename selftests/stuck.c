// SPDX-License-Identifier: GPL-2.0-only
/*
 * stuck.c - a thread that makes one blocking call, and whether it sleeps in it
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stuck.h"

static void *stuck_thread(void *arg)
{
	struct stuck *s = arg;

	__atomic_store_n(&s->tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	errno = 0;
	s->rc = s->call(s->arg);
	s->err = errno;
	__atomic_store_n(&s->done, true, __ATOMIC_RELEASE);
	return NULL;
}

int stuck_start(struct stuck *s, long (*call)(void *arg), void *arg)
{
	*s = (struct stuck){ .call = call, .arg = arg };
	return -pthread_create(&s->thread, NULL, stuck_thread, s);
}

bool stuck_in(const struct stuck *s, long nr)
{
	pid_t tid = __atomic_load_n(&s->tid, __ATOMIC_ACQUIRE);
	char path[64], line[128];
	bool in = false;
	FILE *f;

	if (!tid || stuck_done(s))
		return false;
	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);
	f = fopen(path, "re");
	if (!f)
		return false;
	/* "running", or the number of the call that it sleeps in. */
	if (fgets(line, sizeof(line), f) && line[0] >= '0' && line[0] <= '9')
		in = strtol(line, NULL, 10) == nr;
	fclose(f);
	return in;
}

bool stuck_done(const struct stuck *s)
{
	return __atomic_load_n(&s->done, __ATOMIC_ACQUIRE);
}

void stuck_join(struct stuck *s)
{
	pthread_join(s->thread, NULL);
}
