// SPDX-License-Identifier: GPL-2.0-only
/*
 * subsys.c - table of the profiling subsystems
 */
#include <linux/kernel.h>
#include <uapi/linux/dfx_layout.h>

#include "subsys.h"

/* The AICPU's tasks first: pool i is core i's, whatever else a device writes. */
static const struct dfx_kind_desc dfx_swimlane_kinds[] = {
	{
		.kind = DFX_KIND_AICPU_TASK,
		.per = DFX_PER_CORE,
		.record_size = sizeof(struct dfx_rec_aicpu_task),
		.records = 1000,
		.buffers = 8,
		.slots = 4,
		.min_level = 2,
	},
	{
		.kind = DFX_KIND_AICORE_TASK,
		.per = DFX_PER_CORE,
		.record_size = sizeof(struct dfx_rec_aicore_task),
		.records = 1024,
		.buffers = 4,
		.slots = 4,
		.min_level = 1,
	},
	{
		.kind = DFX_KIND_SCHED_PHASE,
		.per = DFX_PER_LANE,
		.record_size = sizeof(struct dfx_rec_sched_phase),
		.records = 16384,
		.buffers = 6,
		.slots = 4,
		.min_level = 3,
	},
	{
		.kind = DFX_KIND_ORCH_PHASE,
		.per = DFX_PER_DEVICE,
		.record_size = sizeof(struct dfx_rec_orch_phase),
		.records = 16384,
		.buffers = 8,
		.slots = 4,
		.min_level = 4,
	},
};

static const struct dfx_kind_desc dfx_pmu_kinds[] = {
	{
		.kind = 0,
		.per = DFX_PER_CORE,
		.record_size = sizeof(struct dfx_rec_pmu),
		.records = 512,
		.buffers = 2,
		.slots = 4,
		.min_level = 1,
	},
};

/* Of args_dump and tensor_dump. */
static const struct dfx_kind_desc dfx_dump_kinds[] = {
	{
		.kind = 0,
		.per = DFX_PER_LANE,
		.record_size = sizeof(struct dfx_rec_dump),
		.records = 256,
		.buffers = 8,
		.slots = 4,
		.min_level = 1,
	},
};

static const struct dfx_kind_desc dfx_dep_gen_kinds[] = {
	{
		.kind = 0,
		.per = DFX_PER_DEVICE,
		.record_size = sizeof(struct dfx_rec_dep_gen),
		.records = 1024,
		.buffers = 4,
		.slots = 4,
		.min_level = 1,
	},
};

static const struct dfx_kind_desc dfx_scope_stats_kinds[] = {
	{
		.kind = 0,
		.per = DFX_PER_DEVICE,
		.record_size = sizeof(struct dfx_rec_scope_stats),
		.records = 512,
		.buffers = 4,
		.slots = 8,
		.min_level = 1,
	},
};

const struct dfx_subsys_desc dfx_subsys[] = {
	{
		.id = DFX_SUBSYS_L2_SWIMLANE,
		.name = "l2_swimlane",
		.kinds = dfx_swimlane_kinds,
		.nr_kinds = ARRAY_SIZE(dfx_swimlane_kinds),
		.default_level = 2,
		.max_level = 4,
	},
	{
		.id = DFX_SUBSYS_PMU,
		.name = "pmu",
		.kinds = dfx_pmu_kinds,
		.nr_kinds = ARRAY_SIZE(dfx_pmu_kinds),
		.default_level = 1,
		.max_level = 1,
	},
	{
		.id = DFX_SUBSYS_DEP_GEN,
		.name = "dep_gen",
		.kinds = dfx_dep_gen_kinds,
		.nr_kinds = ARRAY_SIZE(dfx_dep_gen_kinds),
		.default_level = 1,
		.max_level = 1,
	},
	{
		.id = DFX_SUBSYS_ARGS_DUMP,
		.name = "args_dump",
		.kinds = dfx_dump_kinds,
		.nr_kinds = ARRAY_SIZE(dfx_dump_kinds),
		.default_level = 2,
		.max_level = 3,
		.arena_kb = 1024,
	},
	{
		.id = DFX_SUBSYS_SCOPE_STATS,
		.name = "scope_stats",
		.kinds = dfx_scope_stats_kinds,
		.nr_kinds = ARRAY_SIZE(dfx_scope_stats_kinds),
		.default_level = 1,
		.max_level = 1,
	},
	{
		.id = DFX_SUBSYS_TENSOR_DUMP,
		.name = "tensor_dump",
		.kinds = dfx_dump_kinds,
		.nr_kinds = ARRAY_SIZE(dfx_dump_kinds),
		.default_level = 2,
		.max_level = 3,
		.arena_kb = 1024,
	},
};

const unsigned int dfx_nr_subsys = ARRAY_SIZE(dfx_subsys);
