// SPDX-License-Identifier: GPL-2.0-only
/*
 * console.c - puts lines of text together and hands them to the platform
 */
#include "console.h"
#include "plat.h"

static void put(struct console_line *l, char c)
{
	/* The last byte is kept for the end of the line. */
	if (l->len < CONSOLE_LINE_MAX - 1)
		l->text[l->len++] = c;
}

void console_str(struct console_line *l, const char *s)
{
	while (*s)
		put(l, *s++);
}

void console_strn(struct console_line *l, const char *s, __u32 max)
{
	while (max-- && *s)
		put(l, *s++);
}

void console_u64(struct console_line *l, __u64 v)
{
	char digits[20];
	__u32 n = 0;

	do {
		digits[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	while (n)
		put(l, digits[--n]);
}

void console_begin(struct console_line *l)
{
	l->len = 0;
	console_str(l, "dfx-fw: ");
}

void console_end(struct console_line *l)
{
	l->text[l->len++] = '\n';
	plat_write(l->text, l->len);
}

void console_say(const char *s)
{
	struct console_line l;

	console_begin(&l);
	console_str(&l, s);
	console_end(&l);
}
