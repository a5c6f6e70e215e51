// SPDX-License-Identifier: GPL-2.0-only
/*
 * ioctl.c - the commands: sizes, flags and arrays; the work is done elsewhere
 */
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "dfx_drv.h"

/* Every command's structure, size and flags first. */
union dfx_cmd {
	struct {
		__u32 size;
		__u32 flags;
	} head;
	struct dfx_query query;
	struct dfx_pools pools;
	struct dfx_state state;
	struct dfx_attach attach;
	struct dfx_detach detach;
	struct dfx_start start;
	struct dfx_stop stop;
	struct dfx_flush flush;
	struct dfx_wait wait;
	struct dfx_policy policy;
	struct dfx_reset reset;
	struct dfx_get_frame frame;
};

/*
 * Handlers run with the region locked and not gone. They may unlock it, and
 * answer -ENODEV if it has gone meanwhile.
 */

static int dfx_do_query(struct dfx_file *f, union dfx_cmd *cmd)
{
	const struct dfx_region *region = f->region;
	const struct dfx_geometry *geom = &region->host.geom;
	struct dfx_query *q = &cmd->query;

	q->out_abi = DFX_ABI_VERSION;
	q->out_layout_major = DFX_LAYOUT_MAJOR;
	q->out_layout_minor = DFX_LAYOUT_MINOR;
	q->out_subsys = region->desc->id;
	q->out_arch = region->info.arch;
	q->out_isa = region->info.isa;
	q->out_nr_cores = region->info.nr_cores;
	q->out_nr_lanes = geom->nr_lanes;
	q->out_nr_pools = geom->nr_pools;
	q->out_nr_buffers = geom->nr_buffers;
	q->out_rq_depth = geom->rq_depth;
	q->out_generation = region->host.generation;
	q->out_counter_hz = region->info.counter_hz;
	q->out_watchdog_us = region->info.watchdog_us;
	q->out_features = 0;
	strscpy_pad(q->out_name, region->desc->name, sizeof(q->out_name));
	return 0;
}

/*
 * Copies an array out with the region unlocked, since user memory may fault;
 * frees it. The caller returns at once.
 */
static int dfx_copy_array(struct dfx_region *region, u64 uptr, void *array,
			  size_t len)
{
	int err = 0;

	mutex_unlock(&region->lock);
	if (copy_to_user(u64_to_user_ptr(uptr), array, len))
		err = -EFAULT;
	kvfree(array);
	mutex_lock(&region->lock);
	return err;
}

static int dfx_do_pools(struct dfx_file *f, union dfx_cmd *cmd)
{
	struct dfx_region *region = f->region;
	struct dfx_pools *p = &cmd->pools;
	u32 nr = region->host.geom.nr_pools, room = p->nr_pools, i;
	struct dfx_pool_info *info;

	if (p->reserved)
		return -EOPNOTSUPP;
	p->nr_pools = nr;
	if (room < nr)
		return -EMSGSIZE;
	info = kvcalloc(nr, sizeof(*info), GFP_KERNEL_ACCOUNT);
	if (!info)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		dfx_state_pool_info(region, i, &info[i]);
	return dfx_copy_array(region, p->pools_uptr, info, nr * sizeof(*info));
}

static int dfx_do_state(struct dfx_file *f, union dfx_cmd *cmd)
{
	struct dfx_region *region = f->region;
	struct dfx_host *host = &region->host;
	struct dfx_state *s = &cmd->state;
	u32 nr_lanes = host->geom.nr_lanes, nr_pools = host->geom.nr_pools;
	u32 room_lanes = s->nr_lanes, room_pools = s->nr_pools, i;
	struct dfx_lane_state *lanes = NULL;
	struct dfx_pool_state *pools = NULL;
	int err = 0;

	if (room_lanes >= nr_lanes) {
		lanes = kvcalloc(nr_lanes, sizeof(*lanes), GFP_KERNEL_ACCOUNT);
		if (!lanes)
			return -ENOMEM;
	}
	if (room_pools >= nr_pools) {
		pools = kvcalloc(nr_pools, sizeof(*pools), GFP_KERNEL_ACCOUNT);
		if (!pools) {
			kvfree(lanes);
			return -ENOMEM;
		}
	}
	for (i = 0; lanes && i < nr_lanes; i++)
		dfx_state_lane(region, i, &lanes[i]);
	for (i = 0; pools && i < nr_pools; i++)
		dfx_state_pool(f, i, &pools[i]);

	s->nr_lanes = nr_lanes;
	s->nr_pools = nr_pools;
	s->out_session_state = host->state;
	s->out_recovery = host->recovery;
	s->out_session = host->session;
	s->out_lane_mask = host->lane_mask;
	s->out_attached_mask = region->attached;
	s->out_start_ns = region->start_ns;
	s->out_now_ns = ktime_get_ns();
	dfx_account_freeze(host, s->out_now_ns, s->out_freeze);
	s->out_level = region->level;
	s->out_consumers = region->nr_consumers;
	s->out_passes = region->passes;
	s->out_events = region->events;
	s->out_incidents = host->nr_incidents;
	f->events_seen = region->events;

	if (lanes)
		err = dfx_copy_array(region, s->lanes_uptr, lanes,
				     nr_lanes * sizeof(*lanes));
	if (pools && err)
		kvfree(pools);
	else if (pools)
		err = dfx_copy_array(region, s->pools_uptr, pools,
				     nr_pools * sizeof(*pools));
	return err;
}

