/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rogue.h - a user that does to a node whatever can be done to it
 *
 * It runs in a process of its own that may die at any moment, by itself or not.
 */
#ifndef DFX_TEST_ROGUE_H
#define DFX_TEST_ROGUE_H

#include <stdbool.h>
#include <sys/types.h>

#include "ring.h"
#include "rng.h"

#define ROGUE_MAX_FDS	4
#define ROGUE_MAX_MAPS	6
#define ROGUE_COOKIES	64

/* Exit status: it got what nobody may have. */
#define ROGUE_BREACH	20
/* It could not even begin. */
#define ROGUE_NO_DEVICE	21

/**
 * struct rogue_log - what the test sees of it, in shared memory
 * @acts: things done.
 */
struct rogue_log {
	__u64 acts;
};

/**
 * struct rogue - what it knows
 * @path: the node.
 * @rng: of this thread.
 * @log: where it counts.
 * @all: it may also end sessions: nobody else uses the region.
 * @ring: it is a consumer, if @attached.
 * @attached: see @ring.
 * @cookie: cookies that it has seen, true or not any more.
 * @nr_cookies: their number ever; the last ROGUE_COOKIES are there.
 */
struct rogue {
	const char *path;
	struct rng rng;
	struct rogue_log *log;
	bool all;
	struct ring ring;
	bool attached;
	__u64 cookie[ROGUE_COOKIES];
	__u32 nr_cookies;
};

/* One act on the two rings: releases, true and false, and wild indices. */
void rogue_ring_act(struct rogue *r);

/*
 * Starts a process that attaches @lanes and then does things to its rings, its
 * mappings and its file, for ever.
 */
pid_t rogue_consumer(const char *path, __u64 lanes, struct rng rng,
		     struct rogue_log *log);

/* Starts a process whose three threads open, use and close the same files. */
pid_t rogue_crowd(const char *path, struct rng rng, struct rogue_log *log);

__u64 rogue_acts(const struct rogue_log *log);

#endif /* DFX_TEST_ROGUE_H */
