// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_fake.c - a region without a kernel
 */
#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib_fake.h"

#define OFF_READY	0x1000
#define OFF_RELEASE	0x2000
#define OFF_BUFFERS	0x3000

struct fake *fake;
/* A recorder's thread calls in beside the test's. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take(void)
{
	__u32 tail = dfx_load_acquire(&fake->release.ctl.tail);
	unsigned int i;

	for (; fake->release_head != tail; fake->release_head++) {
		__u64 c = fake->release.cookie[fake->release_head %
					       FAKE_BUFFERS];

		for (i = 0; i < FAKE_BUFFERS; i++)
			if (c && fake->held[i] == c)
				break;
		if (i == FAKE_BUFFERS) {
			fake->bad++;
			continue;
		}
		fake->held[i] = 0;
		fake->frames.pool[i / 4].delivered += fake->count[i];
		fake->frames.pool[i / 4].delivered_here += fake->count[i];
	}
	dfx_store_release(&fake->ready.ctl.released, fake->release_head);
}

static unsigned int nr_held(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < FAKE_BUFFERS; i++)
		n += !!fake->held[i];
	return n;
}

static int do_frame(struct dfx_get_frame *g)
{
	struct frames *f = &fake->frames;
	size_t room = g->len;

	if (g->type == DFX_FRAME_END && (fake->running || nr_held()))
		return -EAGAIN;
	f->len = 0;
	if (g->type == DFX_FRAME_SESSION)
		frames_session(f);
	else
		frames_end(f);
	g->len = f->len;
	if (room < f->len)
		return -EMSGSIZE;
	memcpy((void *)(uintptr_t)g->buf_uptr, f->bytes, f->len);
	return 0;
}

static int do_wait(struct dfx_wait *w)
{
	take();
	w->out_events = 0;
	if (fake->release.ctl.ready_head != fake->ready.ctl.tail)
		w->out_events |= DFX_WAIT_READY;
	else if (fake->ready.ctl.flags & DFX_RING_END)
		w->out_events |= DFX_WAIT_END;
	if (w->out_events || !w->timeout_ns)
		return 0;
	fake->waits++;
	return -ETIMEDOUT;
}

static int do_attach(struct dfx_attach *a)
{
	a->out_lanes = a->lanes ? a->lanes : 3;
	a->out_ready_off = OFF_READY;
	a->out_ready_len = sizeof(fake->ready);
	a->out_release_off = OFF_RELEASE;
	a->out_release_len = sizeof(fake->release);
	a->out_buffers_off = OFF_BUFFERS;
	a->out_buffers_len = sizeof(fake->buffers);
	return 0;
}

static int do_pools(struct dfx_pools *p)
{
	struct dfx_pool_info *out = (void *)(uintptr_t)p->pools_uptr;
	unsigned int i, room = p->nr_pools;

	p->nr_pools = FRAMES_POOLS;
	if (room < FRAMES_POOLS)
		return -EMSGSIZE;
	for (i = 0; i < FRAMES_POOLS; i++)
		out[i] = frames_pool_info(i);
	return 0;
}

static int dispatch(unsigned long cmd, void *arg)
{
	struct dfx_query *q = arg;

	switch (cmd) {
	case DFX_IOC_QUERY:
		q->out_nr_pools = FRAMES_POOLS;
		q->out_nr_lanes = FRAMES_LANES;
		return 0;
	case DFX_IOC_POOLS:
		return do_pools(arg);
	case DFX_IOC_POLICY:
		((struct dfx_policy *)arg)->arena_kb = fake->arena_kb;
		return 0;
	case DFX_IOC_ATTACH:
		return do_attach(arg);
	case DFX_IOC_DETACH:
		return 0;
	case DFX_IOC_WAIT:
		return do_wait(arg);
	case DFX_IOC_FRAME:
		return do_frame(arg);
	default:
		return -ENOTTY;
	}
}

static int fake_ioctl(int fd, unsigned long cmd, void *arg)
{
	int ret;

	(void)fd;
	pthread_mutex_lock(&lock);
	ret = dispatch(cmd, arg);
	pthread_mutex_unlock(&lock);
	return ret;
}

static int fake_map(int fd, __u64 off, size_t len, int prot, void **out)
{
	(void)fd;
	(void)len;
	(void)prot;
	if (off == OFF_READY)
		*out = &fake->ready;
	else if (off == OFF_RELEASE)
		*out = &fake->release;
	else
		*out = fake->buffers;
	return 0;
}

static void fake_unmap(void *addr, size_t len)
{
	(void)addr;
	(void)len;
}

static void fake_close(int fd)
{
	(void)fd;
	free(fake);
	fake = NULL;
}

static const struct dfx_transport transport = {
	.ioctl = fake_ioctl,
	.map = fake_map,
	.unmap = fake_unmap,
	.close = fake_close,
};

struct dfx *fake_open(void)
{
	struct dfx *dfx;

	fake = aligned_alloc(64, sizeof(*fake));
	if (!fake)
		return NULL;
	memset(fake, 0, sizeof(*fake));
	frames_init(&fake->frames, false);
	fake->running = true;
	fake->session = FRAMES_SESSION;
	fake->ready.ctl.mask = FAKE_BUFFERS - 1;
	fake->ready.ctl.elem_off = __builtin_offsetof(__typeof__(fake->ready),
						      elem);
	return dfx_open_with(&transport, -1, "dfx9", &dfx) ? NULL : dfx;
}

bool fake_publish(unsigned int pool, unsigned int count, __u64 time)
{
	struct dfx_pool_state *st = &fake->frames.pool[pool];
	unsigned int b, i, seq;
	struct dfx_ready *e;
	bool found = false;

	pthread_mutex_lock(&lock);
	take();
	for (b = 4 * pool; b < 4 * pool + 4 && fake->held[b]; b++)
		;
	if (b < 4 * pool + 4) {
		found = true;
		seq = (unsigned int)st->next_seq;
		/* The frame maker counts what it makes; releases count here. */
		fake->frames.len = 0;
		frames_data(&fake->frames, pool, count, 0, 0);
		st->delivered -= count;
		st->delivered_here -= count;
		for (i = 0; i < count; i++)
			frames_record(pool, seq, i, fake->buffers +
				      (size_t)b * FAKE_STRIDE +
				      (size_t)i * FRAMES_RECORD);
		e = &fake->ready.elem[fake->ready.ctl.tail % FAKE_BUFFERS];
		memcpy(&e->frame, fake->frames.bytes, sizeof(e->frame));
		e->frame.time = htole64(time);
		e->frame.session = htole64(fake->session);
		e->cookie = ++fake->next_cookie << 8 | b;
		e->offset = (__u64)b * FAKE_STRIDE;
		fake->held[b] = e->cookie;
		fake->count[b] = count;
		dfx_store_release(&fake->ready.ctl.tail,
				  fake->ready.ctl.tail + 1);
	}
	pthread_mutex_unlock(&lock);
	return found;
}

void fake_take(void)
{
	pthread_mutex_lock(&lock);
	take();
	pthread_mutex_unlock(&lock);
}

void fake_stop(void)
{
	pthread_mutex_lock(&lock);
	fake->running = false;
	dfx_store_release(&fake->ready.ctl.flags, DFX_RING_END);
	pthread_mutex_unlock(&lock);
}

unsigned int fake_nr_held(void)
{
	unsigned int n;

	pthread_mutex_lock(&lock);
	n = nr_held();
	pthread_mutex_unlock(&lock);
	return n;
}
