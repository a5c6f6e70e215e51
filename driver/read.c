// SPDX-License-Identifier: GPL-2.0-only
/*
 * read.c - read(): a byte stream of frames
 *
 * A buffer that has been copied out completely is released when the caller
 * comes back, by read() or poll(): only then has it done something with the
 * bytes. A caller that is killed in between leaves the buffer to its successor.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "dfx_drv.h"

static void dfx_read_end_frame(struct dfx_file *f)
{
	kvfree(f->cur_meta);
	f->cur_meta = NULL;
	f->cur_buf = DFX_NIL;
	f->nr_segs = 0;
	f->cur_seg = 0;
}

static void dfx_read_add(struct dfx_file *f, const void *data, size_t len)
{
	if (len)
		f->seg[f->nr_segs++] = (struct dfx_segment){ data, len };
}

/**
 * dfx_read_forget() - drop what a read has begun
 * @f: the file; nobody reads. Buffers stay HELD until it detaches.
 */
void dfx_read_forget(struct dfx_file *f)
{
	dfx_read_end_frame(f);
	f->nr_given = 0;
}

/**
 * dfx_read_ack() - the caller came back: what it was given is safe
 * @f: the file; read_lock and region locked.
 */
void dfx_read_ack(struct dfx_file *f)
{
	u32 i;

	if (!f->nr_given)
		return;
	for (i = 0; i < f->nr_given; i++)
		dfx_consumer_release(f, f->given[i]);
	f->nr_given = 0;
	if (!f->region->gone)
		dfx_region_kick(f->region);
}

/* A reader that asked for nothing gets everything. */
static int dfx_read_attach(struct dfx_file *f)
{
	struct dfx_region *region = f->region;
	struct dfx_start start = { };
	int err;

	if (!f->lanes) {
		err = dfx_consumer_attach(f, 0);
		if (err)
			return err;
		if (dfx_session_ended(region)) {
			err = dfx_session_start(f, f->lanes, &start);
			if (err) {
				dfx_consumer_detach(f);
				return err;
			}
		}
	}
	if (f->mode == DFX_MODE_RING)
		return -EBUSY;
	f->mode = DFX_MODE_READ;
	return 0;
}

static int dfx_read_begin_meta(struct dfx_file *f, void *frame, size_t len)
{
	if (!frame)
		return -ENOMEM;
	f->cur_meta = frame;
	dfx_read_add(f, frame, len);
	return 1;
}

static int dfx_read_begin_data(struct dfx_file *f, u32 id)
{
	struct dfx_host *host = &f->region->host;
	const struct dfx_buf *buf = &host->bufs[id];
	const struct dfx_pool_geom *g = &host->geom.pools[buf->pool];
	const struct dfx_share_bytes *share = &f->cur_arena;
	struct dfx_io *io = &host->io;

	f->cur_buf = id;
	dfx_frame_data(f->region, id, &f->cur_hdr);
	dfx_frame_arena(f->region, id, &f->cur_arena);
	dfx_read_add(f, &f->cur_hdr, sizeof(f->cur_hdr));
	dfx_read_add(f, io->ops->data(io, dfx_data_buffer(host, id)),
		     (size_t)buf->count * g->record_size);
	if (share->first) {
		dfx_read_add(f, &share->info, sizeof(share->info));
		dfx_read_add(f, io->ops->data(io, share->off), share->first);
		dfx_read_add(f, io->ops->data(io, share->wrap), share->rest);
	}
	return 1;
}

/* A file that reads on after the device has gone, where the buffers have not. */
static bool dfx_read_stays(const struct dfx_file *f)
{
	return f->lanes && f->mode != DFX_MODE_RING &&
	       f->region->host.io.ops->stays;
}

/**
 * dfx_read_has_left() - whether a read would find a buffer of a gone device's
 * @f: the file; region locked, gone.
 */
bool dfx_read_has_left(const struct dfx_file *f)
{
	return dfx_read_stays(f) && (f->nr_segs || dfx_consumer_has_ready(f));
}

/*
 * Chooses the next frame; region locked. Returns 1 if there is one, 0 at the end
 * of the session, -EAGAIN if there is nothing yet.
 */
