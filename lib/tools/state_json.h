/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * state_json.h - gates, lanes and pools as JSON, live or from a recording
 */
#ifndef DFX_STATE_JSON_H
#define DFX_STATE_JSON_H

#include "json.h"
#include "totals.h"

void freeze_json(struct json *j, const struct dfx_freeze_stat *freeze);
void lanes_json(struct json *j, const struct dfx_lane_state *lanes,
		unsigned int nr);
void pools_json(struct json *j, const struct dfx_pool_state *pools,
		unsigned int nr);
void totals_json(struct json *j, const struct totals *t);

#endif /* DFX_STATE_JSON_H */
