/* SPDX-License-Identifier: GPL-2.0-only */
/* Ordered accesses, as builtins that ThreadSanitizer understands. */
#ifndef DFX_SHIM_BARRIER_H
#define DFX_SHIM_BARRIER_H

#define virt_load_acquire(p)	__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define virt_store_release(p, val) \
	__atomic_store_n((p), (val), __ATOMIC_RELEASE)

#define smp_load_acquire(p)	virt_load_acquire(p)
#define smp_store_release(p, val)	virt_store_release(p, val)

/* A read-modify-write, since ThreadSanitizer does not know fences. */
#define virt_mb() \
	do { \
		int _fence = 0; \
		__atomic_fetch_add(&_fence, 1, __ATOMIC_SEQ_CST); \
	} while (0)

#endif /* DFX_SHIM_BARRIER_H */
