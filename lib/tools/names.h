/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * names.h - numbers of the ABI as words, "unknown" for those of the future
 */
#ifndef DFX_NAMES_H
#define DFX_NAMES_H

#include <dfx/dfx.h>

const char *arch_name(__u32 v);
const char *isa_name(__u32 v);
const char *recovery_name(__u32 v);
const char *session_state_name(__u32 v);
const char *lane_state_name(__u32 v);
const char *fault_name(__u32 v);
const char *gate_name(__u32 v);
/* NULL for the reasons that have no meaning yet. */
const char *drop_name(__u32 v);

#endif /* DFX_NAMES_H */
