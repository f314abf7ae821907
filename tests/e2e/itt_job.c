/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * itt_job.c: speaks ITT, by a static part of its own: a list of functions, which a collector fills.
 * Usage: itt_job MODE [LIBRARY]. The collector is the library that INTEL_LIBITTNOTIFY64 names.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../fork.h"

struct id {
    unsigned long long part[3];
};
struct domain {
    volatile int flags;
    const char *name;
    void *wide;
    int extra1;
    void *extra2;
    struct domain *next;
};
struct text {
    const char *text;
    void *wide;
    int extra1;
    void *extra2;
    struct text *next;
};
/* A counter that the static part has made before there was a collector. */
struct counter {
    const char *name;
    void *wide;
    const char *domain;
    void *wide_domain;
    int type;
    long index;
    int extra1;
    void *extra2;
    struct counter *next;
};
enum { U64 = 1, S64, U32, S32, U16, S16, FLOAT, DOUBLE };

static struct domain *(*domain_create)(const char *);
static struct text *(*string_handle_create)(const char *);
static void (*task_begin)(const struct domain *, struct id, struct id, struct text *);
static void (*task_begin_fn)(const struct domain *, struct id, struct id, void *);
static void (*task_end)(const struct domain *);
static void (*task_begin_overlapped)(const struct domain *, struct id, struct id, struct text *);
static void (*task_end_overlapped)(const struct domain *, struct id);
static void (*region_begin)(const struct domain *, struct id, struct id, struct text *);
static void (*region_end)(const struct domain *, struct id);
static void (*frame_begin)(const struct domain *, struct id *);
static void (*frame_end)(const struct domain *, struct id *);
static void (*frame_submit)(const struct domain *, struct id *, unsigned long long,
                            unsigned long long);
static unsigned long long (*get_timestamp)(void);
static struct counter *(*counter_create)(const char *, const char *);
static struct counter *(*counter_create_typed)(const char *, const char *, int);
static void (*counter_inc)(struct counter *);
static void (*counter_inc_delta)(struct counter *, unsigned long long);
static void (*counter_dec)(struct counter *);
static void (*counter_set_value)(struct counter *, void *);
static void (*marker)(const struct domain *, struct id, struct text *, int);
static int (*event_create)(const char *, int);
static int (*event_start)(int);
static int (*event_end)(int);
static void (*pause_all)(void);
static void (*resume_all)(void);
static void (*thread_set_name)(const char *);
static void (*metadata_add)(void);

static void nothing(void)
{
}

#define ENTRY(name, to)                                                                            \
    {                                                                                              \
        "__itt_" name, (void **)(void *)&to, NULL, NULL, 1                                         \
    }
static struct entry {
    const char *name;
    void **to;
    void *first, *nothing;
    int group;
} entries[] = {
    ENTRY("domain_create", domain_create),
    ENTRY("string_handle_create", string_handle_create),
    ENTRY("task_begin", task_begin),
    ENTRY("task_begin_fn", task_begin_fn),
    ENTRY("task_end", task_end),
    ENTRY("task_begin_overlapped", task_begin_overlapped),
    ENTRY("task_end_overlapped", task_end_overlapped),
    ENTRY("region_begin", region_begin),
    ENTRY("region_end", region_end),
    ENTRY("frame_begin_v3", frame_begin),
    ENTRY("frame_end_v3", frame_end),
    ENTRY("frame_submit_v3", frame_submit),
    ENTRY("get_timestamp", get_timestamp),
    ENTRY("counter_create", counter_create),
    ENTRY("counter_create_typed", counter_create_typed),
    ENTRY("counter_inc", counter_inc),
    ENTRY("counter_inc_delta", counter_inc_delta),
    ENTRY("counter_dec", counter_dec),
    ENTRY("counter_set_value", counter_set_value),
    ENTRY("marker", marker),
    ENTRY("event_create", event_create),
    ENTRY("event_start", event_start),
    ENTRY("event_end", event_end),
    ENTRY("pause", pause_all),
    ENTRY("resume", resume_all),
    ENTRY("thread_set_name", thread_set_name),
    ENTRY("metadata_add", metadata_add),
    {NULL, NULL, NULL, NULL, 0},
};

