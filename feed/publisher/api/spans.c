/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * spans.c: tasks, frames and events of proftop_objects.h: the open runs of each thread, their
 * durations, and the sums.
 *
 * The open runs of a thread form a list, in the order of their starts. Time belongs to the
 * innermost run. If a run ends before a run that started later, the later run continues inside the
 * run around both.
 */
#include "config.h"

#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/thread_objects.h"
#include "proftop_objects.h"

#include <stdlib.h>
#include <string.h>

#define EVENT_DOMAIN "event"

/* --------------------------------------------------------------------------------- definitions */

static uint32_t define(struct proftop *feed, enum publisher_object_kind kind, uint32_t domain,
                       const char *name)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    const char *of = kind == PUBLISHER_EVENT ? EVENT_DOMAIN : publisher_domain_name(core, domain);
    const struct publisher_object_key key = {.kind = kind, .domain = of, .name = name};
    uint32_t id = of == NULL ? PROFTOP_NONE : publisher_define_span(core, &key);
    publisher_unlock(core);
    return id;
}

proftop_id proftop_task(struct proftop *feed, proftop_id domain, const char *name)
{
    return define(feed, PUBLISHER_TASK, domain, name);
}

proftop_id proftop_frame(struct proftop *feed, proftop_id domain, const char *name)
{
    return define(feed, PUBLISHER_FRAME, domain, name);
}

proftop_id proftop_event(struct proftop *feed, const char *name)
{
    return define(feed, PUBLISHER_EVENT, 0, name);
}

/* ------------------------------------------------------------------------------ runs, by place */

/* Returns a free place plus 1; 0 if there is none, or no memory. Under the runner's lock. */
static uint32_t take_place(struct publisher_runner *runner)
{
    uint32_t place = runner->free;
    if (place != 0) {
        runner->free = publisher_run_at(runner, place)->below;
        return place;
    }
    uint32_t used = atomic_load_explicit(&runner->used, memory_order_relaxed);
    if (used == PUBLISHER_RUNS_MAX)
        return 0;
    _Atomic(struct publisher_run *) *chunk = &runner->chunk[used / PUBLISHER_RUN_CHUNK];
    if (atomic_load_explicit(chunk, memory_order_relaxed) == NULL) {
        struct publisher_run *runs = calloc(PUBLISHER_RUN_CHUNK, sizeof *runs);
        if (runs == NULL)
            return 0;
        atomic_store_explicit(chunk, runs, memory_order_release);
    }
    atomic_store_explicit(&runner->used, used + 1, memory_order_release);
    return used + 1;
}

/* Allocates the ring for ended runs once, so that counting allocates nothing. Pages are touched
 * only as the ring fills. Out of memory, no ended runs are kept. Under the feed's lock. */
static void make_ring(struct publisher_objects *objects, struct publisher_runner *runner)
{
    const bool fits = objects->places + PUBLISHER_ENDED_OWN <= PUBLISHER_ENDED_ALL;
    const uint32_t places = fits ? PUBLISHER_ENDED_OWN : PUBLISHER_ENDED_LATE;
    runner->ended = malloc(places * sizeof *runner->ended);
    runner->places = runner->ended == NULL ? 0 : places;
    objects->places += fits ? runner->places : 0;
}

/* Finds or makes the calling thread's runner. Returns NULL if out of memory, if there are too many
 * threads, or if the feed is off. */
static struct publisher_runner *runner_of(struct proftop *feed,
                                          struct publisher_thread_objects *own)
{
    struct publisher_objects *objects = own->objects;
    if (own->runner != NULL)
        return own->runner;
    struct publisher_runner *runner = calloc(1, sizeof *runner);
    struct publisher_core *core = runner == NULL ? NULL : publisher_lock(feed);
    uint32_t count = atomic_load_explicit(&objects->runners, memory_order_relaxed);
    if (core == NULL || count == PUBLISHER_RUNNERS_MAX) {
        if (core != NULL)
            publisher_unlock(core);
        free(runner);
        return NULL;
    }
    pthread_mutex_init(&runner->lock, NULL);
    make_ring(objects, runner);
    atomic_store_explicit(&objects->runner[count], runner, memory_order_release);
    atomic_store_explicit(&objects->runners, count + 1, memory_order_release);
    own->runner = runner;
    own->runner_plus_1 = count + 1;
    publisher_unlock(core);
    return runner;
}

/* --------------------------------------------------------------------------------------- start */

