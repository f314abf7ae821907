/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_cost.c: checks the overhead that a feed publishes of itself. Loops of ops alternate between
 * a watched feed and a feed that is off. Their difference, plus the time of all other threads, is
 * the overhead as seen from outside. The table shows it beside `own`. The first part times each
 * call. The second part uses the default sampling budget.
 */
#include "config.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include "bench.h"
#include "live.h"
#include "proftop.h"
#include "proftop_objects.h"
#include "feed/protocol/frame.h"
#include "works.h"

enum { LOOP_NS = 250000, TURNS = 1500, STEP_SAMPLE = 1000000 };

/* The values of the last hello. Written by the viewer's process. */
struct heard {
    _Atomic uint64_t hellos, own_ns, error_ns;
    double cost;
};

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "bench_cost: %s\n", why);
    exit(1);
}

/* --------------------------------------------------------------------------- the other process */

static bool find(const char *place, char facts[256])
{
    bool found = false;
    DIR *dir = opendir(place);
    struct dirent *entry;
    while (dir && !found && (entry = readdir(dir))) {
        char path[600], line[300];
        if (!strstr(entry->d_name, ".info"))
            continue;
        snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
        FILE *file = fopen(path, "r");
        while (file && !found && fgets(line, sizeof line, file))
            found = sscanf(line, "facts=%255s", facts) == 1;
        if (file)
            fclose(file);
    }
    if (dir)
        closedir(dir);
    return found;
}

static _Noreturn void watch(const char *place, struct heard *heard)
{
    static uint8_t bytes[WIRE_MESSAGE_MAX];
    static struct wire_frame frame;
    char facts[256];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (!find(place, facts))
        usleep(1000);
    void *sub = zmq_socket(zmq_ctx_new(), ZMQ_SUB);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    if (zmq_connect(sub, facts) != 0)
        _exit(1);
    for (;;) {
        int size = zmq_recv(sub, bytes, sizeof bytes, 0);
        if (size <= 0 || wire_read(bytes, (size_t)size, &frame) != WIRE_OK ||
            frame.stream != WIRE_HELLO)
            continue;
        if (frame.field[WIRE_F_COST].present)
            heard->cost = frame.field[WIRE_F_COST].d;
        if (frame.field[WIRE_F_OWN].present)
            heard->own_ns = frame.field[WIRE_F_OWN].u;
        if (frame.field[WIRE_F_OWNERR].present)
            heard->error_ns = frame.field[WIRE_F_OWNERR].u;
        heard->hellos++;
    }
}

/* ------------------------------------------------------------------------------------ the loops */

/* One op of each kind, counted in each way. Each is one function, as a compiler makes it of a
 * program. */
#define OP(name, way, before, after)                                                               \
    __attribute__((noinline)) static void name##_##way(struct proftop *feed, proftop_id id,        \
                                                       unsigned steps)                             \
    {                                                                                              \
        before;                                                                                    \
        work_##name(steps);                                                                        \
        after;                                                                                     \
    }
#define COUNTED_WORK(name, what)                                                                   \
    OP(name, timed, struct proftop_token token = proftop_begin(feed, id),                          \
       proftop_end(feed, id, token))                                                               \
    OP(name, given, (void)0, proftop_record(feed, id, 1000 + steps % 512))                         \
    OP(name, call, struct proftop_token token = proftop_call_begin(feed, id),                      \
       proftop_call_end(feed, id, token))                                                          \
    OP(name, counted, (void)0, proftop_counter_add(feed, id, 1))                                   \
    OP(name, task, struct proftop_run run = proftop_task_start(feed, id),                          \
       proftop_task_stop(feed, run))
WORKS(COUNTED_WORK)

/* How an op is counted. `sampled` is `timed` with a sampling budget that skips most calls. */
enum way { TIMED, GIVEN, CALL, SAMPLED, COUNTED, TASK, WAYS };
static const char *const way_name[WAYS] = {"timed",   "given",   "a call",
                                           "sampled", "counted", "a task"};

