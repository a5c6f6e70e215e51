// SPDX-License-Identifier: GPL-2.0-only
/*
 * args.c - reads key=value words
 *
 * Strict: a word that is not understood is an error, so that a misspelt fault
 * does not make a test pass.
 */
#include "args.h"
#include "console.h"
#include "plat.h"

const struct fw_region_desc fw_regions[FW_NR_REGIONS] = {
	[FW_SWIMLANE] = {
		"swimlane", DFX_SUBSYS_L2_SWIMLANE, DFX_KIND_AICPU_TASK, 1, 0
	},
	[FW_PMU] = { "pmu", DFX_SUBSYS_PMU, 0, 1, 0 },
	[FW_TENSOR] = { "tensor", DFX_SUBSYS_TENSOR_DUMP, 0, 0, 1 },
	[FW_DEP_GEN] = { "dep_gen", DFX_SUBSYS_DEP_GEN, 0, 0, 0 },
	[FW_ARGS] = { "args", DFX_SUBSYS_ARGS_DUMP, 0, 0, 1 },
	[FW_SCOPE] = { "scope", DFX_SUBSYS_SCOPE_STATS, 0, 0, 0 },
};

static const char *const fault_names[FW_NR_FAULT] = {
	[FW_FAULT_NONE] = "none",
	[FW_FAULT_TAIL] = "tail",
	[FW_FAULT_FQHEAD] = "fqhead",
	[FW_FAULT_ACK] = "ack",
	[FW_FAULT_POOL] = "pool",
	[FW_FAULT_BUFFER] = "buffer",
	[FW_FAULT_FOREIGN] = "foreign",
	[FW_FAULT_OWNER] = "owner",
	[FW_FAULT_COUNT] = "count",
	[FW_FAULT_COUNT0] = "count0",
	[FW_FAULT_SEQ] = "seq",
	[FW_FAULT_SESSION] = "session",
	[FW_FAULT_LANE] = "lane",
	[FW_FAULT_FLAGS] = "flags",
	[FW_FAULT_GAP] = "gap",
	[FW_FAULT_ARENA] = "arena",
};

enum key {
	KEY_ARCH,
	KEY_LANES,
	KEY_CORES,
	KEY_WORKLOAD,
	KEY_RUNTIME,
	KEY_EXEC_NS,
	KEY_READ_NS,
	KEY_CLEAN_NS,
	KEY_BARRIER_NS,
	KEY_WORKERS,
	KEY_REGIONS,
	KEY_SUBSYSTEMS,
	KEY_TASKS,
	KEY_PAYLOAD,
	KEY_BIG,
	KEY_SEED,
	KEY_BURST,
	KEY_PAUSE_US,
	KEY_RATE,
	KEY_BUDGET,
	KEY_WATCHDOG_US,
	KEY_FREE,
	KEY_BOOT,
	KEY_RUNS,
	KEY_APERTURE,
	KEY_DOORBELL,
	KEY_FAULT,
	KEY_MUTE,
	NR_KEYS
};

static const char *const key_names[NR_KEYS] = {
	[KEY_ARCH] = "arch",
	[KEY_LANES] = "lanes",
	[KEY_CORES] = "cores",
	[KEY_WORKLOAD] = "workload",
	[KEY_RUNTIME] = "runtime",
	[KEY_EXEC_NS] = "exec_ns",
	[KEY_READ_NS] = "read_ns",
	[KEY_CLEAN_NS] = "clean_ns",
	[KEY_BARRIER_NS] = "barrier_ns",
	[KEY_WORKERS] = "workers",
	[KEY_REGIONS] = "regions",
	[KEY_SUBSYSTEMS] = "subsystems",
	[KEY_TASKS] = "tasks",
	[KEY_PAYLOAD] = "payload",
	[KEY_BIG] = "big",
	[KEY_SEED] = "seed",
	[KEY_BURST] = "burst",
	[KEY_PAUSE_US] = "pause_us",
	[KEY_RATE] = "rate",
	[KEY_BUDGET] = "budget",
	[KEY_WATCHDOG_US] = "watchdog_us",
	[KEY_FREE] = "free",
	[KEY_BOOT] = "boot",
	[KEY_RUNS] = "runs",
	[KEY_APERTURE] = "aperture",
	[KEY_DOORBELL] = "doorbell",
	[KEY_FAULT] = "fault",
	[KEY_MUTE] = "mute",
};