static struct global {
    unsigned char magic[8];
    unsigned long major, minor, build;
    volatile long begun, locked, counted;
    pthread_mutex_t lock;
    void *library, *error;
    const char **paths;
    struct entry *entries;
} global = {.magic = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30},
            .major = 3,
            .build = 20250807,
            .lock = PTHREAD_MUTEX_INITIALIZER,
            .entries = entries};

/* LIBRARY reports an event from its constructor, by this function. */
__attribute__((visibility("default"))) void from_constructor(void);

static const struct id none;
static const struct domain *domain;

/* As the static part does: under its lock. Without a collector each function does nothing. */
static int load(void)
{
    const char *path = getenv("INTEL_LIBITTNOTIFY64");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    void (*init)(struct global *, int) = NULL;
    void *symbol = library ? dlsym(library, "__itt_api_init") : NULL;
    memcpy(&init, &symbol, sizeof init);
    for (struct entry *entry = entries; entry->name; entry++)
        *entry->to = entry->nothing = (void *)nothing;
    pthread_mutex_lock(&global.lock);
    if (init)
        init(&global, 0x7fffffff);
    pthread_mutex_unlock(&global.lock);
    return task_begin != (void *)nothing;
}

static void sleep_ms(long ms)
{
    const struct timespec time = {.tv_nsec = ms * 1000000};
    nanosleep(&time, NULL);
}

static struct text *named(const char *what, int number)
{
    char text[64];
    snprintf(text, sizeof text, "%s %d", what, number);
    return string_handle_create(text);
}

static void run(const char *name)
{
    task_begin(domain, none, none, string_handle_create(name));
    task_end(domain);
}

static void nest(void)
{
    struct text *outer = string_handle_create("outer"), *inner = string_handle_create("inner");
    const struct domain *other = domain_create("other");
    for (int i = 0; i < 20; i++) {
        task_begin(domain, none, none, outer);
        for (int k = 0; k < 2; k++) {
            task_begin(domain, none, none, inner);
            sleep_ms(6);
            task_end(domain);
        }
        task_begin_fn(other, none, none, (void *)from_constructor);
        task_end(other);
        task_end(domain);
    }
    metadata_add();
}

/* Ends without begins, begins without ends, and two domains that do not nest. */
static void unbalanced(void)
{
    const struct domain *other = domain_create("other");
    for (int i = 0; i < 10; i++) {
        task_end(domain);
        task_begin(domain, none, none, string_handle_create("a"));
        task_begin(other, none, none, string_handle_create("b"));
        task_end(domain);
        task_end(other);
        task_end(other);
    }
    for (int i = 0; i < 300; i++) /* deeper than is counted */
        task_begin(domain, none, none, string_handle_create("deep"));
    for (int i = 0; i < 300; i++)
        task_end(domain);
    for (int i = 0; i < 5; i++)
        run("after");
}

static void *end_tasks(void *count)
{
    for (int i = 0; i < *(int *)count; i++)
        task_end_overlapped(domain, (struct id){{1, (unsigned)i, 0}});
    return NULL;
}

static void overlap(void)
{
    int count = 50;
    pthread_t thread;
    for (int i = 0; i < count; i++)
        task_begin_overlapped(domain, (struct id){{1, (unsigned)i, 0}}, none,
                              string_handle_create("request"));
    sleep_ms(5);
    pthread_create(&thread, NULL, end_tasks, &count);
    pthread_join(thread, NULL);
    task_end_overlapped(domain, (struct id){{9, 9, 9}}); /* not open */
    for (int i = 0; i < 7; i++) {
        const struct id id = {{2, 0, 0}};
        region_begin(domain, id, none, string_handle_create("region"));
        region_begin(domain, id, none, string_handle_create("region")); /* open already */
        region_end(domain, id);
    }
}

/* 5,000 spans whose ends do not come, then spans that end, then the ends of the first and of the
 * last one. */
