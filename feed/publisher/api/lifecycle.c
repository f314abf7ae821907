/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lifecycle.c: opens and closes feeds, starts and ends their threads, and handles fork and exit.
 */
#include "config.h"

#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/record/objects.h"
#include "feed/publisher/record/thread_buffer.h"
#include "feed/shared/system_calls.h"
#include "proftop_adapter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    START_MS = 5000,       /* a starting thread that uses no CPU time for so long is given up */
    START_MOST_MS = 10000, /* limit of a start that makes progress */
    START_LOOK_MS = 250,   /* interval at which the progress is checked */
    GRACE_MS = 100,        /* extra time to close the sockets after the goodbye, if CPUs are busy */
    MARGIN_MS = 10,        /* part of the goodbye's time that is reserved to close the sockets */
    STACK = 1 << 18,       /* least stack of the feed's thread in bytes: it used less than 100 kB */
    QUARANTINE = 64,       /* closings before a handle is reused: the program may still hold it */
};

/* The following variables are under publisher_all_lock. `fork_parent` is the instance of the feed
 * in the process that forked this one. */
static uint64_t last_serial, closings;
static uint8_t fork_parent[PUBLISHER_INSTANCE_SIZE];
static bool forked;

static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static struct proftop no_memory = {.reason = "there is no memory for the feed",
                                   .lock = PTHREAD_MUTEX_INITIALIZER};

/* -------------------------------------------------------------------------------- handles */

/* Finds the handle that was closed longest ago, if QUARANTINE closings have followed. */
static struct proftop *old_handle(void)
{
    struct proftop *oldest = NULL;
    for (struct proftop *feed = publisher_all; feed != NULL; feed = feed->next) {
        bool free_again = feed->closed != 0 && !feed->lent && closings - feed->closed >= QUARANTINE;
        if (free_again && (oldest == NULL || feed->closed < oldest->closed))
            oldest = feed;
    }
    return oldest;
}

static struct proftop *take_handle(void)
{
    pthread_mutex_lock(&publisher_all_lock);
    struct proftop *feed = old_handle();
    if (feed == NULL && (feed = calloc(1, sizeof *feed)) != NULL) {
        pthread_mutex_init(&feed->lock, NULL);
        feed->next = publisher_all;
        publisher_all = feed;
    }
    if (feed != NULL) {
        feed->closed = 0;
        feed->front.layout = PROFTOP_LAYOUT;
        feed->front.tick_ns = 0;
        feed->why[0] = 0;
        atomic_store_explicit(&feed->reason, feed->why, memory_order_release);
        uint64_t *counters[] = {&feed->invalid, &feed->misuse, &feed->restarts};
        for (size_t i = 0; i < PUBLISHER_LOSTS; i++)
            publisher_store(&feed->lost[i], 0);
        for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
            publisher_store(counters[i], 0);
    }
    pthread_mutex_unlock(&publisher_all_lock);
    return feed;
}

/* True in a forked child, also if the fork ran no atfork handlers. */
static bool is_inherited(const struct publisher_core *core)
{
    return core->me.pid != (uint64_t)getpid();
}

/* Does not read the core, which another thread may be freeing. */
static bool is_open(const struct proftop *feed)
{
    return feed->number != 0 && feed->pid == (uint64_t)getpid();
}

/* Returns the lowest number that no open feed of this process has. Under publisher_all_lock. */
static uint32_t free_number(void)
{
    for (uint32_t number = 1;; number++) {
        const struct proftop *feed = publisher_all;
        while (feed != NULL && !(is_open(feed) && feed->number == number))
            feed = feed->next;
        if (feed == NULL)
            return number;
    }
}

/* True if this process has no open feed. */
static bool is_first(void)
{
    pthread_mutex_lock(&publisher_all_lock);
    const struct proftop *feed = publisher_all;
    while (feed != NULL && !is_open(feed))
        feed = feed->next;
    pthread_mutex_unlock(&publisher_all_lock);
    return feed == NULL;
}