static const struct {
    const char *name;
    void (*run[WAYS])(struct proftop *feed, proftop_id id, unsigned steps);
} works[] = {
#define WAYS_OF(name, what)                                                                        \
    {what, {name##_timed, name##_given, name##_call, name##_timed, name##_counted, name##_task}},
    WORKS(WAYS_OF)};
enum { KINDS = sizeof works / sizeof works[0] };

/* Ids of the counted objects, by way. */
struct ids {
    proftop_id of[WAYS];
};

static double run(struct proftop *feed, const struct ids *ids, enum way way, int kind,
                  unsigned steps, unsigned ops, unsigned turn)
{
    uint64_t began_ns = bench_cpu_ns();
    for (unsigned i = 0; i < ops; i++) {
        /* The lengths never repeat. A loop end that the processor learns to predict, or fails to
         * predict, may change the time by more than the overhead. */
        unsigned more = ((turn * ops + i) * 2654435761u >> 16) % (steps / 4 + 1);
        works[kind].run[way](feed, ids->of[way], steps + more);
    }
    return (double)(bench_cpu_ns() - began_ns) / ops;
}

static void wait_hellos(const struct heard *heard, unsigned more)
{
    for (uint64_t until = heard->hellos + more; heard->hellos < until;)
        usleep(1000);
}

struct cost {
    double off_ns; /* of one op, as are all figures here */
    double outside_ns, noise_ns; /* 95 % */
    double threads_ns;           /* the part that the feed's threads take */
    double ours_ns, error_ns;
    double share; /* of the program's time, as published */
};

/* CPU time of the feed's threads. Leaves out this thread: /proc shows a running thread's time some
 * ms late, which is as much as the others take in all. */
static uint64_t others_cpu_ns(void)
{
    static const char *const name[] = {"proftop-feed", "ZMQbg/IO/0", "ZMQbg/Reaper"};
    uint64_t sum_ns = 0;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        sum_ns += live_cpu_ns(getpid(), name[i]);
    return sum_ns;
}

/* Number of steps that take about `ns`. All kinds run the same number of ops. */
static unsigned steps_of(struct proftop *off, const struct ids *ids, int kind, double ns)
{
    double step_ns = run(off, ids, TIMED, kind, STEP_SAMPLE, 10, 0) / STEP_SAMPLE;
    return (unsigned)(ns / step_ns * 8 / 9) + 1;
}

static void measure(struct proftop *feed[2], const struct ids *ids, enum way way, double body_ns,
                    const struct heard *heard, struct cost cost[KINDS])
{
    static double off[KINDS][TURNS], more[KINDS][TURNS];
    unsigned steps[KINDS], ops = (unsigned)(LOOP_NS / body_ns);
    for (int kind = 0; kind < KINDS; kind++)
        steps[kind] = steps_of(feed[0], ids, kind, body_ns);
    for (uint64_t until = heard->hellos + 2; heard->hellos < until;) /* the budget settles */
        for (int kind = 0; kind < KINDS; kind++)
            run(feed[1], ids, way, kind, steps[kind], ops, 0);
    wait_hellos(heard, 1);
    uint64_t own_ns = heard->own_ns, error_ns = heard->error_ns, others_ns = others_cpu_ns();
    for (int turn = 0; turn < TURNS; turn++)
        for (int kind = 0; kind < KINDS; kind++) {
            double ns[2];
            for (int i = 0; i < 2; i++) {
                int on = (turn + i) % 2;
                ns[on] = run(feed[on], ids, way, kind, steps[kind], ops, (unsigned)turn);
            }
            off[kind][turn] = ns[0];
            more[kind][turn] = ns[1] - ns[0];
        }
    const double share = heard->cost; /* of the last second */
    wait_hellos(heard, 2);
    const double done = (double)TURNS * ops * KINDS;
    others_ns = others_cpu_ns() - others_ns;
    for (int kind = 0; kind < KINDS; kind++) {
        double pair_ns = bench_median(more[kind], TURNS);
        /* The median lies between these ranks with 95 % certainty. `more` is sorted now. */
        size_t half = (size_t)(0.98 * sqrt(TURNS)) + 1;
        cost[kind] = (struct cost){
            .off_ns = bench_median(off[kind], TURNS),
            .noise_ns = (more[kind][TURNS / 2 + half] - more[kind][TURNS / 2 - half]) / 2,
            .threads_ns = (double)others_ns / done,
            .outside_ns = pair_ns + (double)others_ns / done,
            .ours_ns = (double)(heard->own_ns - own_ns) / done,
            .error_ns = (double)(heard->error_ns - error_ns) / done,
            .share = share};
    }
}

/* The SAMPLED ones run with the default sampling budget. */
static const struct {
    double ns;
    enum way way;
} bodies[] = {{60, TIMED},   {200, TIMED},   {1000, TIMED},   {10000, TIMED},
              {200, GIVEN},  {1000, CALL},   {60, SAMPLED},   {136, SAMPLED},
              {200, SAMPLED}, {1000, SAMPLED}, {1000, COUNTED}, {1000, TASK}};

/* Prints the overhead as a share of the program's time. The feed was off for half of that time. */
static void report_share(const struct cost *sum, double ns, enum way way, double published)
{
    char what[96];
    const double percent = 100 * sum->outside_ns / (2 * sum->off_ns + sum->outside_ns);
    snprintf(what, sizeof what, "ops of %.0f ns, %s: published share of the time", ns,
             way_name[way]);
    bench_row(what, 100 * published, "%", 100 * published / percent, "0.70 to 1.30 x");
    const double budget = 2, counting_ns = sum->outside_ns - sum->threads_ns;
    const double counting = 100 * counting_ns / (2 * sum->off_ns + counting_ns);
    snprintf(what, sizeof what, "ops of %.0f ns, sampled: counting over the budget", ns);
    if (way == SAMPLED)
        bench_row(what, counting, "%", counting / budget, "<= 1.00 x");
}

/* Prints the overhead beside each kind of work, and the published overhead with its error. The
 * published overhead is one figure, since a feed does not know what its job does. */
static void report(const struct cost cost[KINDS], double ns, enum way way)
{
    const char *const how = way_name[way];
    struct cost sum = {0};
    char what[96], note[80];
    for (int i = 0; i < KINDS; i++) {
        const struct cost *one = &cost[i];
        sum.off_ns += one->off_ns / KINDS;
        sum.outside_ns += one->outside_ns / KINDS;
        sum.threads_ns = one->threads_ns;
        sum.ours_ns += one->ours_ns / KINDS;
        sum.error_ns += one->error_ns / KINDS;
        double off_ns = fabs(one->outside_ns - one->ours_ns);
        const char *verdict = off_ns <= one->error_ns                   ? "holds"
                              : off_ns <= one->error_ns + one->noise_ns ? "cannot be told"
                                                                        : "does not hold";
        snprintf(what, sizeof what, "ops of %.0f ns, %s: %s", ns, how, works[i].name);
        snprintf(note, sizeof note, "+- %.2f; within %.2f +- %.2f ns: %s", one->noise_ns,
                 one->ours_ns, one->error_ns, verdict);
        bench_row(what, one->outside_ns, "ns", one->outside_ns / one->off_ns, note);
    }
    snprintf(what, sizeof what, "ops of %.0f ns, %s: published over the mean of these", ns, how);
    snprintf(note, sizeof note, "0.70 to 1.30 x; +- %.1f ns", sum.error_ns);
    bench_row(what, sum.ours_ns, "ns", sum.ours_ns / sum.outside_ns, note);
    report_share(&sum, ns, way, cost[0].share);
}

static proftop_id define(struct proftop *feed, enum proftop_source source)
{
    struct proftop_function_info function = {.size = sizeof function, .name = "f"};
    struct proftop_apply_info apply = {.size = sizeof apply, .source = source};
    apply.function = proftop_function(feed, &function);
    apply.op = proftop_op(feed, proftop_class(feed, "Class"), "op");
    return proftop_apply(feed, &apply);
}

static struct ids define_all(struct proftop *feed)
{
    struct ids ids = {.of = {[TIMED] = define(feed, PROFTOP_TIMED)}};
    ids.of[GIVEN] = define(feed, PROFTOP_GIVEN);
    ids.of[SAMPLED] = ids.of[TIMED];
    proftop_id domain = proftop_domain(feed, "d");
    ids.of[COUNTED] = proftop_counter(feed, domain, "c", NULL);
    ids.of[TASK] = proftop_task(feed, domain, "t");
    return ids; /* calls are counted at the first function */
}

/* Measures the bodies of one sampling budget, with a feed of their own and a watching process. */
static void measure_all(const char *folder, struct heard *heard, bool sampled)
{
    memset(heard, 0, sizeof *heard);
    pid_t viewer = fork();
    if (viewer == 0)
        watch(folder, heard);
    setenv("PROFTOP", "0", 1);
    struct proftop *feed[2] = {proftop_open(NULL)};
    setenv("PROFTOP", "1", 1);
    feed[1] = proftop_open(NULL);
    if (!proftop_is_on(feed[1]))
        stop(proftop_reason(feed[1]));
    const struct ids ids = define_all(feed[1]);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct cost cost[KINDS];
        if ((bodies[i].way == SAMPLED) != sampled)
            continue;
        measure(feed, &ids, bodies[i].way, bodies[i].ns, heard, cost);
        report(cost, bodies[i].ns, bodies[i].way);
    }
    proftop_close(feed[1]);
    proftop_close(feed[0]);
    kill(viewer, SIGKILL);
    waitpid(viewer, NULL, 0);
}

int main(void)
{
    char folder[] = BENCH_FOLDER;
    struct heard *heard =
        mmap(NULL, sizeof *heard, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (heard == MAP_FAILED || !mkdtemp(folder) || setenv("PROFTOP_DIR", folder, 1))
        stop("there is no memory, or no directory");
    works_prepare();
    setenv("PROFTOP_BUDGET", "0", 1);
    measure_all(folder, heard, false);
    unsetenv("PROFTOP_BUDGET");
    measure_all(folder, heard, true);
    return rmdir(folder) ? 1 : 0;
}
