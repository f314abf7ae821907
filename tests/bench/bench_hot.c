/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_hot.c: measures the overhead of each event in a job, against two reads of the feed's clock
 * in the same loop. PROFTOP_CLOCK=monotonic selects the system's clock.
 */
#include "config.h"

#include "bench.h"
#include "floor.h"
#include "hot_least.h"
#include "live.h"

#include <limits.h>
#include <proftop.h>
#include <proftop_objects.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CROWD = 64, CROWD_NODES = 5000, CROWD_OPS = 200, ROUNDS = 15, TRIES = 8 };

/* Tokens of a feed that uses the system's clock have the highest bit set. */
static bool counts_by_stamps(const struct setting *setting)
{
    struct proftop_token token = proftop_begin(setting->feed, setting->timed[0]);
    proftop_fail(setting->feed, setting->timed[0], token);
    return token.start >> 63 == 0;
}

static void floor_loop(const struct setting *setting)
{
    if (setting->stamps)
        floor_stamps(EVENTS);
    else
        floor_system(EVENTS);
}

static void pair_loop(const struct setting *setting)
{
    proftop_id apply = setting->timed[0];

    for (int i = 0; i < EVENTS; i++) {
        struct proftop_token token = proftop_begin(setting->feed, apply);
        proftop_end(setting->feed, apply, token);
    }
}

static void alloc_loop(const struct setting *setting)
{
    for (int i = 0; i < EVENTS; i++) {
        proftop_memory_alloc(setting->feed, setting->memory, 4096);
        proftop_memory_free(setting->feed, setting->memory, 4096);
    }
}

/* Models a job that counts its memory: some ops allocate, most do not. */
static void memory_loop(const struct setting *setting)
{
    proftop_id apply = setting->timed[0];

    for (int i = 0; i < EVENTS; i++) {
        if (i % ALLOC_EVERY == 0)
            proftop_memory_alloc(setting->feed, setting->memory, 4096);
        struct proftop_token token = proftop_begin(setting->feed, apply);
        proftop_end(setting->feed, apply, token);
        if (i % ALLOC_EVERY == ALLOC_EVERY / 2)
            proftop_memory_free(setting->feed, setting->memory, 4096);
    }
}

/* The parentheses select the library's function in place of the inline one. */
static void library_loop(const struct setting *setting)
{
    proftop_id apply = setting->timed[0];

    for (int i = 0; i < EVENTS; i++) {
        struct proftop_token token = (proftop_begin)(setting->feed, apply);
        (proftop_end)(setting->feed, apply, token);
    }
}

static void record_loop(const struct setting *setting)
{
    for (int i = 0; i < EVENTS; i++)
        proftop_record(setting->feed, setting->given, (uint64_t)i);
}

static void off_loop(const struct setting *setting)
{
    for (int i = 0; i < EVENTS; i++) {
        struct proftop_token token = proftop_begin(setting->off, 0);
        proftop_end(setting->off, 0, token);
    }
}

static void random_loop(const struct setting *setting)
{
    for (int i = 0; i < EVENTS; i++) {
        proftop_id apply = setting->timed[i % APPLIES];
        struct proftop_token token = proftop_begin(setting->feed, apply);
        proftop_end(setting->feed, apply, token);
    }
}

/* Works for some 150 ns. Cache lines can arrive meanwhile that cannot arrive between two clock
 * reads. */
static void work(void)
{
    uint64_t value = 3;

    for (int i = 0; i < 200; i++) {
        value *= value;
        floor_keep(value);
    }
}

static void work_loop(const struct setting *setting)
{
    (void)setting;
    for (int i = 0; i < EVENTS; i++)
        work();
}

static void random_work_loop(const struct setting *setting)
{
    for (int i = 0; i < EVENTS; i++) {
        proftop_id apply = setting->timed[i % APPLIES];
        struct proftop_token token = proftop_begin(setting->feed, apply);
        work();
        proftop_end(setting->feed, apply, token);
    }
}

/* A second feed, which keeps its counts in a black box. */
static struct setting kept;

static void kept_pair_loop(const struct setting *setting)
{
    (void)setting;
    pair_loop(&kept);
}

static void kept_random_loop(const struct setting *setting)
{
    (void)setting;
    random_loop(&kept);
}

typedef void loop_fn(const struct setting *setting);