/* Opens a run inside the innermost one. Returns its place plus 1, or 0 if there is none. */
static uint32_t open_run(struct publisher_runner *runner, const struct publisher_run *what,
                         struct proftop_run *token)
{
    pthread_mutex_lock(&runner->lock);
    uint32_t place = take_place(runner);
    if (place == 0) {
        pthread_mutex_unlock(&runner->lock);
        return 0;
    }
    struct publisher_run *run = publisher_run_at(runner, place);
    run->below = runner->top;
    run->above = 0;
    run->inside = 0;
    run->frame = what->frame;
    run->thread = what->thread;
    run->counted = what->counted;
    run->number = ++runner->started;
    atomic_store_explicit(&run->span, what->span, memory_order_release);
    if (runner->top != 0)
        publisher_run_at(runner, runner->top)->above = place;
    runner->top = place;
    uint64_t now = publisher_clock_ns();
    run->from = now;
    atomic_store_explicit(&run->start, what->counted ? now : 0, memory_order_release);
    token->start = now;
    token->number = run->number;
    pthread_mutex_unlock(&runner->lock);
    return place;
}

static struct proftop_run start(struct proftop *feed, uint32_t id, enum publisher_object_kind kind)
{
    struct proftop_run token = {0};
    struct publisher_block *block;
    struct publisher_thread_objects *own = publisher_thread_objects(feed, &block);
    if (own == NULL)
        return token;
    struct publisher_span *span = publisher_span_at(own->objects, id);
    if (span == NULL || span->kind != kind) {
        publisher_increment(&block->misuse);
        return token;
    }
    struct publisher_runner *runner = runner_of(feed, own);
    struct publisher_run run = {.span = id,
                                .thread =
                                    atomic_load_explicit(&block->defined, memory_order_relaxed),
                                .counted = publisher_counts_calls(feed)};
    if (kind == PUBLISHER_FRAME && run.counted)
        run.frame = atomic_fetch_add_explicit(&span->started, 1, memory_order_relaxed) + 1;
    token.place = runner == NULL ? 0 : open_run(runner, &run, &token);
    if (token.place == 0) {
        publisher_count_one(&feed->lost[PUBLISHER_LOST_RUNS]);
        return (struct proftop_run){0};
    }
    token.thread = own->runner_plus_1;
    publisher_update_begin(&span->turn); /* marks the row as changed: a run is open */
    publisher_update_end(&span->turn);
    return token;
}

struct proftop_run proftop_task_start(struct proftop *feed, proftop_id task)
{
    return start(feed, task, PUBLISHER_TASK);
}

struct proftop_run proftop_frame_start(struct proftop *feed, proftop_id frame)
{
    return start(feed, frame, PUBLISHER_FRAME);
}

struct proftop_run proftop_event_start(struct proftop *feed, proftop_id event)
{
    return start(feed, event, PUBLISHER_EVENT);
}

/* ---------------------------------------------------------------------------------------- stop */

static uint64_t since(uint64_t now, uint64_t then)
{
    return now > then ? now - then : 0;
}

/* Removes a run from the list. Its time counts as inside the run around it. Under the runner's
 * lock. */
static void unlink_run(struct publisher_runner *runner, uint32_t place, uint64_t now)
{
    struct publisher_run *run = publisher_run_at(runner, place);
    if (run->above != 0) {
        struct publisher_run *above = publisher_run_at(runner, run->above);
        run->inside += since(now, above->from);
        above->from = now > above->from ? now : above->from;
        above->below = run->below;
    }
    if (run->below != 0) {
        struct publisher_run *below = publisher_run_at(runner, run->below);
        below->inside += since(now, run->from);
        below->above = run->above;
    }
    if (runner->top == place)
        runner->top = run->below;
}

/* Data of a closed run. `counts`: runs are counted now; `counted`: they were when it started;
 * `believed`: its duration is plausible. */
struct closed {
    uint32_t span;
    uint64_t ns, inside, frame;
    bool counts, counted, believed;
};

/* Keeps a run for the trace of a dump. Under the runner's lock. */
static void keep_ended(struct publisher_runner *runner, const struct publisher_ended *ended)
{
    runner->ends++;
    if (runner->next == runner->places)
        runner->next = 0;
    if (runner->places != 0)
        runner->ended[runner->next++] = *ended;
}

/* Closes the run of a token. Returns false if the run is not open, or not of this kind; ANY_KIND:
 * of any. */