/* A piece of the text; the text itself stays as it is. */
struct word {
	const char *s;
	__u32 len;
};

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int word_is(struct word w, const char *name)
{
	__u32 i;

	for (i = 0; i < w.len; i++)
		if (name[i] != w.s[i])
			return 0;
	return !name[w.len];
}

/* Index of the word in a table of names, -1 if it is not there. */
static int word_find(struct word w, const char *const *names, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		if (word_is(w, names[i]))
			return i;
	return -1;
}

/* Cuts what comes before the first @c, or all, off the front of @rest. */
static struct word word_cut(struct word *rest, char c)
{
	struct word w = { rest->s, 0 };

	while (w.len < rest->len && rest->s[w.len] != c)
		w.len++;
	rest->s += w.len;
	rest->len -= w.len;
	if (rest->len) {
		rest->s++;
		rest->len--;
	}
	return w;
}

static int word_u64(struct word w, __u64 min, __u64 max, __u64 *out)
{
	__u64 v = 0;
	__u32 i, digit;

	if (!w.len)
		return -1;
	for (i = 0; i < w.len; i++) {
		if (w.s[i] < '0' || w.s[i] > '9')
			return -1;
		digit = (__u32)(w.s[i] - '0');
		if (v > (~0ull - digit) / 10)
			return -1;
		v = v * 10 + digit;
	}
	if (v < min || v > max)
		return -1;
	*out = v;
	return 0;
}

static int word_u32(struct word w, __u32 min, __u32 max, __u32 *out)
{
	__u64 v;

	if (word_u64(w, min, max, &v))
		return -1;
	*out = (__u32)v;
	return 0;
}

static int set_arch(struct fw_args *args, struct word w)
{
	if (word_is(w, "a2a3"))
		args->arch = DFX_ARCH_A2A3;
	else if (word_is(w, "a5"))
		args->arch = DFX_ARCH_A5;
	else
		return -1;
	return 0;
}

static int set_regions(struct fw_args *args, struct word w)
{
	struct word name;
	__u32 i;

	if (word_is(w, "any"))
		return 0;
	args->any = 0;
	args->regions = 0;
	while (w.len) {
		name = word_cut(&w, ',');
		for (i = 0; i < FW_NR_REGIONS; i++)
			if (word_is(name, fw_regions[i].name))
				break;
		if (i == FW_NR_REGIONS)
			return -1;
		args->regions |= 1u << i;
	}
	return args->regions ? 0 : -1;
}

static __u32 all_subsystems(void)
{
	__u32 i, mask = 0;

	for (i = 0; i < FW_NR_REGIONS; i++)
		mask |= 1u << fw_regions[i].subsys;
	return mask;
}

static int set_subsystems(struct fw_args *args, struct word w)
{
	__u32 mask;

	if (word_u32(w, 1, all_subsystems(), &mask) ||
	    mask & ~all_subsystems())
		return -1;
	args->subsystems = mask;
	return 0;
}

/* One of two words: 0 or 1. */
static int set_choice(struct word w, const char *no, const char *yes,
		      __u32 *out)
{
	*out = (__u32)word_is(w, yes);
	return *out || word_is(w, no) ? 0 : -1;
}

static int set_budget(struct fw_args *args, struct word w)
{
	if (word_is(w, "block"))
		args->try = 0;
	else if (word_is(w, "try"))
		args->try = 1;
	else
		return -1;
	return 0;
}

/* KIND@N */
static int set_fault(struct fw_args *args, struct word w)
{
	int kind = word_find(word_cut(&w, '@'), fault_names, FW_NR_FAULT);

	if (kind < 0)
		return -1;
	args->fault = (__u32)kind;
	args->fault_at = 1;
	return w.len ? word_u32(w, 1, ~0u, &args->fault_at) : 0;
}

/* LANE or LANE@TASKS */
static int set_mute(struct fw_args *args, struct word w)
{
	if (word_u32(word_cut(&w, '@'), 0, PLAT_MAX_LANES - 1, &args->mute))
		return -1;
	args->mute_at = 0;
	return w.len ? word_u64(w, 1, ~0ull, &args->mute_at) : 0;
}