/* Number of context switches of this thread. A switch means that other threads used its caches. */
static long switches(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

struct pair_of_threads {
    const struct setting *setting;
    pthread_barrier_t both;
    double ns[2];
    long disturbed[2];
};

struct one_of_two {
    struct pair_of_threads *pair;
    int number;
};

static void *run_one_of_two(void *argument)
{
    struct one_of_two *one = argument;

    pair_loop(one->pair->setting); /* the first touch of this thread's slots */
    pthread_barrier_wait(&one->pair->both);
    long before = switches();
    uint64_t start_ns = bench_cpu_ns();
    pair_loop(one->pair->setting);
    one->pair->ns[one->number] = (double)(bench_cpu_ns() - start_ns) / EVENTS;
    one->pair->disturbed[one->number] = switches() - before;
    return NULL;
}

/* ns per event of the slower of two threads that count the same apply at the same time. */
static double try_two_threads(const struct setting *setting, long *disturbed)
{
    struct pair_of_threads pair = {.setting = setting};
    struct one_of_two ones[2] = {{&pair, 0}, {&pair, 1}};
    pthread_t threads[2];

    pthread_barrier_init(&pair.both, NULL, 2);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, run_one_of_two, &ones[i]))
            exit(1);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&pair.both);
    *disturbed = pair.disturbed[0] + pair.disturbed[1];
    return pair.ns[0] > pair.ns[1] ? pair.ns[0] : pair.ns[1];
}

static double two_threads(const struct setting *setting)
{
    double ns = 0;
    long least = LONG_MAX;
    for (int tries = 0; tries < TRIES && least > 0; tries++) {
        long disturbed;
        double one_ns = try_two_threads(setting, &disturbed);
        if (disturbed < least) {
            least = disturbed;
            ns = one_ns;
        }
    }
    return ns;
}

/* The loop runs warm: the cache lines left by the loop before are not part of its overhead. A loop
 * is short, so that it can run undisturbed. A disturbed loop is run again, and the calmest run
 * counts. */
static double one_thread(loop_fn *loop, int times, const struct setting *setting)
{
    double ns = 0;
    long least = LONG_MAX;
    for (int tries = 0; tries < TRIES && least > 0; tries++) {
        long before = switches();
        loop(setting);
        uint64_t start_ns = bench_cpu_ns();
        for (int i = 0; i < times; i++)
            loop(setting);
        double one_ns = (double)(bench_cpu_ns() - start_ns) / EVENTS / times;
        long disturbed = switches() - before;
        if (disturbed < least) {
            least = disturbed;
            ns = one_ns;
        }
    }
    return ns;
}

/* A row of the table. `over` is the row that its ratio is of. */
static const struct row {
    const char *what;
    loop_fn *loop; /* NULL: two threads */
    int times;     /* so many that the loop takes some ms */
    int over;
    const char *target;
    bool viewed; /* measured again while a viewer subscribes to everything */
} rows[] = {
    {"floor: two reads of the clock in use", floor_loop, 1, -1, "", true},
    {"begin/end, inlined, everything on", pair_loop, 1, 0, "<= 1.05 x the floor", true},
    {"begin/end through the library, everything on", library_loop, 1, 0, "<= 1.15 x the floor",
     true},
    {"duration given (record)", record_loop, 8, 0, "<= 0.15 x the floor", true},
    {"the least that counts one: a flag, a line, three sums", least_record_loop, 8, 0, "", false},
    {"duration given, against that least", record_loop, 8, 4, "<= 1.40 x that least", false},
    {"begin/end, feed off", off_loop, 32, 0, "<= 0.03 x the floor", false},
    {"a loop of nothing", empty_loop, 32, 0, "", false},
    {"the least that can be off: a flag asked twice", least_off_loop, 32, 0, "", false},
    {"begin/end, feed off, against that least", off_loop, 32, 8, "<= 1.10 x that least", false},
    {"begin/end, 16,384 applies in random order", random_loop, 1, 0, "<= 1.10 x the floor", true},
    {"the least of that: two clocks, two sums in a line", least_random_loop, 1, 0, "", false},
    {"begin/end in random order, against that least", random_loop, 1, 11, "<= 1.10 x that least",
     false},
    {"begin/end, the slower of two threads", NULL, 1, 1, "<= 1.03 x one thread", false},
    {"some 150 ns of work", work_loop, 1, -1, "", false},
    {"begin, that work, end, in random order", random_work_loop, 1, 14, "", false},
    {"begin/end, and memory of each 64th counted", memory_loop, 1, 0, "<= 1.15 x the floor", true},
    {"memory of a scope allocated, and freed", alloc_loop, 1, 0, "", false},
    {"the least of 60 instructions, two clocks among them", least_inlined_loop, 1, 0, "", false},
    {"begin/end, inlined, against that least", pair_loop, 1, 18, "<= 1.10 x that least", false},
    {"the least of 89 instructions, two clocks among them", least_library_loop, 1, 0, "", false},
    {"begin/end through the library, against that least", library_loop, 1, 20,
     "<= 1.10 x that least", false},
    {"the least in random order of as many instructions", least_random_pair_loop, 1, 0, "", false},
    {"begin/end in random order, against that one", random_loop, 1, 22, "<= 1.10 x that least",
     false},
    {"begin/end, counts kept (PROFTOP_KEEP=1), against unkept", kept_pair_loop, 1, 1,
     "<= 1.01 x unkept", false},
    {"begin/end in random order, kept, against unkept", kept_random_loop, 1, 10, "<= 1.03 x unkept",
     false},
    {"the least that counts memory too", least_memory_loop, 1, 0, "", false},
    {"begin/end and memory, against that least", memory_loop, 1, 26, "<= 1.15 x that least", false},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---------------------------------------------------------------------------------- memory */

/* Exact, unlike statm: statm leaves out pages that each core has not yet added to its total. */
static double rss_bytes(void)
{
    unsigned long kb = 0;
    char line[128];
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "Rss: %lu", &kb) != 1)
        continue;
    if (file)
        fclose(file);
    return (double)kb * 1024;
}

