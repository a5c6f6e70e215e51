// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * json.c - a JSON text, written as it is made
 */
#include <assert.h>

#include "json.h"

static void quote(struct json *j, const char *s)
{
	putc('"', j->out);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			fprintf(j->out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			fprintf(j->out, "\\u%04x", c);
		else
			putc(c, j->out);
	}
	putc('"', j->out);
}

static void begin(struct json *j, const char *key)
{
	if (j->used[j->depth])
		putc(',', j->out);
	j->used[j->depth] = true;
	if (key) {
		quote(j, key);
		putc(':', j->out);
	}
}

static void open_level(struct json *j, const char *key, char c)
{
	begin(j, key);
	putc(c, j->out);
	assert(j->depth + 1 < JSON_DEPTH);
	j->used[++j->depth] = false;
}

static void close_level(struct json *j, char c)
{
	putc(c, j->out);
	assert(j->depth);
	j->depth--;
}

void json_object(struct json *j, const char *key)
{
	open_level(j, key, '{');
}

void json_object_end(struct json *j)
{
	close_level(j, '}');
}

void json_array(struct json *j, const char *key)
{
	open_level(j, key, '[');
}

void json_array_end(struct json *j)
{
	close_level(j, ']');
}

void json_u64(struct json *j, const char *key, __u64 v)
{
	begin(j, key);
	fprintf(j->out, "%llu", v);
}

void json_s64(struct json *j, const char *key, __s64 v)
{
	begin(j, key);
	fprintf(j->out, "%lld", v);
}

void json_double(struct json *j, const char *key, double v)
{
	begin(j, key);
	fprintf(j->out, "%.12g", v);
}

void json_bool(struct json *j, const char *key, bool v)
{
	begin(j, key);
	fputs(v ? "true" : "false", j->out);
}

void json_string(struct json *j, const char *key, const char *v)
{
	begin(j, key);
	quote(j, v);
}
