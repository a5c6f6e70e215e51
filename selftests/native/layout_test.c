// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout_test.c - where everything in a region lies, for many shapes of device
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>

#include "driver/geometry.h"
#include "tap.h"
#include <uapi/linux/dfx_layout.h>

/* Who writes an area. */
enum writer { HOST, DEVICE };

struct area {
	u64 off;
	u64 len;
	u64 align;
	enum writer writer;
	const char *name;
};

#define MAX_AREAS	(16 + DFX_MAX_POOLS)

static struct area areas[MAX_AREAS];
static u32 nr_areas;
static struct dfx_pool_geom pools[DFX_MAX_POOLS];
static struct dfx_geometry geom;

static void add(const char *name, enum writer writer, u64 off, u64 len,
		u64 align)
{
	areas[nr_areas++] = (struct area){
		.name = name, .writer = writer, .off = off, .len = len,
		.align = align,
	};
}

static void list_areas(void)
{
	u32 i;

	nr_areas = 0;
	add("header", HOST, 0, sizeof(struct dfx_shm_region), DFX_SHM_PAGE);
	add("descs", HOST, geom.desc_off,
	    geom.nr_pools * sizeof(struct dfx_shm_pool_desc), DFX_SHM_LINE);
	add("ctl", HOST, geom.host_off, sizeof(struct dfx_shm_ctl),
	    DFX_SHM_PAGE);
	add("freeze", HOST, geom.freeze_off, sizeof(struct dfx_shm_freeze),
	    DFX_SHM_LINE);
	add("rq heads", HOST, geom.rq_head_off,
	    geom.nr_lanes * sizeof(struct dfx_shm_rq_head), DFX_SHM_LINE);
	add("fqs", HOST, geom.fq_off,
	    geom.nr_pools * sizeof(struct dfx_shm_fq), DFX_SHM_LINE);
	add("contended", DEVICE, geom.dev_off,
	    sizeof(struct dfx_shm_contended), DFX_SHM_PAGE);
	add("lanes", DEVICE, geom.lane_off,
	    geom.nr_lanes * sizeof(struct dfx_shm_lane), DFX_SHM_LINE);
	add("pools", DEVICE, geom.pool_off,
	    geom.nr_pools * sizeof(struct dfx_shm_pool), DFX_SHM_LINE);
	add("rqs", DEVICE, geom.rq_off, (u64)geom.nr_lanes * geom.rq_depth *
	    sizeof(struct dfx_shm_entry), DFX_SHM_LINE);
	for (i = 0; i < geom.nr_pools; i++)
		add("buffers", DEVICE, pools[i].buf_off,
		    (u64)pools[i].nr_buffers * pools[i].stride, DFX_SHM_PAGE);
}

