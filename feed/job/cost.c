/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * cost.c: measures what counting costs once, and adds up what it has cost.
 */
#include "config.h"
#undef PROFTOP_USDT /* what is run here to be measured is no event of the program */

#include "cost.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "histogram.h"
#include "scan.h"
#include "threads.h"

enum {
    BATCH = 64, /* events between two looks at the clock */
    BATCHES = 7,
    TURNS = 2,
    KINDS = 4,
    LANES = 6,
    BODY = 64, /* elements of what runs between begin and end */
    STRETCH_MS = 1000,
    AGAIN = 4,    /* stretches, then prices are measured again; */
    CALM = 2,     /* once so many rounds in a row found nothing dear, after twice as many, */
    CALM_MAX = 5, /* doubled by each up to this one: a round takes as long as ten small ticks */
};

/* What is not run to be measured is small. */
#define RARE __attribute__((cold))

void feed_cost_init(struct feed_cost *cost)
{
    *cost = (struct feed_cost){.fraction = -1};
}

/* ---------------------------------------------------------------------------------- prices */

/* Memory that looks like a feed, so that the very code is measured that programs run. */
struct sample {
    struct proftop feed;
    struct feed_block *block;
    float x[BODY], y[BODY]; /* of the body, */
    uint64_t lane[LANES];   /* same */
    int kind, more;         /* same; steps that no processor foresees */
};

/* More to do at once than a processor begins in one step, and nothing that waits for memory. */
static void fill(struct sample *s)
{
    uint64_t *v = s->lane;
    uint64_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5];
    for (uint64_t i = 0, n = BODY + (unsigned)s->more; i < n; i++) {
        a += i, b ^= i, c += i, d ^= i, e += i, f ^= i;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
    v[0] = a, v[1] = b, v[2] = c, v[3] = d, v[4] = e, v[5] = f;
}

/* Stands for an op. What counting costs beside it depends on how much of it the processor can do
 * meanwhile, so there are four kinds of work: independent, in long steps, in short ones that each
 * wait for memory, and one that leaves no room for anything. The end of the last two comes when it
 * was not foreseen, and all that was begun beyond it is thrown away. */
static void body(struct sample *s)
{
    if (s->kind == 0)
        for (int i = 0; i < BODY; i++)
            s->y[i] = s->x[i] * 0.5f + s->x[BODY - 1 - i];
    else if (s->kind == 1)
        for (int i = 0; i < BODY; i++)
            s->y[i] = s->y[i] * 0.5f + s->x[i];
    else if (s->kind == 2)
        for (int i = 0; i < BODY / 2 + s->more; i++) {
            s->y[i] = s->y[i] * 0.5f + s->x[i];
            __asm__ volatile("" : : : "memory");
        }
    else
        fill(s);
    __asm__ volatile("" : : "r"(s->y) : "memory");
}

static void run_body(struct sample *s, uint32_t id)
{
    (void)id;
    body(s);
}

/* As programs have it inlined. */
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
    /* Of several lengths, as programs give them: they are counted in several places. */
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

enum { PLAIN, NEVER, HALF, GIVEN, APPLIES };

/* What is run for each price: the body alone, and with each kind of event. */
static const struct {
    void (*run)(struct sample *s, uint32_t id);
    uint32_t id;
} runs[] = {{run_body, 0},
            [1 + FEED_E_TIMED] = {run_apply, PLAIN},
            [1 + FEED_E_SAMPLED] = {run_apply, HALF},
            [1 + FEED_E_UNTIMED] = {run_apply, NEVER},
            [1 + FEED_E_GIVEN] = {run_given, GIVEN},
            [1 + FEED_E_CALL] = {run_call, 0}};
enum { RUNS = sizeof runs / sizeof runs[0] };
/* Less, and what is measured is noise. */
#define LEAST_NS 0.5

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int any_steps(unsigned n)
{
    return (int)((n + 1) * 2654435761u >> 16) & (BODY / 4 - 1);
}

