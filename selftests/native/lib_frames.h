/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * lib_frames.h - recordings as the driver would make them, in memory
 *
 * Two lanes, two pools a lane. Records are computed from pool, sequence and
 * index.
 */
#ifndef DFX_LIB_FRAMES_H
#define DFX_LIB_FRAMES_H

#include <dfx/dfx.h>
#include <stdbool.h>

#define FRAMES_LANES	2
#define FRAMES_POOLS	4
#define FRAMES_RECORD	16
#define FRAMES_CAPACITY	4
#define FRAMES_SESSION	77
#define FRAMES_INCIDENTS	2

/**
 * struct frames - a recording under way
 * @bytes: what has been made.
 * @len: bytes of it.
 * @crc: put checksums in.
 * @lanes_here: lanes of the consumer.
 * @start_ns: of the session.
 * @pool: state that frames_end() puts in. frames_data() counts in it.
 */
struct frames {
	unsigned char bytes[1 << 16];
	size_t len;
	bool crc;
	__u64 lanes_here;
	__u64 start_ns;
	struct dfx_pool_state pool[FRAMES_POOLS];
};

void frames_init(struct frames *f, bool crc);
/* Give each its offset, so that a test can change it. */
size_t frames_session(struct frames *f);
size_t frames_data(struct frames *f, unsigned int pool, unsigned int count,
		   unsigned int flags, __u64 lost);
size_t frames_end(struct frames *f);
/* Compute the checksum of the frame at @at anew. */
void frames_sum(struct frames *f, size_t at);
/* A whole session: @buffers full buffers in each pool of the lanes here. */
void frames_fill(struct frames *f, unsigned int buffers);

struct dfx_frame *frames_header(struct frames *f, size_t at);
void frames_record(unsigned int pool, unsigned int seq, unsigned int i,
		   unsigned char out[FRAMES_RECORD]);
struct dfx_pool_info frames_pool_info(unsigned int pool);

#endif /* DFX_LIB_FRAMES_H */
