/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record_setup.h - from the names of devices to recorders that are ready
 */
#ifndef DFX_RECORD_SETUP_H
#define DFX_RECORD_SETUP_H

#include "policy.h"
#include "recorder.h"

/**
 * struct record_options - what the user asked for
 * @output: PATH, NULL for the current directory.
 * @writer: back-end, NULL for the default.
 * @policy: changes, recovery included.
 * @level: of the session.
 * @slow_us: pause after each buffer.
 * @duration_ns: how long; 0 if not limited.
 * @until_run: stop when every lane has reported the end of a run.
 * @workload: NULL or the command to run.
 */
struct record_options {
	const char *output;
	const char *writer;
	struct policy_change policy;
	__u32 level;
	unsigned int slow_us;
	__u64 duration_ns;
	bool until_run;
	char **workload;
};

/* All return 0 or an exit status; they have said why. */
int record_open(struct recorder *r, const char *dev,
		const struct record_options *opt);
int record_create(struct recorder *r, const struct record_options *opt,
		  bool several);
/* Start a session or join the one that runs, and write its SESSION frame. */
int record_start(struct recorder *r, const struct record_options *opt);
/* Undo all of it. An exit status if the file is not safe. */
int record_close(struct recorder *r);

#endif /* DFX_RECORD_SETUP_H */
