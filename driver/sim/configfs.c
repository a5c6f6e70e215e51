// SPDX-License-Identifier: GPL-2.0-only
/*
 * configfs.c - devices that are made by mkdir: /sys/kernel/config/dfx_sim/NAME
 *
 * Documentation/ABI/testing/configfs-dfx-sim describes the attributes. Numbers go
 * through the firmware's own parser, which knows their limits.
 */
#include <linux/configfs.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "sim.h"

/**
 * struct sim_item - one directory
 * @item: the directory.
 * @lock: protects what follows; one call for @sim at a time.
 * @config: what the device is to be; fixed while it is live.
 * @sim: the device, NULL if it is not live.
 */
struct sim_item {
	struct config_item item;
	struct mutex lock;	/* what follows */
	struct dfx_sim_config config;
	struct dfx_sim *sim;
};

static struct sim_item *to_sim_item(struct config_item *item)
{
	return container_of(item, struct sim_item, item);
}

/* What would hold if the device were made now. */
static struct dfx_sim_config sim_resolved(struct config_item *item)
{
	struct sim_item *si = to_sim_item(item);
	struct dfx_sim_config config;

	mutex_lock(&si->lock);
	config = si->config;
	mutex_unlock(&si->lock);
	fw_args_resolve(&config.fw);
	return config;
}

/* Reads firmware arguments into the configuration, all of them or none. */
static ssize_t sim_set_words(struct config_item *item, const char *words,
			     size_t count)
{
	struct sim_item *si = to_sim_item(item);
	ssize_t ret = count;
	struct fw_args args;

	mutex_lock(&si->lock);
	args = si->config.fw;
	if (si->sim)
		ret = -EBUSY;
	else if (fw_args_set(&args, words))
		ret = -EINVAL;
	else
		si->config.fw = args;
	mutex_unlock(&si->lock);
	return ret;
}

static ssize_t sim_set_word(struct config_item *item, const char *key,
			    const char *page, size_t count)
{
	char *text, *value;
	ssize_t ret;

	text = kstrndup(page, count, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	value = strim(text);
	/* One value is one word. */
	if (strpbrk(value, " \t\r\n")) {
		kfree(text);
		return -EINVAL;
	}
	value = kasprintf(GFP_KERNEL, "%s=%s", key, value);
	kfree(text);
	if (!value)
		return -ENOMEM;
	ret = sim_set_words(item, value, count);
	kfree(value);
	return ret;
}

/* A number of the firmware's: its name here, its key there, its member. */
#define SIM_NUMBER(_name, _key, _member) \
static ssize_t sim_##_name##_show(struct config_item *item, char *page) \
{ \
	return sprintf(page, "%llu\n", (u64)sim_resolved(item).fw._member); \
} \
static ssize_t sim_##_name##_store(struct config_item *item, \
				   const char *page, size_t count) \
{ \
	return sim_set_word(item, _key, page, count); \
} \
CONFIGFS_ATTR(sim_, _name)

SIM_NUMBER(subsystems, "subsystems", subsystems);
SIM_NUMBER(lanes, "lanes", lanes);
SIM_NUMBER(cores, "cores", cores);
SIM_NUMBER(size_mb, "aperture", aperture);
SIM_NUMBER(tasks, "tasks", tasks);
SIM_NUMBER(payload, "payload", payload);
SIM_NUMBER(rate_hz, "rate", rate);
SIM_NUMBER(burst, "burst", burst);
SIM_NUMBER(pause_us, "pause_us", pause_us);
SIM_NUMBER(seed, "seed", seed);

static ssize_t sim_arch_show(struct config_item *item, char *page)
{
	return sprintf(page, "%s\n", sim_resolved(item).fw.arch ==
		       DFX_ARCH_A5 ? "a5" : "a2a3");
}

static ssize_t sim_arch_store(struct config_item *item, const char *page,
			      size_t count)
{
	return sim_set_word(item, "arch", page, count);
}

static ssize_t sim_firmware_store(struct config_item *item, const char *page,
				  size_t count)
{
	return sim_set_words(item, page, count);
}

/* @off: of a number in the configuration. */
static ssize_t sim_show_u32(struct config_item *item, size_t off, char *page)
{
	struct dfx_sim_config config = sim_resolved(item);

	return sprintf(page, "%u\n", *(u32 *)((void *)&config + off));
}

