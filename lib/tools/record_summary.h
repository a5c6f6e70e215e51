/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record_summary.h - what a recorder has got, and whether it is all
 */
#ifndef DFX_RECORD_SUMMARY_H
#define DFX_RECORD_SUMMARY_H

#include "recorder.h"

/* Print a device's lines and add it to @sum. True if nothing is missing. */
bool record_summary(const struct recorder *r, struct totals *sum);

#endif /* DFX_RECORD_SUMMARY_H */
