/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * internal.h - the handle, and the few calls it makes to the kernel
 */
#ifndef DFX_INTERNAL_H
#define DFX_INTERNAL_H

#include <dfx/dfx.h>

/**
 * struct dfx_transport - how a handle reaches its region
 * @ioctl: returns 0 or -errno.
 * @map: returns 0 or -errno, the address through @out.
 * @unmap: undoes @map.
 * @close: gives up the descriptor.
 *
 * dfx_transport_kernel is the one that ships; tests bring their own.
 */
struct dfx_transport {
	int (*ioctl)(int fd, unsigned long cmd, void *arg);
	int (*map)(int fd, __u64 off, size_t len, int prot, void **out);
	void (*unmap)(void *addr, size_t len);
	void (*close)(int fd);
};

extern const struct dfx_transport dfx_transport_kernel;

/**
 * struct dfx - an open region
 * @tr: its transport.
 * @fd: its descriptor.
 * @name: "dfx0".
 * @lanes: lanes attached; 0 for a monitor.
 * @ready: the ready ring; only the kernel writes it.
 * @ready_len: its bytes.
 * @release: the release ring; only this handle writes it.
 * @release_len: its bytes.
 * @buffers: the buffers.
 * @buffers_len: their bytes.
 * @mask: number of ring elements minus one.
 * @elem: first element of the ready ring.
 * @head: elements of the ready ring that were taken.
 * @released: cookies published.
 */
struct dfx {
	const struct dfx_transport *tr;
	int fd;
	char name[32];
	__u64 lanes;
	struct dfx_ready_ring *ready;
	size_t ready_len;
	struct dfx_release_ring *release;
	size_t release_len;
	void *buffers;
	size_t buffers_len;
	__u32 mask;
	const struct dfx_ready *elem;
	__u32 head;
	__u32 released;
};

/* A handle over any transport; takes @fd over only when it succeeds. */
int dfx_open_with(const struct dfx_transport *tr, int fd, const char *name,
		  struct dfx **out);

/* dfx_list_new() over another directory than /sys/class/dfx. */
int dfx_list_read(const char *class_dir, struct dfx_list **out);
/* Name in @list that @dev, which is no path, stands for. */
int dfx_list_resolve(const struct dfx_list *list, const char *dev,
		     const char **name);

/*
 * Where a record's payload lies in @size bytes of an arena that begin at @pos:
 * 0 with *@at and *@len; -EPROTO if it does not lie there.
 */
int dfx_payload_place(const struct dfx_rec_dump *rec, __u64 pos, __u64 size,
		      size_t *at, size_t *len);

/* Value at @field once everything stored before its release is visible. */
#define dfx_load_acquire(field)		__atomic_load_n(field, __ATOMIC_ACQUIRE)
/* Publish @value after everything stored before it. */
#define dfx_store_release(field, value) \
	__atomic_store_n(field, value, __ATOMIC_RELEASE)

#endif /* DFX_INTERNAL_H */
