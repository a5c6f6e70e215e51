/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pattern.h - what the reference firmware writes into each record
 *
 * The contents are a function of where the record stands, so that whoever has
 * the recording and the seed can check every byte of it without having seen
 * the run. The firmware and its checker share this one function.
 */
#ifndef DFX_FW_PATTERN_H
#define DFX_FW_PATTERN_H

#include <linux/dfx_layout.h>

/* The longest record that has a pattern, in bytes. */
#define DFX_PATTERN_MAX_SIZE	sizeof(struct dfx_rec_dep_gen)

/**
 * dfx_pattern_size() - bytes of a record
 * @subsys: DFX_SUBSYS_*.
 * @kind: the subsystem's kind.
 *
 * Return: 0 for a record that has no pattern.
 */
__u32 dfx_pattern_size(__u32 subsys, __u32 kind);

/**
 * dfx_pattern_record() - contents of one record
 * @seed: the run's seed.
 * @subsys: DFX_SUBSYS_*.
 * @kind: the subsystem's kind.
 * @pool: pool id.
 * @seq: sequence of the buffer in its pool.
 * @index: place of the record in the buffer, below 1024.
 * @rec: where to write dfx_pattern_size() bytes, 8-byte aligned.
 *
 * Times are ticks of a 50 MHz counter that starts near 0. They grow with
 * (seq, index), whatever capacity the buffers have. Of a &struct dfx_rec_dump the
 * members that tell of its payload are 0: they come from the lane's arena.
 */
void dfx_pattern_record(__u64 seed, __u32 subsys, __u32 kind, __u32 pool,
			__u32 seq, __u32 index, void *rec);

/* Whether the records are of &struct dfx_rec_dump. */
int dfx_pattern_has_payloads(__u32 subsys);

/**
 * dfx_pattern_payload_size() - bytes of a payload before it is truncated
 * @seed: the run's seed.
 * @subsys: DFX_SUBSYS_*.
 * @pool: pool id.
 * @nr: payloads of the pool before this one.
 * @mean: bytes that a payload has on average.
 *
 * Return: 0 to 2 * @mean.
 */
__u64 dfx_pattern_payload_size(__u64 seed, __u32 subsys, __u32 pool, __u64 nr,
			       __u64 mean);

/**
 * dfx_pattern_payload() - contents of an arena
 * @seed: the run's seed.
 * @subsys: DFX_SUBSYS_*.
 * @pool: pool id.
 * @offset: where in the arena, from the start of the session; a multiple of 8.
 * @data: where to write them, 8-byte aligned.
 * @len: bytes.
 */
void dfx_pattern_payload(__u64 seed, __u32 subsys, __u32 pool, __u64 offset,
			 void *data, __u64 len);

#endif /* DFX_FW_PATTERN_H */
