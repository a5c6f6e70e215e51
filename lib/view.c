// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * view.c - frames, from bytes that nobody vouches for to checked structures
 *
 * Lengths in a frame are sums of 64-bit products of 32-bit fields, so that
 * none of them can wrap.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "crc32c.h"
#include "internal.h"

#define AT(type, member)	__builtin_offsetof(struct type, member)

/* Bring the 32-bit words of @obj from offset @from to @to into host order. */
static void host32(void *obj, size_t from, size_t to)
{
	unsigned char *p = obj;
	__u32 w;

	for (; from < to; from += sizeof(w)) {
		memcpy(&w, p + from, sizeof(w));
		w = le32toh(w);
		memcpy(p + from, &w, sizeof(w));
	}
}

static void host64(void *obj, size_t from, size_t to)
{
	unsigned char *p = obj;
	__u64 w;

	for (; from < to; from += sizeof(w)) {
		memcpy(&w, p + from, sizeof(w));
		w = le64toh(w);
		memcpy(p + from, &w, sizeof(w));
	}
}

static void frame_to_host(struct dfx_frame *f)
{
	f->magic = le32toh(f->magic);
	f->header_size = le16toh(f->header_size);
	host32(f, AT(dfx_frame, len), AT(dfx_frame, session));
	host64(f, AT(dfx_frame, session), AT(dfx_frame, pool));
	host32(f, AT(dfx_frame, pool), AT(dfx_frame, lane));
	f->lane = le16toh(f->lane);
	f->kind = le16toh(f->kind);
	host64(f, AT(dfx_frame, lost), AT(dfx_frame, record_size));
	f->record_size = le32toh(f->record_size);
	f->crc = le32toh(f->crc);
}

static int check_crc(const unsigned char *bytes, const struct dfx_frame *head)
{
	static const unsigned char zero[sizeof(head->crc)];
	const size_t at = __builtin_offsetof(struct dfx_frame, crc);
	__u32 crc;

	if (!(head->flags & DFX_FRAME_CRC))
		return DFX_CRC_NONE;
	crc = dfx_crc32c(0, bytes, at);
	crc = dfx_crc32c(crc, zero, sizeof(zero));
	crc = dfx_crc32c(crc, bytes + at + sizeof(zero),
			 head->header_size - at - sizeof(zero) +
			 (size_t)head->len);
	return crc == head->crc ? DFX_CRC_GOOD : DFX_CRC_BAD;
}

/* Records, and what follows them with DFX_FRAME_ARENA, are all there is. */
static int check_data(struct dfx_view *view)
{
	const struct dfx_frame *h = &view->head;
	__u64 records = (__u64)h->count * h->record_size;
	__u64 rest = h->len - records;
	const char *p;

	if (records > h->len)
		return -EPROTO;
	if (!(h->flags & DFX_FRAME_ARENA))
		return rest ? -EPROTO : 0;
	if (rest < sizeof(view->arena))
		return -EPROTO;
	p = (const char *)view->data + records;
	memcpy(&view->arena, p, sizeof(view->arena));
	host64(&view->arena, 0, sizeof(view->arena));
	view->share = p + sizeof(view->arena);
	if (view->arena.len != rest - sizeof(view->arena))
		return -EPROTO;
	return 0;
}

int dfx_view_parse(const void *bytes, size_t len, struct dfx_view *view)
{
	struct dfx_frame *h = &view->head;

	memset(view, 0, sizeof(*view));
	if (len < sizeof(*h))
		return -EBADMSG;
	memcpy(h, bytes, sizeof(*h));
	frame_to_host(h);
	if (h->magic != DFX_FRAME_MAGIC || h->version != DFX_FRAME_VERSION ||
	    h->header_size < sizeof(*h) ||
	    (__u64)h->header_size + h->len != len)
		return -EBADMSG;

	view->data = (const char *)bytes + h->header_size;
	view->crc = check_crc(bytes, h);
	return h->type == DFX_FRAME_DATA ? check_data(view) : 0;
}

/*
 * Copy element @i of an array in the payload. Elements of another version may
 * be shorter (what is missing reads as 0) or longer than ours.
 */
static void copy_element(const struct dfx_view *v, __u64 start, __u32 stride,
			 unsigned int i, void *out, size_t size)
{
	const char *p = (const char *)v->data + start + (__u64)stride * i;

	memset(out, 0, size);
	memcpy(out, p, stride < size ? stride : size);
}

