/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * dfx.h - drain profiling records from /dev/dfxN
 *
 * Every function that can fail returns a negative errno value; one that
 * returns a pointer does so through its last argument. Nothing here allocates
 * between dfx_lanes_attach() and dfx_lanes_detach(), and nothing waits for
 * longer than the time that the caller gives.
 *
 * A handle belongs to one thread at a time. A program that starts and stops
 * sessions in one thread and drains in another opens the device twice.
 *
 * The structures of <linux/dfx.h> are used as they are; the library fills in
 * their size.
 */
#ifndef DFX_DFX_H
#define DFX_DFX_H

#include <linux/dfx.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DFX_API __attribute__((visibility("default")))

struct dfx;
struct dfx_list;
struct dfx_ordered;
struct dfx_writer;
struct dfx_recording;

/* Version of the library, as in "0.1.0". */
DFX_API const char *dfx_version(void);

/* ---------------- devices ------------------------------------------------ */

/* The regions that the system has, in the order of their numbers. */
DFX_API int dfx_list_new(struct dfx_list **out);
DFX_API void dfx_list_free(struct dfx_list *list);
DFX_API unsigned int dfx_list_count(const struct dfx_list *list);
/* "dfx0", "pmu", "0000:00:04.0"; an empty string where sysfs has none. */
DFX_API const char *dfx_list_name(const struct dfx_list *list, unsigned int i);
DFX_API const char *dfx_list_subsystem(const struct dfx_list *list,
				       unsigned int i);
DFX_API const char *dfx_list_parent(const struct dfx_list *list,
				    unsigned int i);

/*
 * Open a region. @dev is a path, a number, a name such as "dfx0" or the name
 * of a subsystem. -ENOENT: there is none; -ENOTUNIQ: several devices have that
 * subsystem.
 */
DFX_API int dfx_open(const char *dev, struct dfx **out);
DFX_API void dfx_close(struct dfx *dfx);
/* For poll(): POLLIN, POLLPRI on a change of freeze or fault, POLLHUP. */
DFX_API int dfx_fd(const struct dfx *dfx);
DFX_API const char *dfx_name(const struct dfx *dfx);

DFX_API int dfx_query_get(struct dfx *dfx, struct dfx_query *query);
/* Returns the number of pools, or -EMSGSIZE if that is above @nr. */
DFX_API int dfx_pools_get(struct dfx *dfx, struct dfx_pool_info *pools,
			  unsigned int nr);
/*
 * A snapshot. @state->nr_lanes and nr_pools say how many there are; an array
 * that is too short for them is left alone.
 */
DFX_API int dfx_state_get(struct dfx *dfx, struct dfx_state *state,
			  struct dfx_lane_state *lanes, unsigned int nr_lanes,
			  struct dfx_pool_state *pools, unsigned int nr_pools);
DFX_API int dfx_policy_get(struct dfx *dfx, struct dfx_policy *policy);
/* On return @policy is what is in force. */
DFX_API int dfx_policy_set(struct dfx *dfx, struct dfx_policy *policy);

/* ---------------- sessions ----------------------------------------------- */

/* @start->out_session is the new session's id. */
DFX_API int dfx_session_start(struct dfx *dfx, struct dfx_start *start);
/* @stop may be NULL. */
DFX_API int dfx_session_stop(struct dfx *dfx, struct dfx_stop *stop);
/* @flush->timeout_ns says how long to wait. */
DFX_API int dfx_session_flush(struct dfx *dfx, struct dfx_flush *flush);
/* @revived, a mask of lanes, may be NULL. */
DFX_API int dfx_region_reset(struct dfx *dfx, __u64 *revived);

/* ---------------- consumer ----------------------------------------------- */

/**
 * struct dfx_piece - bytes that lie together
 * @data: the first of them.
 * @len: their number.
 */
struct dfx_piece {
	const void *data;
	size_t len;
};

