/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * swim_faults.h - what is wrong with the rows of a swimlane, in words
 */
#ifndef DFX_SWIM_FAULTS_H
#define DFX_SWIM_FAULTS_H

#include "problems.h"
#include "swimlane.h"

/* "records end before they begin", to follow a number. */
const char *swim_fault_text(enum swim_fault fault);
/*
 * One line to @p for each kind of fault, with its number and the first of it.
 * @both: both streams were recorded, so that a row without a partner is a fault.
 */
void swim_say_faults(const struct swim_result *r, const char *name, bool both,
		     struct problems *p);

#endif /* DFX_SWIM_FAULTS_H */
