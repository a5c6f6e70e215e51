// SPDX-License-Identifier: GPL-2.0-only
/*
 * harness.c - a region between the real engine and the real host side
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness.h"

#define GENERATION	0x1001u
#define SHARED		DFX_SHM_PAGE		/* host's header */
#define REGION		WORLD_REGION		/* the one region */

static struct world *world_of(struct dfx_host *host)
{
	return (struct world *)((u8 *)host - offsetof(struct world, host));
}

static void on_fault(struct dfx_host *host, u32 lane, u32 fault, u64 val)
{
	struct world_seen *seen = &world_of(host)->seen;

	seen->faults++;
	seen->fault_lane = lane;
	seen->fault = fault;
	seen->fault_val = val;
}

static void on_freeze(struct dfx_host *host, u32 gate, bool active)
{
	struct world_seen *seen = &world_of(host)->seen;

	if (active)
		seen->opened[gate]++;
	else
		seen->closed[gate]++;
}

static void on_lost(struct dfx_host *host, u32 pool, u32 count)
{
	(void)pool;
	world_of(host)->seen.lost += count;
}

static bool on_release_ready(struct dfx_host *host)
{
	return world_of(host)->release_ready;
}

static const struct dfx_host_ops host_ops = {
	.fault = on_fault,
	.freeze = on_freeze,
	.lost = on_lost,
	.release_ready = on_release_ready,
};

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

static const struct dfx_subsys_desc *find_subsys(u32 id)
{
	unsigned int i;

	for (i = 0; i < dfx_nr_subsys; i++)
		if (dfx_subsys[i].id == id)
			return &dfx_subsys[i];
	abort();
}

/* The device boots: identity first, everything else is still zero. */
static void boot(struct world *w, const struct world_config *config)
{
	struct dfx_dev_info info = {
		.arch = DFX_ARCH_A2A3,
		.isa = DFX_ISA_UNKNOWN,
		.nr_lanes = config->lanes,
		.nr_cores = config->lanes * config->pools_per_lane,
		.counter_hz = 50000000,
		.shared_offset = SHARED,
		.shared_size = w->size - SHARED,
		.boot = 1,
		.subsystems = 1u << config->subsys,
		.swim_kinds = config->kinds,
	};

	dfx_dev_announce(w->aperture, &info);
}

/* What the driver does where the aperture is copied. */
static void shadow(struct world *w)
{
	const struct dfx_geometry *geom = &w->host.geom;
	struct dfx_shadow_memory mem = {
		.index = must(calloc(1, geom->rq_off - geom->dev_off)),
		.landing = must(calloc(1, geom->rq_off - geom->dev_off)),
		.data = must(aligned_alloc(DFX_SHM_PAGE, geom->data_size)),
		.nr_stores = dfx_shadow_nr_stores(geom),
	};

	mem.stores = must(calloc(mem.nr_stores, sizeof(*mem.stores)));
	memset(mem.data, 0xee, geom->data_size);
	w->bus.mem = w->aperture;
	w->bus.rng = 88172645463325252ull;
	w->bus.max_failing = 1;
	w->shadow.copy = &bus_ops;
	w->shadow.bus = &w->bus;
	w->shadow.origin = REGION;
	w->host.io.ops = &dfx_region_shadow_ops;
	w->host.io.base = &w->shadow;
	dfx_shadow_layout(&w->host.io, geom, &mem);
}

/* The driver's part at probe. */
static void format(struct world *w, bool copied)
{
	struct dfx_host *host = &w->host;
	struct dfx_shm_aperture *ap = (void *)(w->aperture + SHARED);

	host->io.ops = &dfx_region_direct_ops;
	host->io.base = w->aperture + REGION;
	host->io.size = host->geom.size;
	host->io.data_off = host->geom.buf_off;
	if (copied)
		shadow(w);
	host->ops = &host_ops;
	host->generation = GENERATION;
	host->bufs = must(calloc(dfx_geometry_nr_ids(&host->geom),
				 sizeof(*host->bufs)));
	host->pools = must(calloc(host->geom.nr_pools, sizeof(*host->pools)));
	host->lanes = must(calloc(host->geom.nr_lanes, sizeof(*host->lanes)));
	if (dfx_geometry_write(&host->geom, &host->io))
		abort();
	dfx_table_init(host);
	if (dfx_control_init(host))
		abort();
	host->io.ops->full_barrier(&host->io);

	ap->layout_major = DFX_LAYOUT_MAJOR;
	ap->layout_minor = DFX_LAYOUT_MINOR;
	ap->generation = GENERATION;
	ap->nr_regions = 1;
	ap->regions[0].subsys = host->geom.subsys;
	ap->regions[0].offset = REGION;
	ap->regions[0].size = host->geom.size;
	__atomic_store_n(&ap->magic, DFX_MAGIC_APERTURE, __ATOMIC_RELEASE);
}

