// SPDX-License-Identifier: GPL-2.0-only
/*
 * host.c - lanes meet here to look for a host
 *
 * The lowest lane that lives leads: it waits until all lanes have let go,
 * attaches, opens the regions and lets the lanes in by a new epoch. Each word
 * has one writer: a lane its own, the leader the epoch.
 */
#include "console.h"
#include "host.h"

/* What a dead lane says instead of an epoch: it never holds anything again. */
#define LEFT	0xffffffffu

void host_init(struct fw_host *host, void *base, __u64 size, __u32 lanes)
{
	host->base = base;
	host->size = size;
	host->lanes = lanes;
	/* Epoch 0 is "no host yet", and every lane has to be done with it. */
	for (lanes = 0; lanes < PLAT_MAX_LANES; lanes++)
		dfx_port_store32(&host->lane[lanes].done, LEFT - 1);
}

static int is_leader(struct fw_host *host, __u32 lane)
{
	__u32 i;

	for (i = 0; i < lane; i++)
		if (dfx_port_load32_acquire(&host->lane[i].done) != LEFT)
			return 0;
	return 1;
}

static int all_done(struct fw_host *host, __u32 epoch)
{
	__u32 i, done;

	for (i = 0; i < host->lanes; i++) {
		done = dfx_port_load32_acquire(&host->lane[i].done);
		if (done != epoch && done != LEFT)
			return 0;
	}
	return 1;
}

static void open_regions(struct fw_host *host)
{
	struct console_line l;
	__u32 i;
	int rc;

	host->present = 0;
	for (i = 0; i < FW_NR_REGIONS; i++) {
		rc = dfx_dev_region_open(&host->region[i], &host->dev,
					 fw_regions[i].subsys, host->pools[i],
					 DFX_MAX_POOLS);
		if (!rc) {
			host->present |= 1u << i;
		} else if (rc != DFX_DEV_NOSESSION) {
			console_begin(&l);
			console_str(&l, "bad region: ");
			console_str(&l, fw_regions[i].name);
			console_end(&l);
		}
	}
	console_begin(&l);
	console_str(&l, "attached to host generation ");
	console_u64(&l, host->dev.generation);
	if (host->dev.ring) {
		console_str(&l, ", rung as peer ");
		console_u64(&l, host->dev.peer);
	}
	console_end(&l);
}

void host_leave(struct fw_host *host, __u32 lane)
{
	dfx_port_store32_release(&host->lane[lane].done, LEFT);
}

int host_join(struct fw_host *host, __u32 lane)
{
	struct fw_meeting *me = &host->lane[lane];
	__u32 epoch = me->seen;
	int said = 0;
	int rc;

	dfx_port_store32_release(&me->done, epoch);
	/* A leader may die, or be found to have died: ask again each turn. */
	while (dfx_port_load32_acquire(&host->epoch) == epoch) {
		if (is_leader(host, lane) && all_done(host, epoch)) {
			rc = dfx_dev_attach(&host->dev, host->base, host->size);
			if (!rc) {
				if (plat_vectors)
					dfx_dev_set_doorbell(&host->dev,
							     plat_ring, NULL);
				open_regions(host);
				dfx_port_store32_release(&host->epoch,
							 epoch + 1);
				break;
			}
			if (rc != DFX_DEV_AGAIN && !said) {
				console_say(rc == DFX_DEV_VERSION ?
					    "the host speaks another layout" :
					    "the host's header is bad");
				said = 1;
			}
		}
		if (plat_stopping())
			return -1;
		plat_relax();
	}
	me->seen = epoch + 1;
	plat_busy();
	return 0;
}

struct dfx_dev_region *host_region(struct fw_host *host, __u32 r)
{
	if (!(host->present >> r & 1))
		return NULL;
	return &host->region[r];
}
