/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_floor.c: prints the floor in ns for each line that it reads. It serves benchmarks that are
 * not written in C. The argument selects the clock: `stamps` or `system`.
 */
#include "floor.h"

enum { EVENTS = 20000 };

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: bench_floor stamps|system\n", stderr);
        return 2;
    }
    const int stamps = strcmp(argv[1], "stamps") == 0;
    for (int c = getchar(); c != EOF; c = getchar()) {
        if (c != '\n')
            continue;
        const uint64_t begin_ns = bench_cpu_ns();
        if (stamps)
            floor_stamps(EVENTS);
        else
            floor_system(EVENTS);
        printf("%.3f\n", (double)(bench_cpu_ns() - begin_ns) / EVENTS);
        fflush(stdout);
    }
    return 0;
}
