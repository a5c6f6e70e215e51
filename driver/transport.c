// SPDX-License-Identifier: GPL-2.0-only
/*
 * transport.c - which transport, and the host's memory for it
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <uapi/linux/dfx_layout.h>

#include "dfx_drv.h"

/* Stores of a region's memory before it has a geometry: none is to wait long. */
#define DFX_SHADOW_FIRST_STORES	64

enum dfx_transport {
	DFX_TRANSPORT_AUTO,
	DFX_TRANSPORT_DIRECT,
	DFX_TRANSPORT_SHADOW,
};

static const char * const dfx_transport_names[] = {
	[DFX_TRANSPORT_AUTO] = "auto",
	[DFX_TRANSPORT_DIRECT] = "direct",
	[DFX_TRANSPORT_SHADOW] = "shadow",
};

static int dfx_transport = DFX_TRANSPORT_AUTO;

static int dfx_transport_set(const char *val, const struct kernel_param *kp)
{
	int i = sysfs_match_string(dfx_transport_names, val);

	if (i < 0)
		return i;
	dfx_transport = i;
	return 0;
}

static int dfx_transport_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%s\n", dfx_transport_names[dfx_transport]);
}

static const struct kernel_param_ops dfx_transport_param = {
	.set = dfx_transport_set,
	.get = dfx_transport_get,
};
module_param_cb(transport, &dfx_transport_param, NULL, 0644);
MODULE_PARM_DESC(transport,
		 "how devices bound from now on are reached: auto (by their profile), direct (memory), shadow (copies)");

bool dfx_transport_copies(u32 arch)
{
	switch (READ_ONCE(dfx_transport)) {
	case DFX_TRANSPORT_DIRECT:
		return false;
	case DFX_TRANSPORT_SHADOW:
		return true;
	default:
		return arch == DFX_ARCH_A5;
	}
}
EXPORT_SYMBOL_NS_GPL(dfx_transport_copies, DFX_NS);

static bool dfx_transport_is_shadow(const struct dfx_io *io)
{
	return io->ops == &dfx_region_shadow_ops;
}

/**
 * dfx_transport_open() - reach a part of an aperture
 * @io: filled in; reaches no more than headers before it has a geometry.
 * @ap: the aperture.
 * @off: first byte.
 * @size: bytes.
 *
 * Return: 0 or -ENOMEM. Ended by dfx_transport_close().
 */
int dfx_transport_open(struct dfx_io *io, const struct dfx_aperture *ap,
		       u64 off, u64 size)
{
	struct dfx_shadow *s;

	*io = (struct dfx_io){ .size = size };
	if (ap->base) {
		io->ops = &dfx_region_direct_ops;
		io->base = ap->base + off;
		return 0;
	}

	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	s->mem.nr_stores = DFX_SHADOW_FIRST_STORES;
	s->mem.stores = kvcalloc(s->mem.nr_stores, sizeof(*s->mem.stores),
				 GFP_KERNEL);
	if (!s->mem.stores) {
		kfree(s);
		return -ENOMEM;
	}
	s->copy = ap->copy;
	s->bus = ap->bus;
	s->origin = off;
	io->ops = &dfx_region_shadow_ops;
	io->base = s;
	io->look_ns = DFX_SHADOW_LOOK_NS;
	return 0;
}

/**
 * dfx_transport_close() - give back what dfx_transport_open() and later calls
 *	have taken
 * @io: the part; nobody uses it.
 */
void dfx_transport_close(struct dfx_io *io)
{
	struct dfx_shadow *s = io->base;

	if (!dfx_transport_is_shadow(io))
		return;
	dfx_transport_cancel(&s->mem);
	kfree(s);
}

/**
 * dfx_transport_bytes() - memory of the host's that a transport uses
 * @io: the region.
 * @geom: its geometry.
 */
u64 dfx_transport_bytes(const struct dfx_io *io,
			const struct dfx_geometry *geom)
{
	const struct dfx_shadow *s = io->base;

	if (!dfx_transport_is_shadow(io))
		return 0;
	return sizeof(*s) + 2 * s->index_len + PAGE_ALIGN(geom->data_size) +
	       s->mem.nr_stores * sizeof(*s->mem.stores);
}

/**
 * dfx_transport_prepare() - the host's memory for a geometry
 * @io: the region; goes on as it is.
 * @geom: the geometry.
 * @mem: filled in, for dfx_transport_commit() or dfx_transport_cancel().
 *
 * Return: 0 or -ENOMEM.
 */
int dfx_transport_prepare(const struct dfx_io *io,
			  const struct dfx_geometry *geom,
			  struct dfx_shadow_memory *mem)
{
	*mem = (struct dfx_shadow_memory){ };
	if (!dfx_transport_is_shadow(io))
		return 0;
	mem->nr_stores = dfx_shadow_nr_stores(geom);
	mem->stores = kvcalloc(mem->nr_stores, sizeof(*mem->stores),
			       GFP_KERNEL_ACCOUNT);
	mem->index = kvzalloc(geom->rq_off - geom->dev_off,
			      GFP_KERNEL_ACCOUNT);
	mem->landing = kvzalloc(geom->rq_off - geom->dev_off,
				GFP_KERNEL_ACCOUNT);
	mem->data = dfx_mmap_alloc(PAGE_ALIGN(geom->data_size));
	if (!mem->stores || !mem->index || !mem->landing || !mem->data) {
		dfx_transport_cancel(mem);
		return -ENOMEM;
	}
	return 0;
}

/**
 * dfx_transport_cancel() - give back memory that is not needed
 * @mem: of dfx_transport_prepare().
 */
void dfx_transport_cancel(struct dfx_shadow_memory *mem)
{
	vfree(mem->data);
	kvfree(mem->landing);
	kvfree(mem->index);
	kvfree(mem->stores);
	*mem = (struct dfx_shadow_memory){ };
}

/**
 * dfx_transport_commit() - give a region its geometry
 * @io: the region; no session, no mapping.
 * @geom: the geometry.
 * @mem: of dfx_transport_prepare().
 */
void dfx_transport_commit(struct dfx_io *io, const struct dfx_geometry *geom,
			  struct dfx_shadow_memory *mem)
{
	struct dfx_shadow *s = io->base;
	struct dfx_shadow_memory old;

	io->data_off = geom->buf_off;
	if (!dfx_transport_is_shadow(io))
		return;
	old = s->mem;
	dfx_shadow_layout(io, geom, mem);
	dfx_transport_cancel(&old);
}
