// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * freezes.c - a session's freezes on the device's clock
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "freezes.h"

#define NS_PER_S	1000000000ull

/* Lanes may publish for so long after STOP. */
#define STOP_SLACK_NS	(2 * NS_PER_S)

static __u64 to_ticks(__u64 ns, __u64 hz)
{
	return (__u64)((__uint128_t)ns * hz / NS_PER_S);
}

/*
 * Every buffer was published after START and before what followed STOP. A
 * counter that began at another instant would be outside of that.
 */
static bool same_clock(const struct session *s)
{
	__u64 hz = s->info.counter_hz;

	return s->ended && hz && s->records &&
	       s->first_time >= to_ticks(s->info.start_ns, hz) &&
	       s->last_time <= to_ticks(s->end.end_ns + STOP_SLACK_NS, hz);
}

static int by_open(const void *a, const void *b)
{
	const struct freeze *x = a, *y = b;

	return (x->open > y->open) - (x->open < y->open);
}

static void note_length(struct freezes *f, const struct freeze *z)
{
	__u64 length = z->close - z->open;
	unsigned int lane;

	for (lane = 0; lane < DFX_MAX_LANES; lane++)
		if (z->lanes >> lane & 1 &&
		    (!f->shortest[lane] || length < f->shortest[lane]))
			f->shortest[lane] = length ? length : 1;
}

int freezes_init(struct freezes *f, const struct session *s)
{
	unsigned int i;

	memset(f, 0, sizeof(*f));
	if (!s->ended)
		return 0;
	f->total = s->end.incidents;
	f->placed = same_clock(s);
	f->freeze = calloc(s->end.nr_incidents ? s->end.nr_incidents : 1,
			   sizeof(*f->freeze));
	if (!f->freeze)
		return -ENOMEM;
	for (i = 0; i < s->end.nr_incidents; i++) {
		const struct dfx_incident *in = &s->incidents[i];
		/* One that was open at the end never closed. */
		__u64 close = in->close_ns ? in->close_ns : s->end.end_ns;
		struct freeze *z = &f->freeze[f->nr];

		if (close < in->open_ns)
			continue;
		z->open = to_ticks(in->open_ns, s->info.counter_hz);
		z->close = to_ticks(close, s->info.counter_hz);
		z->lanes = in->lanes;
		note_length(f, z);
		f->nr++;
	}
	qsort(f->freeze, f->nr, sizeof(*f->freeze), by_open);
	return 0;
}

void freezes_free(struct freezes *f)
{
	free(f->freeze);
	memset(f, 0, sizeof(*f));
}

/* The first that closes after @t; freezes do not overlap each other. */
static unsigned int first_after(const struct freezes *f, __u64 t)
{
	unsigned int low = 0, high = f->nr;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (f->freeze[mid].close > t)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

bool freezes_during(const struct freezes *f, unsigned int lane, __u64 from,
		    __u64 to)
{
	unsigned int i;

	if (!f->placed || lane >= DFX_MAX_LANES)
		return false;
	for (i = first_after(f, from); i < f->nr && f->freeze[i].open < to; i++)
		if (f->freeze[i].lanes >> lane & 1)
			return true;
	return false;
}

bool freezes_inflated(const struct freezes *f, unsigned int lane, __u64 end,
		      __u64 finish)
{
	unsigned int i;

	if (lane >= DFX_MAX_LANES || !f->shortest[lane] || finish <= end)
		return false;
	if (!f->placed)
		return finish - end >= f->shortest[lane];
	/* A lane stamps nothing before the freeze that it is in has closed. */
	for (i = first_after(f, end);
	     i < f->nr && f->freeze[i].close <= finish; i++)
		if (f->freeze[i].lanes >> lane & 1)
			return true;
	return false;
}
