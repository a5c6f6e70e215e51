// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * session.c - start, stop, flush, reset
 */
#include "internal.h"

int dfx_session_start(struct dfx *dfx, struct dfx_start *start)
{
	start->size = sizeof(*start);
	return dfx->tr->ioctl(dfx->fd, DFX_IOC_START, start);
}

int dfx_session_stop(struct dfx *dfx, struct dfx_stop *stop)
{
	struct dfx_stop own = { 0 };

	if (!stop)
		stop = &own;
	stop->size = sizeof(*stop);
	return dfx->tr->ioctl(dfx->fd, DFX_IOC_STOP, stop);
}

int dfx_session_flush(struct dfx *dfx, struct dfx_flush *flush)
{
	flush->size = sizeof(*flush);
	return dfx->tr->ioctl(dfx->fd, DFX_IOC_FLUSH, flush);
}

int dfx_region_reset(struct dfx *dfx, __u64 *revived)
{
	struct dfx_reset arg = { .size = sizeof(arg) };
	int ret = dfx->tr->ioctl(dfx->fd, DFX_IOC_RESET, &arg);

	if (!ret && revived)
		*revived = arg.out_revived;
	return ret;
}
