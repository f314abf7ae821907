/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_span.c: tasks, frames, events and markers after calls of proftop_objects.h. The test spins
 * for a duration by its own clock, which gives bounds on the library's figures.
 */
#include "config.h"

#include "../tap.h"
#include "client.h"

#include <malloc.h>
#include <pthread.h>

#include "clock.h"
#include "proftop_control.h"
#include "reading.h"
#include "domain.h" /* last: it defines names that the others use */

static uint64_t ms(uint64_t n)
{
    return n * TEST_MS_NS;
}

static void spin(uint64_t ns)
{
    for (uint64_t until = test_clock_ns() + ns; test_clock_ns() < until;)
        continue;
}

/* Checks the calls exactly, and the other figures against bounds. */
static void check_runs(proftop_id span, uint64_t calls, uint64_t total_least, uint64_t total_most)
{
    struct publisher_span_view view = objects_span(feed, span);
    ck_assert_uint_eq(view.calls, calls);
    ck_assert_uint_ge(view.total, total_least);
    ck_assert_uint_le(view.total, total_most);
}

/* The three kinds behave alike. */
static const struct {
    bool of_domain;
    struct proftop_run (*start)(struct proftop *feed, proftop_id span);
    void (*stop)(struct proftop *feed, struct proftop_run run);
} kinds[] = {{true, proftop_task_start, proftop_task_stop},
             {true, proftop_frame_start, proftop_frame_stop},
             {false, proftop_event_start, proftop_event_stop}};
enum { KINDS = 3 };

static proftop_id define(int kind, const char *name)
{
    if (kind == 2)
        return proftop_event(feed, name);
    return kind == 0 ? proftop_task(feed, domain, name) : proftop_frame(feed, domain, name);
}

START_TEST(a_span_is_of_its_kind_and_domain)
{
    proftop_id span = define(_i, "x");
    const struct publisher_span_row *row =
        publisher_definitions_row(&feed->core->book, PUBLISHER_DEF_SPAN, span);
    ck_assert_uint_eq(row->kind, _i);
    ck_assert_int_eq(strncmp(row->domain.data, _i == 2 ? "event" : "io", row->domain.size), 0);
    ck_assert_uint_eq(row->name.size, 1);
    ck_assert_uint_eq(objects_span(feed, span).calls, 0);
    ck_assert_uint_eq(objects_span(feed, span).min, PROFTOP_UNKNOWN);
}
END_TEST

/* Bounds of a run from the test's clock: at least from after its start to before its stop, at most
 * from before its start to after its stop. */
struct bracket {
    uint64_t least, most;
};

static struct bracket pass(int kind, proftop_id span, uint64_t ns)
{
    uint64_t before = test_clock_ns();
    struct proftop_run run = kinds[kind].start(feed, span);
    uint64_t started = test_clock_ns();
    ck_assert_uint_ge(run.start, before);
    ck_assert_uint_le(run.start, started);
    ck_assert_uint_eq(objects_open(feed, span), run.start);
    spin(ns);
    uint64_t stopping = test_clock_ns();
    kinds[kind].stop(feed, run);
    return (struct bracket){stopping - started, test_clock_ns() - before};
}

static uint64_t of_largest(const uint64_t n[3])
{
    uint64_t largest = n[0] > n[1] ? n[0] : n[1];
    return largest > n[2] ? largest : n[2];
}

static uint64_t of_smallest(const uint64_t n[3])
{
    uint64_t smallest = n[0] < n[1] ? n[0] : n[1];
    return smallest < n[2] ? smallest : n[2];
}

/* The last pass is neither the longest nor the shortest. */
START_TEST(passes_add_up)
{
    static const uint64_t thirds[] = {3, 1, 2};
    uint64_t begin = test_clock_ns(), least[3], most[3];
    proftop_id span = define(_i, "x");
    for (int i = 0; i < 3; i++) {
        struct bracket one = pass(_i, span, ms(thirds[i]) / 3);
        least[i] = one.least;
        most[i] = one.most;
    }
    struct publisher_span_view view = objects_span(feed, span);
    check_runs(span, 3, least[0] + least[1] + least[2], most[0] + most[1] + most[2]);
    ck_assert_uint_eq(view.self, view.total);
    ck_assert_uint_ge(view.min, of_smallest(least));
    ck_assert_uint_le(view.min, of_smallest(most));
    ck_assert_uint_ge(view.max, of_largest(least));
    ck_assert_uint_le(view.max, of_largest(most));
    ck_assert_uint_ge(view.last, least[2]);
    ck_assert_uint_le(view.last, most[2]);
    ck_assert_uint_ge(view.first, begin);
    ck_assert_uint_le(view.until, test_clock_ns());
    ck_assert_uint_ge(view.until - view.first, view.total);
    ck_assert_uint_eq(objects_open(feed, span), PROFTOP_UNKNOWN);
}
END_TEST

