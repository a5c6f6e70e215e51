// SPDX-License-Identifier: GPL-2.0-only
/*
 * wire.c - posted writes on their way to the other side's memory
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/barrier.h>

#include "wire.h"

void dfx_sim_wire_init(struct dfx_sim_wire *wire, void *far, u64 delay_ns,
		       u64 piece_ns)
{
	wire->far = far;
	wire->delay_ns = delay_ns;
	wire->piece_ns = piece_ns;
	spin_lock_init(&wire->lock);
	wire->next_ns = ~0ull;
	wire->last_ns = 0;
	wire->head = 0;
	wire->tail = 0;
}

static struct dfx_sim_post *wire_post(struct dfx_sim_wire *wire, u32 index)
{
	return &wire->post[index % DFX_SIM_POSTS];
}

u32 dfx_sim_wire_post(struct dfx_sim_wire *wire, u64 off, const void *src,
		      u32 len, u64 now_ns)
{
	struct dfx_sim_post *post;
	u32 done = 0, n;

	spin_lock(&wire->lock);
	while (done < len && wire->tail - wire->head < DFX_SIM_POSTS) {
		n = DFX_SIM_PIECE - (off + done) % DFX_SIM_PIECE;
		n = min(n, len - done);
		post = wire_post(wire, wire->tail++);
		post->off = off + done;
		post->len = n;
		memcpy(post->data, src + done, n);
		/* Never before the one ahead, whoever reads the clock late. */
		post->due_ns = max(now_ns + wire->delay_ns,
				   wire->last_ns + (done ? wire->piece_ns : 0));
		wire->last_ns = post->due_ns;
		done += n;
	}
	if (wire->head != wire->tail)
		WRITE_ONCE(wire->next_ns, wire_post(wire, wire->head)->due_ns);
	spin_unlock(&wire->lock);
	return done;
}

/* What the other side loads as one field must not arrive in parts. */
static void wire_arrive(struct dfx_sim_wire *wire,
			const struct dfx_sim_post *post)
{
	void *to = wire->far + post->off;
	u32 at = 0;

	if (!(post->off % 4)) {
		if (post->len == 8 && !(post->off % 8)) {
			/* After all before it; pairs with the far side's load. */
			smp_store_release((u64 *)to, *(const u64 *)post->data);
			return;
		}
		for (; post->len - at >= 4; at += 4)
			/* Likewise. */
			smp_store_release((u32 *)(to + at),
					  *(const u32 *)(post->data + at));
	}
	for (; at < post->len; at++)
		/* Likewise. */
		smp_store_release((u8 *)(to + at), post->data[at]);
}

void dfx_sim_wire_deliver(struct dfx_sim_wire *wire, u64 now_ns)
{
	struct dfx_sim_post *post;

	if (READ_ONCE(wire->next_ns) > now_ns)
		return;
	spin_lock(&wire->lock);
	while (wire->head != wire->tail) {
		post = wire_post(wire, wire->head);
		if (post->due_ns > now_ns)
			break;
		wire_arrive(wire, post);
		wire->head++;
	}
	WRITE_ONCE(wire->next_ns, wire->head == wire->tail ? ~0ull :
		   wire_post(wire, wire->head)->due_ns);
	spin_unlock(&wire->lock);
}

u32 dfx_sim_wire_mark(struct dfx_sim_wire *wire)
{
	u32 mark;

	spin_lock(&wire->lock);
	mark = wire->tail;
	spin_unlock(&wire->lock);
	return mark;
}

bool dfx_sim_wire_arrived(struct dfx_sim_wire *wire, u32 mark)
{
	bool arrived;

	spin_lock(&wire->lock);
	arrived = (s32)(wire->head - mark) >= 0;
	spin_unlock(&wire->lock);
	return arrived;
}
