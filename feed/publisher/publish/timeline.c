/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * timeline.c: begins and ends traces, and sends their events. Events of calls and counters come
 * from the rings of the threads; runs and instants from the places where they are kept anyway. A
 * frame that has no room in the queue of a viewer stays where it is until the next tick: what a
 * viewer is too slow for is dropped by full rings, and so is counted exactly.
 */
#include "config.h"

#include "feed/publisher/collect/budget.h"
#include "feed/publisher/publish/encode_objects.h"
#include "feed/publisher/publish/encode_timeline.h"
#include "feed/publisher/publish/timeline.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/event_ring.h"
#include "feed/publisher/record/objects.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNHEARD_MS = 1000, /* without a subscriber for so long, a trace ends */
    STUCK_MS = 3000,   /* after its end: a viewer that takes nothing for so long gets no more */
    RUNS_MAX = 1024,   /* runs that are read at once, under the lock of their thread */
};

void publisher_timeline_release(struct publisher_timeline *timeline)
{
    free(timeline->open);
    free(timeline->first);
    *timeline = (struct publisher_timeline){0};
}

static struct publisher_block *first_block(const struct publisher *p)
{
    return atomic_load_explicit(&p->core->blocks, memory_order_acquire);
}

static uint64_t block_ns(const struct publisher *p, const struct publisher_block *block,
                         uint64_t at)
{
    at &= ~PUBLISHER_TICKS_NS;
    return block->ticks ? publisher_ticks_instant_ns(&p->core->ticks, at) : at;
}

static uint64_t long_ns(const struct publisher *p, const struct publisher_block *block,
                        uint64_t duration)
{
    return block->ticks ? publisher_ticks_ns(&p->core->ticks, duration) : duration;
}

/* Returns the id of a thread plus 1, or 0 if this tick has no definition of it. */
static uint32_t known_thread(const struct publisher *p, uint32_t thread_plus_1)
{
    return thread_plus_1 <= p->defs[WIRE_T_THREAD] ? thread_plus_1 : 0;
}

static uint32_t thread_of(const struct publisher_block *block)
{
    return atomic_load_explicit(&block->defined, memory_order_acquire);
}

/* ------------------------------------------------------------------------------------ the slots */

/* What to do with each slot of the applies and functions of all threads. */
typedef void slot_fn(struct publisher *p, struct publisher_block *block, enum publisher_kind kind,
                     uint32_t id, struct proftop_slot *slot);

static void each_slot(struct publisher *p, slot_fn *act)
{
    for (struct publisher_block *block = first_block(p); block != NULL; block = block->next)
        for (int kind = PUBLISHER_APPLIES; kind <= PUBLISHER_CALLS; kind++)
            for (uint32_t at = 0; at < publisher_block_places(kind); at++) {
                struct proftop_slot **place = publisher_block_place(block, kind, at);
                struct proftop_slot *chunk = __atomic_load_n(place, __ATOMIC_ACQUIRE);
                for (uint32_t i = 0; chunk != NULL && i < PUBLISHER_CHUNK; i++)
                    if (publisher_slot_kind(&chunk[i]) != 0)
                        act(p, block, kind, at * PUBLISHER_CHUNK + i, &chunk[i]);
            }
}

/* From here on each call is timed and has an event. */
static void begin_slot(struct publisher *p, struct publisher_block *block, enum publisher_kind kind,
                       uint32_t id, struct proftop_slot *slot)
{
    publisher_slot_trace(slot, true);
    if (publisher_slot_kind(slot) >> PROFTOP_KIND_SHIFT != 0) {
        pthread_mutex_lock(&p->core->handle->lock);
        publisher_slot_set_rate(slot, publisher_block_ready(block, kind, id), 0);
        pthread_mutex_unlock(&p->core->handle->lock);
    }
    if (publisher_slot_is_traced(slot))
        p->timeline.untimed -= publisher_load(&slot->untimed);
}

static void keep_open(struct publisher *p, enum wire_group group, uint32_t id, uint32_t thread,
                      uint64_t start_ns, uint64_t frame)
{
    struct publisher_timeline *t = &p->timeline;
    if (t->open == NULL)
        t->open = malloc(WIRE_FRAME_ROWS * sizeof *t->open);
    if (t->open == NULL || t->opens == WIRE_FRAME_ROWS || start_ns > t->until_ns)
        return;
    t->open[t->opens++] = (struct publisher_still_open){group, id, thread, start_ns, frame};
}

