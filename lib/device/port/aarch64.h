/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * aarch64.h - engine port for bare metal on AArch64, little-endian
 *
 * The observer is the host behind an interconnect and not another core of the
 * device, so every barrier is one of the outer shareable domain. LDAR and STLR
 * would order within the domain of the memory's own attributes, which a board
 * may have mapped as inner shareable; explicit barriers hold either way.
 */
#ifndef DFX_PORT_AARCH64_H
#define DFX_PORT_AARCH64_H

#include <linux/dfx_layout.h>

#if !defined(__aarch64__) || defined(__AARCH64EB__)
#error "this port is for little-endian AArch64"
#endif

/*
 * Frequency of dfx_port_cycles() in Hz, at most 10^9. Any expression: firmware
 * that learns its profile at run time names a variable here.
 */
#ifndef DFX_PORT_AARCH64_HZ
#define DFX_PORT_AARCH64_HZ	50000000ull
#endif

/*
 * Whether the aperture is mapped cacheable and not kept coherent by hardware.
 * With the MMU off every data access is Device memory: nothing is ever in a
 * cache, and a barrier is all that clean and invalidate have to be. The
 * default is the one that is right on both.
 */
#ifndef DFX_PORT_AARCH64_CACHED
#define DFX_PORT_AARCH64_CACHED	1
#endif

/* Loads before it are done before loads and stores after it. */
static inline void dfx_aarch64_ld_barrier(void)
{
	__asm__ __volatile__("dmb oshld" : : : "memory");
}

/*
 * Loads and stores before it are done before stores after it. The two together
 * leave a later load free to go ahead of an earlier store, which is all that
 * "dmb osh" would add, and what makes it the slow one.
 */
static inline void dfx_aarch64_st_barrier(void)
{
	__asm__ __volatile__("dmb oshld\n\tdmb oshst" : : : "memory");
}

/* Everything before it is done before everything after it. */
static inline void dfx_aarch64_full_barrier(void)
{
	__asm__ __volatile__("dmb osh" : : : "memory");
}

static inline __u32 dfx_aarch64_load32(const __le32 *p)
{
	return __atomic_load_n((const __u32 *)p, __ATOMIC_RELAXED);
}

static inline __u32 dfx_aarch64_load32_acquire(const __le32 *p)
{
	__u32 v = dfx_aarch64_load32(p);

	dfx_aarch64_ld_barrier();
	return v;
}

static inline void dfx_aarch64_store32(__le32 *p, __u32 v)
{
	__atomic_store_n((__u32 *)p, v, __ATOMIC_RELAXED);
}

static inline void dfx_aarch64_store32_release(__le32 *p, __u32 v)
{
	dfx_aarch64_st_barrier();
	dfx_aarch64_store32(p, v);
}

static inline __u64 dfx_aarch64_load64(const __le64 *p)
{
	return __atomic_load_n((const __u64 *)p, __ATOMIC_RELAXED);
}

static inline void dfx_aarch64_store64(__le64 *p, __u64 v)
{
	__atomic_store_n((__u64 *)p, v, __ATOMIC_RELAXED);
}

static inline void dfx_aarch64_relax(void)
{
	__asm__ __volatile__("yield" : : : "memory");
}

/*
 * The generic timer's virtual count, scaled exactly: neither product can
 * overflow, and the remainder keeps the result monotonic.
 */
static inline __u64 dfx_aarch64_cycles(void)
{
	const __u64 hz = DFX_PORT_AARCH64_HZ;
	__u64 count, freq;

	/* Without the isb the count may be read ahead of what it times. */
	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r" (count) :
			     : "memory");
	__asm__("mrs %0, cntfrq_el0" : "=r" (freq));
	return count / freq * hz + count % freq * hz / freq;
}

/* Bytes of the smallest data cache line: CTR_EL0.DminLine counts words. */
static inline __u64 dfx_aarch64_line(void)
{
	__u64 ctr;

	__asm__("mrs %0, ctr_el0" : "=r" (ctr));
	return 4ull << (ctr >> 16 & 15);
}

static inline void dfx_aarch64_clean(const void *addr, __u64 len)
{
#if DFX_PORT_AARCH64_CACHED
	__u64 line = dfx_aarch64_line();
	__u64 end = (__u64)addr + len;
	__u64 p;

	for (p = (__u64)addr & ~(line - 1); p < end; p += line)
		__asm__ __volatile__("dc cvac, %0" : : "r" (p) : "memory");
	__asm__ __volatile__("dsb osh" : : : "memory");
#else
	(void)addr;
	(void)len;
	__asm__ __volatile__("dmb oshst" : : : "memory");
#endif
}

/*
 * Discards what a line holds, neighbours included. That is safe because the
 * words of one writer have their lines to themselves: what the engine lets be
 * invalidated holds nothing that this side has written and not cleaned.
 */
static inline void dfx_aarch64_invalidate(const void *addr, __u64 len)
{
#if DFX_PORT_AARCH64_CACHED
	__u64 line = dfx_aarch64_line();
	__u64 end = (__u64)addr + len;
	__u64 p;

	for (p = (__u64)addr & ~(line - 1); p < end; p += line)
		__asm__ __volatile__("dc ivac, %0" : : "r" (p) : "memory");
	__asm__ __volatile__("dsb osh" : : : "memory");
#else
	(void)addr;
	(void)len;
	__asm__ __volatile__("dmb oshld" : : : "memory");
#endif
}

#define dfx_port_load32(p)		dfx_aarch64_load32(p)
#define dfx_port_load32_acquire(p)	dfx_aarch64_load32_acquire(p)
#define dfx_port_store32(p, v)		dfx_aarch64_store32(p, v)
#define dfx_port_store32_release(p, v)	dfx_aarch64_store32_release(p, v)
#define dfx_port_load64(p)		dfx_aarch64_load64(p)
#define dfx_port_store64(p, v)		dfx_aarch64_store64(p, v)
#define dfx_port_rmb()			dfx_aarch64_ld_barrier()
#define dfx_port_mb()			dfx_aarch64_full_barrier()
#define dfx_port_cycles()		dfx_aarch64_cycles()
#define dfx_port_clean(addr, len)	dfx_aarch64_clean(addr, len)
#define dfx_port_invalidate(addr, len)	dfx_aarch64_invalidate(addr, len)
/* A line cleaned and waited for, for each record, costs more than the record. */
#define dfx_port_show(addr, len)	(!DFX_PORT_AARCH64_CACHED)

/* Firmware that knows better how to wait defines this one beforehand. */
#ifndef dfx_port_relax
#define dfx_port_relax()		dfx_aarch64_relax()
#endif

#endif /* DFX_PORT_AARCH64_H */
