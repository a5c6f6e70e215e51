// SPDX-License-Identifier: GPL-2.0-only
/*
 * rogue.c - a user that does to a node whatever can be done to it
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rogue.h"

#define PAGE		4096
#define CROWD		3

/* What takes what the calls give; the page behind it is not there. */
struct rogue_memory {
	unsigned char *bytes;
	unsigned char *read_only;
};

struct rogue_map {
	void *addr;
	size_t len;
	int prot;
};

/* Of the process, for all its threads. */
static struct rogue_memory memory;
static int shared_fd[ROGUE_MAX_FDS];

static void act_done(struct rogue *r)
{
	__atomic_add_fetch(&r->log->acts, 1, __ATOMIC_RELAXED);
}

__u64 rogue_acts(const struct rogue_log *log)
{
	return __atomic_load_n(&log->acts, __ATOMIC_RELAXED);
}

static __u64 wild(struct rng *r)
{
	switch (rng_below(r, 6)) {
	case 0: return 0;
	case 1: return ~0ull;
	case 2: return 1ull << rng_below(r, 64);
	case 3: return rng_below(r, 16);
	case 4: return (__u32)rng_next(r);
	default: return rng_next(r);
	}
}

/* ---- the rings ---------------------------------------------------------------- */

static void take(struct rogue *r)
{
	const struct dfx_ready *e = ring_next(&r->ring);

	if (e)
		r->cookie[r->nr_cookies++ % ROGUE_COOKIES] = e->cookie;
}

static __u64 some_cookie(struct rogue *r)
{
	__u32 nr = r->nr_cookies < ROGUE_COOKIES ? r->nr_cookies :
		   ROGUE_COOKIES;

	return nr ? r->cookie[rng_below(&r->rng, nr)] : wild(&r->rng);
}

static void litter(struct rogue *r)
{
	size_t len = r->ring.a.out_release_len / sizeof(__u64);
	__u64 *words = (__u64 *)r->ring.release;
	size_t i;

	for (i = 0; i < len; i++)
		if (rng_once_in(&r->rng, 3))
			words[i] = rng_once_in(&r->rng, 3) ? some_cookie(r) :
				   wild(&r->rng);
	r->ring.tail = r->ring.release->tail;
}

void rogue_ring_act(struct rogue *r)
{
	struct dfx_release_ring *release = r->ring.release;
	__u64 cookie;

	switch (rng_below(&r->rng, 12)) {
	case 0:
	case 1:
	case 2:
		take(r);
		break;
	case 3:
	case 4:
		ring_release(&r->ring, some_cookie(r));
		break;
	case 5:
		/* Twice in one go. */
		cookie = some_cookie(r);
		ring_release(&r->ring, cookie);
		ring_release(&r->ring, cookie);
		break;
	case 6:
		/* Almost one. */
		cookie = some_cookie(r) ^ 1ull << rng_below(&r->rng, 40);
		ring_release(&r->ring, cookie);
		break;
	case 7:
		ring_release(&r->ring, wild(&r->rng));
		break;
	case 8:
		/* Many at once, from anywhere. */
		r->ring.tail += rng_below(&r->rng, 2 * r->ring.ready->mask);
		__atomic_store_n(&release->tail, r->ring.tail,
				 __ATOMIC_RELEASE);
		break;
	case 9:
		r->ring.tail = wild(&r->rng);
		__atomic_store_n(&release->tail, r->ring.tail,
				 __ATOMIC_RELEASE);
		break;
	case 10:
		release->ready_head = wild(&r->rng);
		break;
	default:
		litter(r);
		break;
	}
	ring_wait(&r->ring, 0);
}

/* ---- ioctl() --------------------------------------------------------------------- */

static const unsigned int commands[] = {
	DFX_IOC_QUERY, DFX_IOC_POOLS, DFX_IOC_STATE, DFX_IOC_ATTACH,
	DFX_IOC_DETACH, DFX_IOC_START, DFX_IOC_STOP, DFX_IOC_FLUSH,
	DFX_IOC_WAIT, DFX_IOC_POLICY, DFX_IOC_RESET, DFX_IOC_FRAME,
};

static bool ends_sessions(unsigned int cmd)
{
	return _IOC_NR(cmd) == DFX_CMD_STOP || _IOC_NR(cmd) == DFX_CMD_RESET;
}

static unsigned int some_command(struct rogue *r)
{
	unsigned int cmd = commands[rng_below(&r->rng, sizeof(commands) /
					      sizeof(commands[0]))];

	switch (rng_below(&r->rng, 8)) {
	case 0: return rng_next(&r->rng);
	case 1: return cmd ^ 1u << rng_below(&r->rng, 32);
	default: return cmd;
	}
}