static int set(struct fw_args *args, int key, struct word w)
{
	switch (key) {
	case KEY_ARCH:
		return set_arch(args, w);
	case KEY_LANES:
		return word_u32(w, 1, plat_max_lanes, &args->lanes);
	case KEY_CORES:
		return word_u32(w, 1, FW_MAX_CORES, &args->cores);
	case KEY_WORKLOAD:
		return set_choice(w, "pattern", "swim", &args->swim);
	case KEY_RUNTIME:
		return set_choice(w, "early", "late", &args->late);
	case KEY_EXEC_NS:
		return word_u64(w, 0, 1000000000, &args->exec_ns);
	case KEY_READ_NS:
		return word_u64(w, 0, 1000000, &args->read_ns);
	case KEY_CLEAN_NS:
		return word_u64(w, 0, 1000000, &args->clean_ns);
	case KEY_BARRIER_NS:
		return word_u64(w, 0, 1000000, &args->barrier_ns);
	case KEY_WORKERS:
		return word_u32(w, 0, plat_max_workers, &args->workers);
	case KEY_REGIONS:
		return set_regions(args, w);
	case KEY_SUBSYSTEMS:
		return set_subsystems(args, w);
	case KEY_TASKS:
		return word_u64(w, 0, 1ull << 40, &args->tasks);
	case KEY_PAYLOAD:
		return word_u64(w, 0, 1 << 20, &args->payload);
	case KEY_BIG:
		return word_u64(w, 0, 1ull << 40, &args->big);
	case KEY_SEED:
		return word_u64(w, 0, ~0ull, &args->seed);
	case KEY_BURST:
		return word_u64(w, 0, 1ull << 40, &args->burst);
	case KEY_PAUSE_US:
		return word_u64(w, 0, 1ull << 32, &args->pause_us);
	case KEY_RATE:
		return word_u64(w, 0, 1000000000, &args->rate);
	case KEY_BUDGET:
		return set_budget(args, w);
	case KEY_WATCHDOG_US:
		return word_u64(w, 0, 1ull << 40, &args->watchdog_us);
	case KEY_FREE:
		return word_u32(w, 0, 1, &args->free);
	case KEY_BOOT:
		return word_u32(w, 0, ~0u, &args->boot);
	case KEY_RUNS:
		return word_u64(w, 0, ~0ull, &args->runs);
	case KEY_APERTURE:
		return word_u64(w, 8, 1 << 20, &args->aperture);
	case KEY_DOORBELL:
		return word_u32(w, 0, DFX_MAX_VECTORS, &args->doorbell);
	case KEY_FAULT:
		return set_fault(args, w);
	case KEY_MUTE:
		return set_mute(args, w);
	default:
		return -1;
	}
}

static int refuse(const char *why, struct word w)
{
	struct console_line l;

	console_begin(&l);
	console_str(&l, why);
	console_str(&l, ": ");
	console_strn(&l, w.s, w.len);
	console_end(&l);
	return -1;
}

void fw_args_init(struct fw_args *args)
{
	*args = (struct fw_args){
		.arch = DFX_ARCH_A2A3,
		.regions = (1u << FW_NR_REGIONS) - 1,
		/* What has room in the default aperture. */
		.subsystems = 1u << DFX_SUBSYS_L2_SWIMLANE |
			      1u << DFX_SUBSYS_PMU |
			      1u << DFX_SUBSYS_TENSOR_DUMP,
		.any = 1,
		.tasks = 1088,
		.exec_ns = 20000,
		.read_ns = 100,
		.clean_ns = 190,
		.barrier_ns = 230,
		.payload = 1024,
		.seed = 1,
		.watchdog_us = 45000000,
		.aperture = 64,
		.mute = PLAT_MAX_LANES,
	};
}

int fw_args_set(struct fw_args *args, const char *text)
{
	struct word w, value;
	int key;

	for (;;) {
		while (is_blank(*text))
			text++;
		if (!*text)
			break;
		w = (struct word){ text, 0 };
		while (*text && !is_blank(*text))
			text++;
		w.len = (__u32)(text - w.s);
		value = w;
		key = word_find(word_cut(&value, '='), key_names, NR_KEYS);
		if (key < 0)
			return refuse("unknown argument", w);
		if (set(args, key, value))
			return refuse("bad value", w);
	}
	return 0;
}

void fw_args_resolve(struct fw_args *args)
{
	/* Not before all words are read: arch= may come last. */
	if (!args->lanes)
		args->lanes = args->arch == DFX_ARCH_A5 ? 5 : 4;
	if (!args->cores)
		args->cores = args->arch == DFX_ARCH_A5 ? 108 : 72;
	if (!args->boot)
		args->boot = plat_boot_number();
}

int fw_args_parse(struct fw_args *args, const char *text)
{
	fw_args_init(args);
	if (fw_args_set(args, text))
		return -1;
	fw_args_resolve(args);
	return 0;
}
