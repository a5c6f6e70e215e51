/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench.h - the measurements, and what they share
 *
 * Two pinned threads: the producer, which is the caller of everything here, and
 * the host, which does what it is told until it is told something else. Every
 * row is a ratio of two figures of one interleaved run, so that it carries over
 * to another machine as far as a figure can.
 */
#ifndef DFX_BENCH_H
#define DFX_BENCH_H

#include <stdio.h>

#include "harness.h"

#define BENCH_REPS	9
#define TRAFFIC_REPS	7

#define NANO		0.000000001
#define MICRO		0.000001

/* What a row has to be. */
enum bar_kind { AT_MOST, AT_LEAST };

/**
 * struct row - one line of the table
 * @name: what was measured.
 * @a_name: numerator.
 * @b_name: denominator.
 * @unit: of both.
 * @a: numerator, by repetition.
 * @b: denominator, by repetition.
 * @nr: repetitions.
 * @kind: which side of @bar is good.
 * @bar: limit of the median of @a / @b.
 * @note: printed below the row; empty for none.
 */
struct row {
	const char *name;
	const char *a_name;
	const char *b_name;
	const char *unit;
	double a[64];
	double b[64];
	unsigned int nr;
	enum bar_kind kind;
	double bar;
	char note[200];
};

/* What the host thread does. */
enum host_mode {
	HOST_IDLE,	/* nothing: spins on its orders */
	HOST_SERVE,	/* passes, and releases what is ready at once */
	HOST_PING,	/* answers ping */
	HOST_WRITE,	/* passes; writes what is ready by write(2) */
	HOST_WRITEV,	/* likewise by writev(2) */
	HOST_HOLD,	/* when a lane parks in a freeze: writes all, releases */
	HOST_COPY,	/* as HOST_SERVE by the real clock, all lanes */
	HOST_QUIT,
};

/**
 * struct bench - the two threads' common ground; one writer for each word,
 * and a cache line for each writer
 * @w: the region in use; the producer's, set while the host is idle.
 * @mode: order to the host.
 * @obeys: the host's answer.
 * @ping: the producer's half of the ping-pong.
 * @pong: the host's half.
 * @fd: file that the host writes to.
 * @delivered: records that the host has released.
 * @drain_from: counter when the draining began that ended in @released; stored
 *	before it.
 * @released: counter at the last release that ended a freeze.
 */
struct bench {
	struct world *w;
	u32 pad1[16];
	u32 mode;
	u32 pad2[16];
	u32 obeys;
	u32 pad3[16];
	u32 ping;
	u32 pad4[16];
	u32 pong;
	u32 pad5[16];
	int fd;
	u64 delivered;
	u64 drain_from;
	u64 released;
};

extern struct bench bench;

/* cpu.c */
int cpu_pin(unsigned int nth);
double cpu_now(void);
double cpu_ns_per_tick(void);
void cpu_watch_reset(void);
void cpu_watch_begin(void);
void cpu_watch_end(void);
double cpu_watch_percent(void);

static inline u64 cpu_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	u64 v;

	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(v));
	return v;
#else
#error "no cycle counter for this processor"
#endif
}

/* peer.c */
void host_begin(void);
void host_order(u32 order);
void host_end(void);
void burst_begin(void);
void burst_end(void);

/* table.c */
double median(const double *v, unsigned int nr);
/* The @q-quantile by nearest rank; sorts @v. */
double quantile(double *v, unsigned int nr, double q);
int table_row(FILE *out, const struct row *row);
void table_head(FILE *out);

/* region.c */
void region_open(u32 subsys, struct dfx_limits limits, u32 recovery);
void region_close(void);

/* drain.c, handoff.c */
void file_open(void);
double ping_pong(void);

/* The rows. */
void measure_record(struct row *row, u32 subsys, bool stamp);
void measure_gate(struct row *row);
void measure_handoff(struct row *row, u32 recovery);
void measure_resume(struct row *row);
void measure_drain(struct row *row, u32 order);
void measure_traffic(struct row *row, double rate);

#endif /* DFX_BENCH_H */