/* Ends the events of a slot, and lists an open call of a function. */
static void end_slot(struct publisher *p, struct publisher_block *block, enum publisher_kind kind,
                     uint32_t id, struct proftop_slot *slot)
{
    if (publisher_slot_is_traced(slot))
        p->timeline.untimed += publisher_load(&slot->untimed);
    publisher_slot_trace(slot, false);
    const uint64_t start = kind == PUBLISHER_CALLS ? publisher_load(&slot->aux) : 0;
    if (start != 0)
        keep_open(p, WIRE_G_CALLED, id, thread_of(block), block_ns(p, block, start), 0);
}

/* -------------------------------------------------------------------------------- begin and end */

static struct publisher_runner *runner_at(const struct publisher *p, uint32_t i)
{
    return atomic_load_explicit(&p->core->objects->runner[i], memory_order_acquire);
}

static uint32_t runners_of(const struct publisher *p)
{
    return p->core->objects == NULL
               ? 0
               : atomic_load_explicit(&p->core->objects->runners, memory_order_acquire);
}

/* Skips the runs and instants from before. */
static void skip_objects(struct publisher *p)
{
    const uint32_t runners = runners_of(p);
    for (uint32_t i = 0; i < runners; i++) {
        struct publisher_runner *runner = runner_at(p, i);
        pthread_mutex_lock(&runner->lock);
        runner->traced = runner->ends;
        pthread_mutex_unlock(&runner->lock);
    }
    pthread_mutex_lock(&p->core->handle->lock);
    p->timeline.mark = p->core->objects == NULL ? 0 : p->core->objects->marks;
    pthread_mutex_unlock(&p->core->handle->lock);
}

/* Chooses the size of a ring by the number of threads: all of them, and as many more, have one. */
static uint32_t ring_places(const struct publisher *p)
{
    uint32_t threads = 0, places = PUBLISHER_RING_MOST;
    for (const struct publisher_block *block = first_block(p); block != NULL; block = block->next)
        threads++;
    const uint64_t each = PUBLISHER_RINGS_BYTES / (2 * (uint64_t)(threads < 2 ? 2 : threads));
    while (places > PUBLISHER_RING_LEAST && publisher_event_ring_bytes(places) > each)
        places /= 2;
    return places;
}

static void set_tracing(struct publisher *p, bool on)
{
    struct publisher_core *core = p->core;
    const uint32_t places = on ? ring_places(p) : 0;
    pthread_mutex_lock(&core->handle->lock);
    core->tracing =
        (struct publisher_tracing){.on = on, .places = places, .left = PUBLISHER_RINGS_BYTES};
    struct publisher_block *block = first_block(p);
    for (; on && block != NULL; block = block->next)
        publisher_event_ring_give(core, block);
    core->tracing.late = on;
    __atomic_store_n(&core->handle->traces, on, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&core->handle->lock);
}

/* Sums the events that found no ring. */
static uint64_t unkept_of(const struct publisher *p)
{
    uint64_t unkept = 0;
    for (const struct publisher_block *block = first_block(p); block != NULL; block = block->next)
        unkept += publisher_load(&block->unkept);
    return unkept;
}

static bool is_busy(const struct publisher_timeline *t)
{
    return t->on || t->sends || t->frees;
}

/* Keeps the value that each counter and pool has at the beginning. */
static void keep_first_values(struct publisher *p)
{
    struct publisher_timeline *t = &p->timeline;
    struct publisher_objects *objects = p->core->objects;
    const uint32_t count =
        objects == NULL ? 0 : atomic_load_explicit(&objects->counters, memory_order_acquire);
    t->first = count == 0 ? NULL : malloc(count * sizeof *t->first);
    for (uint32_t id = 0; t->first != NULL && id < count; id++) {
        const struct publisher_counter *counter = publisher_counter_at(objects, id);
        if (counter->pool_plus_1 == 0 &&
            atomic_load_explicit(&counter->known, memory_order_acquire))
            t->first[t->firsts++] = (struct publisher_sample){
                .mono_ns = t->begin_ns, .bits = publisher_load(&counter->value), .counter = id};
    }
}

