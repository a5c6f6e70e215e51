/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload.h - a decode-like stream of tasks
 *
 * Task T of a run belongs to core T modulo the number of cores: with 72 cores
 * and 1,088 tasks each core gets 15 or 16, as a decode step of the model does.
 * For each task one record goes to the core's pool in every region of the run,
 * or to the lane's, with a payload, where the region has arenas.
 */
#ifndef DFX_FW_WORKLOAD_H
#define DFX_FW_WORKLOAD_H

#include "lane.h"

/**
 * fw_run() - do the lane's share of one run
 * @lane: a lane with a session.
 *
 * Ends early when no region records any more.
 *
 * Return: DFX_DEV_OK; DFX_DEV_DETACHED.
 */
int fw_run(struct fw_lane *lane);

/**
 * fw_run_free() - do the same without a session
 * @lane: a lane without one.
 *
 * Shows that nothing is recorded and nothing waits.
 */
void fw_run_free(struct fw_lane *lane);

#endif /* DFX_FW_WORKLOAD_H */
