/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trace.c: the events of a dump. Nested runs of a thread become complete events ("X"), which
 * viewers stack. A run that overlaps another one becomes a pair of events ("b", "e").
 */
#include "config.h"

#include "feed/publisher/publish/encode_objects.h"
#include "feed/publisher/publish/trace.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/objects.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void publisher_samples_release(struct publisher_samples *samples)
{
    free(samples->sample);
    free(samples->seen);
    memset(samples, 0, sizeof *samples);
}

/* ------------------------------------------------------------------------------------- sampling */

static const struct publisher_counter_row *counter_row(const struct publisher *p, uint32_t id)
{
    return publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_COUNTER, id);
}

/* Grows the tables to hold the samples, and the update numbers of `count` counters. Returns false
 * if out of memory. */
static bool has_room(struct publisher_samples *samples, uint32_t count)
{
    if (samples->sample == NULL)
        samples->sample = malloc(PUBLISHER_SAMPLES * sizeof *samples->sample);
    if (count <= samples->capacity || samples->sample == NULL)
        return samples->sample != NULL;
    const uint32_t capacity = count * 2;
    uint32_t *grown = realloc(samples->seen, capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    memset(grown + samples->capacity, 0, (capacity - samples->capacity) * sizeof *grown);
    samples->seen = grown;
    samples->capacity = capacity;
    return true;
}

/* Leaves out scopes of a pool, as reports do. */
static bool is_shown(const struct publisher *p, uint32_t id)
{
    return counter_row(p, id)->scope.size == 0;
}

/* Keeps the value of a counter if it was updated and has a value. */
static void sample(struct publisher *p, uint32_t id, uint64_t now_ns)
{
    struct publisher_samples *samples = &p->samples;
    const struct publisher_counter *counter = publisher_counter_at(p->core->objects, id);
    const uint32_t ended = atomic_load_explicit(&counter->turn.ended, memory_order_acquire);
    if (ended == samples->seen[id])
        return;
    samples->seen[id] = ended;
    if (!is_shown(p, id) || !atomic_load_explicit(&counter->known, memory_order_acquire))
        return;
    samples->sample[samples->taken++ % PUBLISHER_SAMPLES] = (struct publisher_sample){
        .mono_ns = now_ns,
        .bits = atomic_load_explicit(&counter->value, memory_order_acquire),
        .counter = id};
}

void publisher_trace_sample(struct publisher *p, uint64_t now_ns, bool all)
{
    struct publisher_samples *samples = &p->samples;
    const uint32_t count = p->defs[WIRE_T_COUNTER];
    const uint32_t looks = all || count < PUBLISHER_SAMPLED ? count : PUBLISHER_SAMPLED;
    if (count > 0 && !has_room(samples, count)) {
        samples->lost++;
        return;
    }
    for (uint32_t i = 0; i < looks; i++, samples->next++) {
        samples->next = samples->next < count ? samples->next : 0;
        sample(p, samples->next, now_ns);
    }
}

/* ----------------------------------------------------------------------------------- one event */

/* Begins an event: name, category, kind and process. */
static void begin_event(const struct publisher *p, struct shared_text *out, char kind,
                        struct wire_text name, struct wire_text category)
{
    shared_text_printf(out, ",\n{\"name\": ");
    shared_text_quoted(out, name);
    shared_text_printf(out, ", \"cat\": ");
    shared_text_quoted(out, category);
    shared_text_printf(out, ", \"ph\": \"%c\", \"pid\": %" PRIu64, kind, p->core->me.pid);
}

/* Prints microseconds with three decimals. */
static void print_time(struct shared_text *out, const char *key, uint64_t ns)
{
    shared_text_printf(out, ", \"%s\": %" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

/* Returns the kernel's number of the thread; 0: not known. */
static uint64_t tid_of(const struct publisher *p, uint32_t thread_plus_1)
{
    if (thread_plus_1 == 0 || thread_plus_1 > p->defs[WIRE_T_THREAD])
        return 0;
    const struct publisher_thread_row *row =
        publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_THREAD, thread_plus_1 - 1);
    return row->tid;
}

static void print_threads(const struct publisher *p, struct shared_text *out)
{
    for (uint32_t id = 0; id < p->defs[WIRE_T_THREAD]; id++) {
        const struct publisher_thread_row *row =
            publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_THREAD, id);
        if (row->name.size == 0)
            continue;
        shared_text_printf(out,
                           ",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": %" PRIu64
                           ", \"tid\": %" PRIu64 ", \"args\": {\"name\": ",
                           p->core->me.pid, row->tid);
        shared_text_quoted(out, row->name);
        shared_text_printf(out, "}}");
    }
}

/* ----------------------------------------------------------------------------------------- runs */

/* A run, with the kernel's number of its thread: a thread that gets a name is defined anew, under
 * another id. */
struct run {
    uint64_t start, ns, frame;
    uint32_t span, tid;
    bool open; /* has not ended; `ns` counts up to the dump */
};

/* Copied runs of all threads; `lost`: overwritten or never kept. */
struct runs {
    struct run *run;
    size_t count, capacity;
    uint64_t lost, open;
    bool failed;
};

static bool make_room(struct runs *runs, size_t more)
{
    if (runs->count + more <= runs->capacity)
        return true;
    const size_t capacity = (runs->count + more) * 2;
    struct run *grown = realloc(runs->run, capacity * sizeof *grown);
    runs->failed = runs->failed || grown == NULL;
    if (grown == NULL)
        return false;
    runs->run = grown;
    runs->capacity = capacity;
    return true;
}

/* Skips runs that refer to newer definitions; the next dump has them. */
static void take_run(const struct publisher *p, const struct publisher_ended *ended,
                     struct runs *runs)
{
    if (ended->span >= p->defs[WIRE_T_SPAN])
        return;
    runs->run[runs->count++] = (struct run){.start = ended->start,
                                            .ns = ended->ns,
                                            .frame = ended->frame,
                                            .span = ended->span,
                                            .tid = (uint32_t)tid_of(p, ended->thread_plus_1)};
}

/* Copies the runs in portions, so that their thread does not wait for the whole copy. A run that
 * the thread overwrites meanwhile is replaced by a newer one, which is as good. */
static void take_runs(const struct publisher *p, struct publisher_runner *runner, struct runs *runs)
{
    enum { SOME = 256 };
    uint32_t kept = PUBLISHER_ENDED_OWN;
    for (uint32_t at = 0; at < kept && make_room(runs, SOME); at += SOME) {
        pthread_mutex_lock(&runner->lock);
        if (at == 0) {
            kept = runner->ends < runner->places ? (uint32_t)runner->ends : runner->places;
            runs->lost += runner->ends - kept;
        }
        for (uint32_t i = at; i < kept && i < at + SOME; i++)
            take_run(p, &runner->ended[i], runs);
        pthread_mutex_unlock(&runner->lock);
    }
}

/* Copies the open runs of all threads that have used the runner. */
static void take_open_runs(const struct publisher *p, struct publisher_runner *runner,
                           struct runs *runs, uint64_t now_ns)
{
    pthread_mutex_lock(&runner->lock);
    const uint32_t used = atomic_load_explicit(&runner->used, memory_order_relaxed);
    const bool room = make_room(runs, used);
    for (uint32_t place = 1; room && place <= used; place++) {
        const struct publisher_run *run = publisher_run_at(runner, place);
        const uint64_t start = atomic_load_explicit(&run->start, memory_order_relaxed);
        const uint32_t span = atomic_load_explicit(&run->span, memory_order_relaxed);
        if (start == 0 || start > now_ns || span >= p->defs[WIRE_T_SPAN])
            continue;
        runs->run[runs->count++] = (struct run){.start = start,
                                                .ns = now_ns - start,
                                                .frame = run->frame,
                                                .span = span,
                                                .tid = (uint32_t)tid_of(p, run->thread),
                                                .open = true};
        runs->open++;
    }
    pthread_mutex_unlock(&runner->lock);
}

/* Orders runs by thread, then by start, with enclosing runs first. */
static int compare_runs(const void *left, const void *right)
{
    const struct run *a = left, *b = right;
    if (a->tid != b->tid)
        return a->tid < b->tid ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->ns < b->ns) - (a->ns > b->ns);
}

