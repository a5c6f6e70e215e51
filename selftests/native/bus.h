/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bus.h - a bus that does no more than struct dfx_copy_ops promises
 *
 * Writes arrive late, at the fence at the latest; those of more than one field in
 * pieces. Reads overtake writes, and are torn: one goes through its words in any
 * order, and the device may do something between two of them. Copies fail, with
 * nothing or a part of it done. All that is left is the order of the calls.
 *
 * Called by one thread at a time, as the region's lock sees to.
 */
#ifndef DFX_BUS_H
#define DFX_BUS_H

#include <stdbool.h>

#include <linux/kernel.h>

#include "driver/transport.h"

/* Writes that can be under way, each of one field. */
#define BUS_MAX_WRITES	512
/* Calls that are kept. */
#define BUS_MAX_LOG	4096

enum bus_call { BUS_FROM, BUS_TO, BUS_FENCE };

struct bus_log {
	enum bus_call call;
	u64 off;
	u64 len;
};

struct bus_write {
	u64 off;
	u32 val;
};

/**
 * struct bus - the bus
 * @mem: the aperture.
 * @rng: state of the generator; not 0.
 * @lazy: writes arrive at a fence only, or if there is no room for more.
 * @hasty: writes arrive at once.
 * @fail: of 1000 calls, how many start a series of failures.
 * @failing: calls that will fail yet.
 * @max_failing: longest series.
 * @fail_off: copies from there fail, whatever the rest says; with @fail_len.
 * @fail_len: bytes there; 0 for none.
 * @fail_to: all writes fail.
 * @gone: every read is answered by all ones, every write is lost.
 * @between: called between two words of a read, with the offset of the next.
 * @arg: its argument.
 * @writes: writes under way, oldest first, @nr_writes of them.
 * @nr_writes: their number.
 * @log: the first calls since bus_forget() that succeeded.
 * @nr_log: their number.
 * @splits: fields that were not moved as one; has to stay 0.
 */
struct bus {
	u8 *mem;
	u64 rng;
	bool lazy;
	bool hasty;
	u32 fail;
	u32 failing;
	u32 max_failing;
	u64 fail_off;
	u64 fail_len;
	bool fail_to;
	bool gone;
	void (*between)(void *arg, u64 off);
	void *arg;
	struct bus_write writes[BUS_MAX_WRITES];
	u32 nr_writes;
	struct bus_log log[BUS_MAX_LOG];
	u32 nr_log;
	u32 splits;
};

extern const struct dfx_copy_ops bus_ops;

void bus_forget(struct bus *bus);

/* Place in the log of the first such call that touches [off, off + len). */
int bus_find(const struct bus *bus, enum bus_call call, u64 off, u64 len,
	     int from);

#endif /* DFX_BUS_H */
