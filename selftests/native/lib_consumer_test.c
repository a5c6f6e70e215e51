// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_consumer_test.c - rings, ordered reader, writer and recorder
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib_fake.h"
#include "tap.h"
#include "tools/recorder.h"
#include "tools/verify.h"
#include "writer.h"

static char dir[] = "/tmp/dfx-lib-XXXXXX";
static char path[64];

static struct dfx *attached(void)
{
	struct dfx *dfx = fake_open();

	if (!dfx || dfx_lanes_attach(dfx, 0, NULL)) {
		puts("Bail out! no fake region");
		exit(1);
	}
	return dfx;
}

static bool right_bytes(const struct dfx_buffer *buf)
{
	unsigned char want[FRAMES_RECORD];
	unsigned int i;

	for (i = 0; i < le32toh(buf->frame->count); i++) {
		frames_record(le32toh(buf->frame->pool),
			      le32toh(buf->frame->seq), i, want);
		if (memcmp((const char *)buf->data + i * FRAMES_RECORD, want,
			   FRAMES_RECORD))
			return false;
	}
	return buf->len == i * FRAMES_RECORD;
}

static void test_ring(void)
{
	struct dfx *dfx = attached();
	struct dfx_buffer buf;
	unsigned int i, wrong = 0;

	CHECK_EQ(dfx_buffer_next(dfx, &buf), 0);
	CHECK_EQ(dfx_session_ended(dfx), 0);
	for (i = 0; i < 1000; i++) {
		unsigned int pool = i % FRAMES_POOLS;

		if (!fake_publish(pool, 1 + i % FRAMES_CAPACITY, i) ||
		    dfx_buffer_next(dfx, &buf) != 1 || !right_bytes(&buf) ||
		    le32toh(buf.frame->pool) != pool || buf.lane != pool / 2 ||
		    dfx_buffer_release(dfx, &buf))
			wrong++;
	}
	CHECK_EQ(wrong, 0);
	fake_take();
	CHECK_EQ(fake_nr_held(), 0);
	CHECK_EQ(fake->bad, 0);
	CHECK_EQ(fake->waits, 0);
	tap_end("a thousand buffers round the rings, without a call");

	fake_publish(1, 4, 1);
	fake_stop();
	CHECK_EQ(dfx_session_ended(dfx), 0);
	CHECK_EQ(dfx_buffer_wait(dfx, 1000), 1);
	CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
	CHECK_EQ(dfx_session_ended(dfx), 1);
	CHECK_EQ(dfx_frame_get(dfx, DFX_FRAME_END, path, 4, NULL), -EAGAIN);
	CHECK_EQ(dfx_buffer_release(dfx, &buf), 0);
	CHECK_EQ(dfx_buffer_wait(dfx, 0), 1);
	CHECK_EQ(dfx_frame_get(dfx, DFX_FRAME_END, path, 4, NULL), -EMSGSIZE);
	dfx_close(dfx);
	tap_end("the end comes after the last buffer");
}

static void test_distrust(void)
{
	struct dfx_buffer buf = { 0 };
	struct dfx *dfx = attached();
	unsigned int i;

	fake_publish(0, 4, 1);
	fake->ready.elem[0].offset = sizeof(fake->buffers) - 8;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	fake->ready.elem[0].offset = ~0ull - 8;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	fake->ready.elem[0].offset = 0;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
	fake->ready.ctl.tail = FAKE_BUFFERS + 2;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EPROTO);
	fake->ready.ctl.tail = 1;
	fake->ready.ctl.flags = DFX_RING_GONE;
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -ENODEV);
	for (i = 0; i < FAKE_BUFFERS; i++)
		CHECK_EQ(dfx_buffer_release(dfx, &buf), 0);
	CHECK_EQ(dfx_buffer_release(dfx, &buf), -ENOBUFS);
	dfx_close(dfx);
	tap_end("ring contents that cannot be");

	dfx = fake_open();
	fake->ready.ctl.mask = FAKE_BUFFERS - 2;
	CHECK_EQ(dfx_lanes_attach(dfx, 0, NULL), -EPROTO);
	fake->ready.ctl.mask = 2 * FAKE_BUFFERS - 1;
	CHECK_EQ(dfx_lanes_attach(dfx, 0, NULL), -EPROTO);
	fake->ready.ctl.mask = ~0u;
	CHECK_EQ(dfx_lanes_attach(dfx, 0, NULL), -EPROTO);
	fake->ready.ctl.mask = FAKE_BUFFERS - 1;
	fake->ready.ctl.elem_off = 4;
	CHECK_EQ(dfx_lanes_attach(dfx, 0, NULL), -EPROTO);
	fake->ready.ctl.elem_off = 128;
	CHECK_EQ(dfx_lanes_attach(dfx, 0, NULL), -EPROTO);
	CHECK_EQ(dfx_buffer_next(dfx, &buf), -EINVAL);
	CHECK_EQ(dfx_buffer_release(dfx, &buf), -EINVAL);
	dfx_close(dfx);
	tap_end("rings that do not fit their mapping");
}

