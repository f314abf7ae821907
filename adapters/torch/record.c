/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * record.c: the callbacks, and the windows in which ops are counted.
 *
 * PyTorch calls nothing between windows, so that ops then run as fast as without proftop. A window
 * is a number of whole steps (steps.h), or a time where there are none. The callback for named
 * ranges stays: it tells the ends of optimizers, and counts collectives. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "adapters/common/nested.h"
#include "adapters/common/state.h"
#include "adapters/common/ticker.h"
#include "adapters/torch/describe.h"
#include "adapters/torch/device.h"
#include "adapters/torch/library.h"
#include "adapters/torch/memory.h"
#include "adapters/torch/steps.h"
#include "adapters/torch/torch.h"
#include "proftop_adapter.h"
#include "proftop_objects.h"

static const struct nested_host host = {.feed = &proftop_py.feed,
                                        .feeds = &proftop_py.feeds,
                                        .open = proftop_py_feed,
                                        .describe = torch_describe,
                                        .root = TORCH_FORWARD,
                                        .distinct = 1u << TORCH_MODULE};

/* ----------------------------------------------------------------------------------- callbacks */

static void has_ended(enum steps_kind kind, uintptr_t by);

/* Where launches are told by ids, each run has one. */
static inline void tell_device(void)
{
    if (__builtin_expect(atomic_load_explicit(&device_pushes, memory_order_relaxed), 0))
        device_push();
}

static inline void untell_device(void)
{
    if (__builtin_expect(device_pushed != 0, 0))
        device_pop();
}

/* Kinds that are rare share a callback: each one that is added or removed makes all threads of
 * PyTorch build their lists anew. */
enum { TORCH_OTHER = 2 };

static inline void *begin(unsigned kind, void **context, const void *run)
{
    const char *name = torch_name_of(run);
    *context = NULL;
    nested_begin(kind, name ? name : "", run);
    tell_device();
    return context;
}

TORCH_BEGIN(function)
{
    return begin(TORCH_FUNCTION, context, run);
}

TORCH_BEGIN(backward)
{
    steps_train();
    return begin(TORCH_BACKWARD, context, run);
}

TORCH_BEGIN(other)
{
    return begin(TORCH_OTHER, context, run);
}

static void end(const void *run, void *context)
{
    (void)context;
    untell_device();
    nested_end(run);
}

/* The optimizer's step that this thread runs, or NULL. */
static _Thread_local const void *step_run __attribute__((tls_model("initial-exec")));

TORCH_BEGIN(range)
{
    const char *named = torch_name_of(run), *name = named ? named : "";
    *context = NULL;
    const int counts = atomic_load_explicit(&torch_counts, memory_order_relaxed);
    /* A collective counts always: they are few, and one that hangs began before any window. */
    if (torch_is_async && torch_is_async(run)) {
        if (counts || torch_is_collective(TORCH_RANGE, name))
            nested_begin_apart(TORCH_RANGE, name, run);
    } else if (counts) {
        nested_begin(TORCH_RANGE, name, run);
        tell_device();
    }
    if (strncmp(name, TORCH_STEP, sizeof TORCH_STEP - 1) == 0)
        step_run = run;
    return context;
}

static uintptr_t (*_Atomic ask_optimizer)(void);

void torch_ask_optimizer(uintptr_t (*ask)(void))
{
    atomic_store(&ask_optimizer, ask);
}

/* Tells the optimizer of this range from others: its address, or else its class. */
static uintptr_t optimizer_of(const void *run)
{
    uintptr_t (*ask)(void) = atomic_load(&ask_optimizer);
    const uintptr_t optimizer = ask ? ask() : 0;
    const char *name = optimizer ? NULL : torch_name_of(run);
    uintptr_t hash = 1;
    for (; name && *name; name++)
        hash = hash * 31 + (unsigned char)*name;
    return optimizer ? optimizer : hash | 1;
}

static void end_range(const void *run, void *context)
{
    (void)context;
    if (device_pushed != 0 && !(torch_is_async && torch_is_async(run)))
        device_pop();
    nested_end_if_open(run);
    if (run != step_run)
        return;
    step_run = NULL;
    has_ended(STEPS_OPTIMIZER, optimizer_of(run));
}

