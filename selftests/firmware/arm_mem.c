// SPDX-License-Identifier: GPL-2.0-only
/*
 * arm_mem.c - what a compiler calls even without a library
 *
 * By words where both ends allow it: with the MMU off a byte is as dear as a
 * word, and an unaligned word faults. Built so that the loops are not turned
 * into calls of themselves.
 */
#include <linux/dfx_layout.h>

void *memset(void *dst, int c, size_t n);
void *memcpy(void *dst, const void *src, size_t n);

static int is_word(__u64 addr)
{
	return !(addr & 7);
}

void *memset(void *dst, int c, size_t n)
{
	__u64 v = (__u8)c * 0x0101010101010101ull;
	__u8 *d = dst;

	if (is_word((__u64)d))
		for (; n >= 8; n -= 8, d += 8)
			*(__u64 *)d = v;
	for (; n; n--)
		*d++ = (__u8)c;
	return dst;
}

void *memcpy(void *dst, const void *src, size_t n)
{
	const __u8 *s = src;
	__u8 *d = dst;

	if (is_word((__u64)d | (__u64)s))
		for (; n >= 8; n -= 8, d += 8, s += 8)
			*(__u64 *)d = *(const __u64 *)s;
	for (; n; n--)
		*d++ = *s++;
	return dst;
}