/* ---------------------------------------------------------------------------------- cores */

static void free_core(struct publisher_core *core)
{
    pthread_mutex_lock(&publisher_all_lock);
    publisher_threads_drop(core);
    pthread_mutex_unlock(&publisher_all_lock);
    publisher_phases_release(&core->phases);
    publisher_details_release(&core->details);
    publisher_metrics_release(&core->metrics);
    publisher_index_release(&core->named);
    publisher_definitions_release(&core->definitions);
    publisher_objects_release(core->objects);
    publisher_black_box_release(core->box);
    free(core);
}

static void for_each_open(void (*act)(struct proftop *feed))
{
    pthread_mutex_lock(&publisher_all_lock);
    struct proftop *feed = publisher_all;
    pthread_mutex_unlock(&publisher_all_lock);
    for (; feed != NULL; feed = feed->next) {
        pthread_mutex_lock(&publisher_all_lock);
        const bool open = is_open(feed);
        pthread_mutex_unlock(&publisher_all_lock);
        if (open)
            act(feed);
    }
}

static void begin_close(struct proftop *feed);

/* Starts the goodbyes of all feeds together, so that the end of the program waits only for one.
 * Then closes each feed. If another thread is closing the feed, proftop_close() waits for that. */
static void close_all(void)
{
    for_each_open(begin_close);
    for_each_open(proftop_close);
}

/* Returns a new serial number: odd if the feed counts by time stamps, else even. Numbers start
 * above 1, which the thread's cache of proftop_inline.h uses for "no feed". Under
 * publisher_all_lock. */
static uint64_t next_on(bool tsc)
{
    return ++last_serial * 2 + tsc;
}

/* Switches from time stamps to the system's clock. Threads get new blocks; the counts in the old
 * blocks stay. For the feed's thread. */
static void leave_tsc(struct publisher_core *core)
{
    struct proftop *feed = core->handle;
    pthread_mutex_lock(&publisher_all_lock);
    pthread_mutex_lock(&feed->lock);
    core->tsc = false;
    if (feed->core == core && publisher_on(feed) != 0) {
        publisher_set_on(feed, next_on(false));
        publisher_control_apply(core);
    }
    pthread_mutex_unlock(&feed->lock);
    pthread_mutex_unlock(&publisher_all_lock);
}

static const struct publisher_side side = {.leave_tsc = leave_tsc, .close_all = close_all};

/* Takes the lock of all feeds, so the caller must hold no feed's lock. */
static struct publisher_core *new_core(struct proftop *feed, const struct proftop_options *options)
{
    struct publisher_core *core = calloc(1, sizeof *core);
    pthread_condattr_t monotonic;
    if (core == NULL)
        return NULL;
    publisher_control_init(&core->control);
    publisher_count_filter_init(core);
    core->handle = feed;
    core->side = &side;
    core->life.wake[0] = core->life.wake[1] = -1;
    if (!publisher_definitions_init(&core->definitions)) {
        free_core(core);
        return NULL;
    }
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&core->life.changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    uint8_t parent[PUBLISHER_INSTANCE_SIZE];
    pthread_mutex_lock(&publisher_all_lock);
    bool child = forked;
    memcpy(parent, fork_parent, sizeof parent);
    pthread_mutex_unlock(&publisher_all_lock);
    publisher_identity_init(&core->me, options, child ? parent : NULL);
    core->rank = core->size = PROFTOP_UNKNOWN;
    publisher_ticks_init(&core->ticks, publisher_ticks_usable());
    core->tsc = core->ticks.tsc;
    return core;
}

/* Frees a core whose thread does not run. */
static void drop_core(struct publisher_core *core)
{
    pthread_cond_destroy(&core->life.changed);
    free_core(core);
}

/* ------------------------------------------------------------------------- the feed's thread */

/* ThreadSanitizer identifies descriptors by number, so it would confuse two tables. */
extern void __tsan_init(void) __attribute__((weak));

