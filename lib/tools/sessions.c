// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sessions.c - files of frames, put together to sessions
 */
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sessions.h"

/* Where in a file we are: the session and the part that frames belong to. */
struct cursor {
	unsigned int file;
	const char *path;
	struct session *session;
	struct part *part;
};

static void *extend(void *array, unsigned int nr, size_t size)
{
	char *p = realloc(array, (nr + (size_t)1) * size);

	if (p)
		memset(p + nr * size, 0, size);
	return p;
}

static bool same_session(const struct dfx_session_info *a,
			 const struct dfx_session_info *b)
{
	return a->session == b->session && a->subsys == b->subsys &&
	       a->start_ns == b->start_ns;
}

static struct session *find_session(struct sessions *set,
				    const struct dfx_session_info *info)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (same_session(&set->session[i].info, info))
			return &set->session[i];
	return NULL;
}

static struct session *new_session(struct sessions *set,
				   const struct dfx_session_info *info,
				   const struct dfx_view *view)
{
	size_t n = info->nr_pools ? info->nr_pools : 1;
	struct session *s;
	unsigned int i;

	s = extend(set->session, set->nr, sizeof(*s));
	if (!s)
		return NULL;
	set->session = s;
	s += set->nr++;
	s->info = *info;
	s->pool_info = calloc(n, sizeof(*s->pool_info));
	s->pools = calloc(n, sizeof(*s->pools));
	s->refs = set->keep_refs ? calloc(n, sizeof(*s->refs)) : NULL;
	if (!s->pool_info || !s->pools || (set->keep_refs && !s->refs))
		return NULL;
	for (i = 0; i < info->nr_pools; i++)
		dfx_view_pool_info(view, i, &s->pool_info[i]);
	return s;
}

static bool same_geometry(const struct session *s,
			  const struct dfx_session_info *info,
			  const struct dfx_view *view)
{
	struct dfx_pool_info pool;
	unsigned int i;

	if (s->info.nr_pools != info->nr_pools ||
	    s->info.nr_lanes != info->nr_lanes ||
	    s->info.lane_mask != info->lane_mask)
		return false;
	for (i = 0; i < info->nr_pools; i++) {
		dfx_view_pool_info(view, i, &pool);
		if (memcmp(&pool, &s->pool_info[i], sizeof(pool)))
			return false;
	}
	return true;
}

static int add_part(struct cursor *c, __u64 lanes_here)
{
	struct session *s = c->session;
	size_t n = s->info.nr_pools ? s->info.nr_pools : 1;
	struct part *part;

	part = extend(s->parts, s->nr_parts, sizeof(*part));
	if (!part)
		return -ENOMEM;
	s->parts = part;
	part += s->nr_parts++;
	part->file = c->file;
	part->lanes_here = lanes_here;
	part->pools = calloc(n, sizeof(*part->pools));
	if (!part->pools)
		return -ENOMEM;
	s->lanes_here |= lanes_here;
	c->part = part;
	return 0;
}

static int take_session(struct sessions *set, struct cursor *c,
			const struct dfx_view *view, struct problems *p)
{
	struct dfx_session_info info;

	c->session = NULL;
	c->part = NULL;
	if (dfx_view_session(view, &info)) {
		problem(p, PROBLEM_FORMAT,
			"%s: the SESSION frame at offset %llu is damaged",
			c->path, view->offset);
		return 0;
	}
	c->session = find_session(set, &info);
	if (!c->session) {
		c->session = new_session(set, &info, view);
		if (!c->session)
			return -ENOMEM;
	} else if (!same_geometry(c->session, &info, view)) {
		problem(p, PROBLEM_FRAME,
			"%s: the SESSION frame at offset %llu describes session %llu otherwise than before",
			c->path, view->offset, info.session);
		c->session = NULL;
		return 0;
	}
	return add_part(c, info.lanes_here);
}