enum { RANGES = 3, CALLBACKS };
static const struct {
    void *(*begin)(void **, const void *);
    void (*end)(const void *, void *);
    unsigned scopes; /* one bit each */
} callbacks[CALLBACKS] = {
    {function_begin, end, 1u << TORCH_FUNCTION},
    {backward_begin, end, 1u << TORCH_BACKWARD},
    {other_begin, end,
     (1u << TORCH_SCOPES) - 1 - (1u << TORCH_FUNCTION | 1u << TORCH_BACKWARD | 1u << TORCH_RANGE)},
    [RANGES] = {range_begin, end_range, 1u << TORCH_RANGE},
};

static uint64_t handles[CALLBACKS];
static int counts_ops; /* else runs of modules alone, and PyTorch calls nothing */

static void add(unsigned number)
{
    if (!counts_ops)
        return;
    struct torch_callback callback = {
        .begin = callbacks[number].begin, .end = callbacks[number].end, .probability = 1};
    for (unsigned scope = 0; scope < TORCH_SCOPES; scope++)
        callback.scopes[scope] = callbacks[number].scopes >> scope & 1;
    handles[number] = torch_add_callback(callback);
}

/* The job has cleared the list (at::clearCallbacks()), and ours are gone. If it has added one of
 * its own since, that is not seen. */
static int are_cleared(void)
{
    return counts_ops && torch_has_callbacks && !torch_has_callbacks();
}

/* PyTorch prints a warning if the callback is not in the list. */
static void remove_callback(unsigned number)
{
    if (counts_ops && !are_cleared())
        torch_remove_callback(handles[number]);
}

int torch_is_open(void)
{
    return atomic_load_explicit(&torch_counts, memory_order_relaxed);
}

void torch_module_begin(const char *name, const void *module)
{
    nested_begin(TORCH_MODULE, name, module);
    tell_device();
}

void torch_module_end(const void *module)
{
    untell_device();
    nested_end_if_open(module);
}

int torch_module_inputs_due(const void *module)
{
    return nested_inputs_due(module);
}

void torch_module_inputs(const struct nested_value *value, unsigned count, uint64_t took_ns)
{
    struct proftop *feed = proftop_py_feed_here();
    nested_inputs(value, count);
    if (feed)
        proftop_spent(feed, took_ns);
}

void torch_compiling(int begins)
{
    static _Thread_local char here __attribute__((tls_model("initial-exec")));
    if (begins && torch_is_open())
        nested_begin(TORCH_COMPILER, "torch.compile", &here);
    else if (!begins)
        nested_end_if_open(&here);
}

void torch_outermost_end(const void *module)
{
    if (steps_by_modules())
        has_ended(STEPS_MODULE, (uintptr_t)module);
}

/* --------------------------------------------------------------------------------------- windows
 */

enum {
    FIRST_NS = 200000000,       /* the first window is long: most rows are in it */
    WINDOW_NS = 20000000,       /* later windows last at least so long */
    TIMED_NS = 200000000,       /* and so long where there are no steps */
    NO_STEP_NS = 1000000000,    /* it is late after so long, or some steps, without a step */
    MOST_CLOSED_NS = 2000000000 /* between two windows */
};

static pthread_mutex_t window_lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
/* The part of the budget that windows may take. The rest is for what goes on between them: named
 * ranges, the ends of steps, and a look at each call of a module and each allocation. */
enum { WINDOWS_PERCENT = 60 };
static double budget;
static int attached;
static uint64_t attached_ns, opened_ns, opened_events, reopen_ns, watched_ns, stepped_ns;
static uint64_t stepped_events; /* when the last step ended */
static _Atomic uint64_t steps, watched;
/* Of the steps that were counted: their time, in ns, and that of each function in them, in units of
 * the feed's clock; and the sums of functions when the last step ended. */
static uint64_t counted_ns, counted_time[NESTED_FUNCTIONS + 1];
static uint64_t functions_before[NESTED_FUNCTIONS + 1];
static int whole; /* since the last end of a step, no window was opened or closed amid a step */
static unsigned windows;
static double owed_ns;          /* time that has to pass without counting */
static double usual_ns;         /* duration of a step, an average; 0: not known */
static _Atomic int closed_once; /* some time was not counted */

/* What an event costs, in ns: from the durations of steps in windows and between them. In a loop of
 * one op an event costs 80 ns. In a real step it costs two to five times as much, most of it in
 * PyTorch, since what it touches has left the caches. */
