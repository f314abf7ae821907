/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * publisher.c: decides what a tick sends, and sends it. A stream without subscribers costs nothing.
 */
#include "config.h"

#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/collect/aggregate_calls.h"
#include "feed/publisher/collect/budget.h"
#include "feed/publisher/collect/overhead.h"
#include "feed/publisher/collect/read_objects.h"
#include "feed/publisher/publish/encode.h"
#include "feed/publisher/publish/encode_objects.h"
#include "feed/publisher/publish/publisher.h"
#include "feed/publisher/publish/timeline.h"
#include "feed/publisher/publish/trace.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/count_filter.h"

#include <stdlib.h>
#include <string.h>

enum {
    YIELD_TICKS = 5,      /* for this many ticks rows of applies yield to a snapshot, */
    YIELD_EVERY = 20,     /* in every window of this many ticks, however many snapshots are
                           * requested */
    STRETCH = 1 << 16,    /* applies that are summed and sent together at the end */
    FEW_FUNCTIONS = 64,   /* above this frames are not full, and each pass walks the list of all
                           * functions */
    AGES = 64,            /* ages of dirty rows, in ticks, that are counted separately */
    ROW_BYTES_FIRST = 32, /* a guess, until a tick has been measured */
};

bool publisher_init(struct publisher *p, struct publisher_core *core, void *socket)
{
    memset(p, 0, sizeof *p);
    p->core = core;
    p->epoch = 1;
    p->tick_ms = WIRE_TICK_MS;
    p->applies.row_bytes = ROW_BYTES_FIRST;
    publisher_overhead_init(&p->overhead);
    p->frame.bytes = malloc(WIRE_FRAME_MAX);
    p->frame.column = malloc(PUBLISHER_COLUMNS * sizeof *p->frame.column);
    p->frame.words = malloc(PUBLISHER_WORDS * sizeof *p->frame.words);
    bool whole = p->frame.bytes != NULL && p->frame.column != NULL && p->frame.words != NULL &&
                 publisher_aggregate_init(&p->aggregate, core);
    p->aggregate.budget.limit = core->count_filter.budget;
    publisher_sender_init(&p->sender, socket);
    if (!whole)
        publisher_release(p);
    return whole;
}

void publisher_release(struct publisher *p)
{
    publisher_aggregate_release(&p->aggregate);
    publisher_percentiles_release(&p->percentiles);
    free(p->frame.bytes);
    free(p->frame.column);
    free(p->frame.words);
    publisher_objects_sent_release(&p->objects);
    publisher_samples_release(&p->samples);
    publisher_timeline_release(&p->timeline);
    free(p->applies.seq);
    free(p->applies.function_at);
    free(p->applies.waiting.id);
    free(p->applies.sorted.id);
    memset(p, 0, sizeof *p);
}

/* --------------------------------------------------------------------------------- sending */

void publisher_send_definitions(struct publisher *p)
{
    size_t size;
    if (!publisher_sender_is_subscribed(&p->sender, WIRE_DEFS)) {
        memcpy(p->sent.defs, p->defs, sizeof p->sent.defs);
        return;
    }
    do
        size = publisher_encode_defs(p, p->sender.seq[WIRE_DEFS] + 1, 0, p->sent.defs);
    while (size != 0 && publisher_sender_send(&p->sender, WIRE_DEFS, p->frame.bytes, size));
}

static void send_functions(struct publisher *p)
{
    uint32_t count = p->defs[WIRE_T_FUNCTION];
    if (!publisher_sender_is_subscribed(&p->sender, WIRE_FUNCTIONS))
        return;
    publisher_aggregate_functions(&p->aggregate, count);
    uint32_t id[PUBLISHER_FUNCTION_ROWS];
    for (uint32_t from = 0; from < count;) {
        size_t n = 0;
        for (; from < count && n < PUBLISHER_FUNCTION_ROWS; from++) {
            const struct publisher_call_row *row =
                publisher_aggregate_function(&p->aggregate, from);
            if (row != NULL && row->waits_since != 0)
                id[n++] = from;
        }
        uint64_t seq = p->sender.seq[WIRE_FUNCTIONS] + 1;
        size_t size = n == 0 ? 0 : publisher_encode_functions(p, seq, 0, id, n);
        if (size == 0)
            continue;
        if (!publisher_sender_send(&p->sender, WIRE_FUNCTIONS, p->frame.bytes, size))
            return;
        for (size_t i = 0; i < n; i++)
            publisher_aggregate_function(&p->aggregate, id[i])->waits_since = 0;
    }
}

