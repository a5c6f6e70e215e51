// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * progress.c - a line that says how far it is
 */
#include <stdio.h>
#include <unistd.h>

#include "progress.h"

bool progress_wanted(void)
{
	return isatty(STDERR_FILENO);
}

void progress_show(const struct recorder *r, unsigned int nr,
		   struct snapshot *scratch)
{
	__u64 records = 0, bytes = 0, freezes = 0, lost = 0;
	bool frozen = false;
	unsigned int i, k;

	for (i = 0; i < nr; i++) {
		const struct dfx_freeze_stat *f = scratch->state.out_freeze;

		records += recorder_get(&r[i].records);
		bytes += recorder_get(&r[i].bytes);
		if (snapshot_take(r[i].monitor, scratch))
			continue;
		for (k = 0; k < DFX_NR_GATE; k++) {
			freezes += f[k].opens;
			frozen |= f[k].active;
		}
		for (k = 0; k < scratch->state.nr_pools; k++)
			lost += dropped_sum(scratch->pools[k].dropped);
	}
	fprintf(stderr, "\r%llu records, %.1f MB, %llu freezes, %llu lost%s\033[K",
		records, (double)bytes / 1e6, freezes, lost,
		frozen ? ", frozen" : "");
	fflush(stderr);
}

void progress_clear(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
