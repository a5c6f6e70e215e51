// SPDX-License-Identifier: GPL-2.0-only
/*
 * peer.c - the host thread: passes of the driver's code, and a consumer
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench.h"

#define BATCH	8	/* buffers in one writev() */

struct bench bench;
static pthread_t thread;

static u32 ordered(void)
{
	return __atomic_load_n(&bench.mode, __ATOMIC_ACQUIRE);
}

static void give_back(u32 id)
{
	u32 count = bench.w->host.bufs[id].count;

	dfx_table_release(&bench.w->host, id);
	__atomic_store_n(&bench.delivered, bench.delivered + count,
			 __ATOMIC_RELEASE);
}

static u32 take(void)
{
	return dfx_table_hold(&bench.w->host, 0, &bench);
}

/* The clock is not read in each turn: it costs as much as a short pass. */
static void pass(void)
{
	dfx_pass(&bench.w->host, 16, 1);
}

static void serve(void)
{
	u32 id;

	pass();
	while ((id = take()) != DFX_NIL)
		give_back(id);
}

/* The clock decides how often the device's words are looked at. */
static void copy_ready(void)
{
	u32 lane, id;

	dfx_pass(&bench.w->host, 64, world_now());
	for (lane = 0; lane < bench.w->host.geom.nr_lanes; lane++)
		while ((id = dfx_table_hold(&bench.w->host, lane, &bench)) !=
		       DFX_NIL)
			give_back(id);
}

static size_t bytes_of(u32 id)
{
	const struct dfx_buf *b = &bench.w->host.bufs[id];

	return (size_t)b->count * bench.w->host.geom.pools[0].record_size;
}

static void write_ready(void)
{
	u32 id;

	pass();
	id = take();
	if (id == DFX_NIL)
		return;
	if (write(bench.fd, world_buffer(bench.w, id), bytes_of(id)) !=
	    (ssize_t)bytes_of(id))
		abort();
	give_back(id);
}

static void writev_ready(void)
{
	struct iovec iov[BATCH];
	ssize_t total = 0;
	u32 ids[BATCH];
	int i, nr = 0;

	pass();
	while (nr < BATCH) {
		ids[nr] = take();
		if (ids[nr] == DFX_NIL)
			break;
		iov[nr].iov_base = world_buffer(bench.w, ids[nr]);
		iov[nr].iov_len = bytes_of(ids[nr]);
		total += iov[nr++].iov_len;
	}
	if (!nr)
		return;
	if (writev(bench.fd, iov, nr) != total)
		abort();
	for (i = 0; i < nr; i++)
		give_back(ids[i]);
}

/*
 * Holds all that is ready until the lane is parked, then writes it and lets go of
 * it, as a consumer would that is late.
 */
static void hold_ready(void)
{
	u64 from;
	u32 id;

	pass();
	if (__atomic_load_n(&world_lane(bench.w, 0)->state,
			    __ATOMIC_ACQUIRE) != DFX_LANE_PARKED_POP ||
	    !bench.w->host.freeze[DFX_GATE_FQ].active ||
	    !bench.w->host.lanes[0].nr_ready)
		return;
	from = cpu_ticks();
	while ((id = take()) != DFX_NIL) {
		if (write(bench.fd, world_buffer(bench.w, id), bytes_of(id)) !=
		    (ssize_t)bytes_of(id))
			abort();
		bench.drain_from = from;
		/* Pairs with the producer's acquire load. */
		__atomic_store_n(&bench.released, cpu_ticks(),
				 __ATOMIC_RELEASE);
		give_back(id);
	}
}

static void answer(void)
{
	u32 p = __atomic_load_n(&bench.ping, __ATOMIC_ACQUIRE);

	if (p != bench.pong)
		__atomic_store_n(&bench.pong, p, __ATOMIC_RELEASE);
}

static void obey(u32 mode)
{
	switch (mode) {
	case HOST_SERVE:
		serve();
		break;
	case HOST_PING:
		answer();
		break;
	case HOST_WRITE:
		write_ready();
		break;
	case HOST_WRITEV:
		writev_ready();
		break;
	case HOST_HOLD:
		hold_ready();
		break;
	case HOST_COPY:
		copy_ready();
		break;
	}
}

static void *host_main(void *arg)
{
	u32 mode = HOST_IDLE;

	(void)arg;
	if (cpu_pin(1))
		abort();
	while (mode != HOST_QUIT) {
		mode = ordered();
		if (mode != bench.obeys)
			__atomic_store_n(&bench.obeys, mode, __ATOMIC_RELEASE);
		obey(mode);
	}
	return NULL;
}

void host_begin(void)
{
	if (pthread_create(&thread, NULL, host_main, NULL))
		abort();
}

/* Returns when the host has begun to do so. */
void host_order(u32 order)
{
	__atomic_store_n(&bench.mode, order, __ATOMIC_RELEASE);
	while (__atomic_load_n(&bench.obeys, __ATOMIC_ACQUIRE) != order)
		dfx_port_relax();
}

void host_end(void)
{
	__atomic_store_n(&bench.mode, HOST_QUIT, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}

static void schedule(int policy, int priority)
{
	struct sched_param p = { .sched_priority = priority };

	/* Not everybody may; then the figures are only noisier. */
	pthread_setschedparam(thread, policy, &p);
	pthread_setschedparam(pthread_self(), policy, &p);
}

/*
 * One repetition: a few milliseconds in which nobody takes the two CPUs away,
 * and a pause for the others after it.
 */
void burst_begin(void)
{
	schedule(SCHED_FIFO, 10);
	cpu_watch_begin();
}

void burst_end(void)
{
	cpu_watch_end();
	schedule(SCHED_OTHER, 0);
	usleep(3000);
}
