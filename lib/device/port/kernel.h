/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * kernel.h - engine port for lanes that are threads of a Linux kernel
 *
 * For a software device: the lanes and the host share coherent memory, so the
 * kernel's own acquire and release are enough and caches need nothing.
 */
#ifndef DFX_PORT_KERNEL_H
#define DFX_PORT_KERNEL_H

#include <asm/barrier.h>
#include <asm/processor.h>
#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

/* Frequency of dfx_port_cycles() in Hz. */
#define DFX_PORT_KERNEL_HZ	1000000000ull

#define dfx_port_load32(p)		le32_to_cpu(READ_ONCE(*(p)))
#define dfx_port_load32_acquire(p)	le32_to_cpu(smp_load_acquire(p))
#define dfx_port_store32(p, v)		WRITE_ONCE(*(p), cpu_to_le32(v))
#define dfx_port_store32_release(p, v)	smp_store_release(p, cpu_to_le32(v))
#define dfx_port_load64(p)		le64_to_cpu(READ_ONCE(*(p)))
#define dfx_port_store64(p, v)		WRITE_ONCE(*(p), cpu_to_le64(v))
#define dfx_port_rmb()			smp_rmb()
#define dfx_port_mb()			smp_mb()
#define dfx_port_cycles()		ktime_get_ns()
#define dfx_port_clean(addr, len)	do { } while (0)
#define dfx_port_invalidate(addr, len)	do { } while (0)
#define dfx_port_show(addr, len)	1

/*
 * A lane may spin for seconds; the thread it waits for may need this CPU. A device
 * that knows better how to wait defines this one beforehand.
 */
#ifndef dfx_port_relax
#define dfx_port_relax()		do { cpu_relax(); cond_resched(); } while (0)
#endif

#endif /* DFX_PORT_KERNEL_H */
