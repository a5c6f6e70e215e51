// SPDX-License-Identifier: GPL-2.0-only
/*
 * client.c - the listening end of the ivshmem protocol
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"

int ivshmem_connect(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int sock, err;

	if (strlen(path) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	strcpy(addr.sun_path, path);
	sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return -errno;
	if (connect(sock, (struct sockaddr *)&addr, sizeof(addr))) {
		err = -errno;
		close(sock);
		return err;
	}
	return sock;
}

/* The descriptor of a control message, -1 if there is none. */
static int take_fd(struct msghdr *hdr)
{
	struct cmsghdr *cmsg;
	int fd = -1;

	for (cmsg = CMSG_FIRSTHDR(hdr); cmsg; cmsg = CMSG_NXTHDR(hdr, cmsg))
		if (cmsg->cmsg_level == SOL_SOCKET &&
		    cmsg->cmsg_type == SCM_RIGHTS &&
		    cmsg->cmsg_len == CMSG_LEN(sizeof(fd)))
			memcpy(&fd, CMSG_DATA(cmsg), sizeof(fd));
	return fd;
}

int ivshmem_receive(int sock, struct ivshmem_msg *msg)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	uint64_t raw = 0;
	size_t have = 0;
	ssize_t n;

	msg->fd = -1;
	while (have < sizeof(raw)) {
		struct iovec iov = {
			(char *)&raw + have, sizeof(raw) - have
		};
		struct msghdr hdr = {
			.msg_iov = &iov,
			.msg_iovlen = 1,
			.msg_control = control.buf,
			.msg_controllen = sizeof(control.buf),
		};
		int fd;

		n = recvmsg(sock, &hdr, MSG_CMSG_CLOEXEC);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		fd = take_fd(&hdr);
		if (fd >= 0 && msg->fd >= 0)
			close(msg->fd);
		if (fd >= 0)
			msg->fd = fd;
		have += (size_t)n;
	}
	if (have < sizeof(raw)) {
		n = n < 0 ? -errno : have ? -EPROTO : 0;
		if (msg->fd >= 0)
			close(msg->fd);
		return (int)n;
	}
	msg->value = (int64_t)le64toh(raw);
	return 1;
}

/* The next message has to be @value, with a descriptor or not. */
static int expect(int sock, struct ivshmem_msg *msg, int with_fd)
{
	int rc = ivshmem_receive(sock, msg);

	if (rc <= 0)
		return rc ? rc : -EPIPE;
	if (with_fd)
		return msg->fd >= 0 ? 0 : -EPROTO;
	if (msg->fd < 0)
		return 0;
	close(msg->fd);
	return -EPROTO;
}

int ivshmem_open(struct ivshmem_client *c, const char *path)
{
	struct ivshmem_msg msg;
	int rc, i;

	*c = (struct ivshmem_client){ .memory = -1 };
	pthread_mutex_init(&c->lock, NULL);
	for (i = 0; i < IVSHMEM_MAX_CLIENTS; i++)
		c->peers[i].id = -1;
	c->sock = ivshmem_connect(path);
	if (c->sock < 0)
		return c->sock;
	rc = expect(c->sock, &msg, 0);
	if (!rc && msg.value != IVSHMEM_VERSION)
		rc = -EPROTONOSUPPORT;
	if (!rc)
		rc = expect(c->sock, &msg, 0);
	if (!rc && (msg.value < 0 || msg.value > IVSHMEM_MAX_ID))
		rc = -EPROTO;
	if (!rc) {
		c->id = (int)msg.value;
		rc = expect(c->sock, &msg, 1);
	}
	if (!rc) {
		c->memory = msg.fd;
		if (msg.value != IVSHMEM_MEMORY)
			rc = -EPROTO;
	}
	if (rc)
		ivshmem_close(c);
	return rc;
}

static struct ivshmem_peer *find(struct ivshmem_client *c, int id)
{
	int i;

	for (i = 0; i < IVSHMEM_MAX_CLIENTS; i++)
		if (c->peers[i].id == id)
			return &c->peers[i];
	return NULL;
}

static void forget(struct ivshmem_peer *peer)
{
	while (peer->nr)
		close(peer->fd[--peer->nr]);
	peer->id = -1;
}

void ivshmem_close(struct ivshmem_client *c)
{
	int i;

	for (i = 0; i < IVSHMEM_MAX_CLIENTS; i++)
		if (c->peers[i].id >= 0)
			forget(&c->peers[i]);
	if (c->memory >= 0)
		close(c->memory);
	if (c->sock >= 0)
		close(c->sock);
	pthread_mutex_destroy(&c->lock);
}

/* Adds a vector, or lets the descriptor go if there is no room. */
static void add(struct ivshmem_client *c, int id, int fd)
{
	struct ivshmem_peer *peer = find(c, id);

	if (!peer) {
		peer = find(c, -1);
		if (peer)
			peer->id = id;
	}
	if (peer && peer->nr < IVSHMEM_MAX_VECTORS)
		peer->fd[peer->nr++] = fd;
	else
		close(fd);
}

int ivshmem_step(struct ivshmem_client *c)
{
	struct ivshmem_peer *peer;
	struct ivshmem_msg msg;
	int rc = ivshmem_receive(c->sock, &msg);

	if (rc <= 0)
		return rc;
	if (msg.value < 0 || msg.value > IVSHMEM_MAX_ID) {
		if (msg.fd >= 0)
			close(msg.fd);
		return -EPROTO;
	}
	pthread_mutex_lock(&c->lock);
	if (msg.fd >= 0) {
		add(c, (int)msg.value, msg.fd);
	} else {
		peer = find(c, (int)msg.value);
		if (peer)
			forget(peer);
	}
	pthread_mutex_unlock(&c->lock);
	return 1;
}

int ivshmem_ring(struct ivshmem_client *c, int peer, unsigned int vector)
{
	const uint64_t one = 1;
	struct ivshmem_peer *p;
	int rc = -ENOENT;

	pthread_mutex_lock(&c->lock);
	p = peer >= 0 ? find(c, peer) : NULL;
	if (p && vector < p->nr)
		rc = write(p->fd[vector], &one, sizeof(one)) < 0 ? -errno : 0;
	pthread_mutex_unlock(&c->lock);
	return rc;
}
