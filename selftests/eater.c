// SPDX-License-Identifier: GPL-2.0-only
/*
 * eater.c - a consumer that is a process of its own, and can be killed
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "eater.h"
#include "ring.h"

/* Exit status. */
#define EATER_NO_DEVICE		10
#define EATER_BAD_FRAME		11
#define EATER_BAD_CALL		12
#define EATER_BAD_RELEASE	13
#define EATER_TOO_MUCH		14

/* Buffers that a bursty one keeps at most. */
#define EATER_BURST		12

struct plate *plate_map(void)
{
	void *p = mmap(NULL, sizeof(struct plate), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void plate_unmap(struct plate *p)
{
	if (p)
		munmap(p, sizeof(*p));
}

void plate_clear(struct plate *p, bool by_read, __u64 lanes, __u64 seed)
{
	memset(p, 0, offsetof(struct plate, bytes));
	p->by_read = by_read;
	p->lanes = lanes;
	p->ledger[0].seed = seed;
	p->ledger[1].seed = seed;
}

struct ledger *plate_ledger(struct plate *p, const char **why)
{
	struct ledger *l = &p->ledger[p->current & 1];
	ssize_t whole;
	__u32 i;

	for (i = 0; i < p->nr_files; i++) {
		ledger_next_file(l);
		whole = ledger_stream(l, p->bytes + p->file[i].start,
				      p->file[i].len);
		/* Only the last one, which nobody killed, has an end. */
		if (whole >= 0 && i + 1 == p->nr_files &&
		    ((size_t)whole != p->file[i].len || !l->end_seen)) {
			*why = "the last file has no end";
			return NULL;
		}
		if (whole < 0)
			break;
	}
	*why = l->why;
	return l->why[0] ? NULL : l;
}

__u32 plate_attached(const struct plate *p)
{
	return __atomic_load_n(&p->attached, __ATOMIC_ACQUIRE);
}

__u64 plate_progress(const struct plate *p)
{
	return __atomic_load_n(&p->progress, __ATOMIC_ACQUIRE);
}

static void rest(__u32 us)
{
	nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

/* ---- by the rings -------------------------------------------------------- */

/* Enters a buffer into the ledger that does not count, then makes it count. */
static void eat_element(struct plate *p, const struct ring *ring,
			const struct dfx_ready *e)
{
	struct ledger *l = &p->ledger[~p->current & 1];

	*l = p->ledger[p->current & 1];
	if (ring_enter(ring, e, l)) {
		p->current++;
		_exit(EATER_BAD_FRAME);
	}
	__atomic_store_n(&p->current, p->current + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&p->progress, l->records, __ATOMIC_RELEASE);
}

/* One turn: how many buffers it took. */
static int eat_from_ring(struct plate *p, struct ring *ring,
			 enum eater_pace pace, struct rng *rng)
{
	int most = pace == EATER_BURSTY ? 1 + rng_below(rng, EATER_BURST) : 1;
	const struct dfx_ready *e;
	__u64 cookie[EATER_BURST];
	int n = 0, i;

	while (n < most) {
		e = ring_next(ring);
		if (!e && pace == EATER_BURSTY && n)
			/* Nothing more will come before it lets go. */
			if (ring_wait(ring, 1000000) > 0)
				e = ring_next(ring);
		if (!e)
			break;
		eat_element(p, ring, e);
		cookie[n++] = e->cookie;
	}
	if (pace == EATER_SLOW && n)
		rest(200);
	/* In any order. */
	for (i = n; i > 0; i--) {
		__u32 pick = rng_below(rng, i);

		ring_release(ring, cookie[pick]);
		cookie[pick] = cookie[i - 1];
	}
	return n;
}

static void eat_ring(struct plate *p, int fd, enum eater_pace pace,
		     struct rng *rng)
{
	struct ring ring;
	int ended, rc;

	if (ring_open(&ring, fd, p->lanes))
		_exit(EATER_NO_DEVICE);
	__atomic_add_fetch(&p->attached, 1, __ATOMIC_RELEASE);
	for (;;) {
		/* The end first: what is taken after it is all there is. */
		ended = ring_ended(&ring);
		if (eat_from_ring(p, &ring, pace, rng))
			continue;
		rc = ring_wait(&ring, ended ? 0 : 10000000);
		if (rc < 0 && rc != -ETIMEDOUT)
			_exit(EATER_BAD_CALL);
		if (ended)
			break;
	}
	_exit(ring.ready->bad_releases ? EATER_BAD_RELEASE : 0);
}

/* ---- by read() ------------------------------------------------------------- */

static void eat_read(struct plate *p, int fd, enum eater_pace pace,
		     struct rng *rng)
{
	struct dfx_attach a = { .size = sizeof(a), .lanes = p->lanes };
	struct eater_file *file;
	size_t most, room;
	ssize_t rc;

	if (ioctl(fd, DFX_IOC_ATTACH, &a))
		_exit(EATER_NO_DEVICE);
	file = &p->file[p->nr_files];
	file->start = p->nr_files ? file[-1].start + file[-1].len : 0;
	/* It counts once its start is there. */
	__atomic_store_n(&p->nr_files, p->nr_files + 1, __ATOMIC_RELEASE);
	__atomic_add_fetch(&p->attached, 1, __ATOMIC_RELEASE);
	for (;;) {
		switch (pace) {
		case EATER_SLOW:
			most = 150 + rng_below(rng, 100);
			rest(100);
			break;
		case EATER_BURSTY:
			most = 1 + rng_below(rng, 4096);
			if (rng_once_in(rng, 4))
				rest(1000);
			break;
		default:
			most = 65536;
			break;
		}
		room = sizeof(p->bytes) - file->start - file->len;
		if (!room)
			_exit(EATER_TOO_MUCH);
		rc = read(fd, p->bytes + file->start + file->len,
			  most < room ? most : room);
		if (rc < 0)
			_exit(EATER_BAD_CALL);
		if (!rc)
			_exit(0);
		/* From here on they are stored; the next read() says so. */
		__atomic_store_n(&file->len, file->len + rc, __ATOMIC_RELEASE);
		__atomic_store_n(&p->progress, file->start + file->len,
				 __ATOMIC_RELEASE);
	}
}

pid_t eater_start(struct plate *p, const char *path, enum eater_pace pace,
		  struct rng rng)
{
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		_exit(EATER_NO_DEVICE);
	if (p->by_read)
		eat_read(p, fd, pace, &rng);
	else
		eat_ring(p, fd, pace, &rng);
	_exit(EATER_BAD_CALL);
}