START_TEST(overlapping_runs_have_starts_of_their_own)
{
    proftop_id span = define(_i, "x");
    uint64_t begin = test_clock_ns();
    struct proftop_run a = kinds[_i].start(feed, span);
    spin(ms(4));
    uint64_t before = test_clock_ns();
    struct proftop_run b = kinds[_i].start(feed, span);
    spin(ms(1));
    kinds[_i].stop(feed, a);
    ck_assert_uint_eq(objects_open(feed, span), b.start);
    ck_assert_uint_ge(objects_span(feed, span).last, ms(5));
    spin(ms(1));
    kinds[_i].stop(feed, b);
    uint64_t wall = test_clock_ns() - begin, later = test_clock_ns() - before;
    struct publisher_span_view view = objects_span(feed, span);
    ck_assert_uint_eq(view.calls, 2);
    ck_assert_uint_ge(view.total, ms(7));
    ck_assert_uint_ge(view.min, ms(2));
    ck_assert_uint_le(view.min, later);
    ck_assert_uint_le(view.self, wall); /* no time counts twice, though the runs are not nested */
    ck_assert_uint_ge(view.self, ms(6));
}
END_TEST

START_TEST(what_is_not_open_cannot_be_stopped)
{
    proftop_id span = define(_i, "x"), other = define((_i + 1) % KINDS, "x");
    struct proftop_run none = {0}, run = kinds[_i].start(feed, span), forged;
    kinds[_i].stop(feed, none);
    ck_assert_uint_eq(objects_invalid(feed), 1);
    kinds[(_i + 1) % KINDS].stop(feed, run);
    ck_assert_uint_eq(objects_invalid(feed), 2);
    forged = run;
    forged.place += 1000;
    kinds[_i].stop(feed, forged);
    forged = run;
    forged.thread = 77;
    kinds[_i].stop(feed, forged);
    ck_assert_uint_eq(objects_invalid(feed), 4);
    ck_assert_uint_eq(objects_span(feed, span).calls, 0);
    kinds[_i].stop(feed, run);
    kinds[_i].stop(feed, run);
    ck_assert_uint_eq(objects_invalid(feed), 5);
    ck_assert_uint_eq(objects_span(feed, span).calls, 1);
    ck_assert_uint_eq(objects_span(feed, other).calls, 0);
    ck_assert_uint_eq(kinds[_i].start(feed, other).start, 0);
    ck_assert_uint_eq(kinds[_i].start(feed, PROFTOP_NONE).start, 0);
    ck_assert_uint_eq(objects_misuse(feed), 2);
}
END_TEST

START_TEST(a_run_that_begins_or_ends_in_a_pause_is_not_counted)
{
    proftop_id span = define(_i, "x");
    proftop_pause(feed, NULL);
    struct proftop_run run = kinds[_i].start(feed, span);
    ck_assert_uint_eq(objects_open(feed, span), PROFTOP_UNKNOWN);
    proftop_resume(feed, NULL);
    kinds[_i].stop(feed, run);
    ck_assert_uint_eq(objects_span(feed, span).calls, 0);
    run = kinds[_i].start(feed, span);
    proftop_pause(feed, NULL);
    kinds[_i].stop(feed, run);
    ck_assert_uint_eq(objects_span(feed, span).calls, 0);
    proftop_resume(feed, NULL);
    kinds[_i].stop(feed, kinds[_i].start(feed, span));
    ck_assert_uint_eq(objects_span(feed, span).calls, 1);
    ck_assert_uint_eq(objects_invalid(feed), 0);
}
END_TEST

START_TEST(a_pause_inside_a_run_is_in_its_time)
{
    proftop_id span = define(_i, "x");
    struct proftop_run run = kinds[_i].start(feed, span);
    proftop_pause(feed, NULL);
    spin(ms(1));
    proftop_resume(feed, NULL);
    kinds[_i].stop(feed, run);
    check_runs(span, 1, ms(1), test_clock_ns() - run.start);
}
END_TEST

