// SPDX-License-Identifier: GPL-2.0-only
/*
 * plat_posix.c - the firmware as a process
 *
 * The aperture is a file that the process maps, or memory that it has from an
 * ivshmem server, together with a doorbell; lanes are its threads.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "backoff.h"
#include "client.h"
#include "dfx_port.h"
#include "lane.h"
#include "plat.h"

const __u32 plat_max_lanes = PLAT_MAX_LANES;
const __u32 plat_max_workers = 64;
#if defined(__x86_64__)
const __u32 plat_isa = DFX_ISA_X86_64;
#elif defined(__aarch64__)
const __u32 plat_isa = DFX_ISA_AARCH64;
#elif defined(__arm__)
const __u32 plat_isa = DFX_ISA_ARMV7;
#elif defined(__riscv) && __riscv_xlen == 64
const __u32 plat_isa = DFX_ISA_RISCV64;
#else
const __u32 plat_isa = DFX_ISA_UNKNOWN;
#endif

__u64 plat_counter_hz = 50000000;

__u32 plat_vectors;

/* The server, if there is one. */
static struct ivshmem_client doorbell;

static __thread struct backoff wait;
static __thread struct fw_lane *lane_self;
static struct fw fw;

struct fw_lane *plat_lane(void)
{
	return lane_self;
}

/* The process ends by a signal. */
int plat_stopping(void)
{
	return 0;
}

void plat_relax(void)
{
	__u64 nap = backoff_turn(&wait, dfx_port_cycles(), plat_counter_hz);
	struct timespec ts = { 0, 0 };

	if (!nap) {
		dfx_posix_relax();
		return;
	}
	/* Naps are milliseconds at most: below a second, and no overflow. */
	ts.tv_nsec = (long)(nap * 1000000000u / plat_counter_hz);
	nanosleep(&ts, NULL);
}

void plat_busy(void)
{
	backoff_reset(&wait);
}

/* One write keeps the line whole. Nobody is there to be told of errors. */
void plat_write(const char *line, __u32 len)
{
	if (write(STDERR_FILENO, line, len) < 0)
		return;
}

__u32 plat_boot_number(void)
{
	struct timespec ts;
	__u32 boot;

	clock_gettime(CLOCK_REALTIME, &ts);
	boot = (__u32)ts.tv_sec << 12 ^ (__u32)ts.tv_nsec ^
	       (__u32)getpid() << 20;
	return boot ? boot : 1;
}

void plat_ring(void *ctx, __u32 peer, __u32 vector)
{
	(void)ctx;
	/* A host that has gone, or has been rung enough, need not hear it. */
	ivshmem_ring(&doorbell, (int)peer, vector);
}

/* Follows who comes and goes. Without the server the doorbell stays as it is. */
static void *doorbell_thread(void *arg)
{
	(void)arg;
	while (ivshmem_step(&doorbell) > 0)
		;
	return NULL;
}

/* The memory, and a doorbell; 0, or -1 after a line. */
static int join_server(const char *path)
{
	pthread_t thread;
	int rc = ivshmem_open(&doorbell, path);

	if (!rc)
		rc = -pthread_create(&thread, NULL, doorbell_thread, NULL);
	if (rc) {
		fprintf(stderr, "%s: %s\n", path, strerror(-rc));
		return -1;
	}
	/* How many there are is the host's end to know. */
	plat_vectors = DFX_MAX_VECTORS;
	return 0;
}

static void *lane_thread(void *arg)
{
	/* Naps are tens of microseconds; the usual slack doubles them. */
	prctl(PR_SET_TIMERSLACK, 1000ul);
	lane_self = arg;
	fw_lane_main(lane_self);
	return NULL;
}

/* Is every so many-th core; @arg is the first of them. */
static void *worker_thread(void *arg)
{
	const struct fw_args *args = fw.args;
	__u32 core, busy;

	prctl(PR_SET_TIMERSLACK, 1000ul);
	for (;;) {
		busy = 0;
		for (core = (__u32)(uintptr_t)arg; core < args->cores;
		     core += args->workers)
			busy += (__u32)swim_step(&fw.swim[core], args, core);
		if (busy)
			plat_busy();
		plat_relax();
	}
	return NULL;
}

static int start_workers(const struct fw_args *args)
{
	pthread_t thread;
	__u32 i;
	int rc;

	for (i = 0; i < args->workers; i++) {
		rc = pthread_create(&thread, NULL, worker_thread,
				    (void *)(uintptr_t)i);
		if (rc) {
			fprintf(stderr, "dfx-fw: worker %u: %s\n", i,
				strerror(rc));
			return -1;
		}
	}
	return 0;
}

static void usage(FILE *out)
{
	fputs("usage: dfx-fw-hosted --aperture FILE | --server SOCKET [KEY=VALUE...]\n"
	      "Be a device's firmware, for ever, on the memory in FILE or on that of an\n"
	      "ivshmem server, through which it then rings the host.\n"
	      "Keys: see README.md beside the source.\n", out);
}

/* Joins the words, each of which may hold several, into one text. */
static char *join(char **words)
{
	size_t size = 1;
	char *text;
	int i;

	for (i = 0; words[i]; i++)
		size += strlen(words[i]) + 1;
	text = calloc(1, size);
	for (i = 0; text && words[i]; i++) {
		strcat(text, words[i]);
		strcat(text, " ");
	}
	return text;
}

/* Maps all of the memory behind @fd, which came from @path. */
static void *map(const char *path, int fd, __u64 *size)
{
	void *base;
	off_t end;

	/* A node of dfx_sim.ko has an end, but no size for stat(). */
	end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	if (end < 0) {
		perror(path);
		return NULL;
	}
	*size = (__u64)end;
	base = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED) {
		perror(path);
		return NULL;
	}
	return base;
}

int main(int argc, char **argv)
{
	pthread_t thread[PLAT_MAX_LANES];
	struct fw_args args;
	void *base;
	__u64 size;
	int with_server = 0;
	char *text;
	__u32 i;
	int rc;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		return 0;
	}
	if (argc >= 3)
		with_server = !strcmp(argv[1], "--server");
	if (argc < 3 || (!with_server && strcmp(argv[1], "--aperture"))) {
		usage(stderr);
		return 2;
	}
	text = join(argv + 3);
	if (!text || fw_args_parse(&args, text))
		return 2;
	free(text);
	if (with_server && join_server(argv[2]))
		return 1;
	base = map(argv[2], with_server ? doorbell.memory :
		   open(argv[2], O_RDWR | O_CLOEXEC), &size);
	if (!base)
		return 1;
	if (args.arch == DFX_ARCH_A5)
		plat_counter_hz = 1000000000;
	if (fw_boot(&fw, base, size, &args) || start_workers(&args))
		return 1;
	for (i = 0; i < args.lanes; i++) {
		rc = pthread_create(&thread[i], NULL, lane_thread,
				    &fw.lane[i]);
		if (rc) {
			fprintf(stderr, "dfx-fw: lane %u: %s\n", i,
				strerror(rc));
			return 1;
		}
	}
	pthread_join(thread[0], NULL);
	return 0;
}
