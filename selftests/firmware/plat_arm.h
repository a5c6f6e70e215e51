/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plat_arm.h - what the files of the bare-metal platform share
 *
 * Addresses are those of QEMU's "virt" machine with a GICv2.
 */
#ifndef DFX_FW_PLAT_ARM_H
#define DFX_FW_PLAT_ARM_H

#include <linux/dfx_layout.h>

#define ARM_GICD		0x08000000ul
#define ARM_GICC		0x08010000ul
#define ARM_UART		0x09000000ul
#define ARM_RTC			0x09010000ul
#define ARM_PCI_MEM		0x10000000ul	/* where BARs may lie */
#define ARM_PCI_ECAM		0x3f000000ul	/* with highmem=off only */
#define ARM_RAM			0x40000000ul	/* first byte of the aperture */
#define ARM_ARGS		0x40200000ul	/* text, terminated by NUL */
#define ARM_ARGS_SIZE		4096u

/* Registers of devices: 32 bits each, in order, never torn. */
static inline __u32 arm_read32(unsigned long addr)
{
	__u32 v;

	__asm__ __volatile__("ldr %w0, [%1]" : "=r" (v) : "r" (addr) :
			     "memory");
	return v;
}

static inline void arm_write32(unsigned long addr, __u32 v)
{
	__asm__ __volatile__("str %w0, [%1]" : : "r" (v), "r" (addr) :
			     "memory");
}

/* Core that the caller is; lane N is core N. */
__u32 arm_core(void);

/* Makes the virtual timer able to wake this core; each core for itself. */
void arm_timer_init(void);

/* Sleeps for @ticks of the generic timer, or a little longer. */
void arm_timer_sleep(__u64 ticks);

void arm_uart_init(void);

/*
 * Looks for an ivshmem-doorbell on bus 0 and gives its registers a place. Return: 0,
 * or -1 if there is none.
 */
int arm_doorbell_init(void);

/* start.S calls these and is entered at the last one. */
__attribute__((noreturn)) void arm_main(void);
__attribute__((noreturn)) void arm_lane(__u64 lane);
__attribute__((noreturn)) void arm_exception(__u64 esr, __u64 elr, __u64 far);
void arm_secondary(void);

#endif /* DFX_FW_PLAT_ARM_H */
