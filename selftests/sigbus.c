// SPDX-License-Identifier: GPL-2.0-only
/*
 * sigbus.c - what an access to a mapping ends in
 */
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

#include "sigbus.h"

static sigjmp_buf sigbus_env;
static volatile sig_atomic_t sigbus_code;

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	sigbus_code = info->si_code;
	siglongjmp(sigbus_env, 1);
}

bool sigbus_at(const volatile void *p, bool write)
{
	struct sigaction sa = {
		.sa_sigaction = on_sigbus,
		.sa_flags = SA_SIGINFO,
	};
	unsigned char byte;

	sigaction(SIGBUS, &sa, NULL);
	sigbus_code = 0;
	if (sigsetjmp(sigbus_env, 1))
		return sigbus_code == BUS_ADRERR;
	byte = *(const volatile unsigned char *)p;
	if (write)
		*(volatile unsigned char *)p = byte;
	return false;
}
