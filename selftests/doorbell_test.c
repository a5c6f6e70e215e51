// SPDX-License-Identifier: GPL-2.0-only
/*
 * doorbell_test.c - a device that rings, one that does not, and one that never stops
 *
 * For a guest with an ivshmem-doorbell ("scripts/vm --doorbell"). The variant
 * polling has firmware that says it cannot ring: what has to hold there, too, is
 * tested in both.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "kselftest_harness.h"
#include "dfx_test_util.h"
#include "bell.h"

#define NR_POOLS	4
#define SAMPLES		51
/*
 * Others' load can only add to what is measured: the best of so many counts. On a
 * machine with no time to spare a millisecond is what a thread gets that asks for
 * one, over and over, meanwhile.
 */
#define TRIES		4
#define MS		1000000ull

FIXTURE(doorbell) {
	struct fw fw;
	struct bell bell;
	int fd;
	int monitor;
	int klog;
	struct ring ring;
	struct ledger ledger;
	__u64 session;
	char node[16];
};

FIXTURE_VARIANT(doorbell) {
	__u32 vectors;
	__u64 most_passes;
};

/* What an idle session may cost in passes a second. */
FIXTURE_VARIANT_ADD(doorbell, ringing) { .vectors = 16, .most_passes = 100 };
FIXTURE_VARIANT_ADD(doorbell, polling) { .vectors = 0, .most_passes = 1000 };

static int up(struct fw *fw, struct bell *bell, __u32 vectors, __u32 subsystems)
{
	struct fw_config config = FW_CONFIG_DEFAULT;
	int err = fw_open(fw);

	if (!err)
		err = bell_open(bell, fw->bdf);
	if (err)
		return err;
	fw->ring = bell_ring;
	fw->ring_ctx = bell;
	config.doorbell = vectors;
	config.subsystems = subsystems;
	fw_announce(fw, &config);
	err = sysfs_bind(fw->bdf);
	if (err)
		return err;
	return fw_attach(fw) ? -EPROTO : 0;
}

/* The node's name, as /proc/interrupts has it. */
static void node_name(char *name, size_t len)
{
	char path[64] = "";

	sysfs_node("l2_swimlane", path, sizeof(path));
	snprintf(name, len, "%s", strrchr(path, '/') + 1);
}

FIXTURE_SETUP(doorbell)
{
	self->klog = klog_open();
	ASSERT_GE(self->klog, 0);
	ASSERT_EQ(0, up(&self->fw, &self->bell, variant->vectors,
			1u << DFX_SUBSYS_L2_SWIMLANE));
	node_name(self->node, sizeof(self->node));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->monitor = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->monitor, 0);
}

FIXTURE_TEARDOWN(doorbell)
{
	ring_close(&self->ring);
	close(self->fd);
	close(self->monitor);
	fw_down(&self->fw);
	bell_close(&self->bell);
	close(self->klog);
}

#define EXPECT_DRAINED(ledger) \
	EXPECT_EQ(0, ring_drain_to_end(&self->ring, ledger)) { \
		TH_LOG("%s", (ledger)->why); \
	}

#define EXPECT_LOSSLESS(ledger, asked) \
	({ \
		struct snap _s; \
		expect_identity(self->fd); \
		test_ioctl_state(self->fd, &_s); \
		for (int _p = 0; _p < NR_POOLS; _p++) { \
			EXPECT_EQ(asked, (ledger)->pools[_p].records); \
			EXPECT_EQ(asked, _s.pools[_p].produced); \
			EXPECT_EQ(0, snap_dropped(&_s.pools[_p])); \
			EXPECT_EQ(0, _s.pools[_p].in_flight); \
		} \
		EXPECT_EQ(0, (ledger)->lost); \
	})

static void nap_ms(unsigned int ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * MS }, NULL);
}

/* Passes of the kthread in a second. */
static __u64 passes_a_second(int fd, unsigned int ms)
{
	__u64 before = snap_passes(fd), since = clock_ns();

	nap_ms(ms);
	return (snap_passes(fd) - before) * 1000000000ull /
	       (clock_ns() - since);
}

/* The kthread sleeps, or is about to: it has asked lane 0 to ring. */
static bool is_armed(struct fw *fw)
{
	struct dfx_shm_rq_head *head = fw->lane[0].lane.rq_head;

	return head && __atomic_load_n(&head->armed, __ATOMIC_ACQUIRE);
}