/* Sends what runs now. In a job with nested functions the list also tells viewers that all rows of
 * the tick have come: a node's own time is its time without that of the functions inside. */
static void send_now(struct publisher *p)
{
    size_t rows = 0;
    if (!publisher_sender_is_subscribed(&p->sender, WIRE_NOW))
        return;
    size_t size = publisher_encode_now(p, p->sender.seq[WIRE_NOW] + 1, 0, &rows);
    if (size != 0 && (rows != 0 || p->sent.now_shown || p->nested))
        publisher_sender_send_late(&p->sender, WIRE_NOW, p->frame.bytes, size);
    p->sent.now_shown = rows != 0;
}

static void send_notices(struct publisher *p)
{
    uint64_t end;
    if (!publisher_sender_is_subscribed(&p->sender, WIRE_NOTICES))
        return;
    size_t size =
        publisher_encode_notices(p, p->sender.seq[WIRE_NOTICES] + 1, 0, p->sent.notices, &end);
    p->sent.notices = end;
    if (size != 0)
        publisher_sender_send_late(&p->sender, WIRE_NOTICES, p->frame.bytes, size);
}

/* Sends the dirty rows of a stream that sends each row once: one frame a tick, in the last tick as
 * many as time allows. */
static void send_waiting(struct publisher *p, enum wire_stream stream, bool last,
                         size_t (*frame)(struct publisher *p, uint64_t seq, uint64_t request,
                                         uint32_t *from))
{
    size_t size;
    if (!publisher_sender_is_subscribed(&p->sender, stream))
        return;
    do
        size = frame(p, p->sender.seq[stream] + 1, 0, NULL);
    while (size != 0 && publisher_sender_send(&p->sender, stream, p->frame.bytes, size) && last);
}

/* Percentiles are sent once a second: viewers read them no faster. */
static void send_percentiles(struct publisher *p, bool last)
{
    uint32_t from = 0;
    size_t size;
    bool due = last || p->tick % PUBLISHER_PERCENTILE_TICKS == 0;
    if (!due || !publisher_sender_is_subscribed(&p->sender, WIRE_PERCENTILES))
        return;
    if (!publisher_sender_wants_applies(
            &p->sender)) /* otherwise this tick has summed them already */
        publisher_aggregate_applies(&p->aggregate, p->defs[WIRE_T_APPLY]);
    publisher_percentiles_count(&p->percentiles, &p->aggregate, p->defs[WIRE_T_OP]);
    do
        size =
            publisher_encode_percentiles(p, p->sender.seq[WIRE_PERCENTILES] + 1, 0, &from, false);
    while (size != 0 && publisher_sender_send(&p->sender, WIRE_PERCENTILES, p->frame.bytes, size));
}

static void send_hello(struct publisher *p, uint64_t now_ns, bool bye)
{
    bool due = bye || now_ns - p->sent.hello_ns >= WIRE_HELLO_MS * PUBLISHER_MS_NS;
    if (!due || !publisher_sender_is_subscribed(&p->sender, WIRE_HELLO))
        return;
    size_t size = publisher_encode_hello(p, p->sender.seq[WIRE_HELLO] + 1, 0, bye);
    p->sent.hello_ns = now_ns;
    if (size != 0)
        publisher_sender_send_late(&p->sender, WIRE_HELLO, p->frame.bytes, size);
}

/* --------------------------------------------------------------------------- rows of applies */

/* Grows both tables by function to hold one number for each function. */
static bool make_room(struct publisher *p, uint32_t functions)
{
    if (functions <= p->applies.seq_capacity && functions < p->applies.function_capacity)
        return true;
    uint32_t capacity = functions * 2 + 64;
    uint64_t *seq = realloc(p->applies.seq, capacity * sizeof *seq);
    if (seq == NULL)
        return false;
    memset(seq + p->applies.seq_capacity, 0, (capacity - p->applies.seq_capacity) * sizeof *seq);
    p->applies.seq = seq;
    p->applies.seq_capacity = capacity;
    uint32_t *at = realloc(p->applies.function_at, (capacity + 1) * sizeof *at);
    if (at == NULL)
        return false;
    p->applies.function_at = at;
    p->applies.function_capacity = capacity + 1;
    return true;
}

/* Filters rows by subscribed function. Caches the answer for the last function. */
struct filter {
    bool all, subscribed;
    uint32_t function;
};

