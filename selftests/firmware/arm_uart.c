// SPDX-License-Identifier: GPL-2.0-only
/*
 * arm_uart.c - the console of the bare-metal image, a PL011
 *
 * Lines of several cores must not be mixed up. With the MMU off exclusive
 * loads and stores are not guaranteed to work, so the lock is Lamport's
 * bakery, which needs none.
 */
#include "plat.h"
#include "plat_arm.h"

#define UART_DR		0x00
#define UART_FR		0x18
#define UART_FR_TXFF	0x20u
#define UART_LCRH	0x2c
#define UART_LCRH_8BIT	0x60u
#define UART_CR		0x30
#define UART_CR_TX	0x101u

static __u32 choosing[PLAT_MAX_LANES];
static __u32 ticket[PLAT_MAX_LANES];

static __u32 get(const __u32 *p)
{
	return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}

static void put(__u32 *p, __u32 v)
{
	__atomic_store_n(p, v, __ATOMIC_SEQ_CST);
}

static int is_before(__u32 other, __u32 me)
{
	__u32 theirs = get(&ticket[other]);
	__u32 mine = get(&ticket[me]);

	return theirs && (theirs < mine || (theirs == mine && other < me));
}

static void lock(__u32 me)
{
	__u32 max = 0;
	__u32 i, t;

	put(&choosing[me], 1);
	for (i = 0; i < PLAT_MAX_LANES; i++) {
		t = get(&ticket[i]);
		if (t > max)
			max = t;
	}
	put(&ticket[me], max + 1);
	put(&choosing[me], 0);
	for (i = 0; i < PLAT_MAX_LANES; i++) {
		while (get(&choosing[i]))
			;
		while (is_before(i, me))
			;
	}
}

static void unlock(__u32 me)
{
	put(&ticket[me], 0);
}

void arm_uart_init(void)
{
	arm_write32(ARM_UART + UART_LCRH, UART_LCRH_8BIT);
	arm_write32(ARM_UART + UART_CR, UART_CR_TX);
}

void plat_write(const char *line, __u32 len)
{
	__u32 me = arm_core();
	__u32 i;

	lock(me);
	for (i = 0; i < len; i++) {
		while (arm_read32(ARM_UART + UART_FR) & UART_FR_TXFF)
			;
		arm_write32(ARM_UART + UART_DR, (__u8)line[i]);
	}
	unlock(me);
}
