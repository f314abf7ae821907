/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop.h: publish the op timings of a running graph program.
 *
 * A program opens a feed. It defines its classes, ops, functions and applies once, and brackets
 * each run of an apply with proftop_begin() and proftop_end(). A thread of the library sends the
 * counts to every attached viewer (`proftop`). With no viewer attached the library only counts.
 *
 * Rules for every call:
 *  - It never aborts, prints, raises a signal, or waits for a viewer. Exceptions: proftop_open(),
 *    proftop_open_child() and proftop_close() may wait, for the times given there.
 *  - It may be called from any thread. Calls with a NULL feed, or a feed that is off, do nothing.
 *  - Begins, ends and counters take no lock. Most other calls take one briefly, and a few wait for
 *    the feed's thread. The end of proftop_control.h lists all calls by this.
 *  - Texts, structures and arrays are borrowed for the call and copied. NULL is the empty text.
 *    Bytes are taken as UTF-8.
 *  - Times are nanoseconds. PROFTOP_UNKNOWN stands for an unknown value.
 *  - A call with an unsuitable id or feed is counted as misuse and otherwise ignored.
 *
 * Three forms, chosen by a macro defined before this header is included:
 *  - no macro: link the library, -lproftop.
 *  - PROFTOP_DYNAMIC: link nothing. proftop_open() loads libproftop.so.0 if it is installed.
 *    Otherwise it returns NULL, and each call costs a test or two.
 *  - PROFTOP_OFF: every call compiles to nothing.
 * proftop_form.h says how.
 */
#ifndef PROFTOP_H
#define PROFTOP_H

#include <stddef.h>
#include <stdint.h>
#if defined(PROFTOP_DYNAMIC) && !defined(PROFTOP_OFF)
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/auxv.h>
#endif
#if defined(PROFTOP_USDT) && !defined(PROFTOP_OFF)
#include <sys/sdt.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PROFTOP_VERSION "0.1.0" /* of this header; proftop_version() returns the library's */

/* One feed: what one program publishes. Opaque. */
struct proftop;

/* Ids are dense in each table, start at 0, and are never reused within one feed. */
typedef uint32_t proftop_id;

#define PROFTOP_NONE    UINT32_MAX /* no such row; also returned by a failed definition */
#define PROFTOP_UNKNOWN UINT64_MAX /* a duration or count that was not measured */

/* Opens the feed only if the environment sets PROFTOP=1 (for engines and adapters). */
#define PROFTOP_IF_ASKED 1u

/* Source of the numbers of an apply or of a function's calls. Fixed at definition. */
enum proftop_source {
    PROFTOP_TIMED, /* begin and end, measured by the library's clock */
    PROFTOP_GIVEN, /* a duration per call, by proftop_record() */
    PROFTOP_SET,   /* the framework's own cumulative values, by proftop_set() */
    PROFTOP_ABSENT /* functions only: calls are not counted; shown as `-` */
};

/* How an apply runs. */
enum proftop_kind { PROFTOP_SYMBOLIC, PROFTOP_IMPERATIVE, PROFTOP_CALL };

/* The implementation that computes an apply; shown as C, Py, JIT. */
enum proftop_impl { PROFTOP_IMPL_UNKNOWN, PROFTOP_IMPL_C, PROFTOP_IMPL_PY, PROFTOP_IMPL_JIT };

/* Options of proftop_open(). Zero the structure, set `size`, then set the known members. */
struct proftop_options {
    size_t size;                   /* sizeof(struct proftop_options) of the caller */
    unsigned flags;                /* PROFTOP_IF_ASKED or 0 */
    const char *program;           /* name of the program; NULL: from the kernel */
    const char *framework;         /* "PyTensor"; NULL: none */
    const char *framework_version; /* "2.31.7"; NULL: unknown */
};

/* One open interval. Made by a begin, consumed by one end or fail, on any thread. */
struct proftop_token {
    uint64_t start; /* library's clock, in its own units; 0: not a valid token */
    uint64_t outer; /* interval open on the thread before; 0: none; or the library's own */
};

#include "proftop_form.h"