/* Gives the calling thread, and the threads that it starts, an own empty table of descriptors. The
 * program cannot close the feed's descriptors (daemons close all) or exhaust the table, and its
 * children inherit none of them. Returns false if the kernel or a sanitizer does not allow it: the
 * thread then keeps the program's table. */
static bool take_table(void)
{
    if (__tsan_init != NULL || shared_close_range(0, UINT32_MAX, SHARED_CLOSE_RANGE_UNSHARE) != 0)
        return false;
    /* Reserves 0 to 2: code may write to them as standard streams, so no socket may get them. */
    for (int fd = 0; fd < 3 && fd >= 0;) {
        int got = open("/dev/null", O_RDWR | O_CLOEXEC);
        fd = got < 0 ? -1 : got + 1;
    }
    return true;
}

static void fail(struct publisher_core *core, const char *why)
{
    pthread_mutex_lock(&core->handle->lock);
    publisher_off(core->handle, why);
    pthread_mutex_unlock(&core->handle->lock);
    publisher_set_life(core, &core->life.failed);
}

/* Hands the core to the closing thread. If none waits any more, frees the core. */
static void end_thread(struct publisher_core *core)
{
    pthread_mutex_t *lock = &core->handle->lock;
    pthread_mutex_lock(lock);
    bool abandoned = core->life.abandoned;
    core->life.ended = true;
    pthread_cond_broadcast(&core->life.changed);
    pthread_mutex_unlock(lock);
    if (abandoned)
        free_core(core);
}

/* Takes its own table of descriptors first, if it can: loading a library needs a descriptor, and
 * the program may have none left. */
static void *feed_thread(void *argument)
{
    struct publisher_core *core = argument;
    char why[PUBLISHER_WHY_SIZE] = "there is no memory for the feed";
    pthread_setname_np(pthread_self(), "proftop-feed");
    core->life.alone = take_table();
    publisher_loop *loop = core->loop != NULL ? core->loop : publisher_find_loop(why);
    if (loop == NULL || !loop(core, sizeof *core, why))
        fail(core, why);
    end_thread(core);
    return NULL;
}

/* ------------------------------------------------------------------------------------- start */

/* Waits until *what or *or_what is true. Returns false at the deadline. Under the feed's lock. */
static bool wait_for(struct publisher_core *core, const bool *what, const bool *or_what,
                     uint64_t deadline_ns)
{
    struct timespec until = {.tv_sec = (time_t)(deadline_ns / PUBLISHER_SECOND_NS),
                             .tv_nsec = (long)(deadline_ns % PUBLISHER_SECOND_NS)};
    int error = 0;
    while (!*what && !*or_what && error == 0)
        error = pthread_cond_timedwait(&core->life.changed, &core->handle->lock, &until);
    return *what || *or_what;
}

/* As wait_for(). The closing thread does not free the core while this waits. */
static void wait_inside(struct publisher_core *core, const bool *what, const bool *or_what,
                        uint64_t deadline_ns)
{
    core->control.waiters++;
    wait_for(core, what, or_what, deadline_ns);
    core->control.waiters--;
    pthread_cond_broadcast(&core->life.changed);
}

static uint64_t in_ms(uint64_t ms)
{
    return publisher_clock_ns() + ms * PUBLISHER_MS_NS;
}

/* Starts the feed's thread with all signals blocked: they are the program's. */
static int start_thread(struct publisher_core *core)
{
    pthread_attr_t own;
    sigset_t all, was;
    if (pthread_attr_init(&own) != 0)
        return ENOMEM;
    size_t given = 0;
    /* The program may have set a smaller default. */
    if (pthread_attr_getstacksize(&own, &given) != 0 || given < STACK)
        pthread_attr_setstacksize(&own, STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &was);
    int error = pthread_create(&core->life.thread, &own, feed_thread, core);
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    pthread_attr_destroy(&own);
    return error;
}