bool publisher_timeline_start(struct publisher *p, uint64_t ns, uint64_t limit)
{
    struct publisher_timeline *t = &p->timeline;
    const uint64_t now_ns = publisher_clock_ns();
    if (is_busy(t))
        return false;
    publisher_ticks_settle(&p->core->ticks);
    publisher_budget_idle(&p->aggregate);
    *t = (struct publisher_timeline){.number = t->number + 1,
                                     .on = true,
                                     .heard_ns = now_ns,
                                     .limit = limit,
                                     .unkept = unkept_of(p)};
    skip_objects(p);
    set_tracing(p, true);
    each_slot(p, begin_slot);
    t->begin_ns = publisher_clock_ns();
    t->until_ns = t->begin_ns + ns;
    keep_first_values(p);
    return true;
}

static void list_open_applies(struct publisher *p)
{
    const struct publisher_instant now = publisher_ticks_instant();
    uint64_t open[PUBLISHER_NESTED + 1];
    for (struct publisher_block *block = first_block(p); block != NULL; block = block->next) {
        const uint32_t n = publisher_block_open(block, open);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t apply = open[i] % PROFTOP_APPLIES;
            const uint64_t took = publisher_open_for(open[i], block->ticks ? now.tick : now.ns);
            const uint64_t ns = long_ns(p, block, took);
            keep_open(p, WIRE_G_APPLIED, apply, thread_of(block), now.ns - ns, 0);
        }
    }
}

static void list_open_runs(struct publisher *p)
{
    const uint32_t runners = runners_of(p);
    for (uint32_t i = 0; i < runners; i++) {
        struct publisher_runner *runner = runner_at(p, i);
        pthread_mutex_lock(&runner->lock);
        const uint32_t used = atomic_load_explicit(&runner->used, memory_order_relaxed);
        for (uint32_t place = 1; place <= used; place++) {
            const struct publisher_run *run = publisher_run_at(runner, place);
            const uint64_t start = atomic_load_explicit(&run->start, memory_order_relaxed);
            const uint32_t span = atomic_load_explicit(&run->span, memory_order_relaxed);
            if (start != 0)
                keep_open(p, WIRE_G_RAN, span, run->thread, start, run->frame);
        }
        pthread_mutex_unlock(&runner->lock);
    }
}

static void end(struct publisher *p, enum publisher_trace_end why)
{
    struct publisher_timeline *t = &p->timeline;
    t->until_ns = publisher_clock_ns();
    set_tracing(p, false);
    each_slot(p, end_slot);
    list_open_applies(p);
    list_open_runs(p);
    t->on = false;
    t->sends = true;
    t->why = why;
    t->moved_ns = t->until_ns;
}

void publisher_timeline_stop(struct publisher *p)
{
    if (p->timeline.on)
        end(p, PUBLISHER_TRACE_STOPPED);
}

uint64_t publisher_timeline_left_s(const struct publisher *p)
{
    const struct publisher_timeline *t = &p->timeline;
    const uint64_t now_ns = publisher_clock_ns(), over_ns = t->on ? t->until_ns : t->moved_ns;
    const uint64_t left_ns = over_ns > now_ns ? over_ns - now_ns : 0;
    return left_ns / PUBLISHER_SECOND_NS + STUCK_MS / 1000 + 1;
}

/* -------------------------------------------------------------------------------------- sending */

/* Returns how many more events may be sent. */
static uint32_t room(const struct publisher *p)
{
    const uint64_t left = p->timeline.limit - p->timeline.events;
    return left < WIRE_FRAME_ROWS ? (uint32_t)left : WIRE_FRAME_ROWS;
}

/* Returns false if a viewer has no room for the frame now. */
static bool send(struct publisher *p, const struct publisher_trace_rows *rows)
{
    struct publisher_timeline *t = &p->timeline;
    const uint64_t seq = p->sender.seq[WIRE_TIMELINE] + 1;
    const size_t size = publisher_encode_trace(p, seq, rows);
    if (size == 0 || !publisher_sender_offer(&p->sender, WIRE_TIMELINE, p->frame.bytes, size))
        return false;
    t->events += publisher_trace_rows_all(rows);
    t->moved_ns = publisher_clock_ns();
    return true;
}

