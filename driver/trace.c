// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - the one place that instantiates the tracepoints
 */
#define CREATE_TRACE_POINTS
#include "trace.h"
