/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_hot.c: what a job pays for each event, against two reads of the clock that the feed uses,
 * in the same loop. PROFTOP_CLOCK=monotonic measures with the system's clock.
 */
#include "bench.h"

#include <proftop.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

enum { EVENTS = 200000, APPLIES = 16384, CROWD = 64, CROWD_NODES = 5000, CROWD_OPS = 200 };

struct setting {
    struct proftop *feed;
    struct proftop *off;
    const proftop_id *timed; /* APPLIES of them, in random order */
    proftop_id given;
    bool stamps; /* the feed counts by time stamps */
};

/* Keeps the compiler from dropping what is read, or moving it out of the loop. */
static void keep(uint64_t value)
{
    __asm__ volatile("" : : "r"(value) : "memory");
}

static void system_floor(const struct setting *setting)
{
    (void)setting;
    for (int i = 0; i < EVENTS; i++) {
        uint64_t start_ns = bench_wall_ns();
        keep(bench_wall_ns() - start_ns);
    }
}

#if defined(__x86_64__)
static void stamp_floor(const struct setting *setting)
{
    (void)setting;
    for (int i = 0; i < EVENTS; i++) {
        uint64_t start = __builtin_ia32_rdtsc();
        keep(__builtin_ia32_rdtsc() - start);
    }
}
#else
#define stamp_floor system_floor
#endif

/* Tokens of feeds that count by the system's clock have the highest bit. */
static bool counts_by_stamps(const struct setting *setting)
{
    struct proftop_token token = proftop_begin(setting->feed, setting->timed[0]);
    proftop_fail(setting->feed, setting->timed[0], token);
    return token.start >> 63 == 0;
}

static void floor_loop(const struct setting *setting)
{
    if (setting->stamps)
        stamp_floor(setting);
    else
        system_floor(setting);
}

static void pair_loop(const struct setting *setting)
{
    proftop_id apply = setting->timed[0];

    for (int i = 0; i < EVENTS; i++) {
        struct proftop_token token = proftop_begin(setting->feed, apply);
        proftop_end(setting->feed, apply, token);
    }
}

/* In parentheses: the function of the library, not what is inlined. */
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

/* Some 150 ns, in which more lines can be waited for than between two clocks. */
static void work(void)
{
    uint64_t value = 3;

    for (int i = 0; i < 200; i++) {
        value *= value;
        keep(value);
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

typedef void loop_fn(const struct setting *setting);

struct pair_of_threads {
    const struct setting *setting;
    pthread_barrier_t both;
    double ns[2];
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
    uint64_t start_ns = bench_cpu_ns();
    pair_loop(one->pair->setting);
    one->pair->ns[one->number] = (double)(bench_cpu_ns() - start_ns) / EVENTS;
    return NULL;
}

/* ns an event of the slower of two threads that count the same apply at the same time. */
static double two_threads(const struct setting *setting)
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
    return pair.ns[0] > pair.ns[1] ? pair.ns[0] : pair.ns[1];
}

/* Warm in each round: which lines the loop before has left in the caches is not its own cost. */
static double one_thread(loop_fn *loop, const struct setting *setting)
{
    loop(setting);
    uint64_t start_ns = bench_cpu_ns();

    loop(setting);
    return (double)(bench_cpu_ns() - start_ns) / EVENTS;
}

/* A row of the table of what is measured; `over` is the row that it is a ratio of. */
static const struct row {
    const char *what;
    loop_fn *loop; /* NULL: two threads */
    int over;
    const char *target;
} rows[] = {
    {"floor: two reads of the clock in use", floor_loop, -1, ""},
    {"begin/end, inlined, everything on", pair_loop, 0, "<= 1.05 x the floor"},
    {"begin/end through the library, everything on", library_loop, 0, "<= 1.15 x the floor"},
    {"duration given (record)", record_loop, 0, "<= 0.15 x the floor"},
    {"begin/end, feed off", off_loop, 0, "<= 0.03 x the floor"},
    {"begin/end, 16,384 applies in random order", random_loop, 0, "<= 1.10 x the floor"},
    {"begin/end, the slower of two threads", NULL, 1, "<= 1.03 x one thread"},
    {"some 150 ns of work", work_loop, -1, ""},
    {"begin, that work, end, in random order", random_work_loop, 7, ""},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---------------------------------------------------------------------------------- memory */

static double rss_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
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

/* What 64 threads take that run 5,000 nodes of 200 ops each; their stacks are touched before. */
static void measure_crowd(void)
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
    double before = rss_bytes();
    for (int i = 0; i < CROWD; i++)
        if (pthread_create(&thread[i], NULL, join_crowd, &crowd))
            exit(1);
    pthread_barrier_wait(&crowd.all);
    double taken_mb = (rss_bytes() - before) / 1e6;
    bench_row("memory: 64 threads x 5,000 nodes of 200 ops, stacks too", taken_mb, "MB", 0,
              "<= 32 MB");
    pthread_barrier_wait(&crowd.all);
    for (int i = 0; i < CROWD; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&crowd.all);
    proftop_close(crowd.feed);
}

static void measure_memory(const struct setting *setting)
{
    double before = rss_bytes();
    for (int i = 0; i < 10; i++)
        pair_loop(setting);
    bench_row("memory: growth in 2,000,000 events", rss_bytes() - before, "B", 0, "0 B an event");
    bench_row("memory of a (thread, apply)", (double)sizeof(struct proftop_slot), "B", 0, "64 B");
    measure_crowd();
}

static void measure(const struct setting *setting)
{
    static double ns[ROWS][BENCH_ROUNDS], ratios[ROWS][BENCH_ROUNDS];

    for (size_t round = 0; round < BENCH_ROUNDS; round++)
        for (size_t i = 0; i < ROWS; i++) {
            ns[i][round] = rows[i].loop ? one_thread(rows[i].loop, setting) : two_threads(setting);
            if (rows[i].over >= 0)
                ratios[i][round] = ns[i][round] / ns[rows[i].over][round];
        }
    for (size_t i = 0; i < ROWS; i++)
        bench_row(rows[i].what, bench_median(ns[i], BENCH_ROUNDS), "ns",
                  rows[i].over < 0 ? 0 : bench_median(ratios[i], BENCH_ROUNDS), rows[i].target);
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
    shuffle(ids);
    setting->timed = ids;
}

int main(void)
{
    static proftop_id ids[APPLIES];
    struct setting setting = {0};
    char folder[] = BENCH_FOLDER;

    if (!mkdtemp(folder) || setenv("PROFTOP_DIR", folder, 1))
        return 1;
    setenv("PROFTOP", "0", 1);
    setting.off = proftop_open(NULL);
    setenv("PROFTOP", "1", 1);
    setting.feed = proftop_open(NULL);
    if (!proftop_is_on(setting.feed) || proftop_is_on(setting.off)) {
        fprintf(stderr, "bench_hot: the feed is off: %s\n", proftop_reason(setting.feed));
        return 1;
    }
    define(&setting, ids);
    setting.stamps = counts_by_stamps(&setting);
    printf("the clock in use: %s\n", setting.stamps ? "time stamps (tsc)" : "CLOCK_MONOTONIC");
    measure(&setting);
    measure_memory(&setting);
    proftop_close(setting.feed);
    proftop_close(setting.off);
    return rmdir(folder) ? 1 : 0;
}
