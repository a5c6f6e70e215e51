/* SPDX-License-Identifier: GPL-2.0-only */
/* Ordered accesses, as builtins that ThreadSanitizer understands. */
#ifndef DFX_SHIM_BARRIER_H
#define DFX_SHIM_BARRIER_H

#define virt_load_acquire(p)	__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define virt_store_release(p, val) \
	__atomic_store_n((p), (val), __ATOMIC_RELEASE)

#endif /* DFX_SHIM_BARRIER_H */
