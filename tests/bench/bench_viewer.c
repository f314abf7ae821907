/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_viewer.c: measures the real viewer in a real terminal of 120x40, attached to the real load
 * generator.
 *
 * Times are CPU times of all threads of the process. A read at the terminal's other end counts as
 * one write(2): each write wakes the reader, and the reader is faster than the next write.
 */
#include "bench.h"
#include "live.h"

enum { KEYS = 240, MS = 1000000 };

#define S(seconds)    ((uint64_t)((seconds)*1e9))

static void wait_for_rows(struct live_term *term)
{
    live_wait(term, "apply", 2);
}

/* ------------------------------------------------------------------------------------ each frame
 */

static void each_frame(void)
{
    struct live_job job;
    struct live_term term;
    live_job_start(&job, WORDS("--applies", "5000", "--change", "100", "--threads", "1"));
    live_viewer_start(&term, &job, WORDS("--refresh", "0.1", "--pane", "apply"));
    wait_for_rows(&term);
    live_read_until(&term, bench_wall_ns() + S(2));
    struct live_term before = term;
    uint64_t cpu_ns = live_cpu_ns(term.pid, NULL);
    live_read_until(&term, bench_wall_ns() + S(5));
    cpu_ns = live_cpu_ns(term.pid, NULL) - cpu_ns;
    double frames = (double)(term.frame.count - before.frame.count);
    bench_row("viewer, 5,000 rows changing, 10 Hz: CPU of a frame", (double)cpu_ns / frames / MS,
              "ms", 0, "<= 1.5 ms");
    bench_row("its bytes", (double)(term.bytes - before.bytes) / frames / 1000, "kB", 0,
              "<= 2.5 kB");
    bench_row("its write(2)s", (double)(term.reads - before.reads) / frames, "", 0, "1");
    bench_row("frames a second", frames / 5, "/s", 0, "10 /s");
    bench_row("resident memory", live_rss_mb(term.pid), "MB", 0, "<= 12 MB");
    live_term_end(&term);
    live_job_end(&job);
}

/* The same frames, with the past and without it, by turns. */
static void with_the_past(void)
{
    enum { TURNS = 5 };
    double share[2][TURNS];
    for (int turn = 0; turn < 2 * TURNS; turn++) {
        struct live_job job;
        struct live_term term;
        const char *history = turn % 2 ? "64" : "0";
        live_job_start(&job, WORDS("--applies", "5000", "--change", "100", "--threads", "1"));
        live_viewer_start(&term, &job,
                          WORDS("--refresh", "0.1", "--pane", "apply", "--history", history));
        wait_for_rows(&term);
        live_read_until(&term, bench_wall_ns() + S(1));
        const uint64_t before_ns = live_cpu_ns(term.pid, NULL);
        live_read_until(&term, bench_wall_ns() + S(3));
        share[turn % 2][turn / 2] = (double)(live_cpu_ns(term.pid, NULL) - before_ns) / S(3) * 100;
        live_term_end(&term);
        live_job_end(&job);
    }
    const double without = bench_median(share[0], TURNS), with = bench_median(share[1], TURNS);
    bench_row("the viewer with the past, of a core", with, "%", with / without, "<= 1.10 x");
}

static void all_changing(const char *applies, uint32_t count, const char *rate, double settle,
                         const char *share_target, const char *memory_target)
{
    struct live_job job;
    struct live_term term;
    char what[64];
    live_job_start(
        &job, WORDS("--applies", applies, "--change", "100", "--threads", "1", "--rate", rate));
    live_viewer_start(&term, &job, WORDS("--pane", "apply"));
    wait_for_rows(&term);
    live_read_until(&term, bench_wall_ns() + S(settle));
    uint64_t cpu_ns = live_cpu_ns(term.pid, NULL), wall_ns = bench_wall_ns();
    live_read_until(&term, wall_ns + S(5));
    cpu_ns = live_cpu_ns(term.pid, NULL) - cpu_ns;
    wall_ns = bench_wall_ns() - wall_ns;
    snprintf(what, sizeof what, "viewer, %s applies, all changing at %s Hz", applies, rate);
    bench_row(what, 100 * (double)cpu_ns / (double)wall_ns, "%", 0, share_target);
    bench_row("resident memory", live_rss_mb(term.pid), "MB", 0, memory_target);
    live_term_end(&term);
    struct live_wire wire = live_count(&job, count, S(1), S(5));
    bench_row("the longest that a row of it was not sent", wire.worst_ticks / 10.0, "s", 0,
              "<= 2.5 s");
    live_job_end(&job);
}

/* ------------------------------------------------------------------------------------ many jobs */

/* Each job works in steps of one second. The viewer's CPU time while the jobs start is not
 * counted. */
static void many_jobs(void)
{
    struct live_job job;
    struct live_term term;
    live_ranks_start(&job, WORDS("--ranks", "100", "--work", "1000"));
    live_all_start(&term, &job);
    live_wait_anew(&term, "100 jobs");
    live_read_until(&term, bench_wall_ns() + S(6));
    uint64_t cpu_ns = live_cpu_ns(term.pid, NULL), wall_ns = bench_wall_ns();
    live_read_until(&term, wall_ns + S(10));
    cpu_ns = live_cpu_ns(term.pid, NULL) - cpu_ns;
    wall_ns = bench_wall_ns() - wall_ns;
    bench_row("viewer, 100 jobs at 1 Hz", 100 * (double)cpu_ns / (double)wall_ns, "%", 0, "<= 1 %");
    bench_row("resident memory", live_rss_mb(term.pid), "MB", 0, "");
    live_term_end(&term);
    live_ranks_end(&job);
}