static int dfx_do_attach(struct dfx_file *f, union dfx_cmd *cmd)
{
	const struct dfx_geometry *geom = &f->region->host.geom;
	struct dfx_attach *a = &cmd->attach;
	int err;

	err = dfx_consumer_attach(f, a->lanes);
	if (err)
		return err;
	a->out_lanes = f->lanes;
	a->out_ready_off = (u64)DFX_AREA_READY << DFX_AREA_SHIFT;
	a->out_ready_len = f->ready_len;
	a->out_release_off = (u64)DFX_AREA_RELEASE << DFX_AREA_SHIFT;
	a->out_release_len = f->release_len;
	a->out_buffers_off = (u64)DFX_AREA_BUFFERS << DFX_AREA_SHIFT;
	a->out_buffers_len = geom->data_size;
	return 0;
}

static int dfx_do_detach(struct dfx_file *f, union dfx_cmd *cmd)
{
	int err = 0;

	if (!f->lanes)
		return -EINVAL;
	/* Only tried: read_lock comes before the region's in a read(). */
	if (!mutex_trylock(&f->read_lock))
		return -EBUSY;
	if (f->mapped) {
		err = -EBUSY;
	} else {
		dfx_read_forget(f);
		dfx_consumer_detach(f);
	}
	mutex_unlock(&f->read_lock);
	return err;
}

static int dfx_do_start(struct dfx_file *f, union dfx_cmd *cmd)
{
	struct dfx_start *s = &cmd->start;

	if (s->reserved)
		return -EOPNOTSUPP;
	return dfx_session_start(f, s->lanes ?: f->region->attached, s);
}

static int dfx_do_stop(struct dfx_file *f, union dfx_cmd *cmd)
{
	struct dfx_stop *s = &cmd->stop;

	s->out_silent = 0;
	return dfx_session_stop(f->region, &s->out_session, &s->out_silent);
}

static int dfx_do_flush(struct dfx_file *f, union dfx_cmd *cmd)
{
	return dfx_session_flush(f->region, &cmd->flush);
}

/* What a consumer in ring mode can act upon now: DFX_WAIT_*. */
static u32 dfx_wait_events(struct dfx_file *f)
{
	u32 events = 0;

	if (READ_ONCE(f->release->ready_head) != f->ready_tail)
		events |= DFX_WAIT_READY;
	if (f->ready->flags & DFX_RING_END && dfx_consumer_finished(f))
		events |= DFX_WAIT_END;
	return events;
}

static int dfx_do_wait(struct dfx_file *f, union dfx_cmd *cmd)
{
	struct dfx_region *region = f->region;
	struct dfx_wait *w = &cmd->wait;
	u64 now_ns = ktime_get_ns(), until;
	bool bad = false;
	long ret;
	u32 seq;

	if (w->reserved)
		return -EOPNOTSUPP;
	until = now_ns + min_t(u64, w->timeout_ns, S64_MAX / 2);
	for (;;) {
		/* Checked each turn: another thread may have detached. */
		if (!f->lanes || f->mode != DFX_MODE_RING)
			return -EINVAL;
		ret = dfx_consumer_take(f);
		bad |= ret < 0;
		if (ret)
			dfx_region_kick(region);
		dfx_consumer_give(f, now_ns);
		w->out_events = dfx_wait_events(f);
		if (bad)
			return -EPROTO;
		if (w->out_events || !w->timeout_ns)
			return 0;
		now_ns = ktime_get_ns();
		if (now_ns >= until)
			return -ETIMEDOUT;

		seq = region->wake_seq;
		mutex_unlock(&region->lock);
		ret = wait_event_interruptible_hrtimeout(region->wait,
							 READ_ONCE(region->wake_seq) != seq,
							 ns_to_ktime(until - now_ns));
		mutex_lock(&region->lock);
		if (region->gone)
			return -ENODEV;
		if (ret == -ERESTARTSYS)
			return -EINTR;
		now_ns = ktime_get_ns();
	}
}

static int dfx_do_policy(struct dfx_file *f, union dfx_cmd *cmd)
{
	struct dfx_policy *p = &cmd->policy;
	int err = 0;

	if (p->reserved)
		return -EOPNOTSUPP;
	if (p->flags & DFX_POLICY_SET)
		err = dfx_session_set_policy(f->region, p);
	if (!err) {
		u32 size = p->size, flags = p->flags;

		*p = f->region->policy;
		p->size = size;
		p->flags = flags;
	}
	return err;
}

static int dfx_do_reset(struct dfx_file *f, union dfx_cmd *cmd)
{
	cmd->reset.out_revived = 0;
	return dfx_session_reset(f->region, &cmd->reset.out_revived);
}

