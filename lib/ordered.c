// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ordered.c - several lanes, one order, bounded memory
 *
 * The caller's memory is cut into slots that each hold the region's largest
 * buffer, and a whole arena where there are any. A lane's slots form a queue;
 * within a lane buffers come in the order of their times, so the earliest of
 * all is the first of some queue.
 */
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"

#define NO_SLOT		0xffffffffu
#define SLOT_ALIGN	64u

/* A slot's header; the records follow the frame as they do in a file. */
struct slot {
	__u32 next;
	__u32 reserved[15];
	struct dfx_frame frame;
};

struct lane_queue {
	__u32 first;
	__u32 last;
};

struct dfx_ordered {
	struct dfx *dfx;
	unsigned char *mem;
	size_t stride;
	__u32 free;
	__u32 out;	/* slot that the caller reads; NO_SLOT if none */
	__u64 waited_for;	/* lanes */
	__u64 last_time;
	struct lane_queue lane[DFX_MAX_LANES];
};

static struct slot *slot_at(const struct dfx_ordered *o, __u32 i)
{
	return (struct slot *)(void *)(o->mem + o->stride * i);
}

static size_t round_up(size_t n)
{
	return (n + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
}

/* Bytes that a buffer's payloads can add to it: a lane's whole arena. */
static int largest_share(struct dfx *dfx, size_t *bytes)
{
	struct dfx_policy policy;
	int ret = dfx_policy_get(dfx, &policy);

	if (ret)
		return ret;
	*bytes = 0;
	if (policy.arena_kb)
		*bytes = sizeof(struct dfx_arena_info) +
			 (size_t)policy.arena_kb * 1024;
	return 0;
}

/* Bytes of the region's largest buffer. */
static int largest_buffer(struct dfx *dfx, size_t *bytes)
{
	struct dfx_pool_info *pools;
	struct dfx_query q;
	int i, n, ret;

	ret = dfx_query_get(dfx, &q);
	if (ret)
		return ret;
	pools = calloc(q.out_nr_pools ? q.out_nr_pools : 1, sizeof(*pools));
	if (!pools)
		return -ENOMEM;
	n = dfx_pools_get(dfx, pools, q.out_nr_pools);
	*bytes = 0;
	for (i = 0; i < n; i++) {
		size_t b = (size_t)pools[i].capacity * pools[i].record_size;

		if (b > *bytes)
			*bytes = b;
	}
	free(pools);
	if (n < 0)
		return n;
	return *bytes ? 0 : -EPROTO;
}

int dfx_ordered_new(struct dfx *dfx, __u64 lanes, void *mem, size_t size,
		    struct dfx_ordered **out)
{
	struct dfx_ordered *o;
	size_t bytes, share, skip, nr;
	__u32 i;
	int ret;

	if (!dfx->lanes || lanes & ~dfx->lanes)
		return -EINVAL;
	ret = largest_buffer(dfx, &bytes);
	if (!ret)
		ret = largest_share(dfx, &share);
	if (ret)
		return ret;
	o = calloc(1, sizeof(*o));
	if (!o)
		return -ENOMEM;

	skip = -(size_t)mem % SLOT_ALIGN;
	o->dfx = dfx;
	o->mem = (unsigned char *)mem + skip;
	o->stride = round_up(sizeof(struct slot) + bytes + share);
	o->waited_for = lanes ? lanes : dfx->lanes;
	o->out = NO_SLOT;
	nr = size > skip ? (size - skip) / o->stride : 0;
	if (nr < 2) {
		free(o);
		return -ENOSPC;
	}
	if (nr > DFX_MAX_BUFFERS)
		nr = DFX_MAX_BUFFERS;
	for (i = 0; i < nr; i++)
		slot_at(o, i)->next = i + 1 < nr ? i + 1 : NO_SLOT;
	for (i = 0; i < DFX_MAX_LANES; i++)
		o->lane[i].first = NO_SLOT;
	*out = o;
	return 0;
}

void dfx_ordered_free(struct dfx_ordered *ordered)
{
	free(ordered);
}

/* Append to what lies behind a slot's header. */
static unsigned char *append(unsigned char *to, const void *data, size_t len)
{
	if (len)
		memcpy(to, data, len);
	return to + len;
}

static int copy_in(struct dfx_ordered *o, const struct dfx_buffer *buf)
{
	struct lane_queue *q;
	__u32 i = o->free;
	struct slot *s = slot_at(o, i);
	unsigned char *to = (unsigned char *)(s + 1);

	if (buf->lane >= DFX_MAX_LANES ||
	    le32toh(buf->frame->len) > o->stride - sizeof(*s))
		return -EPROTO;
	q = &o->lane[buf->lane];
	o->free = s->next;
	s->frame = *buf->frame;
	s->next = NO_SLOT;
	to = append(to, buf->data, buf->len);
	if (buf->arena) {
		to = append(to, buf->arena, sizeof(*buf->arena));
		to = append(to, buf->share[0].data, buf->share[0].len);
		append(to, buf->share[1].data, buf->share[1].len);
	}
	if (q->first == NO_SLOT)
		q->first = i;
	else
		slot_at(o, q->last)->next = i;
	q->last = i;
	return dfx_buffer_release(o->dfx, buf);
}

/* Copy what is ready while there is room. 0, or -errno. */
static int pull(struct dfx_ordered *o)
{
	struct dfx_buffer buf;
	int ret;

	while (o->free != NO_SLOT) {
		ret = dfx_buffer_next(o->dfx, &buf);
		if (ret <= 0)
			return ret;
		ret = copy_in(o, &buf);
		if (ret)
			return ret;
	}
	return 0;
}

/* Lane with the earliest buffer, -1 if there is none. */
static int earliest(const struct dfx_ordered *o, bool *complete)
{
	int best = -1;
	__u64 best_time = 0;
	int i;

	*complete = true;
	for (i = 0; i < DFX_MAX_LANES; i++) {
		__u64 t;

		if (o->lane[i].first == NO_SLOT) {
			if (o->waited_for >> i & 1)
				*complete = false;
			continue;
		}
		t = le64toh(slot_at(o, o->lane[i].first)->frame.time);
		if (best < 0 || t < best_time) {
			best = i;
			best_time = t;
		}
	}
	return best;
}

static int give_out(struct dfx_ordered *o, int lane, struct dfx_view *view)
{
	__u32 i = o->lane[lane].first;
	struct slot *s = slot_at(o, i);
	__u64 time;
	int ret;

	o->lane[lane].first = s->next;
	o->out = i;
	ret = dfx_view_parse(&s->frame, sizeof(s->frame) + le32toh(s->frame.len),
			     view);
	if (ret)
		return ret;
	time = view->head.time;
	view->late = time < o->last_time;
	if (!view->late)
		o->last_time = time;
	return 1;
}

static __u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (__u64)ts.tv_sec * 1000000000u + (__u64)ts.tv_nsec;
}

int dfx_ordered_next(struct dfx_ordered *ordered, struct dfx_view *view,
		     __u64 timeout_ns)
{
	struct dfx_ordered *o = ordered;
	__u64 start = now_ns();

	if (o->out != NO_SLOT) {
		slot_at(o, o->out)->next = o->free;
		o->free = o->out;
		o->out = NO_SLOT;
	}

	for (;;) {
		bool complete, ended;
		__u64 waited;
		int lane, ret;

		/* Before the pull: what is not there then will never be. */
		ended = dfx_session_ended(o->dfx);
		ret = pull(o);
		lane = earliest(o, &complete);
		if (lane >= 0 && (complete || ended || ret ||
				  o->free == NO_SLOT))
			return give_out(o, lane, view);
		if (ret)
			return ret;
		if (ended)
			return -ENODATA;
		waited = now_ns() - start;
		if (waited >= timeout_ns)
			return 0;
		/* A session that has ended under the pull ends the wait too. */
		ret = dfx_buffer_wait(o->dfx, timeout_ns - waited);
		if (ret < 0)
			return ret;
	}
}
