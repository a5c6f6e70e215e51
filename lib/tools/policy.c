// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * policy.c - K=V,... and the policy of a region
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "parse.h"
#include "policy.h"

struct key {
	const char *name;
	size_t offset;
};

#define KEY(member)	{ #member, offsetof(struct dfx_policy, member) }

static const struct key keys[] = {
	KEY(recovery),
	KEY(buffers),
	KEY(records),
	KEY(slots),
	KEY(rq_depth),
	KEY(deadline_ms),
	KEY(linger_ms),
	KEY(delay_us),
	KEY(arena_kb),
};

#define NR_KEYS	(sizeof(keys) / sizeof(keys[0]))

_Static_assert(NR_KEYS == POLICY_NR_KEYS, "one value for each key");

static const struct tool_hint hints[] = {
	{ EBUSY, "a session runs or a consumer is attached; end it first" },
	{ EINVAL, "a value is out of range; depths are powers of two" },
	{ ENOSPC, "the region has no room for that; ask for fewer or smaller buffers" },
	{ 0, NULL }
};

static int parse_value(size_t key, const char *s, __u32 *out)
{
	__u64 v;
	int ret;

	if (!key && !strcmp(s, recovery_name(DFX_RECOVERY_GLOBAL))) {
		*out = DFX_RECOVERY_GLOBAL;
		return 0;
	}
	if (!key && !strcmp(s, recovery_name(DFX_RECOVERY_LANE))) {
		*out = DFX_RECOVERY_LANE;
		return 0;
	}
	ret = key ? parse_u64(s, 0xffffffffu, &v) : -EINVAL;
	if (!ret)
		*out = (__u32)v;
	return ret;
}

static int parse_one(const struct command *cmd, const char *item,
		     struct policy_change *change)
{
	const char *eq = strchr(item, '=');
	size_t i;

	for (i = 0; eq && i < NR_KEYS; i++) {
		size_t n = strlen(keys[i].name);

		if (n != (size_t)(eq - item) || strncmp(item, keys[i].name, n))
			continue;
		if (parse_value(i, eq + 1, &change->value[i]))
			return tool_usage(cmd, "%s is no value for %s", eq + 1,
					  keys[i].name);
		change->set |= 1u << i;
		return 0;
	}
	return tool_usage(cmd, "policy %s is not KEY=VALUE with a known key",
			  item);
}

int policy_parse(const struct command *cmd, const char *arg,
		 struct policy_change *change)
{
	char copy[256];
	char *item, *save;
	int ret;

	if (strlen(arg) >= sizeof(copy) || !*arg)
		return tool_usage(cmd, "the policy is empty or too long");
	strcpy(copy, arg);
	for (item = strtok_r(copy, ",", &save); item;
	     item = strtok_r(NULL, ",", &save)) {
		ret = parse_one(cmd, item, change);
		if (ret)
			return ret;
	}
	return 0;
}

int policy_apply(struct dfx *dfx, const struct policy_change *change)
{
	struct dfx_policy policy;
	size_t i;
	int ret;

	if (!change->set)
		return 0;
	ret = dfx_policy_get(dfx, &policy);
	if (ret)
		return tool_fail(dfx_name(dfx), "read the policy", ret, NULL);
	for (i = 0; i < NR_KEYS; i++)
		if (change->set >> i & 1)
			memcpy((char *)&policy + keys[i].offset,
			       &change->value[i], sizeof(__u32));
	ret = dfx_policy_set(dfx, &policy);
	return ret ? tool_fail(dfx_name(dfx), "set the policy", ret, hints) : 0;
}

void policy_print(const struct dfx_policy *policy)
{
	size_t i;

	for (i = 0; i < NR_KEYS; i++) {
		__u32 v;

		memcpy(&v, (const char *)policy + keys[i].offset, sizeof(v));
		if (i)
			printf(",%s=%u", keys[i].name, v);
		else
			printf("%s=%s", keys[i].name, recovery_name(v));
	}
	putchar('\n');
}
