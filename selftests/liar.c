// SPDX-License-Identifier: GPL-2.0-only
/*
 * liar.c - a lane that works, and lies in every way that a message can
 */
#include <sched.h>
#include <string.h>

#include "deadline.h"
#include "liar.h"

static bool flag(const bool *f)
{
	return __atomic_load_n(f, __ATOMIC_ACQUIRE);
}

static bool liar_lying(const struct liar *l)
{
	return !flag(&l->honest) && !flag(&l->stop);
}

static void liar_lied(struct liar *l)
{
	__atomic_add_fetch(&l->lies, 1, __ATOMIC_RELAXED);
}

/* ---- with what -------------------------------------------------------------- */

static void liar_add(struct liar *l, void *words, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes / sizeof(__u32); i++)
		if (l->nr_targets < LIAR_MAX_TARGETS)
			l->target[l->nr_targets++] = (__le32 *)words + i;
}

static void liar_aim(struct liar *l)
{
	struct dfx_dev_lane *lane = &l->lane->lane;
	struct dfx_dev_pool *p;
	__u32 i;

	if (l->kind == LIAR_ARENA_FLIPS) {
		for (i = 0; i < lane->rq_depth; i++)
			liar_add(l, &lane->entries[i].arena_end,
				 sizeof(lane->entries[i].arena_end));
		return;
	}
	liar_add(l, lane->shm, sizeof(*lane->shm));
	liar_add(l, lane->rq_head, sizeof(lane->rq_head->head));
	if (lane->arena)
		liar_add(l, &lane->rq_head->arena_head,
			 sizeof(lane->rq_head->arena_head));
	for (p = lane->first_pool; p; p = p->next) {
		liar_add(l, p->shm, sizeof(*p->shm));
		liar_add(l, p->fq, sizeof(*p->fq));
	}
	liar_add(l, lane->contended, 2 * sizeof(__le32));
	l->nr_own = l->nr_targets;
	liar_add(l, lane->entries,
		 lane->rq_depth * sizeof(struct dfx_shm_entry));
}

/* A value that is wrong, but not always far from what is right. */
static __u32 liar_value(struct liar *l, struct rng *r, __u32 now)
{
	switch (rng_below(r, 12)) {
	case 0: return 0;
	case 1: return 1;
	case 2: return now + 1;
	case 3: return now - 1;
	case 4: return now + rng_below(r, 9);
	case 5: return ~0u;
	case 6: return 0x7fffffff;
	case 7: return 0x80000000;
	case 8: return rng_below(r, 20);
	case 9: return 1u << rng_below(r, 32);
	case 10: return *l->target[rng_below(r, l->nr_targets)];
	default: return rng_next(r);
	}
}

static void liar_spoil(struct liar *l, struct rng *r, __u32 first, __u32 nr)
{
	__le32 *word = l->target[first + rng_below(r, nr)];

	dfx_port_store32_release(word, liar_value(l, r, *word));
	liar_lied(l);
}

/* An entry that would be right, but for a field or two. */
static void liar_forge(struct liar *l)
{
	struct dfx_dev_lane *lane = &l->lane->lane;
	struct dfx_dev_pool *p = lane->first_pool;
	struct dfx_shm_entry e;
	__u32 words[sizeof(e) / sizeof(__u32)];
	int i;

	if (p->next && rng_once_in(&l->rng, 2))
		p = p->next;
	e = fw_entry(l->lane, p->id);
	memcpy(words, &e, sizeof(e));
	for (i = 1 + rng_below(&l->rng, 2); i; i--) {
		__u32 w = rng_below(&l->rng, sizeof(e) / sizeof(__u32));

		words[w] = liar_value(l, &l->rng, words[w]);
	}
	memcpy(&e, words, sizeof(e));
	fw_forge(l->lane, &e);
	liar_lied(l);
}

/* Where it says that its arena is used up to. */
static __u32 liar_position(struct liar *l, __u32 tail, __u32 head, __u32 units)
{
	switch (rng_below(&l->rng, 8)) {
	case 0: return tail - 1;
	case 1: return tail + 1;
	case 2: return tail + units;
	case 3: return tail + units + 1;
	/* All that was given back when it looked, and one unit more. */
	case 4: return head + units;
	case 5: return head + units + 1;
	case 6: return tail - 1 - rng_below(&l->rng, units);
	default: return rng_next(&l->rng);
	}
}

/*
 * An entry whose position alone is wrong, published by the engine. A lie that can
 * be true is believed, and the lane goes on from there.
 */
