/* SPDX-License-Identifier: GPL-2.0-only */
/* memcpy() and its like. */
#ifndef DFX_SHIM_STRING_H
#define DFX_SHIM_STRING_H

#include <string.h>

#endif /* DFX_SHIM_STRING_H */
