/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_memory.c: memory and scopes after calls of proftop_objects.h, as a viewer sees them.
 */
#include "config.h"

#include "../tap.h"
#include "client.h"

#include <pthread.h>

#include "reading.h"
#include "domain.h" /* last: it defines names that the others use */

enum { THREADS = 4, ADDS = 1000000 };

/* -------------------------------------------------------------------------------------- memory */

START_TEST(the_peak_is_kept_at_allocation)
{
    proftop_id memory = proftop_memory(feed, "gpu/0", "storage", "");
    proftop_memory_alloc(feed, memory, 1 << 20);
    proftop_memory_alloc(feed, memory, 3 << 20);
    proftop_memory_free(feed, memory, 3 << 20);
    struct counter_view view = objects_counter(feed, memory);
    ck_assert_uint_eq(view.value, 1048576);
    ck_assert_uint_eq(view.max, 4194304);
    ck_assert_uint_eq(view.updates, 3);
    ck_assert_uint_eq(view.limit, PROFTOP_UNKNOWN);
    proftop_memory_limit(feed, memory, 8 << 20);
    ck_assert_uint_eq(objects_counter(feed, memory).limit, 8388608);
    proftop_memory_limit(feed, memory, PROFTOP_UNKNOWN);
    ck_assert_uint_eq(objects_counter(feed, memory).limit, PROFTOP_UNKNOWN);
}
END_TEST

START_TEST(a_scope_and_its_pool_have_peaks_of_their_own)
{
    proftop_id a = proftop_memory(feed, "gpu/0", "storage", "a");
    proftop_id b = proftop_memory(feed, "gpu/0", "storage", "b:");
    proftop_id pool = proftop_memory(feed, "gpu/0", "storage", "");
    ck_assert_uint_eq(proftop_memory(feed, "gpu/0", "storage", "a:"), a);
    ck_assert_uint_ne(proftop_memory(feed, "gpu/1", "storage", "a:"), a);
    proftop_memory_alloc(feed, a, 100);
    proftop_memory_free(feed, a, 100);
    proftop_memory_alloc(feed, b, 70);
    ck_assert_uint_eq(objects_counter(feed, a).max, 100);
    ck_assert_uint_eq(objects_counter(feed, b).max, 70);
    ck_assert_uint_eq(objects_counter(feed, pool).max, 100);
    ck_assert_uint_eq(objects_counter(feed, pool).value, 70);
}
END_TEST

START_TEST(more_freed_than_there_is_leaves_nothing)
{
    proftop_id memory = proftop_memory(feed, "gpu/0", NULL, "");
    proftop_memory_alloc(feed, memory, 10);
    proftop_memory_free(feed, memory, 11);
    ck_assert_uint_eq(objects_counter(feed, memory).value, 0);
    proftop_memory_alloc(feed, memory, PROFTOP_UNKNOWN);
    ck_assert_uint_eq(objects_counter(feed, memory).value, 0);
    ck_assert_uint_eq(objects_invalid(feed), 2);
    ck_assert_uint_eq(proftop_memory(feed, "", "p", ""), PROFTOP_NONE);
    ck_assert_uint_eq(proftop_memory(feed, NULL, "p", ""), PROFTOP_NONE);
    ck_assert_uint_eq(objects_misuse(feed), 2);
}
END_TEST

/* Memory is freed on the pool only, so the scope's value keeps growing, up to the bound. */
START_TEST(a_scope_is_bounded_as_its_pool_is)
{
    proftop_id scope = proftop_memory(feed, "gpu/0", "storage", "a");
    proftop_id pool = proftop_memory(feed, "gpu/0", "storage", "");
    for (int i = 0; i < 9; i++) {
        proftop_memory_alloc(feed, scope, UINT64_C(1) << 61);
        proftop_memory_free(feed, pool, UINT64_C(1) << 61);
    }
    ck_assert_uint_eq(objects_counter(feed, scope).value, UINT64_C(1) << 62);
    ck_assert_uint_eq(objects_counter(feed, scope).max, UINT64_C(1) << 62);
    ck_assert_uint_eq(objects_counter(feed, scope).updates, 2);
    ck_assert_uint_eq(objects_counter(feed, pool).value, 0);
    ck_assert_uint_eq(objects_invalid(feed), 2 * 7);     /* a refused one can't be freed */
    proftop_memory_free(feed, scope, UINT64_C(1) << 62); /* the pool is empty */
    proftop_memory_alloc(feed, scope, 5);
    ck_assert_uint_eq(objects_counter(feed, scope).value, 5);
    ck_assert_uint_eq(objects_counter(feed, pool).value, 5);
    ck_assert_uint_eq(objects_invalid(feed), 2 * 7 + 1);
}
END_TEST