/* The median of some batches each, interleaved: what the machine does beside hits all alike. */
static void run_batches(struct sample *s, double ns[RUNS])
{
    double each[RUNS][BATCHES];
    for (int batch = -1; batch < BATCHES; batch++) /* the first warms up */
        for (int i = 0; i < RUNS; i++) {
            uint64_t began = feed_clock_ns();
            for (int n = 0; n < BATCH; n++) {
                s->more = any_steps((unsigned)(batch * BATCH + n));
                runs[i].run(s, runs[i].id);
            }
            if (batch >= 0)
                each[i][batch] = (double)(feed_clock_ns() - began) / BATCH;
        }
    for (int i = 0; i < RUNS; i++) {
        qsort(each[i], BATCHES, sizeof each[i][0], compare);
        ns[i] = each[i][BATCHES / 2];
    }
}

static void set_rate(struct feed_block *block, uint32_t id, unsigned k)
{
    feed_slot_set_rate(feed_block_slot(block, FEED_APPLIES, id), &block->front.ready[id], k);
}

RARE static bool touch(struct feed_block *block)
{
    static const uint32_t source[APPLIES] = {PROFTOP_TIMED, PROFTOP_TIMED, PROFTOP_TIMED,
                                             PROFTOP_GIVEN};
    struct proftop_slot *call = feed_block_slot(block, FEED_CALLS, 0);
    for (uint32_t id = 0; id < APPLIES; id++) {
        struct proftop_slot *slot = feed_block_slot(block, FEED_APPLIES, id);
        struct feed_buckets *buckets = feed_histogram_make(block, source[id] == PROFTOP_GIVEN, 0);
        if (slot == NULL || buckets == NULL)
            return false;
        feed_slot_touch(slot, &block->front.ready[id], source[id], (uint64_t)(uintptr_t)buckets);
    }
    if (call == NULL)
        return false;
    feed_slot_touch(call, NULL, PROFTOP_TIMED, 0);
    set_rate(block, NEVER, FEED_RATE_MAX);
    set_rate(block, HALF, 1);
    return true;
}

/* What each event costs beside one kind of work: the lower of two measurements, since what else the
 * machine does only adds to it, and at times to most batches of one. */
static void price_events(struct sample *s, double price[FEED_EVENTS])
{
    for (int turn = 0; turn < TURNS; turn++) {
        double ns[RUNS];
        run_batches(s, ns);
        for (int i = 0; i < FEED_EVENTS; i++) {
            double once = ns[1 + i] - ns[0];
            if (i == FEED_E_SAMPLED) /* every other call was not timed */
                once = 2 * once - (ns[1 + FEED_E_UNTIMED] - ns[0]);
            price[i] = turn == 0 || once < price[i] ? once : price[i];
        }
    }
}

/* This thread counts for no feed, so its place of the block is free. */
static void run_sample(struct feed_cost *cost, struct sample *s)
{
    double price[FEED_EVENTS];
    struct feed_mine mine = feed_mine;
    feed_mine = (struct feed_mine){s->block->front.on, s->block, s->block};
#if defined(__x86_64__)
    proftop_meet(&s->feed);
#endif
    double least[FEED_EVENTS], most[FEED_EVENTS];
    for (s->kind = 0; s->kind < KINDS; s->kind++) {
        price_events(s, price);
        for (int i = 0; i < FEED_EVENTS; i++) {
            least[i] = s->kind == 0 || price[i] < least[i] ? price[i] : least[i];
            most[i] = s->kind == 0 || price[i] > most[i] ? price[i] : most[i];
        }
    }
    feed_mine = mine;
#if defined(__x86_64__)
    proftop_cache.on = 1; /* no feed's: the next sample has this number too, but another block */
#endif
    feed_cost_learn(cost, least, most);
}

/* So much of the least price is paid beside any work. What reads no clock waits for nothing: beside
 * an op that waits for its own results it was seen to vanish. Of a pair half does beside what
 * leaves much of a core idle, such as branches that are not foreseen. */
static const double paid[FEED_EVENTS] = {
    [FEED_E_TIMED] = 0.5, [FEED_E_SAMPLED] = 0.5, [FEED_E_CALL] = 0.5};