static int by_offset(const void *a, const void *b)
{
	const struct area *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

/* Sorted, neighbours are the only ones that can collide. */
static void check_areas(void)
{
	u32 i;

	list_areas();
	for (i = 0; i < nr_areas; i++) {
		CHECK_EQ(areas[i].off % areas[i].align, 0);
		CHECK(areas[i].off + areas[i].len <= geom.size);
	}
	qsort(areas, nr_areas, sizeof(areas[0]), by_offset);
	for (i = 1; i < nr_areas; i++) {
		const struct area *a = &areas[i - 1], *b = &areas[i];

		if (!CHECK(a->off + a->len <= b->off))
			tap_note("%s overlaps %s", a->name, b->name);
		if (a->writer == b->writer)
			continue;
		if (!CHECK((a->off + a->len - 1) / DFX_SHM_PAGE <
			   b->off / DFX_SHM_PAGE))
			tap_note("%s shares a page with %s", a->name, b->name);
	}
	CHECK_EQ(geom.size % DFX_SHM_PAGE, 0);
	CHECK_EQ(geom.buf_off % DFX_SHM_PAGE, 0);
}

/* Every lane has a pool, unless there is one for the device alone. */
static u64 want_lanes(const struct dfx_subsys_desc *desc, u32 nr_lanes)
{
	u32 i;

	for (i = 0; i < desc->nr_kinds; i++)
		if (desc->kinds[i].per != DFX_PER_DEVICE)
			return ~0ull >> (64 - nr_lanes);
	return 1;
}

static void check_pools(const struct dfx_subsys_desc *desc, u32 nr_lanes)
{
	u64 used = 0;
	u32 i, next = 0;

	for (i = 0; i < geom.nr_pools; i++) {
		const struct dfx_pool_geom *p = &pools[i];

		CHECK_EQ(p->first_buffer, next);
		next += p->nr_buffers;
		if (CHECK(p->lane < nr_lanes))
			used |= BIT_ULL(p->lane);
		CHECK((u64)p->capacity * p->record_size <= p->stride);
		CHECK_EQ(p->stride % DFX_SHM_PAGE, 0);
	}
	CHECK_EQ(next, geom.nr_buffers);
	CHECK_EQ(used, want_lanes(desc, nr_lanes));
}

/* The data area: buffers and arenas back to back, ids behind the device's. */
static void check_data(u32 copies)
{
	u64 off = 0;
	u32 i, next = geom.nr_buffers;

	for (i = 0; i < geom.nr_pools; i++) {
		const struct dfx_pool_geom *p = &pools[i];

		CHECK_EQ(p->nr_copies, p->nr_buffers * copies);
		CHECK_EQ(p->data_off, off);
		off += (u64)p->nr_buffers * (copies ?: 1) * p->stride;
		if (copies)
			CHECK_EQ(p->first_copy, next);
		else
			CHECK_EQ(p->data_off, p->buf_off - geom.buf_off);
		next += p->nr_copies;
	}
	CHECK_EQ(dfx_geometry_nr_ids(&geom), next);
	CHECK_EQ(geom.data_arena_off, off);
	if (!copies)
		CHECK_EQ(geom.data_size, geom.size - geom.buf_off);
}

static const struct {
	u32 lanes;
	u32 cores;
	struct dfx_limits limits;
} shapes[] = {
	{ 4, 72, { } },
	{ 5, 108, { .copies = 2 } },
	{ 1, 1, { 1, 1, 1, 1, 0, 0, 0 } },
	{ 1, 1, { 1, 1, 8, 4096, 0, 0, 0 } },
	{ 2, 3, { 7, 127, 2, 2, 0, 2, 0 } },
	{ 64, 64, { 1, 3, 4, 16, 0, 0, 0 } },
	{ 63, 512, { 32, 129, 8, 4096, 0, 0, 1 } },
	{ 64, 1024, { 16, 512, 8, 1024, 0, 2, 0 } },
	{ 8, 479, { 2, 16, 8, 4096, 0, 0, 0 } },
};

static void test_shape(u32 shape, const struct dfx_subsys_desc *desc)
{
	u32 lanes = shapes[shape].lanes, cores = shapes[shape].cores;
	u32 nr = dfx_geometry_nr_pools(desc, lanes, cores,
				       shapes[shape].limits.kinds);
	struct dfx_limits limits = shapes[shape].limits;
	int err;

	/* No more than the subsystem has by default. */
	limits.records = min(limits.records, desc->kinds[0].records);
	err = dfx_geometry_init(&geom, pools, desc, lanes, cores, &limits);
	if (nr > DFX_MAX_POOLS) {
		CHECK_EQ(-err, ENOSPC);
		return;
	}
	CHECK_EQ(-err, 0);
	CHECK_EQ(geom.nr_pools, nr);
	check_areas();
	check_pools(desc, lanes);
	check_data(limits.copies);
}

static void test_shapes(void)
{
	u32 i, s;

	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		for (s = 0; s < dfx_nr_subsys; s++)
			test_shape(i, &dfx_subsys[s]);
		tap_end("shape %u: %u lanes, %u cores, every subsystem", i,
			shapes[i].lanes, shapes[i].cores);
	}
}

static void expect(int want, u32 cores, struct dfx_limits limits,
		   const char *name)
{
	int err = dfx_geometry_init(&geom, pools, &dfx_subsys[0], 4, cores,
				    &limits);

	CHECK_EQ(-err, -want);
	tap_end("limit: %s", name);
}