static struct filter filter_of(const struct publisher *p)
{
    return (struct filter){.all = publisher_sender_is_subscribed(&p->sender, WIRE_APPLIES),
                           .function = PUBLISHER_NONE};
}

static bool passes_filter(const struct publisher *p, struct filter *filter, uint32_t id)
{
    if (!filter->all && publisher_aggregate_function_of(&p->aggregate, id) != filter->function) {
        filter->function = publisher_aggregate_function_of(&p->aggregate, id);
        filter->subscribed = publisher_sender_wants_function(&p->sender, filter->function);
    }
    return filter->all || filter->subscribed;
}

static uint32_t age_of(const struct publisher *p, uint32_t id)
{
    uint32_t age = p->aggregate.tick - publisher_aggregate_dirty_since(&p->aggregate, id);
    return age < AGES ? age : AGES - 1;
}

/* Selects the rows that a tick sends: all that are dirty for `least` ticks or more, and the first
 * `more` rows by id that are dirty for one tick less. The remaining rows are older next time. */
struct cut {
    uint32_t least;
    size_t more;
};

static size_t rows_waiting(const struct publisher *p, uint32_t count)
{
    size_t waiting = 0;
    for (uint32_t at = 0; at * PUBLISHER_CHUNK < count; at++)
        waiting += p->aggregate.waiting[at];
    return waiting;
}

static struct cut cut_off(const struct publisher *p, uint32_t count)
{
    struct filter filter = filter_of(p);
    struct cut cut = {.least = AGES, .more = (size_t)(WIRE_TICK_MAX / p->applies.row_bytes)};
    if (rows_waiting(p, count) <= cut.more)
        return (struct cut){.least = 0, .more = cut.more};
    uint32_t id[PUBLISHER_CHUNK], ages[AGES] = {0};
    for (uint32_t at = 0; at * PUBLISHER_CHUNK < count; at++)
        for (uint32_t n = publisher_aggregate_dirty_rows(&p->aggregate, at, count, id), i = 0;
             i < n; i++)
            if (passes_filter(p, &filter, id[i]))
                ages[age_of(p, id[i])]++;
    while (cut.least > 0 && ages[cut.least - 1] <= cut.more)
        cut.more -= ages[--cut.least];
    return cut;
}

/* Lists the dirty rows from chunk `at` on, below `count`, that are subscribed to and fit into the
 * tick. Without this limit the list is very long after a first look at a large job. */
static void collect(struct publisher *p, uint32_t at, uint32_t count, struct cut cut)
{
    struct filter filter = filter_of(p);
    struct publisher_ids *list = &p->applies.waiting;
    list->count = 0;
    for (; at * PUBLISHER_CHUNK < count; at++) {
        if (!publisher_ids_reserve(list, list->count + PUBLISHER_CHUNK))
            return;
        uint32_t *id = list->id + list->count,
                 n = publisher_aggregate_dirty_rows(&p->aggregate, at, count, id);
        const bool all = cut.least == 0 && filter.all;
        list->count += all ? n : 0;
        for (uint32_t i = 0; !all && i < n; i++) {
            uint32_t age = cut.least == 0 ? 0 : age_of(p, id[i]);
            bool more = age + 1 == cut.least && cut.more > 0;
            if ((age < cut.least && !more) || !passes_filter(p, &filter, id[i]))
                continue;
            list->id[list->count++] = id[i];
            cut.more -= more;
        }
    }
}

/* Sorts the list by function; ids stay in order within a function. function_at[f] becomes the end
 * of function f. Most often the list is in that order already. Returns the sorted list, or NULL if
 * out of memory. */
static const uint32_t *sort_by_function(struct publisher *p, uint32_t functions)
{
    uint32_t *end = p->applies.function_at, last = 0;
    bool sorted = true;
    memset(end, 0, (functions + 1) * sizeof *end);
    for (size_t i = 0; i < p->applies.waiting.count; i++) {
        uint32_t function =
            publisher_aggregate_function_of(&p->aggregate, p->applies.waiting.id[i]);
        end[function + 1]++;
        sorted &= function >= last;
        last = function;
    }
    for (uint32_t f = 0; f < functions; f++)
        end[f + 1] += end[f];
    if (sorted) {
        memmove(end, end + 1, functions * sizeof *end);
        return p->applies.waiting.id;
    }
    if (!publisher_ids_reserve(&p->applies.sorted, p->applies.waiting.count))
        return NULL;
    for (size_t i = 0; i < p->applies.waiting.count; i++)
        p->applies.sorted
            .id[end[publisher_aggregate_function_of(&p->aggregate, p->applies.waiting.id[i])]++] =
            p->applies.waiting.id[i];
    return p->applies.sorted.id;
}

