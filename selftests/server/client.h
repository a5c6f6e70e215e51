/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * client.h - one end of QEMU's ivshmem client-server protocol, version 0
 *
 * The server sends, the client listens: each message is a little-endian signed 64-bit
 * number that may come with a file descriptor. In this order: the version; the
 * client's id; -1 with the memory; for each other client its id, once for each
 * of its vectors, with the eventfd that rings it; the client's own id likewise,
 * with the eventfds that it is rung by. Later an id with a descriptor is one more
 * vector of a client that has joined, and an id without is a client that has left.
 *
 * Errors are -errno.
 */
#ifndef DFX_IVSHMEM_CLIENT_H
#define DFX_IVSHMEM_CLIENT_H

#include <pthread.h>
#include <stdint.h>

#define IVSHMEM_VERSION		0
#define IVSHMEM_MEMORY		(-1)	/* the number that the memory comes with */
#define IVSHMEM_MAX_ID		65535
#define IVSHMEM_MAX_VECTORS	16	/* of one client, here */
#define IVSHMEM_MAX_CLIENTS	16	/* of one server, here */

/**
 * struct ivshmem_msg - one message
 * @value: the number.
 * @fd: what came with it, -1 for nothing; the receiver's to close.
 */
struct ivshmem_msg {
	int64_t value;
	int fd;
};

/**
 * struct ivshmem_peer - a client, as another one sees it
 * @id: its id; -1 if this element is unused.
 * @nr: vectors that have been told of.
 * @fd: their eventfds.
 */
struct ivshmem_peer {
	int id;
	unsigned int nr;
	int fd[IVSHMEM_MAX_VECTORS];
};

/**
 * struct ivshmem_client - a connection
 * @sock: the socket.
 * @id: own id.
 * @memory: the shared memory.
 * @lock: protects @peers.
 * @peers: who is there, oneself included.
 */
struct ivshmem_client {
	int sock;
	int id;
	int memory;
	pthread_mutex_t lock;
	struct ivshmem_peer peers[IVSHMEM_MAX_CLIENTS];
};

/* A connected socket, before anything has been received; or -errno. */
int ivshmem_connect(const char *path);

/* Waits for one message: 1; 0 if the server has hung up; -errno. */
int ivshmem_receive(int sock, struct ivshmem_msg *msg);

/* Connects, and receives up to the memory: 0 or -errno. */
int ivshmem_open(struct ivshmem_client *c, const char *path);

/* Closes all of it. Nobody uses it any more. */
void ivshmem_close(struct ivshmem_client *c);

/* Waits for one message about a peer: 1; 0 if the server has hung up; -errno. */
int ivshmem_step(struct ivshmem_client *c);

/*
 * Rings a peer, from any thread; does not wait. 0; -ENOENT if there is no such
 * peer or vector; -EAGAIN if it has been rung so often that no more fits.
 */
int ivshmem_ring(struct ivshmem_client *c, int peer, unsigned int vector);

#endif /* DFX_IVSHMEM_CLIENT_H */