/* Returned by a begin when there is no library. Ends and fails ignore it. */
static inline struct proftop_token proftop_no_token(void)
{
    struct proftop_token none = {0, 0};
    return none;
}

/* Version of the library of this feed ("0.1.0"); "" for NULL. A constant. */
PROFTOP_API const char *proftop_version(const struct proftop *feed);

/* Opens a feed, which the caller closes. Returns NULL only if there is no library (PROFTOP_DYNAMIC
 * above); calls treat NULL as a feed that is off. `options` is borrowed and may be NULL. If opening
 * fails, the feed is off: proftop_is_on() is 0 and proftop_reason() says why. Waits some
 * milliseconds until the feed's thread listens. If the thread makes no progress for 5 s (say, the
 * registry's disk does not answer), or after 10 s in all, the feed is off. Under `proftop run` the
 * first feed of a process waits up to 1 s more for the viewer. Environment variables:
 *  - PROFTOP=0 keeps every feed off.
 *  - PROFTOP_FUNCTIONS=name,glob*,... counts only matching functions, wherever they run, and
 *    everything that runs inside them. Viewers show `-` for the others. Blanks around a comma are
 *    ignored; ? matches any one byte, so also a comma.
 *  - PROFTOP_ON_DEMAND=1 counts applies only while a viewer is attached.
 *  - PROFTOP_CLOCK=monotonic always uses the system's clock.
 *  - PROFTOP_BUDGET is the sampling budget in percent of run time (2; 0: no limit). While counting
 *    may cost more, only some calls of short ops, and of functions inside an op, are timed. The
 *    time of the other calls is estimated from these.
 * Viewers get a notice about a value that is not valid. */
PROFTOP_API struct proftop *proftop_open(const struct proftop_options *options);

/* In a process forked while `feed` was open: opens a new feed with the definitions of `feed`
 * (classes, ops, functions, applies, their details and metrics, all under the same ids) and with
 * zero counts. Viewers show the process as a child of its parent. The caller closes the returned
 * feed. Waits for the feed's thread as proftop_open() does; waits for a viewer, up to 1 s, only
 * under `proftop run --children`. `feed` is off in this process, stays so, and hands over its
 * definitions once. */
PROFTOP_API struct proftop *proftop_open_child(struct proftop *feed);

/* Closes and consumes the feed: sends the last values and a goodbye, and frees all memory that no
 * thread can still touch. Gives viewers up to 50 ms to take them; under `proftop run` up to 2 s.
 * Takes up to 100 ms longer if the program has no free descriptor or the feed's thread gets no CPU
 * time. At exit() all open feeds are closed at once, if they were opened before exit(). */
PROFTOP_API void proftop_close(struct proftop *feed);

/* 1 while the feed counts, else 0 (closed, refused, or in a forked child). */
PROFTOP_API int proftop_is_on(const struct proftop *feed);

/* Why the feed is off, as a sentence; "" while it is on. Borrowed; valid until close. */
PROFTOP_API const char *proftop_reason(const struct proftop *feed);

/* ------------------------------------------------------------------ definitions; may allocate */

/* A class of ops, by its name ("tensor.elemwise.Elemwise"). Each call makes a new class. */
PROFTOP_API proftop_id proftop_class(struct proftop *feed, const char *name);

/* An op of a class. Each call makes a new op: the caller decides which ops are equal. */
PROFTOP_API proftop_id proftop_op(struct proftop *feed, proftop_id op_class, const char *text);

/* A graph function. Zero the structure, set `size`, then set the known members. */
struct proftop_function_info {
    size_t size;
    const char *name;           /* tells it from other functions; NULL: nameless */
    const char *file;           /* where it was compiled; NULL: unknown */
    uint32_t line;              /* 0: unknown */
    uint32_t parent_plus_1;     /* apply that runs this function inside itself, plus 1; 0: a root */
    uint32_t group;             /* functions of one group belong together; 0: no group */
    enum proftop_source source; /* of its calls: PROFTOP_TIMED, PROFTOP_SET or PROFTOP_ABSENT */
};
PROFTOP_API proftop_id proftop_function(struct proftop *feed,
                                        const struct proftop_function_info *info);

