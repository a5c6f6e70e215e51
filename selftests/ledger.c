// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger.c - what of a session was received, by whichever consumer
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ledger.h"
#include "pattern.h"

static __attribute__((format(printf, 2, 3)))
int complain(struct ledger *l, const char *fmt, ...)
{
	va_list ap;

	if (!l->why[0]) {
		va_start(ap, fmt);
		vsnprintf(l->why, sizeof(l->why), fmt, ap);
		va_end(ap);
	}
	return -1;
}

static int check_header(struct ledger *l, const struct dfx_frame *f)
{
	if (f->magic != DFX_FRAME_MAGIC || f->version != DFX_FRAME_VERSION ||
	    f->header_size != sizeof(*f))
		return complain(l, "header: magic %#x version %u size %u",
				f->magic, f->version, f->header_size);
	if (!l->session)
		l->session = f->session;
	if (!f->session || f->session != l->session)
		return complain(l, "session %#llx, not %#llx", f->session,
				l->session);
	return 0;
}

static bool has_payloads(const struct dfx_frame *f)
{
	return f->record_size == sizeof(struct dfx_rec_dump);
}

/* A swimlane record of the reference firmware. */
static bool is_pattern(const struct ledger *l, const struct dfx_frame *f,
		       const void *rec, __u32 index)
{
	unsigned char want[DFX_PATTERN_MAX_SIZE] __attribute__((aligned(8)));

	if (f->record_size != dfx_pattern_size(DFX_SUBSYS_L2_SWIMLANE, f->kind))
		return false;
	dfx_pattern_record(l->seed, DFX_SUBSYS_L2_SWIMLANE, f->kind, f->pool,
			   f->seq, index, want);
	return !memcmp(want, rec, f->record_size);
}

static int check_records(struct ledger *l, const struct dfx_frame *f,
			 const void *records)
{
	const struct ledger_pool *p = &l->pools[f->pool];
	__u64 first = p->records + p->lost;
	__u32 i;

	for (i = 0; i < f->count; i++) {
		const void *rec = (const char *)records + i * f->record_size;
		struct dfx_rec_dump dump;
		bool right;

		if (l->seed) {
			right = is_pattern(l, f, rec, i);
		} else if (has_payloads(f)) {
			memcpy(&dump, rec, sizeof(dump));
			right = fw_is_dump(&dump, f->session, f->pool,
					   first + i);
		} else {
			right = fw_is_filled(rec, f->record_size, f->session,
					     f->pool, first + i);
		}
		if (!right)
			return complain(l, "pool %u seq %u: record %u is not number %llu",
					f->pool, f->seq, i, first + i);
	}
	return 0;
}

/* Where a payload's bytes are; NULL if they are not all in the share. */
static const void *share_find(const struct ledger_share *s, __u64 at, __u64 size)
{
	__u64 from = at - s->info.pos;

	/* One that begins before the share is a huge difference. */
	if (from > s->info.len || size > s->info.len - from)
		return NULL;
	if (from >= s->first)
		return s->wrap + (from - s->first);
	return size > s->first - from ? NULL : s->data + from;
}

static int check_payloads(struct ledger *l, const struct dfx_frame *f,
			  const void *records, const struct ledger_share *s)
{
	struct dfx_rec_dump rec;
	const void *data;
	__u32 i;

	for (i = 0; i < f->count; i++) {
		memcpy(&rec, (const char *)records + i * sizeof(rec),
		       sizeof(rec));
		if (!rec.payload_size)
			continue;
		data = share_find(s, rec.payload_offset, rec.payload_size);
		if (!data)
			return complain(l, "pool %u seq %u: payload %u at %llu is not in the share",
					f->pool, f->seq, i, rec.payload_offset);
		if (!fw_is_payload(data, rec.payload_size, f->session, f->pool,
				   rec.payload_offset))
			return complain(l, "pool %u seq %u: payload %u is wrong",
					f->pool, f->seq, i);
	}
	return 0;
}

/* Shares follow each other without a hole, each once. */
static int take_share(struct ledger *l, const struct dfx_frame *f,
		      const void *records, const struct ledger_share *s)
{
	struct ledger_pool *p = &l->pools[f->pool];
	struct dfx_rec_dump rec;
	__u32 i;

	if (s->info.len && s->info.pos != p->pos)
		return complain(l, "pool %u seq %u: share at %llu, not %llu",
				f->pool, f->seq, s->info.pos, p->pos);
	p->pos += s->info.len;
	p->wraps += s->info.len > s->first;
	for (i = 0; i < f->count; i++) {
		memcpy(&rec, (const char *)records + i * sizeof(rec),
		       sizeof(rec));
		p->bytes += rec.payload_size;
		p->truncated += rec.truncated;
	}
	return 0;
}

