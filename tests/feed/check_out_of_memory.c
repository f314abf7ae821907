/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_out_of_memory.c: each allocation of libproftop fails in turn: alone, or with all later
 * ones. Meanwhile a program defines a graph and other objects, computes, is viewed, prints and
 * dumps, and starts again; and a child continues with the graph. Allocations fail in libproftop and
 * in this file, but not in libzmq, which would abort. For libzmq, publisher_resource_memory() is
 * injected instead.
 *
 * The test reads in the feed itself what is dropped, since a feed that is out of memory may accept
 * no viewer that could ask for it.
 */
#include "config.h"

#include "tap.h"

#include <pthread.h>

#include "feed/publisher/record/core.h"
#include "process.h"
#include "proftop_control.h"
#include "proftop_adapter.h"
#include "proftop_objects.h"
#include "reading.h"
#include "result.h"
#include "scarce.h"

/* Check's assertions allocate, and here these allocations may fail. */
#define NEEDS(condition)                                                                           \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            scarce_exempt = true;                                                                  \
            ck_abort_msg("%s", #condition);                                                        \
        }                                                                                          \
    while (0)

enum { ONE, ALL_FROM, WAYS };
enum { APPLIES = 2500, CALLS = 3, THREADS = 2, STEPS = 50, TOLD = 5, LATE_CALLS = 1000 };

static struct proftop *feed;
static proftop_id id[APPLIES + 1]; /* the last has an op of its own */
static _Atomic uint64_t made;
static uint64_t dropped_before; /* before any counting */

/* Counts on each apply that could be defined. */
static void *count_all(void *unused)
{
    for (int call = 0; call < CALLS; call++)
        for (int i = 0; i < APPLIES; i++)
            if (id[i] != PROFTOP_NONE) {
                proftop_end(feed, id[i], proftop_begin(feed, id[i]));
                atomic_fetch_add(&made, 1);
            }
    return unused;
}

static void count_late(void)
{
    for (int i = 0; i < LATE_CALLS && id[APPLIES] != PROFTOP_NONE; i++) {
        proftop_end(feed, id[APPLIES], proftop_begin(feed, id[APPLIES]));
        atomic_fetch_add(&made, 1);
    }
}

static void define(void)
{
    proftop_id elemwise = proftop_class(feed, "tensor.Elemwise");
    proftop_id op = proftop_op(feed, elemwise, "add"), late = proftop_op(feed, elemwise, "mul");
    struct proftop_function_info info = {.size = sizeof info, .name = "train"};
    proftop_id function = proftop_function(feed, &info);
    for (uint32_t i = 0; i <= APPLIES; i++) {
        struct proftop_apply_info apply = {.size = sizeof apply,
                                           .function = function,
                                           .op = i == APPLIES ? late : op,
                                           .index = i,
                                           .text = "a text of some length, to fill an arena",
                                           .source = PROFTOP_TIMED};
        id[i] = proftop_apply(feed, &apply);
    }
    const proftop_id node = proftop_node(feed, "named", "tensor.Elemwise", "add", NULL);
    const proftop_id next = proftop_node(feed, "named", "tensor.Elemwise", "add", "add(x, 1)");
    NEEDS(node == PROFTOP_NONE || next == PROFTOP_NONE || next == node + 1);
    struct proftop_apply_detail_info detail = PROFTOP_APPLY_DETAIL;
    detail.flops = 7;
    proftop_apply_detail(feed, id[0], &detail);
    proftop_metric_add(feed, proftop_metric(feed, "work", "bytes", PROFTOP_SUM), id[0], 5);
    proftop_id phase =
        proftop_phase_begin(feed, function, PROFTOP_NONE, PROFTOP_PHASE_REWRITE, "fuse", 9);
    proftop_phase_end(feed, phase, 1, 8);
    proftop_compile_begin(feed, function);
    proftop_compile_end(feed, function, NULL);
    proftop_notice(feed, 1, "memory is short");
    proftop_thread_name(feed, "main");
    proftop_route(feed, "by hand");
    proftop_facts(feed, "linker=none");
}

