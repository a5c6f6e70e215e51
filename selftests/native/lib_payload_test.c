// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_payload_test.c - records with payloads, from the ring to verify
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib_fake.h"
#include "tap.h"
#include "tools/verify.h"

#define ARENA		4096u
#define ARENA_OFF	32768u	/* in the fake's buffers */
#define RECORD		((__u32)sizeof(struct dfx_rec_dump))

static char path[] = "/tmp/dfx-payload-XXXXXX";

/* Three payloads: 100 bytes, none, and 900 of 5000. */
static const struct {
	__u32 at;	/* in the share */
	__u32 size;
	__u32 full;
} want[] = {
	{ 0, 100, 100 }, { 128, 0, 0 }, { 128, 900, 5000 },
};

#define RECORDS		3u
#define SHARE		1088u	/* 17 units */

static unsigned char byte_at(__u64 pos)
{
	return (unsigned char)(pos * 7 + pos / 256);
}

static void make_records(__u64 pos, unsigned char *out)
{
	struct dfx_rec_dump rec;
	unsigned int i;

	for (i = 0; i < RECORDS; i++) {
		memset(&rec, 0, sizeof(rec));
		rec.task_id = htole64(i);
		rec.payload_offset = htole64(pos + want[i].at);
		rec.payload_size = htole64(want[i].size);
		rec.full_size = htole64(want[i].full);
		rec.truncated = want[i].size < want[i].full;
		memcpy(out + i * RECORD, &rec, sizeof(rec));
	}
}

static void make_header(struct dfx_frame *f, __u32 seq)
{
	memset(f, 0, sizeof(*f));
	f->magic = htole32(DFX_FRAME_MAGIC);
	f->type = DFX_FRAME_DATA;
	f->version = DFX_FRAME_VERSION;
	f->header_size = htole16(sizeof(*f));
	f->len = htole32(RECORDS * RECORD +
			 (__u32)sizeof(struct dfx_arena_info) + SHARE);
	f->flags = htole32(DFX_FRAME_ARENA | DFX_FRAME_PARTIAL);
	f->session = htole64(FRAMES_SESSION);
	f->seq = htole32(seq);
	f->count = htole32(RECORDS);
	f->record_size = htole32(RECORD);
}

/* ---- the ring --------------------------------------------------------------- */

/* Publish a buffer whose share begins at @pos of the lane's arena. */
static struct dfx_ready *publish(__u64 pos)
{
	struct dfx_ready *e = &fake->ready.elem[fake->ready.ctl.tail %
						FAKE_BUFFERS];
	__u64 i;

	for (i = 0; i < SHARE; i++)
		fake->buffers[ARENA_OFF + (pos + i) % ARENA] = byte_at(pos + i);
	make_records(pos, fake->buffers);
	make_header(&e->frame, 0);
	e->cookie = 1;
	e->offset = 0;
	e->arena.pos = htole64(pos);
	e->arena.len = htole64(SHARE);
	e->arena_wrap = ARENA_OFF;
	e->arena_off = ARENA_OFF + pos % ARENA;
	e->arena_first = ARENA - pos % ARENA < SHARE ? ARENA - pos % ARENA :
			 SHARE;
	fake->held[0] = e->cookie;
	fake->count[0] = RECORDS;
	dfx_store_release(&fake->ready.ctl.tail, fake->ready.ctl.tail + 1);
	return e;
}

static struct dfx *attached(void)
{
	struct dfx *dfx = fake_open();

	if (!dfx || dfx_lanes_attach(dfx, 0, NULL)) {
		puts("Bail out! no fake region");
		exit(1);
	}
	fake->arena_kb = ARENA / 1024;
	return dfx;
}

static bool right(const struct dfx_piece *p, __u64 pos, unsigned int i)
{
	size_t k;

	if (p->len != want[i].size || !p->data != !p->len)
		return false;
	for (k = 0; k < p->len; k++)
		if (((const unsigned char *)p->data)[k] !=
		    byte_at(pos + want[i].at + k))
			return false;
	return true;
}

/* Shares that do not wrap, wrap between payloads, and end at the end. */
static const __u64 places[] = {
	0, 64, 10 * ARENA - SHARE, 11 * ARENA - 128, 3 * ARENA - 640,
};

