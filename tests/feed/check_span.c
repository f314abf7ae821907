/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_span.c: tasks, frames, events and markers after calls of proftop_objects.h, as a viewer
 * sees them. The test spins for a duration by its own clock, which gives bounds on the library's
 * figures.
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

static void spin_until(uint64_t until)
{
    while (test_clock_ns() < until)
        continue;
}

static void spin(uint64_t ns)
{
    spin_until(test_clock_ns() + ns);
}

/* Limits that proftop_objects.h or docs/protocol.md (3.11) state. */
enum {
    LISTED_THREADS = 16,   /* a span has a row for each of its first 16 threads */
    KEPT_FRAMES = 256,     /* last frames, from which the slowest are chosen, */
    SLOWEST_FRAMES = 5,    /* and how many of these a viewer sees */
    OPEN_RUNS_MAX = 65536, /* open runs of one thread */
};

/* Checks the calls exactly, and the other figures against bounds. */
static void check_runs(proftop_id span, uint64_t calls, uint64_t total_least, uint64_t total_most)
{
    struct span_view view = objects_span(feed, span);
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
    enum { DOMAIN, NAME, KIND };
    ck_assert_uint_eq(objects_number(feed, WIRE_G_SPAN, KIND, span), _i);
    ck_assert_str_eq(objects_text(feed, WIRE_G_SPAN, DOMAIN, span), _i == 2 ? "event" : "io");
    ck_assert_str_eq(objects_text(feed, WIRE_G_SPAN, NAME, span), "x");
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
    spin_until(started + ns);
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

/* The last pass is neither the longest nor the shortest. In each a viewer looks at the run, which
 * takes far less than the shortest. */
START_TEST(passes_add_up)
{
    static const uint64_t tens[] = {3, 1, 2};
    uint64_t begin = test_clock_ns(), least[3], most[3];
    proftop_id span = define(_i, "x");
    for (int i = 0; i < 3; i++) {
        struct bracket one = pass(_i, span, ms(10 * tens[i]));
        least[i] = one.least;
        most[i] = one.most;
    }
    struct span_view view = objects_span(feed, span);
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
    struct span_view view = objects_span(feed, span);
    ck_assert_uint_eq(view.calls, 2);
    ck_assert_uint_ge(view.total, ms(7));
    ck_assert_uint_ge(view.min, ms(2));
    ck_assert_uint_le(view.min, later);
    ck_assert_uint_le(view.self, wall); /* no time counts twice, though the runs are not nested */
    ck_assert_uint_ge(view.self, ms(6));
}
END_TEST

/* A run that takes the place of an ended one is not older than those that began before. */
START_TEST(a_span_is_open_since_its_oldest_run)
{
    proftop_id span = define(_i, "x");
    struct proftop_run a = kinds[_i].start(feed, span), b = kinds[_i].start(feed, span);
    ck_assert_uint_eq(objects_open(feed, span), a.start);
    kinds[_i].stop(feed, a);
    struct proftop_run c = kinds[_i].start(feed, span);
    ck_assert_uint_gt(c.start, b.start);
    ck_assert_uint_eq(objects_open(feed, span), b.start);
    kinds[_i].stop(feed, b);
    ck_assert_uint_eq(objects_open(feed, span), c.start);
    kinds[_i].stop(feed, c);
    ck_assert_uint_eq(objects_open(feed, span), PROFTOP_UNKNOWN);
}
END_TEST

START_TEST(stop_without_start_is_invalid)
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

START_TEST(a_dropped_run_is_not_counted)
{
    proftop_id span = define(_i, "x");
    struct proftop_run around = kinds[_i].start(feed, span), run = kinds[_i].start(feed, span);
    spin(ms(1));
    proftop_run_drop(feed, run);
    ck_assert_uint_eq(objects_span(feed, span).calls, 0);
    ck_assert_uint_eq(objects_open(feed, span), around.start);
    kinds[_i].stop(feed, around);
    ck_assert_uint_eq(objects_span(feed, span).calls, 1);
    ck_assert_uint_eq(objects_open(feed, span), PROFTOP_UNKNOWN);
    ck_assert_uint_eq(objects_invalid(feed), 0);
    proftop_run_drop(feed, run); /* no longer open */
    kinds[_i].stop(feed, run);
    ck_assert_uint_eq(objects_invalid(feed), 2);
    ck_assert_uint_eq(objects_span(feed, span).calls, 1);
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
    struct span_view o = objects_span(feed, outer), i = objects_span(feed, inner);
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

/* Name of the thread of a row. */
static const char *thread_name(uint64_t thread_plus_1)
{
    ck_assert_uint_gt(thread_plus_1, 0);
    return objects_text(feed, WIRE_G_THREAD, 0, (uint32_t)thread_plus_1 - 1);
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
    struct span_thread_view by[THREADS];
    uint64_t total = 0;
    unsigned named = 0; /* the set of the names that were found */
    ck_assert_uint_eq(objects_threads(feed, span, by, THREADS), THREADS);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_uint_eq(by[i].calls, 3);
        ck_assert_uint_ge(by[i].total, 3 * ms(2));
        total += by[i].total;
        const char *name = thread_name(by[i].thread_plus_1);
        for (int k = 0; k < THREADS; k++)
            named |= (unsigned)(strcmp(name, of[k].name) == 0) << k;
    }
    ck_assert_uint_eq(named, (1 << THREADS) - 1);
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
    for (int i = 0; i < 3 * LISTED_THREADS; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, run_once, &task), 0);
        pthread_join(thread, NULL);
    }
    struct span_thread_view by[LISTED_THREADS + 1];
    unsigned others = 0;
    ck_assert_uint_eq(objects_threads(feed, task, by, LISTED_THREADS + 1), LISTED_THREADS + 1);
    for (int i = 0; i <= LISTED_THREADS; i++) {
        others += by[i].thread_plus_1 == 0;
        ck_assert_uint_eq(by[i].calls, by[i].thread_plus_1 != 0 ? 1 : 2 * LISTED_THREADS);
    }
    ck_assert_uint_eq(others, 1);
    ck_assert_uint_eq(objects_span(feed, task).calls, 3 * LISTED_THREADS);
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
    static struct proftop_run run[OPEN_RUNS_MAX];
    for (int i = 0; i < OPEN_RUNS_MAX; i++) {
        run[i] = proftop_task_start(feed, task);
        ck_assert_uint_ne(run[i].start, 0);
    }
    ck_assert_uint_eq(proftop_task_start(feed, task).start, 0);
    for (int i = 0; i < OPEN_RUNS_MAX; i++)
        proftop_task_stop(feed, run[i]);
    ck_assert_uint_eq(objects_span(feed, task).calls, OPEN_RUNS_MAX);
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
    ck_assert_uint_le(mallinfo2().uordblks, before + 65536); /* the feed's thread lives */
    ck_assert_uint_eq(objects_span(feed, task).calls, 1000000);
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
    ck_assert_uint_eq(objects_defined(feed, WIRE_T_SPAN), KINDS);
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
    struct span_view view = objects_span(feed, span);
    ck_assert_uint_eq(view.calls, 1);
    ck_assert_uint_eq(view.total, view.max);
    ck_assert_uint_eq(view.total, view.min);
    ck_assert_uint_ge(view.first, before);
    struct span_thread_view by;
    ck_assert_uint_eq(objects_threads(feed, span, &by, 1), 1);
    ck_assert_uint_eq(by.calls, 1);
    ck_assert_uint_eq(by.total, view.total);
    ck_assert_uint_eq(objects_slowest(feed, span, NULL, 0), _i == 1 ? 1 : 0);
    kinds[_i].stop(feed, open);
    ck_assert_uint_eq(objects_span(feed, span).calls, 2);
}
END_TEST

