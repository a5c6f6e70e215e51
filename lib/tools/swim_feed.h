/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * swim_feed.h - the swimlanes of recordings
 */
#ifndef DFX_SWIM_FEED_H
#define DFX_SWIM_FEED_H

#include "sessions.h"
#include "swimlane.h"

/* Does the session record the swimlane? */
bool session_has_swimlane(const struct session *s);
/* Bytes of a record of this kind of the swimlane; 0 if there is no such kind. */
__u32 swim_record_size(__u32 kind);
/* Levels, kinds and records that this command does not know go to @p. */
void swim_check(const struct session *s, struct problems *p);
/*
 * By session of the set; those of other subsystems are left as they are. What is
 * wrong with the rows goes to @p. -errno.
 */
int swim_results(const struct sessions *set, struct swim_result *results,
		 struct problems *p);

#endif /* DFX_SWIM_FEED_H */
