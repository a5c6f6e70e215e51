// SPDX-License-Identifier: GPL-2.0-only
/*
 * region_direct.c - transport for an aperture that is coherent memory
 *
 * Loads and stores go straight to the shared words. The other side may be
 * another machine's CPU, so that the barriers must not vanish on a kernel
 * built for one processor: virt_*, not smp_*.
 */
#include <linux/compiler.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <asm/byteorder.h>

#include "region_ops.h"

static u32 dfx_direct_load32(struct dfx_io *io, u64 off)
{
	/* Pairs with dfx_port_store32_release() in the firmware. */
	return le32_to_cpu(virt_load_acquire((__le32 *)(io->base + off)));
}

static void dfx_direct_store32(struct dfx_io *io, u64 off, u32 val)
{
	/* Pairs with dfx_port_load32_acquire() in the firmware. */
	virt_store_release((__le32 *)(io->base + off), cpu_to_le32(val));
}

static u64 dfx_direct_load64(struct dfx_io *io, u64 off)
{
	return le64_to_cpu(READ_ONCE(*(__le64 *)(io->base + off)));
}

static void dfx_direct_full_barrier(struct dfx_io *io)
{
	/* Pairs with the order in which a lane publishes and marks. */
	virt_mb();
}

static int dfx_direct_pull(struct dfx_io *io, u64 off, u32 len)
{
	/* Each load looks for itself. */
	return 0;
}

static int dfx_direct_read(struct dfx_io *io, u64 off, void *dst, u32 len)
{
	memcpy(dst, io->base + off, len);
	/* The copy is used, the original is not looked at again. */
	barrier();
	return 0;
}

static int dfx_direct_write(struct dfx_io *io, u64 off, const void *src,
			    u32 len)
{
	memcpy(io->base + off, src, len);
	return 0;
}

static int dfx_direct_fetch(struct dfx_io *io, u64 off, u64 data, u32 len)
{
	/* It is where it has to be. */
	return 0;
}

static void *dfx_direct_data(struct dfx_io *io, u64 data)
{
	return io->base + io->data_off + data;
}

const struct dfx_region_ops dfx_region_direct_ops = {
	.name = "direct",
	.load32 = dfx_direct_load32,
	.store32 = dfx_direct_store32,
	.load64 = dfx_direct_load64,
	.full_barrier = dfx_direct_full_barrier,
	.pull = dfx_direct_pull,
	.read = dfx_direct_read,
	.write = dfx_direct_write,
	.fetch = dfx_direct_fetch,
	.data = dfx_direct_data,
};
