/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rng.h - random numbers that can be had again from a printed seed
 */
#ifndef DFX_TEST_RNG_H
#define DFX_TEST_RNG_H

#include <stdbool.h>
#include <stdlib.h>
#include <linux/types.h>

#include "deadline.h"

/**
 * struct rng - one sequence
 * @state: where it is.
 */
struct rng {
	__u64 state;
};

/* Sequence @stream of a seed: those of two streams have nothing in common. */
static inline struct rng rng_of(__u64 seed, __u64 stream)
{
	return (struct rng){
		.state = seed + stream * 0xd1342543de82ef95ull,
	};
}

static inline __u64 rng_next(struct rng *r)
{
	__u64 x = r->state += 0x9e3779b97f4a7c15ull;

	/* The finalizer of a well-known hash: every bit depends on every bit. */
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

/* 0 to @n - 1. */
static inline __u32 rng_below(struct rng *r, __u32 n)
{
	return rng_next(r) % n;
}

/* True once in @n times. */
static inline bool rng_once_in(struct rng *r, __u32 n)
{
	return !rng_below(r, n);
}

/* A number of the environment, or what it is without. */
static inline __u64 env_number(const char *name, __u64 otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

/* DFX_SEED, or one that nobody has had yet. */
static inline __u64 env_seed(void)
{
	struct rng r = { .state = clock_ns() };

	return env_number("DFX_SEED", rng_next(&r) >> 32);
}

#endif /* DFX_TEST_RNG_H */
