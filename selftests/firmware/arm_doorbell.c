// SPDX-License-Identifier: GPL-2.0-only
/*
 * arm_doorbell.c - an ivshmem-doorbell on the machine's PCIe bus
 *
 * Only its first BAR is used: the registers, of which Doorbell rings a peer. The
 * shared memory is this machine's RAM; the BAR that shows it once more stays
 * unplaced. There is no other software to enumerate the bus.
 */
#include "plat.h"
#include "plat_arm.h"

#define IVSHMEM_ID		0x11101af4u	/* device and vendor */
#define IVSHMEM_DOORBELL	12u		/* peer << 16 | vector */

#define PCI_ID			0x00u
#define PCI_COMMAND		0x04u
#define PCI_COMMAND_MEMORY	0x2u
#define PCI_BAR0		0x10u
#define PCI_DEVICES		32u		/* of one bus */
#define PCI_DEVICE_SHIFT	15

int arm_doorbell_init(void)
{
	unsigned long dev;
	__u32 i;

	for (i = 0; i < PCI_DEVICES; i++) {
		dev = ARM_PCI_ECAM + ((unsigned long)i << PCI_DEVICE_SHIFT);
		if (arm_read32(dev + PCI_ID) != IVSHMEM_ID)
			continue;
		arm_write32(dev + PCI_BAR0, (__u32)ARM_PCI_MEM);
		/* The upper half is the status, whose ones would clear it. */
		arm_write32(dev + PCI_COMMAND, PCI_COMMAND_MEMORY);
		return 0;
	}
	return -1;
}

/* The engine's barrier before this one holds for Device memory too. */
void plat_ring(void *ctx, __u32 peer, __u32 vector)
{
	(void)ctx;
	arm_write32(ARM_PCI_MEM + IVSHMEM_DOORBELL, peer << 16 | vector);
}
