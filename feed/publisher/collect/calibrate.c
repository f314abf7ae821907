/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * calibrate.c: measures the overhead of one event beside several kinds of work.
 */
#include "config.h"
#undef PROFTOP_USDT /* calibration must not fire the program's probes */

#include "feed/publisher/collect/calibrate.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/core.h"
#include "feed/publisher/record/histogram.h"
#include "feed/publisher/record/objects.h"
#include "feed/publisher/record/thread_buffer.h"
#include "proftop_objects.h"

enum {
    BATCH = 32, /* events between two reads of the clock */
    BATCHES = 15,
    QUIET = BATCHES / 4, /* batches that are assumed to be undisturbed */
    LANES = 6,
    BODY = 64, /* elements of the work between begin and end */
    UPDATES = 3,
};

/* Kinds of work: two typical ones, and one beside which a clock read costs most. */
enum { STEPS, FILL, CHAIN, KINDS };

/* The calibrated update is a counter's. A mark costs up to so many times as much. */
static const double OTHERS = 1.5;

/* Keeps code that is not measured small. */
#define RARE __attribute__((cold))

/* Memory laid out like a feed, so that the calibration runs the same code as programs. */
struct sample {
    struct proftop feed;
    struct publisher_block *block;
    float x[BODY], y[BODY]; /* of the work, */
    uint64_t lane[LANES];   /* likewise */
    int kind, more;         /* likewise; more: steps that no branch predictor foresees */
    struct publisher_thread_objects own; /* of this thread, and its only counter */
    struct publisher_counter counter;
};

/* Stops the compiler from unrolling the next loop: clang would do so without gain. */
#define ONE_BY_ONE _Pragma("GCC unroll 1")

/* Runs more independent operations than a processor starts in one step; none waits for memory. */
static void fill(struct sample *s)
{
    uint64_t *v = s->lane;
    uint64_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5];
    ONE_BY_ONE
    for (uint64_t i = 0, n = BODY + (unsigned)s->more; i < n; i++) {
        a += i, b ^= i, c += i, d ^= i, e += i, f ^= i;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
    v[0] = a, v[1] = b, v[2] = c, v[3] = d, v[4] = e, v[5] = f;
}

/* Runs steps that each wait for the step before; the next op does not wait for them. */
__attribute__((noinline)) static void chain(struct sample *s)
{
    float x = (float)s->more;
    ONE_BY_ONE
    for (int i = 0; i < BODY / 8; i++) {
        x = x * 0.5f + 1;
        __asm__ volatile("" : "+m"(x));
    }
    s->y[0] = x;
}

/* Stands for an op. The overhead beside it depends on how much of the counting the processor does
 * in parallel: some beside long steps, and none beside work that uses all of its units. A chain
 * takes as long as its steps one by one. So a processor runs several such ops at once, unless a
 * clock read between them makes it wait for each. */
static void body(struct sample *s)
{
    if (s->kind == CHAIN)
        chain(s);
    else if (s->kind == STEPS)
        for (int i = 0; i < BODY; i++)
            s->y[i] = s->y[i] * 0.5f + s->x[i];
    else
        fill(s);
    __asm__ volatile("" : : "r"(s->y) : "memory");
}

static void run_body(struct sample *s, uint32_t id)
{
    (void)id;
    body(s);
}

/* Inlined, as in programs. */
static void run_apply(struct sample *s, uint32_t id)
{
    struct proftop_token token;
#if defined(__x86_64__)
    if (!proftop_try_begin(&s->feed, id, &token))
        token = proftop_begin(&s->feed, id);
    body(s);
    if (!proftop_try_end(&s->feed, id, token))
        proftop_end(&s->feed, id, token);
#else
    token = proftop_begin(&s->feed, id);
    body(s);
    proftop_end(&s->feed, id, token);
#endif
}

static void run_given(struct sample *s, uint32_t id)
{
    body(s);
    /* The durations vary, as durations in programs do: they are counted in several buckets. */
    uint64_t ns = 1000 + 32 * (unsigned)s->more;
#if defined(__x86_64__)
    if (proftop_try_record(&s->feed, id, ns))
        return;
#endif
    proftop_record(&s->feed, id, ns);
}

static void run_call(struct sample *s, uint32_t id)
{
    struct proftop_token token = proftop_call_begin(&s->feed, id);
    body(s);
    proftop_call_end(&s->feed, id, token);
}

static void run_update(struct sample *s, uint32_t id)
{
    run_body(s, id);
    proftop_counter_add(&s->feed, id, 1);
}

/* A task reads the system's clock twice, whichever clock the feed uses. Its stores take as long as
 * UPDATES updates. */
static void run_task(struct sample *s, uint32_t id)
{
    const uint64_t began_ns = publisher_clock_ns();
    body(s);
    s->lane[0] += publisher_clock_ns() - began_ns;
    for (int i = 0; i < UPDATES; i++)
        proftop_counter_add(&s->feed, id, 1);
}

enum { PLAIN, NEVER, HALF, GIVEN, APPLIES };

/* The code that is measured: the work alone, and with each kind of event. */
static const struct {
    void (*run)(struct sample *s, uint32_t id);
    uint32_t id;
} runs[] = {{run_body, 0},
            [1 + PUBLISHER_EVENT_TIMED] = {run_apply, PLAIN},
            [1 + PUBLISHER_EVENT_SAMPLED] = {run_apply, HALF},
            [1 + PUBLISHER_EVENT_UNTIMED] = {run_apply, NEVER},
            [1 + PUBLISHER_EVENT_GIVEN] = {run_given, GIVEN},
            [1 + PUBLISHER_EVENT_CALL] = {run_call, 0},
            [1 + PUBLISHER_EVENT_UPDATE] = {run_update, 0},
            [1 + PUBLISHER_EVENT_RUN] = {run_task, 0}};