/**
 * struct dfx_buffer - a full buffer, in the driver's memory
 * @frame: its frame header, little-endian, as it goes into a recording.
 * @data: the records.
 * @len: bytes of records.
 * @lane: lane that wrote them.
 * @arena: what a recording has behind the records, little-endian; NULL if they
 *	have no payloads.
 * @share: then come these, the lane's payloads; the second is empty unless they
 *	go over the end of its arena.
 * @cookie: names the buffer to the driver.
 * @ready_ns: CLOCK_MONOTONIC when the driver took it.
 *
 * All of it may be read until the buffer is released.
 */
struct dfx_buffer {
	const struct dfx_frame *frame;
	const void *data;
	__u32 len;
	__u32 lane;
	const struct dfx_arena_info *arena;
	struct dfx_piece share[2];
	__u64 cookie;
	__u64 ready_ns;
};

/*
 * Become the consumer of @lanes (0: all) and map the rings and buffers.
 * @attached, the mask of lanes, may be NULL.
 */
DFX_API int dfx_lanes_attach(struct dfx *dfx, __u64 lanes, __u64 *attached);
DFX_API int dfx_lanes_detach(struct dfx *dfx);

/*
 * Take the next buffer: 1 if there is one, 0 if there is none now, -ENODEV if
 * the device has gone. No system call.
 */
DFX_API int dfx_buffer_next(struct dfx *dfx, struct dfx_buffer *buf);
/*
 * The payload of the buffer's @i-th record, a &struct dfx_rec_dump. -ENOENT: no
 * such record; -EINVAL: it is of another kind; -EPROTO: it names bytes that its
 * buffer has not.
 */
DFX_API int dfx_buffer_payload(const struct dfx_buffer *buf, unsigned int i,
			       struct dfx_piece *payload);
/* Hand a buffer back. No system call; the driver sees it at its next pass. */
DFX_API int dfx_buffer_release(struct dfx *dfx, const struct dfx_buffer *buf);
/*
 * Hand releases over now and wait for a buffer or the end of the session:
 * 1 if there is either, 0 if the time is up, -EINTR on a signal.
 */
DFX_API int dfx_buffer_wait(struct dfx *dfx, __u64 timeout_ns);
/* 1 once the session has ended and every buffer has been taken. */
DFX_API int dfx_session_ended(const struct dfx *dfx);

/*
 * The SESSION or END frame, as it goes into a recording. Returns its length,
 * -EMSGSIZE (with *@need set, which may be NULL) if @size is less, -EAGAIN if
 * it is too early for it.
 */
DFX_API int dfx_frame_get(struct dfx *dfx, unsigned int type, void *buf,
			  size_t size, size_t *need);

/* ---------------- frames, decoded ---------------------------------------- */

/* &struct dfx_view.crc */
#define DFX_CRC_NONE	0	/* the frame carries no checksum */
#define DFX_CRC_GOOD	1
#define DFX_CRC_BAD	2

/**
 * struct dfx_view - a frame that has been checked for its form
 * @head: its header, in the host's byte order.
 * @data: payload, @head.len bytes; of a DATA frame the records.
 * @arena: what @share is, in the host's byte order; 0 without DFX_FRAME_ARENA.
 * @share: the lane's payloads, behind the records; NULL likewise.
 * @offset: of the frame in its file.
 * @crc: DFX_CRC_*.
 * @late: 1 if the ordered reader had to give out a later frame before it.
 */
struct dfx_view {
	struct dfx_frame head;
	const void *data;
	struct dfx_arena_info arena;
	const void *share;
	__u64 offset;
	int crc;
	int late;
};

/*
 * Check and decode a frame of @len bytes. -EBADMSG: it is none. -EPROTO: its
 * records and payloads do not make up its length.
 */
DFX_API int dfx_view_parse(const void *bytes, size_t len,
			   struct dfx_view *view);
/*
 * Parts of SESSION and END frames in the host's byte order. -EBADMSG: the
 * frame is of another type or contradicts itself; -ENOENT: no element @i.
 */
