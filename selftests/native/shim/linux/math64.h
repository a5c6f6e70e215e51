/* SPDX-License-Identifier: GPL-2.0-only */
/* Divisions that a 32-bit kernel cannot write as an operator. */
#ifndef DFX_SHIM_MATH64_H
#define DFX_SHIM_MATH64_H

#include <linux/types.h>

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *rest)
{
	*rest = dividend % divisor;
	return dividend / divisor;
}

#endif /* DFX_SHIM_MATH64_H */