int dfx_view_session(const struct dfx_view *view,
		     struct dfx_session_info *info)
{
	if (view->head.type != DFX_FRAME_SESSION ||
	    view->head.len < sizeof(*info))
		return -EBADMSG;
	memcpy(info, view->data, sizeof(*info));
	host32(info, 0, AT(dfx_session_info, session));
	host64(info, AT(dfx_session_info, session),
	       AT(dfx_session_info, deadline_ms));
	host32(info, AT(dfx_session_info, deadline_ms),
	       AT(dfx_session_info, start_ns));
	host64(info, AT(dfx_session_info, start_ns),
	       AT(dfx_session_info, name));
	info->name[sizeof(info->name) - 1] = '\0';

	if (info->info_size < sizeof(*info) || !info->pool_size ||
	    info->session != view->head.session ||
	    info->nr_pools > DFX_MAX_POOLS || info->nr_lanes > DFX_MAX_LANES ||
	    info->info_size + (__u64)info->pool_size * info->nr_pools >
	    view->head.len)
		return -EBADMSG;
	return 0;
}

int dfx_view_pool_info(const struct dfx_view *view, unsigned int i,
		       struct dfx_pool_info *pool)
{
	struct dfx_session_info info;
	int ret = dfx_view_session(view, &info);

	if (ret)
		return ret;
	if (i >= info.nr_pools)
		return -ENOENT;
	copy_element(view, info.info_size, info.pool_size, i, pool,
		     sizeof(*pool));
	host32(pool, 0, AT(dfx_pool_info, buf_off));
	host64(pool, AT(dfx_pool_info, buf_off), sizeof(*pool));
	return 0;
}

/* Where the pools of an END frame begin, and what comes after them. */
static __u64 end_pools(const struct dfx_end_info *end)
{
	return end->info_size + (__u64)end->lane_size * end->nr_lanes;
}

static __u64 end_incidents(const struct dfx_end_info *end)
{
	return end_pools(end) + (__u64)end->pool_size * end->nr_pools;
}

int dfx_view_end(const struct dfx_view *view, struct dfx_end_info *end)
{
	unsigned int g;

	if (view->head.type != DFX_FRAME_END || view->head.len < sizeof(*end))
		return -EBADMSG;
	memcpy(end, view->data, sizeof(*end));
	host32(end, 0, AT(dfx_end_info, session));
	host64(end, AT(dfx_end_info, session), AT(dfx_end_info, freeze));
	for (g = 0; g < DFX_NR_GATE; g++) {
		struct dfx_freeze_stat *f = &end->freeze[g];

		host32(f, 0, AT(dfx_freeze_stat, opens));
		host64(f, AT(dfx_freeze_stat, opens), sizeof(*f));
	}
	host32(end, AT(dfx_end_info, incident_size),
	       AT(dfx_end_info, incidents));
	host64(end, AT(dfx_end_info, incidents), sizeof(*end));

	if (end->info_size < sizeof(*end) || !end->lane_size ||
	    !end->pool_size || end->session != view->head.session ||
	    end->nr_pools > DFX_MAX_POOLS || end->nr_lanes > DFX_MAX_LANES ||
	    end->nr_incidents > DFX_MAX_INCIDENTS ||
	    (end->nr_incidents && !end->incident_size) ||
	    end_incidents(end) +
	    (__u64)end->incident_size * end->nr_incidents > view->head.len)
		return -EBADMSG;
	return 0;
}

int dfx_view_lane(const struct dfx_view *view, unsigned int i,
		  struct dfx_lane_state *lane)
{
	struct dfx_end_info end;
	int ret = dfx_view_end(view, &end);

	if (ret)
		return ret;
	if (i >= end.nr_lanes)
		return -ENOENT;
	copy_element(view, end.info_size, end.lane_size, i, lane,
		     sizeof(*lane));
	host32(lane, 0, AT(dfx_lane_state, push_waits));
	host64(lane, AT(dfx_lane_state, push_waits), sizeof(*lane));
	return 0;
}

int dfx_view_pool(const struct dfx_view *view, unsigned int i,
		  struct dfx_pool_state *pool)
{
	struct dfx_end_info end;
	int ret = dfx_view_end(view, &end);

	if (ret)
		return ret;
	if (i >= end.nr_pools)
		return -ENOENT;
	copy_element(view, end_pools(&end), end.pool_size, i, pool,
		     sizeof(*pool));
	host32(pool, 0, AT(dfx_pool_state, produced));
	host64(pool, AT(dfx_pool_state, produced), sizeof(*pool));
	return 0;
}

int dfx_view_incident(const struct dfx_view *view, unsigned int i,
		      struct dfx_incident *incident)
{
	struct dfx_end_info end;
	int ret = dfx_view_end(view, &end);

	if (ret)
		return ret;
	if (i >= end.nr_incidents)
		return -ENOENT;
	copy_element(view, end_incidents(&end), end.incident_size, i, incident,
		     sizeof(*incident));
	host64(incident, 0, AT(dfx_incident, number));
	host32(incident, AT(dfx_incident, number), sizeof(*incident));
	return 0;
}
