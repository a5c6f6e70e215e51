/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - the only file that knows of kernel versions
 */
#ifndef DFX_COMPAT_H
#define DFX_COMPAT_H

#include <linux/mm.h>
#include <linux/version.h>

/* Namespaces of symbols were tokens once, and are strings now. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define DFX_NS	DFX
#else
#define DFX_NS	"DFX"
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set,
				vm_flags_t clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

#endif /* DFX_COMPAT_H */
