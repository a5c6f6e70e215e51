/* SPDX-License-Identifier: GPL-2.0-only */
/* Powers of two. */
#ifndef DFX_SHIM_LOG2_H
#define DFX_SHIM_LOG2_H

#include <linux/types.h>

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	unsigned long p = 1;

	while (p < n)
		p <<= 1;
	return p;
}

#endif /* DFX_SHIM_LOG2_H */
