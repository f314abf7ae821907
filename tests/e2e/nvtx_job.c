/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * nvtx_job.c: speaks NVTX, by tables of its own, which an injection fills. Usage: nvtx_job MODE.
 * The injection is the library that NVTX_INJECTION64_PATH names.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "../fork.h"

struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    double payload;
    int32_t message_type;
    const void *message;
};
enum { ASCII = 1, UNICODE, REGISTERED };

typedef void (*function)(void);
enum { SIZE = 17 }; /* with one that ends the table */
static function core[SIZE], core2[SIZE];
static function *core_at[SIZE], *core2_at[SIZE];

#define CALL(table, number, result, ...) ((result(*)(__VA_ARGS__))table[number])
#define mark_ex                          CALL(core, 1, void, const struct attributes *)
#define mark                             CALL(core, 2, void, const char *)
#define range_start                      CALL(core, 5, uint64_t, const char *)
#define range_end                        CALL(core, 7, void, uint64_t)
#define push_ex                          CALL(core, 8, int, const struct attributes *)
#define push                             CALL(core, 9, int, const char *)
#define push_wide                        CALL(core, 10, int, const wchar_t *)
#define pop                              CALL(core, 11, int, void)
#define name_category                    CALL(core, 12, void, uint32_t, const char *)
#define name_thread                      CALL(core, 14, void, uint32_t, const char *)
#define domain_mark                      CALL(core2, 1, void, void *, const struct attributes *)
#define domain_start                     CALL(core2, 2, uint64_t, void *, const struct attributes *)
#define domain_end                       CALL(core2, 3, void, void *, uint64_t)
#define domain_push                      CALL(core2, 4, int, void *, const struct attributes *)
#define domain_pop                       CALL(core2, 5, int, void *)
#define domain_category                  CALL(core2, 8, void, void *, uint32_t, const char *)
#define register_string                  CALL(core2, 10, void *, void *, const char *)
#define domain_create                    CALL(core2, 12, void *, const char *)
#define domain_create_w                  CALL(core2, 13, void *, const wchar_t *)

static int module_table(int module, function ***table, unsigned *size)
{
    *table = module == 1 ? core_at : module == 5 ? core2_at : NULL;
    *size = SIZE - 1;
    return *table != NULL;
}

static const void *export_table(uint32_t id)
{
    static const struct {
        size_t size;
        int (*module)(int, function ***, unsigned *);
    } callbacks = {sizeof callbacks, module_table};
    return id == 1 ? &callbacks : NULL;
}

static int load(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    void *symbol = library ? dlsym(library, "InitializeInjectionNvtx2") : NULL;
    int (*init)(const void *(*)(uint32_t)) = NULL;
    memcpy(&init, &symbol, sizeof init);
    for (unsigned i = 1; i < SIZE - 1; i++) {
        core_at[i] = &core[i];
        core2_at[i] = &core2[i];
    }
    return init && init(export_table);
}

static const struct attributes *text(int type, const void *message, uint32_t category)
{
    static _Thread_local struct attributes is;
    is = (struct attributes){.version = 3,
                             .size = sizeof is,
                             .category = category,
                             .payload_type = 3,
                             .payload = 1.5,
                             .message_type = type,
                             .message = message};
    return &is;
}

static void *work;

static void sleep_ms(long ms)
{
    const struct timespec time = {.tv_nsec = ms * 1000000};
    nanosleep(&time, NULL);
}

static void run(const char *name)
{
    domain_push(work, text(ASCII, name, 0));
    domain_pop(work);
}

static void nest(void)
{
    void *inner = register_string(work, "inner");
    for (int i = 0; i < 20; i++) {
        domain_push(work, text(ASCII, "outer", 0));
        for (int k = 0; k < 2; k++) {
            domain_push(work, text(REGISTERED, inner, 0));
            sleep_ms(6);
            domain_pop(work);
        }
        push("plain");
        pop();
        domain_pop(work);
    }
}

/* Levels count from 0 in each domain. */
static void levels(void)
{
    void *other = domain_create("other");
    printf("%d", push("a"));
    printf(" %d", push_ex(text(ASCII, "b", 0)));
    printf(" %d", domain_push(work, text(ASCII, "c", 0)));
    printf(" %d", domain_push(other, text(ASCII, "d", 0)));
    for (int i = 0; i < 2; i++)
        printf(" %d", domain_pop(work) < 0 ? -1 : 0);
    for (int i = 0; i < 3; i++)
        printf(" %d", pop());
    printf(" %d\n", domain_pop(other));
    printf("%s %s %s\n", domain_create("other") == other ? "same" : "other",
           domain_create_w(L"other") == other ? "same" : "other",
           register_string(other, "x") == register_string(other, "x") ? "same" : "other");
    fflush(stdout);
}

