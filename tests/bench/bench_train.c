/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_train.c: measures the overhead of a feed in a real job. Two runs of examples/train do the
 * same steps by turns of some 10 ms. One has PROFTOP=0. The other has its feed on and a viewer
 * attached in a terminal. The speed of a shared machine changes by a third within a second, so only
 * consecutive turns can be compared. Two runs also differ by their memory layout, so there are many
 * such pairs. Each pair gives one ratio, of the sums of all turns. The output is the middle of the
 * pairs (Hodges-Lehmann) and the interval that holds it with 95 % certainty (signed ranks). The
 * same is printed for as many pairs without any feed: that interval shows the measuring error.
 *
 * The working threads share one core. The work of the feed's own threads is in the CPU time of the
 * turns in which they run. It takes wall time only if no core is idle. The time to open a feed is
 * printed separately. Arguments: the number of pairs; the number of turns; a percentage that the
 * job with the feed wastes in addition, which the benchmark must then find.
 */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "live.h"
#include "turn.h"

enum { PAIRS = 64, PAIRS_MAX = 1000, TURNS = 96, WARM = 16, RESULT = 256, WAIT_MS = 20 };
enum { SECOND = 1 }; /* index in a pair; the job with the feed, if one has a feed */

struct run {
    struct live_job job;
    int out, turns;
    double opened_ns, ns[CLOCKS]; /* CPU time until the first turn; time of the turns */
};

/* Reads the viewer's output, as its terminal would. */
struct screen {
    struct live_term term;
    pthread_t reader;
    _Atomic size_t frames;
    _Atomic bool over;
};

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "bench_train: %s\n", why);
    exit(1);
}

static uint64_t draw(void)
{
    static uint64_t random = 88172645463325252u;
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    return random >> 16;
}

/* Puts the working threads on our first core, and all others on the second. */
static void share_cores(void)
{
    cpu_set_t all, one;
    char core[16];
    int cpu = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2)
        return;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    snprintf(core, sizeof core, "%d", cpu);
    setenv("BENCH_CORE", core, 1);
    do
        cpu++;
    while (!CPU_ISSET(cpu, &all));
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* ------------------------------------------------------------------------------------ the jobs */

static void take_report(const struct run *run, double ns[CLOCKS])
{
    struct turn_report report;
    if (read(run->turns, &report, sizeof report) != sizeof report)
        stop("a job ended too early");
    for (int i = 0; i < CLOCKS; i++)
        ns[i] += report.ns[i];
}

static void start(struct run *run, bool on, const char *steps, const char *waste)
{
    int ends[2], both[2];
    double opened[CLOCKS] = {0};
    if (pipe2(ends, O_CLOEXEC) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) ||
        (run->job.pid = fork()) < 0)
        stop("there is no pipe, or no process");
    if (run->job.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setenv("PROFTOP_DIR", run->job.dir, 1);
        setenv("PROFTOP", on ? "1" : "0", 1);
        if (on && waste)
            setenv("BENCH_WASTE", waste, 1);
        dup2(ends[1], STDOUT_FILENO);
        if (dup2(both[1], TURN_FD) != TURN_FD || fcntl(TURN_FD, F_SETFD, 0) != 0)
            _exit(126);
        execl("./bench_turn", "./bench_turn", "--quiet", "--steps", steps, (char *)NULL);
        _exit(126);
    }
    close(ends[1]);
    close(both[1]);
    run->out = ends[0];
    run->turns = both[0];
    take_report(run, opened);
    run->opened_ns = opened[CPU];
}

static void turn(const struct run *run, double ns[CLOCKS])
{
    if (write(run->turns, "", 1) != 1)
        stop("a job ended too early");
    take_report(run, ns);
}

static void finish(const struct run *run, char *expected)
{
    char result[RESULT] = "";
    size_t size = 0;
    int status;
    if (write(run->turns, "", 1) != 1)
        stop("a job ended too early");
    for (ssize_t got = 1; got > 0 && size < RESULT - 1; size += (size_t)got)
        if ((got = read(run->out, result + size, RESULT - 1 - size)) < 0)
            stop("a job cannot be read");
    if (waitpid(run->job.pid, &status, 0) != run->job.pid || status != 0 || size == 0)
        stop("a job failed");
    close(run->out);
    close(run->turns);
    if (expected[0] == '\0')
        memcpy(expected, result, RESULT);
    if (strcmp(expected, result) != 0)
        stop("the job's result depends on its feed");
}

/* ---------------------------------------------------------------------------------- the viewer */

static void *read_screen(void *argument)
{
    struct screen *screen = argument;
    while (!screen->over) {
        live_read(&screen->term, bench_wall_ns() + WAIT_MS * UINT64_C(1000000));
        screen->frames = screen->term.frame.count;
    }
    return NULL;
}

static void open_screen(struct screen *screen, const struct run *run)
{
    screen->over = false;
    screen->frames = 0;
    live_viewer_start(&screen->term, &run->job, (const char *const[]){NULL});
    if (pthread_create(&screen->reader, NULL, read_screen, screen) != 0)
        stop("there is no thread");
}

