/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * parse.h - numbers and times that a user typed
 */
#ifndef DFX_PARSE_H
#define DFX_PARSE_H

#include <linux/types.h>

/* Decimal, 0x hexadecimal or 0 octal, at most @max. 0 or -EINVAL. */
int parse_u64(const char *s, __u64 max, __u64 *out);
/* Seconds with an optional fraction, above 0, at most a year. */
int parse_seconds(const char *s, __u64 *ns);

#endif /* DFX_PARSE_H */