/* -------------------------------------------------------------------------------------- frames */

/* The slowest first. Returns how many there are. */
static uint32_t slowest_of(proftop_id frame, struct slow_view slowest[SLOWEST_FRAMES])
{
    const uint32_t found = objects_slowest(feed, frame, slowest, SLOWEST_FRAMES);
    ck_assert_uint_le(found, SLOWEST_FRAMES);
    for (uint32_t i = 1; i < found; i++)
        ck_assert_uint_ge(slowest[i - 1].ns, slowest[i].ns);
    return found;
}

START_TEST(the_slowest_frame_is_known_by_its_number)
{
    proftop_id frame = proftop_frame(feed, domain, "f");
    struct slow_view slowest[SLOWEST_FRAMES];
    ck_assert_uint_eq(slowest_of(frame, slowest), 0);
    for (int n = 1; n <= 100; n++) {
        struct proftop_run run = proftop_frame_start(feed, frame);
        spin(n == 42 ? ms(100) : 1000);
        proftop_frame_stop(feed, run);
        if (n <= SLOWEST_FRAMES)
            ck_assert_uint_eq(slowest_of(frame, slowest), n);
    }
    ck_assert_uint_eq(slowest_of(frame, slowest), SLOWEST_FRAMES);
    bool known = false; /* on a busy machine another may have taken even longer */
    for (uint32_t i = 0; i < SLOWEST_FRAMES; i++)
        known |= slowest[i].number == 42 && slowest[i].ns >= ms(100);
    ck_assert(known);
    const struct span_view view = objects_span(feed, frame);
    ck_assert_uint_eq(view.calls, 100);
    ck_assert_uint_eq(slowest[0].ns, view.max);
}
END_TEST

