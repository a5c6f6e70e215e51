// SPDX-License-Identifier: GPL-2.0-only
/*
 * fw.c - the device, under the test's control
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "deadline.h"
#include "fw.h"

#define FW_BAR		"resource2"

/* What fw_records() waits for the host, in ticks. */
#define FW_PATIENCE	(5 * FW_HZ)

/* ---- the machine -------------------------------------------------------- */

static int fw_map(struct fw *fw)
{
	char path[128];
	struct stat st;
	int fd, err = 0;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/" FW_BAR,
		 fw->bdf);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st)) {
		err = -errno;
	} else {
		fw->bar_size = st.st_size;
		fw->bar = mmap(NULL, fw->bar_size, PROT_READ | PROT_WRITE,
			       MAP_SHARED, fd, 0);
		if (fw->bar == MAP_FAILED)
			err = -errno;
	}
	close(fd);
	return err;
}

int fw_open(struct fw *fw)
{
	int err;

	memset(fw, 0, sizeof(*fw));
	err = sysfs_find_device(fw->bdf);
	if (!err && !sysfs_module_loaded())
		err = sysfs_load_module();
	/* A test before this one may have died. */
	if (!err && sysfs_bound(fw->bdf))
		err = sysfs_unbind(fw->bdf);
	return err ?: fw_map(fw);
}

struct dfx_shm_ident *fw_ident(struct fw *fw)
{
	return (struct dfx_shm_ident *)fw->bar;
}

__u32 fw_arch(void)
{
	const char *arch = getenv("DFX_ARCH");

	return arch && !strcmp(arch, "a5") ? DFX_ARCH_A5 : DFX_ARCH_A2A3;
}

__u32 fw_copies(void)
{
	return fw_arch() == DFX_ARCH_A5 ? 2 : 1;
}

void fw_announce(struct fw *fw, const struct fw_config *config)
{
	const struct dfx_dev_info info = {
		.arch = fw_arch(),
		.isa = DFX_ISA_X86_64,
		.nr_lanes = config->lanes,
		.nr_cores = config->cores,
		.counter_hz = FW_HZ,
		.watchdog_us = config->watchdog_us,
		.shared_offset = DFX_SHM_PAGE,
		.shared_size = fw->bar_size - DFX_SHM_PAGE,
		.boot = (__u32)dfx_port_cycles() | 1,
		.subsystems = config->subsystems,
		.doorbell = config->doorbell,
		.swim_kinds = config->swim_kinds,
	};

	fw->config = *config;
	dfx_dev_announce(fw->bar, &info);
}

int fw_lane_attach(struct fw_lane *l)
{
	struct fw *fw = l->fw;
	int rc;

	rc = dfx_dev_attach(&l->dev, fw->bar, fw->bar_size);
	if (!rc && fw->ring)
		dfx_dev_set_doorbell(&l->dev, fw->ring, fw->ring_ctx);
	if (!rc)
		rc = dfx_dev_region_open(&l->region, &l->dev, l->subsys,
					 l->pools, FW_MAX_POOLS);
	if (!rc)
		rc = dfx_dev_lane_open(&l->lane, &l->region, l->number);
	if (!rc)
		__atomic_add_fetch(&l->attaches, 1, __ATOMIC_RELEASE);
	return rc;
}

int fw_attach(struct fw *fw)
{
	__u32 i;
	int rc = DFX_DEV_OK;

	for (i = 0; !rc && i < fw->config.lanes; i++) {
		fw->lane[i].fw = fw;
		fw->lane[i].number = i;
		fw->lane[i].subsys = fw->config.subsys;
		rc = fw_lane_attach(&fw->lane[i]);
	}
	return rc;
}

int fw_up(struct fw *fw, const struct fw_config *config)
{
	int err;

	err = fw_open(fw);
	if (err)
		return err;
	fw_announce(fw, config);
	err = sysfs_bind(fw->bdf);
	if (err)
		return err;
	return fw_attach(fw) ? -EPROTO : 0;
}

void fw_down(struct fw *fw)
{
	/* First: a lane that is parked leaves when its host has gone. */
	if (fw->bdf[0] && sysfs_bound(fw->bdf))
		sysfs_unbind(fw->bdf);
	fw_stop(fw);
	if (fw->bar)
		munmap(fw->bar, fw->bar_size);
	fw->bar = NULL;
}

int fw_node(const char *subsys, int flags)
{
	char path[64];
	int err;

	err = sysfs_node(subsys, path, sizeof(path));
	if (err) {
		errno = -err;
		return -1;
	}
	return open(path, flags | O_CLOEXEC);
}

/* ---- contents ----------------------------------------------------------- */