/* Waits until the size has not changed for a second. The feed allocates its tables gradually. */
static double settled_rss_bytes(void)
{
    const struct timespec tenth = {0, 100000000};
    double bytes = rss_bytes();
    for (int same = 0, all = 0; same < 10 && all < 300; same++, all++) {
        nanosleep(&tenth, NULL);
        double now = rss_bytes();
        same = now > bytes || now < bytes ? 0 : same;
        bytes = now;
    }
    return bytes;
}

struct crowd {
    struct proftop *feed;
    proftop_id first;
    pthread_barrier_t all;
};

static void *join_crowd(void *argument)
{
    struct crowd *crowd = argument;

    for (int round = 0; round < 3; round++)
        for (proftop_id i = crowd->first; i < crowd->first + CROWD_NODES; i++) {
            struct proftop_token token = proftop_begin(crowd->feed, i);
            proftop_end(crowd->feed, i, token);
        }
    pthread_barrier_wait(&crowd->all);
    pthread_barrier_wait(&crowd->all);
    return NULL;
}

/* Memory of 64 threads that run 5,000 nodes of 200 ops each, including the memory of the feed's
 * thread. */
static double crowd_bytes(void)
{
    struct crowd crowd = {.feed = proftop_open(NULL)};
    struct proftop_function_info function = {.size = sizeof function, .name = "crowd"};
    struct proftop_apply_info apply = {.size = sizeof apply};
    proftop_id op[CROWD_OPS];
    pthread_t thread[CROWD];

    apply.function = proftop_function(crowd.feed, &function);
    for (int i = 0; i < CROWD_OPS; i++)
        op[i] = proftop_op(crowd.feed, proftop_class(crowd.feed, "c"), "o");
    for (int i = 0; i < CROWD_NODES; i++) {
        apply.op = op[i % CROWD_OPS];
        proftop_id id = proftop_apply(crowd.feed, &apply);
        crowd.first = i == 0 ? id : crowd.first;
    }
    pthread_barrier_init(&crowd.all, NULL, CROWD + 1);
    double before = settled_rss_bytes();
    for (int i = 0; i < CROWD; i++)
        if (pthread_create(&thread[i], NULL, join_crowd, &crowd))
            exit(1);
    pthread_barrier_wait(&crowd.all);
    double taken_bytes = settled_rss_bytes() - before;
    pthread_barrier_wait(&crowd.all);
    for (int i = 0; i < CROWD; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&crowd.all);
    proftop_close(crowd.feed);
    return taken_bytes;
}

/* Runs in a process of its own, so that no other feed adds memory. */
static double crowd_mb(const char *on)
{
    int ends[2], status;
    double bytes = 0;
    if (pipe(ends) != 0)
        exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        setenv("PROFTOP", on, 1);
        bytes = crowd_bytes();
        _exit(write(ends[1], &bytes, sizeof bytes) != sizeof bytes);
    }
    if (pid < 0 || read(ends[0], &bytes, sizeof bytes) != sizeof bytes ||
        waitpid(pid, &status, 0) != pid || status != 0)
        exit(1);
    close(ends[0]);
    close(ends[1]);
    return bytes / 1e6;
}

/* Subtracts the threads' stacks, which exist without a feed as well. */
static void measure_crowd(void)
{
    char note[64];
    double off_mb = crowd_mb("0"), on_mb = crowd_mb("1");
    snprintf(note, sizeof note, "<= 32 MB (without a feed %.1f MB)", off_mb);
    bench_row("memory: 64 threads x 5,000 nodes of 200 ops", on_mb - off_mb, "MB", 0, note);
}

static void measure_memory(const struct setting *setting)
{
    double before = rss_bytes();
    for (int i = 0; i < 2000000 / EVENTS + 1; i++)
        pair_loop(setting);
    bench_row("memory: growth in 2,000,000 events", rss_bytes() - before, "B", 0, "0 B an event");
    bench_row("memory of a (thread, apply)", (double)sizeof(struct proftop_slot), "B", 0, "64 B");
}