/* ------------------------------------------------------------------ what is said beside graphs */

static uint64_t dropped(void)
{
    uint64_t n = 0;
    for (int i = 0; i < PUBLISHER_LOSTS; i++)
        n += publisher_load(&feed->lost[i]);
    return n;
}

enum { RUNS = 3, PIECE = 4096 };

/* Defined objects, and actions that the feed does not count as dropped. */
static struct {
    proftop_id counter, real, memory, pool, task, frame;
    uint64_t dropped; /* so far */
    int64_t value, updates, bytes, peak, tasks, frames;
    bool set;
} beside;

/* True if everything since the last call succeeded. */
static bool is_done(void)
{
    uint64_t before = beside.dropped;
    beside.dropped = dropped();
    return beside.dropped == before;
}

static void count(proftop_id domain)
{
    static const int64_t deltas[] = {10, -3};
    is_done();
    beside.counter = proftop_counter_from(feed, domain, "rows", "rows", 5);
    beside.updates = is_done();
    beside.value = 5 * beside.updates;
    for (int i = 0; i < 2; i++) {
        proftop_counter_add(feed, beside.counter, deltas[i]);
        bool done = is_done();
        beside.updates += done;
        beside.value += done ? deltas[i] : 0;
    }
    beside.real = proftop_counter_from_f64(feed, domain, "load", NULL, 2.5);
    beside.set = is_done();
}

static void allocate(void)
{
    static const int64_t pieces[] = {PIECE, PIECE, -PIECE};
    const char *full = proftop_scope_push(feed, "layer", 1);
    NEEDS(strcmp(full, "layer:") == 0 || strcmp(full, "<unk>:") == 0);
    beside.memory = proftop_memory(feed, "gpu/0", "storage", "layer");
    beside.pool = proftop_memory(feed, "gpu/0", "storage", "");
    is_done();
    for (int i = 0; i < 3; i++) {
        if (pieces[i] > 0)
            proftop_memory_alloc(feed, beside.memory, PIECE);
        else
            proftop_memory_free(feed, beside.memory, PIECE);
        beside.bytes += is_done() ? pieces[i] : 0;
        beside.peak = beside.bytes > beside.peak ? beside.bytes : beside.peak;
    }
    proftop_scope_pop(feed);
    NEEDS(strcmp(proftop_scope(feed), "<unk>:") == 0);
}

static void say_beside(void)
{
    memset(&beside, 0, sizeof beside);
    beside.dropped = dropped();
    proftop_id domain = proftop_domain(feed, "io");
    proftop_id marker = proftop_marker(feed, domain, "here");
    count(domain);
    allocate();
    beside.task = proftop_task(feed, domain, "read");
    beside.frame = proftop_frame(feed, domain, "pass");
    for (int i = 0; i < RUNS; i++) {
        struct proftop_run task = proftop_task_start(feed, beside.task);
        struct proftop_run frame = proftop_frame_start(feed, beside.frame);
        beside.tasks += task.start != 0;
        beside.frames += frame.start != 0;
        proftop_frame_stop(feed, frame);
        proftop_task_stop(feed, task);
    }
    NEEDS(proftop_mark(feed, marker, "task") == NULL);
}

/* Checks the values of all objects that could be defined. */
static void beside_is_right(void)
{
    if (beside.counter != PROFTOP_NONE) {
        struct counter_view view = objects_counter(feed, beside.counter);
        ck_assert_int_eq((int64_t)view.value, beside.value);
        ck_assert_int_eq((int64_t)view.updates, beside.updates);
    }
    if (beside.real != PROFTOP_NONE && beside.set)
        ck_assert_double_eq(objects_double(objects_counter(feed, beside.real).value), 2.5);
    for (int i = 0; i < 2 && beside.memory != PROFTOP_NONE; i++) {
        proftop_id of = i == 0 ? beside.memory : beside.pool;
        ck_assert_int_eq((int64_t)objects_counter(feed, of).value, beside.bytes);
        ck_assert_int_eq((int64_t)objects_counter(feed, of).max, beside.peak);
    }
    if (beside.task != PROFTOP_NONE)
        ck_assert_int_eq((int64_t)objects_span(feed, beside.task).calls, beside.tasks);
    if (beside.frame != PROFTOP_NONE)
        ck_assert_int_eq((int64_t)objects_span(feed, beside.frame).calls, beside.frames);
    reading_end();
}

