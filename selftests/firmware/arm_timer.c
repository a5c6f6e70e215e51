// SPDX-License-Identifier: GPL-2.0-only
/*
 * arm_timer.c - a core that waits without costing the emulator anything
 *
 * QEMU runs YIELD and WFE as no-ops where each core has its thread, so that a
 * waiting lane would burn a processor of the machine that emulates it. WFI
 * puts the thread to sleep. An interrupt wakes it although it is masked, and
 * since none is ever taken there is no handler: the timer's line falls when
 * the timer is turned off.
 */
#include "plat_arm.h"

#define GICD_CTLR		0x000
#define GICD_ISENABLER0		0x100
#define GICC_CTLR		0x000
#define GICC_PMR		0x004
#define PPI_VTIMER		27

void arm_timer_init(void)
{
	/* The first 32 interrupts have a register for each core. */
	arm_write32(ARM_GICD + GICD_CTLR, 1);
	arm_write32(ARM_GICD + GICD_ISENABLER0, 1u << PPI_VTIMER);
	arm_write32(ARM_GICC + GICC_PMR, 0xff);
	arm_write32(ARM_GICC + GICC_CTLR, 1);
}

void arm_timer_sleep(__u64 ticks)
{
	__u64 now;

	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r" (now) :
			     : "memory");
	__asm__ __volatile__("msr cntv_cval_el0, %0\n\t"
			     "msr cntv_ctl_el0, %1\n\t"
			     "isb\n\t"
			     "dsb sy\n\t"
			     "wfi\n\t"
			     "msr cntv_ctl_el0, xzr\n\t"
			     "isb"
			     : : "r" (now + ticks), "r" (1ull) : "memory");
}
