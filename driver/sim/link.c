// SPDX-License-Identifier: GPL-2.0-only
/*
 * link.c - a device and a host with different memories
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/barrier.h>

#include "link.h"

void dfx_sim_link_init(struct dfx_sim_link *link,
		       const struct dfx_sim_link_config *config)
{
	link->config = *config;
	dfx_sim_wire_init(&link->up, config->host, config->delay_ns,
			  config->piece_ns);
	dfx_sim_wire_init(&link->down, config->dev, config->delay_ns,
			  config->piece_ns);
}

/* Posts all of it; a full wire empties as time goes by. */
static void link_post(struct dfx_sim_link *link, struct dfx_sim_wire *wire,
		      u64 off, const void *src, u64 len)
{
	u64 done = 0;

	for (;;) {
		done += dfx_sim_wire_post(wire, off + done, src + done,
					  min_t(u64, len - done, U32_MAX),
					  link->config.clock());
		if (done == len)
			return;
		dfx_sim_wire_deliver(wire, link->config.clock());
		link->config.relax();
	}
}

void dfx_sim_link_post(struct dfx_sim_link *link, u64 off, u64 len)
{
	link_post(link, &link->up, off, link->config.dev + off, len);
}

static void link_settle(struct dfx_sim_link *link, struct dfx_sim_wire *wire)
{
	if (!dfx_sim_wire_idle(wire))
		dfx_sim_wire_deliver(wire, link->config.clock());
}

void dfx_sim_link_settle(struct dfx_sim_link *link)
{
	link_settle(link, &link->down);
}

/* A function of how many copies there were: the same run fails the same way. */
static bool link_fails(struct dfx_sim_link *link, size_t len)
{
	u32 x = READ_ONCE(link->copies) + 1;

	if (len < link->config.fail_len)
		return false;
	WRITE_ONCE(link->copies, x);
	/* The finalizer of murmur3: every bit moves every bit. */
	x = (x ^ (x >> 16)) * 0x85ebca6bu;
	x = (x ^ (x >> 13)) * 0xc2b2ae35u;
	x ^= x >> 16;
	return (u64)x * 1000000 >> 32 < READ_ONCE(link->config.fail_ppm);
}

int dfx_sim_link_from(void *bus, void *dst, u64 off, size_t len)
{
	struct dfx_sim_link *link = bus;
	const void *src = link->config.host + off;
	size_t at = 0;
	u32 word;

	if (link_fails(link, len))
		return -EIO;
	link_settle(link, &link->up);
	/* Words stay whole. */
	if (!(off % 4))
		for (; len - at >= 4; at += 4) {
			/* In order; pairs with wire_arrive(). */
			word = smp_load_acquire((const u32 *)(src + at));
			memcpy(dst + at, &word, 4);
		}
	for (; at < len; at++)
		/* Likewise. */
		*(u8 *)(dst + at) = smp_load_acquire((const u8 *)(src + at));
	return 0;
}

int dfx_sim_link_to(void *bus, u64 off, const void *src, size_t len)
{
	struct dfx_sim_link *link = bus;

	if (link_fails(link, len))
		return -EIO;
	/* A reader finds what it has written itself. */
	memcpy(link->config.host + off, src, len);
	link_post(link, &link->down, off, src, len);
	return 0;
}

static void link_await(struct dfx_sim_link *link, struct dfx_sim_wire *wire)
{
	u32 mark = dfx_sim_wire_mark(wire);

	while (!dfx_sim_wire_arrived(wire, mark)) {
		dfx_sim_wire_deliver(wire, link->config.clock());
		link->config.relax();
	}
}

void dfx_sim_link_fence(void *bus)
{
	struct dfx_sim_link *link = bus;

	link_await(link, &link->down);
	/* What a lane wrote before it could see that is on its way by now. */
	link_await(link, &link->up);
}
