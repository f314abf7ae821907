/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * core.h: the internal state of one feed. A program holds a handle, which stays valid after the
 * feed is closed. The core behind the handle is freed.
 *
 * There are two locks. The lock of all feeds protects the handles and the ownership of blocks. The
 * feed's lock protects the core, its definitions and its texts. The lock of all feeds is taken
 * first. Both are held briefly, never across a call of libzmq.
 */
#ifndef FEED_PUBLISHER_RECORD_CORE_H
#define FEED_PUBLISHER_RECORD_CORE_H

#include <pthread.h>

#include "feed/publisher/record/authorize.h"
#include "feed/publisher/record/black_box.h"
#include "feed/publisher/record/identity.h"
#include "feed/publisher/record/index.h"
#include "feed/publisher/record/no_inline_api.h"
#include "feed/publisher/record/definitions.h"
#include "feed/publisher/record/details.h"
#include "feed/publisher/record/settings.h"
#include "feed/publisher/record/slot.h"
#include "feed/publisher/record/ticks.h"
#include "feed/shared/pattern.h"
#include "feed/shared/stats_report.h"

enum {
    PUBLISHER_NOTICES = 64,
    PUBLISHER_NOTICE_SIZE = 1024,
    PUBLISHER_ROUTE_SIZE = 1024,
    PUBLISHER_WHY_SIZE = 512,
    PUBLISHER_FACTS_SIZE = 4096
};

struct publisher_notice {
    uint64_t wall_ns;
    uint32_t level;
    uint32_t size;
    char text[PUBLISHER_NOTICE_SIZE];
};

/* Limit of open compilations that are recorded with their threads. Compilations beyond the limit
 * are only counted in the function's row: the loss of an end is not detected there. */
enum { PUBLISHER_OPENED = 64 };

struct publisher_opened {
    pthread_t thread;
    uint64_t since_ns;
    uint32_t function;
};

/* Open compilations, in the order of their begins. Under the feed's lock. */
struct publisher_compiling {
    struct publisher_opened open[PUBLISHER_OPENED];
    uint32_t count;
};

/* Lifecycle of a feed, shared by its thread and the threads that open and close it. Under the
 * feed's lock. */
struct publisher_life {
    pthread_t thread;
    pthread_cond_t changed;
    bool started;      /* the feed's thread listens */
    bool failed;       /* it cannot start; the reason is in the handle */
    bool greeted;      /* a viewer has said hello */
    _Atomic bool stop; /* the thread must say goodbye until `deadline_ns`, and end */
    bool awaited;      /* a closing thread waits for `ended`, and then frees the core */
    bool ended;        /* the thread no longer touches the core */
    bool abandoned;    /* no closing thread waits: the feed's thread frees the core itself */
    uint64_t deadline_ns;
    bool alone;         /* the thread has its own table of descriptors */
    int wake[2];        /* wake-up pipe in the thread's table: read end, write end */
    char wake_path[64]; /* path in /proc under which other threads open the write end; "": none */
    void *loop_state;   /* kept here so that leak checkers of a forked child find it */
};

/* ------------------------------------------------------------------------------- the control */

enum { PUBLISHER_BY_SIZE = 320 };

/* PUBLISHER_TRACE gives the file of a dump as a text. */
enum publisher_program_command_kind {
    PUBLISHER_NO_COMMAND,
    PUBLISHER_RESET,
    PUBLISHER_DUMP,
    PUBLISHER_DUMPS,
    PUBLISHER_TRACE
};

/* Allocated by the caller. If the caller stops waiting while the command runs, the command belongs
 * to the feed's thread. */
struct publisher_program_command {
    enum publisher_program_command_kind kind;
    bool finished;                  /* the collection stops before the command */
    bool reset;                     /* all counts are reset after it */
    struct shared_report_form form; /* of PUBLISHER_DUMPS */
    bool running, done, abandoned;
    char *text;                     /* its result, allocated, or NULL */
    size_t rows;                    /* in the result */
    char why[PUBLISHER_ERROR_SIZE]; /* "" or a sentence that says why it failed */
};