DFX_API int dfx_view_session(const struct dfx_view *view,
			     struct dfx_session_info *info);
DFX_API int dfx_view_pool_info(const struct dfx_view *view, unsigned int i,
			       struct dfx_pool_info *pool);
DFX_API int dfx_view_end(const struct dfx_view *view,
			 struct dfx_end_info *end);
DFX_API int dfx_view_lane(const struct dfx_view *view, unsigned int i,
			  struct dfx_lane_state *lane);
DFX_API int dfx_view_pool(const struct dfx_view *view, unsigned int i,
			  struct dfx_pool_state *pool);
DFX_API int dfx_view_incident(const struct dfx_view *view, unsigned int i,
			      struct dfx_incident *incident);
/* As dfx_buffer_payload(), of a DATA frame. */
DFX_API int dfx_view_payload(const struct dfx_view *view, unsigned int i,
			     struct dfx_piece *payload);

/* ---------------- ordered reader ----------------------------------------- */

/*
 * Buffers of several lanes in the order of &struct dfx_frame.time. Each buffer
 * is copied into @mem and released at once, so that a lane that is waited for
 * never starves another. When @mem is full the earliest buffer is given out
 * although a quiet lane may yet bring an earlier one, which is then marked as
 * late. @lanes are those to wait for; 0 means all that are attached. @mem must
 * outlive the reader; -ENOSPC: it does not hold two buffers, with an arena each
 * where records have payloads.
 */
DFX_API int dfx_ordered_new(struct dfx *dfx, __u64 lanes, void *mem,
			    size_t size, struct dfx_ordered **out);
DFX_API void dfx_ordered_free(struct dfx_ordered *ordered);
/*
 * 1 with a frame that is valid until the next call, 0 if the time is up,
 * -ENODATA at the end of the session.
 */
DFX_API int dfx_ordered_next(struct dfx_ordered *ordered,
			     struct dfx_view *view, __u64 timeout_ns);

/* ---------------- writer ------------------------------------------------- */

/*
 * Write frames to @path, straight from the driver's memory. @backend: "sync"
 * or NULL for the default; -EOPNOTSUPP for any other.
 */
DFX_API int dfx_writer_open(const char *path, const char *backend,
			    struct dfx_writer **out);
/*
 * Store a buffer and release it when its bytes are written. -ENOSPC, -EDQUOT,
 * -EIO, -EAGAIN: not yet; the writer keeps the buffer, and dfx_writer_resume()
 * goes on where it stopped. Any other error is final.
 */
DFX_API int dfx_writer_put(struct dfx_writer *writer, struct dfx *dfx,
			   const struct dfx_buffer *buf);
/* Store a frame of the caller's, who keeps it until it is written. */
DFX_API int dfx_writer_frame(struct dfx_writer *writer, const void *frame,
			     size_t len);
DFX_API int dfx_writer_resume(struct dfx_writer *writer);
/* Bytes of whole frames that are written. */
DFX_API __u64 dfx_writer_bytes(const struct dfx_writer *writer);
/*
 * Make everything durable and close. A frame that was not completed is cut
 * off; its buffer was not released and goes to the next consumer.
 */
DFX_API int dfx_writer_close(struct dfx_writer *writer);

/* ---------------- recordings --------------------------------------------- */

/* -EINVAL: @path is not a regular file. */
DFX_API int dfx_recording_open(const char *path, struct dfx_recording **out);
DFX_API void dfx_recording_close(struct dfx_recording *rec);
/*
 * The next frame, valid until the next call: 1, or 0 at the end of the file.
 * -EPROTO: this frame contradicts itself, the next call goes on after it.
 * -EBADMSG: from here on the file is no recording. dfx_recording_error() says
 * where and why. Frames of unknown types are skipped.
 */
DFX_API int dfx_recording_next(struct dfx_recording *rec,
			       struct dfx_view *view);
DFX_API const char *dfx_recording_error(const struct dfx_recording *rec);

#ifdef __cplusplus
}
#endif

#endif /* DFX_DFX_H */
