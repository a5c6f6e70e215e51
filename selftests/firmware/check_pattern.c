// SPDX-License-Identifier: GPL-2.0-only
/*
 * check_pattern.c - is every byte of a recording what the firmware wrote?
 *
 * Files are joined by session, so that what a consumer left behind and what its
 * successor went on with are checked as one. A buffer that both of them have
 * must be the same in both.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"
#include "recording.h"

/* Lines about single errors; beyond, only the sum tells. */
#define MAX_COMPLAINTS	20

/* A sequence that no recording reaches: 16 million buffers of one pool. */
#define MAX_SEQ		(1u << 24)

/**
 * struct pool - one pool of a session
 * @info: geometry, as the SESSION frame has it.
 * @frame: DATA frames by sequence, NULL where there is none.
 * @nr_frames: elements there: highest sequence plus one.
 * @room: elements allocated.
 * @records: records in these frames.
 * @lost: sum of the frames' lost.
 * @end: state at the end; valid if the session has @ended.
 */
struct pool {
	struct dfx_pool_info info;
	const struct dfx_frame **frame;
	uint32_t nr_frames;
	uint32_t room;
	uint64_t records;
	uint64_t lost;
	struct dfx_pool_state end;
};

/**
 * struct session - one session of one region, from all files
 * @next: another one.
 * @id: its id.
 * @subsys: DFX_SUBSYS_*.
 * @lanes: lanes that the files have together.
 * @ended: an END frame was found.
 * @nr_pools: elements of @pool.
 * @pool: its pools.
 */
struct session {
	struct session *next;
	uint64_t id;
	uint32_t subsys;
	uint64_t lanes;
	int ended;
	uint32_t nr_pools;
	struct pool *pool;
};

static struct session *sessions;
static uint64_t seed = 1;
static uint64_t nr_records, nr_buffers, nr_wrong, nr_missing, nr_redelivered;
static uint64_t nr_payloads, nr_payload_bytes, nr_truncated;

/* The current file. */
static const char *file;

__attribute__((format(printf, 1, 2)))
static void complain(const char *fmt, ...)
{
	static int complaints;
	va_list ap;

	if (complaints++ >= MAX_COMPLAINTS)
		return;
	fprintf(stderr, "dfx-check-pattern: ");
	if (file)
		fprintf(stderr, "%s: ", file);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p) {
		fprintf(stderr, "dfx-check-pattern: out of memory\n");
		exit(1);
	}
	return p;
}

static struct session *session_find(uint64_t id, uint32_t subsys)
{
	struct session *s;

	for (s = sessions; s; s = s->next)
		if (s->id == id && s->subsys == subsys)
			return s;
	return NULL;
}

/* A SESSION frame: a new session, or more lanes of a known one. */
static struct session *session_add(const struct dfx_frame *f,
				   const void *payload)
{
	const struct dfx_session_info *si = payload;
	const unsigned char *pools;
	struct session *s;
	uint32_t i;

	if (f->len < sizeof(*si) || si->info_size < sizeof(*si) ||
	    si->pool_size < sizeof(struct dfx_pool_info) ||
	    si->nr_pools > DFX_MAX_POOLS || f->len < si->info_size +
	    (uint64_t)si->nr_pools * si->pool_size) {
		complain("bad session frame");
		nr_wrong++;
		return NULL;
	}
	s = session_find(si->session, si->subsys);
	if (s) {
		if (s->nr_pools != si->nr_pools) {
			complain("session %#" PRIx64 " has other pools here",
				 s->id);
			nr_wrong++;
			return NULL;
		}
		s->lanes |= si->lanes_here;
		return s;
	}
	s = xcalloc(1, sizeof(*s));
	s->id = si->session;
	s->subsys = si->subsys;
	s->lanes = si->lanes_here;
	s->nr_pools = si->nr_pools;
	s->pool = xcalloc(s->nr_pools ? s->nr_pools : 1, sizeof(*s->pool));
	pools = (const unsigned char *)payload + si->info_size;
	for (i = 0; i < s->nr_pools; i++)
		memcpy(&s->pool[i].info, pools + (size_t)i * si->pool_size,
		       sizeof(s->pool[i].info));
	s->next = sessions;
	sessions = s;
	return s;
}

