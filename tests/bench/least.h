/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * least.h: a program of the least that does what the thread of a feed does: the floor under its
 * figure. One thread writes slots, another polls, looks at as many of them in a tick as a feed
 * would, and sends as many bytes and frames over the same kind of socket to a process that reads.
 */
#ifndef BENCH_LEAST_H
#define BENCH_LEAST_H

#include <stdint.h>
#include <sys/types.h>

/* What is to be done in each tick of 100 ms. */
struct least_load {
    uint32_t applies; /* slots; a tenth of them is written to in each tick */
    uint32_t frames;  /* sent in a tick, */
    uint32_t bytes;   /* with so much in all of them */
};

/* Two processes, of which the first has threads "writer" and "least". */
struct least {
    pid_t pid, reader;
    char dir[64];
};

/* Both stand still at first. Every function ends the benchmark with a sentence if it fails. */
void least_start(struct least *least, const struct least_load *load);
void least_go_on(const struct least *least);
void least_stand_still(const struct least *least);
void least_end(struct least *least);

#endif
