/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * walk.h - the buffers of recordings once more, each one once
 */
#ifndef DFX_WALK_H
#define DFX_WALK_H

#include "sessions.h"

/**
 * struct walk - what is called
 * @buffer: for a DATA frame of session number @session of the set; a pool's come
 *	in the order of the files. An error ends the walk.
 * @arg: its first argument.
 */
struct walk {
	int (*buffer)(void *arg, unsigned int session,
		      const struct dfx_view *view);
	void *arg;
};

/*
 * Read the files of @set again. A buffer that was redelivered is passed over when
 * it was there before. Faults that reading has found already are not said again;
 * what goes to @p is a pool whose buffers go back from one file to the next.
 * -errno.
 */
int walk_buffers(const struct sessions *set, const struct walk *walk,
		 struct problems *p);

#endif /* DFX_WALK_H */
