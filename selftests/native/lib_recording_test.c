// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_recording_test.c - what verify says of recordings, good and bad
 *
 * Each fault is put into an otherwise good recording, and must be found under
 * its own name.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc32c.h"
#include "lib_frames.h"
#include "tap.h"
#include "tools/verify.h"

static char dir[] = "/tmp/dfx-lib-XXXXXX";
static char path_a[64], path_b[64];
static struct frames fa, fb;

/* What came of verifying a set of files. */
struct outcome {
	struct problems p;
	struct verdict v;
	struct totals t;
	unsigned int sessions;
	int error;
};

static void store(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	/* Not O_TRUNC: some file systems flush a file that is replaced so. */
	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len ||
	    ftruncate(fd, (off_t)len) || close(fd)) {
		perror(path);
		exit(1);
	}
}

static struct outcome verify(const char *first, const char *second)
{
	struct sessions set = { .keep_refs = true };
	struct outcome o = { 0 };
	unsigned int i;

	o.error = sessions_read(&set, first, &o.p);
	if (!o.error && second)
		o.error = sessions_read(&set, second, &o.p);
	for (i = 0; i < set.nr && !o.error; i++) {
		struct totals t;

		o.error = verify_session(&set, &set.session[i], &o.p, &o.v);
		session_totals(&set.session[i], &t);
		totals_add(&o.t, &t);
	}
	o.sessions = set.nr;
	sessions_free(&set);
	return o;
}

static struct outcome verify_a(void)
{
	store(path_a, fa.bytes, fa.len);
	return verify(path_a, NULL);
}

static struct outcome verify_both(void)
{
	store(path_a, fa.bytes, fa.len);
	store(path_b, fb.bytes, fb.len);
	return verify(path_a, path_b);
}

/* Only problems of the kinds in the mask, and at least one of each. */
static bool exactly(const struct outcome *o, unsigned int mask)
{
	unsigned int i;

	for (i = 0; i < NR_PROBLEMS; i++)
		if (!(mask >> i & 1) != !o->p.count[i])
			return false;
	return !o->error;
}

#define KIND(k)	(1u << PROBLEM_##k)

static void test_crc(void)
{
	unsigned char buf[320];
	unsigned int i, off, len;

	CHECK_EQ(dfx_crc32c(0, "123456789", 9), 0xe3069283);
	CHECK_EQ(dfx_crc32c_table(0, "123456789", 9), 0xe3069283);
	memset(buf, 0, 32);
	CHECK_EQ(dfx_crc32c(0, buf, 32), 0x8a9136aa);
	memset(buf, 0xff, 32);
	CHECK_EQ(dfx_crc32c(0, buf, 32), 0x62a8ab43);
	CHECK_EQ(dfx_crc32c(0, buf, 0), 0);
	for (i = 0; i < sizeof(buf); i++)
		buf[i] = (unsigned char)(i * i + 3);
	for (off = 0; off < 9; off++)
		for (len = 0; len + off <= sizeof(buf); len++) {
			__u32 sum = dfx_crc32c(0, buf + off, len);

			if (sum != dfx_crc32c_table(0, buf + off, len) ||
			    sum != dfx_crc32c(dfx_crc32c(0, buf + off, len / 3),
					      buf + off + len / 3,
					      len - len / 3)) {
				CHECK(false);
				len = sizeof(buf);
			}
		}
	tap_end("crc32c: vectors, table and instruction agree, continues");
}

static void test_good(void)
{
	struct outcome o;

	frames_init(&fa, true);
	frames_fill(&fa, 5);
	o = verify_a();
	CHECK(exactly(&o, 0));
	CHECK_EQ(o.sessions, 1);
	CHECK_EQ(o.v.records, 5 * FRAMES_POOLS * FRAMES_CAPACITY);
	CHECK_EQ(o.v.buffers, 5 * FRAMES_POOLS);
	CHECK_EQ(o.v.checked, 5 * FRAMES_POOLS + 2);
	CHECK_EQ(o.v.unchecked, 0);
	CHECK_EQ(o.t.produced, o.v.records);
	CHECK_EQ(o.t.delivered, o.v.records);
	CHECK_EQ(totals_lost(&o.t), 0);
	CHECK_EQ(o.t.freezes, 7);
	tap_end("a good recording");

	frames_init(&fa, false);
	frames_fill(&fa, 5);
	o = verify_a();
	CHECK(exactly(&o, 0));
	CHECK_EQ(o.v.checked, 0);
	CHECK_EQ(o.v.unchecked, 5 * FRAMES_POOLS + 2);
	tap_end("a good recording without checksums, as cat makes it");
}