/* What contradicts the session; NULL if nothing does. */
static const char *data_fault(const struct cursor *c,
			      const struct dfx_frame *h)
{
	const struct dfx_pool_info *pool;

	if (h->pool >= c->session->info.nr_pools)
		return "names a pool that the session has not";
	pool = &c->session->pool_info[h->pool];
	if (h->lane != pool->lane || h->kind != pool->kind)
		return "has another lane or kind than its pool";
	if (h->lane >= 64 || !(c->part->lanes_here >> h->lane & 1))
		return "is of a lane that this consumer had not";
	if (h->record_size != pool->record_size || !h->count ||
	    h->count > pool->capacity)
		return "has a record size or count that its pool cannot have";
	if (h->flags & DFX_FRAME_ARENA && !session_has_payloads(c->session))
		return "has payloads, which its subsystem has not";
	if (!h->lost != !(h->flags & DFX_FRAME_GAP))
		return "has a gap without loss, or loss without a gap";
	return NULL;
}

static int add_ref(struct pool_refs *refs, const struct dfx_view *view,
		   unsigned int file)
{
	struct buffer_ref *ref;

	if (refs->nr == refs->cap) {
		size_t cap = refs->cap ? 2 * refs->cap : 16;

		ref = realloc(refs->ref, cap * sizeof(*ref));
		if (!ref)
			return -ENOMEM;
		refs->ref = ref;
		refs->cap = cap;
	}
	ref = &refs->ref[refs->nr++];
	ref->seq = view->head.seq;
	ref->count = view->head.count;
	ref->flags = view->head.flags;
	ref->len = view->head.len;
	ref->lost = view->head.lost;
	ref->time = view->head.time;
	ref->offset = view->offset + view->head.header_size;
	ref->arena = view->arena;
	ref->file = file;
	return 0;
}

/* What is wrong with a record's payload; NULL if nothing is. */
static const char *take_payload(const struct dfx_view *view, __u32 i,
				struct payload_sum *sum)
{
	struct dfx_piece payload;
	struct dfx_rec_dump rec;
	bool truncated;
	__u64 full;
	int ret;

	ret = dfx_view_payload(view, i, &payload);
	if (ret == -EPROTO)
		return "has its payload outside of its frame";
	if (ret)
		return "is of a size that has no payload";
	memcpy(&rec, (const char *)view->data + (size_t)i * sizeof(rec),
	       sizeof(rec));
	full = le64toh(rec.full_size);
	sum->records += full != 0;
	sum->bytes += payload.len;
	truncated = payload.len < full;
	sum->truncated += truncated;
	if (payload.len > full || rec.truncated != truncated)
		return "is wrong about whether its payload is truncated";
	return NULL;
}

static void take_payloads(struct cursor *c, const struct dfx_view *view,
			  struct problems *p)
{
	const char *fault;
	__u32 i;

	for (i = 0; i < view->head.count; i++) {
		fault = take_payload(view, i, &c->session->payload);
		if (fault)
			problem(p, PROBLEM_PAYLOAD,
				"%s: record %u of the frame at offset %llu (pool %u, buffer %u) %s",
				c->path, i, view->offset, view->head.pool,
				view->head.seq, fault);
	}
}

static void take_time(struct session *s, __u64 time)
{
	if (!s->records || time < s->first_time)
		s->first_time = time;
	if (!s->records || time > s->last_time)
		s->last_time = time;
}

