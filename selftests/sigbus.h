/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sigbus.h - what an access to a mapping ends in
 */
#ifndef DFX_TEST_SIGBUS_H
#define DFX_TEST_SIGBUS_H

#include <stdbool.h>

/* Whether reading a byte, or writing back what is there, ends in SIGBUS. */
bool sigbus_at(const volatile void *p, bool write);

#endif /* DFX_TEST_SIGBUS_H */
