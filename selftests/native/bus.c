// SPDX-License-Identifier: GPL-2.0-only
/*
 * bus.c - a bus that does no more than struct dfx_copy_ops promises
 */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "bus.h"

static u32 draw(struct bus *bus, u32 n)
{
	bus->rng ^= bus->rng << 13;
	bus->rng ^= bus->rng >> 7;
	bus->rng ^= bus->rng << 17;
	return (bus->rng >> 20) % n;
}

static void land(struct bus *bus, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		__atomic_store_n((u32 *)(bus->mem + bus->writes[i].off),
				 bus->writes[i].val, __ATOMIC_RELEASE);
	bus->nr_writes -= nr;
	memmove(bus->writes, bus->writes + nr,
		bus->nr_writes * sizeof(bus->writes[0]));
}

static void land_some(struct bus *bus)
{
	if (bus->hasty)
		land(bus, bus->nr_writes);
	else if (!bus->lazy && bus->nr_writes)
		land(bus, draw(bus, bus->nr_writes + 1));
}

static bool fails(struct bus *bus)
{
	if (!bus->failing && bus->fail && draw(bus, 1000) < bus->fail)
		bus->failing = 1 + draw(bus, bus->max_failing);
	if (!bus->failing)
		return false;
	bus->failing--;
	return true;
}

static void note(struct bus *bus, enum bus_call call, u64 off, u64 len)
{
	if (bus->nr_log < BUS_MAX_LOG)
		bus->log[bus->nr_log++] = (struct bus_log){ call, off, len };
}

static u32 read_word(struct bus *bus, u64 off)
{
	if (bus->gone)
		return ~0u;
	return __atomic_load_n((u32 *)(bus->mem + off), __ATOMIC_ACQUIRE);
}

/* Forwards, backwards, or from somewhere in the middle. */
static void read_words(struct bus *bus, u8 *dst, u64 off, u32 nr)
{
	u32 first = draw(bus, nr), step = draw(bus, 2) ? 1 : nr - 1, i, at;
	u32 val;

	for (i = 0, at = first; i < nr; i++, at = (at + step) % nr) {
		if (bus->between)
			bus->between(bus->arg, off + at * sizeof(val));
		else if (!draw(bus, 512))
			sched_yield();
		val = read_word(bus, off + at * sizeof(val));
		memcpy(dst + at * sizeof(val), &val, sizeof(val));
	}
}

static int bus_from(void *arg, void *dst, u64 off, size_t len)
{
	struct bus *bus = arg;

	land_some(bus);
	if (off % sizeof(u32) || len % sizeof(u32)) {
		bus->splits++;
		return -EIO;
	}
	if (fails(bus) || (off < bus->fail_off + bus->fail_len &&
			   off + len > bus->fail_off)) {
		/* Some of it has been copied. */
		memset(dst, 0x5a, len / 2);
		return -EIO;
	}
	note(bus, BUS_FROM, off, len);
	read_words(bus, dst, off, len / sizeof(u32));
	return 0;
}

static int bus_to(void *arg, u64 off, const void *src, size_t len)
{
	struct bus *bus = arg;
	u32 i, val;

	if (off % sizeof(u32) || len % sizeof(u32)) {
		bus->splits++;
		return -EIO;
	}
	if (bus->fail_to || fails(bus))
		return -EIO;
	note(bus, BUS_TO, off, len);
	for (i = 0; i < len / sizeof(val) && !bus->gone; i++) {
		if (bus->nr_writes == BUS_MAX_WRITES)
			land(bus, BUS_MAX_WRITES / 2);
		memcpy(&val, (const u8 *)src + i * sizeof(val), sizeof(val));
		bus->writes[bus->nr_writes++] =
			(struct bus_write){ off + i * sizeof(val), val };
	}
	land_some(bus);
	return 0;
}

static void bus_fence(void *arg)
{
	struct bus *bus = arg;
	int fence = 0;

	note(bus, BUS_FENCE, 0, 0);
	land(bus, bus->nr_writes);
	/* A read-modify-write, since ThreadSanitizer does not know fences. */
	__atomic_fetch_add(&fence, 1, __ATOMIC_SEQ_CST);
}

const struct dfx_copy_ops bus_ops = {
	.from = bus_from,
	.to = bus_to,
	.fence = bus_fence,
};

void bus_forget(struct bus *bus)
{
	bus->nr_log = 0;
}

int bus_find(const struct bus *bus, enum bus_call call, u64 off, u64 len,
	     int from)
{
	u32 i;

	if (from < 0)
		return -1;
	for (i = from; i < bus->nr_log; i++)
		if (bus->log[i].call == call &&
		    (call == BUS_FENCE ||
		     (bus->log[i].off < off + len &&
		      off < bus->log[i].off + bus->log[i].len)))
			return i;
	return -1;
}