static __u32 fw_word(__u64 session, __u32 pool, __u64 index, __u32 word)
{
	__u64 x = session ^ ((__u64)pool << 48) ^ (index << 8) ^ word;

	/* The finalizer of a well-known hash: every bit depends on every bit. */
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return (__u32)(x ^ (x >> 31));
}

void fw_fill(void *rec, __u32 size, __u64 session, __u32 pool, __u64 index)
{
	__u32 *words = rec;
	__u32 i;

	for (i = 0; i < size / sizeof(*words); i++)
		words[i] = fw_word(session, pool, index, i);
}

bool fw_is_filled(const void *rec, __u32 size, __u64 session, __u32 pool,
		  __u64 index)
{
	__u32 i, word;

	for (i = 0; i < size / sizeof(word); i++) {
		memcpy(&word, (const char *)rec + i * sizeof(word),
		       sizeof(word));
		if (word != fw_word(session, pool, index, i))
			return false;
	}
	return true;
}

static void fw_dump(struct dfx_rec_dump *rec, __u64 session, __u32 pool,
		    __u64 index, __u64 at, __u64 size, __u64 full_size)
{
	fw_fill(rec, sizeof(*rec), session, pool, index);
	rec->payload_offset = at;
	rec->payload_size = size;
	rec->full_size = full_size;
	rec->truncated = size < full_size;
}

bool fw_is_dump(const struct dfx_rec_dump *rec, __u64 session, __u32 pool,
		__u64 index)
{
	struct dfx_rec_dump want;

	fw_dump(&want, session, pool, index, rec->payload_offset,
		rec->payload_size, rec->full_size);
	return rec->payload_size <= rec->full_size &&
	       !memcmp(rec, &want, sizeof(want));
}

/* Its words, like a record's, but by their place; the last one may be cut. */
static __u32 fw_payload_word(__u64 session, __u32 pool, __u64 at)
{
	return fw_word(~session, pool, at, 0);
}

static void fw_fill_payload(void *data, __u64 size, __u64 session, __u32 pool,
			    __u64 at)
{
	__u64 i, n;
	__u32 word;

	for (i = 0; i < size; i += n) {
		n = size - i < sizeof(word) ? size - i : sizeof(word);
		word = fw_payload_word(session, pool, at + i);
		memcpy((char *)data + i, &word, n);
	}
}

bool fw_is_payload(const void *data, __u64 size, __u64 session, __u32 pool,
		   __u64 at)
{
	__u64 i, n;
	__u32 word;

	for (i = 0; i < size; i += n) {
		n = size - i < sizeof(word) ? size - i : sizeof(word);
		word = fw_payload_word(session, pool, at + i);
		if (memcmp((const char *)data + i, &word, n))
			return false;
	}
	return true;
}

/* ---- by hand -------------------------------------------------------------- */

/* Another session counts its records from 0; until then, it is the last one's. */
static void fw_lane_follow(struct fw_lane *l)
{
	if (!l->lane.session || l->session == l->lane.session)
		return;
	l->session = l->lane.session;
	memset(l->asked, 0, sizeof(l->asked));
	l->bytes = 0;
}

void fw_poll(struct fw *fw)
{
	__u32 i;

	for (i = 0; i < fw->config.lanes; i++) {
		dfx_dev_poll(&fw->lane[i].lane);
		fw_lane_follow(&fw->lane[i]);
	}
}

/* There was no room for it; a blocking call that failed has dropped it. */
static int fw_no_room(struct fw_lane *l, __u32 pool, __u64 budget)
{
	if (budget == DFX_DEV_BLOCK &&
	    (l->lane.rc == DFX_DEV_TIMEDOUT || l->lane.rc == DFX_DEV_GONE ||
	     l->lane.rc == DFX_DEV_FAULT))
		l->asked[pool]++;
	return l->lane.rc;
}

int fw_payload(struct fw_lane *l, __u32 pool, __u64 size, __u64 budget)
{
	struct dfx_dev_pool *p = &l->pools[pool];
	struct dfx_dev_payload payload;
	void *rec;

	rec = dfx_dev_reserve_payload(&l->lane, p, size, budget, &payload);
	fw_lane_follow(l);
	if (!rec)
		return fw_no_room(l, pool, budget);
	fw_dump(rec, l->session, pool, l->asked[pool]++, payload.offset,
		payload.size, payload.full_size);
	fw_fill_payload(payload.data, payload.size, l->session, pool,
			payload.offset);
	l->bytes += payload.size;
	dfx_dev_commit_payload(&l->lane, p, &payload);
	return DFX_DEV_OK;
}