static void test_ring(void)
{
	struct dfx *dfx = attached();
	struct dfx_buffer buf;
	struct dfx_piece p;
	unsigned int i, k;

	for (k = 0; k < 5; k++) {
		publish(places[k]);
		CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
		CHECK_EQ(buf.len, RECORDS * RECORD);
		CHECK_EQ(buf.share[0].len + buf.share[1].len, SHARE);
		CHECK_EQ(!!buf.share[1].len, k >= 3);
		for (i = 0; i < RECORDS; i++) {
			int ret = dfx_buffer_payload(&buf, i, &p);

			/* The last place tears the third payload apart. */
			if (k == 4 && i == 2)
				CHECK_EQ(ret, -EPROTO);
			else
				CHECK(!ret && right(&p, places[k], i));
		}
		CHECK_EQ(dfx_buffer_payload(&buf, RECORDS, &p), -ENOENT);
		CHECK_EQ(dfx_buffer_release(dfx, &buf), 0);
		fake_take();
	}
	dfx_close(dfx);
	tap_end("payloads of a buffer in the driver's memory");
}

static void test_ring_distrust(void)
{
	struct dfx *dfx = attached();
	struct dfx_ready *e = publish(0), good = *e;
	struct dfx_buffer buf;

	e->arena_first = SHARE + 1;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	*e = good;
	e->arena_off = sizeof(fake->buffers) - SHARE + 1;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	e->arena_off = ~0ull - 8;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	*e = good;
	e->arena_first = 64;
	e->arena_wrap = sizeof(fake->buffers);
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	*e = good;
	e->arena.len = htole64(SHARE + (1ull << 32));
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	e->arena.len = htole64(0ull - sizeof(e->arena));
	e->frame.len = htole32(RECORDS * RECORD);
	e->arena_first = 0;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	*e = good;
	e->frame.flags = 0;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	*e = good;
	e->frame.count = htole32(0x80000000u);
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	*e = good;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
	dfx_close(dfx);
	tap_end("shares that cannot be");
}

/* What a record may say, and whether its payload can be had. */
static void test_hostile_record(void)
{
	static const struct {
		__u64 offset;
		__u64 size;
		int ret;
	} says[] = {
		{ 640, SHARE, 0 }, { 640, SHARE + 1, -EPROTO },
		{ 640 + SHARE - 1, 1, 0 }, { 640 + SHARE, 1, -EPROTO },
		{ 639, 1, -EPROTO }, { 0, 1, -EPROTO }, { ~0ull, 1, -EPROTO },
		{ 641, ~0ull, -EPROTO }, { 640, 1ull << 32, -EPROTO },
		{ 0, 0, 0 }, { ~0ull, 0, 0 },
	};
	struct dfx_rec_dump *rec;
	struct dfx *dfx = attached();
	struct dfx_buffer buf;
	struct dfx_view view;
	struct dfx_piece p;
	unsigned int i;

	publish(640);
	CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
	rec = (struct dfx_rec_dump *)(void *)fake->buffers;
	memset(&view, 0, sizeof(view));
	view.head.type = DFX_FRAME_DATA;
	view.head.count = 1;
	view.head.record_size = RECORD;
	view.data = rec;
	view.arena.pos = 640;
	view.arena.len = SHARE;
	view.share = fake->buffers + ARENA_OFF + 640;
	for (i = 0; i < sizeof(says) / sizeof(says[0]); i++) {
		rec->payload_offset = htole64(says[i].offset);
		rec->payload_size = htole64(says[i].size);
		CHECK_EQ(dfx_buffer_payload(&buf, 0, &p), says[i].ret);
		CHECK_EQ(dfx_view_payload(&view, 0, &p), says[i].ret);
	}
	rec->payload_size = htole64(1);
	view.arena.len = 0;
	CHECK_EQ(dfx_view_payload(&view, 0, &p), -EPROTO);
	CHECK_EQ(dfx_view_payload(&view, 1, &p), -ENOENT);
	view.head.record_size = 64;
	CHECK_EQ(dfx_view_payload(&view, 0, &p), -EINVAL);
	view.head.type = DFX_FRAME_END;
	CHECK_EQ(dfx_view_payload(&view, 0, &p), -EINVAL);
	dfx_close(dfx);
	tap_end("a record cannot reach outside of its buffer");
}

/* ---- writer and ordered reader -------------------------------------------------- */

static void check_view(const struct dfx_view *v, __u64 pos)
{
	struct dfx_piece p;
	unsigned int i;

	CHECK_EQ(v->head.count, RECORDS);
	CHECK_EQ(v->arena.pos, pos);
	CHECK_EQ(v->arena.len, SHARE);
	for (i = 0; i < RECORDS; i++)
		CHECK(!dfx_view_payload(v, i, &p) && right(&p, pos, i));
}

