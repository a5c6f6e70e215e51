/* SPDX-License-Identifier: GPL-2.0-only */
/* Accesses that happen once, in one piece. */
#ifndef DFX_SHIM_COMPILER_H
#define DFX_SHIM_COMPILER_H

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, val)	__atomic_store_n(&(x), (val), __ATOMIC_RELAXED)

#define __aligned(n)		__attribute__((aligned(n)))

static inline void barrier(void)
{
	__asm__ __volatile__("" : : : "memory");
}

#endif /* DFX_SHIM_COMPILER_H */
