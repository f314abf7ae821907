/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * publisher.c: decides what a tick sends, and sends it. A stream without subscribers costs nothing.
 */
#include "config.h"

#include "feed/publisher/publish/publisher.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/objects.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

enum {
    YIELD_TICKS = 5,       /* for this many ticks rows of applies yield to a snapshot, */
    YIELD_EVERY = 20,      /* in every window of this many ticks, however many snapshots are
                            * requested */
    STRETCH = 1 << 16,     /* applies that are summed and sent together at the end */
    FEW_FUNCTIONS = 64,    /* above this frames are not full, and each pass walks the list of all
                            * functions */
    AGES = 64,             /* ages of dirty rows, in ticks, that are counted separately */
    PATIENCE_MS = 10,      /* without queue space, before a viewer counts as stopped; */
    TICK_PATIENCE_MS = 20, /* total wait of a tick, except the last */
    LISTEN_MAX = 1024,     /* subscriptions read in one call */
    ROW_BYTES_FIRST = 32,  /* a guess, until a tick has been measured */
};

/* With `on`, a send fails while a reading viewer's queue is full. Otherwise the frame is dropped
 * for that viewer only. */
static void refuse_when_full(struct publisher_sender *p, int on)
{
    zmq_setsockopt(p->facts, ZMQ_XPUB_NODROP, &on, sizeof on);
}

bool publisher_sender_init(struct publisher_sender *p, struct publisher_core *core, void *facts)
{
    memset(p, 0, sizeof *p);
    p->core = core;
    p->facts = facts;
    p->epoch = 1;
    p->tick_ms = WIRE_TICK_MS;
    p->row_bytes = ROW_BYTES_FIRST;
    publisher_overhead_init(&p->cost);
    p->buffer = malloc(WIRE_FRAME_MAX);
    p->column = malloc(PUBLISHER_COLUMNS * sizeof *p->column);
    p->words = malloc(PUBLISHER_WORDS * sizeof *p->words);
    bool whole = p->buffer != NULL && p->column != NULL && p->words != NULL &&
                 publisher_aggregate_init(&p->scan, core);
    p->scan.budget.limit = core->wanted.budget;
    p->until_ns = UINT64_MAX;
    refuse_when_full(p, 1);
    if (!whole)
        publisher_sender_release(p);
    return whole;
}

void publisher_sender_release(struct publisher_sender *p)
{
    publisher_aggregate_release(&p->scan);
    publisher_percentiles_release(&p->percentiles);
    free(p->buffer);
    free(p->column);
    free(p->words);
    publisher_objects_encoder_release(&p->tell);
    publisher_samples_release(&p->samples);
    free(p->seq_of);
    free(p->function_at);
    free(p->waiting.id);
    free(p->sorted.id);
    memset(p, 0, sizeof *p);
}

/* --------------------------------------------------------------------------- subscriptions */

/* True if a subscription covers every topic that begins with this letter. */
bool publisher_sender_is_subscribed(const struct publisher_sender *p, enum wire_stream stream)
{
    const char topic[] = {wire_letters[stream], '/', 0};
    return publisher_subscriptions_match(&p->wanted, topic);
}

static bool wants_some_applies(const struct publisher_sender *p)
{
    for (uint32_t at = 0; at < p->wanted.count; at++)
        if (p->wanted.entry[at].size == 0 || p->wanted.entry[at].prefix[0] == 'A')
            return true;
    return p->wanted.more > 0;
}

static bool wants_function(const struct publisher_sender *p, uint32_t function)
{
    char topic[WIRE_TOPIC_MAX];
    snprintf(topic, sizeof topic, "A/%u/", function);
    return publisher_subscriptions_match(&p->wanted, topic);
}

bool publisher_sender_is_watched(const struct publisher_sender *p)
{
    return p->wanted.count > 0 || p->wanted.more > 0;
}

bool publisher_sender_listen(struct publisher_sender *p)
{
    for (int i = 0; i < LISTEN_MAX; i++) {
        zmq_msg_t message;
        zmq_msg_init(&message);
        int size = zmq_msg_recv(&message, p->facts, ZMQ_DONTWAIT);
        const char *bytes = zmq_msg_data(&message);
        if (size > 0 && (bytes[0] == 0 || bytes[0] == 1))
            publisher_subscriptions_change(&p->wanted, bytes[0] == 1, bytes + 1, (size_t)size - 1);
        zmq_msg_close(&message);
        if (size < 0)
            return i > 0;
    }
    return true;
}

