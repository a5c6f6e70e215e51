/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * export_upstream.h - a swimlane as the file that upstream's tools read
 */
#ifndef DFX_EXPORT_UPSTREAM_H
#define DFX_EXPORT_UPSTREAM_H

#include "sessions.h"

/*
 * Write session number @session of the set, which has a swimlane, to @out. What
 * cannot be written as it is goes to @p. -errno; errors of @out stay in it.
 */
int export_upstream(const struct sessions *set, unsigned int session,
		    FILE *out, struct problems *p);

#endif /* DFX_EXPORT_UPSTREAM_H */
