// SPDX-License-Identifier: GPL-2.0-only
/*
 * server_test.c - the ivshmem server: who is told what, and clients that misbehave
 *
 *	server_test PATH-OF-SERVER
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "tap.h"

#define MEMORY_SIZE	8192
#define SOON_MS		5000

static const char *program;
static char dir[] = "/tmp/dfx-server.XXXXXX";
static char sock_path[64], memory_path[64];
static pid_t server;

/* ---- the server ----------------------------------------------------------------- */

static void server_start(int vectors)
{
	char number[16];
	int i;

	snprintf(number, sizeof(number), "%d", vectors);
	unlink(sock_path);
	server = fork();
	if (!server) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl(program, program, "--socket", sock_path, "--memory",
		      memory_path, "--vectors", number, (char *)NULL);
		_exit(127);
	}
	for (i = 0; i < SOON_MS && access(sock_path, F_OK); i++)
		usleep(1000);
}

static void server_end(void)
{
	kill(server, SIGTERM);
	waitpid(server, NULL, 0);
}

static int server_fds(void)
{
	char path[64];
	int nr = 0;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)server);
	d = opendir(path);
	while (d && readdir(d))
		nr++;
	if (d)
		closedir(d);
	return nr;
}

static bool server_settles_at(int fds)
{
	int i;

	for (i = 0; i < SOON_MS && server_fds() != fds; i++)
		usleep(1000);
	return server_fds() == fds;
}