int fw_record(struct fw_lane *l, __u32 pool, __u64 budget)
{
	struct dfx_dev_pool *p = &l->pools[pool];
	void *rec;

	if (l->subsys == DFX_SUBSYS_TENSOR_DUMP)
		return fw_payload(l, pool,
				  fw_word(l->session, pool, l->asked[pool], ~0u) %
				  (l->fw->config.payload + 1), budget);
	rec = dfx_dev_reserve(&l->lane, p, budget);
	fw_lane_follow(l);
	if (!rec)
		return fw_no_room(l, pool, budget);
	fw_fill(rec, p->record_size, l->session, pool, l->asked[pool]++);
	dfx_dev_commit(&l->lane, p);
	return DFX_DEV_OK;
}

__u32 fw_records(struct fw_lane *l, __u32 pool, __u32 n)
{
	__u32 i;

	for (i = 0; i < n; i++)
		if (fw_record(l, pool, FW_PATIENCE))
			break;
	return i;
}

/* ---- threads ---------------------------------------------------------------- */

static bool fw_lane_stopped(struct fw_lane *l)
{
	return __atomic_load_n(&l->stop, __ATOMIC_ACQUIRE);
}

/* One record into each pool that is below its quota; false if there is none. */
static bool fw_lane_turn(struct fw_lane *l)
{
	__u64 quota = __atomic_load_n(&l->quota, __ATOMIC_RELAXED);
	struct dfx_dev_pool *p;
	bool worked = false;
	int rc;

	for (p = dfx_dev_next_pool(&l->lane, NULL); p;
	     p = dfx_dev_next_pool(&l->lane, p)) {
		if (l->asked[p->id] >= quota)
			continue;
		rc = fw_record(l, p->id, DFX_DEV_BLOCK);
		if (rc == DFX_DEV_NOSESSION || rc == DFX_DEV_DETACHED)
			break;
		worked = true;
	}
	return worked;
}

static void *fw_lane_thread(void *arg)
{
	struct fw_lane *l = arg;
	__u64 ended = 0;
	bool worked;
	int rc;

	while (!fw_lane_stopped(l)) {
		rc = dfx_dev_poll(&l->lane);
		fw_lane_follow(l);
		worked = rc == DFX_DEV_OK && fw_lane_turn(l);
		if (worked) {
			ended = 0;
			continue;
		}
		/* What is in partial buffers goes out when a run ends. */
		if (rc == DFX_DEV_OK && ended != l->session &&
		    !dfx_dev_end_run(&l->lane))
			ended = l->session;
		if (rc == DFX_DEV_DETACHED)
			fw_lane_attach(l);
		breathe();
	}
	return NULL;
}

int fw_run_lane(struct fw_lane *l, __u64 quota)
{
	int err;

	l->quota = quota;
	l->stop = false;
	err = pthread_create(&l->thread, NULL, fw_lane_thread, l);
	l->threaded = !err;
	return -err;
}

int fw_run(struct fw *fw, __u64 quota)
{
	int err = 0;
	__u32 i;

	for (i = 0; !err && i < fw->config.lanes; i++)
		err = fw_run_lane(&fw->lane[i], quota);
	return err;
}

void fw_set_quota(struct fw *fw, __u64 quota)
{
	__u32 i;

	for (i = 0; i < fw->config.lanes; i++)
		__atomic_store_n(&fw->lane[i].quota, quota, __ATOMIC_RELAXED);
}

void fw_stop(struct fw *fw)
{
	__u32 i;

	for (i = 0; i < FW_MAX_LANES; i++)
		__atomic_store_n(&fw->lane[i].stop, true, __ATOMIC_RELEASE);
	for (i = 0; i < FW_MAX_LANES; i++) {
		if (fw->lane[i].threaded)
			pthread_join(fw->lane[i].thread, NULL);
		fw->lane[i].threaded = false;
	}
}

/* ---- forgery ------------------------------------------------------------------ */

struct dfx_shm_entry fw_entry(struct fw_lane *l, __u32 pool)
{
	const struct dfx_dev_pool *p = &l->pools[pool];

	return (struct dfx_shm_entry){
		.pool = pool,
		.buffer = p->buffer,
		.seq = p->seq,
		.count = p->count,
		.session = l->lane.session,
		.time = dfx_port_cycles(),
		.first_time = p->first_time,
		.lane = l->number,
		.arena_end = (__u32)l->lane.arena_tail,
	};
}

void fw_forge(struct fw_lane *l, const struct dfx_shm_entry *e)
{
	struct dfx_dev_lane *lane = &l->lane;

	lane->entries[lane->rq_tail & (lane->rq_depth - 1)] = *e;
	fw_forge_rq_tail(l, lane->rq_tail + 1);
}

void fw_forge_rq_tail(struct fw_lane *l, __u32 tail)
{
	l->lane.rq_tail = tail;
	dfx_port_store32_release(&l->lane.shm->rq_tail, tail);
}

void fw_forge_fq_head(struct fw_lane *l, __u32 pool, __u32 head)
{
	l->pools[pool].fq_head = head;
	dfx_port_store32_release(&l->pools[pool].shm->fq_head, head);
}
