// SPDX-License-Identifier: GPL-2.0-only
/*
 * tap.c - results as the Test Anything Protocol
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "tap.h"

static int planned;
static int done;
static int failed;
static bool broken;

static void out_of_time(int sig)
{
	static const char text[] = "Bail out! time limit exceeded\n";

	(void)sig;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(3);
	_exit(2);
}

void tap_plan(int nr, unsigned int seconds)
{
	planned = nr;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%d\n", nr);
	signal(SIGALRM, out_of_time);
	alarm(seconds);
}

static void report(bool pass, const char *fmt, va_list ap)
{
	done++;
	if (!pass)
		failed++;
	printf("%sok %d - ", pass ? "" : "not ", done);
	vprintf(fmt, ap);
	printf("\n");
}

bool tap_ok(bool pass, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(pass, fmt, ap);
	va_end(ap);
	return pass;
}

void tap_note(const char *fmt, ...)
{
	va_list ap;

	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

bool tap_check(bool cond, const char *text, const char *file, int line)
{
	if (!cond) {
		tap_note("%s:%d: %s", file, line, text);
		broken = true;
	}
	return cond;
}

bool tap_check_eq(unsigned long long a, unsigned long long b,
		  const char *ta, const char *tb, const char *file, int line)
{
	if (a != b) {
		tap_note("%s:%d: %s == %s: %llu, %llu", file, line, ta, tb, a,
			 b);
		broken = true;
	}
	return a == b;
}

void tap_end(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(!broken, fmt, ap);
	va_end(ap);
	broken = false;
}

int tap_done(void)
{
	alarm(0);
	if (done != planned)
		tap_note("planned %d tests, ran %d", planned, done);
	return done != planned || failed ? 1 : 0;
}
