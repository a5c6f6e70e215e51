/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * scan.h - a JSON file, read piece by piece
 *
 * The caller walks through objects and arrays, and takes as one value what is
 * small enough. A library parses those.
 */
#ifndef DFX_SCAN_H
#define DFX_SCAN_H

#include <json-c/json.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

#define SCAN_CHUNK	65536

/**
 * struct scan - a file under way
 * @in: the file.
 * @tok: parses values.
 * @at: next byte of @buf.
 * @len: bytes in @buf.
 * @before: bytes of the file before @buf.
 * @error: what is wrong, and no longer read; NULL for nothing.
 * @buf: a piece of the file.
 */
struct scan {
	FILE *in;
	struct json_tokener *tok;
	size_t at;
	size_t len;
	__u64 before;
	const char *error;
	char buf[SCAN_CHUNK];
};

/* -errno. */
int scan_open(struct scan *sc, const char *path);
void scan_close(struct scan *sc);
/* Byte of the file that comes next, or where the error is. */
__u64 scan_offset(const struct scan *sc);
/* The next byte that is no space; -1 at the end or after an error. */
int scan_peek(struct scan *sc);
/* Take that byte if it is @c; otherwise, and after an error, false. */
bool scan_take(struct scan *sc, char c);
/* The same, and an error if it is another one. */
bool scan_expect(struct scan *sc, char c);
/* A value, which the caller puts; false after an error. */
bool scan_value(struct scan *sc, struct json_object **out);
/*
 * The same for an array of at most @max integers that are not negative, which
 * takes a tenth of the time. False with nothing taken for any other value, and
 * now and then for such an array: then it is one for scan_value().
 */
bool scan_integers(struct scan *sc, __u64 *v, size_t max, size_t *nr);
/* Pass a value over. */
bool scan_skip(struct scan *sc);
/*
 * After an element of an array or object that ends with @close: is there
 * another one? False at the end, and after an error.
 */
bool scan_more(struct scan *sc, char close);

#endif /* DFX_SCAN_H */
