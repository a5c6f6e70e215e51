// SPDX-License-Identifier: GPL-2.0-only
/*
 * wire_test.c - the software device's two memories and what goes between them
 *
 * First with a clock that the test moves, then with threads: what a side has read
 * must never be older than what it had read before it, whatever is under way.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/errno.h>

#include "driver/sim/link.h"
#include "tap.h"

#define SIZE		8192
#define DELAY_NS	1000
#define BULK		1024	/* bytes of a bulk post */

static u8 dev_mem[SIZE] __aligned(64);
static u8 host_mem[SIZE] __aligned(64);
static struct dfx_sim_link *link_;

/* ---- by hand --------------------------------------------------------------- */

static u64 now_ns;

static u64 hand_clock(void)
{
	return now_ns;
}

static void hand_relax(void)
{
	now_ns += DELAY_NS / 4;
}

static void fresh(u64 delay_ns, u64 piece_ns, u32 fail_ppm, u64 (*clock)(void),
		  void (*relax)(void))
{
	struct dfx_sim_link_config config = {
		.dev = dev_mem,
		.host = host_mem,
		.size = SIZE,
		.delay_ns = delay_ns,
		.piece_ns = piece_ns,
		.fail_ppm = fail_ppm,
		.clock = clock,
		.relax = relax,
	};

	free(link_);
	link_ = calloc(1, sizeof(*link_));
	memset(dev_mem, 0, sizeof(dev_mem));
	memset(host_mem, 0, sizeof(host_mem));
	now_ns = 1000000;
	dfx_sim_link_init(link_, &config);
}

static void fresh_by_hand(u64 piece_ns, u32 fail_ppm)
{
	fresh(DELAY_NS, piece_ns, fail_ppm, hand_clock, hand_relax);
}

/* What the device stores with one call of its port. */
static void dev_store(u64 off, u32 val)
{
	__atomic_store_n((u32 *)(dev_mem + off), val, __ATOMIC_RELAXED);
	dfx_sim_link_post(link_, off, sizeof(val));
}

static u32 dev_load(u64 off)
{
	dfx_sim_link_settle(link_);
	return __atomic_load_n((u32 *)(dev_mem + off), __ATOMIC_ACQUIRE);
}

static u32 host_load(u64 off)
{
	u32 val = ~0u;

	CHECK_EQ(dfx_sim_link_from(link_, &val, off, sizeof(val)), 0);
	return val;
}

static void host_store(u64 off, u32 val)
{
	CHECK_EQ(dfx_sim_link_to(link_, off, &val, sizeof(val)), 0);
}

static void test_late(void)
{
	fresh_by_hand(0, 0);
	dev_store(64, 7);
	now_ns += DELAY_NS - 1;
	CHECK_EQ(host_load(64), 0);
	now_ns++;
	CHECK_EQ(host_load(64), 7);
	host_store(128, 8);
	/* The host finds its own, the device not yet. */
	CHECK_EQ(host_load(128), 8);
	now_ns += DELAY_NS - 1;
	CHECK_EQ(dev_load(128), 0);
	now_ns++;
	CHECK_EQ(dev_load(128), 8);
	tap_end("what is posted arrives after the delay, not before");
}

static void test_pieces(void)
{
	u8 got[BULK];

	fresh_by_hand(10, 0);
	memset(dev_mem + 1024, 0x55, BULK);
	dfx_sim_link_post(link_, 1024, BULK);
	dev_store(64, 1);
	/* Half of the 16 pieces. */
	now_ns += DELAY_NS + 7 * 10;
	CHECK_EQ(dfx_sim_link_from(link_, got, 1024, BULK), 0);
	CHECK_EQ(got[0], 0x55);
	CHECK_EQ(got[BULK / 2 - 1], 0x55);
	CHECK_EQ(got[BULK / 2], 0);
	CHECK_EQ(host_load(64), 0);
	now_ns += 8 * 10 - 1;
	CHECK_EQ(host_load(1024 + BULK - 4), 0);
	CHECK_EQ(host_load(64), 0);
	now_ns++;
	CHECK_EQ(host_load(1024 + BULK - 4), 0x55555555);
	CHECK_EQ(host_load(64), 1);
	tap_end("a bulk arrives in pieces, and what follows it after all of them");
}