/* --------------------------------------------------------------------------------- its control */

static char dump_path[300];

/* Checks that the call either succeeded or gave a sentence. */
static void well_or_said(const char *why)
{
    NEEDS(why == NULL || strlen(why) > 10);
}

/* Checks that the file is complete or absent. */
static void dump_is_whole(void)
{
    static char text[1 << 20];
    FILE *file = fopen(dump_path, "re");
    if (file == NULL)
        return;
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    ck_assert(size > 2 && size < sizeof text && text[0] == '{');
    ck_assert_int_eq(strncmp(text + size - 2, "}\n", 2), 0);
    unlink(dump_path);
}

/* Returns the reason if there is no text. */
static const char *print(const struct proftop_dumps_options *options)
{
    char *text = NULL;
    const char *why = proftop_dumps(feed, options, &text);
    well_or_said(why);
    NEEDS((why == NULL) == (text != NULL));
    free(text);
    return why;
}

/* Counts are cleared; or, if there was no memory for the reset, all is unchanged. */
static void begin_again(const char *why)
{
    well_or_said(why);
    if (why != NULL)
        return;
    atomic_store(&made, 0);
    dropped_before = dropped();
    beside.updates = beside.tasks = beside.frames = 0;
    beside.peak = beside.bytes;
}

static void steer(void)
{
    static const struct proftop_dumps_options last = {sizeof last, "json", "count", 1, 1};
    const char *pairs[] = {"filename", dump_path, "gpu_memory_profile_filename_prefix", "", NULL};
    well_or_said(proftop_set_config(feed, pairs));
    well_or_said(proftop_pause(feed, NULL));
    well_or_said(proftop_resume(feed, NULL));
    print(NULL);
    well_or_said(proftop_dump(feed, 0, NULL));
    begin_again(print(&last));
    count_all(NULL);
    count_late(); /* so the percentiles of its op have no memory yet */
    begin_again(proftop_reset(feed));
    count_all(NULL);
    scarce_exempt = true;
    dump_is_whole();
    scarce_exempt = false;
}

/* ---------------------------------------------------------------------------------- whole lives */

/* A viewer that subscribes to everything. All received frames must be valid; there may be none. */
static void watch(struct client *c)
{
    scarce_exempt = true;
    client_open(c, getpid());
    client_subscribe(c, "");
    client_ask(c, (struct client_request){.q = "hello", .req = 1});
    client_ask(
        c, (struct client_request){.q = "snapshot", .want = "DFANERICSMP", .req = 2, .credit = 4});
    client_receive(c, c->dealer, 20);
    scarce_exempt = false;
}

static void leave(struct client *c)
{
    scarce_exempt = true;
    while (client_receive(c, c->dealer, 0) || client_receive(c, c->sub, 0))
        continue;
    client_close(c);
    scarce_exempt = false;
}

/* Result of the computation before a feed exists. */
static uint64_t computed_alone;

/* Threads of the program that count while it computes. */
static void work(void)
{
    pthread_t thread[THREADS];
    bool runs[THREADS];
    struct result result;
    for (int t = 0; t < THREADS; t++) {
        scarce_exempt = true;
        runs[t] = pthread_create(&thread[t], NULL, count_all, NULL) == 0;
        scarce_exempt = false;
    }
    result_begin(&result);
    for (int i = 0; i < STEPS; i++) {
        bool defined = id[i] != PROFTOP_NONE;
        struct proftop_token token = {0};
        if (defined)
            token = proftop_begin(feed, id[i]);
        result_step(&result);
        if (defined)
            proftop_end(feed, id[i], token);
        made += defined;
    }
    NEEDS(result_digest(&result) == computed_alone);
    for (int t = 0; t < THREADS; t++)
        if (runs[t])
            pthread_join(thread[t], NULL);
}