/* Puts an event into a row. Returns false if it refers to a definition that this tick has not. */
static bool put_event(struct publisher *p, struct publisher_trace_rows *rows,
                      const struct publisher_block *block, const struct publisher_traced *event)
{
    static const enum wire_table table[] = {WIRE_T_APPLY, WIRE_T_APPLY, WIRE_T_FUNCTION,
                                            WIRE_T_COUNTER};
    const uint64_t at_ns = block_ns(p, block, event->at);
    const uint32_t thread = known_thread(p, event->thread_plus_1);
    uint64_t ns = event->value;
    const bool waits =
        event->thread_plus_1 > p->defs[WIRE_T_THREAD] && p->timeline.why != PUBLISHER_TRACE_CLOSED;
    if (event->id >= p->defs[table[event->kind]] || waits)
        return false;
    if (event->kind == PUBLISHER_TRACED_VALUE) {
        publisher_trace_put_value(p, rows, event->id, at_ns, ns);
        return true;
    }
    const bool given = event->kind == PUBLISHER_TRACED_GIVEN;
    if (!given)
        ns = long_ns(p, block, ns);
    const uint64_t start_ns = at_ns > ns ? at_ns - ns : 0;
    if (event->kind == PUBLISHER_TRACED_CALL)
        publisher_trace_put_call(p, rows, event->id, start_ns, ns, thread, PUBLISHER_HOW_TIMED);
    else
        publisher_trace_put_apply(p, rows, event->id, start_ns, ns, thread,
                                  given ? PUBLISHER_HOW_GIVEN : PUBLISHER_HOW_TIMED);
    return true;
}

/* Each of the functions that send returns false if a viewer has no room now, or if the rest waits
 * for definitions: both go on in the next tick. */
static bool send_ring(struct publisher *p, const struct publisher_block *block,
                      struct publisher_event_ring *ring)
{
    struct publisher_timeline *t = &p->timeline;
    const uint64_t made = atomic_load_explicit(&ring->made, memory_order_acquire);
    uint64_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
    while (taken != made) {
        struct publisher_trace_rows rows = {.base_ns = publisher_clock_ns()};
        const uint32_t most = room(p);
        uint32_t n = 0;
        while (n < most && taken + n != made &&
               put_event(p, &rows, block, &ring->event[(taken + n) % ring->places]))
            n++;
        if (most == 0)
            t->dropped += made - taken;
        else if (n == 0 || !send(p, &rows))
            return false;
        taken = most == 0 ? made : taken + n;
        atomic_store_explicit(&ring->taken, taken, memory_order_release);
    }
    return true;
}

static bool send_rings(struct publisher *p)
{
    bool all = true;
    for (struct publisher_block *block = first_block(p); block != NULL; block = block->next) {
        struct publisher_event_ring *ring = publisher_block_ring(block);
        all &= ring == NULL || send_ring(p, block, ring);
    }
    return all;
}

/* Reads the next runs of a thread, `n` at most. Returns how many. */
static uint32_t read_runs(struct publisher *p, struct publisher_runner *runner, uint32_t n,
                          struct publisher_ended ended[RUNS_MAX])
{
    uint32_t read = 0;
    pthread_mutex_lock(&runner->lock);
    if (runner->ends - runner->traced > runner->places) {
        p->timeline.missed += runner->ends - runner->traced - runner->places;
        runner->traced = runner->ends - runner->places;
    }
    for (; read < n && runner->traced + read != runner->ends; read++) {
        const uint64_t back = runner->ends - runner->traced - read; /* 1: the newest */
        ended[read] = runner->ended[(runner->next + runner->places - back) % runner->places];
        if (ended[read].span >= p->defs[WIRE_T_SPAN])
            break;
    }
    pthread_mutex_unlock(&runner->lock);
    return read;
}

static bool send_runner(struct publisher *p, struct publisher_runner *runner)
{
    struct publisher_ended ended[RUNS_MAX];
    for (;;) {
        struct publisher_trace_rows rows = {.base_ns = publisher_clock_ns()};
        const uint32_t most = room(p);
        const uint32_t n =
            read_runs(p, runner, most != 0 && most < RUNS_MAX ? most : RUNS_MAX, ended);
        for (uint32_t i = 0; i < n && most != 0; i++) {
            const struct publisher_still_open run = {.id = ended[i].span,
                                                     .thread_plus_1 =
                                                         known_thread(p, ended[i].thread_plus_1),
                                                     .start = ended[i].start,
                                                     .frame = ended[i].frame};
            publisher_trace_put_run(p, &rows, &run, ended[i].ns, PUBLISHER_HOW_TIMED);
        }
        if (n == 0)
            return true;
        if (most != 0 && !send(p, &rows))
            return false;
        p->timeline.dropped += most == 0 ? n : 0;
        runner->traced += n;
    }
}

