// SPDX-License-Identifier: GPL-2.0-only
/*
 * planted.c - faults on purpose, to see that the debug kernel catches them
 *
 * A checker that finds nothing may be switched off. Loading this module with
 * fault=kasan, lockdep or kmemleak plants one fault of that kind; it is never
 * loaded by anything but scripts/debug-check.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

static char *fault = "";
module_param(fault, charp, 0444);
MODULE_PARM_DESC(fault, "kasan, lockdep or kmemleak");

static DEFINE_MUTEX(planted_a);
static DEFINE_MUTEX(planted_b);

static void planted_kasan(void)
{
	u8 *p = kmalloc(16, GFP_KERNEL);
	int i = 16;

	if (!p)
		return;
	/* Hidden from the compiler, which would refuse a constant. */
	OPTIMIZER_HIDE_VAR(i);
	WRITE_ONCE(p[i], 1);
	kfree(p);
}

static void planted_lockdep(void)
{
	mutex_lock(&planted_a);
	mutex_lock(&planted_b);
	mutex_unlock(&planted_b);
	mutex_unlock(&planted_a);
	mutex_lock(&planted_b);
	mutex_lock(&planted_a);
	mutex_unlock(&planted_a);
	mutex_unlock(&planted_b);
}

static void planted_kmemleak(void)
{
	void *p = kmalloc(4096, GFP_KERNEL);

	/* The only reference goes out of sight here. */
	OPTIMIZER_HIDE_VAR(p);
}

static int __init planted_init(void)
{
	if (!strcmp(fault, "kasan"))
		planted_kasan();
	else if (!strcmp(fault, "lockdep"))
		planted_lockdep();
	else if (!strcmp(fault, "kmemleak"))
		planted_kmemleak();
	else
		return -EINVAL;
	return 0;
}
module_init(planted_init);

static void __exit planted_exit(void)
{
}
module_exit(planted_exit);

MODULE_DESCRIPTION("Planted faults for the debug kernel");
MODULE_AUTHOR("The dfx authors");
MODULE_LICENSE("GPL");