static void test_writer(void)
{
	struct dfx_recording *rec;
	struct dfx *dfx = attached();
	struct dfx_writer *w;
	struct dfx_buffer buf;
	struct dfx_view v;
	unsigned int k;

	CHECK_EQ(dfx_writer_open(path, NULL, &w), 0);
	for (k = 0; k < 5; k++) {
		publish(places[k]);
		CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
		CHECK_EQ(dfx_writer_put(w, dfx, &buf), 0);
		fake_take();
		CHECK_EQ(fake_nr_held(), 0);
	}
	CHECK_EQ(dfx_writer_close(w), 0);
	CHECK_EQ(dfx_recording_open(path, &rec), 0);
	for (k = 0; k < 5; k++) {
		CHECK_EQ(dfx_recording_next(rec, &v), 1);
		CHECK_EQ(v.crc, DFX_CRC_GOOD);
		check_view(&v, places[k]);
	}
	CHECK_EQ(dfx_recording_next(rec, &v), 0);
	dfx_recording_close(rec);
	dfx_close(dfx);
	tap_end("written without a copy, read back, checksum over all of it");
}

/* A pipe that takes a little at a time: the writer stops inside of any piece. */
static void test_short_writes(void)
{
	static unsigned char got[3 * 4096];
	struct dfx *dfx = attached();
	struct dfx_buffer buf;
	struct dfx_writer *w;
	struct dfx_view v;
	size_t len = 0, room = 4096 - 30;
	char name[64];
	int fd[2], ret;

	CHECK_EQ(pipe(fd), 0);
	fcntl(fd[0], F_SETPIPE_SZ, 4096);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd[1]);
	CHECK_EQ(dfx_writer_open(name, NULL, &w), 0);
	publish(places[3]);
	CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
	/* The pipe is almost full: what fits ends within the header. */
	CHECK_EQ(write(fd[1], got, room), (ssize_t)room);
	for (ret = dfx_writer_put(w, dfx, &buf); ret == -EAGAIN;
	     ret = dfx_writer_resume(w)) {
		ssize_t n = read(fd[0], got + len, len ? 420 : room + 30);

		if (!CHECK(n > 0))
			break;
		len += (size_t)n;
	}
	CHECK_EQ(ret, 0);
	fake_take();
	CHECK_EQ(fake_nr_held(), 0);
	dfx_writer_close(w);
	close(fd[1]);
	len += (size_t)read(fd[0], got + len, sizeof(got) - len);
	close(fd[0]);
	CHECK_EQ(dfx_view_parse(got + room, len - room, &v), 0);
	CHECK_EQ(v.crc, DFX_CRC_GOOD);
	check_view(&v, places[3]);
	dfx_close(dfx);
	tap_end("short writes go on inside of any piece");
}

static void test_ordered(void)
{
	static char mem[3 * (128 + 64 + 16 + ARENA) + 192];
	struct dfx *dfx = attached();
	struct dfx_ordered *o;
	struct dfx_view v;
	unsigned int k;

	CHECK_EQ(dfx_ordered_new(dfx, 1, mem, 2 * ARENA, &o), -ENOSPC);
	CHECK_EQ(dfx_ordered_new(dfx, 1, mem, sizeof(mem), &o), 0);
	for (k = 0; k < 4; k++) {
		publish(places[k]);
		CHECK_EQ(dfx_ordered_next(o, &v, 0), 1);
		fake_take();
		CHECK_EQ(fake_nr_held(), 0);
		/* The copy stays right when the lane goes on. */
		memset(fake->buffers, 0, sizeof(fake->buffers));
		check_view(&v, places[k]);
	}
	dfx_ordered_free(o);
	dfx_close(dfx);
	tap_end("ordered reader: payloads are copied as well");
}

/* ---- recordings ------------------------------------------------------------------ */

static struct frames f;
static struct problems found;

static void begin(__u32 subsys)
{
	struct dfx_session_info *info;
	struct dfx_pool_info *pools;
	unsigned int i;

	frames_init(&f, false);
	frames_session(&f);
	info = (void *)(f.bytes + sizeof(struct dfx_frame));
	pools = (void *)(info + 1);
	info->subsys = htole32(subsys);
	for (i = 0; i < FRAMES_POOLS; i++)
		pools[i].record_size = htole32(RECORD);
}

/* Append a DATA frame of pool 0 whose share begins at @pos; its offset. */
static size_t add(__u64 pos)
{
	struct dfx_pool_state *st = &f.pool[0];
	struct dfx_arena_info info = {
		.pos = htole64(pos), .len = htole64(SHARE),
	};
	struct dfx_frame head;
	size_t at = f.len;
	__u64 i;

	make_header(&head, (__u32)st->next_seq);
	memcpy(f.bytes + f.len, &head, sizeof(head));
	f.len += sizeof(head);
	make_records(pos, f.bytes + f.len);
	f.len += (size_t)RECORDS * RECORD;
	memcpy(f.bytes + f.len, &info, sizeof(info));
	f.len += sizeof(info);
	for (i = 0; i < SHARE; i++)
		f.bytes[f.len++] = byte_at(pos + i);
	if (!st->next_seq++)
		st->first_seq_here = 0;
	st->produced += RECORDS;
	st->delivered += RECORDS;
	st->delivered_here += RECORDS;
	return at;
}