/* Sends n rows of one function. Returns the number of bytes; 0: nothing was sent. */
static size_t send_rows(struct publisher *p, uint32_t function, const uint32_t *id, size_t n,
                        size_t room)
{
    uint64_t seq = p->applies.seq[function] + 1;
    size_t size = publisher_encode_applies(p, seq, 0, function, id, n, false);
    if (size == 0 || size > room)
        return 0;
    p->applies.seq[function] = seq;
    publisher_sender_send_frame(&p->sender, p->frame.bytes, size);
    publisher_aggregate_mark_sent(&p->aggregate, id, n);
    return size;
}

/* Sends the collected rows, up to `room` bytes. Returns the number of bytes sent. */
static size_t send_collected(struct publisher *p, size_t room)
{
    uint32_t functions = p->defs[WIRE_T_FUNCTION];
    const uint32_t *id = p->applies.waiting.count == 0 ? NULL : sort_by_function(p, functions);
    if (id == NULL)
        return 0;
    size_t bytes = 0, rows = 0;
    uint32_t from = 0;
    for (uint32_t f = 0; f < functions; f++)
        for (uint32_t end = p->applies.function_at[f]; from < end;) {
            size_t n = end - from < WIRE_FRAME_ROWS ? end - from : WIRE_FRAME_ROWS;
            size_t size = send_rows(p, f, id + from, n, room - bytes);
            rows += size == 0 ? 0 : n;
            bytes += size;
            from += (uint32_t)n;
        }
    if (rows >= 256)
        p->applies.row_bytes = (double)bytes / (double)rows * 1.02;
    return bytes;
}

/* How many dirty rows to sum before sending: enough to fill a frame, so that the sums are still in
 * the cache when they are encoded. If rows were dirty before, the oldest go first, so all rows have
 * to be summed first. */
static uint32_t rows_at_a_time(const struct publisher *p, uint32_t count)
{
    bool few = p->defs[WIRE_T_FUNCTION] <= FEW_FUNCTIONS;
    return few && rows_waiting(p, count) == 0 ? WIRE_FRAME_ROWS - PUBLISHER_CHUNK : UINT32_MAX;
}

static void send_applies(struct publisher *p)
{
    const uint32_t count = p->defs[WIRE_T_APPLY];
    if (!publisher_sender_wants_applies(&p->sender) || !make_room(p, p->defs[WIRE_T_FUNCTION]))
        return;
    const uint32_t ticks = WIRE_TICK_MAX_MS / p->tick_ms, most = rows_at_a_time(p, count);
    size_t room = WIRE_TICK_MAX;
    for (uint32_t at = 0, next; at * PUBLISHER_CHUNK < count; at = next) {
        next = publisher_aggregate_part(&p->aggregate, at, count, ticks, most);
        const uint32_t end = next * PUBLISHER_CHUNK < count ? next * PUBLISHER_CHUNK : count;
        collect(p, at, end, most == UINT32_MAX ? cut_off(p, count) : (struct cut){.least = 0});
        room -= send_collected(p, room);
    }
}

/* Sums and sends in stretches: viewers take one while the next is summed. If time ends before the
 * rows do, every function skips a sequence number, so that no viewer takes its figures for the
 * final ones. */
static void send_last_applies(struct publisher *p)
{
    const uint32_t all = p->defs[WIRE_T_APPLY], functions = p->defs[WIRE_T_FUNCTION];
    if (!publisher_sender_wants_applies(&p->sender) || !make_room(p, functions))
        return;
    for (uint32_t from = 0; from < all; from += STRETCH) {
        const uint32_t end = all - from < STRETCH ? all : from + STRETCH;
        for (uint32_t at = from / PUBLISHER_CHUNK;
             at * PUBLISHER_CHUNK < end && !publisher_sender_is_over(&p->sender); at++)
            publisher_aggregate_chunk(&p->aggregate, at, end);
        for (uint32_t f = 0; f < functions && publisher_sender_is_over(&p->sender); f++)
            p->applies.seq[f]++;
        if (publisher_sender_is_over(&p->sender))
            return;
        collect(p, from / PUBLISHER_CHUNK, end, (struct cut){.more = SIZE_MAX});
        send_collected(p, SIZE_MAX);
    }
}

/* ------------------------------------------------------------------------------------ ticks */