static void test_ordered(void)
{
	static const unsigned int pools[] = { 0, 0, 2, 0, 2, 2 };
	static const unsigned int times[] = { 10, 20, 5, 40, 15, 30 };
	static char mem[4096];
	struct dfx *dfx = attached();
	struct dfx_ordered *o;
	struct dfx_view v;
	unsigned int i, seen = 0, wrong = 0;
	__u64 last = 0;

	CHECK_EQ(dfx_ordered_new(dfx, 4, mem, sizeof(mem), &o), -EINVAL);
	CHECK_EQ(dfx_ordered_new(dfx, 0, mem, 300, &o), -ENOSPC);
	CHECK_EQ(dfx_ordered_new(dfx, 0, mem, sizeof(mem), &o), 0);
	for (i = 0; i < 6; i++)
		fake_publish(pools[i], 4, times[i]);
	/* Both lanes have something, until lane 1's last at 30 is out. */
	while (dfx_ordered_next(o, &v, 0) == 1) {
		wrong += v.head.time < last || v.late;
		last = v.head.time;
		seen++;
	}
	CHECK_EQ(seen, 5);
	CHECK_EQ(last, 30);
	fake_take();
	CHECK_EQ(fake_nr_held(), 0);
	fake_stop();
	CHECK_EQ(dfx_ordered_next(o, &v, 0), 1);
	CHECK_EQ(v.head.time, 40);
	CHECK_EQ(dfx_ordered_next(o, &v, 0), -ENODATA);
	CHECK_EQ(wrong, 0);
	dfx_ordered_free(o);
	dfx_close(dfx);
	tap_end("ordered reader: two lanes, one order, nothing held");
}

static void test_ordered_full(void)
{
	static char mem[2 * 192 + 64];
	struct dfx *dfx = attached();
	struct dfx_ordered *o;
	struct dfx_view v;

	CHECK_EQ(dfx_ordered_new(dfx, 0, mem, sizeof(mem), &o), 0);
	fake_publish(0, 4, 10);
	CHECK_EQ(dfx_ordered_next(o, &v, 0), 0);
	fake_publish(0, 4, 20);
	CHECK_EQ(dfx_ordered_next(o, &v, 0), 1);
	CHECK_EQ(v.head.time, 10);
	CHECK_EQ(v.late, 0);
	fake_publish(2, 4, 5);
	CHECK_EQ(dfx_ordered_next(o, &v, 0), 1);
	CHECK_EQ(v.head.time, 5);
	CHECK_EQ(v.late, 1);
	fake_take();
	CHECK_EQ(fake_nr_held(), 0);
	dfx_ordered_free(o);
	dfx_close(dfx);
	tap_end("ordered reader: memory full, a quiet lane comes late");
}

static void test_writer(void)
{
	struct dfx_recording *rec;
	struct dfx *dfx = attached();
	struct dfx_writer *w;
	struct dfx_buffer buf;
	struct dfx_view v;
	int full, file;

	CHECK_EQ(dfx_writer_open(path, "nothing", &w), -EOPNOTSUPP);
	CHECK_EQ(dfx_writer_open("/nonexistent/x", NULL, &w), -ENOENT);
	CHECK_EQ(dfx_writer_open(path, "sync", &w), 0);
	fake_publish(0, 4, 1);
	CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
	CHECK_EQ(dfx_writer_put(w, dfx, &buf), 0);
	fake_take();
	CHECK_EQ(fake_nr_held(), 0);

	/* The same file, as if its disk were full. */
	full = open("/dev/full", O_WRONLY);
	file = w->fd;
	w->fd = full;
	w->regular = false;
	fake_publish(0, 4, 2);
	CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
	CHECK_EQ(dfx_writer_put(w, dfx, &buf), -ENOSPC);
	CHECK_EQ(dfx_writer_resume(w), -ENOSPC);
	CHECK_EQ(dfx_writer_put(w, dfx, &buf), -EBUSY);
	fake_take();
	CHECK_EQ(fake_nr_held(), 1);
	w->fd = file;
	w->regular = true;
	CHECK_EQ(dfx_writer_resume(w), 0);
	fake_take();
	CHECK_EQ(fake_nr_held(), 0);

	/* And full again, for good, in the middle of a frame. */
	fake_publish(0, 4, 3);
	CHECK_EQ(dfx_buffer_next(dfx, &buf), 1);
	w->fd = full;
	w->regular = false;
	CHECK_EQ(dfx_writer_put(w, dfx, &buf), -ENOSPC);
	w->fd = file;
	w->regular = true;
	CHECK_EQ(pwrite(file, &w->job.head, 40, (off_t)w->end), 40);
	CHECK_EQ(dfx_writer_bytes(w), 2 * (64 + 4 * FRAMES_RECORD));
	CHECK_EQ(dfx_writer_close(w), 0);
	fake_take();
	CHECK_EQ(fake_nr_held(), 1);
	close(full);

	CHECK_EQ(dfx_recording_open(path, &rec), 0);
	CHECK_EQ(dfx_recording_next(rec, &v), 1);
	CHECK_EQ(v.crc, DFX_CRC_GOOD);
	CHECK_EQ(v.head.time, 1);
	CHECK_EQ(dfx_recording_next(rec, &v), 1);
	CHECK_EQ(v.crc, DFX_CRC_GOOD);
	CHECK_EQ(v.head.time, 2);
	CHECK_EQ(dfx_recording_next(rec, &v), 0);
	dfx_recording_close(rec);
	dfx_close(dfx);
	tap_end("writer: a buffer is released when it is written, not before");
}