static bool send_runs(struct publisher *p)
{
    bool all = true;
    const uint32_t runners = runners_of(p);
    for (uint32_t i = 0; i < runners; i++)
        all &= send_runner(p, runner_at(p, i));
    return all;
}

static bool send_marks(struct publisher *p)
{
    struct publisher_timeline *t = &p->timeline;
    for (;;) {
        struct publisher_trace_rows rows = {.base_ns = publisher_clock_ns()};
        uint64_t from = t->mark;
        const uint32_t n = publisher_encode_mark_columns(p, &from), most = room(p);
        const uint32_t sent = n < most ? n : most;
        if (n == 0)
            return true;
        publisher_trace_put_marks(p, &rows, sent);
        if (sent != 0 && !send(p, &rows))
            return false;
        t->missed += from - n - t->mark;
        t->dropped += n - sent;
        t->mark = from;
    }
}

/* Sends the values from the beginning. */
static bool send_first_values(struct publisher *p)
{
    struct publisher_timeline *t = &p->timeline;
    while (t->first_next < t->firsts) {
        struct publisher_trace_rows rows = {.base_ns = publisher_clock_ns()};
        uint32_t n = 0;
        for (; t->first_next + n < t->firsts && n < room(p); n++) {
            const struct publisher_sample *first = &t->first[t->first_next + n];
            if (first->counter >= p->defs[WIRE_T_COUNTER])
                break;
            publisher_trace_put_value(p, &rows, first->counter, first->mono_ns, first->bits);
        }
        if (room(p) == 0) {
            t->dropped += t->firsts - t->first_next;
            t->firsts = t->first_next;
        } else if (n == 0 || !send(p, &rows))
            return false;
        t->first_next += n;
    }
    return true;
}

/* Puts what was open at the end into a row. Returns false if it does not fit to the `first` row of
 * the frame, or refers to a definition that this tick has not. */
static bool put_open(struct publisher *p, struct publisher_trace_rows *rows,
                     const struct publisher_still_open *first,
                     const struct publisher_still_open *open)
{
    const uint64_t ns = p->timeline.until_ns - open->start;
    const enum wire_table table = open->group == WIRE_G_RAN      ? WIRE_T_SPAN
                                  : open->group == WIRE_G_CALLED ? WIRE_T_FUNCTION
                                                                 : WIRE_T_APPLY;
    struct publisher_still_open known = *open;
    known.thread_plus_1 = known_thread(p, open->thread_plus_1);
    if (open->group != first->group || open->id >= p->defs[table])
        return false;
    if (open->group == WIRE_G_RAN)
        publisher_trace_put_run(p, rows, &known, ns, PUBLISHER_HOW_OPEN);
    else if (open->group == WIRE_G_CALLED)
        publisher_trace_put_call(p, rows, open->id, open->start, ns, known.thread_plus_1,
                                 PUBLISHER_HOW_OPEN);
    else
        publisher_trace_put_apply(p, rows, open->id, open->start, ns, known.thread_plus_1,
                                  PUBLISHER_HOW_OPEN);
    return true;
}

/* Sends what was open when the trace ended. */
static bool send_open(struct publisher *p)
{
    struct publisher_timeline *t = &p->timeline;
    while (t->open_next < t->opens) {
        struct publisher_trace_rows rows = {.base_ns = publisher_clock_ns()};
        uint32_t n = 0;
        while (t->open_next + n < t->opens && n < room(p) &&
               put_open(p, &rows, &t->open[t->open_next], &t->open[t->open_next + n]))
            n++;
        if (room(p) == 0) {
            t->dropped += t->opens - t->open_next;
            t->opens = t->open_next;
        } else if (n == 0 || !send(p, &rows))
            return false;
        t->open_next += n;
    }
    return true;
}