static void test_damage(void)
{
	unsigned long missed = 0;
	size_t n, bit;
	struct outcome o;

	frames_init(&fa, true);
	frames_fill(&fa, 2);
	for (n = 0; n < fa.len; n++) {
		store(path_a, fa.bytes, n);
		o = verify(path_a, NULL);
		missed += o.error || !problems_total(&o.p);
	}
	CHECK_EQ(missed, 0);
	tap_end("cut off at each of %zu bytes: found", fa.len);

	missed = 0;
	for (bit = 0; bit < 8 * fa.len; bit++) {
		fa.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		o = verify_a();
		missed += o.error || !problems_total(&o.p);
		fa.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	CHECK_EQ(missed, 0);
	o = verify_a();
	CHECK(exactly(&o, 0));
	tap_end("each of %zu bits turned over: found", 8 * fa.len);
}

static void test_counts(void)
{
	struct outcome o;
	size_t at, end;

	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 0, 4, 0, 0);
	fa.pool[0].produced++;
	frames_end(&fa);
	o = verify_a();
	CHECK(exactly(&o, KIND(IDENTITY)));
	tap_end("produced is not the sum of its parts");

	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 0, 4, 0, 0);
	at = frames_data(&fa, 0, 4, 0, 0);
	end = fa.len;
	frames_data(&fa, 0, 4, 0, 0);
	frames_end(&fa);
	memmove(fa.bytes + at, fa.bytes + end, fa.len - end);
	fa.len -= end - at;
	o = verify_a();
	CHECK(exactly(&o, KIND(SEQUENCE) | KIND(COUNT)));
	tap_end("a buffer in the middle is missing");

	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 1, 4, 0, 0);
	fa.pool[1].next_seq++;
	fa.pool[1].produced += 4;
	fa.pool[1].dropped[DFX_DROP_HOST_DISCARD] = 4;
	frames_data(&fa, 1, 3, 0, 0);
	frames_end(&fa);
	o = verify_a();
	CHECK(exactly(&o, 0));
	CHECK_EQ(totals_lost(&o.t), 4);
	tap_end("a buffer that the driver discarded and counted is not missing");

	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 2, 4, 0, 0);
	fa.pool[2].produced += 2;
	fa.pool[2].in_flight = 2;
	frames_end(&fa);
	o = verify_a();
	CHECK(exactly(&o, KIND(FLIGHT)));
	tap_end("records in flight that never arrived");

	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 2, 4, 0, 0);
	fa.pool[2].delivered_here--;
	frames_end(&fa);
	o = verify_a();
	CHECK(exactly(&o, KIND(COUNT)));
	fa.pool[2].delivered_here++;
	fa.pool[2].first_seq_here++;
	fa.len = 0;
	fa.pool[2].next_seq = 0;
	fa.pool[2].produced = 0;
	fa.pool[2].delivered = 0;
	fa.pool[2].delivered_here = 0;
	frames_session(&fa);
	frames_data(&fa, 2, 4, 0, 0);
	frames_end(&fa);
	o = verify_a();
	CHECK(exactly(&o, KIND(SEQUENCE)));
	tap_end("a consumer that was given other buffers than are there");
}

