/* SPDX-License-Identifier: GPL-2.0-only */
/* The small arithmetic that kernel code takes for granted. */
#ifndef DFX_SHIM_KERNEL_H
#define DFX_SHIM_KERNEL_H

#include <linux/compiler.h>
#include <linux/types.h>

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define ALIGN(x, a) ({				\
	__typeof__(x) mask = (a);		\
	mask--;					\
	((x) + mask) & ~mask; })
#define BIT(n)		(1ul << (n))
#define BIT_ULL(n)		(1ull << (n))
#define U32_MAX			(~(u32)0)
#define U64_MAX			(~(u64)0)
#define BUILD_BUG_ON(cond)	_Static_assert(!(cond), #cond)
#define offsetofend(type, ...) \
	(offsetof(type, __VA_ARGS__) + sizeof(((type *)0)->__VA_ARGS__))
#define lower_32_bits(n)	((u32)((n) & 0xffffffff))
#define upper_32_bits(n)	((u32)((u64)(n) >> 32))

#define min(a, b) ({			\
	__typeof__(a) min_a = (a);	\
	__typeof__(b) min_b = (b);	\
	(void)(&min_a == &min_b);	\
	min_a < min_b ? min_a : min_b; })
#define max(a, b) ({			\
	__typeof__(a) max_a = (a);	\
	__typeof__(b) max_b = (b);	\
	(void)(&max_a == &max_b);	\
	max_a > max_b ? max_a : max_b; })
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define clamp_t(type, v, lo, hi) min_t(type, max_t(type, v, lo), hi)

#endif /* DFX_SHIM_KERNEL_H */