/* One complete life of a feed, up to its close. */
static void live(void)
{
    struct client watcher;
    atomic_store(&made, 0);
    feed = proftop_open(NULL);
    bool watched = proftop_is_on(feed);
    define();
    say_beside();
    dropped_before = dropped();
    if (watched)
        watch(&watcher);
    work();
    steer();
    if (watched)
        leave(&watcher);
}

static uint64_t counted(struct client *c)
{
    uint64_t calls = 0;
    for (int i = 0; i <= APPLIES; i++)
        if (id[i] != PROFTOP_NONE)
            calls += c->apply[id[i]].calls;
    return calls;
}

/* Percentiles include no call from before a reset. The last call before it may since have moved to
 * a neighbouring bucket. */
static void percentiles_are_new(struct client *c)
{
    static uint64_t v[4][WIRE_FRAME_ROWS];
    uint64_t late = 0, others = 0;
    client_ask(c, (struct client_request){.q = "snapshot", .want = "AP", .req = 2, .credit = 1000});
    do {
        ck_assert(client_receive(c, c->dealer, CLIENT_PATIENCE_MS));
        uint32_t n = client_columns(&c->frame, WIRE_G_P, v);
        for (uint32_t i = 0; i < n; i++)
            *(v[0][i] == 0 ? &others : &late) += v[2][i];
    } while (c->frame.stream != WIRE_REPLY || c->frame.field[WIRE_F_REQ].u != 2);
    const uint64_t last = id[APPLIES] == PROFTOP_NONE ? 0 : c->apply[id[APPLIES]].calls;
    ck_assert_uint_le(late, last + 1);
    ck_assert_uint_le(others, counted(c) - last + (THREADS + 1) * APPLIES);
}

/* Once memory is available again, the feed answers as usual. Uncounted calls are reported as
 * dropped, as are the few other things that failed. */
static void answers(void)
{
    struct client c;
    client_open(&c, getpid());
    client_hello(&c);
    client_snapshot(&c, "DFAN", 1);
    uint64_t known = counted(&c) + dropped() - dropped_before;
    ck_assert_msg(known >= made && known <= made + TOLD, "%llu + %llu of %llu are known",
                  (unsigned long long)counted(&c), (unsigned long long)(dropped() - dropped_before),
                  (unsigned long long)made);
    percentiles_are_new(&c);
    client_close(&c);
}

/* Returns the number of allocations. */
static int live_without(int at, int way)
{
    atomic_store(&scarce_asked, 0);
    atomic_store(&scarce_from_there, way == ALL_FROM);
    atomic_store(&scarce_at, at);
    live();
    atomic_store(&scarce_at, 0);
    ck_assert_int_eq(proftop_is_on(feed), proftop_reason(feed)[0] == 0);
    scarce_exempt = true;
    if (proftop_is_on(feed)) {
        answers();
        beside_is_right();
    }
    scarce_exempt = false;
    proftop_close(feed);
    return atomic_load(&scarce_asked);
}