/* What of a lane's arena a frame has, and where that is; 0 without any. */
static struct dfx_arena_info frame_share(const struct dfx_frame *f)
{
	struct dfx_arena_info share = { 0, 0 };

	if (f->flags & DFX_FRAME_ARENA)
		memcpy(&share, (const unsigned char *)f + f->header_size +
		       (size_t)f->count * f->record_size, sizeof(share));
	return share;
}

/* Bytes of a frame's payload: records, and what follows them. */
static uint64_t frame_bytes(const struct dfx_frame *f)
{
	uint64_t len = (uint64_t)f->count * f->record_size;

	if (!(f->flags & DFX_FRAME_ARENA))
		return len;
	len += sizeof(struct dfx_arena_info);
	return f->len < len ? len : len + frame_share(f).len;
}

static int payload_ok(uint32_t subsys, const struct dfx_frame *f,
		      const struct dfx_rec_dump *rec)
{
	struct dfx_arena_info share = frame_share(f);
	uint64_t at = rec->payload_offset - share.pos, len = rec->payload_size;
	int truncated = len < rec->full_size;
	const unsigned char *data;
	uint64_t chunk[512], n;

	if (len > rec->full_size || rec->truncated != truncated ||
	    rec->payload_offset % DFX_ARENA_UNIT ||
	    (len && (at > share.len || len > share.len - at)))
		return 0;
	data = (const unsigned char *)f + f->header_size +
	       (size_t)f->count * f->record_size + sizeof(share) + at;
	for (at = 0; at < len; at += n) {
		n = len - at < sizeof(chunk) ? len - at : sizeof(chunk);
		dfx_pattern_payload(seed, subsys, f->pool,
				    rec->payload_offset + at, chunk, n);
		if (memcmp(chunk, data + at, n))
			return 0;
	}
	nr_payloads += rec->full_size != 0;
	nr_payload_bytes += len;
	nr_truncated += truncated;
	return 1;
}

/* What the pattern does not know of a record, once its payload is right. */
static int take_payload(uint32_t subsys, const struct dfx_frame *f,
			const unsigned char *found, unsigned char *want)
{
	struct dfx_rec_dump rec, *out = (struct dfx_rec_dump *)want;

	memcpy(&rec, found, sizeof(rec));
	if (!payload_ok(subsys, f, &rec))
		return 0;
	out->truncated = rec.truncated;
	out->payload_offset = rec.payload_offset;
	out->payload_size = rec.payload_size;
	out->full_size = rec.full_size;
	return 1;
}

static void check_records(struct session *s, const struct dfx_frame *f,
			  const unsigned char *payload)
{
	_Alignas(8) unsigned char want[DFX_PATTERN_MAX_SIZE];
	uint32_t size = f->record_size;
	const unsigned char *found = payload;
	uint32_t i;

	for (i = 0; i < f->count; i++, found += size) {
		dfx_pattern_record(seed, s->subsys, f->kind, f->pool, f->seq,
				   i, want);
		if ((!dfx_pattern_has_payloads(s->subsys) ||
		     take_payload(s->subsys, f, found, want)) &&
		    !memcmp(want, found, size))
			continue;
		complain("session %#" PRIx64 ", pool %u, seq %u, record %u is wrong",
			 s->id, f->pool, f->seq, i);
		nr_wrong++;
	}
	nr_records += f->count;
}

/* Two copies of one buffer: all but the word about redelivery is the same. */
static int is_same(const struct dfx_frame *a, const struct dfx_frame *b)
{
	struct dfx_frame x = *a, y = *b;

	x.flags &= ~(DFX_FRAME_REDELIVERED | DFX_FRAME_CRC);
	y.flags &= ~(DFX_FRAME_REDELIVERED | DFX_FRAME_CRC);
	x.crc = 0;
	y.crc = 0;
	return !memcmp(&x, &y, sizeof(x)) &&
	       !memcmp((const unsigned char *)a + a->header_size,
		       (const unsigned char *)b + b->header_size, a->len);
}

