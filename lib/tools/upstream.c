// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * upstream.c - swimlanes in the file that upstream's tools read
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scan.h"
#include "sessions.h"
#include "swim_faults.h"
#include "upstream.h"

/* Elements of a row of aicore_tasks: core, token, id, start, end, receive. */
#define TASK_ELEMENTS	6
/* Of one of aicpu_tasks: core, id, dispatch, finish. */
#define STAMP_ELEMENTS	4
/* A later version may have more; these are looked at. */
#define MAX_ELEMENTS	16

struct task_row {
	__u32 core;
	struct swim_task row;
};

struct stamp_row {
	__u32 core;
	struct swim_stamp row;
};

/**
 * struct rows - one of the two arrays
 * @at: rows of @size bytes.
 * @size: of one.
 * @nr: their number.
 * @cap: room.
 * @there: the file has the array.
 * @bad: rows that are none.
 * @first_bad: which was the first of them.
 */
struct rows {
	void *at;
	size_t size;
	size_t nr;
	size_t cap;
	bool there;
	__u64 bad;
	__u64 first_bad;
};

/**
 * struct upstream - what the file has
 * @path: of it.
 * @p: where faults go.
 * @hz: clock_freq_hz; 0 if there is none.
 * @cores: num_cores; 0 if there is none.
 * @level: -1 if there is none.
 * @tasks: of cores.
 * @stamps: of the AICPU.
 */
struct upstream {
	const char *path;
	struct problems *p;
	__u64 hz;
	__u64 cores;
	__s64 level;
	struct rows tasks;
	struct rows stamps;
};

/* Does the file begin as an object does? */
static bool is_object(const char *path)
{
	FILE *in = fopen(path, "re");
	int c = EOF;

	if (!in)
		return false;
	do
		c = getc(in);
	while (c == ' ' || c == '\t' || c == '\n' || c == '\r');
	fclose(in);
	return c == '{';
}

bool upstream_find(const char *path, char *file, size_t size)
{
	struct stat st;
	int n;

	if (stat(path, &st))
		return false;
	if (S_ISDIR(st.st_mode) && sessions_count(path) > 0)
		return false;
	if (S_ISDIR(st.st_mode))
		n = snprintf(file, size, "%s/" UPSTREAM_SWIMLANE, path);
	else
		n = snprintf(file, size, "%s", path);
	if (n < 0 || (size_t)n >= size || stat(file, &st))
		return false;
	return S_ISREG(st.st_mode) && is_object(file);
}

/* ---------------- reading ------------------------------------------------ */

/* False if it is no integer from 0 to @max. */
static bool number(struct json_object *v, __u64 max, __u64 *out)
{
	if (!json_object_is_type(v, json_type_int) ||
	    json_object_get_int64(v) < 0)
		return false;
	*out = json_object_get_uint64(v);
	return *out <= max;
}

static bool make_task(const __u64 *v, size_t nr, void *out)
{
	if (nr < TASK_ELEMENTS || v[0] >= SWIM_MAX_CORES ||
	    v[2] > 0xffffffff || v[5] > 0xffffffff)
		return false;
	*(struct task_row *)out = (struct task_row){ (__u32)v[0], {
		.start = v[3],
		.end = v[4],
		.id = (__u32)v[2],
		.receive_to_start = (__u32)v[5],
	} };
	return true;
}

static bool make_stamp(const __u64 *v, size_t nr, void *out)
{
	if (nr < STAMP_ELEMENTS || v[0] >= SWIM_MAX_CORES ||
	    v[1] > 0xffffffff)
		return false;
	*(struct stamp_row *)out = (struct stamp_row){ (__u32)v[0], {
		.dispatch = v[2],
		.finish = v[3],
		.id = (__u32)v[1],
	} };
	return true;
}

/* Elements up to the first that is none or too many. */
static size_t elements(struct json_object *row, __u64 *v)
{
	size_t i = 0, n = 0;

	if (json_object_is_type(row, json_type_array))
		n = json_object_array_length(row);
	while (i < n && i < MAX_ELEMENTS &&
	       number(json_object_array_get_idx(row, i), ULLONG_MAX, &v[i]))
		i++;
	return i;
}

