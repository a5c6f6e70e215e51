// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * verify.c - is everything there that a session had?
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state_text.h"
#include "verify.h"

#define COMPARE_CHUNK	65536

static int by_seq(const void *a, const void *b)
{
	const struct buffer_ref *x = a;
	const struct buffer_ref *y = b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static int read_exactly(int fd, char *buf, size_t len, __u64 offset)
{
	while (len) {
		ssize_t n = pread(fd, buf, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EBADMSG;
		buf += n;
		offset += (__u64)n;
		len -= (size_t)n;
	}
	return 0;
}

/* 1 if the payloads are alike, 0 if not, -errno. */
static int same_bytes(int fa, __u64 a, int fb, __u64 b, size_t len)
{
	static char left[COMPARE_CHUNK], right[COMPARE_CHUNK];

	while (len) {
		size_t n = len < COMPARE_CHUNK ? len : COMPARE_CHUNK;
		int ret = read_exactly(fa, left, n, a);

		if (!ret)
			ret = read_exactly(fb, right, n, b);
		if (ret)
			return ret;
		if (memcmp(left, right, n))
			return 0;
		a += n;
		b += n;
		len -= n;
	}
	return 1;
}

static int same_buffer(const struct sessions *set, const struct buffer_ref *a,
		       const struct buffer_ref *b)
{
	int fa, fb, ret;

	if (a->count != b->count || a->len != b->len || a->lost != b->lost ||
	    a->time != b->time)
		return 0;
	fa = open(set->path[a->file], O_RDONLY | O_CLOEXEC);
	if (fa < 0)
		return -errno;
	fb = open(set->path[b->file], O_RDONLY | O_CLOEXEC);
	if (fb < 0) {
		ret = -errno;
	} else {
		ret = same_bytes(fa, a->offset, fb, b->offset, a->len);
		close(fb);
	}
	close(fa);
	return ret;
}

/**
 * struct pool_sum - a pool's frames, each counted once
 * @records: records.
 * @lost: loss that they tell of.
 * @missing: sequences that are not there.
 * @ranges: the first few of them as text.
 */
struct pool_sum {
	__u64 records;
	__u64 lost;
	__u64 missing;
	char ranges[96];
};

static void add_missing(struct pool_sum *sum, __u64 from, __u64 to)
{
	size_t n = strlen(sum->ranges);

	sum->missing += to - from;
	if (n + 48 > sizeof(sum->ranges)) {
		if (sum->ranges[n - 1] != '.')
			strcpy(sum->ranges + n, ", ...");
		return;
	}
	if (to - from == 1)
		snprintf(sum->ranges + n, sizeof(sum->ranges) - n, "%s%llu",
			 n ? ", " : "", from);
	else
		snprintf(sum->ranges + n, sizeof(sum->ranges) - n,
			 "%s%llu-%llu", n ? ", " : "", from, to - 1);
}

static int check_twice(const struct sessions *set, unsigned int pool,
		       const struct buffer_ref *a, const struct buffer_ref *b,
		       struct problems *p, struct verdict *v)
{
	int same = same_buffer(set, a, b);

	if (same < 0)
		return same;
	if (!same)
		problem(p, PROBLEM_TWICE,
			"pool %u: buffer %u in %s is not the one in %s",
			pool, a->seq, set->path[b->file], set->path[a->file]);
	else if (!((a->flags | b->flags) & DFX_FRAME_REDELIVERED))
		problem(p, PROBLEM_TWICE,
			"pool %u: buffer %u is in %s and again in %s, and neither says that it was redelivered",
			pool, a->seq, set->path[a->file], set->path[b->file]);
	else
		v->twice++;
	return 0;
}

/* A lane's shares of its arena follow each other without a hole. */
static void check_arena(unsigned int pool, const struct buffer_ref *r,
			__u64 pos, struct problems *p)
{
	if (r->flags & DFX_FRAME_ARENA && r->arena.pos != pos)
		problem(p, PROBLEM_PAYLOAD,
			"pool %u: the payloads of buffer %u begin at %llu of their arena, not at %llu",
			pool, r->seq, r->arena.pos, pos);
}

/* Walk the pool's frames in the order of their sequence. */
static int sum_pool(const struct sessions *set, struct session *s,
		    unsigned int pool, struct problems *p, struct verdict *v,
		    struct pool_sum *sum)
{
	struct pool_refs *refs = &s->refs[pool];
	__u64 next = 0, pos = 0;
	size_t i;
	int ret;

	memset(sum, 0, sizeof(*sum));
	if (refs->nr)
		qsort(refs->ref, refs->nr, sizeof(*refs->ref), by_seq);
	for (i = 0; i < refs->nr; i++) {
		const struct buffer_ref *r = &refs->ref[i];

		if (i && r->seq == r[-1].seq) {
			ret = check_twice(set, pool, r - 1, r, p, v);
			if (ret)
				return ret;
			continue;
		}
		if (r->seq > next)
			add_missing(sum, next, r->seq);
		else
			check_arena(pool, r, pos, p);
		if (r->flags & DFX_FRAME_ARENA)
			pos = r->arena.pos + r->arena.len;
		next = (__u64)r->seq + 1;
		sum->records += r->count;
		sum->lost += r->lost;
		v->buffers++;
	}
	if (s->ended && s->pools[pool].next_seq > next)
		add_missing(sum, next, s->pools[pool].next_seq);
	v->records += sum->records;
	return 0;
}

static void check_pool(const struct session *s, unsigned int pool,
		       const struct pool_sum *sum, struct problems *p)
{
	const struct dfx_pool_state *end = &s->pools[pool];
	__u64 host_dropped, device_dropped;

	/* The driver takes a quarantined or discarded buffer's sequence. */
	host_dropped = end->dropped[DFX_DROP_HOST_FAULT] +
		       end->dropped[DFX_DROP_HOST_DISCARD];
	device_dropped = dropped_sum(end->dropped) - host_dropped;

	if (sum->missing && (!s->ended || !host_dropped ||
			     sum->records != end->delivered))
		problem(p, PROBLEM_SEQUENCE,
			"pool %u: %llu buffers missing: %s", pool,
			sum->missing, sum->ranges);
	if (!s->ended)
		return;
	if (sum->records < end->delivered)
		problem(p, PROBLEM_COUNT,
			"pool %u: %llu records here, %llu were delivered: %llu are missing",
			pool, sum->records, end->delivered,
			end->delivered - sum->records);
	if (sum->records > end->delivered)
		problem(p, PROBLEM_COUNT,
			"pool %u: %llu records here, but only %llu were delivered",
			pool, sum->records, end->delivered);
	if (!identity_holds(end))
		problem(p, PROBLEM_IDENTITY,
			"pool %u: %llu produced is not %llu delivered + %llu dropped + %llu in flight",
			pool, end->produced, end->delivered,
			dropped_sum(end->dropped), end->in_flight);
	if (end->in_flight)
		problem(p, PROBLEM_FLIGHT,
			"pool %u: %llu records never arrived (a lane that did not answer STOP, or another consumer, has them)",
			pool, end->in_flight);
	if (sum->lost > device_dropped)
		problem(p, PROBLEM_LOST,
			"pool %u: frames tell of %llu lost records, the device of %llu",
			pool, sum->lost, device_dropped);
}

/* A part must hold exactly what its own END frame says it was given. */
static void check_part(const struct sessions *set, const struct session *s,
		       const struct part *part, struct problems *p)
{
	const char *path = set->path[part->file];
	unsigned int i;

	/* A writer marks all its frames or none, so one lost its mark. */
	if (part->checked && part->unchecked)
		problem(p, PROBLEM_CHECKSUM,
			"%s: %llu frames carry no checksum, but others do",
			path, part->unchecked);
	for (i = 0; part->ended && i < s->info.nr_pools; i++) {
		const struct dfx_pool_state *end = &part->end[i];
		const struct part_pool *here = &part->pools[i];

		if (here->records != end->delivered_here)
			problem(p, PROBLEM_COUNT,
				"%s: pool %u: %llu records, but this consumer released %llu",
				path, i, here->records, end->delivered_here);
		else if (here->buffers &&
			 here->first_seq != end->first_seq_here)
			problem(p, PROBLEM_SEQUENCE,
				"%s: pool %u begins with buffer %u, but this consumer was first given %llu",
				path, i, here->first_seq, end->first_seq_here);
	}
}

int verify_session(struct sessions *set, struct session *s, struct problems *p,
		   struct verdict *v)
{
	__u64 elsewhere = s->info.lane_mask & ~s->lanes_here;
	char lanes[128];
	unsigned int i;
	int ret;

	memset(v, 0, sizeof(*v));
	if (!s->ended)
		problem(p, PROBLEM_END,
			"session %llu has no END frame: it was cut off, or its consumer died; give its successor's file too",
			s->info.session);
	if (elsewhere)
		problem(p, PROBLEM_LANES,
			"session %llu: lanes %s were recorded by another consumer; give its file too",
			s->info.session,
			mask_text(elsewhere, lanes, sizeof(lanes)));
	for (i = 0; i < s->info.nr_pools; i++) {
		struct pool_sum sum;

		if (!session_has_pool(s, i))
			continue;
		ret = sum_pool(set, s, i, p, v, &sum);
		if (ret)
			return ret;
		check_pool(s, i, &sum, p);
	}
	for (i = 0; i < s->nr_parts; i++) {
		check_part(set, s, &s->parts[i], p);
		v->checked += s->parts[i].checked;
		v->unchecked += s->parts[i].unchecked;
	}
	return 0;
}
