/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * posix.h - engine port for lanes that are threads of a process
 *
 * The aperture is memory that the process and its host map both, so the
 * processor keeps the caches coherent. Every access is a compiler builtin and
 * not assembly, so that ThreadSanitizer sees which ones order which.
 */
#ifndef DFX_PORT_POSIX_H
#define DFX_PORT_POSIX_H

#include <sched.h>
#include <time.h>
#include <linux/dfx_layout.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "shared memory is little-endian: this port does not swap"
#endif

/*
 * Frequency of dfx_port_cycles() in Hz, at most 10^10. Any expression: a
 * process that learns its profile at run time names a variable here.
 */
#ifndef DFX_PORT_POSIX_HZ
#define DFX_PORT_POSIX_HZ	50000000ull
#endif

/* One turn of a wait in so many gives the core to another thread. */
#define DFX_PORT_POSIX_SPINS	64

static inline __u32 dfx_posix_load32(const __le32 *p)
{
	return __atomic_load_n((const __u32 *)p, __ATOMIC_RELAXED);
}

static inline __u32 dfx_posix_load32_acquire(const __le32 *p)
{
	return __atomic_load_n((const __u32 *)p, __ATOMIC_ACQUIRE);
}

static inline void dfx_posix_store32(__le32 *p, __u32 v)
{
	__atomic_store_n((__u32 *)p, v, __ATOMIC_RELAXED);
}

static inline void dfx_posix_store32_release(__le32 *p, __u32 v)
{
	__atomic_store_n((__u32 *)p, v, __ATOMIC_RELEASE);
}

static inline __u64 dfx_posix_load64(const __le64 *p)
{
	return __atomic_load_n((const __u64 *)p, __ATOMIC_RELAXED);
}

static inline void dfx_posix_store64(__le64 *p, __u64 v)
{
	__atomic_store_n((__u64 *)p, v, __ATOMIC_RELAXED);
}

/*
 * ThreadSanitizer knows no fences, and compilers refuse to build one under it.
 * What is behind this barrier are atomic loads only, which are no data race
 * whatever their order, so that under it the processor alone has to be told.
 */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DFX_PORT_POSIX_TSAN	1
#endif
#elif defined(__SANITIZE_THREAD__)
#define DFX_PORT_POSIX_TSAN	1
#endif

static inline void dfx_posix_rmb(void)
{
#if !defined(DFX_PORT_POSIX_TSAN)
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
#elif defined(__x86_64__)
	/* Loads stay in order here; only the compiler could move them. */
	__asm__ __volatile__("" : : : "memory");
#elif defined(__aarch64__)
	__asm__ __volatile__("dmb ishld" : : : "memory");
#else
#error "no load barrier for ThreadSanitizer on this processor"
#endif
}

/*
 * Between a store and a later load. Under ThreadSanitizer as above: what is on
 * either side are atomic accesses.
 */
static inline void dfx_posix_mb(void)
{
#if !defined(DFX_PORT_POSIX_TSAN)
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#elif defined(__x86_64__)
	__asm__ __volatile__("mfence" : : : "memory");
#elif defined(__aarch64__)
	__asm__ __volatile__("dmb ish" : : : "memory");
#endif
}

/*
 * A lane waits for a thread that may want this very core: spinning longer than
 * a hand-off takes would only keep it waiting.
 */
static inline void dfx_posix_relax(void)
{
	static __thread unsigned int turns;

	if (++turns < DFX_PORT_POSIX_SPINS) {
#if defined(__x86_64__) || defined(__i386__)
		__asm__ __volatile__("pause" : : : "memory");
#elif defined(__aarch64__) || defined(__arm__)
		__asm__ __volatile__("yield" : : : "memory");
#else
		__asm__ __volatile__("" : : : "memory");
#endif
		return;
	}
	turns = 0;
	sched_yield();
}

static inline __u64 dfx_posix_cycles(void)
{
	const __u64 hz = DFX_PORT_POSIX_HZ;
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (__u64)ts.tv_sec * hz + (__u64)ts.tv_nsec * hz / 1000000000u;
}

#define dfx_port_load32(p)		dfx_posix_load32(p)
#define dfx_port_load32_acquire(p)	dfx_posix_load32_acquire(p)
#define dfx_port_store32(p, v)		dfx_posix_store32(p, v)
#define dfx_port_store32_release(p, v)	dfx_posix_store32_release(p, v)
#define dfx_port_load64(p)		dfx_posix_load64(p)
#define dfx_port_store64(p, v)		dfx_posix_store64(p, v)
#define dfx_port_rmb()			dfx_posix_rmb()
#define dfx_port_mb()			dfx_posix_mb()
#define dfx_port_cycles()		dfx_posix_cycles()

/* Firmware that knows better how to wait defines this one beforehand. */
#ifndef dfx_port_relax
#define dfx_port_relax()		dfx_posix_relax()
#endif

/* Coherent: nothing to write back and nothing to drop. */
#define dfx_port_clean(addr, len) \
	do { \
		(void)(addr); \
		(void)(len); \
	} while (0)
#define dfx_port_invalidate(addr, len)	dfx_port_clean(addr, len)

static inline int dfx_posix_show(const void *addr, __u64 len)
{
	dfx_port_clean(addr, len);
	return 1;
}

#define dfx_port_show(addr, len)	dfx_posix_show(addr, len)

#endif /* DFX_PORT_POSIX_H */
