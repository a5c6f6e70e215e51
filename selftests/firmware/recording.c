// SPDX-License-Identifier: GPL-2.0-only
/*
 * recording.c - walks the frames of a recording
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "recordings are little-endian: fields here are not swapped"
#endif

int recording_open(struct recording *rec, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data;
	int err;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st)) {
		err = errno;
		close(fd);
		errno = err;
		return -1;
	}
	*rec = (struct recording){ .size = (size_t)st.st_size };
	if (!rec->size) {
		close(fd);
		return 0;
	}
	data = mmap(NULL, rec->size, PROT_READ, MAP_PRIVATE, fd, 0);
	err = errno;
	close(fd);
	errno = err;
	if (data == MAP_FAILED)
		return -1;
	rec->data = data;
	return 0;
}

int recording_next(struct recording *rec, const struct dfx_frame **frame,
		   const void **payload)
{
	const struct dfx_frame *f;
	size_t left;

	for (;;) {
		left = rec->size - rec->at;
		if (!left)
			return 0;
		/* Lengths are multiples of four: the header stays aligned. */
		f = (const struct dfx_frame *)(rec->data + rec->at);
		if (left < sizeof(*f) || rec->at % 4 ||
		    f->magic != DFX_FRAME_MAGIC ||
		    f->header_size < sizeof(*f) ||
		    left - sizeof(*f) < f->header_size - sizeof(*f) ||
		    left - f->header_size < f->len)
			return -1;
		*frame = f;
		*payload = rec->data + rec->at + f->header_size;
		rec->at += (size_t)f->header_size + f->len;
		if (f->type == DFX_FRAME_SESSION || f->type == DFX_FRAME_DATA ||
		    f->type == DFX_FRAME_END)
			return 1;
	}
}