START_TEST(inner_time_is_not_self_time)
{
    proftop_id outer = proftop_task(feed, domain, "outer"), inner = proftop_event(feed, "inner");
    struct proftop_run a = proftop_task_start(feed, outer);
    spin(ms(2));
    struct proftop_run b = proftop_event_start(feed, inner);
    spin(ms(4));
    proftop_event_stop(feed, b);
    spin(ms(1));
    proftop_task_stop(feed, a);
    struct publisher_span_view o = objects_span(feed, outer), i = objects_span(feed, inner);
    ck_assert_uint_ge(o.total, ms(7));
    ck_assert_uint_ge(i.total, ms(4));
    ck_assert_uint_eq(i.self, i.total);
    ck_assert_uint_ge(o.self, ms(3));
    ck_assert_uint_eq(o.total - o.self, i.total);
}
END_TEST

/* ------------------------------------------------------------------------------------- threads */

enum { THREADS = 4 };
static pthread_barrier_t all;

struct runner {
    const char *name;
    proftop_id span;
    int runs;
};

static void *run_some(void *at)
{
    const struct runner *runner = at;
    proftop_thread_name(feed, runner->name);
    for (int i = 0; i < runner->runs; i++) {
        struct proftop_run run = proftop_event_start(feed, runner->span);
        pthread_barrier_wait(&all);
        spin(ms(2));
        pthread_barrier_wait(&all);
        proftop_event_stop(feed, run);
    }
    return NULL;
}

/* Name of the thread of an entry. */
static struct wire_text thread_name(uint32_t thread_plus_1)
{
    const struct publisher_thread_row *row =
        publisher_definitions_row(&feed->core->book, PUBLISHER_DEF_THREAD, thread_plus_1 - 1);
    return row->name;
}

START_TEST(runs_of_threads_never_mix)
{
    static struct runner of[THREADS] = {{"io", 0, 3}, {"one", 0, 3}, {"two", 0, 3}, {"net", 0, 3}};
    pthread_t thread[THREADS];
    proftop_id span = proftop_event(feed, "x");
    uint64_t begin = test_clock_ns();
    pthread_barrier_init(&all, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        of[i].span = span;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run_some, &of[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&all);
    check_runs(span, 12, 12 * ms(2), (test_clock_ns() - begin) * THREADS);
    const struct publisher_span *cell = publisher_span_at(feed->core->objects, span);
    uint64_t total = 0;
    for (int i = 0; i < THREADS; i++) {
        ck_assert_uint_eq(cell->thread[i].calls, 3);
        ck_assert_uint_ge(cell->thread[i].total, 3 * ms(2));
        total += cell->thread[i].total;
        bool named = false;
        for (int k = 0; k < THREADS; k++) {
            struct wire_text name = thread_name(cell->thread[i].thread_plus_1);
            named |= name.size == strlen(of[k].name) &&
                     memcmp(name.data, of[k].name, name.size) == 0;
        }
        ck_assert(named);
    }
    ck_assert_uint_eq(total, objects_span(feed, span).total);
}
END_TEST

static void *run_once(void *at)
{
    proftop_task_stop(feed, proftop_task_start(feed, *(proftop_id *)at));
    return NULL;
}

START_TEST(more_threads_than_are_named_are_summed_up)
{
    proftop_id task = proftop_task(feed, domain, "x");
    for (int i = 0; i < 3 * PUBLISHER_SPAN_THREADS; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, run_once, &task), 0);
        pthread_join(thread, NULL);
    }
    const struct publisher_span *cell = publisher_span_at(feed->core->objects, task);
    uint64_t calls = 0;
    for (int i = 0; i < PUBLISHER_SPAN_THREADS; i++)
        calls += cell->thread[i].calls;
    ck_assert_uint_eq(calls, PUBLISHER_SPAN_THREADS);
    ck_assert_uint_eq(cell->thread[PUBLISHER_SPAN_THREADS].calls, 2 * PUBLISHER_SPAN_THREADS);
    ck_assert_uint_eq(objects_span(feed, task).calls, 3 * PUBLISHER_SPAN_THREADS);
    /* The threads ran one after the other, so all used the entry of the first. */
    ck_assert_uint_eq(feed->core->objects->runners, 1);
}
END_TEST

static struct proftop_run left_open;

static void *start_only(void *at)
{
    left_open = proftop_task_start(feed, *(proftop_id *)at);
    return NULL;
}