static void test_limits(void)
{
	u32 most = 16384;

	expect(0, 72, (struct dfx_limits){ .records = most },
	       "as many records as the subsystem has");
	expect(-EINVAL, 72, (struct dfx_limits){ .records = most + 1 },
	       "one record more");
	expect(-EINVAL, 72, (struct dfx_limits){ .records = 1001, .kinds = 1 },
	       "one record more than the kinds have that the device writes");
	expect(-EINVAL, 72, (struct dfx_limits){ .slots = 3 },
	       "slots not a power of two");
	expect(-EINVAL, 72, (struct dfx_limits){ .slots = 16 },
	       "more slots than a queue has");
	expect(-EINVAL, 72, (struct dfx_limits){ .rq_depth = 3 },
	       "depth not a power of two");
	expect(-EINVAL, 72, (struct dfx_limits){ .rq_depth = 8192 },
	       "depth beyond the layout");
	expect(-EINVAL, 1, (struct dfx_limits){ .buffers = ~0u },
	       "absurd number of buffers");
	expect(-ENOSPC, 72, (struct dfx_limits){ .buffers = 228, .kinds = 1 },
	       "a buffer too many in the region");
	expect(0, 72, (struct dfx_limits){ .buffers = 227, .kinds = 1 },
	       "as many buffers as fit");
	expect(-ENOSPC, DFX_MAX_POOLS + 1, (struct dfx_limits){ .buffers = 1 },
	       "a pool too many");
}

static u32 count_pools(u32 kinds)
{
	const struct dfx_limits limits = { .kinds = kinds };
	u32 nr = dfx_geometry_nr_pools(&dfx_subsys[0], 4, 72, kinds);

	CHECK_EQ(dfx_geometry_init(&geom, pools, &dfx_subsys[0], 4, 72,
				   &limits), 0);
	CHECK_EQ(geom.nr_pools, nr);
	return nr;
}

static void check_kind(u32 first, u32 nr, struct dfx_pool_geom want)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		const struct dfx_pool_geom *p = &pools[first + i];

		CHECK_EQ(p->kind, want.kind);
		CHECK_EQ(p->instance, i);
		CHECK_EQ(p->record_size, want.record_size);
		CHECK_EQ(p->capacity, want.capacity);
		CHECK_EQ(p->nr_buffers, want.nr_buffers);
		CHECK_EQ(p->slots, 4);
		CHECK_EQ(p->min_level, want.min_level);
	}
}

/* The figures are those of the design, whatever the table says. */
static void test_kinds(void)
{
	u32 i;

	CHECK_EQ(count_pools(0), 72 + 72 + 4 + 1);
	check_kind(0, 72, (struct dfx_pool_geom){
		.kind = DFX_KIND_AICPU_TASK, .record_size = 32,
		.capacity = 1000, .nr_buffers = 8, .min_level = 2 });
	check_kind(72, 72, (struct dfx_pool_geom){
		.kind = DFX_KIND_AICORE_TASK, .record_size = 32,
		.capacity = 1024, .nr_buffers = 4, .min_level = 1 });
	check_kind(144, 4, (struct dfx_pool_geom){
		.kind = DFX_KIND_SCHED_PHASE, .record_size = 64,
		.capacity = 16384, .nr_buffers = 6, .min_level = 3 });
	check_kind(148, 1, (struct dfx_pool_geom){
		.kind = DFX_KIND_ORCH_PHASE, .record_size = 32,
		.capacity = 16384, .nr_buffers = 8, .min_level = 4 });
	for (i = 0; i < 72; i++)
		CHECK_EQ(pools[72 + i].lane, pools[i].lane);
	for (i = 0; i < 4; i++)
		CHECK_EQ(pools[144 + i].lane, i);
	CHECK_EQ(pools[148].lane, 0);
	tap_end("swimlane: four kinds, a core's two pools are of one lane");

	CHECK_EQ(count_pools(1u << DFX_KIND_AICPU_TASK), 72);
	CHECK_EQ(pools[71].kind, DFX_KIND_AICPU_TASK);
	CHECK_EQ(count_pools(1u << DFX_KIND_AICPU_TASK |
			     1u << DFX_KIND_ORCH_PHASE), 73);
	CHECK_EQ(pools[0].kind, DFX_KIND_AICPU_TASK);
	CHECK_EQ(pools[72].kind, DFX_KIND_ORCH_PHASE);
	CHECK_EQ(count_pools(1u << DFX_KIND_SCHED_PHASE | 1u << 31), 4);
	tap_end("swimlane: no pools for kinds that the device cannot write");
}

