// SPDX-License-Identifier: GPL-2.0-only
/*
 * pace_test.c - how often the kthread wakes up, and that it looks before it sleeps
 *
 * The thread is a loop over dfx_pace_next(); its clock is the sum of the pauses.
 */
#include <string.h>

#include <linux/kernel.h>

#include "driver/pace.h"
#include "tap.h"

#define SECOND	1000000000ull

static struct dfx_pace pace;
static struct dfx_pace_seen seen;
static u64 now, passes, arms;

static void begin(void)
{
	pace = (struct dfx_pace){ .pause_ns = U64_MAX };
	seen = (struct dfx_pace_seen){ .session = true, .bell = true };
	now = 0;
	passes = 0;
	arms = 0;
}

/* One pass that sees @seen, and the pause after it. */
static void pass(void)
{
	bool was = pace.armed;

	dfx_pace_next(&pace, &seen);
	passes++;
	arms += pace.armed && !was;
	/* A sleep that is rung out of takes no time. */
	if (pace.pause_ns != U64_MAX && !(pace.armed && seen.rung))
		now += pace.pause_ns;
}

/* Passes in a second of the same sight. */
static u64 in_a_second(void)
{
	/* Past the beginning. */
	while (now < SECOND / 10)
		pass();
	now = 0;
	passes = 0;
	arms = 0;
	while (now < SECOND && passes < 1000000)
		pass();
	return passes;
}

static void until_armed(void)
{
	int i;

	for (i = 0; i < 100 && !pace.armed; i++)
		pass();
	CHECK(pace.armed);
}

static void test_idle(void)
{
	begin();
	CHECK(in_a_second() <= 100);
	tap_end("an idle session with a doorbell: 100 passes a second at most");
	begin();
	seen.bell = false;
	CHECK(in_a_second() <= 1000);
	CHECK_EQ(arms, 0);
	tap_end("an idle session without a doorbell: 1,000 at most");
	begin();
	seen.session = false;
	pass();
	CHECK_EQ(pace.pause_ns, U64_MAX);
	CHECK(!pace.armed);
	tap_end("no session: no timer, and nothing armed");
	seen.draining = true;
	pass();
	CHECK_EQ(pace.pause_ns, DFX_PACE_LINGER_NS);
	seen.ring = true;
	CHECK(in_a_second() <= 1000);
	CHECK_EQ(arms, 0);
	tap_end("while consumers drain: never armed");
}

static void test_look(void)
{
	begin();
	until_armed();
	CHECK_EQ(pace.pause_ns, 0);
	tap_end("after arming comes a look, at once");
	pass();
	CHECK(pace.armed);
	CHECK_EQ(pace.pause_ns, DFX_PACE_BELL_NS);
	tap_end("a look that finds nothing: sleep, armed");
	pass();
	CHECK(pace.armed);
	CHECK_EQ(pace.pause_ns, DFX_PACE_BELL_NS);
	tap_end("nothing at the end of that sleep: armed still, one pass");
	begin();
	until_armed();
	seen.work = true;
	pass();
	CHECK(!pace.armed);
	CHECK_EQ(pace.pause_ns, DFX_PACE_MIN_NS);
	CHECK_EQ(pace.missed, 0);
	tap_end("a look that finds something: disarmed, and no blame");
}

static void test_busy(void)
{
	u32 i;

	begin();
	for (i = 0; i < 1000; i++) {
		seen.work = i % 4 == 0;
		pass();
	}
	CHECK_EQ(arms, 0);
	tap_end("work every few passes: never armed");
	begin();
	seen.frozen = true;
	in_a_second();
	CHECK_EQ(arms, 0);
	begin();
	seen.marked = true;
	CHECK(in_a_second() <= 1000);
	CHECK_EQ(arms, 0);
	begin();
	seen.owed = true;
	CHECK(in_a_second() <= 1000);
	CHECK_EQ(arms, 0);
	tap_end("a freeze, a mark that stays, a release that is owed: never armed");
}

static void test_storm(void)
{
	begin();
	seen.rung = true;
	seen.kicked = true;
	/* What rings for nothing gets no more than a poll. */
	while (now < SECOND && passes < 1000000)
		pass();
	CHECK(passes <= 2100);
	CHECK(arms <= 1050);
	tap_end("rung without end, for nothing: two passes in a millisecond");
	begin();
	until_armed();
	pass();
	seen.rung = true;
	pass();
	CHECK(!pace.armed);
	CHECK_EQ(pace.pause_ns, DFX_PACE_MAX_NS);
	begin();
	until_armed();
	pass();
	seen.rung = true;
	seen.work = true;
	pass();
	CHECK(!pace.armed);
	tap_end("a ring leaves the vector masked: to be armed anew before a sleep");
}

static void test_mute(void)
{
	u32 i;

	begin();
	for (i = 0; i < DFX_PACE_MISSES; i++) {
		seen.work = false;
		until_armed();
		pass();
		CHECK_EQ(pace.pause_ns, DFX_PACE_BELL_NS);
		seen.work = true;
		pass();
	}
	CHECK_EQ(pace.missed, DFX_PACE_MISSES);
	seen.work = false;
	now = 0;
	CHECK(in_a_second() <= 1000);
	CHECK(pace.pause_ns <= DFX_PACE_MAX_NS);
	CHECK_EQ(arms, 0);
	tap_end("a doorbell that does not ring: polled in this session");
	seen.session = false;
	pass();
	seen.session = true;
	until_armed();
	tap_end("and trusted again in the next");
	begin();
	for (i = 0; i < 4 * DFX_PACE_MISSES; i++) {
		seen = (struct dfx_pace_seen){ .session = true, .bell = true };
		until_armed();
		pass();
		seen.work = true;
		/* Every other one rings. */
		seen.rung = i & 1;
		seen.kicked = seen.rung;
		pass();
	}
	CHECK(pace.missed < DFX_PACE_MISSES);
	tap_end("one that rings now and then is relied on");
}

int main(void)
{
	tap_plan(15, 60);
	test_idle();
	test_look();
	test_busy();
	test_storm();
	test_mute();
	return tap_done();
}
