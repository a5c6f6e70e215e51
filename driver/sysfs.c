// SPDX-License-Identifier: GPL-2.0-only
/*
 * sysfs.c - stable facts of a region
 */
#include <linux/device.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "dfx_drv.h"

static struct dfx_region *dfx_region_from(struct device *dev)
{
	return container_of(dev, struct dfx_region, dev);
}

/* Not "subsystem": the driver core has a link of that name. */
static ssize_t subsys_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%s\n", dfx_region_from(dev)->desc->name);
}
static DEVICE_ATTR_RO(subsys);

static ssize_t parent_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%s\n", dev_name(dev->parent));
}
static DEVICE_ATTR_RO(parent);

static ssize_t layout_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%u.%u\n", DFX_LAYOUT_MAJOR, DFX_LAYOUT_MINOR);
}
static DEVICE_ATTR_RO(layout);

static ssize_t lanes_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%u\n", dfx_region_from(dev)->info.nr_lanes);
}
static DEVICE_ATTR_RO(lanes);

static ssize_t transport_show(struct device *dev,
			      struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", dfx_region_from(dev)->host.io.ops->name);
}
static DEVICE_ATTR_RO(transport);

/* Bytes, by class; all zero where nothing has to be copied. */
static ssize_t copied_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	struct dfx_region *region = dfx_region_from(dev);
	u64 copied[DFX_NR_COPIED];

	mutex_lock(&region->lock);
	memcpy(copied, region->host.io.copied, sizeof(copied));
	mutex_unlock(&region->lock);
	return sysfs_emit(buf, "header %llu\nindex %llu\nbuffers %llu\narena %llu\n",
			  copied[DFX_COPIED_HEADER], copied[DFX_COPIED_INDEX],
			  copied[DFX_COPIED_BUFFERS], copied[DFX_COPIED_ARENA]);
}
static DEVICE_ATTR_RO(copied);

static struct attribute *dfx_region_attrs[] = {
	&dev_attr_subsys.attr,
	&dev_attr_parent.attr,
	&dev_attr_layout.attr,
	&dev_attr_lanes.attr,
	&dev_attr_transport.attr,
	&dev_attr_copied.attr,
	NULL
};

static const struct attribute_group dfx_region_group = {
	.attrs = dfx_region_attrs,
};

const struct attribute_group *dfx_region_groups[] = {
	&dfx_region_group,
	NULL
};