static int server_status(char *const argv[])
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execv(program, argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- clients --------------------------------------------------------------------- */

/* The next message has to be this one. */
static void hear(struct ivshmem_client *c, int value, bool with_fd)
{
	struct ivshmem_msg m;
	struct pollfd p = { .fd = c->sock, .events = POLLIN };

	if (!CHECK(poll(&p, 1, SOON_MS) == 1) ||
	    !CHECK_EQ(ivshmem_receive(c->sock, &m), 1))
		return;
	CHECK_EQ(m.value, value);
	CHECK_EQ(m.fd >= 0, with_fd);
	if (m.fd >= 0)
		close(m.fd);
}

/* Messages until @id has @vectors, with time to spare. */
static bool learn(struct ivshmem_client *c, int id, unsigned int vectors)
{
	struct pollfd p = { .fd = c->sock, .events = POLLIN };
	int i;

	for (;;) {
		for (i = 0; i < IVSHMEM_MAX_CLIENTS; i++)
			if (c->peers[i].id == id && c->peers[i].nr == vectors)
				return true;
		if (poll(&p, 1, SOON_MS) != 1 || ivshmem_step(c) != 1)
			return false;
	}
}

/* Messages until @id has left. */
static bool unlearn(struct ivshmem_client *c, int id)
{
	struct pollfd p = { .fd = c->sock, .events = POLLIN };
	int i;

	for (;;) {
		for (i = 0; i < IVSHMEM_MAX_CLIENTS; i++)
			if (c->peers[i].id == id)
				break;
		if (i == IVSHMEM_MAX_CLIENTS)
			return true;
		if (poll(&p, 1, SOON_MS) != 1 || ivshmem_step(c) != 1)
			return false;
	}
}

static bool hung_up(int sock)
{
	struct pollfd p = { .fd = sock, .events = POLLIN };
	char buf[4096];

	while (poll(&p, 1, SOON_MS) == 1) {
		ssize_t n = recv(sock, buf, sizeof(buf), 0);

		if (n == 0 || (n < 0 && errno == ECONNRESET))
			return true;
		if (n < 0)
			return false;
	}
	return false;
}

/* How often vector @v of the client itself has been rung. */
static unsigned long long rung(struct ivshmem_client *c, unsigned int v)
{
	uint64_t n = 0;
	int i;

	for (i = 0; i < IVSHMEM_MAX_CLIENTS; i++)
		if (c->peers[i].id == c->id && v < c->peers[i].nr &&
		    read(c->peers[i].fd[v], &n, sizeof(n)) < 0)
			n = 0;
	return n;
}

/* ---- tests ------------------------------------------------------------------------- */

static void test_order(void)
{
	struct ivshmem_client a, b;
	struct stat mine, theirs;

	CHECK_EQ(ivshmem_open(&a, sock_path), 0);
	CHECK_EQ(a.id, 0);
	CHECK(!stat(memory_path, &mine) && !fstat(a.memory, &theirs) &&
	      mine.st_ino == theirs.st_ino);
	tap_end("version 0, the first id is 0, and the memory is the file");
	hear(&a, 0, true);
	hear(&a, 0, true);
	tap_end("alone: the own vectors, and nothing else");

	CHECK_EQ(ivshmem_open(&b, sock_path), 0);
	CHECK_EQ(b.id, 1);
	hear(&b, 0, true);
	hear(&b, 0, true);
	hear(&b, 1, true);
	hear(&b, 1, true);
	tap_end("the second: who is there already, then the own vectors");
	hear(&a, 1, true);
	hear(&a, 1, true);
	tap_end("the first: a vector of the second after the other");
	ivshmem_close(&b);
	hear(&a, 1, false);
	tap_end("one that leaves is told of without a descriptor");
	CHECK_EQ(ivshmem_open(&b, sock_path), 0);
	CHECK_EQ(b.id, 2);
	tap_end("its id is not used again at once");
	ivshmem_close(&b);
	ivshmem_close(&a);
}

static void test_ring(void)
{
	struct ivshmem_client a, b;

	CHECK_EQ(ivshmem_open(&a, sock_path), 0);
	CHECK(learn(&a, a.id, 3));
	CHECK_EQ(ivshmem_open(&b, sock_path), 0);
	CHECK(learn(&b, b.id, 3));
	CHECK(learn(&a, b.id, 3));
	CHECK_EQ(ivshmem_ring(&b, a.id, 2), 0);
	CHECK_EQ(rung(&a, 0), 0);
	CHECK_EQ(rung(&a, 1), 0);
	CHECK_EQ(rung(&a, 2), 1);
	CHECK_EQ(ivshmem_ring(&a, b.id, 0), 0);
	CHECK_EQ(rung(&b, 0), 1);
	tap_end("a ring reaches the vector that it is for, both ways");
	CHECK_EQ(ivshmem_ring(&a, a.id, 1), 0);
	CHECK_EQ(rung(&a, 1), 1);
	tap_end("one may ring oneself");
	CHECK_EQ(ivshmem_ring(&a, b.id, 3), -ENOENT);
	CHECK_EQ(ivshmem_ring(&a, 999, 0), -ENOENT);
	CHECK_EQ(ivshmem_ring(&a, -1, 0), -ENOENT);
	tap_end("no such peer, no such vector");
	ivshmem_close(&b);
	CHECK(unlearn(&a, b.id));
	CHECK_EQ(ivshmem_ring(&a, b.id, 0), -ENOENT);
	tap_end("nor one that has left");
	ivshmem_close(&a);
}

static void test_vectors(int nr)
{
	struct ivshmem_client a, b;

	server_start(nr);
	CHECK_EQ(ivshmem_open(&a, sock_path), 0);
	CHECK(learn(&a, 0, (unsigned int)nr));
	CHECK_EQ(ivshmem_open(&b, sock_path), 0);
	CHECK(learn(&b, 1, (unsigned int)nr));
	CHECK_EQ(ivshmem_ring(&b, 0, (unsigned int)nr - 1), 0);
	CHECK_EQ(rung(&a, (unsigned int)nr - 1), 1);
	tap_end("%d vectors each", nr);
	ivshmem_close(&b);
	ivshmem_close(&a);
	server_end();
}

static void test_full(int fds)
{
	struct ivshmem_client c[IVSHMEM_MAX_CLIENTS], more;
	int i, sock;

	for (i = 0; i < IVSHMEM_MAX_CLIENTS; i++) {
		CHECK_EQ(ivshmem_open(&c[i], sock_path), 0);
		CHECK(learn(&c[i], c[i].id, 3));
	}
	for (i = 1; i < IVSHMEM_MAX_CLIENTS; i++)
		CHECK(learn(&c[0], c[i].id, 3));
	sock = ivshmem_connect(sock_path);
	CHECK(sock >= 0 && hung_up(sock));
	close(sock);
	ivshmem_close(&c[5]);
	CHECK(unlearn(&c[0], c[5].id));
	CHECK_EQ(ivshmem_open(&more, sock_path), 0);
	CHECK(learn(&c[0], more.id, 3));
	ivshmem_close(&more);
	tap_end("%d clients know each other, one more is sent away",
		IVSHMEM_MAX_CLIENTS);
	for (i = 0; i < IVSHMEM_MAX_CLIENTS; i++)
		if (i != 5)
			ivshmem_close(&c[i]);
	CHECK(server_settles_at(fds));
	tap_end("when all have left the server holds nothing of theirs");
}

static void test_bad(int fds)
{
	struct ivshmem_client good, other;
	int i, sock, mute;

	CHECK_EQ(ivshmem_open(&good, sock_path), 0);
	CHECK(learn(&good, good.id, 3));

	sock = ivshmem_connect(sock_path);
	CHECK(sock >= 0 && write(sock, "hello", 5) == 5);
	CHECK(hung_up(sock));
	close(sock);
	CHECK_EQ(ivshmem_open(&other, sock_path), 0);
	CHECK(learn(&good, other.id, 3));
	tap_end("one that talks is thrown out");

	for (i = 0; i < 100; i++) {
		sock = ivshmem_connect(sock_path);
		CHECK(sock >= 0);
		close(sock);
	}
	ivshmem_close(&other);
	CHECK(unlearn(&good, other.id));
	CHECK_EQ(ivshmem_open(&other, sock_path), 0);
	CHECK(learn(&good, other.id, 3));
	CHECK_EQ(ivshmem_ring(&good, other.id, 0), 0);
	tap_end("a hundred that hang up at once");
	ivshmem_close(&other);

	/* It reads nothing: sooner or later there is no room for more. */
	mute = ivshmem_connect(sock_path);
	CHECK(mute >= 0);
	for (i = 0; i < 400; i++) {
		CHECK_EQ(ivshmem_open(&other, sock_path), 0);
		CHECK(learn(&good, other.id, 3));
		ivshmem_close(&other);
		if (!CHECK(unlearn(&good, other.id)))
			break;
	}
	CHECK(hung_up(mute));
	close(mute);
	tap_end("one that does not listen is thrown out, and holds up nobody");
	ivshmem_close(&good);
	CHECK(server_settles_at(fds));
	tap_end("and nothing of them is left");
}

static void test_usage(void)
{
	char *const none[] = { (char *)program, NULL };
	char *const many[] = {
		(char *)program, (char *)"--socket", sock_path,
		(char *)"--memory", memory_path, (char *)"--vectors",
		(char *)"17", NULL
	};
	char *const help[] = { (char *)program, (char *)"--help", NULL };
	char *const nothing[] = {
		(char *)program, (char *)"--socket", sock_path,
		(char *)"--memory", (char *)"/nonexistent", NULL
	};

	CHECK_EQ(server_status(none), 2);
	CHECK_EQ(server_status(many), 2);
	CHECK_EQ(server_status(help), 0);
	CHECK_EQ(server_status(nothing), 1);
	tap_end("bad usage: 2; a memory that is not there: 1");
}

int main(int argc, char **argv)
{
	int fd, fds;

	if (argc != 2)
		return 2;
	program = argv[1];
	signal(SIGPIPE, SIG_IGN);
	tap_plan(19, 120);
	if (!mkdtemp(dir))
		return 1;
	snprintf(sock_path, sizeof(sock_path), "%s/sock", dir);
	snprintf(memory_path, sizeof(memory_path), "%s/memory", dir);
	fd = open(memory_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, MEMORY_SIZE))
		return 1;
	close(fd);

	server_start(2);
	test_order();
	server_end();
	server_start(3);
	fds = server_fds();
	test_ring();
	CHECK(server_settles_at(fds));
	test_full(fds);
	test_bad(fds);
	server_end();
	test_vectors(1);
	test_vectors(IVSHMEM_MAX_VECTORS);
	test_usage();
	unlink(sock_path);
	unlink(memory_path);
	rmdir(dir);
	return tap_done();
}