static int frame_ok(struct session *s, const struct dfx_frame *f)
{
	struct pool *p;

	if (f->pool >= s->nr_pools || f->seq >= MAX_SEQ)
		return 0;
	p = &s->pool[f->pool];
	return f->record_size &&
	       f->record_size == dfx_pattern_size(s->subsys, f->kind) &&
	       f->record_size == p->info.record_size &&
	       f->kind == p->info.kind && f->lane == p->info.lane &&
	       f->count && f->count <= p->info.capacity &&
	       f->len == frame_bytes(f) &&
	       (dfx_pattern_has_payloads(s->subsys) ||
		!(f->flags & DFX_FRAME_ARENA)) &&
	       !(f->flags & DFX_FRAME_PARTIAL) ==
	       (f->count == p->info.capacity) &&
	       !(f->flags & DFX_FRAME_GAP) == !f->lost;
}

static void pool_grow(struct pool *p, uint32_t need)
{
	uint32_t room = p->room ? p->room : 64;
	const struct dfx_frame **frame;

	while (room < need)
		room *= 2;
	if (room == p->room)
		return;
	frame = xcalloc(room, sizeof(*frame));
	if (p->room)
		memcpy(frame, p->frame, p->room * sizeof(*frame));
	free(p->frame);
	p->frame = frame;
	p->room = room;
}

static void data_add(struct session *s, const struct dfx_frame *f,
		     const void *payload)
{
	struct pool *p;

	if (!frame_ok(s, f)) {
		complain("session %#" PRIx64 ", pool %u, seq %u: bad frame",
			 s->id, f->pool, f->seq);
		nr_wrong++;
		return;
	}
	p = &s->pool[f->pool];
	pool_grow(p, f->seq + 1);
	if (p->frame[f->seq]) {
		nr_redelivered++;
		if (is_same(p->frame[f->seq], f))
			return;
		complain("session %#" PRIx64 ", pool %u, seq %u: two that differ",
			 s->id, f->pool, f->seq);
		nr_wrong++;
		return;
	}
	p->frame[f->seq] = f;
	if (f->seq >= p->nr_frames)
		p->nr_frames = f->seq + 1;
	p->records += f->count;
	p->lost += f->lost;
	nr_buffers++;
	check_records(s, f, payload);
}

static void end_add(struct session *s, const struct dfx_frame *f,
		    const void *payload)
{
	const struct dfx_end_info *ei = payload;
	const unsigned char *pools;
	uint32_t i;

	if (f->len < sizeof(*ei) || ei->info_size < sizeof(*ei) ||
	    ei->pool_size < sizeof(struct dfx_pool_state) ||
	    ei->nr_pools != s->nr_pools || f->len < ei->info_size +
	    (uint64_t)ei->nr_lanes * ei->lane_size +
	    (uint64_t)ei->nr_pools * ei->pool_size) {
		complain("session %#" PRIx64 ": bad end frame", s->id);
		nr_wrong++;
		return;
	}
	pools = (const unsigned char *)payload + ei->info_size +
		(size_t)ei->nr_lanes * ei->lane_size;
	for (i = 0; i < s->nr_pools; i++)
		memcpy(&s->pool[i].end, pools + (size_t)i * ei->pool_size,
		       sizeof(s->pool[i].end));
	s->ended = 1;
}

/*
 * Session of a frame: several regions may use the same id, and only the
 * SESSION frame says which region a file is about.
 */
static struct session *in_file(struct session **here, int nr, uint64_t id)
{
	while (nr--)
		if (here[nr]->id == id)
			return here[nr];
	return NULL;
}

static void read_file(const char *path)
{
	struct session **here = NULL;
	const struct dfx_frame *f;
	struct recording rec;
	const void *payload;
	struct session *s;
	int nr = 0;
	int rc;

	file = path;
	if (recording_open(&rec, path)) {
		complain("%s", strerror(errno));
		exit(1);
	}
	while ((rc = recording_next(&rec, &f, &payload)) > 0) {
		if (f->type == DFX_FRAME_SESSION) {
			s = session_add(f, payload);
			if (!s)
				continue;
			here = realloc(here, (nr + 1) * sizeof(*here));
			if (!here)
				exit(1);
			here[nr++] = s;
			continue;
		}
		s = in_file(here, nr, f->session);
		if (!s) {
			complain("frame of a session without a beginning");
			nr_wrong++;
		} else if (f->type == DFX_FRAME_DATA) {
			data_add(s, f, payload);
		} else {
			end_add(s, f, payload);
		}
	}
	if (rc < 0) {
		complain("no whole frame at byte %zu", rec.at);
		nr_wrong++;
	}
	free(here);
	file = NULL;
}