/* False after an error of the scan. */
static bool read_row(struct scan *sc, __u64 *v, size_t *nr)
{
	struct json_object *row;

	if (scan_integers(sc, v, MAX_ELEMENTS, nr))
		return true;
	if (!scan_value(sc, &row))
		return false;
	*nr = elements(row, v);
	json_object_put(row);
	return true;
}

/* Where the next row goes; NULL if there is no memory. */
static void *next_row(struct rows *rows)
{
	if (rows->nr == rows->cap) {
		size_t cap = rows->cap ? 2 * rows->cap : 1024;
		void *at = realloc(rows->at, cap * rows->size);

		if (!at)
			return NULL;
		rows->at = at;
		rows->cap = cap;
	}
	return (char *)rows->at + rows->nr * rows->size;
}

/* 0 also when the file is damaged, which the scan then says. */
static int read_rows(struct scan *sc, struct rows *rows,
		     bool (*make)(const __u64 *v, size_t nr, void *out))
{
	__u64 v[MAX_ELEMENTS];
	size_t nr;
	void *to;

	rows->there = true;
	if (!scan_expect(sc, '[') || scan_take(sc, ']'))
		return 0;
	do {
		to = next_row(rows);
		if (!to)
			return -ENOMEM;
		if (!read_row(sc, v, &nr))
			return 0;
		if (make(v, nr, to))
			rows->nr++;
		else if (!rows->bad++)
			rows->first_bad = rows->nr;
	} while (scan_more(sc, ']'));
	return 0;
}

static void read_metadata(struct scan *sc, struct upstream *u)
{
	struct json_object *meta;

	if (!scan_value(sc, &meta))
		return;
	if (json_object_is_type(meta, json_type_object)) {
		number(json_object_object_get(meta, "clock_freq_hz"),
		       ULLONG_MAX, &u->hz);
		number(json_object_object_get(meta, "num_cores"), ULLONG_MAX,
		       &u->cores);
	}
	json_object_put(meta);
}

static void read_level(struct scan *sc, struct upstream *u)
{
	struct json_object *v;
	__u64 level = 0;

	if (!scan_value(sc, &v))
		return;
	if (number(v, SWIM_MAX_LEVEL, &level))
		u->level = (__s64)level;
	else
		problem(u->p, PROBLEM_TASK,
			"%s: level %s is not known; 0 to %u are",
			u->path, json_object_to_json_string(v),
			SWIM_MAX_LEVEL);
	json_object_put(v);
}

static int read_member(struct scan *sc, struct upstream *u, const char *key)
{
	if (!strcmp(key, "aicore_tasks"))
		return read_rows(sc, &u->tasks, make_task);
	if (!strcmp(key, "aicpu_tasks"))
		return read_rows(sc, &u->stamps, make_stamp);
	if (!strcmp(key, "metadata"))
		read_metadata(sc, u);
	else if (!strcmp(key, "chip_swimlane_level") ||
		 !strcmp(key, "l2_swimlane_level"))
		read_level(sc, u);
	else
		scan_skip(sc);
	return 0;
}

static int read_object(struct scan *sc, struct upstream *u)
{
	struct json_object *key;
	int ret = 0;

	if (!scan_expect(sc, '{') || scan_take(sc, '}'))
		return 0;
	do {
		if (!scan_value(sc, &key))
			return 0;
		if (!json_object_is_type(key, json_type_string))
			sc->error = "is not JSON";
		else if (scan_expect(sc, ':'))
			ret = read_member(sc, u, json_object_get_string(key));
		json_object_put(key);
	} while (!ret && scan_more(sc, '}'));
	return ret;
}

/* ---------------- what it means ------------------------------------------ */

static void check_rows(const struct upstream *u, const struct rows *rows,
		       const char *key)
{
	if (!rows->there)
		problem(u->p, PROBLEM_FORMAT, "%s: has no %s", u->path, key);
	if (rows->bad)
		problem(u->p, PROBLEM_TASK,
			"%s: %llu elements of %s are no rows of it (the first follows row %llu); they are left out",
			u->path, rows->bad, key, rows->first_bad);
}