/* Likewise, with nothing left that the consumer has and the kthread waits for. */
static bool falls_asleep(struct fw *fw, struct ring *ring,
			 struct ledger *ledger)
{
	ring_drain(ring, ledger);
	ring_wait(ring, 0);
	return is_armed(fw);
}

/* Every pool has been asked for that many records. */
static bool all_asked(struct fw *fw, __u64 quota)
{
	int p;

	for (p = 0; p < NR_POOLS; p++)
		if (__atomic_load_n(&fw->lane[p / 2].asked[p],
				    __ATOMIC_ACQUIRE) < quota)
			return false;
	return true;
}

/* ---- words ------------------------------------------------------------------------ */

TEST_F(doorbell, words)
{
	struct dfx_dev *dev = &self->fw.lane[0].dev;

	EXPECT_LE(1, DFX_LAYOUT_MINOR);
	if (!variant->vectors) {
		EXPECT_EQ(0, dev->aperture->vectors);
		EXPECT_TRUE(!dev->ring);
		EXPECT_EQ(~0ull, bell_interrupts(self->node));
		return;
	}
	EXPECT_EQ(bell_position(&self->bell), dev->aperture->peer);
	EXPECT_LE(1, dev->aperture->vectors);
	EXPECT_LE(dev->aperture->vectors, variant->vectors);
	EXPECT_EQ(0, dev->aperture->regions[0].vector);
	EXPECT_TRUE(dev->ring == bell_ring);
	EXPECT_EQ(1, self->fw.lane[0].region.bell);
	EXPECT_EQ(1, bell_listeners(self->node));
}

/* ---- a recording -------------------------------------------------------------------- */

/* Lanes that meet both gates over and over, with pauses in which it sleeps. */
TEST_F(doorbell, lossless)
{
	__u64 before = bell_interrupts(self->node);
	__u64 quota;

	test_ioctl_policy(self->fd, .records = 4, .buffers = 2, .slots = 1,
			  .rq_depth = 2);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	for (quota = 100; quota <= 1000; quota += 100) {
		if (variant->vectors)
			ASSERT_SOON(falls_asleep(&self->fw, &self->ring,
						 &self->ledger));
		fw_set_quota(&self->fw, quota);
		ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
			    all_asked(&self->fw, quota)) {
			TH_LOG("%llu records: %s", self->ledger.records,
			       self->ledger.why);
		}
	}
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	EXPECT_LOSSLESS(&self->ledger, 1000);
	if (!variant->vectors) {
		EXPECT_EQ(0, self->bell.rings);
		return;
	}
	EXPECT_LE(5, bell_interrupts(self->node) - before);
	EXPECT_LE(bell_interrupts(self->node) - before, self->bell.rings);
	TH_LOG("%llu buffers, %llu rings, %llu interrupts",
	       self->ledger.frames, self->bell.rings,
	       bell_interrupts(self->node) - before);
}

/* A pool whose free queue has one place: nobody waits for what is there. */
TEST_F(doorbell, no_needless_freeze)
{
	struct snap snap;
	int i;

	test_ioctl_policy(self->fd, .records = 1, .buffers = 8, .slots = 1);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	fw_poll(&self->fw);
	for (i = 0; i < 30; i++) {
		/* It has gone to sleep, and has to be told of the pop. */
		if (variant->vectors)
			ASSERT_SOON(falls_asleep(&self->fw, &self->ring,
						 &self->ledger));
		ASSERT_EQ(1, fw_records(&self->fw.lane[0], 0, 1));
		/* Enough for any but a machine that stands still. */
		nap_ms(15);
		ASSERT_LE(0, ring_drain(&self->ring, &self->ledger));
	}
	test_ioctl_state(self->monitor, &snap);
	EXPECT_EQ(0, snap.s.out_freeze[DFX_GATE_FQ].opens);
	EXPECT_EQ(0, snap.lanes[0].pop_waits);
}

/* ---- what it costs ------------------------------------------------------------------- */

TEST_F(doorbell, idle)
{
	__u64 passes;

	EXPECT_EQ(0, passes_a_second(self->monitor, 500));
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	EXPECT_GE(1, passes_a_second(self->monitor, 500));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	nap_ms(200);
	passes = passes_a_second(self->monitor, 2000);
	TH_LOG("%llu passes a second", passes);
	EXPECT_LE(1, passes);
	EXPECT_GE(variant->most_passes, passes);
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	ASSERT_SOON(snap_session_state(self->fd) == DFX_SESSION_IDLE);
	nap_ms(50);
	EXPECT_EQ(0, passes_a_second(self->monitor, 1000));
}

enum way { BY_WAIT, BY_POLL, BY_READ };

