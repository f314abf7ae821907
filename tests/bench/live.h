/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * live.h: a real job, the real viewer in a real pseudo-terminal, and their measurement.
 */
#ifndef BENCH_LIVE_H
#define BENCH_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { LIVE_ROWS = 40, LIVE_COLS = 120, LIVE_WORDS = 32 };
#define WORDS(...)  ((const char *const[]){__VA_ARGS__, NULL})
#define LIVE_CURSOR "▶" /* the viewer's mark of the selected row */

/* A job that publishes into a directory of its own. Default program: examples/synthetic. */
struct live_job {
    pid_t pid;
    char dir[64];
    char facts[256]; /* endpoint */
};

/* A text counted in a terminal's output, also if it spans two reads. */
struct live_needle {
    const char *text;
    size_t at, count;
};

/* A program in a terminal of LIVE_COLS x LIVE_ROWS. */
struct live_term {
    pid_t pid;
    int master;
    size_t bytes, reads;
    struct live_needle frame; /* the begin of a frame */
    struct live_needle text;  /* the awaited text */
};

/* The feed's traffic for `A/`, as a subscriber counts it. */
struct live_wire {
    size_t bytes, rows, frames;
    uint32_t worst_ticks; /* the longest that a row was not sent */
};

/* Arguments end with NULL. Every function ends the benchmark with a message on failure. */
void live_job_start(struct live_job *job, const char *const *args);
void live_job_end(struct live_job *job);
/* The same with examples/ranks, whose processes all publish there. `pid` is their parent. */
void live_ranks_start(struct live_job *job, const char *const *args);
void live_ranks_end(struct live_job *job);
/* Starts the viewer of that job, or of all jobs that publish there. */
void live_all_start(struct live_term *term, const struct live_job *job);
void live_viewer_start(struct live_term *term, const struct live_job *job, const char *const *args);
/* Starts a program that only echoes each byte. poll() wakes it, as it wakes the viewer. */
void live_echo_start(struct live_term *term);
void live_term_end(struct live_term *term);

void live_send(struct live_term *term, const char *keys);
/* Reads once, if something arrives before the instant. */
bool live_read(struct live_term *term, uint64_t until_ns);
void live_read_until(struct live_term *term, uint64_t until_ns);
/* Reads until `text` has been received `count` times more. */
void live_wait(struct live_term *term, const char *text, size_t count);
/* The same for a text that the viewer changes piece by piece: sends the key to repaint until the
 * text appears. */
void live_wait_anew(struct live_term *term, const char *text);

/* CPU time of all threads of a process, or of those with this name. */
uint64_t live_cpu_ns(pid_t pid, const char *name);
double live_rss_mb(pid_t pid);

/* Subscribes, ignores the first `settle_ns`, and counts for `ns`. */
struct live_wire live_count(const struct live_job *job, uint32_t applies, uint64_t settle_ns,
                            uint64_t ns);

#endif