static pthread_barrier_t all;

/* Each thread holds at most one piece, so at most THREADS pieces exist at a time. */
static void *hold_and_free(void *at)
{
    proftop_id memory = *(proftop_id *)at;
    for (int i = 0; i < ADDS / 10; i++) {
        proftop_memory_alloc(feed, memory, 1000);
        proftop_memory_free(feed, memory, 1000);
    }
    return NULL;
}

START_TEST(threads_share_memory)
{
    pthread_t thread[THREADS];
    proftop_id memory = proftop_memory(feed, "cpu", "pool", "a");
    proftop_id pool = proftop_memory(feed, "cpu", "pool", "");
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, hold_and_free, &memory), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    proftop_id of[] = {memory, pool};
    for (int i = 0; i < 2; i++) {
        struct counter_view view = objects_counter(feed, of[i]);
        ck_assert_uint_eq(view.value, 0);
        ck_assert_uint_ge(view.max, 1000);
        ck_assert_uint_le(view.max, 1000 * THREADS);
        ck_assert_uint_eq(view.updates, 2 * THREADS * (ADDS / 10));
    }
}
END_TEST

/* All threads hold their piece at the same time, then none does. */
static void *hold_together(void *at)
{
    proftop_id memory = *(proftop_id *)at;
    for (int i = 0; i < 1000; i += (int)tap_stride()) {
        proftop_memory_alloc(feed, memory, 1000);
        pthread_barrier_wait(&all);
        proftop_memory_free(feed, memory, 1000);
        pthread_barrier_wait(&all);
    }
    return NULL;
}

START_TEST(the_peak_of_threads_is_exact)
{
    pthread_t thread[THREADS];
    proftop_id of[] = {proftop_memory(feed, "cpu", "pool", "a"),
                       proftop_memory(feed, "cpu", "pool", "")};
    pthread_barrier_init(&all, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, hold_together, &of[0]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&all);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(objects_counter(feed, of[i]).value, 0);
        ck_assert_uint_eq(objects_counter(feed, of[i]).max, 1000 * THREADS);
    }
}
END_TEST

/* -------------------------------------------------------------------------------------- scopes */

static const struct {
    const char *outer, *name; /* outer NULL: none */
    int append;
    const char *full;
} scope_names[] = {
    {NULL, "a", 1, "a:"},   {NULL, "a:", 1, "a:"},      {NULL, "", 1, "<unk>:"},
    {NULL, NULL, 1, "<unk>:"}, {"a", "b", 1, "a:b:"},   {"a", "b", 0, "b:"},
    {"", "b", 1, "b:"},     {"a:b", "c:", 1, "a:b:c:"},
};

START_TEST(scope_has_its_full_name)
{
    ck_assert_str_eq(proftop_scope(feed), "<unk>:");
    if (scope_names[_i].outer != NULL)
        proftop_scope_push(feed, scope_names[_i].outer, 1);
    const char *around = proftop_scope(feed);
    ck_assert_str_eq(proftop_scope_push(feed, scope_names[_i].name, scope_names[_i].append),
                     scope_names[_i].full);
    ck_assert_str_eq(proftop_scope(feed), scope_names[_i].full);
    proftop_scope_pop(feed);
    ck_assert_str_eq(proftop_scope(feed), around);
    ck_assert_uint_eq(objects_misuse(feed), 0);
}
END_TEST

START_TEST(a_pop_too_many_is_misuse)
{
    proftop_scope_push(feed, "a", 1);
    proftop_scope_pop(feed);
    proftop_scope_pop(feed);
    ck_assert_str_eq(proftop_scope(feed), "<unk>:");
    ck_assert_uint_eq(objects_misuse(feed), 1);
}
END_TEST

START_TEST(scopes_too_deep_keep_the_last_name)
{
    enum { DEEP = 64 }; /* as proftop_objects.h states */
    for (int i = 0; i < DEEP; i++)
        proftop_scope_push(feed, i == DEEP - 1 ? "last" : "s", 0);
    ck_assert_str_eq(proftop_scope_push(feed, "deeper", 0), "last:");
    proftop_scope_pop(feed);
    ck_assert_str_eq(proftop_scope(feed), "last:");
    proftop_scope_pop(feed);
    ck_assert_str_eq(proftop_scope(feed), "s:");
}
END_TEST

