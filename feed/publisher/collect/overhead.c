/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * overhead.c: averages the overhead of events as calibrated (calibrate.c), and adds up the overhead
 * of counting.
 */
#include "config.h"

#include "feed/publisher/collect/overhead.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "feed/publisher/collect/calibrate.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/objects.h"

enum {
    STRETCH_MS = 1000,
    AGAIN = 16, /* stretches between calibrations */
};

/* Smaller results are noise. */
#define LEAST_NS 0.5

static void forget_fractions(struct publisher_overhead *cost)
{
    cost->fraction = cost->least = -1;
    for (int i = 0; i < PUBLISHER_CHOICES; i++)
        cost->choice[i] = -1;
}

void publisher_overhead_init(struct publisher_overhead *cost)
{
    *cost = (struct publisher_overhead){0};
    forget_fractions(cost);
}

/* ---------------------------------------------------------------------- overhead of events */

/* Percentage of an event's overhead that is charged. The overhead is calibrated beside work that
 * keeps the core busy; beside other work the processor does a part of the event while the work
 * waits for its own results. */
static const uint8_t paid[PUBLISHER_EVENTS] = {
    [PUBLISHER_EVENT_TIMED] = 80, [PUBLISHER_EVENT_SAMPLED] = 80, [PUBLISHER_EVENT_UNTIMED] = 65,
    [PUBLISHER_EVENT_GIVEN] = 40, [PUBLISHER_EVENT_CALL] = 80,    [PUBLISHER_EVENT_UPDATE] = 70,
    [PUBLISHER_EVENT_RUN] = 65};

/* The overhead of an event is a moving average: it nearly doubles beside other work on the same
 * core, for the program's events as for the calibrated ones. */
void publisher_overhead_learn(struct publisher_overhead *cost,
                              const double usual_ns[PUBLISHER_EVENTS],
                              const double most_ns[PUBLISHER_EVENTS])
{
    const double newest = cost->rounds == 0 ? 1 : 0.25;
    for (int i = 0; i < PUBLISHER_EVENTS; i++) {
        double usual = usual_ns[i] > LEAST_NS ? usual_ns[i] : LEAST_NS;
        double most = most_ns[i] > usual ? most_ns[i] : usual;
        cost->price_ns[i] += newest * (paid[i] * usual / 100 - cost->price_ns[i]);
        cost->peak_ns[i] =
            most > cost->peak_ns[i] ? most : cost->peak_ns[i] + newest * (most - cost->peak_ns[i]);
    }
    cost->rounds++;
    cost->stretches = 0;
}

void publisher_overhead_calibrate(struct publisher_overhead *cost, bool ticks)
{
    double usual_ns[PUBLISHER_EVENTS], most_ns[PUBLISHER_EVENTS];
    if (cost->ticks != ticks)
        cost->rounds = 0;
    cost->ticks = ticks;
    if (publisher_calibrate(ticks, usual_ns, most_ns))
        publisher_overhead_learn(cost, usual_ns, most_ns);
}

/* Beside an op that waits for memory, load after load, an event costs nothing; beside other ops it
 * costs at most the calibrated maximum. */