static void check_cores(const struct upstream *u)
{
	const struct task_row *t = u->tasks.at;
	size_t i, n = 0;

	for (i = 0; u->cores && i < u->tasks.nr; i++)
		n += t[i].core >= u->cores;
	if (n)
		problem(u->p, PROBLEM_TASK,
			"%s: %zu tasks are of cores beyond its %llu", u->path,
			n, u->cores);
}

/* Sorting will put it right; that it was necessary is worth a word. */
static void check_order(const struct upstream *u, struct swimlane *swim)
{
	const struct task_row *t = u->tasks.at;
	__u64 last[SWIM_MAX_CORES] = { 0 };
	size_t i;

	for (i = 0; i < u->tasks.nr; i++) {
		__u64 start = t[i].row.start;

		if (start && start < last[t[i].core])
			swim_fault(swim, SWIM_DISORDER, t[i].core,
				   t[i].row.id);
		else if (start)
			last[t[i].core] = start;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct task_row *x = a, *y = b;

	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	return (x->row.start > y->row.start) - (x->row.start < y->row.start);
}

static int by_dispatch(const void *a, const void *b)
{
	const struct stamp_row *x = a, *y = b;

	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	return (x->row.dispatch > y->row.dispatch) -
	       (x->row.dispatch < y->row.dispatch);
}

static bool comes_first(const struct task_row *t, const struct stamp_row *s)
{
	if (t->core != s->core)
		return t->core < s->core;
	return t->row.start < s->row.dispatch;
}

/* Both streams by time, so that partners come within the window. */
static int feed(struct upstream *u, struct swimlane *swim)
{
	struct task_row *t = u->tasks.at;
	struct stamp_row *s = u->stamps.at;
	size_t i = 0, k = 0;
	int ret = 0;

	if (u->tasks.nr)
		qsort(t, u->tasks.nr, sizeof(*t), by_start);
	if (u->stamps.nr)
		qsort(s, u->stamps.nr, sizeof(*s), by_dispatch);
	while (!ret && (i < u->tasks.nr || k < u->stamps.nr)) {
		if (k == u->stamps.nr ||
		    (i < u->tasks.nr && comes_first(&t[i], &s[k]))) {
			ret = swim_add_task(swim, t[i].core, 0, &t[i].row);
			i++;
		} else {
			ret = swim_add_stamp(swim, s[k].core, 0, &s[k].row);
			k++;
		}
	}
	return ret;
}

static int evaluate(struct upstream *u, struct swim_result *result)
{
	struct swimlane *swim;
	int ret;

	check_rows(u, &u->tasks, "aicore_tasks");
	check_rows(u, &u->stamps, "aicpu_tasks");
	check_cores(u);
	if (!u->hz) {
		problem(u->p, PROBLEM_FORMAT,
			"%s: has no metadata.clock_freq_hz; its times are left out",
			u->path);
		return 0;
	}
	ret = swim_new(u->hz, SWIM_WINDOW, NULL, &swim);
	if (ret)
		return ret;
	check_order(u, swim);
	ret = feed(u, swim);
	if (!ret)
		ret = swim_finish(swim, result);
	if (!ret)
		swim_say_faults(result, u->path, u->level >= 2 ||
				(result->tasks && result->stamps), u->p);
	swim_free(swim);
	return ret;
}

int upstream_read(const char *file, struct swim_result *result,
		  struct problems *p)
{
	struct upstream u = {
		.path = file,
		.p = p,
		.level = -1,
		.tasks.size = sizeof(struct task_row),
		.stamps.size = sizeof(struct stamp_row),
	};
	struct scan *sc = malloc(sizeof(*sc));
	int ret;

	if (!sc)
		return -ENOMEM;
	ret = scan_open(sc, file);
	if (ret) {
		free(sc);
		return ret;
	}
	ret = read_object(sc, &u);
	if (!ret && sc->error)
		problem(p, PROBLEM_FORMAT, "%s: %s at byte %llu", file,
			sc->error, scan_offset(sc));
	scan_close(sc);
	free(sc);
	if (!ret)
		ret = evaluate(&u, result);
	free(u.tasks.at);
	free(u.stamps.at);
	return ret;
}
