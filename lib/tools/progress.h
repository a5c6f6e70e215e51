/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * progress.h - a line that says how far it is, where somebody may look at it
 */
#ifndef DFX_PROGRESS_H
#define DFX_PROGRESS_H

#include "recorder.h"
#include "snapshot.h"

/* Between two updates. */
#define PROGRESS_NS	500000000u

bool progress_wanted(void);
void progress_show(const struct recorder *r, unsigned int nr,
		   struct snapshot *scratch);
void progress_clear(void);

#endif /* DFX_PROGRESS_H */
