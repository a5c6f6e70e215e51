// SPDX-License-Identifier: GPL-2.0-only
/*
 * node.c - /dev/dfx_simN, through which a process is the firmware
 *
 * One process at a time maps the aperture. It may write to what is the device's
 * and read the rest: all pages are mapped read-only at first, and a write asks.
 * Before there is a host nothing but the identity page is the device's. As soon
 * as the identity is there, dfx.ko is told; the device stays when the process
 * goes, silent, until another one boots on it or it is removed.
 *
 * Locking: mmap_lock > node->lock > nothing. dfx_device_create() is not called
 * under it, as it waits for others who may fault; a write meanwhile waits, and
 * can be killed.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "dfx_bus.h"
#include "node.h"
#include "sim.h"

/* How often an open node is looked at for an identity. */
#define SIM_PROBE_MS	20

/**
 * struct dfx_sim_node - the node
 * @kref: of the device, and of the open file.
 * @misc: its registration.
 * @name: its name.
 * @probe: looks for an identity while the node is open and there is no host.
 * @parent: what the regions have for a parent.
 * @base: the aperture.
 * @size: bytes of it.
 * @lock: protects what follows.
 * @gone: the aperture must not be touched any more.
 * @dfx: what dfx.ko made of it, NULL while there is no identity.
 * @mapping: of the file that is open, NULL if none is.
 * @probing: dfx.ko is being told; written by @probe.
 * @settled: where those wait who must know whether there is a host.
 */
struct dfx_sim_node {
	struct kref kref;
	struct miscdevice misc;
	char name[16];
	struct delayed_work probe;
	struct device *parent;
	void *base;
	u64 size;
	struct mutex lock;	/* what follows */
	bool gone;
	struct dfx_device *dfx;
	struct address_space *mapping;
	bool probing;
	wait_queue_head_t settled;
};

static void node_release(struct kref *kref)
{
	struct dfx_sim_node *node = container_of(kref, struct dfx_sim_node,
						 kref);

	mutex_destroy(&node->lock);
	kfree(node);
}

/* Ends when the node is closed, has gone, or was told. */
static void node_probe(struct work_struct *work)
{
	struct dfx_sim_node *node = container_of(to_delayed_work(work),
						 struct dfx_sim_node, probe);
	const struct dfx_aperture aperture = {
		.size = node->size,
		.base = node->base,
	};
	struct dfx_device *dfx;
	bool wanted;
	u32 arch;

	mutex_lock(&node->lock);
	wanted = node->mapping && !node->dfx;
	mutex_unlock(&node->lock);
	if (!wanted)
		return;
	if (!dfx_device_is_ours(&aperture, &arch)) {
		schedule_delayed_work(&node->probe,
				      msecs_to_jiffies(SIM_PROBE_MS));
		return;
	}
	WRITE_ONCE(node->probing, true);
	dfx = dfx_device_create(node->parent, &aperture, NULL);
	mutex_lock(&node->lock);
	/* What is wrong was logged. The next process may do better. */
	if (!IS_ERR(dfx))
		node->dfx = dfx;
	WRITE_ONCE(node->probing, false);
	mutex_unlock(&node->lock);
	wake_up_all(&node->settled);
}

static int node_open(struct inode *inode, struct file *file)
{
	struct dfx_sim_node *node = container_of(file->private_data,
						 struct dfx_sim_node, misc);
	int err = 0;

	mutex_lock(&node->lock);
	if (node->gone)
		err = -ENODEV;
	else if (node->mapping)
		err = -EBUSY;
	else
		node->mapping = file->f_mapping;
	mutex_unlock(&node->lock);
	if (err)
		return err;
	kref_get(&node->kref);
	file->private_data = node;
	/* misc_open() keeps the node registered, so that it is cancelled. */
	schedule_delayed_work(&node->probe, 0);
	return 0;
}

/* After the last mapping. */
static int node_close(struct inode *inode, struct file *file)
{
	struct dfx_sim_node *node = file->private_data;

	mutex_lock(&node->lock);
	node->mapping = NULL;
	mutex_unlock(&node->lock);
	kref_put(&node->kref, node_release);
	return 0;
}

