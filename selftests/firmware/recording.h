/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recording.h - walks the frames of a recording, for the pattern checker
 *
 * On purpose not the library's reader: it checks what that one, among others,
 * has written.
 */
#ifndef DFX_FW_RECORDING_H
#define DFX_FW_RECORDING_H

#include <stddef.h>
#include <linux/dfx.h>

/**
 * struct recording - a recording in memory
 * @data: its bytes, mapped for as long as the process lives.
 * @size: their number.
 * @at: offset of the next frame.
 */
struct recording {
	const unsigned char *data;
	size_t size;
	size_t at;
};

/* Returns 0, or -1 with errno set. */
int recording_open(struct recording *rec, const char *path);

/**
 * recording_next() - next frame of a type that is known
 * @rec: the recording.
 * @frame: where it begins; its payload lies behind @frame->header_size.
 * @payload: the payload, @frame->len bytes.
 *
 * Return: 1; 0 at the end; -1 where the rest is no frame, or not a whole one.
 */
int recording_next(struct recording *rec, const struct dfx_frame **frame,
		   const void **payload);

#endif /* DFX_FW_RECORDING_H */
