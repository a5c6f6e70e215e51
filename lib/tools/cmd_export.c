// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_export.c - a recording as files of other tools
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export_upstream.h"
#include "swim_feed.h"
#include "upstream.h"

static const struct tool_hint read_hints[] = {
	{ ENOENT, "there is no such file; name a recording of dfx record" },
	{ EINVAL, "it is not a regular file; name a recording of dfx record" },
	{ ENOMEM, "out of memory" },
	{ ESTALE, "it changed while it was read" },
	{ 0, NULL }
};

static const struct tool_hint write_hints[] = {
	{ ENOENT, "there is no such directory" },
	{ ENOTDIR, "it is no directory" },
	{ ENOSPC, "there is no room" },
	{ EACCES, "permission denied" },
	{ EIO, "it could not be written; is there room?" },
	{ 0, NULL }
};

/* The only session with a swimlane; -1 after saying why there is none. */
static int find_swimlane(const struct sessions *set)
{
	int found = -1;
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		if (!session_has_swimlane(&set->session[i]))
			continue;
		if (found >= 0) {
			tool_error("sessions %llu and %llu have a swimlane; export one at a time",
				   set->session[found].info.session,
				   set->session[i].info.session);
			return -1;
		}
		found = (int)i;
	}
	if (found < 0)
		tool_error("no session of the l2_swimlane in it, and nothing else to export");
	return found;
}

/* Under another name at first: a file with the right one is whole. */
static int write_file(const struct sessions *set, unsigned int session,
		      const char *dir, struct problems *p)
{
	char path[PATH_MAX], tmp[PATH_MAX];
	FILE *out;
	int ret;

	if (snprintf(path, sizeof(path), "%s/" UPSTREAM_SWIMLANE, dir) >=
	    (int)sizeof(path) ||
	    snprintf(tmp, sizeof(tmp), "%s/" UPSTREAM_SWIMLANE ".tmp", dir) >=
	    (int)sizeof(tmp))
		return tool_fail(dir, "write to", -ENAMETOOLONG, NULL);
	if (mkdir(dir, 0777) && errno != EEXIST)
		return tool_fail(dir, "make", -errno, write_hints);
	out = fopen(tmp, "we");
	if (!out)
		return tool_fail(tmp, "write", -errno, write_hints);
	ret = export_upstream(set, session, out, p);
	if (ferror(out) && !ret)
		ret = -EIO;
	if (fclose(out) && !ret)
		ret = -errno;
	if (!ret && rename(tmp, path))
		ret = -errno;
	if (!ret)
		return 0;
	unlink(tmp);
	return tool_fail(path, "write", ret, write_hints);
}

static int export_paths(char **paths, int nr, const char *dir)
{
	struct problems p = { .out = stderr };
	struct sessions set = { 0 };
	int i, session, status = 0;

	for (i = 0; i < nr && !status; i++) {
		int ret = sessions_read(&set, paths[i], &p);

		if (ret)
			status = tool_fail(paths[i], "read", ret, read_hints);
	}
	if (!status) {
		session = find_swimlane(&set);
		if (session >= 0)
			status = write_file(&set, (unsigned int)session, dir,
					    &p);
		else
			status = TOOL_FAILED;
	}
	sessions_free(&set);
	if (!status && problems_total(&p))
		status = TOOL_FAILED;
	return status;
}

static int run(const struct command *cmd, int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	const char *format = NULL, *dir = NULL;
	int c;

	while ((c = getopt_long(argc, argv, ":f:ho:V", options, NULL)) != -1) {
		if (c == 'f')
			format = optarg;
		else if (c == 'o')
			dir = optarg;
		else
			return tool_common(cmd, c, argv);
	}
	if (optind == argc)
		return tool_usage(cmd, "which recording? PATH is missing");
	if (!format)
		return tool_usage(cmd, "to what? --format is missing");
	if (strcmp(format, "upstream"))
		return tool_usage(cmd, "no format %s; there is upstream",
				  format);
	if (!dir)
		return tool_usage(cmd, "where to? -o is missing");
	return export_paths(argv + optind, argc - optind, dir);
}

const struct command cmd_export = {
	.name = "export",
	.brief = "write a recording as files of other tools",
	.help = "Usage: dfx export PATH... --format upstream -o DIR\n\n"
		"  -f, --format upstream  " UPSTREAM_SWIMLANE ", as upstream's tools\n"
		"                         read it\n"
		"  -o, --output DIR       where; it is made if it is not there\n\n"
		"PATH is a recording or a directory of them, with one session of the\n"
		"l2_swimlane. What is damaged is left out, with an exit status of 1.\n",
	.run = run,
};
