/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_feed.c: measures the overhead of the real viewer on the real load generator: CPU time of
 * the feed's thread, as a ratio to a minimal program that does the same. The two take turns of two
 * seconds. The other one is stopped meanwhile.
 */
#include <signal.h>

#include "bench.h"
#include "least.h"
#include "live.h"

#define S(seconds) ((uint64_t)((seconds)*1e9))

enum { WINDOWS = 5, TICKS_A_SECOND = 10 };

/* Share of a core, in percent, of the threads with this name while the terminal is read. */
static double share_of(pid_t pid, const char *name, struct live_term *term)
{
    uint64_t cpu_ns = live_cpu_ns(pid, name), wall_ns = bench_wall_ns();
    live_read_until(term, wall_ns + S(2));
    cpu_ns = live_cpu_ns(pid, name) - cpu_ns;
    return 100 * (double)cpu_ns / (double)(bench_wall_ns() - wall_ns);
}

/* Stops one of the two while the other is measured. A job that continues catches up first. */
static void in_turns(const struct live_job *job, struct live_term *term, const struct least *least,
                     double feed[WINDOWS], double floor[WINDOWS])
{
    for (int i = 0; i < WINDOWS; i++) {
        kill(job->pid, SIGSTOP);
        least_go_on(least);
        live_read_until(term, bench_wall_ns() + S(1.2));
        floor[i] = share_of(least->pid, "least", term);
        least_stand_still(least);
        kill(job->pid, SIGCONT);
        live_read_until(term, bench_wall_ns() + S(1.7));
        feed[i] = share_of(job->pid, "proftop-feed", term);
    }
}

static void publisher_thread(const char *applies, uint32_t count, const char *target)
{
    struct live_job job;
    struct live_term term;
    struct least least;
    char what[64];
    double feed[WINDOWS], floor[WINDOWS];
    live_job_start(&job, WORDS("--applies", applies, "--change", "10", "--threads", "1"));
    struct live_wire wire = live_count(&job, count, S(8), S(3));
    const uint32_t ticks = 3 * TICKS_A_SECOND;
    least_start(&least, &(struct least_load){.applies = count,
                                             .frames = (uint32_t)(wire.frames / ticks) + 1,
                                             .bytes = (uint32_t)(wire.bytes / ticks)});
    live_viewer_start(&term, &job, WORDS("--pane", "apply"));
    live_wait(&term, "apply", 2);
    live_read_until(&term, bench_wall_ns() + S(1.5));
    in_turns(&job, &term, &least, feed, floor);
    live_term_end(&term);
    least_end(&least);
    live_job_end(&job);
    double least_share = bench_median(floor, WINDOWS), share = bench_median(feed, WINDOWS);
    snprintf(what, sizeof what, "feed thread of the job, %s applies, 10 %% changed", applies);
    bench_row(what, share, "%", share / least_share, target);
    bench_row("the least there is to do for it", least_share, "%", 0, "");
    bench_row("bytes of a row on its wire", (double)wire.bytes / (double)wire.rows, "B", 0,
              "<= 15 B");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    publisher_thread("10000", 10000, "<= 0.03 %, held to 3 x the least");
    publisher_thread("100000", 100000, "<= 0.3 %, held to 5 x the least");
    publisher_thread("1000000", 1000000, "<= 4 %, held to 7 x the least");
    return 0;
}