/* Frames from here on refer to the definitions that exist now. */
void publisher_refresh_definitions(struct publisher *p)
{
    pthread_mutex_lock(&p->core->handle->lock);
    publisher_definitions_counts(&p->core->definitions, p->defs);
    p->nested = p->core->definitions.nested;
    pthread_mutex_unlock(&p->core->handle->lock);
    publisher_aggregate_ops(&p->aggregate, p->defs[WIRE_T_OP]);
}

static void next_tick(struct publisher *p)
{
    p->aggregate.tick = (uint32_t)++p->tick;
    publisher_refresh_definitions(p);
}

/* True while rows of applies yield to a snapshot. A snapshot keeps a large job busy enough, so
 * changed rows go a little later, to all viewers. In a small job a snapshot never spans a tick. */
static bool yields(struct publisher *p)
{
    if (!p->applies.serving)
        return false;
    if (p->tick >= p->applies.yields_next)
        p->applies.yields_next = p->tick + YIELD_EVERY;
    return p->tick + YIELD_EVERY < p->applies.yields_next + YIELD_TICKS;
}

void publisher_tick(struct publisher *p, uint64_t now_ns, bool last)
{
    next_tick(p);
    if (!last)
        publisher_sender_begin_tick(&p->sender);
    publisher_count_filter_watch(p->core, publisher_sender_is_watched(&p->sender));
    publisher_send_definitions(p);
    publisher_trace_sample(p, now_ns, false);
    if (!publisher_sender_is_watched(&p->sender)) {
        publisher_timeline_tick(p, now_ns, last);
        publisher_aggregate_prefetch(&p->aggregate, p->defs[WIRE_T_APPLY]);
        publisher_percentiles_prepare(&p->percentiles, &p->aggregate, p->defs[WIRE_T_OP]);
        publisher_overhead_tick(&p->overhead, &p->aggregate, now_ns, false, last);
        publisher_budget_idle(&p->aggregate);
        return;
    }
    publisher_run_queue_tick(&p->aggregate.runqueue, p->core, p->aggregate.tick);
    send_functions(p);
    if (last)
        send_last_applies(p);
    else if (!yields(p))
        send_applies(p);
    if (!last || !publisher_sender_is_over(&p->sender))
        send_percentiles(p, last);
    send_now(p);
    send_notices(p);
    send_waiting(p, WIRE_REWRITES, last, publisher_encode_phases);
    send_waiting(p, WIRE_DETAILS, last, publisher_encode_details);
    send_waiting(p, WIRE_DETAILS, last, publisher_encode_metrics);
    publisher_encode_due_counters(p, last);
    publisher_encode_due_spans(p, last);
    publisher_encode_due_marks(p, last);
    publisher_timeline_tick(p, now_ns, last);
    bool subscribed = publisher_sender_wants_applies(&p->sender);
    publisher_overhead_tick(&p->overhead, &p->aggregate, now_ns, subscribed, last);
    if (subscribed && !p->timeline.on) /* a trace has an event of each call */
        publisher_budget_tick(&p->aggregate, &p->overhead, now_ns);
    else
        publisher_budget_idle(&p->aggregate);
    send_hello(p, now_ns, false);
}

void publisher_sum_all(struct publisher *p)
{
    next_tick(p);
    publisher_aggregate_all(&p->aggregate, p->defs[WIRE_T_FUNCTION], p->defs[WIRE_T_APPLY]);
    if (p->defs[WIRE_T_COUNTER] + p->defs[WIRE_T_SPAN] > 0)
        publisher_objects_note(p->core->objects);
    publisher_trace_sample(p, publisher_clock_ns(), true);
}

bool publisher_reset(struct publisher *p)
{
    publisher_percentiles_count(&p->percentiles, &p->aggregate, p->defs[WIRE_T_OP]);
    if (!publisher_percentiles_are_whole(&p->percentiles, &p->aggregate) ||
        !publisher_aggregate_reset(&p->aggregate))
        return false;
    publisher_percentiles_reset(&p->percentiles);
    pthread_mutex_lock(&p->core->handle->lock);
    publisher_metrics_clear(&p->core->metrics);
    struct publisher_objects *objects = p->core->objects;
    pthread_mutex_unlock(&p->core->handle->lock);
    if (objects != NULL)
        publisher_objects_reset(objects);
    p->epoch++;
    p->sent.hello_ns = 0; /* viewers learn of the reset at once */
    return true;
}

void publisher_send_goodbye(struct publisher *p)
{
    send_hello(p, 0, true);
}