static void liar_reach(struct liar *l)
{
	struct dfx_dev_lane *lane = &l->lane->lane;
	struct dfx_dev_pool *p = lane->first_pool;
	__u64 told = lane->arena_tail;
	struct dfx_shm_entry e;
	__u32 end, used;

	end = liar_position(l, (__u32)told,
			    dfx_port_load32_acquire(&lane->rq_head->arena_head),
			    lane->arena_units);
	if (dfx_port_load32(&lane->rq_head->refused)) {
		/* Found out; it goes on, and nobody listens. */
		e = fw_entry(l->lane, p->id);
		e.arena_end = end;
		fw_forge(l->lane, &e);
		liar_lied(l);
		return;
	}
	/* So that the driver has been told the truth, up to here. */
	if (dfx_dev_flush(lane, DFX_DEV_TRY) ||
	    fw_payload(l->lane, p->id, 0, DFX_DEV_TRY))
		return;
	used = end - (__u32)told;
	lane->arena_tail = told + used;
	if (!dfx_dev_flush(lane, DFX_DEV_TRY) && !p->count &&
	    used > lane->arena_units)
		__atomic_store_n(&l->must, true, __ATOMIC_RELEASE);
	/* It would not let itself be found out by its own engine. */
	if (used > lane->arena_units)
		lane->arena_tail = told;
	liar_lied(l);
}

/* What its last records, which nobody publishes, say about their payloads. */
static void liar_spoil_payload(struct liar *l)
{
	struct dfx_dev_pool *p = l->lane->lane.first_pool;
	struct dfx_rec_dump *rec = (struct dfx_rec_dump *)p->slot;
	__le32 *word;

	if (!p->count)
		return;
	rec -= 1 + rng_below(&l->rng, p->count);
	word = (__le32 *)(rng_once_in(&l->rng, 2) ? &rec->payload_offset :
						    &rec->payload_size);
	word += rng_below(&l->rng, 2);
	*word = liar_value(l, &l->rng, *word);
}

static void liar_ones(struct liar *l)
{
	__u32 i;

	for (i = 0; i < l->nr_targets; i++)
		dfx_port_store32_release(l->target[i], ~0u);
	liar_lied(l);
}

static void liar_mark(struct liar *l, struct rng *r)
{
	struct dfx_shm_contended *c = l->lane->lane.contended;
	__u32 value = rng_once_in(r, 2) ? 1 : rng_next(r) | 1;

	dfx_port_store32_release(&c->rq_contended, value);
	dfx_port_store32_release(&c->fq_contended, value);
	liar_lied(l);
}

/* Puts it to the wrong value and back, so that both are seen. */
static void liar_flip(struct liar *l)
{
	struct rng *r = &l->flip_rng;
	__le32 *word = l->target[rng_below(r, l->nr_targets)];
	__u32 now = dfx_port_load32(word);
	__u32 wrong = liar_value(l, r, now);
	int i;

	for (i = 0; i < 20; i++) {
		dfx_port_store32(word, wrong);
		dfx_port_store32(word, now);
	}
	if (rng_once_in(r, 16))
		dfx_port_store32(word, wrong);
	liar_lied(l);
}

/*
 * Likewise, with the position of the newest entry, for as long as the driver has
 * not taken it: so close together that it sees one value, then another.
 */
static bool liar_flip_position(struct liar *l)
{
	struct dfx_dev_lane *lane = &l->lane->lane;
	__u32 tail = dfx_port_load32_acquire(&lane->shm->rq_tail);
	__le32 *word = &lane->entries[(tail - 1) & (lane->rq_depth - 1)]
			.arena_end;
	__u32 now = dfx_port_load32(word);
	__u32 wrong = liar_value(l, &l->flip_rng, now);
	int i;

	for (i = 0; i < 1000; i++) {
		if ((__s32)(tail - dfx_port_load32(&lane->rq_head->head)) <= 0)
			break;
		dfx_port_store32(word, wrong);
		dfx_port_store32(word, now);
	}
	if (!i)
		return false;
	if (rng_once_in(&l->flip_rng, 4))
		dfx_port_store32(word, wrong);
	liar_lied(l);
	return true;
}

/* ---- its threads --------------------------------------------------------------- */

static void liar_lie(struct liar *l)
{
	enum liar_kind kind = l->kind;

	if (kind == LIAR_ALL)
		kind = rng_below(&l->rng, LIAR_FLIPS);
	switch (kind) {
	case LIAR_WORDS:
		liar_spoil(l, &l->rng, 0, l->nr_own);
		break;
	case LIAR_ENTRIES:
		liar_forge(l);
		break;
	case LIAR_ONES:
		liar_ones(l);
		break;
	case LIAR_ARENA:
		liar_reach(l);
		break;
	case LIAR_DEAF:
		if (l->lane->lane.arena)
			liar_spoil_payload(l);
		/* An answer, but to what? */
		dfx_port_store32_release(rng_once_in(&l->rng, 2) ?
					 &l->lane->lane.shm->flush_ack :
					 &l->lane->lane.shm->ack,
					 liar_value(l, &l->rng, 0));
		liar_lied(l);
		break;
	default:
		break;
	}
}