/**
 * struct waiter - a consumer that sleeps until there is something
 * @ring: its rings; by read() @fd alone is used.
 * @fd: the file.
 * @way: how it waits.
 * @ns: from publication to its wake-up.
 * @nr: of these.
 * @bytes: room for what it reads.
 */
struct waiter {
	struct ring *ring;
	int fd;
	enum way way;
	__u64 ns[SAMPLES];
	int nr;
	char bytes[65536];
};

static void waiter_note(struct waiter *w, __u64 now, const struct dfx_frame *f)
{
	/* The lanes' clock is this one, in coarser ticks. */
	w->ns[w->nr] = now - f->time * (1000000000ull / FW_HZ);
	__atomic_store_n(&w->nr, w->nr + 1, __ATOMIC_RELEASE);
}

static void *waiter_read(struct waiter *w)
{
	ssize_t n, at;
	__u64 now;

	while (w->nr < SAMPLES) {
		n = read(w->fd, w->bytes, sizeof(w->bytes));
		now = clock_ns();
		if (n <= 0)
			break;
		for (at = 0; at < n && w->nr < SAMPLES;) {
			struct dfx_frame *f = (void *)(w->bytes + at);

			if (f->type == DFX_FRAME_DATA)
				waiter_note(w, now, f);
			at += f->header_size + f->len;
		}
	}
	return NULL;
}

static void *waiter_run(void *arg)
{
	struct waiter *w = arg;
	const struct dfx_ready *e;
	__u64 now;

	if (w->way == BY_READ)
		return waiter_read(w);
	while (w->nr < SAMPLES) {
		struct pollfd p = { .fd = w->fd, .events = POLLIN };

		if (w->way == BY_POLL ? poll(&p, 1, SOON_MS) != 1 :
		    ring_wait(w->ring, SOON_MS * MS) < 0)
			break;
		now = clock_ns();
		while (w->nr < SAMPLES && (e = ring_next(w->ring))) {
			waiter_note(w, now, &e->frame);
			ring_release(w->ring, e->cookie);
		}
	}
	return NULL;
}

static int by_size(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Publishes now and then; returns the median, or ~0. */
static __u64 median_ns(struct fw *fw, struct waiter *w)
{
	pthread_t thread;
	int i;

	if (pthread_create(&thread, NULL, waiter_run, w))
		return ~0ull;
	for (i = 0; i < SAMPLES; i++) {
		/* Long enough for a thread that wants to sleep to do so. */
		nap_ms(4 + i % 7);
		if (fw_records(&fw->lane[0], 0, 1) != 1 ||
		    dfx_dev_flush(&fw->lane[0].lane, DFX_DEV_BLOCK) ||
		    !WITHIN(SOON_MS, __atomic_load_n(&w->nr, __ATOMIC_ACQUIRE) > i))
			break;
	}
	pthread_join(thread, NULL);
	if (w->nr < SAMPLES)
		return ~0ull;
	qsort(w->ns, SAMPLES, sizeof(w->ns[0]), by_size);
	return w->ns[SAMPLES / 2];
}

/**
 * struct metronome - a thread that does nothing but sleep for a millisecond
 * @thread: it.
 * @stop: it is to end.
 * @beats: sleeps so far.
 * @since: when they began.
 */
struct metronome {
	pthread_t thread;
	int stop;
	__u64 beats;
	__u64 since;
};

static void *metronome_run(void *arg)
{
	struct metronome *m = arg;

	prctl(PR_SET_TIMERSLACK, 1000ul);
	while (!__atomic_load_n(&m->stop, __ATOMIC_RELAXED)) {
		nap_ms(1);
		m->beats++;
	}
	return NULL;
}

static int metronome_start(struct metronome *m)
{
	*m = (struct metronome){ .since = clock_ns() };
	return pthread_create(&m->thread, NULL, metronome_run, m);
}

/* What such a sleep took on the average; 1 ms if it was nearly that. */
static __u64 metronome_stop(struct metronome *m)
{
	__u64 took;

	__atomic_store_n(&m->stop, 1, __ATOMIC_RELAXED);
	pthread_join(m->thread, NULL);
	took = (clock_ns() - m->since) / (m->beats ?: 1);
	return took < 1300000 ? 1 * MS : took;
}

static const char *const way_names[] = { "WAIT", "poll()", "read()" };

#define TEST_LATENCY(by) \
	({ \
		struct waiter *_w = calloc(1, sizeof(*_w)); \
		__u64 _ns = ~0ull, _bar = 0; \
		struct metronome _m; \
		int _try; \
		ASSERT_NE(NULL, _w); \
		_w->way = by; \
		_w->fd = self->fd; \
		_w->ring = &self->ring; \
		if (by == BY_READ) { \
			struct dfx_attach _a; \
			test_ioctl_attach(self->fd, 0, &_a); \
		} else { \
			ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0)); \
		} \
		test_ioctl_start(self->fd, 0, &self->session); \
		fw_poll(&self->fw); \
		for (_try = 0; _try < TRIES && _ns > _bar; _try++) { \
			_w->nr = 0; \
			/* First without one more thread in the way. */ \
			if (_try) \
				ASSERT_EQ(0, metronome_start(&_m)); \
			_ns = median_ns(&self->fw, _w); \
			_bar = _try ? metronome_stop(&_m) : 1 * MS; \
			TH_LOG("%s: median %llu us, p90 %llu us; a millisecond takes %llu us", \
			       way_names[by], _ns / 1000, \
			       _w->ns[SAMPLES * 9 / 10] / 1000, \
			       _bar / 1000); \
		} \
		EXPECT_GE(_bar, _ns); \
		free(_w); \
	})

