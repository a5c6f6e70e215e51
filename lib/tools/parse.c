// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * parse.c - numbers and times that a user typed
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "parse.h"

#define YEAR_S	(366.0 * 24 * 3600)

int parse_u64(const char *s, __u64 max, __u64 *out)
{
	unsigned long long v;
	char *end;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	v = strtoull(s, &end, 0);
	if (errno || *end || v > max)
		return -EINVAL;
	*out = v;
	return 0;
}

int parse_seconds(const char *s, __u64 *ns)
{
	char *end;
	double v;

	if (!isdigit((unsigned char)*s) && *s != '.')
		return -EINVAL;
	errno = 0;
	v = strtod(s, &end);
	if (errno || end == s || *end || !(v > 0 && v <= YEAR_S))
		return -EINVAL;
	*ns = (__u64)(v * 1e9);
	return 0;
}
