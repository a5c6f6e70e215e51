/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * liar.h - a lane that works, and lies in every way that a message can
 *
 * What it may touch: its own words, the words of its pools, its queue, the two
 * marks, and what the host has written for it alone. Everything else belongs to
 * lanes that keep their word.
 */
#ifndef DFX_TEST_LIAR_H
#define DFX_TEST_LIAR_H

#include <pthread.h>
#include <stdbool.h>

#include "fw.h"
#include "rng.h"

/**
 * enum liar_kind - how it lies
 * @LIAR_WORDS: single words of its lane and pools, between two records.
 * @LIAR_ENTRIES: entries with fields that are wrong.
 * @LIAR_FLIPS: a second thread changes all it can while the driver looks.
 * @LIAR_ONES: 0xffffffff everywhere.
 * @LIAR_MARKS: marks both gates contended for ever.
 * @LIAR_DEAF: answers nothing any more, or with nonsense.
 * @LIAR_ARENA: how far it has used its arena; everything else is true.
 * @LIAR_ARENA_FLIPS: likewise, by a second thread and while the driver looks.
 * @LIAR_ALL: one or another of the first two.
 */
enum liar_kind {
	LIAR_WORDS,
	LIAR_ENTRIES,
	LIAR_FLIPS,
	LIAR_ONES,
	LIAR_MARKS,
	LIAR_DEAF,
	LIAR_ARENA,
	LIAR_ARENA_FLIPS,
	LIAR_ALL,
};

#define LIAR_MAX_TARGETS	640

/**
 * struct liar - the lane and its lies
 * @lane: the lane; nobody else uses it meanwhile.
 * @kind: how it lies.
 * @rng: of its own thread.
 * @flip_rng: of its second thread.
 * @thread: it writes records.
 * @flipper: it changes things.
 * @flips: whether there is that second thread.
 * @target: words that it lies with.
 * @nr_targets: their number; not 0 once there is a session.
 * @nr_own: of these, those before the entries.
 * @lies: how many times it has lied.
 * @must: one of them, about its arena, cannot have been believed.
 * @honest: it shall lie no more.
 * @stop: it shall end.
 */
struct liar {
	struct fw_lane *lane;
	enum liar_kind kind;
	struct rng rng;
	struct rng flip_rng;
	pthread_t thread;
	pthread_t flipper;
	bool flips;
	__le32 *target[LIAR_MAX_TARGETS];
	__u32 nr_targets;
	__u32 nr_own;
	__u32 lies;
	bool must;
	bool honest;
	bool stop;
};

/* Starts lying. 0 or -errno. */
int liar_start(struct liar *l, struct fw_lane *lane, enum liar_kind kind,
	       struct rng rng);

/* How many times it has lied. */
__u32 liar_lies(const struct liar *l);

/* From now on it only obeys; one that is deaf does not. */
void liar_repent(struct liar *l);

/* Ends it. Its lane has to be attached anew. */
void liar_stop(struct liar *l);

#endif /* DFX_TEST_LIAR_H */