enum { RUNS = sizeof runs / sizeof runs[0] };

RARE static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int any_steps(unsigned n)
{
    return (int)((n + 1) * 2654435761u >> 16) & (BODY / 4 - 1);
}

/* Measures interleaved batches of each run, and takes the lower quartile: other load on the machine
 * hits all runs alike, and only adds time, at times to most batches. */
static void run_batches(struct sample *s, double ns[RUNS])
{
    double each[RUNS][BATCHES];
    for (int batch = -1; batch < BATCHES; batch++) /* the first batch warms the caches */
        for (int i = 0; i < RUNS; i++) {
            uint64_t began = publisher_clock_ns();
            for (int n = 0; n < BATCH; n++) {
                s->more = any_steps((unsigned)(batch * BATCH + n));
                if (s->kind == CHAIN) /* a clock read also waits for the work before the op */
                    chain(s);
                runs[i].run(s, runs[i].id);
            }
            if (batch >= 0)
                each[i][batch] = (double)(publisher_clock_ns() - began) / BATCH;
        }
    for (int i = 0; i < RUNS; i++) {
        qsort(each[i], BATCHES, sizeof each[i][0], compare);
        ns[i] = each[i][QUIET];
    }
}

static void set_rate(struct publisher_block *block, uint32_t id, unsigned k)
{
    publisher_slot_set_rate(publisher_block_slot(block, PUBLISHER_APPLIES, id),
                            &block->front.ready[id], k);
}

RARE static bool touch(struct publisher_block *block)
{
    static const uint32_t source[APPLIES] = {PROFTOP_TIMED, PROFTOP_TIMED, PROFTOP_TIMED,
                                             PROFTOP_GIVEN};
    struct proftop_slot *call = publisher_block_slot(block, PUBLISHER_CALLS, 0);
    for (uint32_t id = 0; id < APPLIES; id++) {
        struct proftop_slot *slot = publisher_block_slot(block, PUBLISHER_APPLIES, id);
        struct publisher_buckets *buckets =
            publisher_histogram_make(block, source[id] == PROFTOP_GIVEN, 0);
        if (slot == NULL || buckets == NULL)
            return false;
        publisher_slot_touch(slot, &block->front.ready[id], source[id],
                             (uint64_t)(uintptr_t)buckets);
    }
    if (call == NULL)
        return false;
    publisher_slot_touch(call, NULL, PROFTOP_TIMED, 0);
    set_rate(block, NEVER, PUBLISHER_RATE_MAX);
    set_rate(block, HALF, 1);
    return true;
}

/* Measures the overhead of each event beside one kind of work. */
RARE static void price_events(struct sample *s, double price[PUBLISHER_EVENTS])
{
    double ns[RUNS];
    run_batches(s, ns);
    for (int i = 0; i < PUBLISHER_EVENTS; i++)
        price[i] = ns[1 + i] - ns[0];
    /* Only every other call was timed. */
    price[PUBLISHER_EVENT_SAMPLED] =
        2 * price[PUBLISHER_EVENT_SAMPLED] - price[PUBLISHER_EVENT_UNTIMED];
}

/* This thread counts for no feed, so its slot for a block is free. */
RARE static void run_sample(struct sample *s, double usual[PUBLISHER_EVENTS],
                            double most[PUBLISHER_EVENTS])
{
    double price[PUBLISHER_EVENTS];
    struct publisher_thread_slot mine = publisher_thread_slot;
    publisher_thread_slot = (struct publisher_thread_slot){s->block->front.on, s->block, s->block};
#if defined(__x86_64__)
    proftop_refresh_cache(&s->feed);
#endif
    for (s->kind = 0; s->kind < KINDS; s->kind++) {
        price_events(s, price);
        for (int i = 0; i < PUBLISHER_EVENTS; i++) {
            usual[i] += s->kind == CHAIN ? 0 : price[i] / (KINDS - 1);
            most[i] = price[i] > most[i] ? price[i] : most[i];
        }
    }
    most[PUBLISHER_EVENT_UPDATE] *= OTHERS;
    publisher_thread_slot = mine;
#if defined(__x86_64__)
    proftop_cache.on = 1; /* belongs to no feed: the next sample reuses the number with another
                           * block */
#endif
}

/* Allocates what the events are counted in. Returns false if out of memory. */
RARE static bool prepare(struct sample *s)
{
    struct publisher_objects *objects = s->own.objects = calloc(1, sizeof *objects);
    if (objects == NULL || !touch(s->block))
        return false;
    s->counter.kind = PUBLISHER_COUNTER_I64;
    atomic_init(&objects->counter[0], &s->counter);
    atomic_init(&objects->counters, 1);
    s->block->own = &s->own;
    return true;
}

RARE bool publisher_calibrate(bool ticks, double usual_ns[PUBLISHER_EVENTS],
                              double most_ns[PUBLISHER_EVENTS])
{
    /* A number that no feed reaches; odd for time stamps. */
    const uint64_t on = PUBLISHER_DUMMY + (ticks ? 1 : 0);
    struct sample s = {.feed.front = {.on = on, .layout = PROFTOP_LAYOUT}, .feed.counts_calls = 1};
    atomic_init(&s.feed.serial, on);
    for (int i = 0; i < PUBLISHER_EVENTS; i++)
        usual_ns[i] = most_ns[i] = 0;
    s.block = publisher_block_new(on);
    if (s.block == NULL)
        return false;
    s.block->ticks = ticks;
    const bool prepared = prepare(&s);
    if (prepared)
        run_sample(&s, usual_ns, most_ns);
    s.block->own = NULL;
    free(s.own.objects);
    publisher_block_free(s.block);
    return prepared;
}
