/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fw_port.h - the engine's port for lanes inside a test program
 *
 * The lanes share few processors with the driver's thread and the consumer: a
 * lane that waits sleeps a little.
 */
#ifndef DFX_TEST_FW_PORT_H
#define DFX_TEST_FW_PORT_H

#include "deadline.h"

#define dfx_port_relax()	breathe()

#include "port/posix.h"

#endif /* DFX_TEST_FW_PORT_H */
