/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * start.S - from reset to C, and what happens on an exception
 *
 * The first core enters at _start, each other one at arm_secondary with its
 * lane in x0. All run at EL1 with the MMU off and interrupts masked.
 */

/* Must hold a line being put together and the engine's frames many times. */
#define STACK_SHIFT	14

	.section .text.start, "ax"
	.global _start
_start:
	msr	daifset, #0xf
	/* The loader may have put nothing there; RAM may be an old file. */
	adrp	x1, __bss_start
	add	x1, x1, :lo12:__bss_start
	adrp	x2, __bss_end
	add	x2, x2, :lo12:__bss_end
1:	cmp	x1, x2
	b.hs	2f
	str	xzr, [x1], #8
	b	1b
2:	mov	x0, #0
	bl	setup
	b	arm_main

	.global arm_secondary
arm_secondary:
	msr	daifset, #0xf
	bl	setup
	b	arm_lane

/* Gives lane x0 its stack, its number and the vectors; keeps x0. */
setup:
	adrp	x1, __stacks
	add	x1, x1, :lo12:__stacks
	add	x2, x0, #1
	add	x1, x1, x2, lsl #STACK_SHIFT
	mov	sp, x1
	msr	tpidr_el1, x0
	adrp	x1, vectors
	add	x1, x1, :lo12:vectors
	msr	vbar_el1, x1
	isb
	ret

/* Nothing is expected here: say what it was and stop this core. */
	.macro	vector
	.balign	0x80
	mrs	x0, esr_el1
	mrs	x1, elr_el1
	mrs	x2, far_el1
	b	arm_exception
	.endm

	.balign	0x800
vectors:
	.rept	16
	vector
	.endr
