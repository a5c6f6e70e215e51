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
#include "plat.h"

/* What a dead lane says instead of an epoch: it never holds anything again. */
#define LEFT	0xffffffffu

/**
 * struct meeting - one lane's part
 * @done: last epoch that it has let go of; LEFT once it is dead.
 * @seen: epoch that it works in; private.
 */
struct meeting {
	__le32 done;
	__u32 seen;
} __attribute__((aligned(DFX_SHM_LINE)));

/**
 * struct host - the host and the lanes' meeting
 * @base: first byte of the aperture.
 * @size: its bytes.
 * @lanes: lanes that take part.
 * @dev: the attached aperture.
 * @region: its regions; the leader opens them, all use them.
 * @present: bit mask of those that there are.
 * @lane: what each lane says; see &struct meeting.
 * @epoch: number of hosts found since boot; the leader's.
 */
struct host {
	void *base;
	__u64 size;
	__u32 lanes;
	struct dfx_dev dev;
	struct dfx_dev_region region[FW_NR_REGIONS];
	__u32 present;
	struct meeting lane[PLAT_MAX_LANES];
	__le32 epoch;
};

static struct host host;

/* Each element is its lane's; the array is the region's. */
static struct dfx_dev_pool pools[FW_NR_REGIONS][DFX_MAX_POOLS];

void host_init(void *base, __u64 size, __u32 lanes)
{
	host.base = base;
	host.size = size;
	host.lanes = lanes;
	/* Epoch 0 is "no host yet", and every lane has to be done with it. */
	for (lanes = 0; lanes < PLAT_MAX_LANES; lanes++)
		dfx_port_store32(&host.lane[lanes].done, LEFT - 1);
}

static int is_leader(__u32 lane)
{
	__u32 i;

	for (i = 0; i < lane; i++)
		if (dfx_port_load32_acquire(&host.lane[i].done) != LEFT)
			return 0;
	return 1;
}

static int all_done(__u32 epoch)
{
	__u32 i, done;

	for (i = 0; i < host.lanes; i++) {
		done = dfx_port_load32_acquire(&host.lane[i].done);
		if (done != epoch && done != LEFT)
			return 0;
	}
	return 1;
}

static void open_regions(void)
{
	struct console_line l;
	__u32 i;
	int rc;

	host.present = 0;
	for (i = 0; i < FW_NR_REGIONS; i++) {
		rc = dfx_dev_region_open(&host.region[i], &host.dev,
					 fw_regions[i].subsys, pools[i],
					 DFX_MAX_POOLS);
		if (!rc) {
			host.present |= 1u << i;
		} else if (rc != DFX_DEV_NOSESSION) {
			console_begin(&l);
			console_str(&l, "bad region: ");
			console_str(&l, fw_regions[i].name);
			console_end(&l);
		}
	}
	console_begin(&l);
	console_str(&l, "attached to host generation ");
	console_u64(&l, host.dev.generation);
	console_end(&l);
}

void host_leave(__u32 lane)
{
	dfx_port_store32_release(&host.lane[lane].done, LEFT);
}

void host_join(__u32 lane)
{
	struct meeting *me = &host.lane[lane];
	__u32 epoch = me->seen;
	int said = 0;
	int rc;

	dfx_port_store32_release(&me->done, epoch);
	/* A leader may die, or be found to have died: ask again each turn. */
	while (dfx_port_load32_acquire(&host.epoch) == epoch) {
		if (is_leader(lane) && all_done(epoch)) {
			rc = dfx_dev_attach(&host.dev, host.base, host.size);
			if (!rc) {
				open_regions();
				dfx_port_store32_release(&host.epoch,
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
		plat_relax();
	}
	me->seen = epoch + 1;
	plat_busy();
}

struct dfx_dev_region *host_region(__u32 r)
{
	if (!(host.present >> r & 1))
		return NULL;
	return &host.region[r];
}