static int take_data(struct sessions *set, struct cursor *c,
		     const struct dfx_view *view, struct problems *p)
{
	const struct dfx_frame *h = &view->head;
	const char *fault = data_fault(c, h);
	struct session *s = c->session;
	struct part_pool *pool;

	if (fault) {
		problem(p, PROBLEM_FRAME,
			"%s: the frame at offset %llu (pool %u, buffer %u) %s",
			c->path, view->offset, h->pool, h->seq, fault);
		return 0;
	}
	pool = &c->part->pools[h->pool];
	if (pool->buffers && h->seq <= pool->last_seq)
		problem(p, PROBLEM_ORDER,
			"%s: at offset %llu pool %u has buffer %u after buffer %u",
			c->path, view->offset, h->pool, h->seq,
			pool->last_seq);
	if (!pool->buffers)
		pool->first_seq = h->seq;
	pool->last_seq = h->seq;
	pool->buffers++;
	pool->records += h->count;
	take_time(s, h->time);
	s->records += h->count;
	s->bytes += h->len;
	s->lost += h->lost;
	if (session_has_payloads(s))
		take_payloads(c, view, p);
	if (set->keep_refs && add_ref(&s->refs[h->pool], view, c->file))
		return -ENOMEM;
	return set->data ? set->data(set->arg, (unsigned int)(s - set->session),
				     view) : 0;
}

/* Of two END frames, the one that saw more delivered is the later one. */
static void take_end_pools(struct session *s, struct part *part,
			   const struct dfx_view *view)
{
	unsigned int i;

	for (i = 0; i < s->info.nr_pools; i++) {
		dfx_view_pool(view, i, &part->end[i]);
		if (!s->ended || part->end[i].delivered >= s->pools[i].delivered)
			s->pools[i] = part->end[i];
	}
}

static int take_end(struct cursor *c, const struct dfx_view *view,
		    struct problems *p)
{
	struct session *s = c->session;
	struct dfx_end_info end;
	unsigned int i;

	if (dfx_view_end(view, &end) || end.nr_pools != s->info.nr_pools ||
	    end.nr_lanes != s->info.nr_lanes || c->part->ended) {
		problem(p, PROBLEM_FORMAT,
			"%s: the END frame at offset %llu is damaged or does not fit its session",
			c->path, view->offset);
		return 0;
	}
	c->part->end = calloc(end.nr_pools ? end.nr_pools : 1,
			      sizeof(*c->part->end));
	if (!s->lanes)
		s->lanes = calloc(end.nr_lanes ? end.nr_lanes : 1,
				  sizeof(*s->lanes));
	free(s->incidents);
	s->incidents = calloc(end.nr_incidents ? end.nr_incidents : 1,
			      sizeof(*s->incidents));
	if (!c->part->end || !s->lanes || !s->incidents)
		return -ENOMEM;

	take_end_pools(s, c->part, view);
	for (i = 0; i < end.nr_lanes; i++)
		dfx_view_lane(view, i, &s->lanes[i]);
	s->nr_lanes = end.nr_lanes;
	for (i = 0; i < end.nr_incidents; i++)
		dfx_view_incident(view, i, &s->incidents[i]);
	s->end = end;
	s->ended = true;
	c->part->ended = true;
	return 0;
}

static void count_checksum(struct cursor *c, const struct dfx_view *view,
			   struct problems *p)
{
	if (view->crc == DFX_CRC_BAD)
		problem(p, PROBLEM_CHECKSUM,
			"%s: the frame at offset %llu (pool %u, buffer %u) does not match its checksum",
			c->path, view->offset, view->head.pool,
			view->head.seq);
	else if (c->part && view->crc == DFX_CRC_GOOD)
		c->part->checked++;
	else if (c->part)
		c->part->unchecked++;
}

static int take_frame(struct sessions *set, struct cursor *c,
		      const struct dfx_view *view, struct problems *p)
{
	int ret = 0;

	if (view->head.type == DFX_FRAME_SESSION)
		ret = take_session(set, c, view, p);
	else if (!c->session || c->session->info.session != view->head.session)
		problem(p, PROBLEM_FRAME,
			"%s: the frame at offset %llu is of session %llu, whose SESSION frame is not before it",
			c->path, view->offset, view->head.session);
	else if (view->head.type == DFX_FRAME_DATA)
		ret = take_data(set, c, view, p);
	else
		ret = take_end(c, view, p);
	if (!ret)
		count_checksum(c, view, p);
	return ret;
}