/* --------------------------------------------------------------------------------- sending */

void publisher_sender_pace(struct publisher_sender *p, uint64_t until_ns)
{
    p->until_ns = until_ns;
    p->left_ns = UINT64_MAX;
}

/* Waits for queue space. libzmq signals it by the socket's descriptor, and learns of it only when
 * asked for the socket's events. */
static void wait_for_room(struct publisher_sender *p, uint64_t left_ns)
{
    int fd, events;
    size_t size = sizeof fd;
    if (zmq_getsockopt(p->facts, ZMQ_FD, &fd, &size) != 0)
        return;
    struct pollfd door = {.fd = fd, .events = POLLIN};
    poll(&door, 1, (int)((left_ns + PUBLISHER_MS_NS - 1) / PUBLISHER_MS_NS));
    size = sizeof events;
    zmq_getsockopt(p->facts, ZMQ_EVENTS, &events, &size);
}

static bool is_refused(struct publisher_sender *p, size_t size)
{
    return zmq_send(p->facts, p->buffer, size, ZMQ_DONTWAIT) < 0 && zmq_errno() == EAGAIN;
}

/* A full queue may belong to a viewer that reads: a tick with many functions has more frames than a
 * queue holds, and libzmq's thread may be late. So a send waits for a short time. A viewer that
 * takes nothing in that time loses the frame, and sends do not wait for that viewer until it reads
 * again. */
static void send_frame(struct publisher_sender *p, size_t size)
{
    if (!is_refused(p, size))
        return;
    const uint64_t began = publisher_clock_ns(), patience = PATIENCE_MS * PUBLISHER_MS_NS;
    uint64_t now = began, until = began + (p->left_ns < patience ? p->left_ns : patience);
    until = until < p->until_ns ? until : p->until_ns;
    bool refused = true;
    for (; refused && now < until; now = publisher_clock_ns()) {
        wait_for_room(p, until - now);
        refused = is_refused(p, size);
    }
    p->left_ns -= now - began < p->left_ns ? now - began : p->left_ns;
    if (!refused)
        return;
    refuse_when_full(p, 0);
    is_refused(p, size);
    refuse_when_full(p, 1);
}

static bool is_over(const struct publisher_sender *p)
{
    return publisher_clock_ns() >= p->until_ns;
}

/* Sends a frame however late it is. Only for streams of few and short frames. */
static void send_always(struct publisher_sender *p, enum wire_stream stream, size_t size)
{
    p->seq[stream]++;
    send_frame(p, size);
}

bool publisher_sender_send(struct publisher_sender *p, enum wire_stream stream, size_t size)
{
    p->seq[stream]++;
    if (is_over(p))
        return false;
    send_frame(p, size);
    return true;
}

void publisher_sender_define(struct publisher_sender *p)
{
    size_t size;
    if (!publisher_sender_is_subscribed(p, WIRE_DEFS)) {
        memcpy(p->told, p->defs, sizeof p->told);
        return;
    }
    do
        size = publisher_encode_defs(p, p->seq[WIRE_DEFS] + 1, 0, p->told);
    while (size != 0 && publisher_sender_send(p, WIRE_DEFS, size));
}

static void send_functions(struct publisher_sender *p)
{
    uint32_t count = p->defs[WIRE_T_FUNCTION];
    if (!publisher_sender_is_subscribed(p, WIRE_FUNCTIONS))
        return;
    publisher_aggregate_functions(&p->scan, count);
    uint32_t id[PUBLISHER_FUNCTION_ROWS];
    for (uint32_t from = 0; from < count;) {
        size_t n = 0;
        for (; from < count && n < PUBLISHER_FUNCTION_ROWS; from++) {
            const struct publisher_call_row *row = publisher_aggregate_function(&p->scan, from);
            if (row != NULL && row->waits_since != 0)
                id[n++] = from;
        }
        uint64_t seq = p->seq[WIRE_FUNCTIONS] + 1;
        size_t size = n == 0 ? 0 : publisher_encode_functions(p, seq, 0, id, n);
        if (size == 0)
            continue;
        if (!publisher_sender_send(p, WIRE_FUNCTIONS, size))
            return;
        for (size_t i = 0; i < n; i++)
            publisher_aggregate_function(&p->scan, id[i])->waits_since = 0;
    }
}

