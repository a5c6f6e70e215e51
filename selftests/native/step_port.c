// SPDX-License-Identifier: GPL-2.0-only
/*
 * step_port.c - the test's hand on the engine
 */
#include "step_port.h"

struct step step;
