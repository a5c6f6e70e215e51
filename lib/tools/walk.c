// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * walk.c - the buffers of recordings once more, each one once
 */
#include <errno.h>
#include <stdlib.h>

#include "walk.h"

/**
 * struct walker - a walk under way
 * @walk: what is called.
 * @set: as it was read the first time.
 * @next: by session and pool, the sequence to come.
 * @p: where faults go.
 */
struct walker {
	const struct walk *walk;
	const struct sessions *set;
	__u64 **next;
	struct problems *p;
};

static int take(void *arg, unsigned int session, const struct dfx_view *view)
{
	const struct dfx_frame *h = &view->head;
	struct walker *w = arg;
	const struct session *s;
	__u64 *next;

	/* A file that has changed meanwhile. */
	if (session >= w->set->nr)
		return -ESTALE;
	s = &w->set->session[session];
	if (s->info.session != h->session || h->pool >= s->info.nr_pools)
		return -ESTALE;
	next = &w->next[session][h->pool];
	if (h->seq < *next) {
		if (h->flags & DFX_FRAME_REDELIVERED)
			return 0;
		/* Within a file the first reading has found it. */
		if (!w->p->count[PROBLEM_ORDER])
			problem(w->p, PROBLEM_ORDER,
				"session %llu: pool %u has buffer %u after buffer %llu; give its files in the order in which they were recorded",
				h->session, h->pool, h->seq, *next - 1);
	} else {
		*next = (__u64)h->seq + 1;
	}
	return w->walk->buffer(w->walk->arg, session, view);
}

int walk_buffers(const struct sessions *set, const struct walk *walk,
		 struct problems *p)
{
	struct walker w = { .walk = walk, .set = set, .p = p };
	struct sessions again = { .data = take, .arg = &w };
	struct problems silent = { 0 };
	unsigned int i;
	int ret = 0;

	w.next = calloc(set->nr ? set->nr : 1, sizeof(*w.next));
	if (!w.next)
		return -ENOMEM;
	for (i = 0; i < set->nr && !ret; i++) {
		unsigned int n = set->session[i].info.nr_pools;

		w.next[i] = calloc(n ? n : 1, sizeof(**w.next));
		if (!w.next[i])
			ret = -ENOMEM;
	}
	for (i = 0; i < set->nr_files && !ret; i++)
		ret = sessions_read(&again, set->path[i], &silent);
	sessions_free(&again);
	for (i = 0; i < set->nr; i++)
		free(w.next[i]);
	free(w.next);
	return ret;
}