static void send_now(struct publisher_sender *p)
{
    size_t rows = 0;
    if (!publisher_sender_is_subscribed(p, WIRE_NOW))
        return;
    size_t size = publisher_encode_now(p, p->seq[WIRE_NOW] + 1, 0, &rows);
    if (size != 0 && (rows != 0 || p->now_shown))
        send_always(p, WIRE_NOW, size);
    p->now_shown = rows != 0;
}

static void send_notices(struct publisher_sender *p)
{
    uint64_t end;
    if (!publisher_sender_is_subscribed(p, WIRE_NOTICES))
        return;
    size_t size = publisher_encode_notices(p, p->seq[WIRE_NOTICES] + 1, 0, p->notices, &end);
    p->notices = end;
    if (size != 0)
        send_always(p, WIRE_NOTICES, size);
}

/* Sends the dirty rows of a stream that sends each row once: one frame a tick, in the last tick as
 * many as time allows. */
static void send_waiting(struct publisher_sender *p, enum wire_stream stream, bool last,
                         size_t (*frame)(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                         uint32_t *from))
{
    size_t size;
    if (!publisher_sender_is_subscribed(p, stream))
        return;
    do
        size = frame(p, p->seq[stream] + 1, 0, NULL);
    while (size != 0 && publisher_sender_send(p, stream, size) && last);
}

/* Percentiles are sent once a second: viewers read them no faster. */
static void send_percentiles(struct publisher_sender *p, bool last)
{
    uint32_t from = 0;
    size_t size;
    bool due = last || p->tick % PUBLISHER_PERCENTILE_TICKS == 0;
    if (!due || !publisher_sender_is_subscribed(p, WIRE_PERCENTILES))
        return;
    if (!wants_some_applies(p)) /* otherwise this tick has summed them already */
        publisher_aggregate_applies(&p->scan, p->defs[WIRE_T_APPLY]);
    publisher_percentiles_count(&p->percentiles, &p->scan, p->defs[WIRE_T_OP]);
    do
        size = publisher_encode_percentiles(p, p->seq[WIRE_PERCENTILES] + 1, 0, &from, false);
    while (size != 0 && publisher_sender_send(p, WIRE_PERCENTILES, size));
}

static void send_hello(struct publisher_sender *p, uint64_t now_ns, bool bye)
{
    bool due = bye || now_ns - p->hello_ns >= WIRE_HELLO_MS * PUBLISHER_MS_NS;
    if (!due || !publisher_sender_is_subscribed(p, WIRE_HELLO))
        return;
    size_t size = publisher_encode_hello(p, p->seq[WIRE_HELLO] + 1, 0, bye);
    p->hello_ns = now_ns;
    if (size != 0)
        send_always(p, WIRE_HELLO, size);
}

/* --------------------------------------------------------------------------- rows of applies */

/* Grows both tables by function to hold one number for each function. */
static bool make_room(struct publisher_sender *p, uint32_t functions)
{
    if (functions <= p->seq_capacity && functions < p->function_capacity)
        return true;
    uint32_t capacity = functions * 2 + 64;
    uint64_t *seq = realloc(p->seq_of, capacity * sizeof *seq);
    if (seq == NULL)
        return false;
    memset(seq + p->seq_capacity, 0, (capacity - p->seq_capacity) * sizeof *seq);
    p->seq_of = seq;
    p->seq_capacity = capacity;
    uint32_t *at = realloc(p->function_at, (capacity + 1) * sizeof *at);
    if (at == NULL)
        return false;
    p->function_at = at;
    p->function_capacity = capacity + 1;
    return true;
}

/* Filters rows by subscribed function. Caches the answer for the last function. */
struct wish {
    bool all, wanted;
    uint32_t function;
};

static struct wish wish_of(const struct publisher_sender *p)
{
    return (struct wish){.all = publisher_sender_is_subscribed(p, WIRE_APPLIES),
                         .function = PUBLISHER_NONE};
}