START_TEST(a_run_can_be_stopped_by_another_thread)
{
    proftop_id task = proftop_task(feed, domain, "x"), mine = proftop_task(feed, domain, "mine");
    struct proftop_run own = proftop_task_start(feed, mine);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, start_only, &task), 0);
    pthread_join(thread, NULL);
    /* The thread has ended and its run is open. A thread that reuses its entry is not inside that
     * run. */
    ck_assert_uint_eq(objects_open(feed, task), left_open.start);
    ck_assert_int_eq(pthread_create(&thread, NULL, run_once, &mine), 0);
    pthread_join(thread, NULL);
    spin(ms(1));
    proftop_task_stop(feed, left_open);
    proftop_task_stop(feed, own);
    ck_assert_uint_eq(objects_span(feed, task).calls, 1);
    ck_assert_uint_eq(objects_span(feed, task).self, objects_span(feed, task).total);
    ck_assert_uint_eq(objects_span(feed, mine).calls, 2);
    ck_assert_uint_eq(objects_span(feed, mine).self, objects_span(feed, mine).total);
    ck_assert_uint_eq(objects_invalid(feed), 0);
}
END_TEST

START_TEST(open_runs_are_bounded)
{
    proftop_id task = proftop_task(feed, domain, "x");
    static struct proftop_run run[PUBLISHER_RUNS_MAX];
    for (int i = 0; i < PUBLISHER_RUNS_MAX; i++) {
        run[i] = proftop_task_start(feed, task);
        ck_assert_uint_ne(run[i].start, 0);
    }
    ck_assert_uint_eq(proftop_task_start(feed, task).start, 0);
    for (int i = 0; i < PUBLISHER_RUNS_MAX; i++)
        proftop_task_stop(feed, run[i]);
    ck_assert_uint_eq(objects_span(feed, task).calls, PUBLISHER_RUNS_MAX);
    ck_assert_uint_eq(objects_open(feed, task), PROFTOP_UNKNOWN);
}
END_TEST

START_TEST(a_million_passes_take_no_memory)
{
    proftop_id task = proftop_task(feed, domain, "x");
    proftop_task_stop(feed, proftop_task_start(feed, task));
    const size_t before = mallinfo2().uordblks;
    for (int i = 1; i < 1000000; i++)
        proftop_task_stop(feed, proftop_task_start(feed, task));
    ck_assert_uint_eq(objects_span(feed, task).calls, 1000000);
    ck_assert_uint_le(mallinfo2().uordblks, before + 65536); /* the feed's thread lives */
    ck_assert_ptr_null(proftop_set_state(feed, "stop", NULL));
    for (int i = 0; i < 1000; i++)
        proftop_task_stop(feed, proftop_task_start(feed, task));
    ck_assert_uint_eq(objects_span(feed, task).calls, 1000000);
}
END_TEST

START_TEST(defining_again_is_the_same_row)
{
    size_t before = 0;
    for (int i = 0; i < 1000; i++) {
        for (int kind = 0; kind < KINDS; kind++)
            kinds[kind].stop(feed, kinds[kind].start(feed, define(kind, "x")));
        before = i == 0 ? mallinfo2().uordblks : before;
    }
    ck_assert_uint_le(mallinfo2().uordblks, before + 65536); /* the feed's thread lives */
    ck_assert_uint_eq(publisher_definitions_count(&feed->core->book, PUBLISHER_DEF_SPAN), KINDS);
    for (int kind = 0; kind < KINDS; kind++)
        ck_assert_uint_eq(objects_span(feed, define(kind, "x")).calls, 1000);
}
END_TEST

START_TEST(a_reset_begins_the_statistics_anew)
{
    proftop_id span = define(_i, "x");
    struct proftop_run open = kinds[_i].start(feed, span), run = kinds[_i].start(feed, span);
    spin(ms(3));
    kinds[_i].stop(feed, run);
    ck_assert_ptr_null(proftop_reset(feed));
    ck_assert_uint_eq(objects_span(feed, span).calls, 0);
    ck_assert_uint_eq(objects_span(feed, span).total, 0);
    ck_assert_uint_eq(objects_span(feed, span).max, PROFTOP_UNKNOWN);
    ck_assert_uint_eq(objects_open(feed, span), open.start);
    uint64_t before = test_clock_ns();
    kinds[_i].stop(feed, kinds[_i].start(feed, span));
    struct publisher_span_view view = objects_span(feed, span);
    ck_assert_uint_eq(view.calls, 1);
    ck_assert_uint_eq(view.total, view.max);
    ck_assert_uint_eq(view.total, view.min);
    ck_assert_uint_ge(view.first, before);
    uint64_t calls, total;
    publisher_span_thread_read(&publisher_span_at(feed->core->objects, span)->thread[0], &calls,
                               &total);
    ck_assert_uint_eq(calls, 1);
    ck_assert_uint_eq(total, view.total);
    struct publisher_frame_pass slowest[2];
    uint32_t frames = publisher_frames_slowest(publisher_span_at(feed->core->objects, span),
                                               UINT64_MAX, slowest, 2);
    ck_assert_uint_eq(frames, _i == 1 ? 1 : 0);
    kinds[_i].stop(feed, open);
    ck_assert_uint_eq(objects_span(feed, span).calls, 2);
}
END_TEST

