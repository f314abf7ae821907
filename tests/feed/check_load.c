/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_load.c: libproftop.so loaded late and closed early, by several threads and repeatedly. It
 * stays in memory once loaded, since threads that used it may end at any time.
 */
#include "config.h"

#include "tap.h"

#include <dlfcn.h>
#include <pthread.h>

#include "process.h"
#include "result.h"

enum { THREADS = 4 };

/* Symbols that an engine without a link dependency looks up. */
struct library {
    void *handle;
    struct proftop *(*open)(const struct proftop_options *options);
    void (*close)(struct proftop *feed);
    int (*is_on)(const struct proftop *feed);
    const char *(*reason)(const struct proftop *feed);
    proftop_id (*op_class)(struct proftop *feed, const char *name);
    proftop_id (*op)(struct proftop *feed, proftop_id op_class, const char *text);
    proftop_id (*function)(struct proftop *feed, const struct proftop_function_info *info);
    proftop_id (*apply)(struct proftop *feed, const struct proftop_apply_info *info);
    void (*record)(struct proftop *feed, proftop_id apply, uint64_t ns);
};

static struct library load(void)
{
    struct library l = {.handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)};
    ck_assert_msg(l.handle != NULL, "%s", dlerror());
    const struct {
        void *to;
        const char *name;
    } symbols[] = {{&l.open, "proftop_open"},         {&l.close, "proftop_close"},
                   {&l.is_on, "proftop_is_on"},       {&l.reason, "proftop_reason"},
                   {&l.op_class, "proftop_class"},    {&l.op, "proftop_op"},
                   {&l.function, "proftop_function"}, {&l.apply, "proftop_apply"},
                   {&l.record, "proftop_record"}};
    for (int i = 0; i < TAP_ROWS(symbols); i++) {
        void *symbol = dlsym(l.handle, symbols[i].name);
        ck_assert_ptr_nonnull(symbol);
        memcpy(symbols[i].to, &symbol, sizeof symbol);
    }
    return l;
}

/* Opens a feed, counts, and closes it. */
static void use(const struct library *l)
{
    struct proftop *feed = l->open(NULL);
    ck_assert_str_eq(l->reason(feed), "");
    proftop_id op = l->op(feed, l->op_class(feed, "tensor.Elemwise"), "add");
    struct proftop_function_info function = {.size = sizeof function, .name = "train"};
    struct proftop_apply_info apply = {.size = sizeof apply,
                                       .function = l->function(feed, &function),
                                       .op = op,
                                       .source = PROFTOP_GIVEN};
    proftop_id id = l->apply(feed, &apply);
    ck_assert_uint_ne(id, PROFTOP_NONE);
    l->record(feed, id, 7);
    l->close(feed);
}

static void *load_and_use(void *rounds)
{
    for (int i = 0; i < *(int *)rounds; i++) {
        struct library l = load();
        use(&l);
        ck_assert_int_eq(dlclose(l.handle), 0);
    }
    return NULL;
}

/* Threads load, use and unload the library in parallel. Each ends after its last dlclose(). */
START_TEST(loaded_by_threads)
{
    int rounds = process_rounds(20, 250);
    pthread_t thread[THREADS];
    client_place();
    for (int t = 0; t < THREADS; t++)
        ck_assert_int_eq(pthread_create(&thread[t], NULL, load_and_use, &rounds), 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

/* Each load gives the same copy, so nothing leaks except this copy. */
START_TEST(loaded_again)
{
    const int rounds = process_rounds(100, 1000);
    const uint64_t alone = result_alone(rounds);
    struct result result;
    result_begin(&result);
    client_place();
    ck_assert_ptr_null(dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD));
    struct library first = load();
    use(&first);
    ck_assert_int_eq(dlclose(first.handle), 0);
    for (int i = 0; i < rounds; i++) {
        void *still = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
        ck_assert_ptr_nonnull(still);
        dlclose(still);
        struct library l = load();
        ck_assert(l.open == first.open);
        result_step(&result);
        use(&l);
        ck_assert_int_eq(dlclose(l.handle), 0);
    }
    ck_assert_uint_eq(result_digest(&result), alone);
    client_clean();
}
END_TEST

/* A feed that is open at the dlclose() works on, and says goodbye at exit. */
static void forget_it(int unused)
{
    (void)unused;
    struct library l = load();
    struct proftop *feed = l.open(NULL);
    CHILD_NEEDS(l.is_on(feed));
    CHILD_NEEDS(dlclose(l.handle) == 0);
    CHILD_NEEDS(client_count(client_place(), ".info") == 1);
    struct client c;
    client_open(&c, getpid());
    client_hello(&c);
    client_close(&c);
    CHILD_NEEDS(l.is_on(feed));
    exit(0);
}

START_TEST(unloaded_while_open)
{
    client_place();
    process_run(forget_it, 0);
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("load");
    tap_native(tap_add(s, "loaded_by_threads", loaded_by_threads));
    tap_add(s, "loaded_again", loaded_again);
    tap_add(s, "unloaded_while_open", unloaded_while_open);
    return s;
}

TAP_MAIN(suite)