static int dfx_do_frame(struct dfx_file *f, union dfx_cmd *cmd)
{
	struct dfx_get_frame *g = &cmd->frame;
	u64 session = f->region->host.session;
	size_t len, room = min_t(u64, g->len, SIZE_MAX);
	void *frame;

	if (g->reserved)
		return -EOPNOTSUPP;
	if (!f->lanes)
		return -EINVAL;
	switch (g->type) {
	case DFX_FRAME_SESSION:
		if (!session || session == f->past_session)
			return -EAGAIN;
		frame = dfx_frame_session(f, &len);
		break;
	case DFX_FRAME_END:
		if (!dfx_consumer_finished(f))
			return -EAGAIN;
		frame = dfx_frame_end(f, &len);
		break;
	default:
		return -EINVAL;
	}
	if (!frame)
		return -ENOMEM;
	g->len = len;
	if (room < len) {
		kvfree(frame);
		return -EMSGSIZE;
	}
	if (g->type == DFX_FRAME_SESSION)
		f->session_sent = session;
	else
		f->end_sent = session;
	return dfx_copy_array(f->region, g->buf_uptr, frame, len);
}

/**
 * struct dfx_ioctl_op - one command
 * @size: bytes of its structure now.
 * @min_size: bytes that it had when it was introduced.
 * @flags: known flags.
 * @cmd: the whole command number.
 * @fn: the handler.
 */
struct dfx_ioctl_op {
	u32 size;
	u32 min_size;
	u32 flags;
	unsigned int cmd;
	int (*fn)(struct dfx_file *f, union dfx_cmd *cmd);
};

#define DFX_OP(name, type, handler, known, last) \
	[DFX_CMD_##name - DFX_CMD_BASE] = { \
		.size = sizeof(struct type), \
		.min_size = offsetofend(struct type, last), \
		.flags = (known), \
		.cmd = DFX_IOC_##name, \
		.fn = handler, \
	}

/* The last column names the last member of ABI version 1. */
static const struct dfx_ioctl_op dfx_ioctl_ops[] = {
	DFX_OP(QUERY, dfx_query, dfx_do_query, 0, out_name),
	DFX_OP(POOLS, dfx_pools, dfx_do_pools, 0, reserved),
	DFX_OP(STATE, dfx_state, dfx_do_state, 0, out_incidents),
	DFX_OP(ATTACH, dfx_attach, dfx_do_attach, 0, out_buffers_len),
	DFX_OP(DETACH, dfx_detach, dfx_do_detach, 0, flags),
	DFX_OP(START, dfx_start, dfx_do_start, 0, out_session),
	DFX_OP(STOP, dfx_stop, dfx_do_stop, 0, out_silent),
	DFX_OP(FLUSH, dfx_flush, dfx_do_flush, 0, out_pending),
	DFX_OP(WAIT, dfx_wait, dfx_do_wait, 0, reserved),
	DFX_OP(POLICY, dfx_policy, dfx_do_policy, DFX_POLICY_SET, reserved),
	DFX_OP(RESET, dfx_reset, dfx_do_reset, 0, out_revived),
	DFX_OP(FRAME, dfx_get_frame, dfx_do_frame, 0, len),
};

/* Errors with which a handler has something to say beside the number. */
static bool dfx_ioctl_responds(int err)
{
	return !err || err == -EMSGSIZE || err == -ETIMEDOUT || err == -EPROTO;
}

/**
 * dfx_ioctl() - ioctl() of /dev/dfxN
 * @file: the file.
 * @cmd: the command.
 * @arg: pointer to its structure.
 *
 * Return: 0, or an error of the contract in <linux/dfx.h>.
 */
long dfx_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct dfx_file *f = file->private_data;
	struct dfx_region *region = f->region;
	void __user *uptr = (void __user *)arg;
	const struct dfx_ioctl_op *op;
	union dfx_cmd c = { };
	u32 size;
	int err;

	BUILD_BUG_ON(ARRAY_SIZE(dfx_ioctl_ops) != DFX_CMD_END - DFX_CMD_BASE);

	if (_IOC_TYPE(cmd) != DFX_IOC_MAGIC || _IOC_NR(cmd) < DFX_CMD_BASE ||
	    _IOC_NR(cmd) >= DFX_CMD_END)
		return -ENOTTY;
	op = &dfx_ioctl_ops[_IOC_NR(cmd) - DFX_CMD_BASE];
	/* The structure says its size itself, whatever the number encodes. */
	if (_IOC_DIR(cmd) != _IOC_DIR(op->cmd))
		return -ENOTTY;
	if (get_user(size, (u32 __user *)uptr))
		return -EFAULT;
	if (size < op->min_size)
		return -EINVAL;
	/* Bounds how much of it has to be looked at. */
	if (size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(&c, op->size, uptr, size);
	if (err)
		return err;
	c.head.size = size;
	if (c.head.flags & ~op->flags)
		return -EOPNOTSUPP;

	mutex_lock(&region->lock);
	err = region->gone ? -ENODEV : op->fn(f, &c);
	mutex_unlock(&region->lock);

	if (dfx_ioctl_responds(err) &&
	    copy_to_user(uptr, &c, min(size, op->size)))
		return -EFAULT;
	return err;
}