/* The clock of a lane may have been read before that of another. */
static void test_clocks(void)
{
	fresh_by_hand(0, 0);
	now_ns += 500;
	dev_store(64, 1);
	now_ns -= 500;
	dev_store(128, 1);
	now_ns += DELAY_NS;
	CHECK_EQ(host_load(128), 0);
	now_ns += 500;
	CHECK_EQ(host_load(64), 1);
	CHECK_EQ(host_load(128), 1);
	tap_end("order holds against a clock that was read late");
}

static void test_odd(void)
{
	static const char text[] = "no multiple of anything, and across a piece's end";
	char got[sizeof(text)];
	u64 off = 1024 + 64 - 13;

	fresh_by_hand(0, 0);
	CHECK_EQ(dfx_sim_link_to(link_, off, text, sizeof(text)), 0);
	now_ns += DELAY_NS;
	dfx_sim_link_settle(link_);
	CHECK(!memcmp(dev_mem + off, text, sizeof(text)));
	CHECK_EQ(dev_mem[off - 1], 0);
	CHECK_EQ(dev_mem[off + sizeof(text)], 0);
	CHECK_EQ(dfx_sim_link_from(link_, got, off, sizeof(text)), 0);
	CHECK(!memcmp(got, text, sizeof(text)));
	tap_end("any length at any place");
}

static void test_full(void)
{
	u64 begun;
	u32 i;

	fresh_by_hand(0, 0);
	for (i = 0; i < DFX_SIM_POSTS; i++)
		dev_store(64, i);
	begun = now_ns;
	CHECK_EQ(dfx_sim_wire_post(&link_->up, 64, &i, 4, now_ns), 0);
	/* Waits for room, which comes with time. */
	dev_store(64, i);
	CHECK(now_ns >= begun + DELAY_NS);
	CHECK_EQ(host_load(64), DFX_SIM_POSTS - 1);
	now_ns += DELAY_NS;
	CHECK_EQ(host_load(64), DFX_SIM_POSTS);
	tap_end("a full wire waits, and loses nothing");
}

static void test_fence(void)
{
	fresh_by_hand(0, 0);
	host_store(64, 1);
	dev_store(128, 2);
	dfx_sim_link_fence(link_);
	CHECK_EQ(*(u32 *)(dev_mem + 64), 1);
	CHECK_EQ(*(u32 *)(host_mem + 128), 2);
	tap_end("a fence waits for both directions");
}

static void test_fail(void)
{
	u32 val = 5, i, failed = 0;
	u8 bytes[8];

	fresh_by_hand(0, 1000000);
	CHECK_EQ(dfx_sim_link_to(link_, 64, &val, 4), -EIO);
	CHECK_EQ(dfx_sim_link_from(link_, &val, 128, 4), -EIO);
	CHECK_EQ(val, 5);
	dfx_sim_link_fence(link_);
	CHECK_EQ(*(u32 *)(dev_mem + 64), 0);
	CHECK_EQ(*(u32 *)(host_mem + 64), 0);
	fresh_by_hand(0, 250000);
	for (i = 0; i < 10000; i++)
		failed += !!dfx_sim_link_from(link_, &val, 64, 4);
	CHECK(failed > 2200 && failed < 2800);
	fresh_by_hand(0, 0);
	for (i = 0; i < 10000; i++)
		CHECK_EQ(dfx_sim_link_from(link_, &val, 64, 4), 0);
	fresh_by_hand(0, 1000000);
	link_->config.fail_len = 8;
	CHECK_EQ(dfx_sim_link_from(link_, bytes, 64, 7), 0);
	CHECK_EQ(dfx_sim_link_from(link_, bytes, 64, 8), -EIO);
	tap_end("copies fail as often as asked, and then do nothing");
}