static void test_pipe(void)
{
	static unsigned char big[200000], got[200000];
	struct dfx_frame *h = (void *)big;
	struct dfx_writer *w;
	size_t have = 0;
	int fd, ret;

	CHECK_EQ(mkfifo(path, 0600), 0);
	CHECK_EQ(dfx_writer_open(path, NULL, &w), -ENXIO);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	CHECK_EQ(dfx_writer_open(path, NULL, &w), 0);
	for (have = 0; have < sizeof(big); have++)
		big[have] = (unsigned char)(have * 7);
	memset(h, 0, sizeof(*h));
	h->header_size = htole16(sizeof(*h));
	h->len = htole32(sizeof(big) - sizeof(*h));
	ret = dfx_writer_frame(w, big, sizeof(big));
	CHECK_EQ(ret, -EAGAIN);
	for (have = 0; have < sizeof(got);) {
		ssize_t n = read(fd, got + have, 10001);

		have += n > 0 ? (size_t)n : 0;
		if (ret)
			ret = dfx_writer_resume(w);
		if (ret && ret != -EAGAIN)
			break;
	}
	CHECK_EQ(ret, 0);
	CHECK_EQ(memcmp(got + 64, big + 64, sizeof(big) - 64), 0);
	close(fd);
	CHECK_EQ(dfx_writer_frame(w, big, sizeof(big)), -EPIPE);
	CHECK_EQ(dfx_writer_close(w), 0);
	unlink(path);
	tap_end("writer: a pipe, in pieces, whose reader leaves");
}

static void test_recorder(void)
{
	struct recorder r = { 0 };
	struct sessions set = { .keep_refs = true };
	struct problems p = { .out = stdout };
	__u64 pool_records[FRAMES_POOLS] = { 0 };
	unsigned int i, published = 0;
	struct verdict v;

	r.dfx = attached();
	r.lanes = 3;
	r.nr_pools = FRAMES_POOLS;
	r.pool_records = pool_records;
	r.frame = malloc(RECORDER_FRAME_SIZE);
	r.wake_fd = eventfd(0, EFD_CLOEXEC);
	CHECK_EQ(dfx_writer_open(path, NULL, &r.writer), 0);
	CHECK_EQ(recorder_begin(&r), 0);
	CHECK_EQ(r.session, FRAMES_SESSION);
	CHECK_EQ(recorder_run(&r), 0);
	for (i = 0; published < 5000; i++)
		published += fake_publish(i % FRAMES_POOLS,
					  1 + i % FRAMES_CAPACITY, i);
	fake_stop();
	pthread_join(r.thread, NULL);
	CHECK_EQ(-r.error, 0);
	CHECK(r.done && !r.left);
	CHECK_EQ(r.pool_mismatch, 0);
	CHECK_EQ(dfx_writer_close(r.writer), 0);

	CHECK_EQ(sessions_read(&set, path, &p), 0);
	CHECK_EQ(set.nr, 1);
	CHECK_EQ(verify_session(&set, &set.session[0], &p, &v), 0);
	CHECK_EQ(problems_total(&p), 0);
	CHECK_EQ(v.buffers, 5000);
	CHECK_EQ(v.records, r.records);
	CHECK_EQ(v.checked, 5002);
	sessions_free(&set);
	close(r.wake_fd);
	free(r.frame);
	dfx_close(r.dfx);
	tap_end("recorder: 5000 buffers to a file that verifies");
}

