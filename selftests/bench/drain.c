// SPDX-License-Identifier: GPL-2.0-only
/*
 * drain.c - end to end into a file, against writing the same bytes alone
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

#define RECORDS	(1024u * 1024)	/* of 64 bytes */
#define REPS	11

/* A new file each time: pages that are there already are cheaper. */
void file_open(void)
{
	char name[] = "/dev/shm/dfx-bench-XXXXXX";

	bench.fd = mkstemp(name);
	if (bench.fd < 0) {
		perror(name);
		exit(1);
	}
	unlink(name);
}

/* MB/s from the first record to the last byte in the file. */
static double drained(u32 order)
{
	struct dfx_dev_lane *lane = &bench.w->lanes[0];
	struct dfx_dev_pool *pool = &bench.w->dpools[0];
	u64 want = bench.delivered + RECORDS;
	double t0;
	u64 *rec;
	u32 i, k;

	file_open();
	host_order(order);
	t0 = cpu_now();
	for (i = 0; i < RECORDS; i++) {
		rec = dfx_dev_reserve(lane, pool, DFX_DEV_BLOCK);
		if (!rec)
			abort();
		rec[0] = cpu_ticks();
		for (k = 1; k < 8; k++)
			rec[k] = i + k;
		dfx_dev_commit(lane, pool);
	}
	if (dfx_dev_flush(lane, DFX_DEV_BLOCK))
		abort();
	while (__atomic_load_n(&bench.delivered, __ATOMIC_ACQUIRE) != want)
		dfx_port_relax();
	t0 = cpu_now() - t0;
	host_order(HOST_IDLE);
	close(bench.fd);
	return RECORDS * 64 * MICRO / t0;
}

/* MB/s of write(2) from the same buffers, with nobody filling them. */
static double alone(void)
{
	const struct dfx_pool_geom *g = &bench.w->host.geom.pools[0];
	size_t len = (size_t)g->capacity * g->record_size;
	size_t left = RECORDS * 64ul;
	double t0;
	u32 buf = 0;

	file_open();
	t0 = cpu_now();
	while (left) {
		if (len > left)
			len = left;
		if (write(bench.fd, world_buffer(bench.w, buf), len) !=
		    (ssize_t)len)
			abort();
		left -= len;
		buf = (buf + 1) % g->nr_buffers;
	}
	t0 = cpu_now() - t0;
	close(bench.fd);
	return RECORDS * 64 * MICRO / t0;
}

void measure_drain(struct row *row, u32 order)
{
	u32 i;

	region_open(DFX_SUBSYS_PMU,
		    (struct dfx_limits){ .buffers = 16, .slots = 8,
					 .rq_depth = 16 },
		    DFX_RECOVERY_GLOBAL);
	host_order(HOST_SERVE);
	host_order(HOST_IDLE);
	for (i = 0; i < REPS; i++) {
		burst_begin();
		row->a[i] = drained(order);
		row->b[i] = alone();
		burst_end();
	}
	row->nr = REPS;
	region_close();
}
