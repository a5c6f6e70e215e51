/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * freezes.h - a session's freezes on the device's clock
 *
 * The host stamps a freeze with CLOCK_MONOTONIC, the device its records with its
 * own counter. A recording says how fast the counter runs, but not when it began:
 * freezes have a place among the records only where the counter counts from the
 * same instant as the host's clock, as that of a software device does. Elsewhere
 * nothing but their length is of use.
 */
#ifndef DFX_FREEZES_H
#define DFX_FREEZES_H

#include "sessions.h"

/**
 * struct freeze - one of them
 * @open: in ticks of the device's counter.
 * @close: likewise.
 * @lanes: that it stopped.
 */
struct freeze {
	__u64 open;
	__u64 close;
	__u64 lanes;
};

/**
 * struct freezes - those of a session that the END frame lists
 * @placed: @freeze is on the device's clock; otherwise only lengths count.
 * @nr: their number.
 * @total: how many there were, listed or not.
 * @freeze: in the order of time.
 * @shortest: by lane, in ticks; 0 if it was in none.
 */
struct freezes {
	bool placed;
	unsigned int nr;
	__u64 total;
	struct freeze *freeze;
	__u64 shortest[DFX_MAX_LANES];
};

/* 0, or -ENOMEM. */
int freezes_init(struct freezes *f, const struct session *s);
void freezes_free(struct freezes *f);

/* Was the lane in a freeze at any time after @from and before @to? */
bool freezes_during(const struct freezes *f, unsigned int lane, __u64 from,
		    __u64 to);
/*
 * A core was done at @end, and its lane saw so at @finish. Had a freeze kept the
 * lane from seeing it before? Without a place for freezes: is the delay as long
 * as the lane's shortest one?
 */
bool freezes_inflated(const struct freezes *f, unsigned int lane, __u64 end,
		      __u64 finish);

#endif /* DFX_FREEZES_H */
