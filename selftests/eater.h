/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * eater.h - a consumer that is a process of its own, and can be killed
 *
 * What it has received lies in memory that it shares with the test. It is there
 * before the driver is told, so that whatever the moment at which the process
 * dies, a buffer is there or comes again.
 */
#ifndef DFX_TEST_EATER_H
#define DFX_TEST_EATER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "ledger.h"
#include "rng.h"

/**
 * enum eater_pace - how it eats
 * @EATER_FAST: what is there, at once.
 * @EATER_SLOW: a bite, and a rest after each.
 * @EATER_BURSTY: keeps what it gets, then lets go of all of it.
 */
enum eater_pace {
	EATER_FAST,
	EATER_SLOW,
	EATER_BURSTY,
};

/**
 * struct eater_file - what one process has read
 * @start: where in &struct plate.bytes.
 * @len: bytes.
 */
struct eater_file {
	size_t start;
	size_t len;
};

#define EATER_MAX_FILES		8

/**
 * struct plate - what all of a session's consumers have received
 * @by_read: they read(); otherwise they map the rings.
 * @lanes: that they attach; 0: all.
 * @attached: how many of them have attached.
 * @progress: records, or bytes, received.
 * @current: which of @ledger counts.
 * @ledger: of the rings; one is written while the other is valid.
 * @nr_files: processes that have read.
 * @file: what each has.
 * @bytes: the bytes.
 */
struct plate {
	bool by_read;
	__u64 lanes;
	__u32 attached;
	__u64 progress;
	__u32 current;
	struct ledger ledger[2];
	__u32 nr_files;
	struct eater_file file[EATER_MAX_FILES];
	unsigned char bytes[2u << 20];
};

/* In memory that survives a process. NULL if there is none. */
struct plate *plate_map(void);
void plate_unmap(struct plate *p);

/* For another session, of some @lanes (0: all) of firmware with @seed (0: fw.h's). */
void plate_clear(struct plate *p, bool by_read, __u64 lanes, __u64 seed);

/*
 * Takes in what was read: the ledger of all that was received, by whichever way;
 * NULL, with the reason in @why, if it does not fit together.
 */
struct ledger *plate_ledger(struct plate *p, const char **why);

/* How many consumers have attached so far. */
__u32 plate_attached(const struct plate *p);

/* How much was received so far. */
__u64 plate_progress(const struct plate *p);

/*
 * Starts a consumer of the plate's lanes, of the node @path, until the session ends. Its
 * exit status is 0, or says what went wrong.
 */
pid_t eater_start(struct plate *p, const char *path, enum eater_pace pace,
		  struct rng rng);

#endif /* DFX_TEST_EATER_H */
