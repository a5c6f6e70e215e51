// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * record_setup.c - from the names of devices to recorders that are ready
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "record_setup.h"

static const struct tool_hint attach_hints[] = {
	{ EBUSY, "another consumer has its lanes; end that one first" },
	{ ENOMEM, "out of memory for the rings; free some" },
	{ EPROTO, "its rings are unknown; use the command that came with the driver" },
	{ 0, NULL }
};

static const struct tool_hint start_hints[] = {
	{ EINVAL, "no such level, or the deadline exceeds the watchdog; see dfx info" },
	{ EIO, "all its lanes are in fault or silent; revive them with dfx reset" },
	{ 0, NULL }
};

static const struct tool_hint output_hints[] = {
	{ ENOENT, "its directory does not exist; create it" },
	{ EACCES, "the directory is not writable; choose another with -o" },
	{ EROFS, "the file system is read-only; choose another with -o" },
	{ EISDIR, "it is a directory; choose a file with -o" },
	{ ENOTDIR, "it is no directory, and several devices need one; choose one with -o" },
	{ EEXIST, "it is no directory, and several devices need one; choose one with -o" },
	{ ENXIO, "nothing reads that pipe; start its reader first" },
	{ ENOSPC, "the disk is full; make room or choose another with -o" },
	{ 0, NULL }
};

int record_open(struct recorder *r, const char *dev,
		const struct record_options *opt)
{
	int ret;

	ret = tool_open(dev, &r->dfx);
	if (!ret)
		ret = tool_open(dev, &r->monitor);
	if (!ret)
		ret = policy_apply(r->dfx, &opt->policy);
	if (ret)
		return ret;

	ret = dfx_lanes_attach(r->dfx, 0, &r->lanes);
	if (ret)
		return tool_fail(dev, "attach", ret, attach_hints);
	ret = dfx_query_get(r->dfx, &r->query);
	if (ret)
		return tool_fail(dev, "query", ret, NULL);

	r->nr_pools = r->query.out_nr_pools;
	r->pool_records = calloc(r->nr_pools ? r->nr_pools : 1,
				 sizeof(*r->pool_records));
	r->frame = malloc(RECORDER_FRAME_SIZE);
	if (!r->pool_records || !r->frame)
		return tool_fail(dev, "prepare", -ENOMEM, NULL);
	r->slow_us = opt->slow_us;
	return 0;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* An earlier recording may be the only copy of what it holds: keep it. */
static int keep_old(const char *path)
{
	char old[PATH_MAX];
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return 0;
	if (snprintf(old, sizeof(old), "%s.old", path) >= (int)sizeof(old))
		return -ENAMETOOLONG;
	if (rename(path, old))
		return -errno;
	tool_note("%s was there already; it is %s now", path, old);
	return 0;
}

int record_create(struct recorder *r, const struct record_options *opt,
		  bool several)
{
	const char *output = opt->output ? opt->output : ".";
	int n, ret = 0;

	if (several && mkdir(output, 0777) && errno != EEXIST)
		return tool_fail(output, "create", -errno, output_hints);
	if (several || is_directory(output))
		n = snprintf(r->path, sizeof(r->path), "%s/%s-%s.dfx", output,
			     dfx_name(r->dfx),
			     (const char *)r->query.out_name);
	else
		n = snprintf(r->path, sizeof(r->path), "%s", output);
	if (n >= (int)sizeof(r->path))
		ret = -ENAMETOOLONG;
	if (!ret)
		ret = keep_old(r->path);
	if (!ret)
		ret = dfx_writer_open(r->path, opt->writer, &r->writer);
	return ret ? tool_fail(r->path, "write", ret, output_hints) : 0;
}

static int join(struct recorder *r, const struct record_options *opt,
		const struct dfx_state *st)
{
	const char *name = dfx_name(r->dfx);

	if (st->out_session_state != DFX_SESSION_RUNNING) {
		if (opt->workload)
			return tool_error("%s: session %llu left records; first dfx record -d %s",
					  name, st->out_session, name);
		tool_note("%s: session %llu has ended; taking what it left",
			  name, st->out_session);
		return 0;
	}
	tool_note("%s: joined session %llu, which runs already%s%s", name,
		  st->out_session, opt->until_run ? "" :
		  "; it goes on afterwards, and ends with dfx stop ",
		  opt->until_run ? "" : name);
	return 0;
}

static int start_or_join(struct recorder *r, const struct record_options *opt)
{
	const char *name = dfx_name(r->dfx);
	unsigned int tries;
	struct dfx_state st;
	int ret = -EBUSY;

	for (tries = 0; tries < 3; tries++) {
		struct dfx_start arg = { .level = opt->level };

		ret = dfx_session_start(r->dfx, &arg);
		if (ret != -EBUSY)
			break;
		ret = dfx_state_get(r->dfx, &st, NULL, 0, NULL, 0);
		if (ret)
			return tool_fail(name, "read the state", ret, NULL);
		if (st.out_session_state != DFX_SESSION_IDLE)
			return join(r, opt, &st);
		/* It has just come to its end: there is nothing to join. */
		ret = -EBUSY;
	}
	r->started = !ret;
	return ret ? tool_fail(name, "start", ret, start_hints) : 0;
}

int record_start(struct recorder *r, const struct record_options *opt)
{
	int ret = start_or_join(r, opt);

	if (ret)
		return ret;
	ret = recorder_begin(r);
	if (ret)
		return tool_fail(r->path, "begin the recording", ret,
				 output_hints);
	return 0;
}

int record_close(struct recorder *r)
{
	int ret = dfx_writer_close(r->writer);

	if (ret)
		ret = tool_fail(r->path, "make the recording durable", ret,
				output_hints);
	dfx_close(r->dfx);
	dfx_close(r->monitor);
	free(r->pool_records);
	free(r->frame);
	return ret;
}