/* ---- by threads ------------------------------------------------------------- */

#define ROUNDS		3000
#define UP_INDEX	0
#define DOWN_INDEX	64
#define UP_BULK		1024
#define DOWN_BULK	4096

static u64 real_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static void real_relax(void)
{
	sched_yield();
}

/* What one side has seen of the other; its own thread's. */
struct seen {
	u32 index;	/* last one */
	u32 old;	/* words that were older than the index before them */
	u32 back;	/* times the index went back */
	u32 torn;	/* bulks that were of two rounds */
};

static void look(struct seen *seen, u32 index, const u32 *words)
{
	u32 i, first = words[0];
	bool torn = false;

	if (index < seen->index)
		seen->back++;
	seen->index = index;
	for (i = 0; i < BULK / 4; i++) {
		if (words[i] < index)
			seen->old++;
		torn |= words[i] != first;
	}
	seen->torn += torn;
}

static void fill(u32 *words, u32 round)
{
	u32 i;

	for (i = 0; i < BULK / 4; i++)
		words[i] = round;
}

static void *device(void *arg)
{
	struct seen *seen = arg;
	u32 words[BULK / 4], round, index, i;

	for (round = 1; round <= ROUNDS || seen->index < ROUNDS; round++) {
		if (round <= ROUNDS) {
			fill((u32 *)(dev_mem + UP_BULK), round);
			dfx_sim_link_post(link_, UP_BULK, BULK);
			dev_store(UP_INDEX, round);
		}
		index = dev_load(DOWN_INDEX);
		for (i = 0; i < BULK / 4; i++)
			words[i] = __atomic_load_n((u32 *)(dev_mem + DOWN_BULK) +
						   i, __ATOMIC_RELAXED);
		look(seen, index, words);
	}
	return NULL;
}

/* Its checks are the main thread's: CHECK() is not for two. */
static void *host(void *arg)
{
	struct seen *seen = arg;
	u32 words[BULK / 4], round, index;

	for (round = 1; round <= ROUNDS || seen->index < ROUNDS; round++) {
		if (round <= ROUNDS) {
			fill(words, round);
			dfx_sim_link_to(link_, DOWN_BULK, words, BULK);
			dfx_sim_link_to(link_, DOWN_INDEX, &round, 4);
			if (round % 256 == 0)
				dfx_sim_link_fence(link_);
		}
		dfx_sim_link_from(link_, &index, UP_INDEX, 4);
		dfx_sim_link_from(link_, words, UP_BULK, BULK);
		look(seen, index, words);
	}
	return NULL;
}

static void hammer(u64 delay_ns, u64 piece_ns)
{
	struct seen by_dev = { }, by_host = { };
	pthread_t thread[2];

	fresh(delay_ns, piece_ns, 0, real_clock, real_relax);
	pthread_create(&thread[0], NULL, device, &by_dev);
	pthread_create(&thread[1], NULL, host, &by_host);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	CHECK_EQ(by_dev.index, ROUNDS);
	CHECK_EQ(by_host.index, ROUNDS);
	CHECK_EQ(by_dev.old + by_host.old, 0);
	CHECK_EQ(by_dev.back + by_host.back, 0);
	/* What it is for: both sides have to cope with halves, if slow enough. */
	if (piece_ns >= 1000)
		CHECK(by_dev.torn && by_host.torn);
	tap_note("torn: %u on the device, %u on the host", by_dev.torn,
		 by_host.torn);
	tap_end("hammered: %llu ns late, a piece each %llu ns",
		(unsigned long long)delay_ns, (unsigned long long)piece_ns);
}

int main(void)
{
	tap_plan(10, 120);
	test_late();
	test_pieces();
	test_clocks();
	test_odd();
	test_full();
	test_fence();
	test_fail();
	hammer(0, 0);
	hammer(20000, 100);
	hammer(200000, 5000);
	free(link_);
	return tap_done();
}
