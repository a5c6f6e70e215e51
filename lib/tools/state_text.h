/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * state_text.h - gates, lanes and pools as text, live or from a recording
 */
#ifndef DFX_STATE_TEXT_H
#define DFX_STATE_TEXT_H

#include "totals.h"

/* "950 ns", "1.250 ms", "12.000 s" in a buffer of at least 24 bytes. */
const char *duration_text(__u64 ns, char *buf, size_t size);
/* "0-3,7", "none" */
const char *mask_text(__u64 mask, char *buf, size_t size);

void records_text(const struct totals *t);
void freeze_text(const struct dfx_freeze_stat *freeze);
void lanes_text(const struct dfx_lane_state *lanes, unsigned int nr);
void pools_text(const struct dfx_pool_state *pools, unsigned int nr);

#endif /* DFX_STATE_TEXT_H */
