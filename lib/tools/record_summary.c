// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * record_summary.c - what a recorder has got, and whether it is all
 */
#include <errno.h>
#include <stdio.h>

#include "record_summary.h"
#include "state_text.h"
#include "tool.h"

static const struct tool_hint hints[] = {
	{ ENODEV, "the device has gone; what was written is good" },
	{ EPIPE, "the output has no reader; take what is left with dfx record" },
	{ ECANCELED, "interrupted twice; take what is left with dfx record" },
	{ ENOSPC, "no room in time; take what is left with dfx record" },
	{ EDQUOT, "no quota in time; take what is left with dfx record" },
	{ EIO, "the disk fails; take what is left to another disk" },
	{ EAGAIN, "the output is not read; take what is left with dfx record" },
	{ ESTALE, "another session began too early; record again" },
	{ EPROTO, "it does not fit the driver; use the command that came with that" },
	{ 0, NULL }
};

/* Add the END frame to @t; records that our lanes still have to *@in_flight. */
static bool add_end(const struct recorder *r, struct totals *t,
		    __u64 *in_flight)
{
	struct dfx_pool_state pool;
	struct dfx_end_info end;
	unsigned int i;

	if (dfx_view_end(&r->end, &end))
		return false;
	for (i = 0; !dfx_view_pool(&r->end, i, &pool); i++) {
		totals_add_pool(t, &pool);
		/* What other consumers have in flight is theirs to report. */
		if (pool.lane < 64 && r->lanes >> pool.lane & 1)
			*in_flight += pool.in_flight;
	}
	totals_add_freeze(t, end.freeze);
	freeze_text(end.freeze);
	return true;
}

bool record_summary(const struct recorder *r, struct totals *sum)
{
	const char *name = dfx_name(r->dfx);
	struct totals t = { 0 };
	__u64 in_flight = 0;
	bool whole;

	printf("%s: %s, session %llu: %llu records, %.1f MB in %s\n", name,
	       (const char *)r->query.out_name, r->session, r->records,
	       (double)r->bytes / 1e6, r->path);
	if (r->error) {
		tool_fail(name, "record to the end", r->error, hints);
	} else if (r->left) {
		tool_note("%s: session %llu goes on; the rest is for its next consumer",
			  name, r->session);
	}
	if (r->error || r->left) {
		t.produced = r->records;
		t.delivered = r->records;
		totals_add(sum, &t);
		return false;
	}
	whole = add_end(r, &t, &in_flight);
	records_text(&t);
	totals_add(sum, &t);
	if (totals_lost(&t))
		tool_error("%s: %llu records lost; dfx report %s tells more",
			   name, totals_lost(&t), r->path);
	if (in_flight)
		tool_error("%s: %llu records did not arrive; try dfx reset %s",
			   name, in_flight, name);
	if (r->pool_mismatch)
		tool_error("%s: the driver counts otherwise in %u pools; see dfx verify %s",
			   name, r->pool_mismatch, r->path);
	return whole && !t.broken && !totals_lost(&t) && !in_flight &&
	       !r->pool_mismatch;
}