/* WORKS: the apply computes. WAITS: it waits for work of this process that has rows of its own.
 * WAITS_FOR_JOBS: it waits for other jobs. ASIDE: other rows count its time. Viewers show the time
 * of all four, but only WORKS counts towards the 100 %. */
enum proftop_waits { PROFTOP_WORKS, PROFTOP_WAITS, PROFTOP_WAITS_FOR_JOBS, PROFTOP_ASIDE };

/* One node of a function's graph. Zero the structure, set `size`, then set the known members. */
struct proftop_apply_info {
    size_t size;
    proftop_id function;
    proftop_id op;
    uint32_t index;             /* position in the function's order of execution */
    const char *text;           /* op with its inputs: "mul(x, y)"; NULL: the op's text */
    const char *location;       /* source line or scope; NULL: proftop_scope(), if in one */
    enum proftop_source source; /* PROFTOP_TIMED, PROFTOP_GIVEN or PROFTOP_SET */
    enum proftop_kind kind;
    enum proftop_impl impl;
    uint32_t exclusive; /* 1: its time excludes the functions inside; 0: it includes them;
                           2: its time is its own, by proftop_end_nested() (proftop_adapter.h) */
    uint32_t waits;     /* enum proftop_waits */
};
PROFTOP_API proftop_id proftop_apply(struct proftop *feed, const struct proftop_apply_info *info);

/* Defines a node in one call, with PROFTOP_TIMED. The function, the class and the op are those that
 * an earlier call of proftop_node() made under the same names, or new ones. Each call makes a new
 * node of the function, after the ones before. Calls of the function itself are not counted, and so
 * unknown. `text`: the op with its inputs ("add(x, 1)"); NULL: the op's text. Returns the apply. */
PROFTOP_API proftop_id proftop_node(struct proftop *feed, const char *function,
                                    const char *op_class, const char *op, const char *text);

/* ------------------------------------- counting; does not allocate after a thread's first touch */

/* Starts one run of a PROFTOP_TIMED apply on this thread. */
PROFTOP_API struct proftop_token proftop_begin(struct proftop *feed, proftop_id apply);

/* Ends the run: adds one call and its time to the counts of the calling thread. */
PROFTOP_API void proftop_end(struct proftop *feed, proftop_id apply, struct proftop_token token);

/* Ends the run without counting it, because it failed. */
PROFTOP_API void proftop_fail(struct proftop *feed, proftop_id apply, struct proftop_token token);

/* Counts one call of a PROFTOP_GIVEN apply that took `ns`. */
PROFTOP_API void proftop_record(struct proftop *feed, proftop_id apply, uint64_t ns);

/* Sets the cumulative values of a PROFTOP_SET apply. One caller at a time per apply. A falling
 * value is a restart of the source: it is counted, and earlier values are kept and added. */
PROFTOP_API void proftop_set(struct proftop *feed, proftop_id apply, uint64_t calls, uint64_t ns);

/* ----------------------------------------------------------------------- functions as a whole */

/* One call of a PROFTOP_TIMED function: begin, then end (counted) or fail (not counted). */
PROFTOP_API struct proftop_token proftop_call_begin(struct proftop *feed, proftop_id function);
PROFTOP_API void proftop_call_end(struct proftop *feed, proftop_id function,
                                  struct proftop_token token);
PROFTOP_API void proftop_call_fail(struct proftop *feed, proftop_id function,
                                   struct proftop_token token);

/* ---------------------------------------------------------------------------- texts for viewers */

/* Names the calling thread in viewers. */
PROFTOP_API void proftop_thread_name(struct proftop *feed, const char *name);

/* A notice for the viewers' log. level: 0 information, 1 warning, 2 error. */
PROFTOP_API void proftop_notice(struct proftop *feed, int level, const char *text);

#if defined(PROFTOP_OFF) || defined(PROFTOP_DYNAMIC)
#define PROFTOP_CALLS
#include "proftop_calls.h"
#endif

#ifdef __cplusplus
}
#endif

#include "proftop_inline.h"
#endif