static ssize_t sim_set_u32(struct config_item *item, size_t off, u32 max,
			   const char *page, size_t count)
{
	struct sim_item *si = to_sim_item(item);
	ssize_t ret = count;
	u32 val;

	if (kstrtou32(page, 10, &val) || val > max)
		return -EINVAL;
	mutex_lock(&si->lock);
	if (si->sim)
		ret = -EBUSY;
	else
		*(u32 *)((void *)&si->config + off) = val;
	mutex_unlock(&si->lock);
	return ret;
}

/* A number of the device's own: its name, and the largest. */
#define SIM_OWN_NUMBER(_name, _max) \
static const size_t sim_##_name##_off = \
	offsetof(struct dfx_sim_config, _name); \
static ssize_t sim_##_name##_show(struct config_item *item, char *page) \
{ \
	return sim_show_u32(item, sim_##_name##_off, page); \
} \
static ssize_t sim_##_name##_store(struct config_item *item, \
				   const char *page, size_t count) \
{ \
	return sim_set_u32(item, sim_##_name##_off, _max, page, count); \
}

SIM_OWN_NUMBER(latency_us, DFX_SIM_MAX_LATENCY_US)
SIM_OWN_NUMBER(delay_us, DFX_SIM_MAX_DELAY_US)
SIM_OWN_NUMBER(copy_fail_len, U32_MAX)

static ssize_t sim_copy_fail_ppm_show(struct config_item *item, char *page)
{
	return sprintf(page, "%u\n", sim_resolved(item).copy_fail_ppm);
}

/* The one number that may change while the device is live. */
static ssize_t sim_copy_fail_ppm_store(struct config_item *item,
				       const char *page, size_t count)
{
	struct sim_item *si = to_sim_item(item);
	int err = 0;
	u32 ppm;

	if (kstrtou32(page, 10, &ppm) || ppm > DFX_SIM_MAX_FAIL_PPM)
		return -EINVAL;
	mutex_lock(&si->lock);
	if (si->sim)
		err = dfx_sim_set_fail(si->sim, ppm);
	if (!err)
		si->config.copy_fail_ppm = ppm;
	mutex_unlock(&si->lock);
	return err ?: count;
}

static const char * const sim_modes[] = {
	[DFX_SIM_LANES] = "lanes",
	[DFX_SIM_PROCESS] = "process",
};

static ssize_t sim_mode_show(struct config_item *item, char *page)
{
	return sprintf(page, "%s\n", sim_modes[sim_resolved(item).mode]);
}

static ssize_t sim_mode_store(struct config_item *item, const char *page,
			      size_t count)
{
	struct sim_item *si = to_sim_item(item);
	int mode = sysfs_match_string(sim_modes, page);
	ssize_t ret = count;

	if (mode < 0)
		return -EINVAL;
	mutex_lock(&si->lock);
	if (si->sim)
		ret = -EBUSY;
	else
		si->config.mode = mode;
	mutex_unlock(&si->lock);
	return ret;
}

static ssize_t sim_live_show(struct config_item *item, char *page)
{
	return sprintf(page, "%d\n", !!READ_ONCE(to_sim_item(item)->sim));
}

/* Under the item's lock. */
static int sim_item_make(struct sim_item *si)
{
	struct dfx_sim *sim;

	if (si->sim)
		return 0;
	sim = dfx_sim_create(&si->config);
	if (IS_ERR(sim))
		return PTR_ERR(sim);
	WRITE_ONCE(si->sim, sim);
	return 0;
}

static void sim_item_remove(struct sim_item *si)
{
	struct dfx_sim *sim = si->sim;

	WRITE_ONCE(si->sim, NULL);
	if (sim)
		dfx_sim_destroy(sim);
}

static ssize_t sim_live_store(struct config_item *item, const char *page,
			      size_t count)
{
	struct sim_item *si = to_sim_item(item);
	bool live;
	int err = 0;

	if (kstrtobool(page, &live))
		return -EINVAL;
	mutex_lock(&si->lock);
	if (live)
		err = sim_item_make(si);
	else
		sim_item_remove(si);
	mutex_unlock(&si->lock);
	return err ?: count;
}

static ssize_t sim_dead_show(struct config_item *item, char *page)
{
	struct sim_item *si = to_sim_item(item);
	bool dead;

	mutex_lock(&si->lock);
	dead = si->sim && si->sim->dead;
	mutex_unlock(&si->lock);
	return sprintf(page, "%d\n", dead);
}

static ssize_t sim_dead_store(struct config_item *item, const char *page,
			      size_t count)
{
	struct sim_item *si = to_sim_item(item);
	bool dead;
	int err;

	if (kstrtobool(page, &dead))
		return -EINVAL;
	mutex_lock(&si->lock);
	if (!si->sim)
		err = -ENODEV;
	else if (si->config.mode != DFX_SIM_LANES)
		err = -EOPNOTSUPP;
	else
		err = dfx_sim_set_dead(si->sim, dead);
	mutex_unlock(&si->lock);
	return err ?: count;
}

static ssize_t sim_device_show(struct config_item *item, char *page)
{
	struct sim_item *si = to_sim_item(item);
	ssize_t ret = -ENODEV;

	mutex_lock(&si->lock);
	if (si->sim)
		ret = sprintf(page, "%s\n", dev_name(&si->sim->pdev->dev));
	mutex_unlock(&si->lock);
	return ret;
}

CONFIGFS_ATTR(sim_, arch);
CONFIGFS_ATTR_WO(sim_, firmware);
CONFIGFS_ATTR(sim_, latency_us);
CONFIGFS_ATTR(sim_, delay_us);
CONFIGFS_ATTR(sim_, copy_fail_ppm);
CONFIGFS_ATTR(sim_, copy_fail_len);
CONFIGFS_ATTR(sim_, mode);
CONFIGFS_ATTR(sim_, live);
CONFIGFS_ATTR(sim_, dead);
CONFIGFS_ATTR_RO(sim_, device);

static struct configfs_attribute *sim_attrs[] = {
	&sim_attr_arch,
	&sim_attr_subsystems,
	&sim_attr_lanes,
	&sim_attr_cores,
	&sim_attr_size_mb,
	&sim_attr_tasks,
	&sim_attr_payload,
	&sim_attr_rate_hz,
	&sim_attr_burst,
	&sim_attr_pause_us,
	&sim_attr_seed,
	&sim_attr_firmware,
	&sim_attr_latency_us,
	&sim_attr_delay_us,
	&sim_attr_copy_fail_ppm,
	&sim_attr_copy_fail_len,
	&sim_attr_mode,
	&sim_attr_live,
	&sim_attr_dead,
	&sim_attr_device,
	NULL
};

static void sim_item_release(struct config_item *item)
{
	struct sim_item *si = to_sim_item(item);

	mutex_destroy(&si->lock);
	kfree(si);
}

static struct configfs_item_operations sim_item_ops = {
	.release = sim_item_release,
};

static const struct config_item_type sim_item_type = {
	.ct_item_ops = &sim_item_ops,
	.ct_attrs = sim_attrs,
	.ct_owner = THIS_MODULE,
};

static struct config_item *sim_make_item(struct config_group *group,
					 const char *name)
{
	struct sim_item *si;

	si = kzalloc(sizeof(*si), GFP_KERNEL);
	if (!si)
		return ERR_PTR(-ENOMEM);
	mutex_init(&si->lock);
	dfx_sim_config_init(&si->config);
	config_item_init_type_name(&si->item, name, &sim_item_type);
	return &si->item;
}

/* An attribute that is still open keeps the directory's memory, no device. */
static void sim_drop_item(struct config_group *group, struct config_item *item)
{
	struct sim_item *si = to_sim_item(item);

	mutex_lock(&si->lock);
	sim_item_remove(si);
	mutex_unlock(&si->lock);
	config_item_put(item);
}

static struct configfs_group_operations sim_group_ops = {
	.make_item = sim_make_item,
	.drop_item = sim_drop_item,
};

static const struct config_item_type sim_group_type = {
	.ct_group_ops = &sim_group_ops,
	.ct_owner = THIS_MODULE,
};

static struct configfs_subsystem sim_subsystem = {
	.su_group = {
		.cg_item = {
			.ci_namebuf = "dfx_sim",
			.ci_type = &sim_group_type,
		},
	},
};

int dfx_sim_configfs_init(void)
{
	config_group_init(&sim_subsystem.su_group);
	mutex_init(&sim_subsystem.su_mutex);
	return configfs_register_subsystem(&sim_subsystem);
}

void dfx_sim_configfs_exit(void)
{
	configfs_unregister_subsystem(&sim_subsystem);
	mutex_destroy(&sim_subsystem.su_mutex);
}
