/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tap.h - results as the Test Anything Protocol
 *
 * A program calls tap_plan() first and returns tap_done(). Nothing here is
 * called by two threads.
 */
#ifndef DFX_TAP_H
#define DFX_TAP_H

#include <stdbool.h>

/**
 * tap_plan() - announce the tests
 * @nr: number of tap_ok() to come.
 * @seconds: after so long the program bails out.
 */
void tap_plan(int nr, unsigned int seconds);

/**
 * tap_ok() - one result
 * @pass: whether it passed.
 * @fmt: its name.
 *
 * Return: @pass.
 */
bool tap_ok(bool pass, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A line of explanation, for whoever reads a failure. */
void tap_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Exit status of the program: 0 if all that was planned has passed. */
int tap_done(void);

/*
 * Checks of one test: CHECK() notes what is wrong and remembers it, and
 * tap_end() reports all that was checked since the last one as one result.
 */
#define CHECK(cond) tap_check((cond), #cond, __FILE__, __LINE__)
#define CHECK_EQ(a, b) \
	tap_check_eq((unsigned long long)(a), (unsigned long long)(b), \
		     #a, #b, __FILE__, __LINE__)

bool tap_check(bool cond, const char *text, const char *file, int line);
bool tap_check_eq(unsigned long long a, unsigned long long b,
		  const char *ta, const char *tb, const char *file, int line);
void tap_end(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* DFX_TAP_H */
