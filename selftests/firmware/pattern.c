// SPDX-License-Identifier: GPL-2.0-only
/*
 * pattern.c - contents of records, computed from where they stand
 *
 * No state and no library: the same object is in the bare-metal image.
 *
 * Times lie on a grid, because a record must be computable without the ones
 * before it. Task K of a core, counted over buffers of 1024, ends at boundary
 * K + 1; boundaries are SLOT ticks apart and displaced by up to JITTER. In
 * three tasks of five the next one was dispatched before the boundary, so that
 * the core could switch to it at once; otherwise after it, and the core waited.
 * A buffer that ends early leaves its remaining slots empty, a longer gap.
 */
#include "byteorder.h"
#include "pattern.h"

#define SLOTS_PER_BUFFER	1024u

/* Ticks of 20 ns. */
#define BASE_TICKS	0x1000000ull
#define SLOT_TICKS	2048u
#define JITTER_TICKS	1024u	/* below SLOT: boundaries stay in order */
#define EARLY_TICKS	256u	/* below SLOT - JITTER - LATE */
#define LATE_TICKS	768u
#define SEEN_TICKS	10u	/* a finish is seen 0.2 us late at least */

#define GOLDEN		0x9e3779b97f4a7c15ull

/* The finaliser of splitmix64: every bit of the input moves every bit. */
static __u64 mix(__u64 x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

static __u64 boundary(__u64 stream, __u64 task)
{
	__u64 r = mix(stream + (task + 1) * GOLDEN);

	return BASE_TICKS + task * SLOT_TICKS + r % JITTER_TICKS;
}

static void aicpu_task(__u64 stream, __u64 r, __u32 seq, __u32 index,
		       struct dfx_rec_aicpu_task *rec)
{
	__u64 task = (__u64)seq * SLOTS_PER_BUFFER + index;
	__u64 start = boundary(stream, task);
	__u32 choice = r & 0xff;

	if (choice * 5 < 3 * 256)
		start -= 1 + (r >> 8) % (EARLY_TICKS - 1);
	else
		start += (r >> 8) % LATE_TICKS;
	rec->dispatch_time = cpu_to_le64(start);
	rec->finish_time = cpu_to_le64(boundary(stream, task + 1) +
				       SEEN_TICKS + (r >> 32) % 32);
	rec->reg_task_id = cpu_to_le32(r >> 20);
	rec->reserved[0] = 0;
	rec->reserved[1] = 0;
	rec->reserved[2] = 0;
}

static void pmu(__u64 r, __u32 pool, struct dfx_rec_pmu *rec)
{
	__u64 x;
	__u32 i;

	rec->task_id = cpu_to_le64(mix(r + GOLDEN));
	x = mix(r + 2 * GOLDEN);
	rec->func_id = cpu_to_le32(x % 40);
	/* One cube core to two vector cores, as on both profiles. */
	rec->core_type = cpu_to_le32(pool % 3 ? 1 : 0);
	rec->total_cycles = cpu_to_le64(1000 + (x >> 32) % 100000);
	for (i = 0; i < 4; i++) {
		x = mix(r + (i + 3) * GOLDEN);
		rec->counters[2 * i] = cpu_to_le32(x);
		rec->counters[2 * i + 1] = cpu_to_le32(x >> 32);
	}
	rec->reserved[0] = 0;
	rec->reserved[1] = 0;
}

static void dump(__u64 r, __u32 seq, __u32 index, struct dfx_rec_dump *rec)
{
	__u64 x = mix(r + GOLDEN), y = mix(r + 2 * GOLDEN);
	__u32 i;

	/* Member by member: the image has no memset(). */
	rec->task_id = cpu_to_le64((__u64)seq << 32 | index);
	rec->role = x % 3;
	rec->stage = x >> 8 & 1;
	rec->ndims = 1 + (x >> 16) % 5;
	rec->reserved = 0;
	rec->arg_index = cpu_to_le32((x >> 24) % 32);
	rec->dtype = (x >> 32) % 10;
	rec->truncated = 0;
	rec->is_contiguous = x >> 40 & 1;
	for (i = 0; i < 5; i++)
		rec->reserved2[i] = 0;
	rec->payload_offset = 0;
	rec->payload_size = 0;
	rec->scalar_value = 0;
	rec->kind = 0;
	rec->flags = (__u8)(x >> 48);
	rec->func_ids[0] = cpu_to_le16(y % 40);
	rec->func_ids[1] = cpu_to_le16(0xffff);
	rec->func_ids[2] = cpu_to_le16(0xffff);
	rec->func_count = 1;
	for (i = 0; i < 7; i++)
		rec->reserved3[i] = 0;
	rec->start_offset = cpu_to_le64(y >> 40);
	for (i = 0; i < 5; i++) {
		x = i < rec->ndims ? 1 + (y >> 4 * i) % 16 : 0;
		rec->shapes[i] = cpu_to_le32(x);
		x = i < rec->ndims ? 1u << 4 * i : 0;
		rec->strides[i] = cpu_to_le32(x);
	}
	rec->full_size = 0;
	rec->reserved4 = 0;
}

static void dep_gen(__u64 r, __u32 seq, __u32 index, struct dfx_rec_dep_gen *rec)
{
	__le64 *tensors = (__le64 *)rec->tensors;
	__u64 x = mix(r + GOLDEN);
	__u32 i;

	rec->task_id = cpu_to_le64((__u64)seq << 32 | index);
	rec->flags = cpu_to_le32(x & 0x11);
	rec->tensor_count = cpu_to_le16((x >> 8) % 33);
	rec->dep_count = cpu_to_le16((x >> 16) % 65);
	for (i = 0; i < 64; i++)
		rec->deps[i] = cpu_to_le64(mix(r + (i + 2) * GOLDEN));
	for (i = 0; i < 32; i++)
		rec->arg_types[i] = (__u8)(x >> i);
	for (i = 0; i < 3; i++)
		rec->kernel_id[i] = cpu_to_le32((x >> (24 + 8 * i)) % 40);
	rec->block_num = cpu_to_le32(1 + (x >> 48) % 24);
	/* Opaque. */
	for (i = 0; i < sizeof(rec->tensors) / sizeof(*tensors); i++)
		tensors[i] = cpu_to_le64(mix(r + (i + 66) * GOLDEN));
}

static void scope_stats(__u64 r, __u32 index, struct dfx_rec_scope_stats *rec)
{
	__u64 x = mix(r + GOLDEN), y = mix(r + 2 * GOLDEN);
	__u32 len = 8 + x % 24;
	__u32 i;

	for (i = 0; i < sizeof(rec->site); i++)
		rec->site[i] = i < len ? 'a' + (y >> i) % 26 : 0;
	rec->heap_start = cpu_to_le64(x >> 24);
	rec->heap_end = cpu_to_le64((x >> 24) + (y >> 40));
	rec->line = cpu_to_le32(1 + (x >> 8) % 5000);
	rec->task_start = cpu_to_le32(index);
	rec->task_end = cpu_to_le32(index + y % 64);
	rec->dep_pool_start = cpu_to_le32((y >> 8) % 4096);
	rec->dep_pool_end = cpu_to_le32((y >> 20) % 4096);
	rec->tensormap_used = cpu_to_le32((y >> 32) % 1024);
	rec->depth = cpu_to_le16((x >> 5) % 64);
	rec->ring = cpu_to_le16((x >> 11) % 4);
	rec->phase = cpu_to_le16(index & 1);
	rec->reserved = 0;
}

int dfx_pattern_has_payloads(__u32 subsys)
{
	return subsys == DFX_SUBSYS_TENSOR_DUMP ||
	       subsys == DFX_SUBSYS_ARGS_DUMP;
}

__u32 dfx_pattern_size(__u32 subsys, __u32 kind)
{
	if (subsys == DFX_SUBSYS_L2_SWIMLANE && kind == DFX_KIND_AICPU_TASK)
		return sizeof(struct dfx_rec_aicpu_task);
	if (subsys == DFX_SUBSYS_PMU && kind == 0)
		return sizeof(struct dfx_rec_pmu);
	if (subsys == DFX_SUBSYS_DEP_GEN && kind == 0)
		return sizeof(struct dfx_rec_dep_gen);
	if (subsys == DFX_SUBSYS_SCOPE_STATS && kind == 0)
		return sizeof(struct dfx_rec_scope_stats);
	if (dfx_pattern_has_payloads(subsys) && kind == 0)
		return sizeof(struct dfx_rec_dump);
	return 0;
}

void dfx_pattern_record(__u64 seed, __u32 subsys, __u32 kind, __u32 pool,
			__u32 seq, __u32 index, void *rec)
{
	__u64 stream = mix(seed + ((__u64)subsys << 48 | (__u64)kind << 40 |
				   pool) * GOLDEN);
	__u64 r = mix(stream ^ ((__u64)seq << 32 | index));

	if (subsys == DFX_SUBSYS_L2_SWIMLANE && kind == DFX_KIND_AICPU_TASK)
		aicpu_task(stream, r, seq, index, rec);
	else if (subsys == DFX_SUBSYS_PMU && kind == 0)
		pmu(r, pool, rec);
	else if (subsys == DFX_SUBSYS_DEP_GEN && kind == 0)
		dep_gen(r, seq, index, rec);
	else if (subsys == DFX_SUBSYS_SCOPE_STATS && kind == 0)
		scope_stats(r, index, rec);
	else if (dfx_pattern_has_payloads(subsys) && kind == 0)
		dump(r, seq, index, rec);
}

static __u64 payload_stream(__u64 seed, __u32 subsys, __u32 pool)
{
	return mix(seed + ((__u64)subsys << 48 | 1ull << 32 | pool) * GOLDEN);
}

__u64 dfx_pattern_payload_size(__u64 seed, __u32 subsys, __u32 pool, __u64 nr,
			       __u64 mean)
{
	return mix(payload_stream(seed, subsys, pool) ^ ~nr) % (2 * mean + 1);
}

void dfx_pattern_payload(__u64 seed, __u32 subsys, __u32 pool, __u64 offset,
			 void *data, __u64 len)
{
	__u64 stream = payload_stream(seed, subsys, pool);
	__u64 x, i;

	for (i = 0; i + 8 <= len; i += 8)
		*(__le64 *)((__u8 *)data + i) =
			cpu_to_le64(mix(stream + (offset + i) / 8 * GOLDEN));
	for (x = mix(stream + (offset + i) / 8 * GOLDEN); i < len; i++, x >>= 8)
		*((__u8 *)data + i) = (__u8)x;
}