START_TEST(each_allocation_fails)
{
    const int step = (int)tap_stride();
    int before = process_descriptors(), at = 1;
    snprintf(dump_path, sizeof dump_path, "%s/dump.json", client_place());
    computed_alone = result_alone(STEPS);
    while (live_without(at, _i) >= at)
        at += step;
    printf("# %d allocations, one in %d\n", at - 1, step);
    ck_assert_int_gt(at, 80);
    ck_assert_int_le(process_descriptors(), before);
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

enum { WAS_ASKED = 7 }; /* enough for at least one failed allocation */

/* Runs a child's feed, like its parent's, to its end. */
static void be_a_child(int at)
{
    atomic_store(&made, 0);
    atomic_store(&scarce_asked, 0);
    atomic_store(&scarce_at, at);
    feed = proftop_open_child(feed);
    dropped_before = dropped();
    count_all(NULL);
    atomic_store(&scarce_at, 0);
    CHILD_NEEDS(proftop_is_on(feed) == (proftop_reason(feed)[0] == 0));
    if (proftop_is_on(feed))
        answers();
    proftop_close(feed);
    _exit(atomic_load(&scarce_asked) >= at ? WAS_ASKED : 0);
}

START_TEST(each_allocation_of_a_child_fails)
{
    int at = 0, status = 0;
    client_place();
    feed = proftop_open(NULL);
    define();
    atomic_store(&scarce_from_there, _i == ALL_FROM);
    do {
        ck_assert_int_gt(waitpid(process_start(be_a_child, ++at), &status, 0), 0);
        ck_assert(WIFEXITED(status));
    } while (WEXITSTATUS(status) == WAS_ASKED);
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    printf("# %d allocations of a child\n", at - 1);
    ck_assert_int_gt(at, 30);
    proftop_close(feed);
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

/* One of each kind of counting. */
static void count_each(struct proftop_run *open)
{
    proftop_end(feed, id[0], proftop_begin(feed, id[0]));
    proftop_fail(feed, id[0], proftop_begin(feed, id[0]));
    struct proftop_token call = proftop_call_begin(feed, 0);
    proftop_vm(feed, 0, 5);
    proftop_call_end(feed, 0, call);
    proftop_record(feed, id[1], 7);
    proftop_counter_add(feed, beside.counter, 1);
    proftop_counter_set_f64(feed, beside.real, 0.5);
    proftop_memory_alloc(feed, beside.memory, 100);
    proftop_memory_free(feed, beside.memory, 100);
    struct proftop_run task = proftop_task_start(feed, beside.task);
    proftop_frame_stop(feed, proftop_frame_start(feed, beside.frame));
    proftop_task_stop(feed, task);
    *open = task;
}

/* After a thread's first touch, counting allocates nothing, with or without a viewer. */
START_TEST(counting_allocates_nothing)
{
    enum { TIMES = 100000 };
    struct client c;
    struct proftop_run last;
    client_place();
    feed = proftop_open(NULL);
    define();
    say_beside();
    struct proftop_apply_info given = {.size = sizeof given, .source = PROFTOP_GIVEN};
    id[1] = proftop_apply(feed, &given);
    count_each(&last);
    for (int watched = 0; watched < 2; watched++) {
        if (watched)
            watch(&c);
        const int before = scarce_mine;
        for (int i = 0; i < TIMES; i++)
            count_each(&last);
        ck_assert_int_eq(scarce_mine, before);
    }
    ck_assert_uint_ne(last.start, 0);
    client_snapshot(&c, "DFAN", 3);
    ck_assert_uint_eq(c.apply[id[0]].calls, 2 * TIMES + 1);
    ck_assert_uint_eq(c.apply[id[1]].calls, 2 * TIMES + 1);
    ck_assert_int_eq((int64_t)objects_counter(feed, beside.counter).value, 2 * TIMES + 1 + 12);
    ck_assert_uint_eq(objects_span(feed, beside.task).calls, 2 * TIMES + 1 + RUNS);
    reading_end();
    client_end(&c, feed);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("scarce");
    TCase *one = tap_add_loop(s, "each_allocation_fails", each_allocation_fails, WAYS);
    tcase_set_timeout(one, 3 * TAP_TIMEOUT);
    if (!PROCESS_TSAN) { /* TSan ends children that start threads */
        one = tap_add_loop(s, "each_allocation_of_a_child_fails", each_allocation_of_a_child_fails,
                           WAYS);
        tcase_set_timeout(one, 3 * TAP_TIMEOUT);
        tap_native(one);
    }
    tap_add(s, "counting_allocates_nothing", counting_allocates_nothing);
    return s;
}

TAP_MAIN(suite)