static bool is_wanted(const struct publisher_sender *p, struct wish *wish, uint32_t id)
{
    if (!wish->all && publisher_aggregate_function_of(&p->scan, id) != wish->function) {
        wish->function = publisher_aggregate_function_of(&p->scan, id);
        wish->wanted = wants_function(p, wish->function);
    }
    return wish->all || wish->wanted;
}

static uint32_t age_of(const struct publisher_sender *p, uint32_t id)
{
    uint32_t age = p->scan.tick - publisher_aggregate_dirty_since(&p->scan, id);
    return age < AGES ? age : AGES - 1;
}

/* Selects the rows that a tick sends: all that are dirty for `least` ticks or more, and the first
 * `more` rows by id that are dirty for one tick less. The remaining rows are older next time. */
struct cut {
    uint32_t least;
    size_t more;
};

static size_t rows_waiting(const struct publisher_sender *p, uint32_t count)
{
    size_t waiting = 0;
    for (uint32_t at = 0; at * PUBLISHER_CHUNK < count; at++)
        waiting += p->scan.waiting[at];
    return waiting;
}

static struct cut cut_off(const struct publisher_sender *p, uint32_t count)
{
    struct wish wish = wish_of(p);
    struct cut cut = {.least = AGES, .more = (size_t)(WIRE_TICK_MAX / p->row_bytes)};
    if (rows_waiting(p, count) <= cut.more)
        return (struct cut){.least = 0, .more = cut.more};
    uint32_t id[PUBLISHER_CHUNK], ages[AGES] = {0};
    for (uint32_t at = 0; at * PUBLISHER_CHUNK < count; at++)
        for (uint32_t n = publisher_aggregate_dirty_rows(&p->scan, at, count, id), i = 0; i < n;
             i++)
            if (is_wanted(p, &wish, id[i]))
                ages[age_of(p, id[i])]++;
    while (cut.least > 0 && ages[cut.least - 1] <= cut.more)
        cut.more -= ages[--cut.least];
    return cut;
}

/* Lists the dirty rows from chunk `at` on, below `count`, that are subscribed to and fit into the
 * tick. Without this limit the list is very long after a first look at a large job. */
static void collect(struct publisher_sender *p, uint32_t at, uint32_t count, struct cut cut)
{
    struct wish wish = wish_of(p);
    struct publisher_ids *list = &p->waiting;
    list->count = 0;
    for (; at * PUBLISHER_CHUNK < count; at++) {
        if (!publisher_ids_reserve(list, list->count + PUBLISHER_CHUNK))
            return;
        uint32_t *id = list->id + list->count,
                 n = publisher_aggregate_dirty_rows(&p->scan, at, count, id);
        const bool all = cut.least == 0 && wish.all;
        list->count += all ? n : 0;
        for (uint32_t i = 0; !all && i < n; i++) {
            uint32_t age = cut.least == 0 ? 0 : age_of(p, id[i]);
            bool more = age + 1 == cut.least && cut.more > 0;
            if ((age < cut.least && !more) || !is_wanted(p, &wish, id[i]))
                continue;
            list->id[list->count++] = id[i];
            cut.more -= more;
        }
    }
}

/* Sorts the list by function; ids stay in order within a function. function_at[f] becomes the end
 * of function f. Most often the list is in that order already. Returns the sorted list, or NULL if
 * out of memory. */
static const uint32_t *sort_by_function(struct publisher_sender *p, uint32_t functions)
{
    uint32_t *end = p->function_at, last = 0;
    bool sorted = true;
    memset(end, 0, (functions + 1) * sizeof *end);
    for (size_t i = 0; i < p->waiting.count; i++) {
        uint32_t function = publisher_aggregate_function_of(&p->scan, p->waiting.id[i]);
        end[function + 1]++;
        sorted &= function >= last;
        last = function;
    }
    for (uint32_t f = 0; f < functions; f++)
        end[f + 1] += end[f];
    if (sorted) {
        memmove(end, end + 1, functions * sizeof *end);
        return p->waiting.id;
    }
    if (!publisher_ids_reserve(&p->sorted, p->waiting.count))
        return NULL;
    for (size_t i = 0; i < p->waiting.count; i++)
        p->sorted.id[end[publisher_aggregate_function_of(&p->scan, p->waiting.id[i])]++] =
            p->waiting.id[i];
    return p->sorted.id;
}