static void test_loss(void)
{
	struct outcome o;
	size_t at;

	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 0, 4, 0, 0);
	frames_data(&fa, 0, 2, 0, 9);
	/* Dropped at the very end: no later entry could tell of it. */
	fa.pool[0].produced += 5;
	fa.pool[0].dropped[DFX_DROP_HOST_GONE] = 5;
	frames_end(&fa);
	o = verify_a();
	CHECK(exactly(&o, 0));
	CHECK_EQ(totals_lost(&o.t), 14);
	CHECK_EQ(o.t.dropped[DFX_DROP_POP_TIMEOUT], 9);
	CHECK_EQ(o.t.dropped[DFX_DROP_HOST_GONE], 5);
	tap_end("loss that was counted is no fault of the recording");

	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 0, 4, 0, 9);
	fa.pool[0].dropped[DFX_DROP_POP_TIMEOUT] = 8;
	fa.pool[0].produced--;
	frames_end(&fa);
	o = verify_a();
	CHECK(exactly(&o, KIND(LOST)));
	tap_end("frames tell of more loss than the counters");

	frames_init(&fa, true);
	frames_session(&fa);
	at = frames_data(&fa, 0, 4, 0, 0);
	frames_header(&fa, at)->flags |= htole32(DFX_FRAME_GAP);
	frames_sum(&fa, at);
	frames_end(&fa);
	o = verify_a();
	CHECK(o.p.count[PROBLEM_FRAME] == 1);
	tap_end("a gap without loss");
}

static void test_twice(void)
{
	struct outcome o;
	size_t at;

	/* The first consumer dies after it stored two; one was released. */
	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 0, 4, 0, 0);
	frames_data(&fa, 0, 4, 0, 0);

	frames_init(&fb, true);
	frames_session(&fb);
	fb.pool[0].next_seq = 1;
	fb.pool[0].produced = 4;
	fb.pool[0].delivered = 4;
	at = frames_data(&fb, 0, 4, DFX_FRAME_REDELIVERED, 0);
	frames_data(&fb, 0, 4, 0, 0);
	frames_end(&fb);

	o = verify_both();
	CHECK(exactly(&o, 0));
	CHECK_EQ(o.v.twice, 1);
	CHECK_EQ(o.v.records, 12);
	CHECK_EQ(o.sessions, 1);
	store(path_a, fa.bytes, fa.len);
	o = verify(path_a, NULL);
	CHECK(exactly(&o, KIND(END)));
	store(path_b, fb.bytes, fb.len);
	o = verify(path_b, NULL);
	CHECK(exactly(&o, KIND(SEQUENCE) | KIND(COUNT)));
	tap_end("a killed consumer and its successor: whole together only");

	memcpy(fa.bytes + fa.len, fb.bytes, fb.len);
	fa.len += fb.len;
	o = verify_a();
	CHECK(exactly(&o, 0));
	CHECK_EQ(o.v.twice, 1);
	fa.len -= fb.len;
	tap_end("the same two appended to one file");

	fb.bytes[at + sizeof(struct dfx_frame) + 5] ^= 1;
	frames_sum(&fb, at);
	o = verify_both();
	CHECK(exactly(&o, KIND(TWICE)));
	fb.bytes[at + sizeof(struct dfx_frame) + 5] ^= 1;
	frames_header(&fb, at)->flags &= htole32(~DFX_FRAME_REDELIVERED);
	frames_sum(&fb, at);
	o = verify_both();
	CHECK(exactly(&o, KIND(TWICE)));
	tap_end("a buffer twice, changed or unmarked");
}

static void test_lanes(void)
{
	struct outcome o;

	frames_init(&fa, true);
	fa.lanes_here = 1;
	frames_fill(&fa, 3);
	/* The second consumer ends later and sees what the first has taken. */
	frames_init(&fb, true);
	fb.lanes_here = 2;
	fb.pool[0] = fa.pool[0];
	fb.pool[0].delivered_here = 0;
	fb.pool[0].first_seq_here = ~0ull;
	fb.pool[1] = fa.pool[1];
	fb.pool[1].delivered_here = 0;
	fb.pool[1].first_seq_here = ~0ull;
	frames_fill(&fb, 2);

	o = verify_both();
	CHECK(exactly(&o, 0));
	CHECK_EQ(o.v.buffers, 10);
	CHECK_EQ(o.t.produced, 40);
	o = verify(path_a, NULL);
	CHECK(exactly(&o, KIND(LANES)));
	o = verify(path_b, NULL);
	CHECK(exactly(&o, KIND(LANES)));
	tap_end("two consumers that split the lanes");
}