static void lasting(void)
{
    for (unsigned i = 0; i < 5000; i++)
        task_begin_overlapped(domain, (struct id){{1, i, 0}}, none,
                              string_handle_create("lasting"));
    for (unsigned i = 0; i < 10; i++) {
        task_begin_overlapped(domain, (struct id){{2, i, 0}}, none, string_handle_create("short"));
        task_end_overlapped(domain, (struct id){{2, i, 0}});
    }
    task_end_overlapped(domain, (struct id){{1, 0, 0}});
    task_end_overlapped(domain, (struct id){{1, 4999, 0}});
}

/* Tasks that are named by functions: 676 of each thread, which begins them at the same time as the
 * other. A table of as many places as bytes are here, by 16, has one place for each two. */
#define LABELS "abcdefghijklmnopqrstuvwxyz"
__asm__(".pushsection .text\n"
        ".balign 16384\n.irpc a," LABELS "\n.irpc b," LABELS
        "\n.globl left_\\a\\b\nleft_\\a\\b: .zero 16\n.endr\n.endr\n"
        ".balign 16384\n.irpc a," LABELS "\n.irpc b," LABELS
        "\n.globl right_\\a\\b\nright_\\a\\b: .zero 16\n.endr\n.endr\n"
        ".popsection");
extern char left_aa[], right_aa[];
enum { LABELLED = 26 * 26 };
static atomic_int arrived;

static void *run_labelled(void *first)
{
    for (int i = 0; i < LABELLED; i++) {
        atomic_fetch_add(&arrived, 1);
        while (atomic_load(&arrived) < 2 * (i + 1))
            sched_yield();
        for (int again = 0; again < 2; again++) {
            task_begin_fn(domain, none, none, (char *)first + 16 * i);
            task_end(domain);
        }
    }
    return NULL;
}

static void labelled(void)
{
    pthread_t thread;
    run("opens the feed");
    pthread_create(&thread, NULL, run_labelled, right_aa);
    run_labelled(left_aa);
    pthread_join(thread, NULL);
}

static void digits(void)
{
    for (int i = 0; i < 200; i++) {
        task_begin(domain, none, none, named("task", i));
        task_end(domain);
        task_begin_overlapped(domain, (struct id){{1, 0, 0}}, none, named("span", i));
        task_end_overlapped(domain, (struct id){{1, 0, 0}});
        marker(domain, none, named("mark", i), 3);
    }
    for (int i = 0; i < 1000; i++) { /* names that do not fold */
        char name[] = {'s', (char)('a' + i % 26), (char)('a' + i / 26 % 26), (char)('a' + i / 676),
                       0};
        task_begin_overlapped(domain, (struct id){{1, 0, 0}}, none, string_handle_create(name));
        task_end_overlapped(domain, (struct id){{1, 0, 0}});
    }
}

static void count(void)
{
    struct counter *plain = counter_create("plain", "work");
    struct counter *large = counter_create_typed("large", "work", S64);
    struct counter *small = counter_create_typed("small", "work", S16);
    struct counter *real = counter_create_typed("real", "work", DOUBLE);
    struct counter early = {.name = "early", .domain = "work", .type = U32};
    long long below = -5000000000;
    short least = -7;
    double half = 2.5;
    unsigned seven = 7;
    for (int i = 0; i < 10; i++)
        counter_inc(plain);
    counter_inc_delta(plain, 32);
    counter_dec(plain);
    counter_set_value(large, &below);
    counter_set_value(small, &least);
    counter_set_value(real, &half);
    counter_set_value(&early, &seven);
    counter_inc(NULL);
    if (counter_create("plain", "work") != plain)
        puts("two counters of one name");
}