TEST_F(doorbell, latency_wait)
{
	TEST_LATENCY(BY_WAIT);
}

TEST_F(doorbell, latency_poll)
{
	TEST_LATENCY(BY_POLL);
}

TEST_F(doorbell, latency_read)
{
	TEST_LATENCY(BY_READ);
}

/* ---- a doorbell that is not what it says ------------------------------------------------ */

FIXTURE(liar) {
	struct fw fw;
	struct bell bell;
	int fd;
	int monitor;
	int klog;
	struct ring ring;
	struct ledger ledger;
	__u64 session;
	char node[16];
	pthread_t thread;
	bool ringing;
};

FIXTURE_SETUP(liar)
{
	self->klog = klog_open();
	ASSERT_GE(self->klog, 0);
	ASSERT_EQ(0, up(&self->fw, &self->bell, 16,
			1u << DFX_SUBSYS_L2_SWIMLANE | 1u << DFX_SUBSYS_PMU));
	node_name(self->node, sizeof(self->node));
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->monitor = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->monitor, 0);
}

FIXTURE_TEARDOWN(liar)
{
	__atomic_store_n(&self->ringing, false, __ATOMIC_RELAXED);
	if (self->thread)
		pthread_join(self->thread, NULL);
	ring_close(&self->ring);
	close(self->fd);
	close(self->monitor);
	fw_down(&self->fw);
	bell_close(&self->bell);
	close(self->klog);
}

/* One that never rings: looked for by the clock, then not relied on. */
TEST_F(liar, mute)
{
	__u64 before = bell_interrupts(self->node);
	int i;

	__atomic_store_n(&self->bell.mute, 1, __ATOMIC_RELAXED);
	test_ioctl_policy(self->fd, .records = 4, .buffers = 2, .slots = 1,
			  .rq_depth = 2);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	for (i = 1; i <= 30; i++) {
		/* Asleep, or not to be relied on any more. */
		WITHIN(200, falls_asleep(&self->fw, &self->ring,
					 &self->ledger));
		fw_set_quota(&self->fw, i * 20);
		ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
			    all_asked(&self->fw, i * 20));
	}
	EXPECT_EQ(1, klog_count(self->klog, "the doorbell does not ring"));
	/* It is polled now. */
	EXPECT_FALSE(WITHIN(500, falls_asleep(&self->fw, &self->ring,
					      &self->ledger)));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	EXPECT_LOSSLESS(&self->ledger, 600);
	EXPECT_LT(0, self->bell.rings);
	EXPECT_EQ(before, bell_interrupts(self->node));
}

static void *ring_for_ever(void *arg)
{
	FIXTURE_DATA(liar) *self = arg;
	struct dfx_dev *dev = &self->fw.lane[0].dev;
	__u32 v = 0;

	while (__atomic_load_n(&self->ringing, __ATOMIC_RELAXED)) {
		bell_ring(&self->bell, dev->peer, v++ % dev->vectors);
		/* The emulator's, that is: ten thousand times a second. */
		nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	}
	return NULL;
}

static void storm(FIXTURE_DATA(liar) *self)
{
	self->ringing = true;
	if (pthread_create(&self->thread, NULL, ring_for_ever, self))
		self->thread = 0;
}

