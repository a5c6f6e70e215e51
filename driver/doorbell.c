// SPDX-License-Identifier: GPL-2.0-only
/*
 * doorbell.c - MSI-X of ivshmem-doorbell
 *
 * BAR0 holds the registers, of which the host reads one: its own number, by which
 * other peers ring it. It never rings anybody.
 */
#include <linux/bitops.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "doorbell.h"
#include "dfx_drv.h"

#define DFX_DOORBELL_BAR	0
#define DFX_DOORBELL_POSITION	8	/* own number, 32 bits */
#define DFX_DOORBELL_REGS	16	/* bytes of registers */

/* Bits of &struct dfx_vector.flags */
#define DFX_VECTOR_MASKED	0	/* by the handler; the thread unmasks */

/**
 * struct dfx_vector - one interrupt
 * @irq: its number in the kernel.
 * @flags: DFX_VECTOR_*, atomic.
 */
struct dfx_vector {
	unsigned int irq;
	unsigned long flags;
};

/**
 * struct dfx_doorbell - interrupts of one device; constant but for the flags
 * @pdev: the device.
 * @peer: the host's number.
 * @allocated: vectors that were allocated.
 * @nr: of these, how many the device rings.
 * @vectors: the first @allocated are there.
 */
struct dfx_doorbell {
	struct pci_dev *pdev;
	u32 peer;
	u32 allocated;
	u32 nr;
	struct dfx_vector vectors[DFX_MAX_VECTORS];
};

/* The registers are looked at once and given back. */
static int dfx_doorbell_read_peer(struct pci_dev *pdev, u32 *peer)
{
	void __iomem *regs;

	if (!(pci_resource_flags(pdev, DFX_DOORBELL_BAR) & IORESOURCE_MEM) ||
	    pci_resource_len(pdev, DFX_DOORBELL_BAR) < DFX_DOORBELL_REGS)
		return -ENODEV;
	regs = pci_iomap(pdev, DFX_DOORBELL_BAR, DFX_DOORBELL_REGS);
	if (!regs)
		return -ENOMEM;
	*peer = ioread32(regs + DFX_DOORBELL_POSITION);
	pci_iounmap(pdev, regs);
	/* All ones before the server has answered. */
	return *peer > DFX_MAX_PEER ? -ENODEV : 0;
}

struct dfx_doorbell *dfx_doorbell_create(struct pci_dev *pdev)
{
	struct dfx_doorbell *bell;
	int nr, i;
	u32 peer;

	if (pci_msix_vec_count(pdev) <= 0 ||
	    dfx_doorbell_read_peer(pdev, &peer))
		return NULL;
	bell = kzalloc(sizeof(*bell), GFP_KERNEL);
	if (!bell)
		return ERR_PTR(-ENOMEM);
	nr = pci_alloc_irq_vectors(pdev, 1, DFX_NR_SUBSYS, PCI_IRQ_MSIX);
	if (nr < 0) {
		dev_info(&pdev->dev, "no interrupts (%d), polling\n", nr);
		kfree(bell);
		return NULL;
	}
	bell->pdev = pdev;
	bell->peer = peer;
	bell->allocated = nr;
	for (i = 0; i < nr; i++)
		bell->vectors[i].irq = pci_irq_vector(pdev, i);
	/* Messages to the host's memory are writes of the device. */
	pci_set_master(pdev);
	return bell;
}

void dfx_doorbell_destroy(struct dfx_doorbell *bell)
{
	if (!bell)
		return;
	pci_clear_master(bell->pdev);
	pci_free_irq_vectors(bell->pdev);
	kfree(bell);
}

struct dfx_doorbell *dfx_doorbell_open(struct dfx_doorbell *bell, u32 vectors)
{
	if (!bell || !vectors)
		return NULL;
	bell->nr = min(bell->allocated, vectors);
	return bell;
}

u32 dfx_doorbell_peer(const struct dfx_doorbell *bell)
{
	return bell ? bell->peer : 0;
}

u32 dfx_doorbell_vectors(const struct dfx_doorbell *bell)
{
	return bell ? bell->nr : 0;
}

/*
 * One action for each region on the vector. The first one masks; until the vector
 * is unmasked the interrupt controller keeps one interrupt pending, not more.
 */
static irqreturn_t dfx_doorbell_irq(int irq, void *arg)
{
	struct dfx_region *region = arg;
	struct dfx_vector *v = &region->bell->vectors[region->vector];

	if (!test_and_set_bit(DFX_VECTOR_MASKED, &v->flags))
		disable_irq_nosync(irq);
	WRITE_ONCE(region->rung, true);
	dfx_region_kick(region);
	return IRQ_HANDLED;
}

void dfx_doorbell_listen(struct dfx_doorbell *bell, struct dfx_region *region,
			 u32 nr)
{
	int err;

	if (!bell)
		return;
	region->bell = bell;
	region->vector = nr % bell->nr;
	err = request_irq(bell->vectors[region->vector].irq, dfx_doorbell_irq,
			  IRQF_SHARED, dev_name(&region->dev), region);
	if (err) {
		dev_notice(&region->dev, "no interrupt (%d), polling\n", err);
		region->bell = NULL;
	}
}

void dfx_doorbell_ignore(struct dfx_region *region)
{
	if (region->bell)
		free_irq(region->bell->vectors[region->vector].irq, region);
}

void dfx_doorbell_unmask(struct dfx_region *region)
{
	struct dfx_vector *v = &region->bell->vectors[region->vector];

	if (test_and_clear_bit(DFX_VECTOR_MASKED, &v->flags))
		enable_irq(v->irq);
}
