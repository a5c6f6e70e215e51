/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * swim_print.h - a swimlane's figures, for people and for programs
 */
#ifndef DFX_SWIM_PRINT_H
#define DFX_SWIM_PRINT_H

#include "json.h"
#include "swimlane.h"

void swim_text(const struct swim_result *r);
/* "swimlane": { "cores", "tasks", "steady": { "n", ... }, ... } */
void swim_json(struct json *j, const struct swim_result *r);

#endif /* DFX_SWIM_PRINT_H */
