/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop.h: publish the op timings of a running graph program.
 *
 * A program opens a feed, defines its classes, ops, functions and applies once, and brackets each
 * run of an apply with proftop_begin() and proftop_end(). A thread of the library sends what was
 * counted to whoever attaches with `proftop`; with nobody attached it only counts.
 *
 * Rules that hold for every call:
 *  - It never aborts, prints, raises a signal, or waits for a viewer (proftop_open(),
 *    proftop_open_child() and proftop_close() alone may wait, and say for how long).
 *  - It may be called from any thread. Calls with a feed that is off, or NULL, do nothing.
 *  - Begins, ends and counters take no lock; most others take one for a moment, and a few wait
 *    for the feed's thread: lists of all calls stand at the end of proftop_control.h.
 *  - Texts, structures and arrays are borrowed for the call and copied. NULL is the empty text.
 *    Bytes are meant as UTF-8.
 *  - Times are nanoseconds. PROFTOP_UNKNOWN stands for a value that is not known.
 *  - An id or feed that is not what the call wants is counted as misuse and otherwise ignored.
 *
 * Three ways to have them, by a macro that is defined before this header is included:
 *  - none: link the library, -lproftop.
 *  - PROFTOP_DYNAMIC: link nothing. proftop_open() loads libproftop.so.0 when it is there; else it
 *    gives NULL, and each call costs a test or two.
 *  - PROFTOP_OFF: every call compiles to nothing.
 *
 * The calls stand here as PROFTOP_FN(type, value without a library, name, parameters, arguments)
 * and, where nothing is returned, PROFTOP_PROC(name, parameters, arguments): proftop_form.h.
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

#define PROFTOP_VERSION "0.1.0" /* of this header; proftop_version() tells the library's */

/* One feed: what one program publishes. Opaque. */
struct proftop;

/* An id is dense in its table, starts at 0, and is never used again within one feed. */
typedef uint32_t proftop_id;

#define PROFTOP_NONE UINT32_MAX    /* no such row; also what a definition that failed returns */
#define PROFTOP_UNKNOWN UINT64_MAX /* a duration or count that nobody measured */

/* Open the feed only when the environment asks for it with PROFTOP=1 (engines and adapters). */
#define PROFTOP_IF_ASKED 1u

/* Where the numbers of an apply or of a function's calls come from; fixed at definition. */
enum proftop_source {
    PROFTOP_TIMED, /* begin and end, measured by the library's clock */
    PROFTOP_GIVEN, /* a duration per call, by proftop_record() */
    PROFTOP_SET,   /* the framework's own cumulative values, by proftop_set() */
    PROFTOP_ABSENT /* functions only: nobody counts the calls; shown as `-` */
};

/* How an apply runs. */
enum proftop_kind { PROFTOP_SYMBOLIC, PROFTOP_IMPERATIVE, PROFTOP_CALL };

/* What computes an apply; shown as C, Py, JIT. */
enum proftop_impl { PROFTOP_IMPL_UNKNOWN, PROFTOP_IMPL_C, PROFTOP_IMPL_PY, PROFTOP_IMPL_JIT };

/* Options of proftop_open(). Zero it, set `size` to sizeof, then set what is known. */
struct proftop_options {
    size_t size;                   /* sizeof(struct proftop_options) of the caller */
    unsigned flags;                /* PROFTOP_IF_ASKED or 0 */
    const char *program;           /* name of the program; NULL: from the kernel */
    const char *framework;         /* "PyTensor"; NULL: none */
    const char *framework_version; /* "2.31.7"; NULL: unknown */
};

/* One open interval. Made by a begin, consumed by one end or fail, on any thread. */
struct proftop_token {
    uint64_t start; /* by the library's clock, in units of its own; 0: not a valid token */
    uint64_t outer; /* what was open on the thread before; 0: nothing; or the library's own */
};

#include "proftop_form.h"

/* What a begin gives when there is no library: no end or fail takes it for one. */
static inline struct proftop_token proftop_no_token(void)
{
    struct proftop_token none = {0, 0};
    return none;
}

/* Version of the library that a feed is of ("0.1.0"); "" for NULL. A constant. */
PROFTOP_FN(const char *, "", proftop_version, (const struct proftop *feed), (feed));

/* Opens a feed. Gives a feed that the caller closes; NULL only when there is no library (see
 * PROFTOP_DYNAMIC above), which every call takes for a feed that is off. `options` is borrowed, may
 * be NULL. If the feed cannot be opened it is off: proftop_is_on() is 0, proftop_reason() says why.
 * It waits until its thread listens, some milliseconds: 5 s while that stands still, as where the
 * folder of the jobs is on a disk that does not answer, 10 s at most; then it is off. Under
 * `proftop run` it waits up to 1 s more, for the viewer. The environment has a word too: PROFTOP=0
 * keeps every feed off; PROFTOP_FUNCTIONS=name,glob*,... counts only functions of such names,
 * wherever they run, and what runs in them; viewers show `-` for the others (blanks around a comma
 * are none of a name, and ? stands for one byte, also for a comma); PROFTOP_ON_DEMAND=1 counts
 * applies only while somebody watches;
 * PROFTOP_CLOCK=monotonic takes the system's clock in any case. While counting may cost more than
 * PROFTOP_BUDGET percent of run time (2; 0: whatever it costs), only some calls of short ops are
 * timed, and of functions that run inside an op; the time of the others is estimated from theirs. A
 * value that can't be taken is a notice to viewers. */
