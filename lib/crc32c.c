// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * crc32c.c - CRC-32C, by the processor's instruction or by table
 */
#include <endian.h>
#include <pthread.h>
#include <string.h>

#include "crc32c.h"

#define POLY	0x82f63b78u

/* table[k][b]: what byte b contributes when k more bytes follow it. */
static __u32 table[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill_table(void)
{
	unsigned int b, k, bit;
	__u32 crc;

	for (b = 0; b < 256; b++) {
		crc = b;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLY : 0);
		table[0][b] = crc;
	}
	for (k = 1; k < 8; k++)
		for (b = 0; b < 256; b++) {
			crc = table[k - 1][b];
			table[k][b] = crc >> 8 ^ table[0][crc & 0xff];
		}
}

__u32 dfx_crc32c_table(__u32 crc, const void *data, size_t len)
{
	const unsigned char *p = data;

	pthread_once(&once, fill_table);
	crc = ~crc;
	for (; len >= 8; len -= 8, p += 8) {
		__u64 word;

		memcpy(&word, p, sizeof(word));
		word = le64toh(word) ^ crc;
		crc = table[7][word & 0xff] ^
		      table[6][word >> 8 & 0xff] ^
		      table[5][word >> 16 & 0xff] ^
		      table[4][word >> 24 & 0xff] ^
		      table[3][word >> 32 & 0xff] ^
		      table[2][word >> 40 & 0xff] ^
		      table[1][word >> 48 & 0xff] ^
		      table[0][word >> 56];
	}
	for (; len; len--, p++)
		crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
	return ~crc;
}

#ifdef __x86_64__
__attribute__((target("sse4.2")))
static __u32 crc32c_sse42(__u32 crc, const void *data, size_t len)
{
	const unsigned char *p = data;
	__u64 sum = (__u32)~crc;

	for (; len >= 8; len -= 8, p += 8) {
		__u64 word;

		memcpy(&word, p, sizeof(word));
		sum = __builtin_ia32_crc32di(sum, word);
	}
	for (; len; len--, p++)
		sum = __builtin_ia32_crc32qi((__u32)sum, *p);
	return ~(__u32)sum;
}

__u32 dfx_crc32c(__u32 crc, const void *data, size_t len)
{
	if (__builtin_cpu_supports("sse4.2"))
		return crc32c_sse42(crc, data, len);
	return dfx_crc32c_table(crc, data, len);
}
#else
__u32 dfx_crc32c(__u32 crc, const void *data, size_t len)
{
	return dfx_crc32c_table(crc, data, len);
}
#endif

__u32 dfx_frame_crc(const struct dfx_frame *head, const void *payload,
		    size_t len)
{
	struct dfx_frame copy = *head;

	copy.crc = 0;
	return dfx_crc32c(dfx_crc32c(0, &copy, sizeof(copy)), payload, len);
}