static int add_path(struct sessions *set, const char *path)
{
	char **paths = extend(set->path, set->nr_files, sizeof(*paths));

	if (!paths)
		return -ENOMEM;
	set->path = paths;
	paths[set->nr_files] = strdup(path);
	if (!paths[set->nr_files])
		return -ENOMEM;
	set->nr_files++;
	return 0;
}

static int read_file(struct sessions *set, const char *path,
		     struct problems *p)
{
	struct cursor c = { .file = set->nr_files, .path = path };
	struct dfx_recording *rec;
	struct dfx_view view;
	unsigned long frames = 0;
	int ret;

	ret = dfx_recording_open(path, &rec);
	if (ret)
		return ret;
	ret = add_path(set, path);
	while (!ret) {
		ret = dfx_recording_next(rec, &view);
		if (!ret)
			break;
		frames++;
		if (ret > 0) {
			ret = take_frame(set, &c, &view, p);
			continue;
		}
		problem(p, ret == -EPROTO ? PROBLEM_FRAME : PROBLEM_FORMAT,
			"%s: %s", path, dfx_recording_error(rec));
		/* Out of memory is ours; all else is the file's fault. */
		if (ret != -EPROTO && ret != -ENOMEM) {
			ret = 0;
			break;
		}
		if (ret == -EPROTO)
			ret = 0;
	}
	if (!ret && !frames)
		problem(p, PROBLEM_FORMAT, "%s: is empty", path);
	dfx_recording_close(rec);
	return ret;
}

static int is_recording(const struct dirent *de)
{
	const char *dot = strrchr(de->d_name, '.');

	return dot && !strcmp(dot, ".dfx");
}

int sessions_read(struct sessions *set, const char *path, struct problems *p)
{
	struct dirent **names;
	char file[PATH_MAX];
	int i, n, ret = 0;

	n = scandir(path, &names, is_recording, alphasort);
	if (n < 0)
		return errno == ENOTDIR ? read_file(set, path, p) : -errno;
	if (!n)
		problem(p, PROBLEM_FORMAT,
			"%s: no file of it has a name that ends in .dfx", path);
	for (i = 0; i < n; i++) {
		if (!ret) {
			snprintf(file, sizeof(file), "%s/%s", path,
				 names[i]->d_name);
			ret = read_file(set, file, p);
		}
		free(names[i]);
	}
	free(names);
	return ret;
}

int sessions_count(const char *dir)
{
	struct dirent **names;
	int i, n;

	n = scandir(dir, &names, is_recording, NULL);
	if (n < 0)
		return -errno;
	for (i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return n;
}

static void free_session(struct session *s)
{
	unsigned int i;

	for (i = 0; i < s->nr_parts; i++) {
		free(s->parts[i].pools);
		free(s->parts[i].end);
	}
	for (i = 0; s->refs && i < s->info.nr_pools; i++)
		free(s->refs[i].ref);
	free(s->parts);
	free(s->refs);
	free(s->pool_info);
	free(s->pools);
	free(s->lanes);
	free(s->incidents);
}

void sessions_free(struct sessions *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		free_session(&set->session[i]);
	for (i = 0; i < set->nr_files; i++)
		free(set->path[i]);
	free(set->session);
	free(set->path);
}

bool session_has_payloads(const struct session *s)
{
	return s->info.subsys == DFX_SUBSYS_TENSOR_DUMP ||
	       s->info.subsys == DFX_SUBSYS_ARGS_DUMP;
}

bool session_has_pool(const struct session *s, unsigned int pool)
{
	__u32 lane = s->pool_info[pool].lane;

	return lane < 64 && s->lanes_here >> lane & 1;
}

void session_totals(const struct session *s, struct totals *t)
{
	unsigned int i;

	memset(t, 0, sizeof(*t));
	if (!s->ended) {
		t->produced = s->records + s->lost;
		t->delivered = s->records;
		return;
	}
	for (i = 0; i < s->info.nr_pools; i++)
		totals_add_pool(t, &s->pools[i]);
	totals_add_freeze(t, s->end.freeze);
}
