/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.h - kernel types on top of the ones that the C library's headers bring
 *
 * This directory stands first on the include path when the driver's pure files
 * are compiled, unedited, into a host program. Accesses that order something
 * become compiler builtins, so that ThreadSanitizer sees them. What is missing
 * here is missing on purpose: a file that needs it is not pure any more.
 */
#ifndef DFX_SHIM_TYPES_H
#define DFX_SHIM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include_next <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#endif /* DFX_SHIM_TYPES_H */