/* Part of a core; under the feed's lock. */
struct publisher_control {
    struct publisher_settings settings;
    bool stopped; /* by set_state */
    bool paused;
    char by[PUBLISHER_BY_SIZE]; /* the viewer that stopped or paused it; "": none did */
    struct publisher_authorization grants;
    uint64_t second_ns; /* start of the second in which `steered` counts; the feed's thread's own */
    uint32_t controls_in_second; /* control requests of viewers in this second; the feed's thread's
                                    own */
    struct publisher_program_command *command; /* the command to run, one at a time; NULL: none */
    uint32_t waiters; /* threads that wait inside the core: it is not freed before they leave */
    uint64_t dump_ns; /* when the last continuous dump was due; the feed's thread's own */
    char dump_error[PUBLISHER_ERROR_SIZE]; /* why that dump was not written, or ""; same owner */
};

/* Part of a core; under the feed's lock. */
struct publisher_count_filter {
    char functions[SHARED_PATTERNS_SIZE]; /* patterns of names; "": all */
    bool on_demand, watched;
    double budget; /* sampling budget: allowed overhead as part of the run time; 0: no limit */
};

/* ---------------------------------------------------------------------------------- the trace */

/* Part of a core; under the feed's lock. Written by the feed's thread. */
struct publisher_tracing {
    bool on;         /* slots that are touched from now on are traced, too */
    bool late;       /* all threads that were there have a ring */
    uint32_t places; /* of a ring, a power of 2, at most */
    uint64_t left;   /* bytes that more rings may take */
};

/* ----------------------------------------------------------------------------------- the core */

/* The loop of a feed's thread (thread.c). Returns true when the feed was asked to stop, or false
 * with the reason in `why` if the loop could not begin. `size` is the caller's sizeof(struct
 * publisher_core).
 *
 * In a program, the loop is in a separate library, which is loaded when a feed is opened
 * (plugin_loader.c). So a program that links libproftop loads neither this code nor libzmq while
 * its feeds are off. Tests link everything together (static.c). */
struct publisher_core;
typedef bool publisher_loop(struct publisher_core *core, size_t size, char why[PUBLISHER_WHY_SIZE]);

struct publisher_core {
    struct proftop *handle;
    struct publisher_definitions definitions;
    struct publisher_index named;             /* rows of proftop_node(), by their names */
    _Atomic(struct publisher_block *) blocks; /* new blocks go in front; all are freed at the end */
    _Atomic(struct publisher_block *) set;    /* the block of all PROFTOP_SET rows, or NULL */
    struct publisher_ticks ticks;             /* written by the feed's thread alone, once it runs */
    _Atomic bool tsc; /* timed intervals are in ticks, else in ns; same writer */
    uint32_t threads; /* last serial number given to a thread */
    uint32_t number;  /* lowest number that was free in this process, from 1 */
    struct publisher_notice notice[PUBLISHER_NOTICES];
    struct publisher_objects *objects; /* objects.h; NULL until an object is defined */
    uint64_t notices;                  /* ever added; the last PUBLISHER_NOTICES are kept */
    char route[PUBLISHER_ROUTE_SIZE];
    double left_out; /* part of the run time in which the adapter does not count; under the lock */
    char facts[PUBLISHER_FACTS_SIZE]; /* lines of `name=value` */
    struct publisher_compiling compiling;
    struct publisher_phases phases;
    struct publisher_details details;
    _Atomic uint64_t spent_ns; /* by the program to collect the data it reports: proftop_spent() */
    uint64_t sets;             /* cumulative values ever set and counted. Under the feed's lock */
    struct publisher_metrics metrics;
    struct publisher_identity me;
    uint64_t rank, size; /* as given to proftop_rank(); PROFTOP_UNKNOWN: not given */
    struct publisher_life life;
    struct publisher_control control;
    struct publisher_count_filter count_filter;
    struct publisher_tracing tracing;
    const struct publisher_side *side;
    /* Where counts and definitions outlive the process; NULL: nowhere. Set by the feed's thread
     * before it says that it has started. */
    struct publisher_black_box *box;
    publisher_loop *loop; /* found at the opening; NULL: the feed's thread tries again */
};

/* Functions of libproftop that the loop calls. The loop may be in another library, with its own
 * copies of the other functions that it calls. These use the lock and the list of all feeds, which
 * exist only in libproftop. */
