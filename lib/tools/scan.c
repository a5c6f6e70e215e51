// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * scan.c - a JSON file, read piece by piece
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "scan.h"

/* Arrays within arrays that are walked through; deeper ones are one value. */
#define WALK_DEPTH	2

int scan_open(struct scan *sc, const char *path)
{
	sc->at = 0;
	sc->len = 0;
	sc->before = 0;
	sc->error = NULL;
	sc->in = fopen(path, "re");
	if (!sc->in)
		return -errno;
	sc->tok = json_tokener_new();
	if (!sc->tok) {
		fclose(sc->in);
		return -ENOMEM;
	}
	json_tokener_set_flags(sc->tok, JSON_TOKENER_STRICT |
			       JSON_TOKENER_ALLOW_TRAILING_CHARS);
	return 0;
}

void scan_close(struct scan *sc)
{
	json_tokener_free(sc->tok);
	fclose(sc->in);
}

__u64 scan_offset(const struct scan *sc)
{
	return sc->before + sc->at;
}

static bool fail(struct scan *sc, const char *error)
{
	if (!sc->error)
		sc->error = error;
	return false;
}

/* Is there a byte at @sc->at? */
static bool fill(struct scan *sc)
{
	if (sc->error)
		return false;
	if (sc->at < sc->len)
		return true;
	sc->before += sc->len;
	sc->at = 0;
	sc->len = fread(sc->buf, 1, sizeof(sc->buf), sc->in);
	if (sc->len)
		return true;
	return fail(sc, ferror(sc->in) ? "cannot be read" : "is cut off");
}

int scan_peek(struct scan *sc)
{
	while (fill(sc)) {
		unsigned char c = (unsigned char)sc->buf[sc->at];

		if (!isspace(c))
			return c;
		sc->at++;
	}
	return -1;
}

bool scan_take(struct scan *sc, char c)
{
	if (scan_peek(sc) != (unsigned char)c)
		return false;
	sc->at++;
	return true;
}

bool scan_expect(struct scan *sc, char c)
{
	return scan_take(sc, c) || fail(sc, "is not JSON");
}

bool scan_value(struct scan *sc, struct json_object **out)
{
	enum json_tokener_error err;

	*out = NULL;
	json_tokener_reset(sc->tok);
	do {
		if (!fill(sc))
			return false;
		*out = json_tokener_parse_ex(sc->tok, sc->buf + sc->at,
					     (int)(sc->len - sc->at));
		err = json_tokener_get_error(sc->tok);
		sc->at += json_tokener_get_parse_end(sc->tok);
	} while (err == json_tokener_continue);
	return err == json_tokener_success || fail(sc, "is not JSON");
}

/* An integer at @p, before @end; where it ends, NULL if there is none. */
static const char *integer(const char *p, const char *end, __u64 *v)
{
	const char *begin = p;

	for (*v = 0; p < end && isdigit((unsigned char)*p); p++) {
		unsigned int digit = (unsigned int)(*p - '0');

		if (__builtin_mul_overflow(*v, 10, v) ||
		    __builtin_add_overflow(*v, digit, v))
			return NULL;
	}
	/* JSON has no 007. */
	return p > begin && (*begin != '0' || p == begin + 1) ? p : NULL;
}

static const char *spaces(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

bool scan_integers(struct scan *sc, __u64 *v, size_t max, size_t *nr)
{
	const char *p, *end;

	if (scan_peek(sc) != '[')
		return false;
	p = sc->buf + sc->at;
	end = sc->buf + sc->len;
	*nr = 0;
	do {
		if (*nr == max)
			return false;
		p = integer(spaces(p + 1, end), end, &v[*nr]);
		if (!p)
			return false;
		++*nr;
		p = spaces(p, end);
	} while (p < end && *p == ',');
	if (p == end || *p != ']')
		return false;
	sc->at = (size_t)(p + 1 - sc->buf);
	return true;
}

static bool skip(struct scan *sc, unsigned int depth)
{
	struct json_object *value;

	if (depth == WALK_DEPTH || scan_peek(sc) != '[') {
		if (!scan_value(sc, &value))
			return false;
		json_object_put(value);
		return true;
	}
	sc->at++;
	if (scan_take(sc, ']'))
		return true;
	do {
		if (!skip(sc, depth + 1))
			return false;
	} while (scan_more(sc, ']'));
	return !sc->error;
}

bool scan_skip(struct scan *sc)
{
	return skip(sc, 0);
}

bool scan_more(struct scan *sc, char close)
{
	if (scan_take(sc, ','))
		return true;
	scan_expect(sc, close);
	return false;
}