static void take_all_runs(const struct publisher *p, struct runs *runs)
{
    struct publisher_objects *objects = p->core->objects;
    if (p->defs[WIRE_T_SPAN] == 0)
        return;
    const uint32_t runners = atomic_load_explicit(&objects->runners, memory_order_acquire);
    const uint64_t now_ns = publisher_clock_ns();
    for (uint32_t i = 0; i < runners && !p->core->life.stop; i++) {
        struct publisher_runner *runner =
            atomic_load_explicit(&objects->runner[i], memory_order_acquire);
        take_runs(p, runner, runs);
        take_open_runs(p, runner, runs, now_ns);
    }
    if (runs->count > 1)
        qsort(runs->run, runs->count, sizeof *runs->run, compare_runs);
}

/* Ends an event with the arguments of the run: its frame number, and whether it is open. */
static void end_run(struct shared_text *out, const struct run *run)
{
    const char *open = run->open ? "\"open\": true" : "";
    if (run->frame != 0)
        shared_text_printf(out, ", \"args\": {\"frame\": %" PRIu64 "%s%s}}", run->frame,
                           run->open ? ", " : "", open);
    else if (run->open)
        shared_text_printf(out, ", \"args\": {%s}}", open);
    else
        shared_text_printf(out, "}");
}

/* Prints a nested run as one event, or an overlapping run as a pair with an id. */
static void print_run(const struct publisher *p, struct shared_text *out, const struct run *run,
                      bool inside, size_t number)
{
    const struct publisher_span_row *row =
        publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_SPAN, run->span);
    for (int end = 0; end < (inside ? 1 : 2); end++) {
        begin_event(p, out, inside ? 'X' : end ? 'e' : 'b', row->name, row->category);
        shared_text_printf(out, ", \"tid\": %" PRIu32, run->tid);
        print_time(out, "ts", run->start + (end ? run->ns : 0));
        if (inside)
            print_time(out, "dur", run->ns);
        else
            shared_text_printf(out, ", \"id\": \"%zu\"", number);
        end_run(out, run);
    }
}