enum { COST_FIRST = 300, COST_MOST = 3000, LIBRARY_NS = 15, LONG = 4, NEWEST = 8, FEW = 4 };
static double cost_ns = COST_FIRST, least_cost_ns;
static struct steps_seen {
    uint64_t steps, ns, events;
} in_windows, between;

/* A step has ended that was counted as a whole, or not at all. Much longer ones than usual are no
 * measure: they do something else as well. */
static void see_step(struct steps_seen *seen, uint64_t ns, uint64_t events)
{
    if (usual_ns > 0 && (double)ns > LONG * usual_ns)
        return;
    seen->steps++;
    seen->ns += ns;
    seen->events += events;
}

/* Takes some steps in windows and some between them as one measurement. */
static void learn_cost(void)
{
    if (in_windows.events == 0 || in_windows.steps < FEW || between.steps < FEW)
        return;
    const double more = (double)in_windows.ns / (double)in_windows.steps -
                        (double)between.ns / (double)between.steps;
    double cost = more * (double)in_windows.steps / (double)in_windows.events;
    cost = cost < least_cost_ns ? least_cost_ns : cost > COST_MOST ? COST_MOST : cost;
    cost_ns += (cost - cost_ns) / NEWEST;
    in_windows = between = (struct steps_seen){0, 0, 0};
}

static void open_window(uint64_t now, int at_step)
{
    opened_ns = now;
    opened_events = nested_events();
    whole = at_step;
    windows++;
    atomic_store(&torch_counts, 1);
    nested_cut();
    for (unsigned i = 0; i < RANGES; i++)
        add(i);
    device_open();
}

static void close_window(uint64_t now)
{
    if (!atomic_exchange(&torch_counts, 0))
        return;
    device_close();
    for (unsigned i = 0; i < RANGES; i++)
        remove_callback(i);
    nested_cut();
    atomic_store(&closed_once, 1);
    watched_ns += now - opened_ns;
}

static int is_traced(void)
{
    return proftop_is_traced(proftop_py_feed_here());
}

/* Closes the window if it has cost more than the budget, for as long as makes that good. */
static void spare(uint64_t now, uint64_t least_ns)
{
    const uint64_t open_ns = now - opened_ns;
    const double paid = (double)(nested_events() - opened_events) * cost_ns;
    if (budget <= 0 || open_ns < (windows == 1 ? FIRST_NS : least_ns))
        return;
    /* What a trace costs is not made good: its viewer has asked for it. */
    if (paid <= budget * (double)open_ns || is_traced()) {
        opened_events =
            nested_events(); /* begins anew: what was cheap earlier buys nothing later */
        watched_ns += open_ns;
        opened_ns = now;
        return;
    }
    owed_ns += paid / budget - (double)open_ns;
    close_window(now);
    learn_cost();
    const double closed = owed_ns < MOST_CLOSED_NS ? owed_ns : MOST_CLOSED_NS;
    owed_ns -= closed; /* the rest is made good after later windows */
    reopen_ns = now + (uint64_t)closed;
}

/* True if no step has ended for longer than usual. The lock is held. */
static int is_late(uint64_t now)
{
    const double patience = LONG * usual_ns > NO_STEP_NS ? LONG * usual_ns : NO_STEP_NS;
    return (double)(now - stepped_ns) >= patience;
}

static void forget_phases(void)
{
    memset(counted_time, 0, sizeof counted_time);
    counted_ns = 0;
}

static void sum_phases(int counted, uint64_t took)
{
    uint64_t time[NESTED_FUNCTIONS + 1];
    const unsigned count = nested_functions(time);
    for (unsigned i = 0; i < count; i++) {
        if (counted && time[i] > functions_before[i])
            counted_time[i] += time[i] - functions_before[i];
        functions_before[i] = time[i];
    }
    counted_ns += counted ? took : 0;
}

/* Learns from a step that has ended, and opens or closes the window. `took`: its duration; 0: it
 * did not begin at the end of another step. Returns true if it was counted as a whole. */
