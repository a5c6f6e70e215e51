// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - module, class and minors
 */
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/module.h>

#include "dfx_drv.h"

#define DFX_MINORS	256

static DEFINE_IDA(dfx_minors);
dev_t dfx_devt;

struct class dfx_class = {
	.name = "dfx",
};

int dfx_main_minor(void)
{
	return ida_alloc_max(&dfx_minors, DFX_MINORS - 1, GFP_KERNEL);
}

void dfx_main_put_minor(int minor)
{
	ida_free(&dfx_minors, minor);
}

static int __init dfx_init(void)
{
	int err;

	err = alloc_chrdev_region(&dfx_devt, 0, DFX_MINORS, "dfx");
	if (err)
		return err;
	err = class_register(&dfx_class);
	if (err)
		goto err_unregister_chrdev;
	dfx_debugfs_init();
	err = dfx_pci_init();
	if (err)
		goto err_remove_debugfs;
	return 0;

err_remove_debugfs:
	dfx_debugfs_exit();
	class_unregister(&dfx_class);
err_unregister_chrdev:
	unregister_chrdev_region(dfx_devt, DFX_MINORS);
	return err;
}
module_init(dfx_init);

static void __exit dfx_exit(void)
{
	dfx_pci_exit();
	dfx_debugfs_exit();
	class_unregister(&dfx_class);
	unregister_chrdev_region(dfx_devt, DFX_MINORS);
	ida_destroy(&dfx_minors);
}
module_exit(dfx_exit);

MODULE_DESCRIPTION("Lossless profiling buffers for accelerators");
MODULE_AUTHOR("The dfx authors");
MODULE_LICENSE("GPL");