/* ---------------------------------------------------------------------------------- first paint */

/* Starts the viewer alone: a viewer that connects within 20 ms of another waits until these have
 * passed. */
static void first_paint(const char *applies, const char *pane, const char *target)
{
    const struct timespec pause = {.tv_nsec = 100 * MS};
    struct live_job job;
    struct live_term term;
    double ms[BENCH_ROUNDS];
    char what[80];
    live_job_start(&job, WORDS("--applies", applies, "--threads", "1"));
    for (int i = 0; i < BENCH_ROUNDS; i++) {
        nanosleep(&pause, NULL);
        uint64_t start_ns = bench_wall_ns();
        live_viewer_start(&term, &job, WORDS("--pane", pane));
        live_wait(&term, LIVE_CURSOR, 1);
        ms[i] = (double)(bench_wall_ns() - start_ns) / MS;
        live_term_end(&term);
    }
    snprintf(what, sizeof what, "from exec to rows on the screen, %s applies, %s", applies, pane);
    bench_row(what, bench_median(ms, BENCH_ROUNDS), "ms", 0, target);
    live_job_end(&job);
}

/* ----------------------------------------------------------------------------------------- keys */

/* Time from a key to the first byte of the answer. The viewer writes an answer as a whole. */
static double answer_ms(struct live_term *term, const char *key)
{
    /* Drains earlier output, which is no answer. The random pause varies the distance to the feed's
     * tick. */
    live_read_until(term, bench_wall_ns() + 8 * MS + (uint64_t)(rand() % (9 * MS)));
    uint64_t start_ns = bench_wall_ns();
    live_send(term, key);
    if (!live_read(term, start_ns + S(2))) {
        fprintf(stderr, "bench: the key '%s' changed nothing\n", key);
        exit(1);
    }
    return (double)(bench_wall_ns() - start_ns) / MS;
}

static void key_rows(const char *what, double *value, double *floor)
{
    char which[64];
    static const struct {
        const char *name;
        size_t at;
        const char *target;
    } part[] = {{"median", KEYS / 2, ""}, {"p99", KEYS * 99 / 100, "<= 2 ms"}};
    qsort(value, KEYS, sizeof value[0], bench_compare);
    qsort(floor, KEYS, sizeof floor[0], bench_compare);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        snprintf(which, sizeof which, "%s, %s above an echo", what, part[i].name);
        bench_row(which, value[part[i].at] - floor[part[i].at], "ms",
                  value[part[i].at] / floor[part[i].at], part[i].target);
    }
}

static void keys(void)
{
    static double move[KEYS], order[KEYS], floor[KEYS];
    struct live_job job;
    struct live_term term, echo;
    live_job_start(&job, WORDS("--applies", "5000", "--change", "100", "--threads", "1"));
    live_viewer_start(&term, &job, WORDS("--refresh", "10", "--clock", "off", "--pane", "apply"));
    wait_for_rows(&term);
    live_echo_start(&echo);
    for (int i = 0; i < KEYS; i++) {
        floor[i] = answer_ms(&echo, "x");
        move[i] = answer_ms(&term, "j"); /* from the top row, where I puts the cursor */
        order[i] = answer_ms(&term, "I");
    }
    live_term_end(&echo);
    live_term_end(&term);
    live_job_end(&job);
    key_rows("key to cell, move", move, floor);
    key_rows("key to cell, other order", order, floor);
}

/* ------------------------------------------------------------------------------ nothing changes */

static void nothing_changes(const char *clock, const char *target)
{
    struct live_job job;
    struct live_term term;
    char what[64];
    live_job_start(&job, WORDS("--applies", "5000", "--change", "0", "--threads", "1"));
    live_viewer_start(&term, &job, WORDS("--clock", clock));
    live_wait(&term, "\033[?2026l", 1);
    live_read_until(&term, bench_wall_ns() + S(3));
    size_t bytes = term.bytes;
    uint64_t cpu_ns = live_cpu_ns(term.pid, NULL);
    live_read_until(&term, bench_wall_ns() + S(6));
    cpu_ns = live_cpu_ns(term.pid, NULL) - cpu_ns;
    snprintf(what, sizeof what, "nothing changes, --clock %s", clock);
    bench_row(what, (double)(term.bytes - bytes) / 6, "B/s", 0, target);
    bench_row("its CPU", 100 * (double)cpu_ns / S(6), "%", 0, "<= 0.3 %");
    live_term_end(&term);
    live_job_end(&job);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    each_frame();
    with_the_past();
    all_changing("100000", 100000, "10", 3, "<= 3 %", "");
    all_changing("1000000", 1000000, "2", 4, "<= 15 %", "<= 320 MB");
    many_jobs();
    first_paint("5000", "class", "<= 20 ms");
    first_paint("1000000", "class", "<= 500 ms");
    first_paint("1000000", "apply", "<= 500 ms");
    keys();
    nothing_changes("off", "0 B/s");
    nothing_changes("on", "<= 40 B/s");
    return 0;
}