/* The device finds its host; its threads may use the lanes from now on. */
static void attach(struct world *w, u32 lanes)
{
	u32 nr_pools = w->host.geom.nr_pools;
	u32 i;

	w->dpools = must(aligned_alloc(DFX_SHM_LINE,
				       nr_pools * sizeof(*w->dpools)));
	w->lanes = must(aligned_alloc(DFX_SHM_LINE,
				      lanes * sizeof(*w->lanes)));
	memset(w->dpools, 0, nr_pools * sizeof(*w->dpools));
	if (dfx_dev_attach(&w->dev, w->aperture, w->size) ||
	    dfx_dev_region_open(&w->region, &w->dev, w->host.geom.subsys,
				w->dpools, nr_pools))
		abort();
	for (i = 0; i < lanes; i++)
		if (dfx_dev_lane_open(&w->lanes[i], &w->region, i))
			abort();
}

struct world *world_new(const struct world_config *config)
{
	const struct dfx_subsys_desc *desc = find_subsys(config->subsys);
	u32 cores = config->lanes * config->pools_per_lane;
	u32 kinds = config->kinds ?: 1;
	u32 nr_pools = dfx_geometry_nr_pools(desc, config->lanes, cores, kinds);
	struct world *w = must(calloc(1, sizeof(*w)));
	struct dfx_pool_geom *pools = must(calloc(nr_pools, sizeof(*pools)));
	struct dfx_limits limits = config->limits;

	pthread_mutex_init(&w->lock, NULL);
	w->release_ready = true;
	w->kinds = kinds;
	limits.kinds = kinds;
	if (config->shadow)
		limits.copies = dfx_region_shadow_ops.copies;
	if (dfx_geometry_init(&w->host.geom, pools, desc, config->lanes, cores,
			      &limits))
		abort();
	w->size = REGION + w->host.geom.size;
	w->aperture = must(aligned_alloc(DFX_SHM_PAGE, w->size));
	memset(w->aperture, 0, w->size);
	boot(w, config);
	format(w, config->shadow);
	attach(w, config->lanes);
	return w;
}

void world_free(struct world *w)
{
	pthread_mutex_destroy(&w->lock);
	free(w->host.geom.pools);
	free(w->host.bufs);
	free(w->host.pools);
	free(w->host.lanes);
	free(w->dpools);
	free(w->lanes);
	free(w->aperture);
	free(w->shadow.mem.index);
	free(w->shadow.mem.landing);
	free(w->shadow.mem.data);
	free(w->shadow.mem.stores);
	free(w);
}

int world_start(struct world *w, u64 session, u64 deadline, u32 recovery)
{
	struct dfx_host_session s = {
		.session = session,
		.lane_mask = ~0ull >> (64 - w->host.geom.nr_lanes),
		.deadline = deadline,
		.level = 2,
		.kinds = w->kinds,
		.recovery = recovery,
	};

	return dfx_control_start(&w->host, &s);
}

u64 world_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

struct dfx_pass_result world_pass(struct world *w)
{
	return dfx_pass(&w->host, 64, world_now());
}

bool world_identity(const struct dfx_pool_state *s)
{
	u64 sum = s->delivered + s->in_flight;
	u32 i;

	for (i = 0; i < DFX_NR_DROP; i++)
		sum += s->dropped[i];
	return sum == s->produced;
}

void *world_at(struct world *w, u64 off)
{
	return w->aperture + REGION + off;
}

struct dfx_shm_lane *world_lane(struct world *w, u32 lane)
{
	return world_at(w, dfx_off_lane(&w->host, lane));
}

struct dfx_shm_pool *world_pool(struct world *w, u32 pool)
{
	return world_at(w, dfx_off_pool(&w->host, pool));
}

struct dfx_shm_fq *world_fq(struct world *w, u32 pool)
{
	return world_at(w, dfx_off_fq(&w->host, pool));
}

struct dfx_shm_rq_head *world_rq_head(struct world *w, u32 lane)
{
	return world_at(w, dfx_off_rq_head(&w->host, lane));
}

struct dfx_shm_freeze *world_freeze(struct world *w)
{
	return world_at(w, w->host.geom.freeze_off);
}

struct dfx_shm_contended *world_contended(struct world *w)
{
	return world_at(w, w->host.geom.dev_off);
}

struct dfx_shm_ctl *world_ctl(struct world *w)
{
	return world_at(w, w->host.geom.host_off);
}

u8 *world_buffer(struct world *w, u32 id)
{
	return w->host.io.ops->data(&w->host.io, dfx_data_buffer(&w->host, id));
}