/* Detaches the handle from a core whose thread was started. Frees the core if the thread has ended;
 * else the thread, which is late, frees it. Called under the feed's lock; unlocks it. */
static void part(struct proftop *feed, struct publisher_core *core)
{
    bool ended = core->life.ended;
    core->life.abandoned = !ended;
    feed->lent = !ended;
    feed->core = NULL;
    pthread_t thread = core->life.thread;
    pthread_mutex_unlock(&feed->lock);
    if (!ended) {
        pthread_detach(thread);
        return;
    }
    pthread_join(thread, NULL);
    drop_core(core);
}

/* Waits until the thread listens or has failed, or the feed is closed. On a busy machine the thread
 * is slow, but its CPU clock advances. So the wait is given up before START_MOST_MS only if that
 * clock stands still for START_MS, for example because a disk does not answer. */
static void wait_for_start(struct publisher_core *core)
{
    const uint64_t until_ns = in_ms(START_MOST_MS);
    uint64_t still_ns = in_ms(START_MS), ran_ns = 0;
    clockid_t clock;
    while (!wait_for(core, &core->life.started, &core->life.failed, in_ms(START_LOOK_MS))) {
        const bool has_clock = pthread_getcpuclockid(core->life.thread, &clock) == 0;
        const uint64_t now_ns = publisher_clock_ns(),
                       ran = has_clock ? publisher_clock_of(clock) : 0;
        if (ran != ran_ns)
            still_ns = now_ns + START_MS * PUBLISHER_MS_NS;
        ran_ns = ran;
        if (now_ns >= still_ns || now_ns >= until_ns || core->life.stop)
            return;
    }
}

/* Starts the feed's thread and waits until it listens. Returns false if the feed is off, with the
 * reason in the handle. */
static bool start(struct proftop *feed, struct publisher_core *core)
{
    pthread_mutex_lock(&publisher_all_lock);
    pthread_mutex_lock(&feed->lock);
    core->number = feed->number = free_number();
    feed->pid = (uint64_t)getpid();
    feed->core = core;
    uint64_t on = next_on(core->ticks.tsc);
    pthread_mutex_unlock(&publisher_all_lock);
    if (start_thread(core) != 0) {
        publisher_off(feed, "no thread can be started for the feed: raise `ulimit -u` or -v");
        feed->core = NULL;
        pthread_mutex_unlock(&feed->lock);
        drop_core(core);
        return false;
    }
    core->control.waiters++; /* keeps a concurrent close_all() from freeing the core */
    wait_for_start(core);
    if (core->life.failed)
        wait_for(core, &core->life.ended, &core->life.ended, in_ms(START_MS));
    core->control.waiters--;
    if (core->life.stop) { /* close_all() closes the feed, and frees the core */
        pthread_cond_broadcast(&core->life.changed);
        pthread_mutex_unlock(&feed->lock);
        return false;
    }
    if (core->life.started) {
        publisher_set_on(feed, on);
        publisher_control_apply(core);
        pthread_mutex_unlock(&feed->lock);
        return true;
    }
    if (!core->life.failed)
        publisher_off(feed, "the feed's thread stood still for 5 s before it listened");
    core->life.stop = true;
    part(feed, core);
    return false;
}

/* ----------------------------------------------------------------------------------- fork */

/* True while this thread is in fork(), after before_fork(). */
static _Thread_local bool forking __attribute__((tls_model("initial-exec")));

static void before_fork(void)
{
    pthread_mutex_lock(&publisher_all_lock);
    for (struct proftop *feed = publisher_all; feed != NULL; feed = feed->next)
        pthread_mutex_lock(&feed->lock);
    forking = true;
}

static void after_fork(void)
{
    forking = false;
    for (struct proftop *feed = publisher_all; feed != NULL; feed = feed->next)
        pthread_mutex_unlock(&feed->lock);
    pthread_mutex_unlock(&publisher_all_lock);
}

