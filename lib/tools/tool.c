// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tool.c - errors in one line, common options, opening a device
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static const struct tool_hint common_hints[] = {
	{ ENOENT, "there is no such device; dfx list shows what is there" },
	{ ENOTUNIQ, "several devices have it; name one that dfx list shows" },
	{ EACCES, "permission denied; run as root or as a user who may open the node" },
	{ EPERM, "not permitted; run as root" },
	{ ENODEV, "the device has gone; dfx list shows what is there" },
	{ ENXIO, "the device has gone; dfx list shows what is there" },
	{ ENOTTY, "it is not a dfx device, or its driver is older than this command" },
	{ E2BIG, "the driver is older than this command; use the command that came with it" },
	{ EOPNOTSUPP, "the driver does not support that; update the driver" },
	{ 0, NULL }
};

static const char *find_hint(const struct tool_hint *hints, int err)
{
	for (; hints && hints->text; hints++)
		if (hints->err == err)
			return hints->text;
	return NULL;
}

TOOL_PRINTF(2, 0)
static void line(const char *prefix, const char *fmt, va_list ap)
{
	char text[512];

	vsnprintf(text, sizeof(text), fmt, ap);
	fprintf(stderr, "dfx: %s%s\n", prefix, text);
}

int tool_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line("", fmt, ap);
	va_end(ap);
	return TOOL_FAILED;
}

void tool_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line("", fmt, ap);
	va_end(ap);
}

int tool_usage(const struct command *cmd, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "dfx: %s: %s; see dfx %s --help\n", cmd->name, text,
		cmd->name);
	return TOOL_USAGE;
}

int tool_fail(const char *name, const char *verb, int err,
	      const struct tool_hint *hints)
{
	const char *hint = find_hint(hints, -err);

	if (!hint)
		hint = find_hint(common_hints, -err);
	if (!hint)
		hint = strerror(-err);
	return tool_error("%s: cannot %s: %s", name, verb, hint);
}

int tool_common(const struct command *cmd, int opt, char **argv)
{
	switch (opt) {
	case 'h':
		fputs(cmd->help, stdout);
		return 0;
	case 'V':
		printf("dfx %s\n", dfx_version());
		return 0;
	case ':':
		return tool_usage(cmd, "%s needs a value", argv[optind - 1]);
	default:
		return tool_usage(cmd, "%s is no option of it",
				  argv[optind - 1]);
	}
}

int tool_open(const char *dev, struct dfx **out)
{
	int ret = dfx_open(dev, out);

	return ret ? tool_fail(dev, "open", ret, NULL) : 0;
}

int tool_operand(const struct command *cmd, int argc, char **argv,
		 const char **out)
{
	if (optind == argc)
		return tool_usage(cmd, "which device? DEV is missing");
	if (optind + 1 < argc)
		return tool_usage(cmd, "one DEV, not also %s",
				  argv[optind + 1]);
	*out = argv[optind];
	return 0;
}
