/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * step_port.h - engine port for tests that want no threads and no clock
 *
 * Time stands still but for one tick in each turn of a wait. Two hooks let the
 * test act as the host at exact moments: in each turn of a wait, at each full barrier,
 * and before each load that may see something new. Everything else is the POSIX port.
 */
#ifndef DFX_STEP_PORT_H
#define DFX_STEP_PORT_H

#include "port/posix.h"

/**
 * struct step - the test's hand on the engine
 * @now: the counter.
 * @turns: turns of all waits.
 * @relax: called in each turn of a wait, if set.
 * @load: called before each load with acquire, if set.
 * @loads: such loads.
 * @fence: called at each full barrier, if set.
 * @fences: full barriers.
 * @hidden: single records are not shown to the host.
 * @arg: for the hooks.
 */
struct step {
	__u64 now;
	__u64 turns;
	__u64 loads;
	__u64 fences;
	int hidden;
	void (*relax)(void *arg);
	void (*load)(void *arg, const __le32 *p);
	void (*fence)(void *arg);
	void *arg;
};

extern struct step step;

static inline void step_relax(void)
{
	step.now++;
	step.turns++;
	if (step.relax)
		step.relax(step.arg);
}

static inline __u32 step_load32_acquire(const __le32 *p)
{
	step.loads++;
	if (step.load)
		step.load(step.arg, p);
	return dfx_posix_load32_acquire(p);
}

static inline void step_mb(void)
{
	step.fences++;
	if (step.fence)
		step.fence(step.arg);
	dfx_posix_mb();
}

#undef dfx_port_cycles
#undef dfx_port_show
#undef dfx_port_mb
#undef dfx_port_relax
#undef dfx_port_load32_acquire
#define dfx_port_cycles()		(step.now)
#define dfx_port_show(addr, len)	(!step.hidden)
#define dfx_port_relax()		step_relax()
#define dfx_port_mb()			step_mb()
#define dfx_port_load32_acquire(p)	step_load32_acquire(p)

#endif /* DFX_STEP_PORT_H */
