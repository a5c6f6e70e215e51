// SPDX-License-Identifier: GPL-2.0-only
/*
 * pci.c - QEMU's ivshmem as the reference device: BAR2 is the aperture
 *
 * doorbell.c has the interrupts of ivshmem-doorbell.
 *
 * The id belongs to every ivshmem there is. There is no module alias, so the
 * driver is loaded on request only, and it leaves alone what does not carry a
 * dfx identity.
 */
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/memremap.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "doorbell.h"
#include "dfx_drv.h"

#define DFX_PCI_BAR	2

/* How long user space may keep pages of the aperture after their removal. */
#define DFX_PCI_PAGES_MS	10000

/**
 * struct dfx_pci - a bound PCI device
 * @pgmap: pages behind the BAR, so that mappings of it can be the source of
 *	O_DIRECT writes.
 * @bell: its interrupts; NULL if it has none, as ivshmem-plain.
 * @dfx: the aperture.
 */
struct dfx_pci {
	struct dev_pagemap pgmap;
	struct dfx_doorbell *bell;
	struct dfx_device *dfx;
};

/* Looks at the first page only, and gives it back. */
static bool dfx_pci_is_ours(struct pci_dev *pdev)
{
	void *ident;
	bool ours;

	ident = memremap(pci_resource_start(pdev, DFX_PCI_BAR), DFX_SHM_PAGE,
			 MEMREMAP_WB);
	if (!ident)
		return false;
	ours = dfx_device_is_ours(ident);
	memunmap(ident);
	return ours;
}

static int dfx_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct dfx_pci *p;
	void *base;
	int err;

	err = pcim_enable_device(pdev);
	if (err)
		return err;
	if (!(pci_resource_flags(pdev, DFX_PCI_BAR) & IORESOURCE_MEM) ||
	    pci_resource_len(pdev, DFX_PCI_BAR) < 2 * DFX_SHM_PAGE) {
		dev_info(&pdev->dev, "no BAR %d with memory, left alone\n",
			 DFX_PCI_BAR);
		return -ENODEV;
	}
	if (!dfx_pci_is_ours(pdev)) {
		dev_info(&pdev->dev, "no dfx identity in BAR %d, left alone\n",
			 DFX_PCI_BAR);
		return -ENODEV;
	}

	err = pci_request_region(pdev, DFX_PCI_BAR, "dfx");
	if (err)
		return err;
	/* Not devm: see dfx_pci_wait_pages(). */
	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return -ENOMEM;
	p->pgmap.type = MEMORY_DEVICE_GENERIC;
	p->pgmap.range.start = pci_resource_start(pdev, DFX_PCI_BAR);
	p->pgmap.range.end = pci_resource_end(pdev, DFX_PCI_BAR);
	p->pgmap.nr_range = 1;
	base = memremap_pages(&p->pgmap, dev_to_node(&pdev->dev));
	if (IS_ERR(base)) {
		err = dev_err_probe(&pdev->dev, PTR_ERR(base),
				    "no pages for BAR %d\n", DFX_PCI_BAR);
		goto err_free;
	}

	p->bell = dfx_doorbell_create(pdev);
	if (IS_ERR(p->bell)) {
		err = PTR_ERR(p->bell);
		goto err_unmap;
	}
	p->dfx = dfx_device_create(&pdev->dev, base,
				   pci_resource_len(pdev, DFX_PCI_BAR),
				   p->bell);
	if (IS_ERR(p->dfx)) {
		err = PTR_ERR(p->dfx);
		goto err_doorbell;
	}
	pci_set_drvdata(pdev, p);
	return 0;

err_doorbell:
	dfx_doorbell_destroy(p->bell);
err_unmap:
	memunmap_pages(&p->pgmap);
err_free:
	kfree(p);
	return err;
}

/*
 * The mappings are gone, but a write from one of them may still be under way
 * and hold pages. They must not be given back before.
 */
static bool dfx_pci_wait_pages(struct dfx_pci *p)
{
	unsigned long pfn = PHYS_PFN(p->pgmap.range.start);
	unsigned long end = PHYS_PFN(p->pgmap.range.end);
	unsigned int ms = 0;

	for (; pfn <= end; pfn++)
		while (page_ref_count(pfn_to_page(pfn)) > 1) {
			if (ms++ >= DFX_PCI_PAGES_MS)
				return false;
			fsleep(1000);
		}
	return true;
}

static void dfx_pci_remove(struct pci_dev *pdev)
{
	struct dfx_pci *p = pci_get_drvdata(pdev);

	dfx_device_destroy(p->dfx);
	dfx_doorbell_destroy(p->bell);
	if (!dfx_pci_wait_pages(p)) {
		/* A leak of struct pages is better than their use after free. */
		dev_err(&pdev->dev, "pages still in use, not given back\n");
		return;
	}
	memunmap_pages(&p->pgmap);
	kfree(p);
}

static const struct pci_device_id dfx_pci_ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_REDHAT_QUMRANET, 0x1110) },
	{ }
};

static struct pci_driver dfx_pci_driver = {
	.name = "dfx",
	.id_table = dfx_pci_ids,
	.probe = dfx_pci_probe,
	.remove = dfx_pci_remove,
};

int __init dfx_pci_init(void)
{
	return pci_register_driver(&dfx_pci_driver);
}

void dfx_pci_exit(void)
{
	pci_unregister_driver(&dfx_pci_driver);
}
