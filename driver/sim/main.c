// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - module, and devices that its parameters ask for
 *
 * The parameters have the names of the firmware's arguments, and are read by its
 * own parser: what a hosted firmware takes, a module takes too.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/string.h>

#include "dfx_bus.h"
#include "sim.h"

#define SIM_MAX_DEVICES		16

static unsigned int devices;
module_param(devices, uint, 0444);
MODULE_PARM_DESC(devices, "devices to make at once, 0 to 16 (default: 0)");

static bool process;
module_param(process, bool, 0444);
MODULE_PARM_DESC(process, "a process is the firmware, through /dev/dfx_simN (default: N)");

static unsigned int latency_us;
module_param(latency_us, uint, 0444);
MODULE_PARM_DESC(latency_us, "what each turn of a lane's wait takes longer");

static unsigned int delay_us;
module_param(delay_us, uint, 0444);
MODULE_PARM_DESC(delay_us, "how long a write is on its way to the other side; the host copies (default: 0, shared memory)");

static unsigned int copy_fail_ppm;
module_param(copy_fail_ppm, uint, 0444);
MODULE_PARM_DESC(copy_fail_ppm, "of a million copies so many fail; the host copies (default: 0)");

static unsigned int copy_fail_len;
module_param(copy_fail_len, uint, 0444);
MODULE_PARM_DESC(copy_fail_len, "copies of fewer bytes never fail (default: 0)");

/* "key=value " of each parameter that was given. */
static char sim_words[1024];

static int sim_word_set(const char *val, const struct kernel_param *kp)
{
	const char *key = strrchr(kp->name, '.');
	size_t len = strlen(sim_words);

	key = key ? key + 1 : kp->name;
	if (snprintf(sim_words + len, sizeof(sim_words) - len, "%s=%s ", key,
		     val) >= sizeof(sim_words) - len)
		return -ENOSPC;
	return 0;
}

static const struct kernel_param_ops sim_word_ops = {
	.set = sim_word_set,
};

module_param_cb(arch, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(arch, "profile: a2a3 (default) or a5");
module_param_cb(lanes, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(lanes, "writer threads, 1 to 8 (default: the profile's)");
module_param_cb(cores, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(cores, "AICore instances, 1 to 512 (default: the profile's)");
module_param_cb(subsystems, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(subsystems, "bit mask of what the device has (default: 35; 63: all)");
module_param_cb(regions, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(regions, "what a run writes to: any, or a list of swimlane,pmu,tensor,dep_gen,args,scope");
module_param_cb(tasks, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(tasks, "tasks of a run (default: 1088)");
module_param_cb(payload, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(payload, "mean bytes of a payload (default: 1024)");
module_param_cb(big, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(big, "every so many payloads one is larger than the arena (default: 0, none)");
module_param_cb(seed, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(seed, "seed of the records' contents (default: 1)");
module_param_cb(rate, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(rate, "tasks a second and lane (default: 0, no limit)");
module_param_cb(burst, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(burst, "tasks of a lane between two pauses (default: 0, no pauses)");
module_param_cb(pause_us, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(pause_us, "length of such a pause");
module_param_cb(budget, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(budget, "at a gate: block (default) or try");
module_param_cb(watchdog_us, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(watchdog_us, "outer watchdog that the device declares");
module_param_cb(free, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(free, "1: also work once without a session");
module_param_cb(runs, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(runs, "runs of a lane until its end (default: 0, no limit)");
module_param_cb(boot, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(boot, "boot number (default: random)");
module_param_cb(aperture, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(aperture, "MiB of the aperture (default: 64)");
module_param_cb(fault, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(fault, "KIND@N: break the protocol, see selftests/firmware/README.md");
module_param_cb(mute, &sim_word_ops, NULL, 0);
MODULE_PARM_DESC(mute, "LANE or LANE@T: that lane dies");

static struct dfx_sim *sims[SIM_MAX_DEVICES];

static void sim_destroy_all(void)
{
	unsigned int i;

	for (i = 0; i < SIM_MAX_DEVICES; i++)
		if (sims[i])
			dfx_sim_destroy(sims[i]);
}

static int sim_create_all(void)
{
	struct dfx_sim_config config;
	struct dfx_sim *sim;
	unsigned int i;

	dfx_sim_config_init(&config);
	config.mode = process ? DFX_SIM_PROCESS : DFX_SIM_LANES;
	config.latency_us = latency_us;
	config.delay_us = delay_us;
	config.copy_fail_ppm = copy_fail_ppm;
	config.copy_fail_len = copy_fail_len;
	if (devices > SIM_MAX_DEVICES || latency_us > DFX_SIM_MAX_LATENCY_US ||
	    delay_us > DFX_SIM_MAX_DELAY_US ||
	    copy_fail_ppm > DFX_SIM_MAX_FAIL_PPM ||
	    fw_args_set(&config.fw, sim_words)) {
		pr_err("dfx_sim: bad parameters: devices=%u %s\n", devices,
		       sim_words);
		return -EINVAL;
	}
	for (i = 0; i < devices; i++) {
		sim = dfx_sim_create(&config);
		if (IS_ERR(sim)) {
			sim_destroy_all();
			return PTR_ERR(sim);
		}
		sims[i] = sim;
	}
	return 0;
}

static int __init sim_init(void)
{
	int err;

	err = sim_create_all();
	if (err)
		return err;
	/* Last: directories may be made from here on. */
	err = dfx_sim_configfs_init();
	if (err)
		sim_destroy_all();
	return err;
}
module_init(sim_init);

static void __exit sim_exit(void)
{
	dfx_sim_configfs_exit();
	sim_destroy_all();
}
module_exit(sim_exit);

MODULE_DESCRIPTION("Software device for dfx");
MODULE_AUTHOR("The dfx authors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(DFX_NS);