static int step_ended(uint64_t now, uint64_t took)
{
    const int open = atomic_load(&torch_counts), counted = took > 0 && whole && open;
    const double most = LONG * usual_ns;
    const double shown = usual_ns > 0 && (double)took > most ? most : (double)took;
    usual_ns = took > 0 ? usual_ns + (shown - usual_ns) / (usual_ns > 0 ? NEWEST : 1) : 0;
    atomic_fetch_add(&steps, 1);
    atomic_fetch_add(&watched, (uint64_t)counted);
    sum_phases(counted, took);
    if (took > 0 && whole)
        see_step(counted ? &in_windows : &between, took,
                 counted ? nested_events() - stepped_events : 0);
    whole = 1;
    if (open)
        spare(now, WINDOW_NS);
    else if (now >= reopen_ns || is_traced())
        open_window(now, 1);
    if (atomic_load(&torch_counts))
        stepped_events = nested_events();
    return counted;
}

/* `passes`: number of its backward passes, 0: not known. */
static void publish_step(struct proftop *feed, unsigned passes)
{
    static struct proftop_run run;
    static proftop_id frame, batches;
    static unsigned feeds;
    if (feeds != proftop_py_objects()) { /* a run of another feed is no longer known */
        feeds = proftop_py_objects();
        frame = proftop_frame(feed, proftop_domain(feed, "torch"), "step");
        batches = PROFTOP_NONE;
    } else {
        proftop_frame_stop(feed, run);
    }
    run = proftop_frame_start(feed, frame);
    if (passes > 0 && batches == PROFTOP_NONE)
        batches = proftop_counter(feed, proftop_domain(feed, "torch"), "backward passes", "a step");
    if (passes > 0)
        proftop_counter_set(feed, batches, passes);
}

/* Number of backward passes of this thread since the last step, as far as they were counted; 0: not
 * known, since another thread has ended that step. */
static unsigned passes_since_step(void)
{
    const unsigned passes = nested_turns(TORCH_BACKWARDS);
    static _Thread_local char here __attribute__((tls_model("initial-exec")));
    static const char *known_here;
    static unsigned known;
    const unsigned since = known_here == &here ? passes - known : 0;
    known_here = &here;
    known = passes;
    return since;
}

/* Something has ended on this thread that may be a step. */
static void has_ended(enum steps_kind kind, uintptr_t by)
{
    pthread_mutex_lock(&window_lock);
    struct proftop *feed = proftop_py_feed_here();
    const uint64_t now = torch_clock_ns();
    const enum steps_end end = attached ? steps_end(kind, by, now, is_late(now)) : STEPS_NONE;
    if (end != STEPS_NONE) {
        const unsigned passes = kind == STEPS_OPTIMIZER ? passes_since_step() : 0;
        const int counted = step_ended(now, end == STEPS_NEXT ? now - stepped_ns : 0);
        stepped_ns = now;
        if (feed)
            publish_step(feed, counted ? passes : 0);
    }
    pthread_mutex_unlock(&window_lock);
}

/* Adds all callbacks again, after the job has cleared the list. */
static void add_again(uint64_t now)
{
    const int was_open = atomic_load(&torch_counts);
    close_window(now);
    add(RANGES);
    whole = 0;
    if (was_open)
        open_window(now, 0);
}

/* Windows by time, where there are no steps. Called ten times a second. */
static void watch_time(void)
{
    pthread_mutex_lock(&window_lock);
    const uint64_t now = torch_clock_ns();
    if (attached && are_cleared())
        add_again(now);
    if (attached && is_late(now)) {
        whole = 0;
        if (atomic_load(&torch_counts))
            spare(now, TIMED_NS);
        else if (now >= reopen_ns || is_traced())
            open_window(now, 0);
    }
    pthread_mutex_unlock(&window_lock);
}

/* ------------------------------------------------------------------------- the adapter's thread */

static pthread_mutex_t publish_lock = PTHREAD_MUTEX_INITIALIZER;

struct torch_state {
    uint64_t steps, watched; /* steps: all, and those counted */
    double watched_s, run_s; /* time in which ops were counted, and time since the attach */
    uint64_t events, orphans, dropped, skipped;
};

static struct torch_state take_state(void)
{
    const struct nested_stats stats = nested_stats();
    pthread_mutex_lock(&window_lock);
    const uint64_t now = torch_clock_ns();
    const uint64_t open_ns = atomic_load(&torch_counts) ? now - opened_ns : 0;
    const struct torch_state state = {.steps = atomic_load(&steps),
                                      .watched = atomic_load(&watched),
                                      .watched_s = (double)(watched_ns + open_ns) / 1e9,
                                      .run_s = (double)(now - attached_ns) / 1e9,
                                      .events = nested_events(),
                                      .orphans = stats.orphans,
                                      .dropped = stats.dropped,
                                      .skipped = stats.skipped};
    pthread_mutex_unlock(&window_lock);
    return state;
}