/* Takes this process out of the files that the parent keeps its counts in. */
static void forget_boxes(void)
{
    for (struct publisher_block *block = publisher_thread_slot.all; block != NULL;
         block = block->next_own)
        publisher_block_forget(block);
    for (struct proftop *feed = publisher_all; feed != NULL; feed = feed->next) {
        if (feed->core == NULL || feed->core->box == NULL)
            continue;
        if (!feed->core->box->forgotten)
            publisher_black_box_forget(feed->core->box);
        feed->core->definitions.box = NULL;
    }
}

/* Turns the inherited feeds off. The child has a feed's memory but not its thread. It never touches
 * the inherited sockets. */
static void in_child(void)
{
    forget_boxes();
    for (struct proftop *feed = publisher_all; feed != NULL; feed = feed->next) {
        if (feed->core == NULL || feed->why[0] != 0)
            continue;
        memcpy(fork_parent, feed->core->me.instance, sizeof fork_parent);
        forked = true;
        publisher_off(feed,
                      "this process was forked from the one that opened the feed: open another");
    }
    after_fork();
}

void proftop_fork_unlock(struct proftop *feed)
{
    (void)feed;
    if (!forking)
        return;
    after_fork();
    forking = true;
}

void proftop_fork_lock(struct proftop *feed)
{
    (void)feed;
    if (forking)
        before_fork();
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, in_child);
}

/* ------------------------------------------------------------------------- open and close */

/* Returns the reason why the environment keeps the feed off, or NULL. */
static const char *refusal(const struct proftop_options *options)
{
    const char *setting = secure_getenv("PROFTOP");
    if (setting != NULL && strcmp(setting, "0") == 0)
        return "PROFTOP=0 in the environment keeps every feed off";
    bool on = setting != NULL && strcmp(setting, "1") == 0;
    if ((options->flags & PROFTOP_IF_ASKED) && !on)
        return "nobody asked for the feed: set PROFTOP=1, or start the program with `proftop run`";
    return NULL;
}

const char *proftop_version(const struct proftop *feed)
{
    return feed == NULL ? "" : PACKAGE_VERSION;
}

/* Turns the handle off for the given reason. */
static struct proftop *refused(struct proftop *feed, const char *why)
{
    pthread_mutex_lock(&feed->lock);
    publisher_off(feed, why);
    pthread_mutex_unlock(&feed->lock);
    return feed;
}

/* Starts the feed of a handle. `core` is NULL if there was no memory for it. Returns false if the
 * feed is off, with the reason in the handle. */
static bool begin(struct proftop *feed, struct publisher_core *core)
{
    if (core == NULL) {
        refused(feed, "there is no memory for the feed");
        return false;
    }
    char why[PUBLISHER_WHY_SIZE];
    /* `why` is dropped: on failure the feed's thread tries again, and reports the error. */
    core->loop = publisher_find_loop(why);
    if (start(feed, core))
        return true;
    pthread_mutex_lock(&publisher_all_lock);
    feed->number = 0;
    pthread_mutex_unlock(&publisher_all_lock);
    return false;
}

static void wait_for_viewer(struct proftop *feed, struct publisher_core *core)
{
    pthread_mutex_lock(&feed->lock);
    if (feed->core == core) /* not closed meanwhile */
        wait_inside(core, &core->life.greeted, &core->life.ended, in_ms(WIRE_RUN_OPEN_MS));
    pthread_mutex_unlock(&feed->lock);
}

static struct proftop *open_feed(const struct proftop_options *options)
{
    struct proftop_options known = {0};
    publisher_take_options(&known, sizeof known, options);
    struct proftop *feed = take_handle();
    if (feed == NULL)
        return &no_memory;
    pthread_once(&fork_once, watch_forks);
    const char *why = refusal(&known);
    if (why != NULL)
        return refused(feed, why);
    struct publisher_core *core = new_core(feed, &known);
    /* `run` attaches to the first feed of a process. */
    bool awaited = core != NULL && core->me.token[0] != 0 && is_first();
    if (begin(feed, core) && awaited)
        wait_for_viewer(feed, core);
    return feed;
}