/* -------------------------------------------------------------------------------------- frames */

START_TEST(the_slowest_frame_is_known_by_its_number)
{
    proftop_id frame = proftop_frame(feed, domain, "f");
    struct publisher_frame_pass slowest[3];
    struct publisher_span *seen = publisher_span_at(feed->core->objects, frame);
    ck_assert_uint_eq(publisher_frames_slowest(seen, UINT64_MAX, slowest, 3), 0);
    for (int n = 1; n <= 100; n++) {
        struct proftop_run run = proftop_frame_start(feed, frame);
        spin(n == 42 ? ms(100) : 1000);
        proftop_frame_stop(feed, run);
    }
    uint32_t found = publisher_frames_slowest(seen, UINT64_MAX, slowest, 3);
    ck_assert_uint_eq(found, 3);
    bool known = false; /* on a busy machine another may have taken even longer */
    for (uint32_t i = 0; i < found; i++)
        known |= slowest[i].number == 42 && slowest[i].ns >= ms(100);
    ck_assert(known);
    ck_assert_uint_ge(slowest[0].ns, slowest[1].ns);
    ck_assert_uint_ge(slowest[1].ns, slowest[2].ns);
    ck_assert_uint_eq(objects_span(feed, frame).calls, 100);
    /* Without the longest ones, the frames after them are the slowest. */
    const struct publisher_frame_pass second = slowest[1];
    ck_assert_uint_eq(publisher_frames_slowest(seen, second.ns, slowest, 3), 3);
    ck_assert_uint_eq(slowest[0].ns, second.ns);
    ck_assert_uint_eq(publisher_frames_slowest(seen, 0, slowest, 3), 0);
}
END_TEST

START_TEST(only_the_last_frames_are_looked_at)
{
    proftop_id frame = proftop_frame(feed, domain, "f");
    struct publisher_frame_pass slowest[PUBLISHER_FRAMES_KEPT + 1];
    for (int n = 0; n < 3 * PUBLISHER_FRAMES_KEPT; n++)
        proftop_frame_stop(feed, proftop_frame_start(feed, frame));
    struct publisher_span *seen = publisher_span_at(feed->core->objects, frame);
    uint32_t found = publisher_frames_slowest(seen, UINT64_MAX, slowest, PUBLISHER_FRAMES_KEPT + 1);
    ck_assert_uint_eq(found, PUBLISHER_FRAMES_KEPT);
    for (uint32_t i = 0; i < found; i++) {
        ck_assert_uint_gt(slowest[i].number, 2 * PUBLISHER_FRAMES_KEPT);
        ck_assert_uint_le(slowest[i].number, 3 * PUBLISHER_FRAMES_KEPT);
        ck_assert(i == 0 || slowest[i - 1].ns >= slowest[i].ns);
    }
}
END_TEST

/* ------------------------------------------------------------------------------------- markers */

static const struct {
    const char *word;
    uint32_t scope;
} mark_scopes[] = {{NULL, 1},     {"global", 0}, {"process", 1},
                   {"thread", 2}, {"task", 3},   {"marker", 4}};

START_TEST(a_mark_has_its_scope)
{
    proftop_id marker = proftop_marker(feed, domain, "here");
    ck_assert_uint_eq(feed->core->objects->marks, 0);
    uint64_t before = test_clock_ns();
    ck_assert_ptr_null(proftop_mark(feed, marker, mark_scopes[_i].word));
    ck_assert_uint_eq(feed->core->objects->marks, 1);
    const struct publisher_mark *mark = &feed->core->objects->mark[0];
    ck_assert_uint_eq(mark->scope, mark_scopes[_i].scope);
    ck_assert_uint_eq(mark->marker, marker);
    ck_assert_uint_ge(mark->mono_ns, before);
    ck_assert_uint_le(mark->mono_ns, test_clock_ns());
}
END_TEST

