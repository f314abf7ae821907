/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * least.h: a minimal program that does the work of a feed's thread, as the floor under its figure.
 * One thread writes slots. Another polls, checks as many slots in a tick as a feed would, and sends
 * as many bytes and frames over the same kind of socket to a reading process.
 */
#ifndef BENCH_LEAST_H
#define BENCH_LEAST_H

#include <stdint.h>
#include <sys/types.h>

/* The work in each tick of 100 ms. */
struct least_load {
    uint32_t applies; /* slots; a tenth of them is written in each tick */
    uint32_t frames;  /* sent in a tick */
    uint32_t bytes;   /* in all frames of a tick together */
};

/* Two processes. The first has the threads "writer" and "least". */
struct least {
    pid_t pid, reader;
    char dir[64];
};

/* Both are stopped at first. Every function ends the benchmark with a message on failure. */
void least_start(struct least *least, const struct least_load *load);
void least_go_on(const struct least *least);
void least_stand_still(const struct least *least);
void least_end(struct least *least);

#endif
