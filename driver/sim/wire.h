/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wire.h - posted writes on their way to the other side's memory
 *
 * One direction between two memories. What is posted arrives late, in the order in
 * which it was posted, and in pieces: a reader of the other memory may find the
 * first piece of a post without the second, never the second without the first.
 * Nobody carries the posts but those who call dfx_sim_wire_deliver(), so that a
 * side that does not look finds nothing.
 *
 * Locking: all calls may be made by any thread, in any context that may spin. The
 * far memory is written under the wire's lock and read without it.
 */
#ifndef DFX_SIM_WIRE_H
#define DFX_SIM_WIRE_H

#include <linux/compiler.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/* Bytes that arrive at once. */
#define DFX_SIM_PIECE	64

/* Posts that are under way at most; a power of two. */
#define DFX_SIM_POSTS	4096

/**
 * struct dfx_sim_post - a piece under way
 * @due_ns: when it arrives.
 * @off: where.
 * @len: bytes of it, at most DFX_SIM_PIECE.
 * @data: these.
 */
struct dfx_sim_post {
	u64 due_ns;
	u64 off;
	u32 len;
	u8 data[DFX_SIM_PIECE] __aligned(8);
};

/**
 * struct dfx_sim_wire - one direction
 * @far: the other side's memory.
 * @delay_ns: time on the way.
 * @piece_ns: time from one piece to the next.
 * @lock: protects what follows.
 * @next_ns: when the next piece arrives, ~0 if there is none; read without @lock
 *	as a hint.
 * @last_ns: when the last one does.
 * @head: pieces that have arrived; free-running.
 * @tail: pieces posted; free-running.
 * @post: the pieces, DFX_SIM_POSTS of them.
 */
struct dfx_sim_wire {
	void *far;
	u64 delay_ns;
	u64 piece_ns;
	spinlock_t lock;	/* what follows */
	u64 next_ns;
	u64 last_ns;
	u32 head;
	u32 tail;
	struct dfx_sim_post post[DFX_SIM_POSTS];
};

/**
 * dfx_sim_wire_init() - an empty wire
 * @wire: zeroed; some 400 KiB.
 * @far: the other side's memory.
 * @delay_ns: time on the way.
 * @piece_ns: time from one piece to the next; 0: all pieces of a post are due at
 *	once, and still arrive one after the other.
 */
void dfx_sim_wire_init(struct dfx_sim_wire *wire, void *far, u64 delay_ns,
		       u64 piece_ns);

/**
 * dfx_sim_wire_post() - send bytes, or as many as there is room for
 * @wire: the wire.
 * @off: where they go to.
 * @src: the bytes; copied.
 * @len: how many.
 * @now_ns: the time.
 *
 * A piece ends at a multiple of DFX_SIM_PIECE, so that what is aligned and no
 * larger than 8 bytes arrives at once.
 *
 * Return: bytes posted; less than @len if the wire is full.
 */
u32 dfx_sim_wire_post(struct dfx_sim_wire *wire, u64 off, const void *src,
		      u32 len, u64 now_ns);

/**
 * dfx_sim_wire_deliver() - let arrive what is due
 * @wire: the wire.
 * @now_ns: the time.
 */
void dfx_sim_wire_deliver(struct dfx_sim_wire *wire, u64 now_ns);

/* Whether there is anything under way; a hint. */
static inline bool dfx_sim_wire_idle(const struct dfx_sim_wire *wire)
{
	return READ_ONCE(wire->next_ns) == ~0ull;
}

/* Pieces posted so far: see dfx_sim_wire_arrived(). */
u32 dfx_sim_wire_mark(struct dfx_sim_wire *wire);

/* Whether all that had been posted at the @mark has arrived. */
bool dfx_sim_wire_arrived(struct dfx_sim_wire *wire, u32 mark);

#endif /* DFX_SIM_WIRE_H */