/* One figure for kinds of several sizes. */
static void test_kind_records(void)
{
	const struct dfx_limits limits = { .records = 1010 };

	CHECK_EQ(dfx_geometry_init(&geom, pools, &dfx_subsys[0], 1, 1,
				   &limits), 0);
	CHECK_EQ(pools[0].capacity, 1000);
	CHECK_EQ(pools[1].capacity, 1010);
	CHECK_EQ(pools[2].capacity, 1010);
	CHECK_EQ(pools[3].capacity, 1010);
	tap_end("records of a policy: a smaller kind keeps to its own");
}

/* What is in memory is what was computed. */
static void test_header(void)
{
	struct dfx_io io = { .ops = &dfx_region_direct_ops };
	struct dfx_limits limits = { .buffers = 2, .records = 8, .kinds = 1 };
	const struct dfx_shm_pool_desc *d;
	const struct dfx_shm_region *r;
	u32 i;

	CHECK_EQ(dfx_geometry_init(&geom, pools, &dfx_subsys[0], 2, 4,
				   &limits), 0);
	io.size = geom.size;
	io.base = aligned_alloc(DFX_SHM_PAGE, geom.size);
	memset(io.base, 0xa5, geom.size);
	CHECK_EQ(dfx_geometry_write(&geom, &io), 0);
	r = io.base;
	CHECK_EQ(r->magic, DFX_MAGIC_REGION);
	CHECK_EQ(r->subsys, geom.subsys);
	CHECK_EQ(r->nr_lanes, 2);
	CHECK_EQ(r->nr_pools, 4);
	CHECK_EQ(r->nr_buffers, 8);
	CHECK_EQ(r->rq_depth, geom.rq_depth);
	CHECK_EQ(r->host_off, geom.host_off);
	CHECK_EQ(r->rq_head_off, geom.rq_head_off);
	CHECK_EQ(r->fq_off, geom.fq_off);
	CHECK_EQ(r->dev_off, geom.dev_off);
	CHECK_EQ(r->lane_off, geom.lane_off);
	CHECK_EQ(r->pool_off, geom.pool_off);
	CHECK_EQ(r->rq_off, geom.rq_off);
	CHECK_EQ(r->buf_off, geom.buf_off);
	CHECK_EQ(r->size, geom.size);
	CHECK_EQ(r->session, 0);
	CHECK_EQ(r->lane_mask, 0);
	for (i = 0; i < ARRAY_SIZE(r->reserved); i++)
		CHECK_EQ(r->reserved[i], 0);
	d = (const void *)((u8 *)io.base + geom.desc_off);
	for (i = 0; i < geom.nr_pools; i++) {
		CHECK_EQ(d[i].kind, pools[i].kind);
		CHECK_EQ(d[i].instance, i);
		CHECK_EQ(d[i].lane, i / 2);
		CHECK_EQ(d[i].slots, pools[i].slots);
		CHECK_EQ(d[i].nr_buffers, 2);
		CHECK_EQ(d[i].first_buffer, 2 * i);
		CHECK_EQ(d[i].record_size, 32);
		CHECK_EQ(d[i].capacity, 8);
		CHECK_EQ(d[i].stride, pools[i].stride);
		CHECK_EQ(d[i].buf_off, pools[i].buf_off);
		CHECK_EQ(d[i].reserved, 0);
	}
	free(io.base);
	tap_end("header and pool table as computed, reserved fields 0");
}

int main(void)
{
	tap_plan(ARRAY_SIZE(shapes) + 15, 20);
	test_shapes();
	test_limits();
	test_kinds();
	test_kind_records();
	test_header();
	return tap_done();
}