/* The frame before the last ones is the slowest of all, and the first of the last ones follows. */
START_TEST(only_the_last_frames_are_looked_at)
{
    enum { ALL = 3 * KEPT_FRAMES, FIRST = ALL - KEPT_FRAMES + 1 };
    proftop_id frame = proftop_frame(feed, domain, "f");
    struct slow_view slowest[SLOWEST_FRAMES];
    for (int n = 1; n <= ALL; n++) {
        struct proftop_run run = proftop_frame_start(feed, frame);
        if (n == FIRST - 1 || n == FIRST)
            spin(ms(n == FIRST ? 50 : 100));
        proftop_frame_stop(feed, run);
    }
    ck_assert_uint_eq(slowest_of(frame, slowest), SLOWEST_FRAMES);
    bool known = false;
    for (uint32_t i = 0; i < SLOWEST_FRAMES; i++) {
        ck_assert_uint_ge(slowest[i].number, FIRST);
        ck_assert_uint_le(slowest[i].number, ALL);
        known |= slowest[i].number == FIRST && slowest[i].ns >= ms(50);
    }
    ck_assert(known);
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
    struct mark_view mark;
    ck_assert_uint_eq(objects_marks(feed, NULL, 0), 0);
    uint64_t before = test_clock_ns();
    ck_assert_ptr_null(proftop_mark(feed, marker, mark_scopes[_i].word));
    ck_assert_uint_eq(objects_marks(feed, &mark, 1), 1);
    ck_assert_uint_eq(mark.number, 1);
    ck_assert_uint_eq(mark.scope, mark_scopes[_i].scope);
    ck_assert_uint_eq(mark.marker, marker);
    ck_assert_uint_ge(mark.mono_ns, before);
    ck_assert_uint_le(mark.mono_ns, test_clock_ns());
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
    ck_assert_uint_eq(objects_marks(feed, NULL, 0), 0);
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
    struct mark_view mark[2];
    ck_assert_uint_eq(objects_marks(feed, mark, 2), 2);
    ck_assert_uint_eq(mark[0].task_plus_1, proftop_task(feed, domain, "t") + 1);
    ck_assert_uint_eq(mark[1].task_plus_1, 0);
    for (int i = 0; i < 2; i++)
        ck_assert_str_eq(thread_name(mark[i].thread_plus_1), "io");
    ck_assert_uint_le(mark[0].mono_ns, mark[1].mono_ns);
}
END_TEST

START_TEST(a_pause_takes_no_marks)
{
    proftop_id marker = proftop_marker(feed, domain, "here");
    proftop_pause(feed, NULL);
    proftop_mark(feed, marker, NULL);
    ck_assert_uint_eq(objects_marks(feed, NULL, 0), 0);
    proftop_resume(feed, NULL);
    proftop_mark(feed, marker, NULL);
    ck_assert_uint_eq(objects_marks(feed, NULL, 0), 1);
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
    Suite *s = suite_create("span");
    ADD(s, a_span_is_of_its_kind_and_domain, KINDS);
    ADD(s, passes_add_up, KINDS);
    ADD(s, overlapping_runs_have_starts_of_their_own, KINDS);
    ADD(s, a_span_is_open_since_its_oldest_run, KINDS);
    ADD(s, stop_without_start_is_invalid, KINDS);
    ADD(s, a_dropped_run_is_not_counted, KINDS);
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