static double run_row(int i, const struct setting *setting)
{
    return rows[i].loop ? one_thread(rows[i].loop, rows[i].times, setting) : two_threads(setting);
}

/* A ratio is taken of consecutive loops, since the machine's speed changes between loops. */
static void measure(const struct setting *setting, struct live_term *viewer)
{
    static double ns[ROWS][ROUNDS], ratios[ROWS][ROUNDS];

    for (size_t round = 0; round < ROUNDS; round++)
        for (int i = 0; i < ROWS; i++) {
            if (viewer && !rows[i].viewed)
                continue;
            if (viewer)
                live_read_until(viewer, 0); /* drains the terminal, so that the viewer continues */
            double before = rows[i].over < 0 ? 0 : run_row(rows[i].over, setting);
            ns[i][round] = run_row(i, setting);
            if (rows[i].over >= 0)
                ratios[i][round] = ns[i][round] / ((before + run_row(rows[i].over, setting)) / 2);
        }
    for (size_t i = 0; i < ROWS; i++) {
        char note[80], what[80];
        if (viewer && !rows[i].viewed)
            continue;
        snprintf(what, sizeof what, "%s%s", viewer ? "viewed: " : "", rows[i].what);
        double median = bench_median(ratios[i], ROUNDS); /* sorts the ratios */
        snprintf(note, sizeof note, "%s (half of the rounds: %.3f to %.3f)", rows[i].target,
                 ratios[i][ROUNDS / 4], ratios[i][ROUNDS - 1 - ROUNDS / 4]);
        bench_row(what, bench_median(ns[i], ROUNDS), "ns", rows[i].over < 0 ? 0 : median,
                  rows[i].over < 0 ? "" : note);
    }
}

/* Measures while a real viewer subscribes to everything: rows of ops with their percentiles. */
static void measure_viewed(const struct setting *setting, const char *folder)
{
    struct live_job self = {.pid = getpid()};
    struct live_term viewer;
    snprintf(self.dir, sizeof self.dir, "%s", folder);
    live_viewer_start(&viewer, &self, WORDS("--pane", "op", "--sort", "p50"));
    live_wait(&viewer, LIVE_CURSOR, 1);
    measure(setting, &viewer);
    live_term_end(&viewer);
}

static void shuffle(proftop_id *ids)
{
    uint64_t state = 1;

    for (size_t i = APPLIES - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t j = (size_t)(state >> 33) % (i + 1);
        proftop_id other = ids[i];
        ids[i] = ids[j];
        ids[j] = other;
    }
}

static void define(struct setting *setting, proftop_id *ids)
{
    struct proftop_function_info function = {.size = sizeof function, .name = "f"};
    struct proftop_apply_info apply = {.size = sizeof apply};

    apply.function = proftop_function(setting->feed, &function);
    apply.op = proftop_op(setting->feed, proftop_class(setting->feed, "Class"), "op");
    for (size_t i = 0; i < APPLIES; i++)
        ids[i] = proftop_apply(setting->feed, &apply);
    apply.source = PROFTOP_GIVEN;
    setting->given = proftop_apply(setting->feed, &apply);
    setting->memory = proftop_memory(setting->feed, "cpu/0", "storage", "net:");
    shuffle(ids);
    setting->timed = ids;
}

int main(void)
{
    static proftop_id ids[APPLIES], kept_ids[APPLIES];
    struct setting setting = {0};
    char folder[] = BENCH_FOLDER;

    if (!mkdtemp(folder) || setenv("PROFTOP_DIR", folder, 1))
        return 1;
    measure_crowd();
    setenv("PROFTOP", "0", 1);
    setenv("PROFTOP_BUDGET", "0", 1); /* each call is timed, also while a viewer is attached */
    setting.off = proftop_open(NULL);
    setenv("PROFTOP", "1", 1);
    setting.feed = proftop_open(NULL);
    if (!proftop_is_on(setting.feed) || proftop_is_on(setting.off)) {
        fprintf(stderr, "bench_hot: the feed is off: %s\n", proftop_reason(setting.feed));
        return 1;
    }
    setenv("PROFTOP_KEEP", "1", 1);
    kept.feed = proftop_open(NULL);
    unsetenv("PROFTOP_KEEP");
    define(&kept, kept_ids);
    define(&setting, ids);
    setting.stamps = counts_by_stamps(&setting);
    printf("the clock in use: %s\n", setting.stamps ? "time stamps (tsc)" : "CLOCK_MONOTONIC");
    measure(&setting, NULL);
    measure_memory(&setting);
    measure_viewed(&setting, folder);
    proftop_close(kept.feed);
    proftop_close(setting.feed);
    proftop_close(setting.off);
    return rmdir(folder) ? 1 : 0;
}
