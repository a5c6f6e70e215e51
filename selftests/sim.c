// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim.c - software devices of dfx_sim.ko, and whether they record what they should
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pattern.h"
#include "sim.h"
#include "sysfs.h"

static void sim_path(char path[128], const char *name, const char *attr)
{
	snprintf(path, 128, SIM_DIR "/%s/%s", name, attr);
}

int sim_make(const char *name)
{
	char path[128];

	sim_path(path, name, "");
	return mkdir(path, 0755) ? -errno : 0;
}

int sim_remove(const char *name)
{
	char path[128];

	sim_path(path, name, "");
	return rmdir(path) ? -errno : 0;
}

int sim_set(const char *name, const char *attr, const char *value)
{
	char path[128];

	sim_path(path, name, attr);
	return sysfs_write(path, value);
}

int sim_get(const char *name, const char *attr, char *value, size_t len)
{
	char path[128];

	sim_path(path, name, attr);
	return sysfs_read(path, value, len);
}

int sim_node(const char *name, const char *subsys)
{
	char parent[64], path[64];
	int err;

	err = sim_get(name, "device", parent, sizeof(parent)) ?:
	      sysfs_node_of(parent, subsys, path, sizeof(path));
	if (err) {
		errno = -err;
		return -1;
	}
	return open(path, O_RDWR | O_CLOEXEC);
}

static __attribute__((format(printf, 2, 3)))
int complain(struct sim_check *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->why, sizeof(c->why), fmt, ap);
	va_end(ap);
	return -1;
}

static int check_record(struct sim_check *c, const struct dfx_frame *f,
			__u32 index, const void *rec)
{
	unsigned char want[DFX_PATTERN_MAX_SIZE] __attribute__((aligned(8)));
	const struct dfx_rec_dump *dump = rec;
	struct dfx_rec_dump *d = (void *)want;

	dfx_pattern_record(c->seed, c->subsys, f->kind, f->pool, f->seq, index,
			   want);
	/* Where its payload lies does not follow from its place. */
	if (dfx_pattern_has_payloads(c->subsys)) {
		d->payload_offset = dump->payload_offset;
		d->payload_size = dump->payload_size;
		d->full_size = dump->full_size;
		d->truncated = dump->payload_size < dump->full_size;
	}
	if (!memcmp(want, rec, f->record_size))
		return 0;
	return complain(c, "pool %u seq %u: record %u is not the firmware's",
			f->pool, f->seq, index);
}

int sim_check_frame(struct sim_check *c, const struct dfx_frame *f,
		    const void *records)
{
	__u32 i;

	if (!c->session)
		c->session = f->session;
	if (f->type != DFX_FRAME_DATA || f->session != c->session ||
	    f->pool >= FW_MAX_POOLS || !f->count ||
	    f->record_size != dfx_pattern_size(c->subsys, f->kind))
		return complain(c, "type %u session %#llx pool %u count %u size %u",
				f->type, f->session, f->pool, f->count,
				f->record_size);
	if (f->seq != c->next_seq[f->pool] &&
	    !(c->gaps && f->lost && f->seq > c->next_seq[f->pool]))
		return complain(c, "pool %u: seq %u, not %u", f->pool, f->seq,
				c->next_seq[f->pool]);
	for (i = 0; i < f->count; i++)
		if (check_record(c, f, i, (const char *)records +
				 i * f->record_size))
			return -1;
	c->next_seq[f->pool] = f->seq + 1;
	c->records += f->count;
	c->lost += f->lost;
	if (f->flags & DFX_FRAME_RECOVERED)
		c->recovered++;
	return 0;
}

int sim_check_drain(struct sim_check *c, struct ring *r)
{
	const struct dfx_ready *e;
	int n = 0;

	while ((e = ring_next(r))) {
		if (sim_check_frame(c, &e->frame, ring_records(r, e)))
			return -1;
		ring_release(r, e->cookie);
		n++;
	}
	return n;
}