uint32_t feed_cost_again(const struct feed_cost *cost)
{
    return AGAIN << (cost->calm < CALM ? 0 : cost->calm - CALM);
}

/* A price that was measured while the processor had little else to do is the least: next to other
 * work on the same core it is nearly the double, and nobody knows which the program has. So what is
 * charged lies amid the least and a mean of the highest, which forgets; the doubt reaches to the
 * highest itself, which is forgotten as slowly. */
RARE void feed_cost_learn(struct feed_cost *cost, const double least_ns[FEED_EVENTS],
                          const double most_ns[FEED_EVENTS])
{
    const double newest = 0.25, dear = 1.25;
    bool calm = cost->rounds > 0;
    for (int i = 0; i < FEED_EVENTS; i++) {
        double least = least_ns[i] > LEAST_NS ? least_ns[i] : LEAST_NS;
        double most = most_ns[i] > least ? most_ns[i] : least, peak = most;
        if (cost->rounds > 0) {
            calm &= most <= cost->peak_ns[i] * dear;
            least = least < cost->least_ns[i] ? least : cost->least_ns[i];
            most = cost->most_ns[i] + newest * (most - cost->most_ns[i]);
            if (peak < cost->peak_ns[i])
                peak = cost->peak_ns[i] + newest * (peak - cost->peak_ns[i]);
        }
        cost->least_ns[i] = least;
        cost->most_ns[i] = most;
        cost->peak_ns[i] = peak;
        double sum = paid[i] * least + most;
        cost->price_ns[i] = (sum > peak ? sum : peak) / 2; /* or the doubt would be more than all */
        cost->doubt_ns[i] = peak - cost->price_ns[i];
    }
    cost->calm = calm ? cost->calm + (cost->calm < CALM_MAX) : 0;
    cost->rounds++;
    cost->stretches = 0;
}

RARE void feed_cost_measure(struct feed_cost *cost, bool ticks)
{
    /* A number that no feed gets to, odd for time stamps. */
    const uint64_t on = FEED_SAMPLE + (ticks ? 1 : 0);
    struct sample s = {.feed.front = {.on = on, .layout = PROFTOP_LAYOUT}, .feed.counts_calls = 1};
    atomic_init(&s.feed.serial, on);
    s.block = feed_block_new(on);
    if (s.block == NULL)
        return;
    s.block->ticks = ticks;
    if (cost->ticks != ticks)
        cost->rounds = 0;
    cost->ticks = ticks;
    if (touch(s.block))
        run_sample(cost, &s);
    feed_block_free(s.block);
}

/* ------------------------------------------------------------------------- threads of libzmq */

static bool is_of_zmq(const char *tid)
{
    char path[64], name[8] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.16s/comm", tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t size = read(fd, name, sizeof name - 1);
    close(fd);
    return size > 0 && strncmp(name, "ZMQbg/", 6) == 0;
}