double publisher_overhead_unit_error_ns(const struct publisher_overhead *cost,
                                        enum publisher_event event)
{
    const double price = cost->price_ns[event], above = cost->peak_ns[event] - price;
    return above > price ? above : price;
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

/* Opens one descriptor at a time: the feed's use of its descriptor table is limited. */
uint32_t publisher_overhead_list(int tid[], uint32_t room)
{
    uint32_t count = 0;
    struct dirent **entry;
    const int entries = scandir("/proc/self/task", &entry, NULL, NULL);
    for (int i = 0; i < entries; i++) {
        if (count < room && entry[i]->d_name[0] != '.' && is_of_zmq(entry[i]->d_name))
            tid[count++] = atoi(entry[i]->d_name);
        free(entry[i]);
    }
    if (entries >= 0)
        free(entry);
    return count;
}

void publisher_overhead_adopt(struct publisher_overhead *cost, const int then[], uint32_t count)
{
    int now[64];
    if (cost->tids == PUBLISHER_TIDS)
        return;
    uint32_t all = publisher_overhead_list(now, sizeof now / sizeof now[0]);
    cost->tids = 0;
    for (uint32_t i = 0; i < all && cost->tids < PUBLISHER_TIDS; i++) {
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
    return (uint64_t)t.tv_sec * PUBLISHER_SECOND_NS + (uint64_t)t.tv_nsec;
}

/* Returns the CPU clock of another thread of this process, in the kernel's encoding. */
static clockid_t clock_of(int tid)
{
    const unsigned per_thread = 4, scheduled = 2;
    return (clockid_t)(~(unsigned)tid << 3 | per_thread | scheduled);
}

static uint64_t threads_ns(const struct publisher_overhead *cost)
{
    uint64_t sum = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (uint32_t i = 0; i < cost->tids; i++)
        sum += clock_ns(clock_of(cost->tid[i]));
    return cost->guard == 0 ? sum : sum + clock_ns(cost->guard);
}

static double own_ns(const struct publisher_overhead *cost)
{
    return cost->events_ns + (double)cost->thread_ns + (double)cost->spent_ns;
}

/* Counts the updates since the feed was opened, except those made while counting was off. */
static void count_updates(struct publisher_aggregate *aggregate)
{
    pthread_mutex_lock(&aggregate->core->handle->lock);
    struct publisher_objects *objects = aggregate->core->objects;
    uint64_t runs = 0, memory = 0;
    uint64_t updates = aggregate->core->sets + (objects == NULL ? 0 : objects->marks);
    pthread_mutex_unlock(&aggregate->core->handle->lock);
    const struct publisher_counter *counter;
    const struct publisher_span *span;
    for (uint32_t id = 0; objects != NULL && (counter = publisher_counter_at(objects, id)) != NULL;
         id++) {
        const uint64_t more = publisher_counter_updates(counter);
        updates += more;
        memory += counter->kind == PUBLISHER_MEMORY ? more : 0;
    }
    for (uint32_t id = 0; objects != NULL && (span = publisher_span_at(objects, id)) != NULL; id++)
        runs += publisher_load(&span->calls);
    aggregate->of[PUBLISHER_CHOICE_MEMORY][0] = memory;
    aggregate->events[PUBLISHER_EVENT_UPDATE] = updates;
    aggregate->events[PUBLISHER_EVENT_RUN] = runs;
}

/* True if sampling reduces the number of these events. */
static bool is_lowered(enum publisher_event event)
{
    return event == PUBLISHER_EVENT_TIMED || event == PUBLISHER_EVENT_SAMPLED ||
           event == PUBLISHER_EVENT_CALL;
}

static void add_choices(struct publisher_overhead *cost,
                        const struct publisher_aggregate *aggregate)
{
    for (int choice = 0; choice < PUBLISHER_CHOICES; choice++)
        for (int i = 0; i < PUBLISHER_EVENT_CALL; i++) {
            const enum publisher_event event =
                choice == PUBLISHER_CHOICE_MEMORY ? PUBLISHER_EVENT_UPDATE : i;
            const uint64_t more = aggregate->of[choice][i] - cost->seen_of[choice][i];
            cost->choice_ns[choice] += (double)more * cost->price_ns[event];
        }
    memcpy(cost->seen_of, aggregate->of, sizeof cost->seen_of);
}

static void add_events(struct publisher_overhead *cost, const struct publisher_aggregate *aggregate)
{
    const double always = (double)(aggregate->always - cost->seen_always);
    cost->least_ns += always * cost->price_ns[PUBLISHER_EVENT_CALL];
    cost->seen_always = aggregate->always;
    add_choices(cost, aggregate);
    for (int i = 0; i < PUBLISHER_EVENTS; i++) {
        double more = (double)(aggregate->events[i] - cost->seen[i]);
        cost->events_ns += more * cost->price_ns[i];
        cost->events_doubt_ns += more * publisher_overhead_unit_error_ns(cost, i);
        if (!is_lowered(i))
            cost->least_ns += more * cost->price_ns[i];
        if (i < PUBLISHER_EVENT_UPDATE) /* events of calls */
            cost->calls_most_ns += more * cost->peak_ns[i];
        cost->seen[i] = aggregate->events[i];
    }
    cost->spent_ns = atomic_load_explicit(&aggregate->core->spent_ns, memory_order_relaxed);
}

static void add_threads(struct publisher_overhead *cost)
{
    uint64_t now_ns = threads_ns(cost);
    if (now_ns > cost->thread_ns)
        cost->thread_ns = now_ns;
}

static void begin_stretch(struct publisher_overhead *cost,
                          const struct publisher_aggregate *aggregate, uint64_t now_ns)
{
    cost->watched = true;
    cost->from_ns = now_ns;
    cost->from_own_ns = own_ns(cost);
    cost->from_least_ns = cost->least_ns;
    memcpy(cost->from_choice_ns, cost->choice_ns, sizeof cost->from_choice_ns);
    cost->from_tick = aggregate->tick;
    cost->from_turns = aggregate->runqueue.sum;
}

/* Returns the number of threads that have counted something since that tick, at least 1. */
static uint32_t busy_threads(const struct publisher_aggregate *aggregate, uint32_t since)
{
    struct publisher_block *block =
        atomic_load_explicit(&aggregate->core->blocks, memory_order_acquire);
    uint32_t busy = 0;
    for (; block != NULL; block = block->next)
        busy += block->moved > since;
    return busy == 0 ? 1 : busy;
}

/* The turns may belong to more threads than were busy. Then the wait is scaled by its share in the
 * threads' time. */
double publisher_overhead_worked_ns(const struct publisher_aggregate *aggregate, uint64_t run_ns,
                                    uint32_t since, const struct shared_schedstat *from)
{
    const struct shared_schedstat *to = &aggregate->runqueue.sum;
    const double least = 0.01, run = (double)run_ns * busy_threads(aggregate, since);
    const double ran = (double)(to->ran_ns - from->ran_ns);
    double waited = (double)(to->waited_ns - from->waited_ns);
    if (ran + waited > run)
        waited *= run / (ran + waited);
    return run - waited > least * run ? run - waited : least * run;
}

static double part(double ns, double run_ns)
{
    return ns < run_ns ? ns / run_ns : 1;
}

void publisher_overhead_tick(struct publisher_overhead *cost, struct publisher_aggregate *aggregate,
                             uint64_t now_ns, bool watched, bool last)
{
    if (!watched) {
        cost->watched = false;
        forget_fractions(cost);
        return;
    }
    const bool again =
        !cost->priced || cost->ticks != aggregate->core->tsc || cost->stretches >= AGAIN;
    /* not at the end, which has little time: the present calibration is good enough */
    if (cost->rounds == 0 || (again && !last))
        publisher_overhead_calibrate(cost, aggregate->core->tsc);
    cost->priced = cost->rounds > 0;
    if (!cost->priced)
        return;
    uint64_t run_ns = cost->watched && now_ns > cost->from_ns ? now_ns - cost->from_ns : 0;
    bool whole = run_ns >= STRETCH_MS * PUBLISHER_MS_NS || (last && cost->fraction < 0);
    /* Asks the kernel and reads all objects only as often as a viewer gets the result. */
    if (whole || last || !cost->watched) {
        add_threads(cost);
        count_updates(aggregate);
    }
    add_events(cost, aggregate);
    if (whole && run_ns != 0) {
        double run =
            publisher_overhead_worked_ns(aggregate, run_ns, cost->from_tick, &cost->from_turns);
        cost->fraction = part(own_ns(cost) - cost->from_own_ns, run);
        cost->least = part(cost->least_ns - cost->from_least_ns, run);
        for (int i = 0; i < PUBLISHER_CHOICES; i++)
            cost->choice[i] = part(cost->choice_ns[i] - cost->from_choice_ns[i], run);
    }
    cost->stretches += whole;
    if (whole || !cost->watched)
        begin_stretch(cost, aggregate, now_ns);
}

void publisher_overhead_put(const struct publisher_overhead *cost, double budget,
                            struct wire_writer *w)
{
    uint64_t own = publisher_overhead_own_ns(cost);
    if (cost->fraction >= 0) {
        wire_put_f64(w, WIRE_F_COST, cost->fraction);
        wire_put_f64(w, WIRE_F_LEAST, cost->least);
        for (int i = 0; i < PUBLISHER_CHOICES; i++)
            wire_put_f64(w, WIRE_F_COST_SYMBOLIC + i, cost->choice[i]);
    }
    if (budget > 0)
        wire_put_f64(w, WIRE_F_BUDGET, budget);
    if (own == PROFTOP_UNKNOWN)
        return;
    wire_put_u64(w, WIRE_F_OWN, own);
    wire_put_u64(w, WIRE_F_OWNERR, publisher_overhead_doubt_ns(cost));
}

uint64_t publisher_overhead_own_ns(const struct publisher_overhead *cost)
{
    return cost->priced ? (uint64_t)own_ns(cost) : PROFTOP_UNKNOWN;
}

uint64_t publisher_overhead_doubt_ns(const struct publisher_overhead *cost)
{
    return cost->priced ? (uint64_t)cost->events_doubt_ns : PROFTOP_UNKNOWN;
}
