/* SPDX-License-Identifier: GPL-2.0-only */
/* Error numbers. */
#ifndef DFX_SHIM_ERRNO_H
#define DFX_SHIM_ERRNO_H

#include <asm/errno.h>

#endif /* DFX_SHIM_ERRNO_H */