/* How a process learns the size. */
static loff_t node_llseek(struct file *file, loff_t off, int whence)
{
	struct dfx_sim_node *node = file->private_data;

	return fixed_size_llseek(file, off, whence, node->size);
}

static u64 node_off(const struct vm_fault *vmf)
{
	return (u64)vmf->pgoff << PAGE_SHIFT;
}

static vm_fault_t node_fault(struct vm_fault *vmf)
{
	struct dfx_sim_node *node = vmf->vma->vm_private_data;
	vm_fault_t ret = VM_FAULT_SIGBUS;
	u64 off = node_off(vmf);

	mutex_lock(&node->lock);
	if (!node->gone && off < node->size)
		ret = vmf_insert_pfn(vmf->vma, vmf->address,
				     vmalloc_to_pfn(node->base + off));
	mutex_unlock(&node->lock);
	return ret;
}

static vm_fault_t node_mkwrite(struct vm_fault *vmf)
{
	struct dfx_sim_node *node = vmf->vma->vm_private_data;
	u64 off = node_off(vmf);
	bool may;

	if (wait_event_killable(node->settled, !READ_ONCE(node->probing)))
		return VM_FAULT_SIGBUS;
	mutex_lock(&node->lock);
	may = !node->gone && (node->dfx ? dfx_device_writes(node->dfx, off) :
			      off < DFX_SHM_PAGE);
	mutex_unlock(&node->lock);
	return may ? 0 : VM_FAULT_SIGBUS;
}

static const struct vm_operations_struct node_vm_ops = {
	.fault = node_fault,
	.pfn_mkwrite = node_mkwrite,
};

static int node_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct dfx_sim_node *node = file->private_data;
	u64 off = (u64)vma->vm_pgoff << PAGE_SHIFT;
	u64 len = vma->vm_end - vma->vm_start;

	if (!(vma->vm_flags & VM_MAYSHARE) || vma->vm_flags & VM_EXEC)
		return -EINVAL;
	if (off >= node->size || len > node->size - off)
		return -EINVAL;
	/* The child of a process is not the firmware. */
	vm_flags_mod(vma, VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP |
		     VM_DONTCOPY, VM_MAYEXEC);
	vma->vm_private_data = node;
	vma->vm_ops = &node_vm_ops;
	return 0;
}

static const struct file_operations node_fops = {
	.owner = THIS_MODULE,
	.open = node_open,
	.release = node_close,
	.llseek = node_llseek,
	.mmap = node_mmap,
};

struct dfx_sim_node *dfx_sim_node_create(struct dfx_sim *sim)
{
	struct dfx_sim_node *node;
	int err;

	/* Pages of different writers must not share a page of the kernel's. */
	if (PAGE_SIZE != DFX_SHM_PAGE)
		return ERR_PTR(-EOPNOTSUPP);
	node = kzalloc(sizeof(*node), GFP_KERNEL);
	if (!node)
		return ERR_PTR(-ENOMEM);
	kref_init(&node->kref);
	mutex_init(&node->lock);
	init_waitqueue_head(&node->settled);
	INIT_DELAYED_WORK(&node->probe, node_probe);
	node->parent = &sim->pdev->dev;
	node->base = sim->base;
	node->size = sim->size;
	snprintf(node->name, sizeof(node->name), "dfx_sim%d", sim->id);
	node->misc = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR,
		.name = node->name,
		.fops = &node_fops,
		.parent = node->parent,
		.mode = 0600,
	};
	err = misc_register(&node->misc);
	if (err) {
		kref_put(&node->kref, node_release);
		return ERR_PTR(err);
	}
	return node;
}

void dfx_sim_node_destroy(struct dfx_sim_node *node)
{
	struct dfx_device *dfx;

	/* Nobody opens it from here on, which would start the probe anew. */
	misc_deregister(&node->misc);
	cancel_delayed_work_sync(&node->probe);
	mutex_lock(&node->lock);
	dfx = node->dfx;
	node->dfx = NULL;
	node->gone = true;
	/* A fault that came first has inserted its page; none comes after. */
	if (node->mapping)
		unmap_mapping_range(node->mapping, 0, 0, 1);
	mutex_unlock(&node->lock);
	if (dfx)
		dfx_device_destroy(dfx);
	kref_put(&node->kref, node_release);
}