/* Publishes the time of the steps that were counted, and of each phase in them. */
static void publish_phases(struct proftop *feed, int is_new)
{
    static proftop_id ids[NESTED_FUNCTIONS + 1]; /* the last one: of the steps */
    uint64_t time[NESTED_FUNCTIONS + 1], ns;
    pthread_mutex_lock(&window_lock);
    memcpy(time, counted_time, sizeof time);
    time[NESTED_FUNCTIONS] = counted_ns;
    pthread_mutex_unlock(&window_lock);
    for (unsigned i = 0; i <= NESTED_FUNCTIONS; i++) {
        const char *name = i < NESTED_FUNCTIONS ? nested_function(i) : "step";
        if (is_new)
            ids[i] = PROFTOP_NONE;
        ns = i < NESTED_FUNCTIONS ? proftop_interval_ns(feed, time[i]) : time[i];
        if (!name || time[i] == 0 || ns == PROFTOP_UNKNOWN)
            continue;
        if (ids[i] == PROFTOP_NONE)
            ids[i] =
                proftop_counter(feed, proftop_domain(feed, "torch"), name, "ns in counted steps");
        proftop_counter_set(feed, ids[i], (int64_t)ns);
    }
}

void torch_publish(void)
{
    static const char *const names[] = {"steps", "steps counted", "ends without a begin",
                                        "ended on another thread", "runs nested too deep"};
    enum { COUNTERS = sizeof names / sizeof *names };
    static proftop_id counters[COUNTERS];
    static unsigned feeds;
    pthread_mutex_lock(&publish_lock);
    struct proftop *feed = proftop_py_feed_here();
    const int is_new = feed && feeds != proftop_py_objects();
    if (is_new) {
        feeds = proftop_py_objects();
        for (int i = 0; i < COUNTERS; i++)
            counters[i] = PROFTOP_NONE;
    }
    if (feed) {
        const struct torch_state state = take_state();
        const uint64_t values[COUNTERS] = {state.steps, state.watched, state.orphans, state.dropped,
                                           state.skipped};
        for (int i = 0; i < COUNTERS; i++) {
            if (values[i] == 0)
                continue;
            if (counters[i] == PROFTOP_NONE)
                counters[i] = proftop_counter(feed, proftop_domain(feed, "torch"), names[i], "");
            proftop_counter_set(feed, counters[i], (int64_t)values[i]);
        }
        publish_phases(feed, is_new);
        static uint64_t spent_events;
        const double more = cost_ns - LIBRARY_NS;
        if (more > 0 && state.events > spent_events)
            proftop_spent(feed, (uint64_t)(more * (double)(state.events - spent_events)));
        spent_events = state.events;
        if (state.run_s > 0)
            proftop_share(feed, closed_once ? state.watched_s / state.run_s : 1);
        device_publish(feed);
        nested_publish();
    }
    pthread_mutex_unlock(&publish_lock);
}

void torch_use_device(void)
{
    torch_describe_device();
    pthread_mutex_lock(&publish_lock);
    nested_describe_again();
    pthread_mutex_unlock(&publish_lock);
}

/* ----------------------------------------------------------------------------------- questions */

static struct {
    void (*_Atomic ask)(int);
    _Atomic int asked;
} questions[TORCH_QUESTIONS];

void torch_ask(enum torch_question question, void (*ask)(int))
{
    atomic_store(&questions[question].ask, ask);
}

void torch_answered(enum torch_question question)
{
    atomic_store(&questions[question].asked, 0);
}

int torch_is_asked(enum torch_question question)
{
    return atomic_load(&questions[question].asked);
}

/* Returns false if nobody asks, or nobody has answered yet. */
static int put(enum torch_question question, int state)
{
    void (*ask)(int) = atomic_load(&questions[question].ask);
    const int may = ask && !atomic_exchange(&questions[question].asked, 1);
    if (may)
        ask(state);
    return may;
}

static void watch_lines(void)
{
    if (!atomic_load(&torch_counts) || nested_first_runs() == 0)
        return;
    put(TORCH_OFTEN, 1);
    put(TORCH_LINE, 1);
}