static void test_incidents(void)
{
	struct problems p = { 0 };
	struct sessions set = { 0 };
	const struct dfx_incident *gap;

	frames_init(&fa, true);
	frames_fill(&fa, 1);
	store(path_a, fa.bytes, fa.len);
	CHECK_EQ(sessions_read(&set, path_a, &p), 0);
	CHECK_EQ(problems_total(&p), 0);
	CHECK_EQ(set.nr, 1);
	CHECK_EQ(set.session[0].end.nr_incidents, FRAMES_INCIDENTS);
	CHECK_EQ(set.session[0].end.incidents, FRAMES_INCIDENTS);
	gap = set.session[0].incidents;
	CHECK_EQ(gap[0].number, 1);
	CHECK_EQ(gap[0].lanes, 3);
	CHECK_EQ(gap[0].close_ns - gap[0].open_ns, 40);
	CHECK_EQ(gap[1].number, 2);
	CHECK_EQ(gap[1].lanes, 2);
	CHECK_EQ(gap[1].gates, 3);
	CHECK_EQ(gap[1].close_ns - gap[1].open_ns, 5);
	sessions_free(&set);
	tap_end("incidents of an END frame");
}

static void test_order(void)
{
	unsigned char tmp[256];
	struct outcome o;
	size_t a, b, end;

	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 3, 4, 0, 0);
	a = frames_data(&fa, 3, 4, 0, 0);
	b = frames_data(&fa, 3, 4, 0, 0);
	end = fa.len;
	frames_end(&fa);
	memcpy(tmp, fa.bytes + a, b - a);
	memmove(fa.bytes + a, fa.bytes + b, end - b);
	memcpy(fa.bytes + a + (end - b), tmp, b - a);
	o = verify_a();
	CHECK(exactly(&o, KIND(ORDER)));
	tap_end("two buffers in the wrong order");

	frames_init(&fa, true);
	frames_fill(&fa, 1);
	frames_init(&fb, true);
	fb.start_ns = 2000;
	frames_fill(&fb, 1);
	o = verify_both();
	CHECK(exactly(&o, 0));
	CHECK_EQ(o.sessions, 2);
	CHECK_EQ(o.t.freezes, 14);
	tap_end("equal ids of two devices are two sessions");
}

/* A known-good file with one 32-bit word of frame @at changed. */
static struct outcome with_word(size_t at, size_t offset, __u32 value)
{
	struct outcome o;
	__u32 old;

	memcpy(&old, fa.bytes + at + offset, sizeof(old));
	value = htole32(value);
	memcpy(fa.bytes + at + offset, &value, sizeof(value));
	/* A liar computes a good checksum, where the length lets it. */
	if (le32toh(frames_header(&fa, at)->len) < 4096)
		frames_sum(&fa, at);
	o = verify_a();
	memcpy(fa.bytes + at + offset, &old, sizeof(old));
	frames_sum(&fa, at);
	return o;
}

#define IN_FRAME(member)	__builtin_offsetof(struct dfx_frame, member)
#define IN_SESSION(member) \
	(sizeof(struct dfx_frame) + \
	 __builtin_offsetof(struct dfx_session_info, member))
#define IN_END(member) \
	(sizeof(struct dfx_frame) + \
	 __builtin_offsetof(struct dfx_end_info, member))

static void test_hostile(void)
{
	static const __u32 values[] = {
		0, 1, 63, 65, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff,
	};
	static const size_t session_words[] = {
		IN_FRAME(len), IN_SESSION(info_size), IN_SESSION(pool_size),
		IN_SESSION(nr_pools), IN_SESSION(nr_lanes),
	};
	static const size_t data_words[] = {
		IN_FRAME(len), IN_FRAME(pool), IN_FRAME(count),
		IN_FRAME(record_size),
	};
	static const size_t end_words[] = {
		IN_FRAME(len), IN_END(info_size), IN_END(lane_size),
		IN_END(pool_size), IN_END(nr_lanes), IN_END(nr_pools),
		IN_END(incident_size), IN_END(nr_incidents),
	};
	size_t session, data, end, i, k;
	unsigned long missed = 0;
	struct outcome o;

	frames_init(&fa, true);
	session = frames_session(&fa);
	frames_data(&fa, 0, 4, 0, 0);
	data = frames_data(&fa, 1, 4, 0, 0);
	end = frames_end(&fa);
	for (k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
		for (i = 0; i < sizeof(session_words) / sizeof(size_t); i++) {
			o = with_word(session, session_words[i], values[k]);
			missed += !problems_total(&o.p);
		}
		for (i = 0; i < sizeof(data_words) / sizeof(size_t); i++) {
			/* Pool 0 and 1 exist, so these are no nonsense. */
			if (data_words[i] == IN_FRAME(pool) && values[k] < 2)
				continue;
			o = with_word(data, data_words[i], values[k]);
			missed += !problems_total(&o.p);
		}
		for (i = 0; i < sizeof(end_words) / sizeof(size_t); i++) {
			/* Fewer incidents, or shorter ones, are no nonsense. */
			if ((end_words[i] == IN_END(nr_incidents) ||
			     end_words[i] == IN_END(incident_size)) &&
			    values[k] < 2)
				continue;
			o = with_word(end, end_words[i], values[k]);
			missed += !problems_total(&o.p);
		}
	}
	CHECK_EQ(missed, 0);
	o = verify_a();
	CHECK(exactly(&o, 0));
	tap_end("lengths and counts that lie, with good checksums: found");
}