/* What the driver said at the end against what is there. */
static void check_end(struct session *s, struct pool *p, uint32_t id)
{
	uint64_t device = 0, all = 0, want;
	uint32_t i;

	for (i = 0; i < DFX_NR_DROP; i++) {
		all += p->end.dropped[i];
		if (i < DFX_DROP_HOST_FAULT)
			device += p->end.dropped[i];
	}
	if (p->lost > device) {
		complain("session %#" PRIx64 ", pool %u: %" PRIu64 " lost, but %" PRIu64 " dropped",
			 s->id, id, p->lost, device);
		nr_wrong++;
	}
	if (p->records + all + p->end.in_flight != p->end.produced) {
		want = p->end.produced - all - p->end.in_flight;
		complain("session %#" PRIx64 ", pool %u: %" PRIu64 " records, want %" PRIu64,
			 s->id, id, p->records, want);
		nr_wrong++;
	}
}

/* Shares of an arena follow each other; what is missing leaves a hole. */
static void check_shares(struct session *s, struct pool *p, uint32_t id)
{
	struct dfx_arena_info share;
	uint64_t pos = 0;
	uint32_t seq;

	for (seq = 0; seq < p->nr_frames; seq++) {
		if (!p->frame[seq])
			return;
		share = frame_share(p->frame[seq]);
		if (share.len && share.pos != pos) {
			complain("session %#" PRIx64 ", pool %u, seq %u: payloads at %#llx",
				 s->id, id, seq, share.pos);
			nr_wrong++;
			return;
		}
		pos += share.len;
	}
}

static void check_session(struct session *s)
{
	struct pool *p;
	uint32_t i, seq, gone;
	uint64_t expected;

	for (i = 0; i < s->nr_pools; i++) {
		p = &s->pool[i];
		if (p->info.lane >= 64 || !(s->lanes >> p->info.lane & 1))
			continue;
		check_shares(s, p, i);
		gone = 0;
		for (seq = 0; seq < p->nr_frames; seq++)
			gone += !p->frame[seq];
		expected = s->ended ? p->end.next_seq : p->nr_frames;
		if (expected > p->nr_frames)
			gone += expected - p->nr_frames;
		nr_missing += gone;
		if (gone)
			complain("session %#" PRIx64 ", pool %u: %u buffers missing",
				 s->id, i, gone);
		else if (s->ended)
			check_end(s, p, i);
	}
}

static void usage(FILE *out)
{
	fputs("usage: dfx-check-pattern [--seed N] FILE...\n"
	      "Check recordings of the reference firmware byte for byte. Files of\n"
	      "one session are joined. N is the firmware's seed=, 1 by default.\n",
	      out);
}

static int parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	char *end;
	int c;

	while ((c = getopt_long(argc, argv, "s:h", options, NULL)) != -1) {
		switch (c) {
		case 's':
			errno = 0;
			seed = strtoull(optarg, &end, 0);
			if (!errno && *optarg && !*end)
				break;
			complain("bad seed: %s", optarg);
			return -1;
		case 'h':
			usage(stdout);
			exit(0);
		default:
			return -1;
		}
	}
	return optind < argc ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct session *s;
	int i;

	if (parse(argc, argv)) {
		usage(stderr);
		return 2;
	}
	for (i = optind; i < argc; i++)
		read_file(argv[i]);
	for (s = sessions; s; s = s->next)
		check_session(s);
	/* Nothing to check is no success: the test that asks expects data. */
	if (!nr_records)
		complain("no records");
	printf("%" PRIu64 " records checked in %" PRIu64 " buffers, ",
	       nr_records, nr_buffers);
	printf("%" PRIu64 " wrong, %" PRIu64 " missing, %" PRIu64 " redelivered\n",
	       nr_wrong, nr_missing, nr_redelivered);
	if (nr_payloads)
		printf("%" PRIu64 " payloads checked, %" PRIu64 " bytes, %" PRIu64 " truncated\n",
		       nr_payloads, nr_payload_bytes, nr_truncated);
	return nr_wrong || nr_missing || !nr_records;
}