static struct {
    uint64_t seen;  /* what had begun and ended at the last tick */
    unsigned ticks; /* since it changed */
    unsigned goes;  /* ticks since it changed first after somebody has looked */
    int told;       /* somebody has looked */
} still;

/* A process that goes on is left alone at first: it may be at its end. */
static void watch_progress(void)
{
    enum { STILL_TICKS = 20, GOES_TICKS = 10 };
    const uint64_t waits = nested_waits(), now = nested_events() + atomic_load(&steps) + waits;
    still.ticks = now == still.seen ? still.ticks + 1 : 0;
    still.seen = now;
    still.goes += still.told && (still.ticks == 0 || still.goes > 0);
    const int is_due = still.ticks > 0 && still.ticks % STILL_TICKS == 0;
    if (waits == 0 || !(is_due || still.goes > GOES_TICKS) || !put(TORCH_STILL, is_due))
        return;
    still.told = is_due;
    still.goes = 0;
}

static void tick(void)
{
    watch_time();
    device_tick();
    if (torch_attached())
        nested_show("collectives");
    torch_publish();
    watch_lines();
    watch_progress();
}

static struct ticker ticker = {.tick = tick};

/* A child has no thread that opens windows before its first op is counted. So one is open. */
static void lock_all(void)
{
    pthread_mutex_lock(&publish_lock);
    pthread_mutex_lock(&window_lock);
    memory_lock();
    if (attached && !atomic_load(&torch_counts))
        open_window(torch_clock_ns(), 0);
    device_lock();
}

static void unlock_all(void)
{
    device_unlock();
    memory_unlock();
    pthread_mutex_unlock(&window_lock);
    pthread_mutex_unlock(&publish_lock);
}

static void in_child(void)
{
    ticker_forked(&ticker);
    for (unsigned i = 0; i < TORCH_QUESTIONS; i++)
        torch_answered(i);
    still.ticks = still.goes = 0;
    still.told = 0;
    attached_ns = opened_ns = stepped_ns = torch_clock_ns();
    forget_phases();
    watched_ns = 0;
    steps = watched = 0;
    whole = 0;
    closed_once = 0;
    device_in_child();
    steps_forget();
    unlock_all();
}

static void watch_forks(void)
{
    pthread_atfork(lock_all, unlock_all, in_child);
}

void torch_forked(void)
{
    if (attached)
        ticker_start(&ticker);
}

/* -------------------------------------------------------------------------------- attach, detach
 */

const char *torch_device_route(void)
{
    return device_route();
}

void torch_step_aside(int starts)
{
    device_step_aside(starts);
}

static const char *memory_lacks; /* why memory is not counted; NULL: it is */

const char *torch_memory_lacks(void)
{
    return memory_lacks;
}

const char *torch_attach(int ops, double share, double event_ns, const char *no_device)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *lacks = attached || !ops ? NULL : torch_find();
    if (attached || lacks)
        return lacks;
    nested_start(&host);
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&window_lock);
    budget = share * WINDOWS_PERCENT / 100;
    least_cost_ns = 2 * event_ns;
    if (cost_ns < least_cost_ns)
        cost_ns = least_cost_ns;
    in_windows = between = (struct steps_seen){0, 0, 0};
    attached_ns = stepped_ns = torch_clock_ns();
    forget_phases();
    watched_ns = 0;
    owed_ns = usual_ns = 0;
    windows = 0;
    closed_once = 0;
    steps = watched = 0;
    steps_forget();
    attached = 1;
    counts_ops = ops;
    device_attach(no_device);
    add(RANGES);
    open_window(attached_ns, 0);
    memory_lacks = ops ? memory_attach(share <= 0) : NULL;
    pthread_mutex_unlock(&window_lock);
    ticker_start(&ticker);
    return NULL;
}

int torch_attached(void)
{
    return attached;
}

void torch_detach(void)
{
    if (!attached)
        return;
    pthread_mutex_lock(&window_lock);
    const int was = closed_once; /* what comes later is not left out: it is not this attachment's */
    close_window(torch_clock_ns());
    closed_once = was;
    remove_callback(RANGES);
    memory_detach();
    attached = 0;
    pthread_mutex_unlock(&window_lock);
    device_detach();
    nested_hide();
    torch_publish();
    ticker_stop(&ticker);
}
