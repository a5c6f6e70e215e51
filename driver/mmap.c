// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmap.c - a consumer's three areas
 *
 * The ready ring and the buffers can never be made writable; the release ring
 * is the consumer's own. All of them are pages, so that the kernel can take
 * them as the source of a write, O_DIRECT included.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "dfx_drv.h"

/* Splits a page offset into area and offset in it. */
#define DFX_AREA_PG_SHIFT	(DFX_AREA_SHIFT - PAGE_SHIFT)

static unsigned long dfx_pgoff_area(unsigned long pgoff)
{
	return pgoff >> DFX_AREA_PG_SHIFT;
}

static u64 dfx_pgoff_off(unsigned long pgoff)
{
	return (u64)(pgoff & (BIT(DFX_AREA_PG_SHIFT) - 1)) << PAGE_SHIFT;
}

static u64 dfx_area_len(const struct dfx_file *f, unsigned long area)
{
	const struct dfx_geometry *geom = &f->region->host.geom;

	switch (area) {
	case DFX_AREA_READY:
		return f->ready_len;
	case DFX_AREA_RELEASE:
		return f->release_len;
	case DFX_AREA_BUFFERS:
		return geom->data_size;
	default:
		return 0;
	}
}

/**
 * dfx_mmap_alloc() - memory for consumers to map
 * @len: bytes; a multiple of PAGE_SIZE.
 *
 * Zeroed, since they see all of it; taken page by page, and charged to the caller.
 *
 * Return: memory for vfree(), or NULL.
 */
void *dfx_mmap_alloc(size_t len)
{
	return __vmalloc(len, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
}

static struct page *dfx_area_page(struct dfx_file *f, unsigned long area,
				  u64 off)
{
	struct dfx_io *io = &f->region->host.io;
	void *addr;

	switch (area) {
	case DFX_AREA_READY:
		return vmalloc_to_page((void *)f->ready + off);
	case DFX_AREA_RELEASE:
		return vmalloc_to_page((void *)f->release + off);
	default:
		/* Pages of the aperture, see &dfx_aperture.base, or our own. */
		addr = io->ops->data(io, off);
		return is_vmalloc_addr(addr) ? vmalloc_to_page(addr) :
					       virt_to_page(addr);
	}
}

static vm_fault_t dfx_vm_fault(struct vm_fault *vmf)
{
	struct dfx_file *f = vmf->vma->vm_private_data;
	struct dfx_region *region = f->region;
	unsigned long area = dfx_pgoff_area(vmf->pgoff);
	u64 off = dfx_pgoff_off(vmf->pgoff);
	vm_fault_t ret = VM_FAULT_SIGBUS;
	int idx;

	/*
	 * Lanes and geometry cannot change while the file is mapped. Pairs
	 * with synchronize_srcu() before the zap in dfx_region_revoke().
	 */
	idx = srcu_read_lock(&region->srcu);
	if (!READ_ONCE(region->gone) && off < dfx_area_len(f, area)) {
		vmf->page = dfx_area_page(f, area, off);
		get_page(vmf->page);
		ret = 0;
	}
	srcu_read_unlock(&region->srcu, idx);
	return ret;
}

static void dfx_vm_open(struct vm_area_struct *vma)
{
	struct dfx_file *f = vma->vm_private_data;

	mutex_lock(&f->region->lock);
	f->mapped++;
	mutex_unlock(&f->region->lock);
}

static void dfx_vm_close(struct vm_area_struct *vma)
{
	struct dfx_file *f = vma->vm_private_data;

	mutex_lock(&f->region->lock);
	f->mapped--;
	mutex_unlock(&f->region->lock);
}

static int dfx_vm_mremap(struct vm_area_struct *vma)
{
	return -EPERM;
}

static const struct vm_operations_struct dfx_vm_ops = {
	.open = dfx_vm_open,
	.close = dfx_vm_close,
	.mremap = dfx_vm_mremap,
	.fault = dfx_vm_fault,
};

static int dfx_mmap_locked(struct dfx_file *f, struct vm_area_struct *vma)
{
	unsigned long area = dfx_pgoff_area(vma->vm_pgoff);
	u64 off = dfx_pgoff_off(vma->vm_pgoff);
	u64 len = vma->vm_end - vma->vm_start;
	u64 area_len;

	if (f->region->gone)
		return -ENODEV;
	if (!f->lanes)
		return -EINVAL;
	area_len = dfx_area_len(f, area);
	if (off >= area_len || len > area_len - off)
		return -EINVAL;
	/*
	 * A private copy of what changes underneath is of no use. VM_SHARED is
	 * missing from shared mappings too if the file is not open for writing.
	 */
	if (!(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	if (vma->vm_flags & VM_EXEC ||
	    (area != DFX_AREA_RELEASE && vma->vm_flags & VM_WRITE))
		return -EPERM;
	if (area != DFX_AREA_BUFFERS) {
		if (f->mode == DFX_MODE_READ)
			return -EBUSY;
		f->mode = DFX_MODE_RING;
		dfx_region_kick(f->region);
	}
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY,
		     VM_MAYEXEC | (area == DFX_AREA_RELEASE ? 0 : VM_MAYWRITE));
	vma->vm_private_data = f;
	vma->vm_ops = &dfx_vm_ops;
	f->mapped++;
	return 0;
}

/**
 * dfx_mmap() - mmap() of /dev/dfxN
 * @file: the file; a consumer.
 * @vma: what is asked for.
 *
 * Return: 0; -EINVAL: not a consumer, no such offset, or not MAP_SHARED;
 * -EPERM: write or execute where that is not allowed; -EBUSY: the file reads;
 * -ENODEV.
 */
int dfx_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct dfx_file *f = file->private_data;
	int err;

	mutex_lock(&f->region->lock);
	err = dfx_mmap_locked(f, vma);
	mutex_unlock(&f->region->lock);
	return err;
}