static void test_recorder_ends(void)
{
	struct recorder r = { 0 };
	__u64 pool_records[FRAMES_POOLS] = { 0 };

	r.dfx = attached();
	r.nr_pools = FRAMES_POOLS;
	r.pool_records = pool_records;
	r.frame = malloc(RECORDER_FRAME_SIZE);
	r.wake_fd = eventfd(0, EFD_CLOEXEC);
	CHECK_EQ(dfx_writer_open(path, NULL, &r.writer), 0);
	CHECK_EQ(recorder_begin(&r), 0);
	r.leave = true;
	CHECK_EQ(recorder_run(&r), 0);
	pthread_join(r.thread, NULL);
	CHECK_EQ(-r.error, 0);
	CHECK(r.left);

	r.leave = false;
	fake->session = FRAMES_SESSION + 1;
	fake_publish(0, 4, 1);
	CHECK_EQ(recorder_run(&r), 0);
	pthread_join(r.thread, NULL);
	CHECK_EQ(-r.error, ESTALE);
	CHECK_EQ(fake_nr_held(), 1);

	r.abandon = true;
	CHECK_EQ(recorder_run(&r), 0);
	pthread_join(r.thread, NULL);
	CHECK_EQ(-r.error, ECANCELED);
	CHECK_EQ(dfx_writer_close(r.writer), 0);
	close(r.wake_fd);
	free(r.frame);
	dfx_close(r.dfx);
	tap_end("recorder: leaves, refuses another session, gives up");
}

static void make_region(const char *name, const char *subsys)
{
	char file[128];
	FILE *f;

	snprintf(file, sizeof(file), "%s/%s", dir, name);
	mkdir(file, 0700);
	snprintf(file, sizeof(file), "%s/%s/subsys", dir, name);
	f = fopen(file, "w");
	if (f) {
		fprintf(f, "%s\n", subsys);
		fclose(f);
	}
}

static void remove_region(const char *name)
{
	char file[128];

	snprintf(file, sizeof(file), "%s/%s/subsys", dir, name);
	unlink(file);
	snprintf(file, sizeof(file), "%s/%s", dir, name);
	rmdir(file);
}

static void test_list(void)
{
	struct dfx_list *list;
	const char *name;

	CHECK_EQ(dfx_list_read("/nonexistent", &list), 0);
	CHECK_EQ(dfx_list_count(list), 0);
	dfx_list_free(list);

	make_region("dfx10", "pmu");
	make_region("dfx2", "l2_swimlane");
	make_region("dfx3", "pmu");
	make_region("dfxsim", "pmu");
	CHECK_EQ(dfx_list_read(dir, &list), 0);
	CHECK_EQ(dfx_list_count(list), 3);
	CHECK(!strcmp(dfx_list_name(list, 0), "dfx2"));
	CHECK(!strcmp(dfx_list_name(list, 2), "dfx10"));
	CHECK(!strcmp(dfx_list_subsystem(list, 1), "pmu"));
	CHECK(!strcmp(dfx_list_parent(list, 1), ""));
	CHECK(!dfx_list_name(list, 3));
	CHECK_EQ(dfx_list_resolve(list, "10", &name), 0);
	CHECK(!strcmp(name, "dfx10"));
	CHECK_EQ(dfx_list_resolve(list, "dfx3", &name), 0);
	CHECK(!strcmp(name, "dfx3"));
	CHECK_EQ(dfx_list_resolve(list, "l2_swimlane", &name), 0);
	CHECK(!strcmp(name, "dfx2"));
	CHECK_EQ(dfx_list_resolve(list, "pmu", &name), -ENOTUNIQ);
	CHECK_EQ(dfx_list_resolve(list, "1", &name), -ENOENT);
	dfx_list_free(list);
	remove_region("dfx10");
	remove_region("dfx2");
	remove_region("dfx3");
	remove_region("dfxsim");
	tap_end("devices by number, name and subsystem");
}

int main(void)
{
	tap_plan(11, 120);
	if (!mkdtemp(dir)) {
		perror(dir);
		return 1;
	}
	snprintf(path, sizeof(path), "%s/out.dfx", dir);
	signal(SIGPIPE, SIG_IGN);

	test_ring();
	test_distrust();
	test_ordered();
	test_ordered_full();
	test_writer();
	unlink(path);
	test_pipe();
	test_recorder();
	test_recorder_ends();
	unlink(path);
	test_list();

	rmdir(dir);
	return tap_done();
}