static void close_screen(struct screen *screen)
{
    screen->over = true;
    pthread_join(screen->reader, NULL);
    live_term_end(&screen->term);
}

/* ----------------------------------------------------------------------------------- one pair */

/* Runs each job once, in a random order. */
static void take_turns(const struct run run[2], double ns[2][CLOCKS])
{
    int first = (int)(draw() & 1);
    for (int i = 0; i < 2; i++)
        turn(&run[first ^ i], ns[first ^ i]);
}

/* `screen` is NULL if neither job has a feed. */
static void measure(struct run run[2], size_t turns, struct screen *screen, const char *waste)
{
    static char expected[RESULT];
    double warm[2][CLOCKS] = {{0}}, ns[2][CLOCKS] = {{0}};
    char steps[16];
    snprintf(steps, sizeof steps, "%zu", (1 + WARM + turns) * TURN_STEPS);
    for (int i = 0, first = (int)(draw() & 1); i < 2; i++)
        start(&run[first ^ i], screen && (first ^ i) == SECOND, steps, waste);
    if (screen)
        open_screen(screen, &run[SECOND]);
    for (int i = 0; i < WARM; i++)
        take_turns(run, warm);
    size_t frames = screen ? screen->frames : 0;
    for (size_t i = 0; i < turns; i++)
        take_turns(run, ns);
    if (screen && (frames == 0 || screen->frames == frames))
        stop("the viewer showed nothing");
    for (int i = 0; i < 2; i++) {
        memcpy(run[i].ns, ns[i], sizeof ns[i]);
        finish(&run[i], expected);
    }
    if (screen)
        close_screen(screen);
}

/* ------------------------------------------------------------------------------------- figures */

struct middle {
    double low, value, high; /* 95 % */
};

/* Hodges and Lehmann: the median of the means of all pairs of values. The interval ends are the
 * means that the signed ranks leave possible. */
static struct middle middle(const double *value, size_t n)
{
    static double mean[PAIRS_MAX * (PAIRS_MAX + 1) / 2];
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++)
            mean[count++] = (value[i] + value[k]) / 2;
    double m = (double)n, half = 1.96 * sqrt(m * (m + 1) * (2 * m + 1) / 24);
    size_t low = (size_t)fmax(0, floor(m * (m + 1) / 4 - half));
    double median = bench_median(mean, count); /* sorts the means */
    return (struct middle){mean[low], median, mean[count - 1 - low]};
}

static void print(const char *what, const double *ratio, size_t n, const char *target)
{
    char row[128];
    struct middle m = middle(ratio, n);
    snprintf(row, sizeof row, "train, %s (95 %%: %+.2f .. %+.2f %%)", what, (m.low - 1) * 100,
             (m.high - 1) * 100);
    bench_row(row, (m.value - 1) * 100, "%", m.value, target);
}

struct figures {
    double ratio[CLOCKS][PAIRS_MAX], opened_ms[PAIRS_MAX];
};

static void add(struct figures *figures, size_t at, const struct run run[2])
{
    for (int c = 0; c < CLOCKS; c++)
        figures->ratio[c][at] = run[SECOND].ns[c] / run[0].ns[c];
    figures->opened_ms[at] = (run[SECOND].opened_ns - run[0].opened_ns) / 1e6;
}

static void report(const struct figures *with, const struct figures *without, size_t pairs)
{
    char what[80];
    print("feed on and viewed: CPU time", with->ratio[CPU], pairs, "interval < +1 %");
    print("no feed and no feed: CPU time", without->ratio[CPU], pairs, "holds 0");
    print("feed on and viewed: wall time", with->ratio[WALL], pairs, "interval < +1 %");
    print("no feed and no feed: wall time", without->ratio[WALL], pairs, "holds 0");
    struct middle m = middle(with->opened_ms, pairs);
    snprintf(what, sizeof what, "train, to open its feed, once (95 %%: %+.1f .. %+.1f ms)", m.low,
             m.high);
    bench_row(what, m.value, "ms", 0, "");
}

int main(int argc, char **argv)
{
    static struct figures with, without;
    static struct screen screen;
    size_t pairs = argc > 1 ? strtoul(argv[1], NULL, 10) : PAIRS;
    size_t turns = argc > 2 ? strtoul(argv[2], NULL, 10) : TURNS;
    struct run run[2];
    char dir[] = BENCH_FOLDER;
    if (pairs < 6 || pairs > PAIRS_MAX || turns == 0 || turns > 10000 || !mkdtemp(dir))
        stop("usage: bench_train [PAIRS [TURNS [WASTE]]]");
    share_cores();
    for (int k = 0; k < 2; k++)
        memcpy(run[k].job.dir, dir, sizeof dir);
    for (size_t i = 0; i < pairs; i++) {
        measure(run, turns, &screen, argc > 3 ? argv[3] : NULL);
        add(&with, i, run);
        measure(run, turns, NULL, NULL);
        add(&without, i, run);
    }
    rmdir(dir);
    report(&with, &without, pairs);
    return 0;
}
