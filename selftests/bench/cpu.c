// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpu.c - pinning, time, and whether somebody else used the processors
 */
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

/* Pins the caller to the nth CPU that it may use; -1 if there is none. */
int cpu_pin(unsigned int nth)
{
	static cpu_set_t may;
	static bool known;
	cpu_set_t one;
	int cpu;

	if (!known && sched_getaffinity(0, sizeof(may), &may))
		return -1;
	known = true;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &may) || nth--)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		return sched_setaffinity(0, sizeof(one), &one);
	}
	return -1;
}

/* Seconds. */
double cpu_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * NANO;
}

double cpu_ns_per_tick(void)
{
	static double ns;
	double t0;
	u64 c0;

	if (ns > 0)
		return ns;
	t0 = cpu_now();
	c0 = cpu_ticks();
	while (cpu_now() < t0 + 0.05)
		;
	ns = (cpu_now() - t0) * 1e9 / (cpu_ticks() - c0);
	return ns;
}

/* Seconds that all CPUs were busy, and that this process was. */
static void busy(double *all, double *own)
{
	unsigned long long user, nice, sys, idle, wait, irq, soft, steal;
	FILE *f = fopen("/proc/stat", "r");
	struct rusage ru;

	*all = 0;
	if (f) {
		if (fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu",
			   &user, &nice, &sys, &idle, &wait, &irq, &soft,
			   &steal) == 8)
			*all = (double)(user + nice + sys + irq + soft +
					steal) / sysconf(_SC_CLK_TCK);
		fclose(f);
	}
	getrusage(RUSAGE_SELF, &ru);
	*own = ru.ru_utime.tv_sec + ru.ru_utime.tv_usec * MICRO +
	       ru.ru_stime.tv_sec + ru.ru_stime.tv_usec * MICRO;
}

static double watch_all, watch_own, watch_t0;
static double sum_others, sum_wall;

void cpu_watch_reset(void)
{
	sum_others = 0;
	sum_wall = 0;
}

void cpu_watch_begin(void)
{
	busy(&watch_all, &watch_own);
	watch_t0 = cpu_now();
}

void cpu_watch_end(void)
{
	double all, own;

	busy(&all, &own);
	sum_others += (all - watch_all) - (own - watch_own);
	sum_wall += cpu_now() - watch_t0;
}

/* Share of all CPUs that others used while watched, in percent. */
double cpu_watch_percent(void)
{
	double share;

	if (sum_wall <= 0)
		return 0;
	share = sum_others / (sum_wall * sysconf(_SC_NPROCESSORS_ONLN));
	/* The kernel counts in ticks, which are longer than a short burst. */
	if (share < 0)
		return 0;
	return share > 1 ? 100 : 100 * share;
}
