// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_info.c - what a region is made of
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "names.h"
#include "policy.h"
#include "tool.h"

static void print_query(const char *name, const struct dfx_query *q)
{
	printf("%s: %s\n", name, (const char *)q->out_name);
	printf("  device    %s, firmware on %s, %u cores\n",
	       arch_name(q->out_arch), isa_name(q->out_isa), q->out_nr_cores);
	printf("  clocks    counter %llu Hz, watchdog %llu us\n",
	       q->out_counter_hz, q->out_watchdog_us);
	printf("  driver    abi %u, layout %u.%u, generation 0x%x, features 0x%llx\n",
	       q->out_abi, q->out_layout_major, q->out_layout_minor,
	       q->out_generation, q->out_features);
	printf("  geometry  %u lanes, ready queues of %u, %u pools, %u buffers\n",
	       q->out_nr_lanes, q->out_rq_depth, q->out_nr_pools,
	       q->out_nr_buffers);
}

static bool alike(const struct dfx_pool_info *a, const struct dfx_pool_info *b)
{
	return a->kind == b->kind && a->buffers == b->buffers &&
	       a->record_size == b->record_size &&
	       a->capacity == b->capacity && a->slots == b->slots;
}

/* One line for each run of pools that differ only in instance and lane. */
static void print_pools(const struct dfx_pool_info *p, int n)
{
	int first, last;

	for (first = 0; first < n; first = last + 1) {
		last = first;
		while (last + 1 < n && alike(&p[first], &p[last + 1]))
			last++;
		printf("  pools     %u-%u: kind %u, %u slots", p[first].pool,
		       p[last].pool, p[first].kind, p[first].slots);
		printf(", %u buffers of %u records of %u bytes\n",
		       p[first].buffers, p[first].capacity,
		       p[first].record_size);
	}
}

static int show(struct dfx *dfx)
{
	struct dfx_pool_info *pools = NULL;
	struct dfx_policy policy;
	struct dfx_query q;
	int n, ret;

	ret = dfx_query_get(dfx, &q);
	if (ret)
		goto out;
	pools = calloc(q.out_nr_pools ? q.out_nr_pools : 1, sizeof(*pools));
	if (!pools) {
		ret = -ENOMEM;
		goto out;
	}
	n = dfx_pools_get(dfx, pools, q.out_nr_pools);
	ret = n < 0 ? n : dfx_policy_get(dfx, &policy);
	if (ret)
		goto out;

	print_query(dfx_name(dfx), &q);
	print_pools(pools, n);
	fputs("  policy    ", stdout);
	policy_print(&policy);
out:
	free(pools);
	return ret ? tool_fail(dfx_name(dfx), "query", ret, NULL) : 0;
}

static int run(const struct command *cmd, int argc, char **argv)
{
	static const struct option options[] = {
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	const char *dev;
	struct dfx *dfx;
	int c, ret;

	c = getopt_long(argc, argv, ":hV", options, NULL);
	if (c != -1)
		return tool_common(cmd, c, argv);
	ret = tool_operand(cmd, argc, argv, &dev);
	if (!ret)
		ret = tool_open(dev, &dfx);
	if (ret)
		return ret;
	ret = show(dfx);
	dfx_close(dfx);
	return ret;
}

const struct command cmd_info = {
	.name = "info",
	.brief = "show a device's geometry and policy",
	.help = "Usage: dfx info DEV\n\n"
		"Show what the device is, its lanes, pools and buffers, and the policy in\n"
		"force for its next session.\n",
	.run = run,
};