TEST_F(liar, storm_without_a_session)
{
	__u64 before = bell_interrupts(self->node);
	__u64 passes = snap_passes(self->monitor);

	storm(self);
	ASSERT_NE(0, self->thread);
	nap_ms(1000);
	EXPECT_LT(100, self->bell.rings);
	EXPECT_GE(1, bell_interrupts(self->node) - before);
	EXPECT_GE(1, snap_passes(self->monitor) - passes);
}

TEST_F(liar, storm)
{
	__u64 before, interrupts, passes, since;

	test_ioctl_policy(self->fd, .records = 4, .buffers = 2, .slots = 1,
			  .rq_depth = 2);
	ASSERT_EQ(0, ring_open(&self->ring, self->fd, 0));
	test_ioctl_start(self->fd, 0, &self->session);
	ASSERT_EQ(0, fw_run(&self->fw, 0));
	storm(self);
	ASSERT_NE(0, self->thread);
	nap_ms(200);
	before = bell_interrupts(self->node);
	since = clock_ns();
	passes = passes_a_second(self->monitor, 1000);
	interrupts = (bell_interrupts(self->node) - before) * 1000000000ull /
		     (clock_ns() - since);
	TH_LOG("%llu rings, %llu interrupts and %llu passes a second",
	       self->bell.rings, interrupts, passes);
	EXPECT_GE(1100, interrupts);
	EXPECT_GE(2200, passes);

	fw_set_quota(&self->fw, 1000);
	ASSERT_SOON(ring_drain(&self->ring, &self->ledger) < 0 ||
		    all_asked(&self->fw, 1000));
	test_ioctl_stop(self->fd);
	EXPECT_DRAINED(&self->ledger);
	EXPECT_LOSSLESS(&self->ledger, 1000);
}

/* The driver goes while it rings, and comes back. */
TEST_F(liar, storm_at_removal)
{
	int i;

	storm(self);
	ASSERT_NE(0, self->thread);
	close(self->fd);
	close(self->monitor);
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, sysfs_unbind(self->fw.bdf));
		EXPECT_EQ(~0ull, bell_interrupts(self->node));
		EXPECT_EQ(0, sysfs_bind(self->fw.bdf));
		nap_ms(20);
	}
	self->fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(self->fd, 0);
	self->monitor = fw_node("l2_swimlane", O_RDWR);
}

/* ---- fewer vectors than regions ----------------------------------------------------------- */

FIXTURE(shared) {
	struct fw fw;
	struct bell bell;
	char node[16];
};

FIXTURE_SETUP(shared)
{
}

FIXTURE_TEARDOWN(shared)
{
	fw_down(&self->fw);
	bell_close(&self->bell);
}

TEST_F(shared, one_vector)
{
	const __u32 subsystems = 1u << DFX_SUBSYS_L2_SWIMLANE |
				 1u << DFX_SUBSYS_PMU |
				 1u << DFX_SUBSYS_TENSOR_DUMP;
	struct ledger ledger = { };
	struct ring ring;
	__u64 session, before;
	int fd, i;

	ASSERT_EQ(0, up(&self->fw, &self->bell, 1, subsystems));
	EXPECT_EQ(1, self->fw.lane[0].dev.aperture->vectors);
	node_name(self->node, sizeof(self->node));
	EXPECT_EQ(3, bell_listeners(self->node));
	fd = fw_node("l2_swimlane", O_RDWR);
	ASSERT_GE(fd, 0);
	ASSERT_EQ(0, ring_open(&ring, fd, 0));
	test_ioctl_start(fd, 0, &session);
	fw_poll(&self->fw);
	before = bell_interrupts(self->node);
	for (i = 0; i < 20; i++) {
		ASSERT_SOON(falls_asleep(&self->fw, &ring, &ledger));
		ASSERT_EQ(1, fw_records(&self->fw.lane[0], 0, 1));
		ASSERT_EQ(0, dfx_dev_flush(&self->fw.lane[0].lane,
					   DFX_DEV_BLOCK));
		ASSERT_SOON(ring_drain(&ring, &ledger));
	}
	EXPECT_EQ(20, ledger.records);
	EXPECT_LE(10, bell_interrupts(self->node) - before);
	ring_close(&ring);
	close(fd);
}

TEST_F(shared, too_many_vectors)
{
	int klog = klog_open();

	EXPECT_EQ(-EINVAL, up(&self->fw, &self->bell, DFX_MAX_VECTORS + 1,
			      1u << DFX_SUBSYS_L2_SWIMLANE));
	EXPECT_EQ(1, klog_count(klog, "identity: bad doorbell 17"));
	close(klog);
}

TEST_HARNESS_MAIN
