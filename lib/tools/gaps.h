/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * gaps.h - the gaps that waiting has left in a session's timelines
 *
 * A freeze is one gap, common to every lane that waited in it; a wait without a
 * freeze is a gap in its lane only.
 */
#ifndef DFX_TOOLS_GAPS_H
#define DFX_TOOLS_GAPS_H

#include "json.h"
#include "sessions.h"

/* One line for each set of lanes; with @each one for every gap as well. */
void gaps_text(const struct session *s, bool each);
/* "gaps": { "incidents", "common": [], "alone": [], "listed": [] } */
void gaps_json(struct json *j, const struct session *s);

#endif /* DFX_TOOLS_GAPS_H */
