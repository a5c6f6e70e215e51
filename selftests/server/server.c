// SPDX-License-Identifier: GPL-2.0-only
/*
 * server.c - an ivshmem server for tests
 *
 * Gives each client the shared memory, an id, and eventfds to and from all others,
 * by the protocol of client.h. One thread; nothing in it waits for a client: one
 * that does not read what it is sent, or sends anything itself, is thrown out.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"

/*
 * What a client may leave unread, in bytes of the kernel's accounting. A message
 * costs less than a KiB, and one that joins last is sent some 260 at once.
 */
#define SEND_BUFFER	(512 * 1024)

/**
 * struct member - a connected client
 * @sock: its socket.
 * @id: its id.
 * @gone: to be removed; nothing more is sent to it.
 * @fd: eventfds that ring it, one for each vector.
 */
struct member {
	int sock;
	int id;
	int gone;
	int fd[IVSHMEM_MAX_VECTORS];
};

static struct member *members[IVSHMEM_MAX_CLIENTS];
static int nr_members;
static int nr_vectors = 4;
static int memory = -1;

static void usage(FILE *out)
{
	fputs("usage: dfx-ivshmem-server --socket PATH --memory FILE [--vectors N]\n"
	      "Be the server of ivshmem-doorbell devices that share FILE, for ever.\n"
	      "PATH is there as soon as clients may connect; N is 1 to 16, 4 by default.\n",
	      out);
}

/* One message; a client that would make the server wait has lost its place. */
static void tell(struct member *to, int64_t value, int fd)
{
	uint64_t raw = htole64((uint64_t)value);
	struct iovec iov = { &raw, sizeof(raw) };
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct msghdr hdr = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;
	ssize_t n;

	if (to->gone)
		return;
	if (fd >= 0) {
		hdr.msg_control = control.buf;
		hdr.msg_controllen = sizeof(control.buf);
		cmsg = CMSG_FIRSTHDR(&hdr);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	}
	do
		n = sendmsg(to->sock, &hdr, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(raw))
		to->gone = 1;
}

/* Tells @to how to ring @about; for @about itself, how it is rung. */
static void introduce(struct member *to, const struct member *about)
{
	int i;

	for (i = 0; i < nr_vectors; i++)
		tell(to, about->id, about->fd[i]);
}

static void discard(struct member *m)
{
	int i;

	for (i = 0; i < nr_vectors; i++)
		if (m->fd[i] >= 0)
			close(m->fd[i]);
	close(m->sock);
	free(m);
}

static int is_taken(int id)
{
	int i;

	for (i = 0; i < nr_members; i++)
		if (members[i]->id == id)
			return 1;
	return 0;
}

/* An id that has just become free may still be in somebody's mind. */
static int next_id(void)
{
	static int last = -1;

	do
		last = last < IVSHMEM_MAX_ID ? last + 1 : 0;
	while (is_taken(last));
	return last;
}

static void join(int sock)
{
	const int size = SEND_BUFFER;
	struct member *m = NULL;
	int i;

	if (nr_members < IVSHMEM_MAX_CLIENTS)
		m = calloc(1, sizeof(*m));
	if (!m) {
		close(sock);
		return;
	}
	setsockopt(sock, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	m->sock = sock;
	for (i = 0; i < nr_vectors; i++) {
		m->fd[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (m->fd[i] < 0)
			m->gone = 1;
	}
	if (m->gone) {
		discard(m);
		return;
	}
	m->id = next_id();
	tell(m, IVSHMEM_VERSION, -1);
	tell(m, m->id, -1);
	tell(m, IVSHMEM_MEMORY, memory);
	for (i = 0; i < nr_members; i++) {
		introduce(members[i], m);
		introduce(m, members[i]);
	}
	introduce(m, m);
	members[nr_members++] = m;
}

/* Those that are gone leave; telling the others may show that more are. */
static void bury(void)
{
	struct member *m;
	int i, j;

	for (i = 0; i < nr_members; i++) {
		m = members[i];
		if (!m->gone)
			continue;
		members[i] = members[--nr_members];
		for (j = 0; j < nr_members; j++)
			tell(members[j], m->id, -1);
		discard(m);
		i = -1;
	}
}

/* Clients only listen: whatever comes from one is its end. */
static void serve(int listener)
{
	struct pollfd p[1 + IVSHMEM_MAX_CLIENTS];
	int i, nr, sock;

	for (;;) {
		nr = nr_members;
		p[0] = (struct pollfd){ .fd = listener, .events = POLLIN };
		for (i = 0; i < nr; i++)
			p[1 + i] = (struct pollfd){
				.fd = members[i]->sock, .events = POLLIN
			};
		if (poll(p, 1 + nr, -1) < 0) {
			if (errno == EINTR)
				continue;
			return;
		}
		for (i = 0; i < nr; i++)
			if (p[1 + i].revents)
				members[i]->gone = 1;
		bury();
		if (!p[0].revents)
			continue;
		sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		if (sock >= 0)
			join(sock);
		else if (errno != ECONNABORTED && errno != EINTR)
			/* No descriptors left: wait for somebody to go. */
			usleep(10000);
		bury();
	}
}

/* The name appears only when clients may connect. */
static int listen_at(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int sock;

	if (snprintf(addr.sun_path, sizeof(addr.sun_path), "%s.new", path) >=
	    (int)sizeof(addr.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return -1;
	unlink(addr.sun_path);
	if (bind(sock, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(sock, IVSHMEM_MAX_CLIENTS) ||
	    rename(addr.sun_path, path))
		return -1;
	return sock;
}

static int number(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *end || end == text || n < 1 || n > IVSHMEM_MAX_VECTORS ?
	       -1 : (int)n;
}

int main(int argc, char **argv)
{
	const char *path = NULL, *file = NULL;
	int listener, i;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		return 0;
	}
	for (i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--socket"))
			path = argv[i + 1];
		else if (!strcmp(argv[i], "--memory"))
			file = argv[i + 1];
		else if (!strcmp(argv[i], "--vectors"))
			nr_vectors = number(argv[i + 1]);
		else
			break;
	}
	if (i != argc || !path || !file || nr_vectors < 0) {
		usage(stderr);
		return 2;
	}
	memory = open(file, O_RDWR | O_CLOEXEC);
	if (memory < 0) {
		perror(file);
		return 1;
	}
	listener = listen_at(path);
	if (listener < 0) {
		perror(path);
		return 1;
	}
	serve(listener);
	perror("dfx-ivshmem-server");
	return 1;
}
