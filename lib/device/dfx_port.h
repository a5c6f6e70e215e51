/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * dfx_port.h - what the producer engine needs from its target
 *
 * The engine touches shared memory only through these macros. There are no
 * defaults: a target without a port does not build. A port is one header in
 * port/, named on the compiler's command line:
 *
 *	-DDFX_PORT_HEADER='"port/posix.h"'
 *
 * What a port defines (p points to a naturally aligned field in shared memory,
 * values are in the machine's byte order; the shared fields are little-endian,
 * so that a big-endian port swaps here):
 *
 *   u32 dfx_port_load32(p)		relaxed, single-copy atomic
 *   u32 dfx_port_load32_acquire(p)	nothing after it is moved before it
 *   void dfx_port_store32(p, v)	relaxed, single-copy atomic
 *   void dfx_port_store32_release(p, v) nothing before it is moved after it
 *   u64 dfx_port_load64(p)		relaxed; may tear where a target has no
 *					64-bit access: used only for words that
 *					a seq or an index of 32 bits guards
 *   void dfx_port_store64(p, v)	likewise
 *   void dfx_port_rmb(void)		loads before it are done before loads
 *					after it
 *   void dfx_port_mb(void)		stores before it are visible to the host
 *					before any load after it is carried out;
 *					called only where there is a doorbell
 *   void dfx_port_relax(void)		called in every turn of every wait; gives
 *					the host's CPU time to others where the
 *					machine is emulated or shared
 *   u64 dfx_port_cycles(void)		monotonic counter at the frequency that
 *					the identity page declares
 *   void dfx_port_clean(addr, len)	write the range back to memory that the
 *					host sees; before a publication
 *   void dfx_port_invalidate(addr, len) drop stale copies of the range
 *   int dfx_port_show(addr, len)	called for each record: 1 if the host sees
 *					the range once it sees a later release; 0
 *					if that would be too dear for a record. The
 *					host then learns of it with its buffer, and
 *					what a lane has not published when it dies
 *					is lost with it
 *
 * The ordering must hold against the host's CPU, not only among the device's
 * own: on a target whose interconnect distinguishes the two, use the outer
 * domain.
 */
#ifndef DFX_PORT_H
#define DFX_PORT_H

#ifndef DFX_PORT_HEADER
#error "no port: define DFX_PORT_HEADER, see dfx_port.h"
#endif
#include DFX_PORT_HEADER

#if !defined(dfx_port_load32) || !defined(dfx_port_load32_acquire) || \
	!defined(dfx_port_store32) || !defined(dfx_port_store32_release) || \
	!defined(dfx_port_load64) || !defined(dfx_port_store64) || \
	!defined(dfx_port_rmb) || !defined(dfx_port_mb) || \
	!defined(dfx_port_relax) || \
	!defined(dfx_port_cycles) || !defined(dfx_port_clean) || \
	!defined(dfx_port_invalidate) || !defined(dfx_port_show)
#error "incomplete port: see dfx_port.h"
#endif

#endif /* DFX_PORT_H */
