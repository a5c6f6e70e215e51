/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * crc32c.h - CRC-32C, reflected polynomial 0x82f63b78
 *
 * @crc is the checksum of what came before, 0 at the start; both inversions
 * are inside.
 */
#ifndef DFX_CRC32C_H
#define DFX_CRC32C_H

#include <linux/dfx.h>
#include <stddef.h>

__u32 dfx_crc32c(__u32 crc, const void *data, size_t len);
/* The same without instructions that only some processors have. */
__u32 dfx_crc32c_table(__u32 crc, const void *data, size_t len);

/* Checksum of a frame whose header has already been copied to @head. */
__u32 dfx_frame_crc(const struct dfx_frame *head, const void *payload,
		    size_t len);

#endif /* DFX_CRC32C_H */