/* The location of an apply that is defined now, as viewers are told. */
static const char *where_now(const char *location)
{
    struct proftop_function_info function = {.size = sizeof function, .name = "f"};
    struct proftop_apply_info info = {.size = sizeof info, .location = location};
    info.function = proftop_function(feed, &function);
    info.op = proftop_op(feed, proftop_class(feed, "C"), "o");
    proftop_id apply = proftop_apply(feed, &info);
    ck_assert_uint_ne(apply, PROFTOP_NONE);
    enum { WHERE = 4 };
    return objects_text(feed, WIRE_G_APPLY, WHERE, apply);
}

static const struct {
    const char *outer, *name; /* of scopes; NULL: none */
    int append;
    const char *location, *where;
} places[] = {
    {NULL, NULL, 1, NULL, ""},       {NULL, NULL, 1, "a.py:1", "a.py:1"},
    {NULL, "a", 1, NULL, "a:"},      {NULL, "a", 1, "a.py:1", "a.py:1"},
    {NULL, "a", 1, "", ""},          {"a", "b", 1, NULL, "a:b:"},
    {"a", "b", 0, NULL, "b:"},       {NULL, "", 1, NULL, ""},
};

static void check_where(const char *location, const char *expected)
{
    ck_assert_str_eq(where_now(location), expected);
}

START_TEST(an_apply_is_of_the_scope_that_defines_it)
{
    const char *const name[] = {places[_i].outer, places[_i].name};
    for (int i = 0; i < 2; i++)
        if (name[i] != NULL)
            proftop_scope_push(feed, name[i], i == 0 || places[_i].append);
    check_where(places[_i].location, places[_i].where);
    for (int i = 0; i < 2; i++)
        if (name[i] != NULL)
            proftop_scope_pop(feed);
    check_where(NULL, "");
    ck_assert_uint_eq(objects_misuse(feed), 0);
}
END_TEST

static void *define_apply(void *unused)
{
    (void)unused;
    proftop_thread_name(feed, "one"); /* from here on it reuses the earlier thread's entry */
    check_where(NULL, "");
    proftop_scope_push(feed, "inner", 1); /* and leaves it open */
    check_where(NULL, "inner:");
    return NULL;
}

START_TEST(an_apply_is_of_no_other_threads_scope)
{
    pthread_t thread;
    proftop_scope_push(feed, "outer", 1);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pthread_create(&thread, NULL, define_apply, NULL), 0);
        pthread_join(thread, NULL);
    }
    check_where(NULL, "outer:");
}
END_TEST

static pthread_barrier_t both;

static void *allocate_in_scope(void *name)
{
    proftop_scope_push(feed, name, 1);
    pthread_barrier_wait(&both);
    for (int i = 0; i < 1000; i++)
        proftop_memory_alloc(feed, proftop_memory(feed, "cpu", "pool", NULL), 3);
    pthread_barrier_wait(&both);
    proftop_scope_pop(feed);
    return NULL;
}

START_TEST(scopes_of_threads_never_mix)
{
    static char a[] = "a", b[] = "b";
    pthread_t thread[2];
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread[0], NULL, allocate_in_scope, a);
    pthread_create(&thread[1], NULL, allocate_in_scope, b);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&both);
    ck_assert_str_eq(proftop_scope(feed), "<unk>:");
    const char *scopes[] = {"a:", "b:", ""};
    for (int i = 0; i < 3; i++) {
        proftop_id memory = proftop_memory(feed, "cpu", "pool", scopes[i]);
        ck_assert_uint_eq(objects_counter(feed, memory).value, i < 2 ? 3000 : 6000);
    }
}
END_TEST

static void teardown(void)
{
    reading_end();
    domain_close();
}

#define ADD(suite, test, rows) TAP_ADD_BETWEEN(suite, test, rows, domain_open, teardown)

static Suite *suite(void)
{
    Suite *s = suite_create("memory");
    ADD(s, the_peak_is_kept_at_allocation, 1);
    ADD(s, a_scope_and_its_pool_have_peaks_of_their_own, 1);
    ADD(s, more_freed_than_there_is_leaves_nothing, 1);
    ADD(s, a_scope_is_bounded_as_its_pool_is, 1);
    ADD(s, threads_share_memory, 1);
    ADD(s, the_peak_of_threads_is_exact, 1);
    ADD(s, scope_has_its_full_name, TAP_ROWS(scope_names));
    ADD(s, a_pop_too_many_is_misuse, 1);
    ADD(s, scopes_too_deep_keep_the_last_name, 1);
    ADD(s, an_apply_is_of_the_scope_that_defines_it, TAP_ROWS(places));
    ADD(s, an_apply_is_of_no_other_threads_scope, 1);
    ADD(s, scopes_of_threads_never_mix, 1);
    return s;
}

TAP_MAIN(suite)
