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
#include <linux/kernel.h>
#include <linux/memremap.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/sizes.h>

#include "doorbell.h"
#include "dfx_drv.h"

#define DFX_PCI_BAR	2

/* How long user space may keep pages of the aperture after their removal. */
#define DFX_PCI_PAGES_MS	10000

/* Bytes that are copied between two chances for others to run. */
#define DFX_PCI_CHUNK	SZ_64K

/**
 * struct dfx_pci - a bound PCI device
 * @pgmap: pages behind the BAR, so that mappings of it can be the source of
 *	O_DIRECT writes; if it is memory.
 * @aperture: the BAR. Its bus is the mapping, where it has to be copied.
 * @bell: its interrupts; NULL if it has none, as ivshmem-plain.
 * @dfx: the device.
 */
struct dfx_pci {
	struct dev_pagemap pgmap;
	struct dfx_aperture aperture;
	struct dfx_doorbell *bell;
	struct dfx_device *dfx;
};

/* ---- a BAR that is no memory: the copies cannot fail --------------------- */

static bool dfx_pci_is_word(u64 off, size_t len)
{
	return len == sizeof(u32) && IS_ALIGNED(off, sizeof(u32));
}

static int dfx_pci_from(void *bus, void *dst, u64 off, size_t len)
{
	void __iomem *bar = (void __force __iomem *)bus + off;
	size_t done, n;

	if (dfx_pci_is_word(off, len)) {
		__le32 word = cpu_to_le32(readl(bar));

		memcpy(dst, &word, sizeof(word));
		return 0;
	}
	for (done = 0; done < len; done += n) {
		n = min_t(size_t, len - done, DFX_PCI_CHUNK);
		memcpy_fromio(dst + done, bar + done, n);
		cond_resched();
	}
	/* Before anything that a later call reads: pairs with (A), (D). */
	rmb();
	return 0;
}

static int dfx_pci_to(void *bus, u64 off, const void *src, size_t len)
{
	void __iomem *bar = (void __force __iomem *)bus + off;
	__le32 word;

	if (dfx_pci_is_word(off, len)) {
		memcpy(&word, src, sizeof(word));
		writel(le32_to_cpu(word), bar);
		return 0;
	}
	memcpy_toio(bar, src, len);
	/* Before anything that a later call writes: the release of @to. */
	wmb();
	return 0;
}

static void dfx_pci_fence(void *bus)
{
	/* Whatever was written comes before the read, which pushes it there. */
	mb();
	readl((void __force __iomem *)bus);
	/* And that comes before anything that is read later. */
	mb();
}

static const struct dfx_copy_ops dfx_pci_copy_ops = {
	.from = dfx_pci_from,
	.to = dfx_pci_to,
	.fence = dfx_pci_fence,
};

/* ---- probe ---------------------------------------------------------------- */

/* Looks at the first page only, and gives it back. */
static bool dfx_pci_is_ours(struct pci_dev *pdev, u32 *arch)
{
	struct dfx_aperture page = {
		.size = DFX_SHM_PAGE,
		.copy = &dfx_pci_copy_ops,
	};
	void __iomem *io;
	bool ours;

	io = ioremap(pci_resource_start(pdev, DFX_PCI_BAR), DFX_SHM_PAGE);
	if (!io)
		return false;
	page.bus = (void __force *)io;
	ours = dfx_device_is_ours(&page, arch);
	iounmap(io);
	return ours;
}

static int dfx_pci_map_pages(struct pci_dev *pdev, struct dfx_pci *p)
{
	void *base;

	p->pgmap.type = MEMORY_DEVICE_GENERIC;
	p->pgmap.range.start = pci_resource_start(pdev, DFX_PCI_BAR);
	p->pgmap.range.end = pci_resource_end(pdev, DFX_PCI_BAR);
	p->pgmap.nr_range = 1;
	base = memremap_pages(&p->pgmap, dev_to_node(&pdev->dev));
	if (IS_ERR(base))
		return dev_err_probe(&pdev->dev, PTR_ERR(base),
				     "no pages for BAR %d\n", DFX_PCI_BAR);
	p->aperture.base = base;
	return 0;
}

static int dfx_pci_map_io(struct pci_dev *pdev, struct dfx_pci *p)
{
	void __iomem *io;

	io = ioremap(pci_resource_start(pdev, DFX_PCI_BAR),
		     pci_resource_len(pdev, DFX_PCI_BAR));
	if (!io)
		return dev_err_probe(&pdev->dev, -ENOMEM,
				     "cannot map BAR %d\n", DFX_PCI_BAR);
	p->aperture.copy = &dfx_pci_copy_ops;
	p->aperture.bus = (void __force *)io;
	return 0;
}

static void dfx_pci_unmap(struct dfx_pci *p)
{
	if (p->aperture.base)
		memunmap_pages(&p->pgmap);
	else
		iounmap((void __force __iomem *)p->aperture.bus);
}

static int dfx_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct dfx_pci *p;
	u32 arch;
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
	if (!dfx_pci_is_ours(pdev, &arch)) {
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
	p->aperture.size = pci_resource_len(pdev, DFX_PCI_BAR);
	if (dfx_transport_copies(arch))
		err = dfx_pci_map_io(pdev, p);
	else
		err = dfx_pci_map_pages(pdev, p);
	if (err)
		goto err_free;

	p->bell = dfx_doorbell_create(pdev);
	if (IS_ERR(p->bell)) {
		err = PTR_ERR(p->bell);
		goto err_unmap;
	}
	p->dfx = dfx_device_create(&pdev->dev, &p->aperture, p->bell);
	if (IS_ERR(p->dfx)) {
		err = PTR_ERR(p->dfx);
		goto err_doorbell;
	}
	pci_set_drvdata(pdev, p);
	return 0;

err_doorbell:
	dfx_doorbell_destroy(p->bell);
err_unmap:
	dfx_pci_unmap(p);
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

	if (!p->aperture.base)
		return true;
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
	dfx_pci_unmap(p);
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