PROFTOP_FN(struct proftop *, PROFTOP_OPEN_LATE(options), proftop_open,
           (const struct proftop_options *options), (options));

/* In a process that was forked while `feed` was open: opens a feed of its own with what `feed` had
 * defined - classes, ops, functions, applies, their details and metrics, all under the same ids -
 * and with nothing counted. Such a process is shown as a child of the one it was forked from.
 * Gives a feed that the caller closes, and waits for its thread, as proftop_open() does; for a
 * viewer only under `proftop run --children`, up to 1 s. `feed` is off in this process and stays
 * so, and gives its definitions away once. */
PROFTOP_FN(struct proftop *, NULL, proftop_open_child, (struct proftop *feed), (feed));

/* Takes the feed: sends the last values and a goodbye, and frees what no thread can still touch.
 * Returns within 50 ms, which viewers have to take them; under `proftop run` within 2 s; up to
 * 100 ms later where the program has no descriptor left, or the machine no time for the feed's
 * thread. Feeds still open at exit() are closed then, all at once, if they were opened before. */
PROFTOP_PROC(proftop_close, (struct proftop *feed), (feed));

/* 1 while the feed counts, else 0 (closed, refused, or in a forked child). */
PROFTOP_FN(int, 0, proftop_is_on, (const struct proftop *feed), (feed));

/* Why the feed is off, as a sentence, or "" while it is on. Borrowed; valid until close. */
PROFTOP_FN(const char *, PROFTOP_WHY_OFF, proftop_reason, (const struct proftop *feed), (feed));

/* ------------------------------------------------------------------ definitions; may allocate */

/* A class of ops, by its name ("tensor.elemwise.Elemwise"). Each call makes a new class. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_class,
           (struct proftop *feed, const char *name), (feed, name));

/* An op of a class. Each call makes a new op: the caller decides which ops are equal. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_op,
           (struct proftop *feed, proftop_id op_class, const char *text), (feed, op_class, text));

/* The same of an op whose text says little of what it computes ("Composite{...}"): `display` is
 * what screens call it ("sqr(i0) + i1"), while reports, JSON and comparisons keep `text`. NULL: the
 * text. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_op_displayed,
           (struct proftop *feed, proftop_id op_class, const char *text, const char *display),
           (feed, op_class, text, display));

/* A graph function. Zero it, set `size`, then set what is known. */
struct proftop_function_info {
    size_t size;
    const char *name;           /* as it is told from others; NULL: nameless */
    const char *file;           /* where it was compiled; NULL: unknown */
    uint32_t line;              /* 0: unknown */
    uint32_t parent_plus_1;     /* apply that runs this function inside itself, plus 1; 0: a root */
    uint32_t group;             /* functions of one group belong together; 0: no group */
    enum proftop_source source; /* of its calls: PROFTOP_TIMED, PROFTOP_SET or PROFTOP_ABSENT */
};
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_function,
           (struct proftop *feed, const struct proftop_function_info *info), (feed, info));

/* It was found out after its definition that nobody sees the calls of this function: from here on
 * its calls are unknown and not 0, unless some were counted. */
PROFTOP_PROC(proftop_function_unseen,
             (struct proftop *feed, proftop_id function), (feed, function));

/* Whether an apply works, waits for work of this process that has rows of its own, or for other
 * jobs; or is aside: it neither works nor waits, for other rows count what happens in it. Viewers
 * show its time, and leave it out of the 100 % unless it works. */
enum proftop_waits { PROFTOP_WORKS, PROFTOP_WAITS, PROFTOP_WAITS_FOR_JOBS, PROFTOP_ASIDE };

/* One node of a function's graph. Zero it, set `size`, then set what is known. */
struct proftop_apply_info {
    size_t size;
    proftop_id function;
    proftop_id op;
    uint32_t index;             /* position in the function's order of execution */
    const char *text;           /* op with its inputs: "mul(x, y)"; NULL: the op's text */
    const char *location;       /* source line or scope; NULL: proftop_scope(), if it is in one */
    enum proftop_source source; /* PROFTOP_TIMED, PROFTOP_GIVEN or PROFTOP_SET */
    enum proftop_kind kind;
    enum proftop_impl impl;
    uint32_t exclusive; /* 1: its time leaves out the functions inside; 0: it includes them */
    uint32_t waits;     /* enum proftop_waits */
};
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_apply,
           (struct proftop *feed, const struct proftop_apply_info *info), (feed, info));

/* ------------------------------------- counting; does not allocate after a thread's first touch */

/* Starts one run of a PROFTOP_TIMED apply on this thread. */
PROFTOP_FN(struct proftop_token, proftop_no_token(), proftop_begin,
           (struct proftop *feed, proftop_id apply), (feed, apply));

