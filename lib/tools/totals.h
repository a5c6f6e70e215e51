/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * totals.h - sums over pools and gates, and the identity
 */
#ifndef DFX_TOTALS_H
#define DFX_TOTALS_H

#include <dfx/dfx.h>
#include <stdbool.h>

/**
 * struct totals - sums
 * @produced: records that lanes were asked to write.
 * @delivered: records that consumers released.
 * @dropped: records lost, by DFX_DROP_*.
 * @in_flight: records that are neither.
 * @freezes: times a gate was opened.
 * @broken: pools whose identity does not hold.
 */
struct totals {
	__u64 produced;
	__u64 delivered;
	__u64 dropped[DFX_NR_DROP];
	__u64 in_flight;
	__u64 freezes;
	unsigned int broken;
};

/* Sum of the reasons. */
__u64 dropped_sum(const __u64 dropped[DFX_NR_DROP]);
/* produced == delivered + dropped + in flight */
bool identity_holds(const struct dfx_pool_state *pool);
void totals_add_pool(struct totals *t, const struct dfx_pool_state *pool);
void totals_add_freeze(struct totals *t, const struct dfx_freeze_stat *freeze);
void totals_add(struct totals *t, const struct totals *other);
/* produced - delivered - in flight; 0 if that is below 0. */
__u64 totals_lost(const struct totals *t);
/* The line that scripts read. */
void totals_print(const struct totals *t);

#endif /* DFX_TOTALS_H */
