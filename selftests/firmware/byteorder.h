/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * byteorder.h - the kernel's names for the byte order of shared memory
 *
 * In the kernel they are there, and sparse follows them. Elsewhere there is one
 * byte order.
 */
#ifndef DFX_FW_BYTEORDER_H
#define DFX_FW_BYTEORDER_H

#ifdef __KERNEL__
#include <asm/byteorder.h>
#else
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are little-endian: stores here do not swap"
#endif
#define cpu_to_le16(v)	((__u16)(v))
#define cpu_to_le32(v)	((__u32)(v))
#define cpu_to_le64(v)	((__u64)(v))
#endif

#endif /* DFX_FW_BYTEORDER_H */