enum { ANY_KIND = -1 };
static bool close_run(struct publisher_objects *objects, struct publisher_runner *runner, int kind,
                      struct proftop_run token, uint64_t now, struct closed *closed)
{
    pthread_mutex_lock(&runner->lock);
    bool placed = token.place != 0 &&
                  token.place <= atomic_load_explicit(&runner->used, memory_order_relaxed);
    struct publisher_run *run = placed ? publisher_run_at(runner, token.place) : NULL;
    bool open = run != NULL && run->number == token.number && token.number != 0 &&
                (kind == ANY_KIND || (int)publisher_span_at(objects, run->span)->kind == kind);
    if (open) {
        unlink_run(runner, token.place, now);
        closed->span = run->span;
        closed->ns = since(now, token.start);
        closed->inside = run->inside;
        closed->frame = run->frame;
        closed->counted = run->counted;
        closed->believed = closed->ns <= PUBLISHER_ABSURD_NS && token.start <= now;
        if (closed->counts && closed->counted && closed->believed)
            keep_ended(runner, &(struct publisher_ended){.start = token.start,
                                                         .ns = closed->ns,
                                                         .frame = closed->frame,
                                                         .span = closed->span,
                                                         .thread_plus_1 = run->thread});
        atomic_store_explicit(&run->start, 0, memory_order_release);
        run->number = 0;
        run->below = runner->free;
        runner->free = token.place;
    }
    pthread_mutex_unlock(&runner->lock);
    return open;
}

/* Finds or takes the span's entry for the runs that a thread stops. Threads without an entry share
 * the last one. */
static struct publisher_span_thread *entry_of(struct publisher_span *span, uint32_t thread_plus_1)
{
    for (int i = 0; i < PUBLISHER_SPAN_THREADS && thread_plus_1 != 0; i++) {
        uint32_t whose = 0;
        struct publisher_span_thread *entry = &span->thread[i];
        if (atomic_compare_exchange_strong_explicit(&entry->thread_plus_1, &whose, thread_plus_1,
                                                    memory_order_acq_rel, memory_order_acquire) ||
            whose == thread_plus_1)
            return entry;
    }
    return &span->thread[PUBLISHER_SPAN_THREADS];
}

static void add_to(_Atomic uint64_t *what, uint64_t value)
{
    atomic_fetch_add_explicit(what, value, memory_order_acq_rel);
}

static void keep_frame(struct publisher_frames *frames, uint64_t number, uint64_t ns)
{
    pthread_mutex_lock(&frames->lock);
    frames->pass[frames->ended++ % PUBLISHER_FRAMES_KEPT] =
        (struct publisher_frame_pass){.number = number, .ns = ns};
    pthread_mutex_unlock(&frames->lock);
}

static void count(struct publisher_span *span, const struct closed *run, uint64_t begin,
                  uint32_t thread_plus_1)
{
    struct publisher_span_thread *by = entry_of(span, thread_plus_1);
    publisher_update_begin(&span->turn);
    add_to(&span->total, run->ns);
    add_to(&span->self, since(run->ns, run->inside));
    publisher_lower(&span->min, run->ns);
    publisher_raise(&span->max, run->ns);
    atomic_store_explicit(&span->last, run->ns, memory_order_release);
    publisher_lower(&span->first, begin);
    publisher_raise(&span->until, begin + run->ns);
    add_to(&by->total, run->ns);
    add_to(&by->calls, 1);
    add_to(&span->calls, 1);
    if (span->frames != NULL)
        keep_frame(span->frames, run->frame, run->ns);
    publisher_update_end(&span->turn);
}

static void stop(struct proftop *feed, struct proftop_run token, int kind)
{
    uint64_t now = publisher_clock_ns();
    struct publisher_block *block;
    struct publisher_thread_objects *own = publisher_thread_objects(feed, &block);
    if (own == NULL)
        return;
    struct publisher_objects *objects = own->objects;
    struct closed run = {.counts = kind != ANY_KIND && publisher_counts_calls(feed)};
    bool known = token.start != 0 && token.thread != 0 &&
                 token.thread <= atomic_load_explicit(&objects->runners, memory_order_acquire);
    struct publisher_runner *runner =
        known ? atomic_load_explicit(&objects->runner[token.thread - 1], memory_order_acquire)
              : NULL;
    if (runner == NULL || !close_run(objects, runner, kind, token, now, &run)) {
        publisher_increment(&block->invalid);
        return;
    }
    struct publisher_span *span = publisher_span_at(objects, run.span);
    if (run.counted && !run.believed && kind != ANY_KIND)
        publisher_increment(&block->invalid);
    if (run.counted && run.believed && run.counts) {
        count(span, &run, token.start, atomic_load_explicit(&block->defined, memory_order_relaxed));
        return;
    }
    publisher_update_begin(&span->turn); /* marks the row as changed: the run is no longer open */
    publisher_update_end(&span->turn);
}

void proftop_task_stop(struct proftop *feed, struct proftop_run run)
{
    stop(feed, run, PUBLISHER_TASK);
}

void proftop_frame_stop(struct proftop *feed, struct proftop_run run)
{
    stop(feed, run, PUBLISHER_FRAME);
}

void proftop_event_stop(struct proftop *feed, struct proftop_run run)
{
    stop(feed, run, PUBLISHER_EVENT);
}

void proftop_run_drop(struct proftop *feed, struct proftop_run run)
{
    stop(feed, run, ANY_KIND);
}
