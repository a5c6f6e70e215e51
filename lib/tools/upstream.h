/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * upstream.h - swimlanes in the file that upstream's tools read
 */
#ifndef DFX_UPSTREAM_H
#define DFX_UPSTREAM_H

#include "problems.h"
#include "swimlane.h"

#define UPSTREAM_SWIMLANE	"chip_swimlane_records.json"

/*
 * Is it such a file, or a directory with one and without recordings? @file is
 * then its path; @size is PATH_MAX.
 */
bool upstream_find(const char *path, char *file, size_t size);
/*
 * Its swimlane. Rows are kept in memory, since the file may have them in any
 * order. Of one that is damaged all that comes before the damage; what is wrong
 * goes to @p. -errno if it cannot be read at all.
 */
int upstream_read(const char *file, struct swim_result *result,
		  struct problems *p);

#endif /* DFX_UPSTREAM_H */