static void rest(void)
{
    struct id id = {{5, 0, 0}};
    const int event = event_create("eventful", 5);
    thread_set_name("first");
    for (int i = 0; i < 30; i++) {
        frame_begin(domain, NULL);
        frame_end(domain, NULL);
    }
    for (int i = 0; i < 3; i++) {
        frame_begin(domain, &id);
        frame_end(domain, &id);
        const unsigned long long now = get_timestamp();
        frame_submit(domain, NULL, now - 1000, now);
        event_start(event);
        event_start(event);
        event_end(event);
        event_end(event);
    }
    marker(domain, none, string_handle_create("here"), 1);
    marker(domain, none, string_handle_create("here"), 3);
    run("counted");
    pause_all();
    run("paused");
    resume_all();
    run("counted");
}

static void handles(void)
{
    const struct domain *same = domain_create("work");
    printf("%s %s %d %s\n", same == domain ? "same" : "other",
           string_handle_create("x") == string_handle_create("x") ? "same" : "other", same->flags,
           same->name);
    printf("%s\n", string_handle_create("h\xc3\xa9")->text);
    fflush(stdout);
    struct domain early = {.flags = 1, .name = "work"}; /* made before the collector came */
    struct text name = {.text = "h\xc3\xa9"};
    for (int i = 0; i < 4; i++) {
        task_begin(&early, none, none, &name);
        task_end(&early);
    }
    task_begin(domain, none, none, NULL);
    task_end(domain);
}

/* The parent has 3 runs, the child 4 and 1 that it ends for its parent, its child 5. */
static void forks(void)
{
    for (int i = 0; i < 3; i++)
        run("both");
    task_begin(domain, none, none, string_handle_create("around"));
    if (fork_beside_threads() == 0) {
        task_end(domain);
        for (int i = 0; i < 4; i++)
            run("both");
        marker(domain, none, string_handle_create("child"), 1);
        if (fork_beside_threads() == 0) {
            for (int i = 0; i < 5; i++)
                run("both");
            exit(0);
        }
        wait(NULL);
        exit(0);
    }
    wait(NULL);
    task_end(domain);
}

/* Nothing here is an event. */
static void quiet(void)
{
    domain_create("never");
    string_handle_create("never");
    thread_set_name("quiet");
    counter_create("never", "never");
    event_create("never", 5);
}

void from_constructor(void)
{
    run("inside");
}

static void inside_dlopen(const char *path)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (!path || !dlopen(path, RTLD_NOW))
        printf("%s\n", dlerror());
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%.3f\n", (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9);
    fflush(stdout);
    for (int i = 0; i < 500 && i * 10 < 5000; i++) {
        run("later");
        sleep_ms(10);
    }
}

/* Prints what a begin and an end take, in ns: the least of seven rounds. */
static void measure(void (*once)(struct text *name))
{
    enum { TIMES = 2000000 };
    struct timespec from, to;
    struct text *name = string_handle_create("x");
    double best = 1e9;
    for (int round = 0; round < 7; round++) {
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < TIMES; i++)
            once(name);
        clock_gettime(CLOCK_MONOTONIC, &to);
        const double ns =
            (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
        best = ns / TIMES < best ? ns / TIMES : best;
    }
    printf("%.1f\n", best);
}

static void run_named(struct text *name)
{
    task_begin(domain, none, none, name);
    task_end(domain);
}

static void cost(void)
{
    measure(run_named);
}

static void run_with_id(struct text *name)
{
    const struct id id = {{1, 2, 0}};
    task_begin_overlapped(domain, id, none, name);
    task_end_overlapped(domain, id);
}

static void cost_of_ids(void)
{
    measure(run_with_id);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"nest", nest},
                 {"unbalanced", unbalanced},
                 {"overlap", overlap},
                 {"digits", digits},
                 {"count", count},
                 {"rest", rest},
                 {"handles", handles},
                 {"forks", forks},
                 {"quiet", quiet},
                 {"lasting", lasting},
                 {"labelled", labelled},
                 {"cost", cost},
                 {"cost_of_ids", cost_of_ids}};
    if (!load()) {
        puts("no collector");
        return 0;
    }
    domain = domain_create("work");
    for (unsigned i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            modes[i].run();
    if (argc > 2 && strcmp(argv[1], "constructor") == 0)
        inside_dlopen(argv[2]);
    return 0;
}