/* Sends n rows of one function. Returns the number of bytes; 0: nothing was sent. */
static size_t send_rows(struct publisher_sender *p, uint32_t function, const uint32_t *id, size_t n,
                        size_t room)
{
    uint64_t seq = p->seq_of[function] + 1;
    size_t size = publisher_encode_applies(p, seq, 0, function, id, n, false);
    if (size == 0 || size > room)
        return 0;
    p->seq_of[function] = seq;
    send_frame(p, size);
    publisher_aggregate_mark_sent(&p->scan, id, n);
    return size;
}

/* Sends the collected rows, up to `room` bytes. Returns the number of bytes sent. */
static size_t send_collected(struct publisher_sender *p, size_t room)
{
    uint32_t functions = p->defs[WIRE_T_FUNCTION];
    const uint32_t *id = p->waiting.count == 0 ? NULL : sort_by_function(p, functions);
    if (id == NULL)
        return 0;
    size_t bytes = 0, rows = 0;
    uint32_t from = 0;
    for (uint32_t f = 0; f < functions; f++)
        for (uint32_t end = p->function_at[f]; from < end;) {
            size_t n = end - from < WIRE_FRAME_ROWS ? end - from : WIRE_FRAME_ROWS;
            size_t size = send_rows(p, f, id + from, n, room - bytes);
            rows += size == 0 ? 0 : n;
            bytes += size;
            from += (uint32_t)n;
        }
    if (rows >= 256)
        p->row_bytes = (double)bytes / (double)rows * 1.02;
    return bytes;
}

/* How many dirty rows to sum before sending: enough to fill a frame, so that the sums are still in
 * the cache when they are encoded. If rows were dirty before, the oldest go first, so all rows have
 * to be summed first. */
static uint32_t rows_at_a_time(const struct publisher_sender *p, uint32_t count)
{
    bool few = p->defs[WIRE_T_FUNCTION] <= FEW_FUNCTIONS;
    return few && rows_waiting(p, count) == 0 ? WIRE_FRAME_ROWS - PUBLISHER_CHUNK : UINT32_MAX;
}

static void send_applies(struct publisher_sender *p)
{
    const uint32_t count = p->defs[WIRE_T_APPLY];
    if (!wants_some_applies(p) || !make_room(p, p->defs[WIRE_T_FUNCTION]))
        return;
    const uint32_t ticks = WIRE_TICK_MAX_MS / p->tick_ms, most = rows_at_a_time(p, count);
    size_t room = WIRE_TICK_MAX;
    for (uint32_t at = 0, next; at * PUBLISHER_CHUNK < count; at = next) {
        next = publisher_aggregate_part(&p->scan, at, count, ticks, most);
        const uint32_t end = next * PUBLISHER_CHUNK < count ? next * PUBLISHER_CHUNK : count;
        collect(p, at, end, most == UINT32_MAX ? cut_off(p, count) : (struct cut){.least = 0});
        room -= send_collected(p, room);
    }
}

/* Sums and sends in stretches: viewers take one while the next is summed. If time ends before the
 * rows do, every function skips a sequence number, so that no viewer takes its figures for the
 * final ones. */
static void send_last_applies(struct publisher_sender *p)
{
    const uint32_t all = p->defs[WIRE_T_APPLY], functions = p->defs[WIRE_T_FUNCTION];
    if (!wants_some_applies(p) || !make_room(p, functions))
        return;
    for (uint32_t from = 0; from < all; from += STRETCH) {
        const uint32_t end = all - from < STRETCH ? all : from + STRETCH;
        for (uint32_t at = from / PUBLISHER_CHUNK; at * PUBLISHER_CHUNK < end && !is_over(p); at++)
            publisher_aggregate_chunk(&p->scan, at, end);
        for (uint32_t f = 0; f < functions && is_over(p); f++)
            p->seq_of[f]++;
        if (is_over(p))
            return;
        collect(p, from / PUBLISHER_CHUNK, end, (struct cut){.more = SIZE_MAX});
        send_collected(p, SIZE_MAX);
    }
}

/* ------------------------------------------------------------------------------------ ticks */