/* Clears the times of compilation: the parent reports them, so the sum over both processes counts
 * them once. */
static void forget_compilation(struct publisher_definitions *definitions)
{
    uint32_t count = publisher_definitions_count(definitions, PUBLISHER_DEF_FUNCTION);
    for (uint32_t id = 0; id < count; id++) {
        struct publisher_function_row *row =
            publisher_definitions_row(definitions, PUBLISHER_DEF_FUNCTION, id);
        for (int part = 0; part < PUBLISHER_PARTS; part++)
            if (publisher_load(&row->part[part]) != 0)
                publisher_store(&row->part[part], 0);
        if (row->compiling != 0)
            row->compiling = 0;
        if (publisher_load(&row->compile_since) != 0)
            publisher_store(&row->compile_since, 0);
    }
}

/* Drops the definitions of the parent's threads, counters, spans and markers: a child does not
 * inherit these. */
static void forget_others(struct publisher_definitions *definitions)
{
    static const enum publisher_table others[] = {PUBLISHER_DEF_THREAD, PUBLISHER_DEF_COUNTER,
                                                  PUBLISHER_DEF_SPAN, PUBLISHER_DEF_MARKER};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        atomic_store_explicit(&definitions->list[others[i]].count, 0, memory_order_relaxed);
}

/* Moves the definitions of `from` into the new `core`, without times and values: classes, ops,
 * functions and applies with their ids, details of applies, metrics, the route and the facts.
 * Copies no rows: the child already has the memory, and shares the pages with its parent until one
 * of them writes. No thread of the child uses `from` any more. */
static void inherit(struct publisher_core *core, struct publisher_core *from)
{
    publisher_definitions_release(&core->definitions);
    core->definitions = from->definitions;
    core->definitions.box = NULL; /* the parent's, if its child was made without handlers */
    memset(&from->definitions, 0, sizeof from->definitions);
    core->named = from->named;
    memset(&from->named, 0, sizeof from->named);
    memset(&from->compiling, 0, sizeof from->compiling); /* its rows are gone from `from` */
    forget_compilation(&core->definitions);
    forget_others(&core->definitions);
    core->details = from->details;
    memset(&from->details, 0, sizeof from->details);
    core->metrics = from->metrics;
    memset(&from->metrics, 0, sizeof from->metrics);
    publisher_metrics_clear(&core->metrics);
    memcpy(core->route, from->route, sizeof core->route);
    memcpy(core->facts, from->facts, sizeof core->facts);
}

/* Makes a new core, which no other thread has yet, like the core of the parent's feed. Under the
 * lock of the inherited feed. */
static void make_alike(struct publisher_core *core, struct publisher_core *parent)
{
    publisher_identity_alike(&core->me, &parent->me);
    inherit(core, parent);
    core->handle->front.tick_ns = core->tsc ? parent->handle->front.tick_ns : 0;
}

static struct proftop *open_child(struct proftop *inherited)
{
    struct proftop *feed = take_handle();
    if (feed == NULL)
        return &no_memory;
    if (inherited == NULL || inherited == &no_memory)
        return refused(feed, "there is no feed of the parent's");
    const struct proftop_options options = {.size = sizeof options};
    struct publisher_core *core = new_core(feed, &options);
    pthread_mutex_lock(&inherited->lock);
    struct publisher_core *parent = inherited->core;
    bool fits = parent != NULL && is_inherited(parent) && parent->definitions.list[0].chunk != NULL;
    if (fits && core != NULL)
        make_alike(core, parent);
    pthread_mutex_unlock(&inherited->lock);
    if (!fits && core != NULL)
        drop_core(core);
    if (!fits)
        return refused(feed, "the feed is not one that was open when this process was forked, or "
                             "its definitions have gone to another");
    const char *watched = secure_getenv("PROFTOP_CHILDREN");
    bool awaited = core != NULL && core->me.token[0] != 0 && watched && strcmp(watched, "1") == 0;
    if (begin(feed, core) && awaited)
        wait_for_viewer(feed, core);
    return feed;
}