/* `around`: scratch for the ends of the enclosing runs. */
static void print_runs(const struct publisher *p, struct shared_text *out, const struct runs *runs,
                       uint64_t *around)
{
    size_t deep = 0;
    for (size_t i = 0; i < runs->count && !out->failed; i++) {
        const struct run *run = &runs->run[i];
        const uint64_t until = run->start + run->ns;
        if (i > 0 && run->tid != run[-1].tid)
            deep = 0;
        while (deep > 0 && around[deep - 1] <= run->start)
            deep--;
        const bool inside = deep == 0 || until <= around[deep - 1];
        if (inside)
            around[deep++] = until;
        print_run(p, out, run, inside, i);
    }
}

/* --------------------------------------------------------------------------- instants, samples */

/* Scopes in Chrome's traces: g for all processes, p for one, t for a thread. */
static const char scopes[PUBLISHER_MARK_SCOPES] = {'g', 'p', 't', 't', 'p'};

/* Prints the instant in row `at` of the columns of p (encode_objects.c). */
static void print_mark(const struct publisher *p, struct shared_text *out, uint32_t at)
{
    const struct publisher_definitions *definitions = &p->core->definitions;
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    const uint32_t scope = (uint32_t)c[2][at], task = (uint32_t)c[5][at];
    const struct publisher_marker_row *row =
        publisher_definitions_row(definitions, PUBLISHER_DEF_MARKER, (uint32_t)c[1][at]);
    begin_event(p, out, 'i', row->name, row->domain);
    shared_text_printf(out, ", \"tid\": %" PRIu64, tid_of(p, (uint32_t)c[4][at]));
    print_time(out, "ts", c[3][at]);
    shared_text_printf(out, ", \"s\": \"%c\", \"args\": {\"scope\": \"%s\"", scopes[scope],
                       publisher_mark_scopes[scope]);
    if (task != 0) {
        const struct publisher_span_row *in =
            publisher_definitions_row(definitions, PUBLISHER_DEF_SPAN, task - 1);
        shared_text_named(out, "task", in->name);
    }
    shared_text_printf(out, "}}");
}

