/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_train.c: what a feed costs a real job. examples/train runs in pairs, once with PROFTOP=0,
 * once with its feed on and a viewer attached, the order drawn anew for each pair. Printed are the
 * median of the pairs' slow-downs and the interval that holds it with 95 % certainty, whatever
 * their distribution. Arguments: how many pairs, of how many steps.
 */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "live.h"

enum { PAIRS = 40, PAIRS_MAX = 1000, SLICE_MS = 20, RESULT = 256 };

struct run {
    double wall_ns, cpu_ns; /* of the whole program, all threads */
    char result[RESULT];    /* what it prints; equal in all runs */
};

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "bench_train: %s\n", why);
    exit(1);
}

static pid_t start(const struct live_job *job, const char *steps, int out, bool on)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("PROFTOP_DIR", job->dir, 1);
    setenv("PROFTOP", on ? "1" : "0", 1);
    dup2(out, STDOUT_FILENO);
    execl("./examples/train", "./examples/train", "--quiet", "--steps", steps, (char *)NULL);
    _exit(126);
}

static bool is_announced(const char *dir)
{
    bool found = false;
    DIR *open = opendir(dir);
    struct dirent *entry;
    while (open && (entry = readdir(open)))
        found |= strstr(entry->d_name, ".info") != NULL;
    if (open)
        closedir(open);
    return found;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec * 1e9 + (double)time.tv_usec * 1e3;
}

/* Runs the job to its end; its output ends with it. */
static struct run run(struct live_job *job, const char *steps, bool on)
{
    struct run run = {.wall_ns = 0};
    struct live_term viewer;
    struct rusage usage;
    int ends[2], status;
    if (pipe2(ends, O_CLOEXEC) != 0)
        stop("there is no pipe");
    double began = (double)bench_wall_ns();
    job->pid = start(job, steps, ends[1], on);
    close(ends[1]);
    struct pollfd out = {ends[0], POLLIN, 0};
    while (on && !is_announced(job->dir) && poll(&out, 1, 1) == 0)
        continue;
    if (on)
        live_viewer_start(&viewer, job, (const char *const[]){NULL});
    size_t size = 0;
    for (ssize_t got = 1; got > 0;) {
        int ready = poll(&out, 1, on ? 0 : 1000);
        if (ready > 0 && (got = read(ends[0], run.result + size, RESULT - 1 - size)) > 0)
            size += (size_t)got;
        else if (on && ready == 0)
            live_read(&viewer, bench_wall_ns() + SLICE_MS * 1000000u);
    }
    if (wait4(job->pid, &status, 0, &usage) != job->pid || status != 0 || size == 0)
        stop("the job failed");
    run.wall_ns = (double)bench_wall_ns() - began;
    run.cpu_ns = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    if (on && viewer.frame.count == 0)
        stop("the viewer showed nothing");
    if (on)
        live_term_end(&viewer);
    close(ends[0]);
    return run;
}

static void print(const char *what, double *slow, size_t n)
{
    char row[128];
    /* The ranks between which the median lies with 95 %: a binomial count, as a normal one. */
    double half = 0.98 * sqrt((double)n);
    size_t low = (size_t)fmax(0, floor((double)n / 2 - half)), high = n - 1 - low;
    double median = bench_median(slow, n); /* sorts them */
    snprintf(row, sizeof row, "train, feed on and viewed: %s (95 %%: %+.2f .. %+.2f %%)", what,
             (slow[low] - 1) * 100, (slow[high] - 1) * 100);
    bench_row(row, (median - 1) * 100, "%", median, "interval < +1 %");
}

int main(int argc, char **argv)
{
    static double wall[PAIRS_MAX], cpu[PAIRS_MAX];
    struct live_job job = {.dir = BENCH_FOLDER};
    size_t pairs = argc > 1 ? strtoul(argv[1], NULL, 10) : PAIRS;
    const char *steps = argc > 2 ? argv[2] : "600";
    char expected[RESULT] = "";
    uint64_t random = bench_wall_ns() | 1;
    if (pairs < 2 || pairs > PAIRS_MAX || !mkdtemp(job.dir))
        stop("usage: bench_train [PAIRS [STEPS]]");
    for (size_t i = 0; i < pairs; i++) {
        struct run pair[2]; /* off, on */
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        for (int half = 0; half < 2; half++) {
            bool on = (half == 1) != (random >> 40 & 1);
            pair[on] = run(&job, steps, on);
            if (expected[0] == '\0')
                snprintf(expected, sizeof expected, "%s", pair[on].result);
            if (strcmp(expected, pair[on].result) != 0)
                stop("the job's result depends on its feed");
        }
        wall[i] = pair[1].wall_ns / pair[0].wall_ns;
        cpu[i] = pair[1].cpu_ns / pair[0].cpu_ns;
    }
    rmdir(job.dir);
    print("wall time", wall, pairs);
    print("CPU time", cpu, pairs);
    return 0;
}
