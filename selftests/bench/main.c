// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - runs every measurement and prints the table
 */
#include <stdio.h>

#include "bench.h"

#define ATTEMPTS	3
#define DISTURBED	10.0	/* percent of all CPUs used by others */
#define NR_ROWS		11

static void run_row(unsigned int nr, struct row *row)
{
	switch (nr) {
	case 0:
		*row = (struct row){ "32-byte record", "engine",
			"plain stores", "ns", .kind = AT_MOST, .bar = 4 };
		measure_record(row, DFX_SUBSYS_L2_SWIMLANE, false);
		break;
	case 1:
		*row = (struct row){ "32-byte record with time stamp", "engine",
			"plain stores", "ns", .kind = AT_MOST, .bar = 1.4 };
		measure_record(row, DFX_SUBSYS_L2_SWIMLANE, true);
		break;
	case 2:
		*row = (struct row){ "64-byte record with time stamp", "engine",
			"plain stores", "ns", .kind = AT_MOST, .bar = 1.4 };
		measure_record(row, DFX_SUBSYS_PMU, true);
		break;
	case 3:
		*row = (struct row){ "cold gate, stamped record", "with",
			"without", "ns", .kind = AT_MOST, .bar = 1.03 };
		measure_gate(row);
		break;
	case 4:
		*row = (struct row){ "hand-off there and back, lane",
			"buffer", "cache line", "ns", .kind = AT_MOST,
			.bar = 6 };
		measure_handoff(row, DFX_RECOVERY_LANE);
		break;
	case 5:
		*row = (struct row){ "hand-off there and back, global",
			"buffer", "cache line", "ns", .kind = AT_MOST,
			.bar = 6 };
		measure_handoff(row, DFX_RECOVERY_GLOBAL);
		break;
	case 6:
		*row = (struct row){ "last release to lane running",
			"resume", "cache line", "ns", .kind = AT_MOST,
			.bar = 3 };
		measure_resume(row);
		break;
	case 7:
		*row = (struct row){ "drain to tmpfs by write", "drain",
			"write(2)", "MB/s", .kind = AT_LEAST, .bar = 0.85 };
		measure_drain(row, HOST_WRITE);
		break;
	case 8:
		*row = (struct row){ "drain to tmpfs by writev", "drain",
			"write(2)", "MB/s", .kind = AT_LEAST, .bar = 0.85 };
		measure_drain(row, HOST_WRITEV);
		break;
	case 9:
		*row = (struct row){ "shadow traffic, full speed", "copied",
			"records", "B", .kind = AT_MOST, .bar = 1.05 };
		measure_traffic(row, 0);
		break;
	case 10:
		*row = (struct row){ "shadow traffic, 10 MB/s", "copied",
			"records", "B", .kind = AT_MOST, .bar = 1.05 };
		measure_traffic(row, 10e6);
		break;
	}
}

int main(int argc, char **argv)
{
	FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
	double others, worst = 0;
	unsigned int i, attempt;
	struct row row;
	int failed = 0;

	if (argc > 1 && !out) {
		perror(argv[1]);
		return 2;
	}
	if (cpu_pin(1) || cpu_pin(0)) {
		puts("bench: needs two CPUs");
		return 1;
	}
	host_begin();
	table_head(stdout);
	if (out)
		table_head(out);
	for (i = 0; i < NR_ROWS; i++) {
		for (attempt = 0; attempt < ATTEMPTS; attempt++) {
			cpu_watch_reset();
			run_row(i, &row);
			others = cpu_watch_percent();
			if (others <= DISTURBED)
				break;
		}
		if (others > worst)
			worst = others;
		failed += table_row(stdout, &row);
		fflush(stdout);
		if (out)
			table_row(out, &row);
	}
	host_end();
	printf("CPU used by others: at most %.0f %%\n", worst);
	if (out) {
		fprintf(out, "CPU used by others: at most %.0f %%\n", worst);
		fclose(out);
	}
	return failed ? 1 : 0;
}
