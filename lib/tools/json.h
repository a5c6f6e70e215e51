/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * json.h - a JSON text, written as it is made
 */
#ifndef DFX_JSON_H
#define DFX_JSON_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

#define JSON_DEPTH	16

/**
 * struct json - a text under way
 * @out: where it goes.
 * @depth: objects and arrays that are open.
 * @used: per level: something was written in it.
 */
struct json {
	FILE *out;
	unsigned int depth;
	bool used[JSON_DEPTH];
};

/* @key is NULL for an element of an array and for the outermost value. */
void json_object(struct json *j, const char *key);
void json_object_end(struct json *j);
void json_array(struct json *j, const char *key);
void json_array_end(struct json *j);
void json_u64(struct json *j, const char *key, __u64 v);
void json_s64(struct json *j, const char *key, __s64 v);
/* Finite; to twelve digits. */
void json_double(struct json *j, const char *key, double v);
void json_bool(struct json *j, const char *key, bool v);
void json_string(struct json *j, const char *key, const char *v);

#endif /* DFX_JSON_H */