/* Frames from here on refer to the definitions that exist now. */
void publisher_sender_refresh_definitions(struct publisher_sender *p)
{
    pthread_mutex_lock(&p->core->handle->lock);
    publisher_definitions_counts(&p->core->book, p->defs);
    pthread_mutex_unlock(&p->core->handle->lock);
    publisher_aggregate_ops(&p->scan, p->defs[WIRE_T_OP]);
}

static void next_tick(struct publisher_sender *p)
{
    p->scan.tick = (uint32_t)++p->tick;
    publisher_sender_refresh_definitions(p);
}

/* True while rows of applies yield to a snapshot. A snapshot keeps a large job busy enough, so
 * changed rows go a little later, to all viewers. In a small job a snapshot never spans a tick. */
static bool yields(struct publisher_sender *p)
{
    if (!p->serving)
        return false;
    if (p->tick >= p->yields_next)
        p->yields_next = p->tick + YIELD_EVERY;
    return p->tick + YIELD_EVERY < p->yields_next + YIELD_TICKS;
}

void publisher_sender_tick(struct publisher_sender *p, uint64_t now_ns, bool last)
{
    next_tick(p);
    p->left_ns = last ? p->left_ns : TICK_PATIENCE_MS * PUBLISHER_MS_NS;
    publisher_count_filter_watch(p->core, publisher_sender_is_watched(p));
    publisher_sender_define(p);
    publisher_trace_sample(p, now_ns, false);
    if (!publisher_sender_is_watched(p)) {
        publisher_aggregate_prefetch(&p->scan, p->defs[WIRE_T_APPLY]);
        publisher_percentiles_prepare(&p->percentiles, &p->scan, p->defs[WIRE_T_OP]);
        publisher_overhead_tick(&p->cost, &p->scan, now_ns, false, last);
        publisher_sampler_idle(&p->scan);
        return;
    }
    publisher_run_queue_tick(&p->scan.runqueue, p->core, p->scan.tick);
    send_functions(p);
    if (last)
        send_last_applies(p);
    else if (!yields(p))
        send_applies(p);
    if (!last || !is_over(p))
        send_percentiles(p, last);
    send_now(p);
    send_notices(p);
    send_waiting(p, WIRE_REWRITES, last, publisher_encode_phases);
    send_waiting(p, WIRE_DETAILS, last, publisher_encode_details);
    send_waiting(p, WIRE_DETAILS, last, publisher_encode_metrics);
    publisher_encode_due_counters(p, last);
    publisher_encode_due_spans(p, last);
    publisher_encode_due_marks(p, last);
    bool wanted = wants_some_applies(p);
    publisher_overhead_tick(&p->cost, &p->scan, now_ns, wanted, last);
    if (wanted)
        publisher_sampler_tick(&p->scan, &p->cost, now_ns);
    else
        publisher_sampler_idle(&p->scan);
    send_hello(p, now_ns, false);
}

void publisher_sender_scan(struct publisher_sender *p)
{
    next_tick(p);
    publisher_aggregate_all(&p->scan, p->defs[WIRE_T_FUNCTION], p->defs[WIRE_T_APPLY]);
    if (p->defs[WIRE_T_COUNTER] + p->defs[WIRE_T_SPAN] > 0)
        publisher_objects_note(p->core->objects);
    publisher_trace_sample(p, publisher_clock_ns(), true);
}

bool publisher_sender_reset(struct publisher_sender *p)
{
    publisher_percentiles_count(&p->percentiles, &p->scan, p->defs[WIRE_T_OP]);
    if (!publisher_percentiles_are_whole(&p->percentiles, &p->scan) ||
        !publisher_aggregate_reset(&p->scan))
        return false;
    publisher_percentiles_reset(&p->percentiles);
    pthread_mutex_lock(&p->core->handle->lock);
    publisher_metrics_clear(&p->core->metrics);
    struct publisher_objects *objects = p->core->objects;
    pthread_mutex_unlock(&p->core->handle->lock);
    if (objects != NULL)
        publisher_objects_reset(objects);
    p->epoch++;
    p->hello_ns = 0; /* viewers learn of the reset at once */
    return true;
}

void publisher_sender_bye(struct publisher_sender *p)
{
    send_hello(p, 0, true);
}