struct publisher_side {
    void (*leave_tsc)(struct publisher_core *core); /* from time stamps to the system's clock */
    void (*close_all)(void);                        /* closes all feeds when the program ends */
};

/* Kinds of data that a feed counts as lost, out of memory or beyond a limit. Viewers receive the
 * counts under these names (encode_hello.c). */
enum publisher_lost {
    PUBLISHER_LOST_DEFINITIONS, /* classes, ops, functions, applies */
    PUBLISHER_LOST_OBJECTS,     /* counters, spans, markers, memory, domains, scopes */
    PUBLISHER_LOST_PHASES,      /* calls that report a phase of a compilation */
    PUBLISHER_LOST_DETAILS,     /* of applies */
    PUBLISHER_LOST_METRICS,     /* definitions and values */
    PUBLISHER_LOST_CALLS,    /* of applies and functions; all events of a thread without a block */
    PUBLISHER_LOST_RUNS,     /* of spans */
    PUBLISHER_LOST_SCOPES,   /* pushes deeper than PUBLISHER_SCOPES_DEEP */
    PUBLISHER_LOST_INSTANTS, /* of markers, overwritten before they were sent */
    PUBLISHER_LOSTS
};

struct proftop {
    struct proftop_front front; /* read by inlined code; off while applies are not counted */
    _Atomic uint64_t serial;    /* number of the feed; 0: it is off */
    uint32_t counts_memory;     /* memory events are counted */
    uint32_t counts_calls;      /* calls of functions are counted; `front.on`: applies are */
    uint32_t traces;            /* a trace wants an event of each update of a counter */
    _Atomic(const char *) reason;
    uint64_t lost[PUBLISHER_LOSTS];     /* data that was not kept */
    uint64_t invalid, misuse, restarts; /* counted where no block is at hand */
    pthread_mutex_t lock;               /* the feed's lock */
    struct publisher_core *core;        /* NULL when closed or never opened */
    struct proftop *next;               /* list of all handles ever made */
    uint64_t closed;                    /* serial number of the closing; 0: in use */
    uint32_t number; /* as in the core; 0: none. Under the lock of all feeds, as is `pid` */
    uint64_t pid;    /* process in which `number` is valid */
    bool lent;       /* the feed's thread did not end in time: the handle is never reused */
    char why[PUBLISHER_WHY_SIZE];
};

publisher_loop proftop_feed_loop;
/* Returns NULL, with the reason in `why`, if the loop cannot be loaded. */
publisher_loop *publisher_find_loop(char why[PUBLISHER_WHY_SIZE]);

/* True if calls of applies are counted now: the feed is on, the collection is neither stopped nor
 * paused, and with PROFTOP_ON_DEMAND=1 a viewer watches. The next two functions say the same of
 * calls of functions and of memory events. Those need no viewer. */
static inline bool publisher_counts(const struct proftop *feed)
{
    return __atomic_load_n(&feed->front.on, __ATOMIC_RELAXED) != 0;
}

static inline bool publisher_counts_calls(const struct proftop *feed)
{
    return __atomic_load_n(&feed->counts_calls, __ATOMIC_RELAXED) != 0;
}

static inline bool publisher_counts_memory(const struct proftop *feed)
{
    return __atomic_load_n(&feed->counts_memory, __ATOMIC_RELAXED) != 0;
}

/* `front.on` of the dummy feeds on which the overhead of counting is calibrated: this or above. */
#define PUBLISHER_DUMMY (UINT64_MAX - 3)
static inline bool publisher_is_dummy(const struct proftop *feed)
{
    return __atomic_load_n(&feed->front.on, __ATOMIC_RELAXED) >= PUBLISHER_DUMMY;
}

/* The feed's serial number; 0 while it is off. */
static inline uint64_t publisher_on(const struct proftop *feed)
{
    return atomic_load_explicit(&feed->serial, memory_order_acquire);
}

/* Turns the feed on, or changes its number. publisher_control_apply() then decides which events
 * are counted. */
static inline void publisher_set_on(struct proftop *feed, uint64_t on)
{
    atomic_store_explicit(&feed->serial, on, memory_order_release);
}

#endif
