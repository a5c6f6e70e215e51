// SPDX-License-Identifier: GPL-2.0-only
/*
 * chardev.c - open, release and poll of /dev/dfxN
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>

#include "dfx_drv.h"

static int dfx_open(struct inode *inode, struct file *file)
{
	struct dfx_region *region = container_of(inode->i_cdev,
						 struct dfx_region, cdev);
	struct dfx_file *f;
	int err = 0;

	f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);
	if (!f)
		return -ENOMEM;
	f->region = region;
	f->mapping = file->f_mapping;
	f->cur_buf = DFX_NIL;
	mutex_init(&f->read_lock);

	mutex_lock(&region->lock);
	if (region->gone)
		err = -ENODEV;
	else
		list_add_tail(&f->node, &region->files);
	mutex_unlock(&region->lock);
	if (err) {
		mutex_destroy(&f->read_lock);
		kfree(f);
		return err;
	}
	get_device(&region->dev);
	file->private_data = f;
	return stream_open(inode, file);
}

static int dfx_release(struct inode *inode, struct file *file)
{
	struct dfx_file *f = file->private_data;
	struct dfx_region *region = f->region;

	dfx_read_forget(f);
	mutex_lock(&region->lock);
	list_del(&f->node);
	dfx_consumer_detach(f);
	mutex_unlock(&region->lock);
	mutex_destroy(&f->read_lock);
	kfree(f);
	put_device(&region->dev);
	return 0;
}

/* What a consumer in ring mode has not seen yet; its word is only a hint. */
static bool dfx_poll_ring(const struct dfx_file *f)
{
	return READ_ONCE(f->release->ready_head) != f->ready_tail ||
	       dfx_consumer_has_ready(f) || dfx_consumer_finished(f);
}

static bool dfx_poll_read(struct dfx_file *f)
{
	u64 session = f->region->host.session;

	/* A reader in another thread has not come back yet. */
	if (mutex_trylock(&f->read_lock)) {
		if (!f->region->gone)
			dfx_read_ack(f);
		mutex_unlock(&f->read_lock);
	}
	return f->nr_segs || dfx_consumer_has_ready(f) ||
	       (session && session != f->past_session &&
		session != f->session_sent) ||
	       dfx_consumer_finished(f);
}

static __poll_t dfx_poll(struct file *file, poll_table *wait)
{
	struct dfx_file *f = file->private_data;
	struct dfx_region *region = f->region;
	__poll_t mask = 0;

	poll_wait(file, &region->wait, wait);
	mutex_lock(&region->lock);
	if (region->gone) {
		mask = EPOLLHUP | EPOLLERR;
		if (dfx_read_has_left(f))
			mask |= EPOLLIN | EPOLLRDNORM;
		mutex_unlock(&region->lock);
		return mask;
	}
	if (f->lanes) {
		bool in;

		if (f->mode == DFX_MODE_RING) {
			/* It may have released before it came to wait. */
			if (dfx_consumer_take(f))
				dfx_region_kick(region);
			in = dfx_poll_ring(f);
		} else {
			in = dfx_poll_read(f);
		}
		if (in)
			mask |= EPOLLIN | EPOLLRDNORM;
	}
	if (f->events_seen != region->events)
		mask |= EPOLLPRI;
	mutex_unlock(&region->lock);
	return mask;
}

const struct file_operations dfx_fops = {
	.owner = THIS_MODULE,
	.open = dfx_open,
	.release = dfx_release,
	.read = dfx_read,
	.poll = dfx_poll,
	.mmap = dfx_mmap,
	.unlocked_ioctl = dfx_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = no_llseek,
};
