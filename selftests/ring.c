// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring.c - a consumer that uses nothing but mmap and ioctl
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "deadline.h"
#include "ring.h"

static void *ring_map(struct ring *r, __u64 off, __u64 len, int prot)
{
	void *p = mmap(NULL, len, prot, MAP_SHARED, r->fd, off);

	return p == MAP_FAILED ? NULL : p;
}

int ring_open(struct ring *r, int fd, __u64 lanes)
{
	memset(r, 0, sizeof(*r));
	r->fd = fd;
	r->a.size = sizeof(r->a);
	r->a.lanes = lanes;
	if (ioctl(fd, DFX_IOC_ATTACH, &r->a))
		return -errno;
	r->buffers = ring_map(r, r->a.out_buffers_off, r->a.out_buffers_len,
			      PROT_READ);
	r->release = ring_map(r, r->a.out_release_off, r->a.out_release_len,
			      PROT_READ | PROT_WRITE);
	r->ready = ring_map(r, r->a.out_ready_off, r->a.out_ready_len,
			    PROT_READ);
	return r->buffers && r->release && r->ready ? 0 : -errno;
}

void ring_close(struct ring *r)
{
	if (r->buffers)
		munmap((void *)r->buffers, r->a.out_buffers_len);
	if (r->release)
		munmap(r->release, r->a.out_release_len);
	if (r->ready)
		munmap(r->ready, r->a.out_ready_len);
	r->buffers = NULL;
	r->release = NULL;
	r->ready = NULL;
}

const struct dfx_ready *ring_next(struct ring *r)
{
	const struct dfx_ready *elems = (const void *)
		((const char *)r->ready + r->ready->elem_off);
	const struct dfx_ready *e;

	/* Pairs with the kernel's release store after the element. */
	if (__atomic_load_n(&r->ready->tail, __ATOMIC_ACQUIRE) == r->head)
		return NULL;
	e = &elems[r->head++ & r->ready->mask];
	__atomic_store_n(&r->release->ready_head, r->head, __ATOMIC_RELAXED);
	return e;
}

const void *ring_records(const struct ring *r, const struct dfx_ready *e)
{
	return r->buffers + e->offset;
}

int ring_enter(const struct ring *r, const struct dfx_ready *e,
	       struct ledger *ledger)
{
	const struct ledger_share share = {
		.info = e->arena,
		.data = r->buffers + e->arena_off,
		.first = e->arena_first,
		.wrap = r->buffers + e->arena_wrap,
	};

	/* What is not mapped cannot be looked at. */
	if (share.first > share.info.len ||
	    e->arena_off + share.first > r->a.out_buffers_len ||
	    e->arena_wrap + share.info.len - share.first >
	    r->a.out_buffers_len) {
		snprintf(ledger->why, sizeof(ledger->why),
			 "pool %u seq %u: share at %llu, %llu bytes, then %llu",
			 e->frame.pool, e->frame.seq, e->arena_off,
			 e->arena_first, e->arena_wrap);
		return -1;
	}
	return ledger_frame(ledger, &e->frame, ring_records(r, e), &share);
}

void ring_release(struct ring *r, __u64 cookie)
{
	DFX_RELEASE_COOKIES(r->release)[r->tail++ & r->ready->mask] = cookie;
	/* Pairs with the kernel's acquire load. */
	__atomic_store_n(&r->release->tail, r->tail, __ATOMIC_RELEASE);
}

int ring_ended(const struct ring *r)
{
	/* Pairs with the kernel's release store after the last element. */
	return __atomic_load_n(&r->ready->flags, __ATOMIC_ACQUIRE) &
	       DFX_RING_END;
}

int ring_wait(struct ring *r, __u64 timeout_ns)
{
	struct dfx_wait w = { .size = sizeof(w), .timeout_ns = timeout_ns };

	return ioctl(r->fd, DFX_IOC_WAIT, &w) ? -errno : (int)w.out_events;
}

int ring_drain(struct ring *r, struct ledger *ledger)
{
	const struct dfx_ready *e;
	int n = 0;

	while ((e = ring_next(r))) {
		if (ring_enter(r, e, ledger))
			return -1;
		ring_release(r, e->cookie);
		n++;
	}
	return n;
}

int ring_hold(struct ring *r, struct ledger *ledger, __u64 *cookie, int max)
{
	const struct dfx_ready *e;
	int n = 0;

	while (n < max && (e = ring_next(r))) {
		if (ring_enter(r, e, ledger))
			return -1;
		cookie[n++] = e->cookie;
	}
	return n;
}

int ring_drain_to_end(struct ring *r, struct ledger *ledger)
{
	__u64 until = clock_ns() + SOON_MS * 1000000ull;
	int ended, n;

	do {
		/* The end first: what is drained after it is all there is. */
		ended = ring_ended(r);
		n = ring_drain(r, ledger);
		if (n < 0)
			return -1;
		if (ended) {
			ring_wait(r, 0);
			return 0;
		}
		if (!n)
			ring_wait(r, 20000000);
	} while (clock_ns() < until);
	return -2;
}