/* A structure that may be right. */
static void fill_arg(struct rogue *r, void *arg, unsigned int cmd)
{
	__u32 words[64] = { };
	unsigned int i;

	switch (rng_below(&r->rng, 4)) {
	case 0:
		for (i = 0; i < 64; i++)
			words[i] = wild(&r->rng);
		break;
	case 1:
		for (i = 2; i < 12; i++)
			words[i] = rng_below(&r->rng, 5);
		break;
	case 2:
		words[2 + rng_below(&r->rng, 10)] = wild(&r->rng);
		break;
	default:
		break;
	}
	words[0] = rng_once_in(&r->rng, 6) ? wild(&r->rng) : _IOC_SIZE(cmd);
	if (!rng_once_in(&r->rng, 6))
		words[1] = rng_below(&r->rng, 2);
	switch (_IOC_NR(cmd)) {
	case DFX_CMD_FLUSH:
	case DFX_CMD_WAIT:
		/* The first of what follows is a timeout: 2 ms at most. */
		words[2] &= 0x1fffff;
		words[3] = 0;
		break;
	case DFX_CMD_POLICY:
		/* delay_us: the others want their turn. */
		words[9] &= 0xff;
		break;
	case DFX_CMD_POOLS:
	case DFX_CMD_STATE:
	case DFX_CMD_FRAME:
		/* Arrays: at a place of ours, or where nothing is. */
		if (rng_once_in(&r->rng, 4))
			break;
		for (i = 2; i < 6; i += 2) {
			__u64 at = (__u64)(unsigned long)memory.bytes + PAGE -
				   rng_below(&r->rng, 2048);

			memcpy(&words[i], &at, sizeof(at));
		}
		if (_IOC_NR(cmd) == DFX_CMD_POOLS)
			words[4] = rng_below(&r->rng, 32);
		if (_IOC_NR(cmd) == DFX_CMD_STATE) {
			words[6] = rng_below(&r->rng, 32);
			words[7] = rng_below(&r->rng, 32);
		}
		if (_IOC_NR(cmd) == DFX_CMD_FRAME) {
			memcpy(&words[4], &words[2], sizeof(__u64));
			words[2] = rng_below(&r->rng, 4);
			words[3] = 0;
			words[6] = rng_below(&r->rng, PAGE);
			words[7] = 0;
		}
		break;
	default:
		break;
	}
	memcpy(arg, words, sizeof(words));
}

static void act_ioctl(struct rogue *r, int fd)
{
	unsigned int cmd = some_command(r);
	union {
		__u32 words[64];
		unsigned char bytes[256];
	} own;
	void *arg = &own;

	if (!r->all && ends_sessions(cmd))
		return;
	fill_arg(r, arg, cmd);
	switch (rng_below(&r->rng, 24)) {
	case 0:
		arg = NULL;
		break;
	case 1:
		arg = (void *)(unsigned long)rng_next(&r->rng);
		break;
	case 2:
		arg = memory.read_only;
		break;
	case 3:
		/* Ends in nothing. */
		arg = memory.bytes + PAGE - 4 * rng_below(&r->rng, 32);
		break;
	case 4:
		arg = own.bytes + 1;
		break;
	default:
		break;
	}
	ioctl(fd, cmd, arg);
}

/* ---- everything else -------------------------------------------------------------- */

static void act_mmap(struct rogue *r, int fd, struct rogue_map *m)
{
	static const int prots[] = {
		PROT_READ, PROT_READ, PROT_READ | PROT_WRITE, PROT_WRITE,
		PROT_READ | PROT_EXEC, PROT_NONE,
	};
	off_t area = rng_below(&r->rng, 4);
	off_t off = (area << 32) + (off_t)PAGE * (rng_once_in(&r->rng, 2) ? 0 :
		    rng_below(&r->rng, 20));
	size_t len = (size_t)PAGE * (1 + rng_below(&r->rng, 24));
	int prot = prots[rng_below(&r->rng, 6)];
	int flags = rng_once_in(&r->rng, 6) ? MAP_PRIVATE : MAP_SHARED;
	void *p;

	if (rng_once_in(&r->rng, 8))
		off = wild(&r->rng) & ~(off_t)(PAGE - 1);
	p = mmap(NULL, len, prot, flags, fd, off);
	if (p == MAP_FAILED)
		return;
	/* Nobody writes the kernel's ring or a buffer, or executes any. */
	if (prot & PROT_EXEC || (prot & PROT_WRITE && off >> 32 != 1))
		_exit(ROGUE_BREACH);
	if (off >> 32 != 1 && !mprotect(p, len, PROT_READ | PROT_WRITE))
		_exit(ROGUE_BREACH);
	*m = (struct rogue_map){ .addr = p, .len = len, .prot = prot };
}