/*
 * A lie about its arena that the driver has believed, or that it could not tell
 * yet, leaves head and tail too far apart for its own engine, which then gives up
 * for good: no more lies, and no more of the truth. It goes on from the head.
 */
static void liar_revive(struct liar *l)
{
	struct dfx_dev_lane *lane = &l->lane->lane;
	__u32 head;

	if (!lane->running || !lane->fault ||
	    dfx_port_load32(&lane->rq_head->refused))
		return;
	head = dfx_port_load32(&lane->rq_head->arena_head);
	lane->arena_tail += (__s32)(head - (__u32)lane->arena_tail);
	lane->fault = 0;
}

/* Never waits: a lane that the driver has given up would wait for long. */
static void liar_work(struct liar *l)
{
	struct dfx_dev_lane *lane = &l->lane->lane;
	struct dfx_dev_pool *p;

	for (p = dfx_dev_next_pool(lane, NULL); p;
	     p = dfx_dev_next_pool(lane, p))
		if (fw_record(l->lane, p->id, DFX_DEV_TRY) ==
		    DFX_DEV_NOSESSION)
			break;
}

static void *liar_thread(void *arg)
{
	struct liar *l = arg;
	struct dfx_dev_lane *lane = &l->lane->lane;
	__u32 good = rng_below(&l->rng, 40);

	/* It starts as every lane does. */
	while (!flag(&l->stop) && !lane->running) {
		dfx_dev_flush(lane, DFX_DEV_TRY);
		breathe();
	}
	if (!lane->running)
		return NULL;
	while (good-- && lane->running) {
		liar_work(l);
		breathe();
	}
	if (!lane->running)
		return NULL;
	liar_aim(l);
	/* The second thread reads the targets. */
	__atomic_store_n(&l->flips, l->kind == LIAR_FLIPS ||
			 l->kind == LIAR_ARENA_FLIPS ||
			 l->kind == LIAR_MARKS || l->kind == LIAR_ALL,
			 __ATOMIC_RELEASE);
	while (!flag(&l->stop)) {
		if (l->kind != LIAR_DEAF) {
			if (l->kind == LIAR_ARENA || l->kind == LIAR_ARENA_FLIPS)
				liar_revive(l);
			dfx_dev_flush(lane, DFX_DEV_TRY);
			liar_work(l);
		}
		if (lane->running && liar_lying(l) &&
		    (l->kind == LIAR_DEAF || rng_once_in(&l->rng, 3)))
			liar_lie(l);
		breathe();
	}
	return NULL;
}

static void *liar_flipper(void *arg)
{
	struct liar *l = arg;

	while (liar_lying(l)) {
		if (!flag(&l->flips)) {
			breathe();
		} else if (l->kind == LIAR_MARKS) {
			liar_mark(l, &l->flip_rng);
			sched_yield();
		} else if (l->kind == LIAR_ARENA_FLIPS) {
			if (!liar_flip_position(l))
				sched_yield();
		} else {
			liar_flip(l);
			if (rng_once_in(&l->flip_rng, 8))
				sched_yield();
		}
	}
	return NULL;
}

int liar_start(struct liar *l, struct fw_lane *lane, enum liar_kind kind,
	       struct rng rng)
{
	int err;

	*l = (struct liar){
		.lane = lane,
		.kind = kind,
		.rng = rng,
		.flip_rng = rng_of(rng_next(&rng), 1),
	};
	err = pthread_create(&l->thread, NULL, liar_thread, l);
	if (err)
		return -err;
	err = pthread_create(&l->flipper, NULL, liar_flipper, l);
	if (err) {
		__atomic_store_n(&l->stop, true, __ATOMIC_RELEASE);
		pthread_join(l->thread, NULL);
	}
	return -err;
}

__u32 liar_lies(const struct liar *l)
{
	return __atomic_load_n(&l->lies, __ATOMIC_RELAXED);
}

void liar_repent(struct liar *l)
{
	__atomic_store_n(&l->honest, true, __ATOMIC_RELEASE);
}

void liar_stop(struct liar *l)
{
	if (!l->lane)
		return;
	__atomic_store_n(&l->stop, true, __ATOMIC_RELEASE);
	pthread_join(l->thread, NULL);
	pthread_join(l->flipper, NULL);
	l->lane = NULL;
}
