/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_SIZES_H
#define SHIM_LINUX_SIZES_H

#define SZ_1K	0x400
#define SZ_4K	0x1000
#define SZ_1M	0x100000

#endif