static void unbalanced(void)
{
    void *other = domain_create("other");
    for (int i = 0; i < 10; i++) {
        domain_pop(work);
        domain_push(work, text(ASCII, "a", 0));
        domain_push(other, text(ASCII, "b", 0));
        domain_pop(work);
        domain_pop(other);
        pop();
    }
    for (int i = 0; i < 300; i++) /* deeper than is counted */
        domain_push(work, text(ASCII, "deep", 0));
    for (int i = 0; i < 300; i++)
        domain_pop(work);
    for (int i = 0; i < 5; i++)
        run("after");
}

static void *end_ranges(void *ids)
{
    for (int i = 0; i < 50; i++)
        domain_end(work, ((uint64_t *)ids)[i]);
    return NULL;
}

static void overlap(void)
{
    uint64_t ids[50];
    pthread_t thread;
    for (int i = 0; i < 50; i++)
        ids[i] = domain_start(work, text(ASCII, "request", 0));
    sleep_ms(5);
    pthread_create(&thread, NULL, end_ranges, ids);
    pthread_join(thread, NULL);
    range_end(ids[0]); /* not open */
    for (int i = 0; i < 6; i++)
        range_end(range_start("plain"));
}

static void names(void)
{
    struct attributes bad = {.version = 3, .size = 8, .message_type = ASCII, .message = "bad"};
    domain_category(work, 7, "io");
    name_category(7, "disk");
    for (int i = 0; i < 4; i++) {
        domain_push(work, text(UNICODE, L"h\u00e9 \u2211 \U0001f600", 0));
        domain_pop(work);
        domain_push(work, text(ASCII, "read", 7));
        domain_pop(work);
        domain_push(work, text(ASCII, "read", 8)); /* a category without a name */
        domain_pop(work);
        push_ex(text(ASCII, "read", 7));
        pop();
        push_wide(L"wide");
        pop();
        domain_push(work, &bad);
        domain_pop(work);
        domain_push(work, NULL);
        domain_pop(work);
        push(NULL);
        pop();
    }
}

static void digits(void)
{
    char name[64];
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "range %d of %d", i, 2 * i);
        run(name);
        snprintf(name, sizeof name, "span %d", i);
        domain_end(work, domain_start(work, text(ASCII, name, 0)));
        snprintf(name, sizeof name, "mark %d", i);
        domain_mark(work, text(ASCII, name, 0));
    }
    for (int i = 0; i < 200; i++) { /* more domains than there are classes */
        snprintf(name, sizeof name, "domain %c%c", 'a' + i % 26, 'a' + i / 26);
        void *domain = domain_create(name);
        domain_push(domain, text(ASCII, "x", 0));
        domain_pop(domain);
    }
}

static void marks(void)
{
    name_thread((uint32_t)syscall(SYS_gettid), "first");
    name_thread(1, "nobody");
    mark("here");
    mark_ex(text(ASCII, "here", 0));
    domain_mark(work, text(ASCII, "there", 0));
}

static void forks(void)
{
    for (int i = 0; i < 3; i++)
        run("both");
    if (fork_beside_threads() == 0) {
        for (int i = 0; i < 4; i++)
            run("both");
        exit(0);
    }
    wait(NULL);
    if (fork_beside_threads() == 0) /* reports nothing */
        exit(0);
    wait(NULL);
}

static void *run_many(void *unused)
{
    for (int i = 0; i < 10000; i++)
        run("many");
    return unused;
}

static void threads(void)
{
    pthread_t thread[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&thread[i], NULL, run_many, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], NULL);
}

static void quiet(void)
{
    register_string(domain_create("never"), "never");
    domain_category(work, 1, "never");
    name_thread((uint32_t)syscall(SYS_gettid), "quiet");
}

/* Prints what a begin and an end take, in ns: the least of seven rounds. */
static void measure(void (*once)(void))
{
    enum { TIMES = 2000000 };
    struct timespec from, to;
    double best = 1e9;
    for (int round = 0; round < 7; round++) {
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < TIMES; i++)
            once();
        clock_gettime(CLOCK_MONOTONIC, &to);
        const double ns =
            (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
        best = ns / TIMES < best ? ns / TIMES : best;
    }
    printf("%.1f\n", best);
}

static struct attributes registered;

static void push_registered(void)
{
    domain_push(work, &registered);
    domain_pop(work);
}

static void cost(void)
{
    registered = *text(REGISTERED, register_string(work, "x"), 0);
    measure(push_registered);
}

static void push_text(void)
{
    push("x");
    pop();
}

static void cost_of_texts(void)
{
    measure(push_text);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"nest", nest},       {"levels", levels}, {"unbalanced", unbalanced},
                 {"overlap", overlap}, {"names", names},   {"digits", digits},
                 {"marks", marks},     {"forks", forks},   {"threads", threads},
                 {"quiet", quiet},     {"cost", cost},     {"cost_of_texts", cost_of_texts}};
    if (!load()) {
        puts("no injection");
        return 0;
    }
    work = domain_create("work");
    for (unsigned i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            modes[i].run();
    return 0;
}