static int dfx_read_next(struct dfx_file *f)
{
	struct dfx_host *host = &f->region->host;
	u64 session = host->session;
	size_t len;
	void *frame;
	int ret;
	u32 id;

	/* What is READY is the last there is, and the session has no end. */
	if (f->region->gone && !dfx_read_has_left(f))
		return -ENODEV;
	if (!session || session == f->past_session)
		return -EAGAIN;
	if (f->end_sent == session)
		return 0;
	if (f->session_sent != session) {
		frame = dfx_frame_session(f, &len);
		ret = dfx_read_begin_meta(f, frame, len);
		if (ret == 1)
			f->session_sent = session;
		return ret;
	}
	id = dfx_consumer_hold(f);
	if (id != DFX_NIL)
		return dfx_read_begin_data(f, id);
	if (!dfx_consumer_finished(f))
		return -EAGAIN;
	frame = dfx_frame_end(f, &len);
	ret = dfx_read_begin_meta(f, frame, len);
	if (ret == 1)
		f->end_sent = session;
	return ret;
}

/*
 * Copies without taking a page fault, so that user space cannot hold up a
 * removal by what it maps there. Returns bytes copied, -EFAULT, -ENODEV.
 */
static ssize_t dfx_read_copy_once(struct dfx_file *f, char __user *buf,
				  const void *src, size_t len)
{
	struct dfx_region *region = f->region;
	ssize_t copied;
	int idx;

	idx = srcu_read_lock(&region->srcu);
	if (READ_ONCE(region->gone) && !dfx_read_stays(f)) {
		copied = -ENODEV;
	} else {
		pagefault_disable();
		copied = len - __copy_to_user_inatomic(buf, src, len);
		pagefault_enable();
	}
	srcu_read_unlock(&region->srcu, idx);
	return copied;
}

static ssize_t dfx_read_copy(struct dfx_file *f, char __user *buf, size_t len)
{
	struct dfx_segment *seg = &f->seg[f->cur_seg];
	ssize_t copied;

	/* Bounds what is copied with page faults off. */
	len = min3(len, seg->len, (size_t)SZ_64K);
	if (!access_ok(buf, len))
		return -EFAULT;
	for (;;) {
		copied = dfx_read_copy_once(f, buf, seg->data, len);
		if (copied)
			break;
		if (fault_in_writeable(buf, len) == len)
			return -EFAULT;
	}
	if (copied > 0) {
		seg->data += copied;
		seg->len -= copied;
		if (!seg->len)
			f->cur_seg++;
	}
	return copied;
}

static void dfx_read_finish(struct dfx_file *f)
{
	if (f->cur_buf != DFX_NIL)
		f->given[f->nr_given++] = f->cur_buf;
	dfx_read_end_frame(f);
}

/* Waits until there may be a frame; read_lock held, region unlocked. */
static int dfx_read_wait(struct dfx_file *f, u32 seq)
{
	struct dfx_region *region = f->region;

	return wait_event_interruptible(region->wait,
					READ_ONCE(region->wake_seq) != seq);
}

static ssize_t dfx_read_locked(struct dfx_file *f, char __user *buf, size_t len,
			       bool nonblock)
{
	struct dfx_region *region = f->region;
	size_t done = 0;
	ssize_t ret = 0;
	u32 seq;

	while (done < len) {
		if (!f->nr_segs) {
			mutex_lock(&region->lock);
			ret = region->gone ? 0 : dfx_read_attach(f);
			/* What this very call has copied is not safe yet. */
			if (!ret && !done)
				dfx_read_ack(f);
			if (!ret)
				ret = dfx_read_next(f);
			seq = region->wake_seq;
			mutex_unlock(&region->lock);
			if (ret == -EAGAIN && !done && !nonblock) {
				ret = dfx_read_wait(f, seq);
				if (ret)
					break;
				continue;
			}
			if (ret <= 0)
				break;
		}
		ret = dfx_read_copy(f, buf + done, len - done);
		if (ret < 0)
			break;
		done += ret;
		if (f->cur_seg == f->nr_segs)
			dfx_read_finish(f);
	}
	return done ?: ret;
}

/**
 * dfx_read() - read() of /dev/dfxN
 * @file: the file.
 * @buf: where to.
 * @len: bytes.
 * @pos: not used: it is a stream.
 *
 * Return: bytes; 0 at the end of the session; -EAGAIN, -EBUSY, -EFAULT,
 * -ENODEV, -ERESTARTSYS.
 */
ssize_t dfx_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct dfx_file *f = file->private_data;
	ssize_t ret;

	if (mutex_lock_interruptible(&f->read_lock))
		return -ERESTARTSYS;
	ret = dfx_read_locked(f, buf, len, file->f_flags & O_NONBLOCK);
	mutex_unlock(&f->read_lock);
	return ret;
}