struct proftop *proftop_open_child(struct proftop *inherited)
{
    const int was = publisher_cancel_disable();
    struct proftop *feed = open_child(inherited);
    publisher_cancel_restore(was);
    return feed;
}

struct proftop *proftop_open(const struct proftop_options *options)
{
    const int was = publisher_cancel_disable();
    struct proftop *feed = open_feed(options);
    publisher_cancel_restore(was);
    return feed;
}

/* Tells the feed's thread to say goodbye. Under the feed's lock. */
static void begin_stop(struct proftop *feed, struct publisher_core *core)
{
    uint64_t ms = core->me.token[0] != 0 ? WIRE_RUN_BYE_MS : WIRE_BYE_MS;
    core->life.stop = true;
    pthread_cond_broadcast(&core->life.changed); /* threads that wait for a command give up */
    if (!publisher_life_wake(&core->life))       /* the thread notices `stop` at its next tick */
        ms += WIRE_TICK_MS;
    core->life.deadline_ns = in_ms(ms - MARGIN_MS);
    publisher_off(feed, "the feed is closed");
}

static void begin_close(struct proftop *feed)
{
    const int was = publisher_cancel_disable();
    pthread_mutex_lock(&feed->lock);
    struct publisher_core *core = feed->core;
    if (core != NULL && !is_inherited(core) && !core->life.stop)
        begin_stop(feed, core);
    pthread_mutex_unlock(&feed->lock);
    publisher_cancel_restore(was);
}

/* Stops the feed's thread and frees the core. Called under the feed's lock; unlocks it. Returns
 * false if another thread is closing the feed, and completes the handle. */
static bool stop(struct proftop *feed, struct publisher_core *core)
{
    if (!core->life.stop)
        begin_stop(feed, core);
    const uint64_t until_ns = core->life.deadline_ns + (MARGIN_MS + GRACE_MS) * PUBLISHER_MS_NS;
    if (core->life.awaited) { /* wait too: the program may end right after this call */
        wait_inside(core, &core->life.ended, &core->life.ended, until_ns);
        pthread_mutex_unlock(&feed->lock);
        return false;
    }
    core->life.awaited = true;
    wait_for(core, &core->life.ended, &core->life.ended, until_ns);
    while (core->control.waiters > 0)
        pthread_cond_wait(&core->life.changed, &feed->lock);
    part(feed, core);
    return true;
}

/* Returns false if another thread is closing the feed, and completes the handle. */
static bool close_feed(struct proftop *feed)
{
    pthread_mutex_lock(&feed->lock);
    struct publisher_core *core = feed->core;
    if (core == NULL) {
        publisher_off(feed, "the feed is closed");
        pthread_mutex_unlock(&feed->lock);
    } else if (is_inherited(core)) {
        /* The parent's threads may have been at any point: the inherited core is not touched. */
        publisher_off(feed, "the feed is closed");
        feed->lent = true;
        pthread_mutex_unlock(&feed->lock);
    } else {
        return stop(feed, core);
    }
    return true;
}

void proftop_close(struct proftop *feed)
{
    if (feed == NULL || feed == &no_memory)
        return;
    const int was = publisher_cancel_disable();
    if (close_feed(feed)) {
        pthread_mutex_lock(&publisher_all_lock);
        feed->number = 0;
        if (feed->closed == 0)
            feed->closed = ++closings;
        pthread_mutex_unlock(&publisher_all_lock);
    }
    publisher_cancel_restore(was);
}

int proftop_is_on(const struct proftop *feed)
{
    return feed != NULL && publisher_on(feed) != 0;
}

const char *proftop_reason(const struct proftop *feed)
{
    if (feed == NULL)
        return "there is no feed";
    return atomic_load_explicit(&feed->reason, memory_order_acquire);
}