static struct dfx_rec_dump *record(size_t at, unsigned int i)
{
	return (void *)(f.bytes + at + sizeof(struct dfx_frame) +
			(size_t)i * RECORD);
}

/* Kinds of problems that verify finds, as a mask. */
static unsigned int verify(struct payload_sum *sum)
{
	struct sessions set = { .keep_refs = true };
	unsigned int i, kinds = 0;
	struct verdict v;
	int fd;

	frames_end(&f);
	fd = open(path, O_WRONLY | O_TRUNC);
	if (fd < 0 || write(fd, f.bytes, f.len) != (ssize_t)f.len || close(fd))
		exit(1);
	memset(&found, 0, sizeof(found));
	CHECK_EQ(sessions_read(&set, path, &found), 0);
	for (i = 0; i < set.nr; i++)
		CHECK_EQ(verify_session(&set, &set.session[i], &found, &v), 0);
	if (sum)
		*sum = set.session[0].payload;
	sessions_free(&set);
	for (i = 0; i < NR_PROBLEMS; i++)
		kinds |= (unsigned int)!!found.count[i] << i;
	return kinds;
}

static void test_verify(void)
{
	const unsigned int payload = 1u << PROBLEM_PAYLOAD;
	struct payload_sum sum;
	struct dfx_rec_dump *rec;
	size_t at;

	begin(DFX_SUBSYS_TENSOR_DUMP);
	add(0);
	add(SHARE);
	add(2 * SHARE);
	CHECK_EQ(verify(&sum), 0);
	CHECK_EQ(sum.records, 6);
	CHECK_EQ(sum.bytes, 3000);
	CHECK_EQ(sum.truncated, 3);
	tap_end("verify: payloads where they should be");

	begin(DFX_SUBSYS_TENSOR_DUMP);
	add(0);
	add(SHARE + 64);
	CHECK_EQ(verify(NULL), payload);
	CHECK_EQ(found.count[PROBLEM_PAYLOAD], 1);
	begin(DFX_SUBSYS_TENSOR_DUMP);
	add(64);
	CHECK_EQ(verify(NULL), payload);
	tap_end("verify: a hole between two shares of an arena");

	begin(DFX_SUBSYS_TENSOR_DUMP);
	add(0);
	at = add(SHARE);
	rec = record(at, 0);
	rec->payload_offset = htole64(SHARE - 1);
	CHECK_EQ(verify(NULL), payload);
	begin(DFX_SUBSYS_TENSOR_DUMP);
	rec = record(add(0), 2);
	rec->payload_size = htole64(1ull << 40);
	rec->full_size = htole64(1ull << 41);
	CHECK_EQ(verify(&sum), payload);
	CHECK_EQ(sum.bytes, 100);
	tap_end("verify: a record that names what its frame has not");

	begin(DFX_SUBSYS_TENSOR_DUMP);
	record(add(0), 2)->truncated = 0;
	CHECK_EQ(verify(NULL), payload);
	begin(DFX_SUBSYS_TENSOR_DUMP);
	record(add(0), 0)->truncated = 1;
	CHECK_EQ(verify(NULL), payload);
	begin(DFX_SUBSYS_TENSOR_DUMP);
	record(add(0), 0)->full_size = htole64(99);
	CHECK_EQ(verify(NULL), payload);
	tap_end("verify: truncated or not, size and flag differ");

	begin(DFX_SUBSYS_PMU);
	at = add(0);
	CHECK(verify(NULL) & 1u << PROBLEM_FRAME);
	begin(DFX_SUBSYS_TENSOR_DUMP);
	at = add(0);
	((struct dfx_arena_info *)(void *)record(at, RECORDS))->len =
		htole64(SHARE - 64);
	CHECK(verify(NULL) & 1u << PROBLEM_FRAME);
	begin(DFX_SUBSYS_TENSOR_DUMP);
	at = add(0);
	frames_header(&f, at)->flags = htole32(DFX_FRAME_PARTIAL);
	CHECK(verify(NULL) & 1u << PROBLEM_FRAME);
	tap_end("verify: payloads that their frame does not announce, or should not");
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	tap_plan(11, 60);
	test_ring();
	test_ring_distrust();
	test_hostile_record();
	test_writer();
	test_short_writes();
	test_ordered();
	test_verify();
	unlink(path);
	return tap_done();
}