/* Ends it: one call more, its time added to the counts of the calling thread. */
PROFTOP_PROC(proftop_end,
             (struct proftop *feed, proftop_id apply, struct proftop_token token),
             (feed, apply, token));

/* Ends it without counting: the run failed. */
PROFTOP_PROC(proftop_fail,
             (struct proftop *feed, proftop_id apply, struct proftop_token token),
             (feed, apply, token));

/* One call of a PROFTOP_GIVEN apply that took `ns`. */
PROFTOP_PROC(proftop_record,
             (struct proftop *feed, proftop_id apply, uint64_t ns), (feed, apply, ns));

/* Cumulative values of a PROFTOP_SET apply. One caller at a time per apply. A value that falls is
 * taken as a restart of the source: what was there before is kept and added, and counted. */
PROFTOP_PROC(proftop_set,
             (struct proftop *feed, proftop_id apply, uint64_t calls, uint64_t ns),
             (feed, apply, calls, ns));

/* ----------------------------------------------------------------------- functions as a whole */

/* One call of a PROFTOP_TIMED function: begin, then end (counted) or fail (not counted). */
PROFTOP_FN(struct proftop_token, proftop_no_token(), proftop_call_begin,
           (struct proftop *feed, proftop_id function), (feed, function));
PROFTOP_PROC(proftop_call_end,
             (struct proftop *feed, proftop_id function, struct proftop_token token),
             (feed, function, token));
PROFTOP_PROC(proftop_call_fail,
             (struct proftop *feed, proftop_id function, struct proftop_token token),
             (feed, function, token));

/* Ends a call that was in the machine from its begin on: as proftop_call_end(), and proftop_vm()
 * with the same time. */
PROFTOP_PROC(proftop_call_end_in_vm,
             (struct proftop *feed, proftop_id function, struct proftop_token token),
             (feed, function, token));

/* Cumulative calls and call time of a PROFTOP_SET function; as proftop_set(). */
PROFTOP_PROC(proftop_call_set,
             (struct proftop *feed, proftop_id function, uint64_t calls, uint64_t ns),
             (feed, function, calls, ns));

/* Adds `ns` to the time that the function's calls spent in the machine that runs its applies in
 * order, the applies included (PyTensor prints it as "Time in Function.vm.__call__"). What is left
 * of the time of a call went to its arguments and results. Unknown until first called. */
PROFTOP_PROC(proftop_vm,
             (struct proftop *feed, proftop_id function, uint64_t ns), (feed, function, ns));

/* The compilation of a function begins on this thread: viewers show which, and since when. Other
 * threads may compile the same function meanwhile: it is shown until the last has ended. On one
 * thread they do not nest: what the thread has open of the function when it begins again, or has
 * open when it ends itself, was left without an end. That one counts no time; until then it is
 * shown, and the time of those that overlap it waits. */
PROFTOP_PROC(proftop_compile_begin, (struct proftop *feed, proftop_id function), (feed, function));

/* It has ended: what this thread has open of the function, or, if nothing, what another began
 * first. Each part may be PROFTOP_UNKNOWN, as all are where `times` are misuse; it adds to what
 * earlier compilations of the function took. `times` NULL: the whole compilation took the time
 * since its begin, without which this is misuse; where several overlap, their time counts once,
 * when the last has ended. With `times` no begin is needed: of a function that is not being
 * compiled they tell what was over before. What a process began, its forked children cannot end. */
struct proftop_compile_times {
    size_t size;
    uint64_t compile_ns;  /* whole compilation */
    uint64_t rewrite_ns;  /* graph rewriting, part of compile_ns */
    uint64_t validate_ns; /* validation, part of rewrite_ns */
    uint64_t link_ns;     /* code generation and linking, part of compile_ns */
};
PROFTOP_PROC(proftop_compile_end,
             (struct proftop *feed, proftop_id function, const struct proftop_compile_times *times),
             (feed, function, times));

/* ----------------------------------------------------------------------------- words to viewers */

/* Names the calling thread as viewers show it. */
PROFTOP_PROC(proftop_thread_name, (struct proftop *feed, const char *name), (feed, name));

/* How an adapter gets its numbers and what it cannot see; shown in the header. */
PROFTOP_PROC(proftop_route, (struct proftop *feed, const char *text), (feed, text));

/* What viewers may want to know of the program, in words of its framework's: lines of `name=value`
 * ("linker=cvm\nprofiling.n_ops=3"), each call with all of them. Viewers know some of the names
 * (docs/protocol.md), and show the others as they are. At most 4,095 bytes: whole lines behind that
 * are left out. */
PROFTOP_PROC(proftop_facts, (struct proftop *feed, const char *text), (feed, text));

/* A notice for the viewers' log. level: 0 information, 1 warning, 2 error. */
PROFTOP_PROC(proftop_notice,
             (struct proftop *feed, int level, const char *text), (feed, level, text));

#ifdef __cplusplus
}
#endif

#include "proftop_inline.h"
#endif
