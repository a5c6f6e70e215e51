// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * lib_frames.c - recordings as the driver would make them, in memory
 */
#include <assert.h>
#include <endian.h>
#include <string.h>

#include "crc32c.h"
#include "lib_frames.h"

void frames_init(struct frames *f, bool crc)
{
	unsigned int i;

	memset(f, 0, sizeof(*f));
	f->crc = crc;
	f->lanes_here = 3;
	f->start_ns = 1000;
	for (i = 0; i < FRAMES_POOLS; i++) {
		f->pool[i].pool = i;
		f->pool[i].lane = i / 2;
		f->pool[i].first_seq_here = ~0ull;
	}
}

struct dfx_frame *frames_header(struct frames *f, size_t at)
{
	return (struct dfx_frame *)(void *)(f->bytes + at);
}

static void *append(struct frames *f, size_t len)
{
	void *p = f->bytes + f->len;

	assert(f->len + len <= sizeof(f->bytes));
	f->len += len;
	return p;
}

static size_t header(struct frames *f, unsigned int type)
{
	size_t at = f->len;
	struct dfx_frame *h = append(f, sizeof(*h));

	memset(h, 0, sizeof(*h));
	h->magic = htole32(DFX_FRAME_MAGIC);
	h->type = (__u8)type;
	h->version = DFX_FRAME_VERSION;
	h->header_size = htole16(sizeof(*h));
	h->session = htole64(FRAMES_SESSION);
	return at;
}

void frames_sum(struct frames *f, size_t at)
{
	struct dfx_frame *h = frames_header(f, at);

	h->crc = htole32(dfx_frame_crc(h, h + 1, le32toh(h->len)));
}

static size_t finish(struct frames *f, size_t at)
{
	struct dfx_frame *h = frames_header(f, at);

	h->len = htole32((__u32)(f->len - at - sizeof(*h)));
	if (f->crc) {
		h->flags |= htole32(DFX_FRAME_CRC);
		frames_sum(f, at);
	}
	return at;
}

struct dfx_pool_info frames_pool_info(unsigned int pool)
{
	return (struct dfx_pool_info){
		.pool = pool,
		.instance = pool,
		.lane = pool / 2,
		.buffers = 4,
		.first_buffer = 4 * pool,
		.record_size = FRAMES_RECORD,
		.capacity = FRAMES_CAPACITY,
		.stride = 4096,
		.slots = 4,
		.buf_off = 4 * 4096ull * pool,
	};
}

size_t frames_session(struct frames *f)
{
	size_t at = header(f, DFX_FRAME_SESSION);
	struct dfx_session_info *info = append(f, sizeof(*info));
	unsigned int i;

	memset(info, 0, sizeof(*info));
	info->info_size = sizeof(*info);
	info->pool_size = sizeof(struct dfx_pool_info);
	info->nr_pools = FRAMES_POOLS;
	info->nr_lanes = FRAMES_LANES;
	info->subsys = DFX_SUBSYS_PMU;
	info->arch = DFX_ARCH_A2A3;
	info->session = FRAMES_SESSION;
	info->lane_mask = 3;
	info->lanes_here = f->lanes_here;
	info->counter_hz = 50000000;
	info->start_ns = f->start_ns;
	strcpy((char *)info->name, "pmu");
	for (i = 0; i < FRAMES_POOLS; i++) {
		struct dfx_pool_info pool = frames_pool_info(i);

		memcpy(append(f, sizeof(pool)), &pool, sizeof(pool));
	}
	return finish(f, at);
}

void frames_record(unsigned int pool, unsigned int seq, unsigned int i,
		   unsigned char out[FRAMES_RECORD])
{
	unsigned int k;

	for (k = 0; k < FRAMES_RECORD; k++)
		out[k] = (unsigned char)(pool * 59 + seq * 31 + i * 7 + k);
}

size_t frames_data(struct frames *f, unsigned int pool, unsigned int count,
		   unsigned int flags, __u64 lost)
{
	struct dfx_pool_state *st = &f->pool[pool];
	size_t at = header(f, DFX_FRAME_DATA);
	struct dfx_frame *h = frames_header(f, at);
	unsigned int i;

	if (count < FRAMES_CAPACITY)
		flags |= DFX_FRAME_PARTIAL;
	if (lost)
		flags |= DFX_FRAME_GAP;
	h->flags = htole32(flags);
	h->pool = htole32(pool);
	h->seq = htole32((__u32)st->next_seq);
	h->count = htole32(count);
	h->lane = htole16((__u16)(pool / 2));
	h->lost = htole64(lost);
	h->time = htole64(100 * st->next_seq + pool);
	h->record_size = htole32(FRAMES_RECORD);
	for (i = 0; i < count; i++)
		frames_record(pool, (unsigned int)st->next_seq, i,
			      append(f, FRAMES_RECORD));

	if (st->first_seq_here == ~0ull)
		st->first_seq_here = st->next_seq;
	st->next_seq++;
	st->produced += count + lost;
	st->delivered += count;
	st->delivered_here += count;
	st->dropped[DFX_DROP_POP_TIMEOUT] += lost;
	return finish(f, at);
}

size_t frames_end(struct frames *f)
{
	size_t at = header(f, DFX_FRAME_END);
	struct dfx_end_info *end = append(f, sizeof(*end));
	const struct dfx_incident incidents[FRAMES_INCIDENTS] = {
		{
			.open_ns = htole64(f->start_ns + 100),
			.close_ns = htole64(f->start_ns + 140),
			.lanes = htole64(3),
			.number = htole32(1),
			.gates = htole32(1u << DFX_GATE_FQ),
		}, {
			.open_ns = htole64(f->start_ns + 200),
			.close_ns = htole64(f->start_ns + 205),
			.lanes = htole64(2),
			.number = htole32(2),
			.gates = htole32(3),
		},
	};
	unsigned int i;

	memset(end, 0, sizeof(*end));
	end->info_size = sizeof(*end);
	end->lane_size = sizeof(struct dfx_lane_state);
	end->pool_size = sizeof(struct dfx_pool_state);
	end->nr_lanes = FRAMES_LANES;
	end->nr_pools = FRAMES_POOLS;
	end->session = FRAMES_SESSION;
	end->end_ns = f->start_ns + 500;
	end->freeze[DFX_GATE_RQ].opens = 3;
	end->freeze[DFX_GATE_FQ].opens = 4;
	end->incident_size = sizeof(incidents[0]);
	end->nr_incidents = FRAMES_INCIDENTS;
	end->incidents = FRAMES_INCIDENTS;
	for (i = 0; i < FRAMES_LANES; i++) {
		struct dfx_lane_state lane = {
			.lane = i,
			.flags = DFX_LANE_F_ENABLED,
			.runs = 1,
			.pop_waits = 10 + i,
		};

		memcpy(append(f, sizeof(lane)), &lane, sizeof(lane));
	}
	memcpy(append(f, sizeof(f->pool)), f->pool, sizeof(f->pool));
	memcpy(append(f, sizeof(incidents)), incidents, sizeof(incidents));
	return finish(f, at);
}

void frames_fill(struct frames *f, unsigned int buffers)
{
	unsigned int pool, i;

	frames_session(f);
	for (i = 0; i < buffers; i++)
		for (pool = 0; pool < FRAMES_POOLS; pool++)
			if (f->lanes_here >> pool / 2 & 1)
				frames_data(f, pool, FRAMES_CAPACITY, 0, 0);
	frames_end(f);
}