/* Adds what threads have dropped since the last time. */
static void count_dropped(struct publisher *p)
{
    struct publisher_timeline *t = &p->timeline;
    const uint64_t unkept = unkept_of(p);
    t->dropped += unkept - t->unkept;
    t->unkept = unkept;
    for (struct publisher_block *block = first_block(p); block != NULL; block = block->next) {
        struct publisher_event_ring *ring = publisher_block_ring(block);
        const uint64_t dropped = ring == NULL ? 0 : publisher_load(&ring->dropped);
        if (ring == NULL)
            continue;
        t->dropped += dropped - ring->seen_dropped;
        ring->seen_dropped = dropped;
    }
}

static bool send_all(struct publisher *p)
{
    bool all = true;
    all &= send_first_values(p);
    all &= send_rings(p);
    if (p->core->objects != NULL) {
        all &= send_runs(p);
        all &= send_marks(p);
    }
    count_dropped(p);
    return all && (p->timeline.on || send_open(p));
}

/* Counts as dropped what nobody takes. */
static void give_up(struct publisher *p)
{
    struct publisher_timeline *t = &p->timeline;
    count_dropped(p);
    for (struct publisher_block *block = first_block(p); block != NULL; block = block->next) {
        struct publisher_event_ring *ring = publisher_block_ring(block);
        const uint64_t made =
            ring == NULL ? 0 : atomic_load_explicit(&ring->made, memory_order_acquire);
        if (ring == NULL)
            continue;
        t->dropped += made - atomic_load_explicit(&ring->taken, memory_order_relaxed);
        atomic_store_explicit(&ring->taken, made, memory_order_release);
    }
    t->dropped += t->opens - t->open_next + t->firsts - t->first_next;
    t->open_next = t->opens;
    t->first_next = t->firsts;
}

static bool free_rings(struct publisher *p)
{
    bool all = true;
    pthread_mutex_lock(&p->core->handle->lock);
    for (struct publisher_block *block = first_block(p); block != NULL; block = block->next)
        all &= publisher_event_ring_take(block);
    pthread_mutex_unlock(&p->core->handle->lock);
    free(p->timeline.open);
    free(p->timeline.first);
    p->timeline.open = NULL;
    p->timeline.first = NULL;
    return all;
}

static enum publisher_trace_end end_of(struct publisher *p, uint64_t now_ns, bool last)
{
    struct publisher_timeline *t = &p->timeline;
    if (publisher_sender_is_subscribed(&p->sender, WIRE_TIMELINE))
        t->heard_ns = now_ns;
    return last                    ? PUBLISHER_TRACE_CLOSED
           : now_ns >= t->until_ns ? PUBLISHER_TRACE_TIME
           : now_ns > t->heard_ns && now_ns - t->heard_ns >= UNHEARD_MS * PUBLISHER_MS_NS
               ? PUBLISHER_TRACE_UNHEARD
               : PUBLISHER_TRACE_RUNS;
}

/* Sends what is left after the end. Done when all is sent, and said to be all, or given up. */
static void finish(struct publisher *p, bool all, bool heard, bool last)
{
    struct publisher_timeline *t = &p->timeline;
    const uint64_t now_ns = publisher_clock_ns();
    const bool stuck = now_ns - t->moved_ns >= STUCK_MS * PUBLISHER_MS_NS;
    if (!all && heard && !stuck && !last)
        return;
    if (!all)
        give_up(p);
    t->sends = false;
    t->frees = true;
    const bool told = send(p, &(struct publisher_trace_rows){.base_ns = now_ns});
    t->sends = !told && heard && !stuck && !last;
    t->frees = !t->sends;
}

void publisher_timeline_tick(struct publisher *p, uint64_t now_ns, bool last)
{
    struct publisher_timeline *t = &p->timeline;
    if (!is_busy(t))
        return;
    const enum publisher_trace_end why = t->on ? end_of(p, now_ns, last) : t->why;
    if (t->on && why != PUBLISHER_TRACE_RUNS)
        end(p, why);
    const bool heard = publisher_sender_is_subscribed(&p->sender, WIRE_TIMELINE);
    const bool all = (t->on || t->sends) && heard && send_all(p);
    if (t->sends)
        finish(p, all, heard, last);
    else if (t->on && heard) /* says how far the trace is */
        send(p, &(struct publisher_trace_rows){.base_ns = publisher_clock_ns()});
    if (t->frees)
        t->frees = !free_rings(p);
}