int ledger_frame(struct ledger *l, const struct dfx_frame *f,
		 const void *records, const struct ledger_share *share)
{
	static const struct ledger_share none;
	struct ledger_pool *p;
	__u64 len = f->count * f->record_size;

	if (!share)
		share = &none;
	if (check_header(l, f))
		return -1;
	if (f->flags & DFX_FRAME_ARENA)
		len += sizeof(share->info) + share->info.len;
	if (f->type != DFX_FRAME_DATA || f->pool >= FW_MAX_POOLS ||
	    f->lane >= FW_MAX_LANES || !f->count || f->len != len ||
	    !(f->flags & DFX_FRAME_ARENA) != !share->info.len ||
	    (share->info.len && !has_payloads(f)))
		return complain(l, "type %u pool %u lane %u count %u len %u",
				f->type, f->pool, f->lane, f->count, f->len);
	if (!(f->flags & DFX_FRAME_GAP) != !f->lost)
		return complain(l, "pool %u seq %u: lost %llu, flags %#x",
				f->pool, f->seq, f->lost, f->flags);
	p = &l->pools[f->pool];
	/* What comes again is still what it was. */
	if (has_payloads(f) && check_payloads(l, f, records, share))
		return -1;
	if (f->seq < p->next_seq) {
		if (!(f->flags & DFX_FRAME_REDELIVERED))
			return complain(l, "pool %u seq %u came twice",
					f->pool, f->seq);
		l->redelivered++;
		return 0;
	}
	if (f->seq != p->next_seq)
		return complain(l, "pool %u: seq %u, not %u", f->pool, f->seq,
				p->next_seq);
	/* Nobody was left to say when a recovered buffer was published. */
	if (f->flags & DFX_FRAME_RECOVERED) {
		if (f->time)
			return complain(l, "pool %u seq %u: recovered, with a time",
					f->pool, f->seq);
		l->recovered++;
	} else if (f->time < l->time[f->lane]) {
		return complain(l, "pool %u seq %u: out of lane %u's order",
				f->pool, f->seq, f->lane);
	} else {
		l->time[f->lane] = f->time;
	}
	p->lost += f->lost;
	if (check_records(l, f, records) ||
	    (has_payloads(f) && take_share(l, f, records, share)))
		return -1;
	p->next_seq++;
	p->records += f->count;
	l->frames++;
	l->records += f->count;
	l->lost += f->lost;
	if (f->flags & DFX_FRAME_PARTIAL)
		l->partial++;
	return 0;
}

/* A DATA frame as it lies in a recording. */
static int take_data(struct ledger *l, const struct dfx_frame *f,
		     const unsigned char *payload)
{
	__u64 records = (__u64)f->count * f->record_size;
	struct ledger_share s = { };

	if (f->flags & DFX_FRAME_ARENA) {
		if (f->len < records + sizeof(s.info))
			return complain(l, "pool %u seq %u: len %u with a share",
					f->pool, f->seq, f->len);
		memcpy(&s.info, payload + records, sizeof(s.info));
		s.data = payload + records + sizeof(s.info);
		/* As it was; where the arena ends is not to be seen. */
		s.first = s.info.len;
	}
	return ledger_frame(l, f, payload, &s);
}

static int take_session(struct ledger *l, const void *payload, size_t len)
{
	struct dfx_session_info *i = &l->info;

	if (l->info_seen || l->started)
		return complain(l, "a SESSION frame that is not the first");
	if (len < sizeof(*i))
		return complain(l, "SESSION frame of %zu bytes", len);
	memcpy(i, payload, sizeof(*i));
	if (i->info_size != sizeof(*i) || i->session != l->session ||
	    i->pool_size != sizeof(struct dfx_pool_info) ||
	    len != sizeof(*i) + i->nr_pools * sizeof(struct dfx_pool_info))
		return complain(l, "SESSION frame does not fit together");
	l->info_seen = true;
	return 0;
}

static int take_end(struct ledger *l, const void *payload, size_t len)
{
	struct dfx_end_info *e = &l->end;
	size_t lanes, pools, gaps;

	if (l->end_seen)
		return complain(l, "two END frames");
	if (len < sizeof(*e))
		return complain(l, "END frame of %zu bytes", len);
	memcpy(e, payload, sizeof(*e));
	lanes = e->nr_lanes * sizeof(l->end_lanes[0]);
	pools = e->nr_pools * sizeof(l->end_pools[0]);
	gaps = e->nr_incidents * sizeof(struct dfx_incident);
	if (e->info_size != sizeof(*e) || e->session != l->session ||
	    e->lane_size != sizeof(l->end_lanes[0]) ||
	    e->pool_size != sizeof(l->end_pools[0]) ||
	    e->incident_size != sizeof(struct dfx_incident) ||
	    e->nr_incidents > DFX_MAX_INCIDENTS ||
	    e->nr_incidents > e->incidents ||
	    len != sizeof(*e) + lanes + pools + gaps || lanes > sizeof(l->end_lanes) ||
	    pools > sizeof(l->end_pools))
		return complain(l, "END frame does not fit together");
	memcpy(l->end_lanes, (const char *)payload + sizeof(*e), lanes);
	memcpy(l->end_pools, (const char *)payload + sizeof(*e) + lanes, pools);
	l->end_seen = true;
	return 0;
}

ssize_t ledger_stream(struct ledger *l, const void *bytes, size_t len)
{
	const char *p = bytes;
	size_t done = 0;

	for (;;) {
		const char *payload = p + done + sizeof(struct dfx_frame);
		struct dfx_frame f;
		int rc;

		if (len - done < sizeof(f))
			return done;
		memcpy(&f, p + done, sizeof(f));
		if (check_header(l, &f))
			return -1;
		if (len - done - sizeof(f) < f.len)
			return done;
		if (l->end_seen)
			return complain(l, "a frame behind END");
		if (f.type == DFX_FRAME_SESSION)
			rc = take_session(l, payload, f.len);
		else if (f.type == DFX_FRAME_END)
			rc = take_end(l, payload, f.len);
		else
			rc = take_data(l, &f, (const void *)payload);
		if (rc)
			return -1;
		l->started = true;
		done += sizeof(f) + f.len;
	}
}

void ledger_next_file(struct ledger *l)
{
	l->started = false;
	l->info_seen = false;
	l->end_seen = false;
}