START_TEST(another_scope_is_an_error_that_lists_the_five)
{
    proftop_id marker = proftop_marker(feed, domain, "here");
    const char *wrong = proftop_mark(feed, marker, "foo");
    ck_assert_ptr_nonnull(wrong);
    ck_assert_ptr_nonnull(strstr(wrong, "'foo'"));
    for (int i = 1; i < TAP_ROWS(mark_scopes); i++)
        ck_assert_ptr_nonnull(strstr(wrong, mark_scopes[i].word));
    ck_assert_uint_eq(feed->core->objects->marks, 0);
    ck_assert_uint_eq(objects_misuse(feed), 1);
    ck_assert_ptr_null(proftop_mark(feed, marker + 1, NULL));
    ck_assert_uint_eq(objects_misuse(feed), 2);
}
END_TEST

static void *mark_inside(void *at)
{
    proftop_thread_name(feed, "io");
    proftop_id task = proftop_task(feed, domain, "t");
    struct proftop_run run = proftop_task_start(feed, task);
    struct proftop_run frame = proftop_frame_start(feed, proftop_frame(feed, domain, "f"));
    proftop_mark(feed, *(proftop_id *)at, "task");
    proftop_frame_stop(feed, frame);
    proftop_task_stop(feed, run);
    proftop_mark(feed, *(proftop_id *)at, "thread");
    return NULL;
}

START_TEST(a_mark_knows_its_thread_and_its_task)
{
    proftop_id marker = proftop_marker(feed, domain, "here");
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, mark_inside, &marker), 0);
    pthread_join(thread, NULL);
    const struct publisher_mark *mark = feed->core->objects->mark;
    ck_assert_uint_eq(feed->core->objects->marks, 2);
    ck_assert_uint_eq(mark[0].task_plus_1, proftop_task(feed, domain, "t") + 1);
    ck_assert_uint_eq(mark[1].task_plus_1, 0);
    for (int i = 0; i < 2; i++) {
        struct wire_text name = thread_name(mark[i].thread_plus_1);
        ck_assert_uint_eq(name.size, 2);
        ck_assert_mem_eq(name.data, "io", 2);
    }
    ck_assert_uint_le(mark[0].mono_ns, mark[1].mono_ns);
}
END_TEST

START_TEST(a_pause_takes_no_marks)
{
    proftop_id marker = proftop_marker(feed, domain, "here");
    proftop_pause(feed, NULL);
    proftop_mark(feed, marker, NULL);
    ck_assert_uint_eq(feed->core->objects->marks, 0);
    proftop_resume(feed, NULL);
    proftop_mark(feed, marker, NULL);
    ck_assert_uint_eq(feed->core->objects->marks, 1);
}
END_TEST

#define ADD(suite, test, rows) TAP_ADD_BETWEEN(suite, test, rows, domain_open, domain_close)

static Suite *suite(void)
{
    Suite *s = suite_create("span");
    ADD(s, a_span_is_of_its_kind_and_domain, KINDS);
    ADD(s, passes_add_up, KINDS);
    ADD(s, overlapping_runs_have_starts_of_their_own, KINDS);
    ADD(s, what_is_not_open_cannot_be_stopped, KINDS);
    ADD(s, a_run_that_begins_or_ends_in_a_pause_is_not_counted, KINDS);
    ADD(s, a_pause_inside_a_run_is_in_its_time, KINDS);
    ADD(s, inner_time_is_not_self_time, 1);
    ADD(s, runs_of_threads_never_mix, 1);
    ADD(s, more_threads_than_are_named_are_summed_up, 1);
    ADD(s, a_run_can_be_stopped_by_another_thread, 1);
    ADD(s, open_runs_are_bounded, 1);
    ADD(s, a_million_passes_take_no_memory, 1);
    ADD(s, defining_again_is_the_same_row, 1);
    ADD(s, a_reset_begins_the_statistics_anew, KINDS);
    ADD(s, the_slowest_frame_is_known_by_its_number, 1);
    ADD(s, only_the_last_frames_are_looked_at, 1);
    ADD(s, a_mark_has_its_scope, TAP_ROWS(mark_scopes));
    ADD(s, another_scope_is_an_error_that_lists_the_five, 1);
    ADD(s, a_mark_knows_its_thread_and_its_task, 1);
    ADD(s, a_pause_takes_no_marks, 1);
    return s;
}

TAP_MAIN(suite)