static void test_noise(void)
{
	unsigned int seed = 20240607, round, i;
	unsigned long errors = 0;

	srand(seed);
	for (round = 0; round < 5000; round++) {
		unsigned int changes = 1 + (unsigned int)rand() % 8;
		struct outcome o;

		frames_init(&fa, rand() & 1);
		frames_fill(&fa, 2);
		for (i = 0; i < changes; i++)
			fa.bytes[(size_t)rand() % fa.len] =
				(unsigned char)rand();
		if (rand() & 1)
			fa.len = (size_t)rand() % fa.len;
		o = verify_a();
		errors += !!o.error;
	}
	CHECK_EQ(errors, 0);
	tap_end("noise (seed %u): read to the end of 5000 files", seed);
}

static void test_forms(void)
{
	struct dfx_frame unknown;
	struct outcome o;
	struct stat st;
	size_t at;

	store(path_a, "", 0);
	o = verify(path_a, NULL);
	CHECK(exactly(&o, KIND(FORMAT)));
	o = verify("/dev/null", NULL);
	CHECK_EQ(-o.error, EINVAL);
	o = verify("/nonexistent/file", NULL);
	CHECK_EQ(-o.error, ENOENT);
	tap_end("an empty file, a device, no file");

	frames_init(&fa, true);
	frames_session(&fa);
	frames_data(&fa, 0, 4, 0, 0);
	at = fa.len;
	memcpy(&unknown, fa.bytes, sizeof(unknown));
	unknown.type = 200;
	unknown.header_size = htole16(sizeof(unknown) + 8);
	unknown.len = htole32(16);
	memcpy(fa.bytes + at, &unknown, sizeof(unknown));
	fa.len += sizeof(unknown) + 24;
	frames_end(&fa);
	o = verify_a();
	CHECK(exactly(&o, 0));
	tap_end("a frame of a later type is skipped");

	frames_init(&fa, true);
	frames_fill(&fa, 1);
	store(path_a, fa.bytes, fa.len);
	CHECK_EQ(rename(path_a, path_b), 0);
	CHECK_EQ(stat(dir, &st), 0);
	o = verify(dir, NULL);
	CHECK(exactly(&o, 0));
	CHECK_EQ(o.sessions, 1);
	tap_end("a directory stands for its recordings");

	frames_init(&fa, true);
	frames_data(&fa, 0, 4, 0, 0);
	frames_end(&fa);
	o = verify_a();
	CHECK(o.p.count[PROBLEM_FRAME] == 2);
	CHECK_EQ(o.sessions, 0);
	tap_end("frames before their session");
}

int main(void)
{
	tap_plan(26, 300);
	if (!mkdtemp(dir)) {
		perror(dir);
		return 1;
	}
	snprintf(path_a, sizeof(path_a), "%s/a.dfx", dir);
	snprintf(path_b, sizeof(path_b), "%s/b.dfx", dir);

	test_crc();
	test_good();
	test_damage();
	test_counts();
	test_loss();
	test_twice();
	test_lanes();
	test_incidents();
	test_order();
	test_hostile();
	test_noise();
	test_forms();

	unlink(path_a);
	unlink(path_b);
	rmdir(dir);
	return tap_done();
}
