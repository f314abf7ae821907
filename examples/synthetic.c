/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * synthetic.c: the load generator. It computes nothing. It publishes the requested number of
 * functions, ops and applies at a given rate, and at the end prints the totals that a viewer must
 * have seen. */
#include "example_options.h"
#include "hostile.h"

#include <errno.h>
#include <inttypes.h>
#include <proftop.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 256, NAME_MAX_BYTES = HOSTILE_LONG_BYTES + 64 };

struct settings {
    uint64_t applies, ops, classes, functions, threads;
    uint64_t rate, change, busy, seconds, names, seed;
    bool hang, hostile, quiet;
};

struct load {
    struct settings settings;
    struct proftop *feed;
    proftop_id *functions;
    proftop_id *applies;

    pthread_mutex_t lock; /* guards `stop` */
    pthread_cond_t stopped;
    bool stop;
};

/* One thread updates the applies from `first` to before `last`. */
struct walker {
    struct load *load;
    pthread_t thread;
    uint32_t number;
    size_t first, last;
    uint64_t random;
    uint64_t due;             /* hundredths of a row */
    uint64_t calls, given_ns; /* of its applies, in total */
    uint64_t ticks;
};

static void fail(const char *what, const char *help)
{
    fprintf(stderr, "synthetic: %s: %s\n", what, help);
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A 64-bit shift register: fast, and deterministic for a seed. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* ---------------------------------------------------------------------------------- definitions */

/* A name such as "Op12", hostile or padded if requested. Borrowed until the next call. */
static const char *name_of(const struct settings *settings, const char *stem, size_t number)
{
    static char name[NAME_MAX_BYTES];
    size_t length = (size_t)settings->names, used;

    used = (size_t)snprintf(name, sizeof name, "%s%zu", stem, number);
    if (settings->hostile) {
        const char *hostile = hostile_names[number % HOSTILE_NAMES];
        /* The empty name stays empty; the others keep their number, which makes them unique. */
        used = *hostile ? (size_t)snprintf(name, sizeof name, "%s%s%zu", hostile, stem, number) : 0;
        if (number % HOSTILE_LONG_EVERY == HOSTILE_LONG_EVERY - 1)
            length = HOSTILE_LONG_BYTES;
    }
    while (used < length) {
        name[used] = (char)('a' + used % 26);
        used++;
    }
    name[used] = '\0';
    return name;
}

static size_t function_of(const struct settings *settings, size_t apply)
{
    return (size_t)(apply * settings->functions / settings->applies);
}

static proftop_id define_function(struct load *load, size_t number)
{
    return proftop_function(load->feed, &(struct proftop_function_info){
                                            .size = sizeof(struct proftop_function_info),
                                            .name = name_of(&load->settings, "function", number),
                                            .file = "synthetic.c",
                                            .line = __LINE__,
                                            .source = PROFTOP_TIMED,
                                        });
}

static void define(struct load *load)
{
    const struct settings *settings = &load->settings;
    proftop_id *classes = calloc(settings->classes, sizeof *classes);
    proftop_id *ops = calloc(settings->ops, sizeof *ops);
    size_t function = SIZE_MAX;
    uint32_t index = 0;

    load->functions = calloc(settings->functions, sizeof *load->functions);
    load->applies = calloc(settings->applies, sizeof *load->applies);
    if (!classes || !ops || !load->functions || !load->applies)
        fail("out of memory", "ask for fewer applies");
    for (size_t i = 0; i < settings->classes; i++)
        classes[i] = proftop_class(load->feed, name_of(settings, "synthetic.Class", i));
    for (size_t i = 0; i < settings->ops; i++)
        ops[i] = proftop_op(load->feed, classes[i % settings->classes], name_of(settings, "Op", i));
    for (size_t i = 0; i < settings->functions; i++)
        load->functions[i] = define_function(load, i);
    for (size_t i = 0; i < settings->applies; i++) {
        bool timed = settings->busy || (settings->hang && i == 0);
        index = function_of(settings, i) == function ? index + 1 : 0;
        function = function_of(settings, i);
        struct proftop_apply_info info = {
            .size = sizeof info,
            .function = load->functions[function],
            .op = ops[i % settings->ops],
            .index = index,
            .text = name_of(settings, "apply", i),
            .source = timed ? PROFTOP_TIMED : PROFTOP_GIVEN,
            .impl = PROFTOP_IMPL_C,
        };
        load->applies[i] = proftop_apply(load->feed, &info);
    }
    free(classes);
    free(ops);
}

/* ---------------------------------------------------------------------------------------- load */

/* Sleeps until `until_ns`, or until stopped. Returns false if stopped. */
static bool sleep_until(struct load *load, uint64_t until_ns)
{
    struct timespec until = {(time_t)(until_ns / 1000000000u), (long)(until_ns % 1000000000u)};

    pthread_mutex_lock(&load->lock);
    while (!load->stop && now_ns() < until_ns)
        pthread_cond_timedwait(&load->stopped, &load->lock, &until);
    bool stop = load->stop;
    pthread_mutex_unlock(&load->lock);
    return !stop;
}

static void run_apply(struct walker *walker, size_t i)
{
    struct load *load = walker->load;
    uint64_t busy_ns = load->settings.busy;

    if (busy_ns) {
        struct proftop_token token = proftop_begin(load->feed, load->applies[i]);
        for (uint64_t start_ns = now_ns(); now_ns() - start_ns < busy_ns;)
            ;
        proftop_end(load->feed, load->applies[i], token);
        walker->given_ns += busy_ns;
    } else {
        /* Low ids are slow and high ids fast, so that a sorted table has something to sort. */
        uint64_t ns = 200 + next_random(&walker->random) % (10000000 / (i + 10) + 100);
        proftop_record(load->feed, load->applies[i], ns);
        walker->given_ns += ns;
    }
    walker->calls++;
}

/* The number of rows for this tick: the requested share of all, one at random from each stretch of
 * equal length. A fraction of a row is carried over to the next tick. */
static size_t rows_due(struct walker *walker, size_t rows)
{
    walker->due += rows * walker->load->settings.change;
    size_t count = (size_t)(walker->due / 100);
    walker->due %= 100;
    return count;
}

/* Calls each function that has rows to change once for them. */
static void run_tick(struct walker *walker)
{
    struct load *load = walker->load;
    size_t rows = walker->last - walker->first, count = rows_due(walker, rows);
    size_t function = SIZE_MAX;
    struct proftop_token call = {0};

    for (size_t k = 0; k < count; k++) {
        size_t stretch = rows * k / count, length = rows * (k + 1) / count - stretch;
        size_t i = walker->first + stretch + (size_t)(next_random(&walker->random) % length);
        if (function_of(&load->settings, i) != function) {
            if (function != SIZE_MAX)
                proftop_call_end(load->feed, load->functions[function], call);
            function = function_of(&load->settings, i);
            call = proftop_call_begin(load->feed, load->functions[function]);
        }
        run_apply(walker, i);
    }
    if (function != SIZE_MAX)
        proftop_call_end(load->feed, load->functions[function], call);
    walker->ticks++;
}

/* Thread 0 runs its first apply and stays in it until the end. */
static void hang(struct walker *walker)
{
    struct load *load = walker->load;
    struct proftop_token token = proftop_begin(load->feed, load->applies[0]);

    while (sleep_until(load, now_ns() + 1000000000u))
        ;
    proftop_end(load->feed, load->applies[0], token);
    walker->calls++;
}

static void *walk(void *argument)
{
    struct walker *walker = argument;
    struct load *load = walker->load;
    uint64_t rate = load->settings.rate, next_ns = now_ns();
    char name[32];

    snprintf(name, sizeof name, "walker %" PRIu32, walker->number);
    proftop_thread_name(load->feed, name);
    if (load->settings.hang && walker->number == 0) {
        hang(walker);
        return NULL;
    }
    while (sleep_until(load, next_ns)) {
        run_tick(walker);
        next_ns = rate ? next_ns + 1000000000u / rate : 0;
    }
    return NULL;
}

/* Waits until the time is over, or for INT or TERM. */
static void wait_for_end(const struct settings *settings, const sigset_t *signals)
{
    struct timespec left = {(time_t)settings->seconds, 0};

    if (!settings->seconds)
        while (sigwaitinfo(signals, NULL) == -1 && errno == EINTR)
            ;
    else
        while (sigtimedwait(signals, NULL, &left) == -1 && errno == EINTR)
            ;
}

static void run(struct load *load, const sigset_t *signals)
{
    static struct walker walkers[THREADS_MAX];
    const struct settings *settings = &load->settings;
    uint64_t calls = 0, given_ns = 0, ticks = 0;

    for (uint32_t i = 0; i < settings->threads; i++) {
        walkers[i] = (struct walker){
            .load = load,
            .number = i,
            .first = (size_t)(settings->applies * i / settings->threads),
            .last = (size_t)(settings->applies * (i + 1) / settings->threads),
            .random = (settings->seed + i + 1) * 0x9e3779b97f4a7c15u,
        };
        if (!walkers[i].random)
            walkers[i].random = 1;
        if (pthread_create(&walkers[i].thread, NULL, walk, &walkers[i]))
            fail("no thread can be started", "ask for fewer, or raise the limit on processes");
    }
    wait_for_end(settings, signals);
    pthread_mutex_lock(&load->lock);
    load->stop = true;
    pthread_cond_broadcast(&load->stopped);
    pthread_mutex_unlock(&load->lock);
    for (uint32_t i = 0; i < settings->threads; i++) {
        pthread_join(walkers[i].thread, NULL);
        calls += walkers[i].calls;
        given_ns += walkers[i].given_ns;
        ticks += walkers[i].ticks;
    }
    if (!settings->quiet)
        printf("end: ticks %" PRIu64 ", calls %" PRIu64 ", given %" PRIu64 " ns\n", ticks, calls,
               given_ns);
}

static void read_settings(struct settings *settings, int count, char **words)
{
    *settings = (struct settings){.applies = 1000,
                                  .ops = 50,
                                  .classes = 10,
                                  .functions = 4,
                                  .threads = 2,
                                  .rate = 10,
                                  .change = 10,
                                  .seed = 1};
    struct settings *to = settings;
    const struct option_row rows[] = {
        {"applies", "N", OPTION_NUMBER, &to->applies, 1, 1 << 22, "applies of all functions"},
        {"ops", "N", OPTION_NUMBER, &to->ops, 1, 1 << 20, "ops that they are applied from"},
        {"classes", "N", OPTION_NUMBER, &to->classes, 1, 1 << 16, "classes of the ops"},
        {"functions", "N", OPTION_NUMBER, &to->functions, 1, 1 << 16, "functions"},
        {"threads", "N", OPTION_NUMBER, &to->threads, 1, THREADS_MAX, "threads that run them"},
        {"rate", "HZ", OPTION_NUMBER, &to->rate, 0, 1000000, "ticks a second; 0: no pause"},
        {"change", "PERCENT", OPTION_NUMBER, &to->change, 0, 100, "of the rows, at each tick"},
        {"busy", "NS", OPTION_NUMBER, &to->busy, 0, 1000000000, "begin, wait so long, end"},
        {"seconds", "S", OPTION_NUMBER, &to->seconds, 0, 1000000000, "end after; 0: never"},
        {"names", "BYTES", OPTION_NUMBER, &to->names, 0, NAME_MAX_BYTES - 64, "least length"},
        {"seed", "N", OPTION_NUMBER, &to->seed, 0, UINT64_MAX, "of the random numbers"},
        {"hang", NULL, OPTION_FLAG, &to->hang, 0, 0, "apply 0 stays open until the end"},
        {"hostile", NULL, OPTION_FLAG, &to->hostile, 0, 0, "names that harm careless viewers"},
        {"quiet", NULL, OPTION_FLAG, &to->quiet, 0, 0, "print nothing"},
        {0},
    };
    options_read(rows, "publishes a load of a given size and rate", count, words);
    /* Each thread needs an apply of its own. */
    if (settings->threads > settings->applies)
        settings->threads = settings->applies;
}

int main(int count, char **words)
{
    static struct load load;
    struct proftop_options options = {.size = sizeof options, .framework = "synthetic"};
    pthread_condattr_t attributes;
    sigset_t signals;

    read_settings(&load.settings, count, words);
    /* Block the signals before any thread exists, so that only the main thread takes them. */
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    pthread_mutex_init(&load.lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&load.stopped, &attributes);
    pthread_condattr_destroy(&attributes);

    load.feed = proftop_open(&options);
    if (!proftop_is_on(load.feed) && !load.settings.quiet)
        fprintf(stderr, "synthetic: not published: %s\n", proftop_reason(load.feed));
    define(&load);
    if (!load.settings.quiet) {
        printf("ready: process %ld, applies %" PRIu64 "\n", (long)getpid(), load.settings.applies);
        fflush(stdout);
    }
    run(&load, &signals);
    proftop_close(load.feed);
    pthread_cond_destroy(&load.stopped);
    pthread_mutex_destroy(&load.lock);
    free(load.functions);
    free(load.applies);
    return 0;
}