static void act_map(struct rogue *r, int fd, struct rogue_map *maps)
{
	struct rogue_map *m = &maps[rng_below(&r->rng, ROGUE_MAX_MAPS)];
	size_t pages = m->len / PAGE;

	if (!m->addr) {
		act_mmap(r, fd, m);
		return;
	}
	switch (rng_below(&r->rng, 6)) {
	case 0:
		if (m->prot & PROT_READ)
			r->rng.state += __atomic_load_n((unsigned char *)
							m->addr,
							__ATOMIC_RELAXED);
		break;
	case 1:
		/* A hole in the middle splits it. */
		if (pages > 2)
			munmap(m->addr + PAGE, PAGE);
		break;
	case 2:
		madvise(m->addr, m->len, MADV_DONTNEED);
		break;
	default:
		munmap(m->addr, m->len);
		m->addr = NULL;
		break;
	}
}

static void act_read(struct rogue *r, int fd)
{
	unsigned char *to = rng_once_in(&r->rng, 6) ? memory.read_only :
			    rng_once_in(&r->rng, 6) ? NULL :
			    memory.bytes + rng_below(&r->rng, PAGE);

	(void)!read(fd, to, rng_below(&r->rng, 2 * PAGE));
}

static void act_poll(struct rogue *r, int fd)
{
	struct pollfd p = { .fd = fd, .events = rng_next(&r->rng) };

	poll(&p, 1, rng_below(&r->rng, 2));
}

static void act_on(struct rogue *r, int fd, struct rogue_map *maps)
{
	switch (rng_below(&r->rng, 8)) {
	case 0:
	case 1:
	case 2:
		act_ioctl(r, fd);
		break;
	case 3:
	case 4:
		act_map(r, fd, maps);
		break;
	case 5:
	case 6:
		act_read(r, fd);
		break;
	default:
		act_poll(r, fd);
		break;
	}
}

static void begin(void)
{
	unsigned char *p;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Writable, then nothing, then read-only. */
	p = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || mprotect(p, PAGE, PROT_READ | PROT_WRITE) ||
	    mprotect(p + 2 * PAGE, PAGE, PROT_READ))
		_exit(ROGUE_NO_DEVICE);
	memory.bytes = p;
	memory.read_only = p + 2 * PAGE;
}

/* ---- the processes ------------------------------------------------------------------ */

pid_t rogue_consumer(const char *path, __u64 lanes, struct rng rng,
		     struct rogue_log *log)
{
	struct rogue_map maps[ROGUE_MAX_MAPS] = { };
	struct rogue r = { .path = path, .rng = rng, .log = log };
	pid_t pid = fork();
	int fd, other;

	if (pid)
		return pid;
	begin();
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	other = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || other < 0 || ring_open(&r.ring, fd, lanes))
		_exit(ROGUE_NO_DEVICE);
	for (;;) {
		if (rng_below(&r.rng, 4))
			rogue_ring_act(&r);
		else
			act_on(&r, rng_once_in(&r.rng, 4) ? other : fd, maps);
		act_done(&r);
	}
}

static void *crowd_thread(void *arg)
{
	struct rogue_map maps[ROGUE_MAX_MAPS] = { };
	struct rogue *r = arg;
	int *slot, fd, old;

	for (;;) {
		slot = &shared_fd[rng_below(&r->rng, ROGUE_MAX_FDS)];
		fd = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
		if (fd < 0 || rng_once_in(&r->rng, 24)) {
			fd = open(r->path, O_NONBLOCK | O_CLOEXEC |
				  (rng_once_in(&r->rng, 4) ? O_RDONLY :
				   O_RDWR));
			/* While another thread may still be using it. */
			old = __atomic_exchange_n(slot, fd, __ATOMIC_ACQ_REL);
			if (old >= 0)
				close(old);
		} else {
			act_on(r, fd, maps);
		}
		act_done(r);
	}
	return NULL;
}

pid_t rogue_crowd(const char *path, struct rng rng, struct rogue_log *log)
{
	static struct rogue rogue[CROWD];
	pid_t pid = fork();
	pthread_t thread;
	int i;

	if (pid)
		return pid;
	begin();
	for (i = 0; i < ROGUE_MAX_FDS; i++)
		shared_fd[i] = -1;
	for (i = 0; i < CROWD; i++) {
		rogue[i] = (struct rogue){
			.path = path,
			.rng = rng_of(rng_next(&rng), i),
			.log = log,
			.all = true,
		};
		if (i < CROWD - 1 &&
		    pthread_create(&thread, NULL, crowd_thread, &rogue[i]))
			_exit(ROGUE_NO_DEVICE);
	}
	crowd_thread(&rogue[CROWD - 1]);
	_exit(ROGUE_NO_DEVICE);
}