/* Prints no more instants than are kept: a program may mark faster than this loop prints. */
static void print_marks(struct publisher *p, struct shared_text *out,
                        struct publisher_trace_counts *counts)
{
    uint64_t from = 0;
    uint32_t printed = 0, n;
    while (printed < PUBLISHER_MARKS && (n = publisher_encode_mark_columns(p, &from)) != 0)
        for (uint32_t at = 0; at < n && printed < PUBLISHER_MARKS; at++, printed++)
            print_mark(p, out, at);
    counts->instants = printed;
    counts->instants_lost = from - printed;
}

/* Trace viewers tell counters apart by name alone, so the name contains the domain. */
static void print_sample(const struct publisher *p, struct shared_text *out,
                         const struct publisher_sample *sample)
{
    const struct publisher_counter_row *row = counter_row(p, sample->counter);
    const struct publisher_counter *counter =
        publisher_counter_at(p->core->objects, sample->counter);
    const bool memory = counter->kind == PUBLISHER_MEMORY;
    struct shared_text name = {0};
    shared_text_printf(&name, "%.*s: %.*s", (int)row->domain.size, row->domain.data,
                       (int)row->name.size, row->name.data);
    begin_event(p, out, 'C',
                memory ? row->report : (struct wire_text){name.data, (uint32_t)name.size},
                memory ? shared_text_of("Device Storage") : row->domain);
    out->failed = out->failed || name.failed;
    shared_text_release(&name);
    shared_text_printf(out, ", \"tid\": 0");
    print_time(out, "ts", sample->mono_ns);
    if (counter->kind == PUBLISHER_COUNTER_F64)
        shared_text_printf(out, ", \"args\": {\"value\": %.17g}}", publisher_double(sample->bits));
    else
        shared_text_printf(out, ", \"args\": {\"%s\": %" PRId64 "}}", memory ? "bytes" : "value",
                           (int64_t)sample->bits);
}

static uint64_t first_sample(const struct publisher_samples *samples)
{
    return samples->taken > PUBLISHER_SAMPLES ? samples->taken - PUBLISHER_SAMPLES : 0;
}

static void print_samples(const struct publisher *p, struct shared_text *out)
{
    const struct publisher_samples *samples = &p->samples;
    for (uint64_t at = first_sample(samples); at < samples->taken && !out->failed; at++)
        print_sample(p, out, &samples->sample[at % PUBLISHER_SAMPLES]);
}

/* ------------------------------------------------------------------------------------------ all */

void publisher_trace_print(struct publisher *p, struct shared_text *out,
                           struct publisher_trace_counts *counts)
{
    struct runs runs = {0};
    take_all_runs(p, &runs);
    uint64_t *around = malloc(runs.count * sizeof *around + 1);
    out->failed = out->failed || runs.failed || around == NULL;
    print_threads(p, out);
    if (around != NULL)
        print_runs(p, out, &runs, around);
    *counts = (struct publisher_trace_counts){
        .runs = runs.count, .runs_open = runs.open, .runs_lost = runs.lost};
    print_marks(p, out, counts);
    print_samples(p, out);
    counts->samples = p->samples.taken - first_sample(&p->samples);
    counts->samples_lost = p->samples.lost + first_sample(&p->samples);
    free(around);
    free(runs.run);
}
