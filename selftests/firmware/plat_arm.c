// SPDX-License-Identifier: GPL-2.0-only
/*
 * plat_arm.c - bare metal on QEMU's "virt" machine
 *
 * Core N is lane N. Core 0 starts the others and announces the device only
 * when all of them are there.
 */
#include "args.h"
#include "backoff.h"
#include "console.h"
#include "dfx_port.h"
#include "lane.h"
#include "plat.h"
#include "plat_arm.h"

#define PSCI_CPU_ON	0xc4000003ull

/* As many stacks as fw.ld has, and as many cores as a GICv2 serves. */
const __u32 plat_max_workers;
const __u32 plat_max_lanes = PLAT_MAX_LANES;
const __u32 plat_isa = DFX_ISA_AARCH64;

__u64 plat_counter_hz = 50000000;
__u32 plat_vectors;

static struct backoff waits[PLAT_MAX_LANES];
static struct fw_args arm_args;
static struct fw arm_fw;

/* Cores wait here until core 0 has announced. */
static __le32 arm_go;

/* start.S has put it there. */
__u32 arm_core(void)
{
	__u64 v;

	__asm__("mrs %0, tpidr_el1" : "=r" (v));
	return (__u32)v;
}

struct fw_lane *plat_lane(void)
{
	return &arm_fw.lane[arm_core()];
}

/* The machine ends by being switched off. */
int plat_stopping(void)
{
	return 0;
}

void plat_relax(void)
{
	__u64 nap = backoff_turn(&waits[arm_core()], dfx_port_cycles(),
				 plat_counter_hz);
	__u64 freq;

	if (!nap) {
		/* Lets another core on where QEMU has one thread for all. */
		__asm__ __volatile__("yield" : : : "memory");
		return;
	}
	__asm__("mrs %0, cntfrq_el0" : "=r" (freq));
	/* Naps are milliseconds at most: no overflow. */
	arm_timer_sleep(nap * freq / plat_counter_hz);
}

void plat_busy(void)
{
	backoff_reset(&waits[arm_core()]);
}

/*
 * The counter starts with the machine and is the same at each boot; the clock
 * counts whole seconds. Both together differ.
 */
__u32 plat_boot_number(void)
{
	__u32 boot = arm_read32(ARM_RTC) << 12 |
		     (dfx_port_cycles() & 0xfff);

	return boot ? boot : 1;
}

/* Returns 0, or a negative number in two's complement. */
static __u64 psci_cpu_on(__u64 core, void (*entry)(void), __u64 context)
{
	register __u64 x0 __asm__("x0") = PSCI_CPU_ON;
	register __u64 x1 __asm__("x1") = core;
	register __u64 x2 __asm__("x2") = (__u64)entry;
	register __u64 x3 __asm__("x3") = context;

	__asm__ __volatile__("hvc #0" : "+r" (x0), "+r" (x1), "+r" (x2),
			     "+r" (x3) : :
			     "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
			     "x12", "x13", "x14", "x15", "x16", "x17",
			     "memory");
	return x0;
}

static void __attribute__((noreturn)) halt(const char *why)
{
	console_say(why);
	for (;;)
		__asm__ __volatile__("wfi");
}

static void start_cores(__u32 nr)
{
	__u32 i;

	for (i = 1; i < nr; i++)
		/* With a GICv2 a core's affinity is its number. */
		if (psci_cpu_on(i, arm_secondary, i))
			halt("fewer cores than lanes, see -smp: halted");
}

void arm_lane(__u64 lane)
{
	arm_timer_init();
	while (!dfx_port_load32_acquire(&arm_go))
		plat_relax();
	fw_lane_main(&arm_fw.lane[lane]);
	halt("a lane has ended: halted");
}

void arm_main(void)
{
	char *text = (char *)ARM_ARGS;

	arm_uart_init();
	/* A full page of text has no room for its end: cut it. */
	text[ARM_ARGS_SIZE - 1] = '\0';
	if (fw_args_parse(&arm_args, text))
		halt("halted");
	if (arm_args.arch == DFX_ARCH_A5)
		plat_counter_hz = 1000000000;
	if (arm_args.doorbell) {
		if (arm_doorbell_init())
			halt("no ivshmem-doorbell: halted");
		plat_vectors = arm_args.doorbell;
	}
	start_cores(arm_args.lanes);
	if (fw_boot(&arm_fw, (void *)ARM_RAM, arm_args.aperture << 20, &arm_args))
		halt("halted");
	dfx_port_store32_release(&arm_go, 1);
	arm_lane(0);
}

void arm_exception(__u64 esr, __u64 elr, __u64 far)
{
	struct console_line l;

	console_begin(&l);
	console_str(&l, "exception on core ");
	console_u64(&l, arm_core());
	console_str(&l, ": esr ");
	console_u64(&l, esr);
	console_str(&l, ", elr ");
	console_u64(&l, elr);
	console_str(&l, ", far ");
	console_u64(&l, far);
	console_end(&l);
	halt("halted");
}