RARE uint32_t feed_cost_list(int tid[], uint32_t room)
{
    uint32_t count = 0;
    DIR *dir = opendir("/proc/self/task");
    const struct dirent *entry;
    while (dir != NULL && count < room && (entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.' && is_of_zmq(entry->d_name))
            tid[count++] = atoi(entry->d_name);
    if (dir != NULL)
        closedir(dir);
    return count;
}

RARE void feed_cost_adopt(struct feed_cost *cost, const int then[], uint32_t count)
{
    int now[64];
    if (cost->tids == FEED_TIDS)
        return;
    uint32_t all = feed_cost_list(now, sizeof now / sizeof now[0]);
    cost->tids = 0;
    for (uint32_t i = 0; i < all && cost->tids < FEED_TIDS; i++) {
        uint32_t at = 0;
        while (at < count && then[at] != now[i])
            at++;
        if (at == count)
            cost->tid[cost->tids++] = now[i];
    }
}

/* --------------------------------------------------------------------------------- adding up */

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * FEED_SECOND_NS + (uint64_t)t.tv_nsec;
}

/* The clock of another thread of this process, as the kernel makes it of a number. */
static clockid_t clock_of(int tid)
{
    const unsigned per_thread = 4, scheduled = 2;
    return (clockid_t)(~(unsigned)tid << 3 | per_thread | scheduled);
}

static uint64_t threads_ns(const struct feed_cost *cost)
{
    uint64_t sum = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (uint32_t i = 0; i < cost->tids; i++)
        sum += clock_ns(clock_of(cost->tid[i]));
    return cost->sentry == 0 ? sum : sum + clock_ns(cost->sentry);
}

static double own_ns(const struct feed_cost *cost)
{
    return cost->events_ns + (double)cost->thread_ns + (double)cost->spent_ns;
}

static void add_events(struct feed_cost *cost, const struct feed_scan *scan)
{
    for (int i = 0; i < FEED_EVENTS; i++) {
        double more = (double)(scan->events[i] - cost->seen[i]);
        cost->events_ns += more * cost->price_ns[i];
        cost->events_doubt_ns += more * cost->doubt_ns[i];
        cost->seen[i] = scan->events[i];
    }
    cost->spent_ns = atomic_load_explicit(&scan->core->spent_ns, memory_order_relaxed);
}

static void add_threads(struct feed_cost *cost)
{
    uint64_t now_ns = threads_ns(cost);
    if (now_ns > cost->thread_ns)
        cost->thread_ns = now_ns;
}

/* Threads that have counted something in the stretch, at least one. */
static uint32_t busy_threads(const struct feed_cost *cost, const struct feed_scan *scan)
{
    struct feed_block *block = atomic_load_explicit(&scan->core->blocks, memory_order_acquire);
    uint32_t busy = 0;
    for (; block != NULL; block = block->next)
        busy += block->moved > cost->from_tick;
    return busy == 0 ? 1 : busy;
}

static void begin_stretch(struct feed_cost *cost, const struct feed_scan *scan, uint64_t now_ns)
{
    cost->watched = true;
    cost->from_ns = now_ns;
    cost->from_own_ns = own_ns(cost);
    cost->from_tick = scan->tick;
}

RARE void feed_cost_tick(struct feed_cost *cost, const struct feed_scan *scan, uint64_t now_ns,
                         bool watched, bool last)
{
    if (!watched) {
        cost->watched = false;
        cost->fraction = -1;
        return;
    }
    if (!cost->priced || cost->ticks != scan->core->tsc || cost->stretches >= feed_cost_again(cost))
        feed_cost_measure(cost, scan->core->tsc);
    cost->priced = cost->rounds > 0;
    if (!cost->priced)
        return;
    add_events(cost, scan);
    uint64_t run_ns = cost->watched && now_ns > cost->from_ns ? now_ns - cost->from_ns : 0;
    bool whole = run_ns >= STRETCH_MS * FEED_MS_NS || (last && cost->fraction < 0);
    /* The kernel is asked no more often than somebody looks at it. */
    if (whole || last || !cost->watched)
        add_threads(cost);
    if (whole && run_ns != 0) {
        double run = (double)run_ns * busy_threads(cost, scan);
        double own = own_ns(cost) - cost->from_own_ns;
        cost->fraction = own < run ? own / run : 1;
    }
    cost->stretches += whole;
    if (whole || !cost->watched)
        begin_stretch(cost, scan, now_ns);
}

RARE void feed_cost_put(const struct feed_cost *cost, struct wire_writer *w)
{
    uint64_t own = feed_cost_own_ns(cost);
    if (cost->fraction >= 0)
        wire_put_f64(w, WIRE_F_COST, cost->fraction);
    if (own == PROFTOP_UNKNOWN)
        return;
    wire_put_u64(w, WIRE_F_OWN, own);
    wire_put_u64(w, WIRE_F_OWNERR, feed_cost_doubt_ns(cost));
}

uint64_t feed_cost_own_ns(const struct feed_cost *cost)
{
    return cost->priced ? (uint64_t)own_ns(cost) : PROFTOP_UNKNOWN;
}

uint64_t feed_cost_doubt_ns(const struct feed_cost *cost)
{
    return cost->priced ? (uint64_t)cost->events_doubt_ns : PROFTOP_UNKNOWN;
}
