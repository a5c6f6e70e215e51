// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * cmd_verify.c - check recordings and say what is missing
 */
#include <errno.h>
#include <stdio.h>

#include "verify.h"

static const struct tool_hint hints[] = {
	{ ENOENT, "there is no such file; name a recording of dfx record" },
	{ EINVAL, "it is not a regular file; name a recording of dfx record" },
	{ ENOMEM, "out of memory; verify fewer files at once" },
	{ 0, NULL }
};

static void print_session(const struct session *s, const struct verdict *v)
{
	struct totals t;

	session_totals(s, &t);
	printf("%s, session %llu: %llu records, %llu buffers, %u pools\n",
	       (const char *)s->info.name, s->info.session, v->records,
	       v->buffers, s->info.nr_pools);
	printf("  %llu records dropped and counted, %llu buffers redelivered\n",
	       totals_lost(&t), v->twice);
	if (session_has_payloads(s))
		printf("  %llu payloads, %llu bytes, %llu truncated\n",
		       s->payload.records, s->payload.bytes,
		       s->payload.truncated);
	printf("  %llu frames match their checksum, %llu carry none\n",
	       v->checked, v->unchecked);
}

static int run(const struct command *cmd, int argc, char **argv)
{
	static const struct option options[] = {
		TOOL_OPTION_HELP,
		TOOL_OPTION_VERSION,
		TOOL_OPTION_END
	};
	struct problems p = { .out = stdout };
	struct sessions set = { .keep_refs = true };
	int c, i, ret = 0;
	unsigned int k;

	c = getopt_long(argc, argv, ":hV", options, NULL);
	if (c != -1)
		return tool_common(cmd, c, argv);
	if (optind == argc)
		return tool_usage(cmd, "which recording? PATH is missing");

	for (i = optind; i < argc && !ret; i++) {
		ret = sessions_read(&set, argv[i], &p);
		if (ret)
			tool_fail(argv[i], "read", ret, hints);
	}
	for (k = 0; k < set.nr && !ret; k++) {
		struct verdict v;

		ret = verify_session(&set, &set.session[k], &p, &v);
		if (ret)
			tool_fail("recording", "read it again", ret, hints);
		else
			print_session(&set.session[k], &v);
	}
	if (!ret && !set.nr)
		problem(&p, PROBLEM_FORMAT, "no session in it");
	sessions_free(&set);
	if (ret)
		return TOOL_FAILED;
	if (problems_total(&p)) {
		printf("dfx: verify: broken, %lu problems\n",
		       problems_total(&p));
		return TOOL_FAILED;
	}
	puts("dfx: verify: complete");
	return 0;
}

const struct command cmd_verify = {
	.name = "verify",
	.brief = "check a recording and say what is missing",
	.help = "Usage: dfx verify PATH...\n\n"
		"PATH is a recording or a directory of them. Files of one session are joined;\n"
		"a buffer that was given to two consumers must be the same in both.\n\n"
		"Checks sequence, counts, the identity produced = delivered + dropped + in\n"
		"flight, loss, payloads and checksums. Exit status 0 if nothing is missing; records that\n"
		"the device had to drop, and counted, are not missing.\n",
	.run = run,
};
