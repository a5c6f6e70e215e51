/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * console.h - one line of text for people, without a C library
 */
#ifndef DFX_FW_CONSOLE_H
#define DFX_FW_CONSOLE_H

#include <linux/dfx_layout.h>

#define CONSOLE_LINE_MAX	256

/**
 * struct console_line - a line being put together
 * @text: the text; what does not fit is cut off.
 * @len: bytes of it.
 */
struct console_line {
	char text[CONSOLE_LINE_MAX];
	__u32 len;
};

/* Begins a line with the firmware's name. */
void console_begin(struct console_line *l);

void console_str(struct console_line *l, const char *s);

/* At most @max bytes of @s, which need not be terminated. */
void console_strn(struct console_line *l, const char *s, __u32 max);

void console_u64(struct console_line *l, __u64 v);

/* Ends the line and writes it. */
void console_end(struct console_line *l);

/* A whole line in one call. */
void console_say(const char *s);

#endif /* DFX_FW_CONSOLE_H */
