/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_detail.h: more about functions and applies, for programs that know it: the phases of a
 * compilation, what goes in and out of an apply, metrics of the program's own; and which process of
 * a distributed job it is. All of it is optional. The rules of proftop.h hold. Every call takes the
 * feed's lock for a moment and may allocate: between a begin and its end that is in the time of the
 * run.
 */
#ifndef PROFTOP_DETAIL_H
#define PROFTOP_DETAIL_H

#include "proftop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------- compile phases */

enum proftop_phase_kind {
    PROFTOP_PHASE_OTHER,
    PROFTOP_PHASE_REWRITE,
    PROFTOP_PHASE_VALIDATE,
    PROFTOP_PHASE_LINK,
    PROFTOP_PHASE_CODEGEN,
    PROFTOP_PHASE_THUNKS /* making the nodes ready to run */
};

/* A phase of the compilation of a function begins, inside another (`parent`, the id of one of the
 * same function) or by itself (PROFTOP_NONE). Viewers show it, and since when. Equal function,
 * parent, kind and name are one phase, which then has several calls; of those that are open at the
 * same time, the time from the first begin to the last end counts once: one whose end never comes
 * is shown as open for good, and its phase counts no more time. `name` is cut at 1 kB.
 * `nodes` are those of the graph now, or PROFTOP_UNKNOWN. With 14,336 phases those of functions of
 * which there are none yet are summed up by parent, kind and name, as phases of one function "other
 * compilations"; their nodes are unknown. Gives the phase; PROFTOP_NONE if there is no memory or
 * there are 16,384 already. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_phase_begin,
           (struct proftop *feed, proftop_id function, proftop_id parent,
            enum proftop_phase_kind kind, const char *name, uint64_t nodes),
           (feed, function, parent, kind, name, nodes));

/* It ends: one call more. `validate_ns` is what validation took of it, `nodes` those of the graph
 * now; each may be PROFTOP_UNKNOWN. */
PROFTOP_PROC(proftop_phase_end,
             (struct proftop *feed, proftop_id phase, uint64_t validate_ns, uint64_t nodes),
             (feed, phase, validate_ns, nodes));

/* What is known of calls of a phase that have ended. Set `size`, and each member: those that are
 * not known to PROFTOP_UNKNOWN. */
struct proftop_phase_times {
    size_t size;
    uint64_t calls;
    uint64_t total_ns;     /* of these calls, with the phases inside */
    uint64_t validate_ns;  /* part of total_ns */
    uint64_t nodes_before; /* nodes of the graph before the first of them, */
    uint64_t nodes_after;  /* and after the last */
};

/* A phase whose times are known: they are added to what is known of it. Else as
 * proftop_phase_begin(). `times` NULL defines the phase alone, as a parent of others. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_phase,
           (struct proftop *feed, proftop_id function, proftop_id parent,
            enum proftop_phase_kind kind, const char *name,
            const struct proftop_phase_times *times),
           (feed, function, parent, kind, name, times));

/* --------------------------------------------------------------------------- applies in detail */

/* How an output comes by its memory. */
#define PROFTOP_OWN              0u
#define PROFTOP_VIEW_OF(input)   (2u * (input) + 1u) /* it shares the memory of an input */
#define PROFTOP_OVERWRITES(input) (2u * (input) + 2u) /* it takes the memory of an input */

/* One input or output of an apply. Zero is unknown, but for `rank` and `bytes`. */
struct proftop_value_info {
    const char *dtype;      /* "float32"; NULL: unknown; cut at 64 bytes */
    const uint64_t *shape;  /* `rank` sizes */
    uint32_t rank;          /* 0: a scalar; PROFTOP_NONE: the shape is unknown; at most 32 */
    uint32_t source_plus_1; /* of an input: the apply that made it, plus 1; 0: none or unknown */
    uint32_t output;        /* as which of its outputs, from 0 */
    uint32_t alias;         /* of an output: PROFTOP_OWN, _VIEW_OF(i) or _OVERWRITES(i) */
    uint64_t bytes;         /* PROFTOP_UNKNOWN: unknown */
    uint32_t result_plus_1; /* of an output: which result of its function it is, plus 1; 0: none */
    const int64_t *strides; /* `rank` steps in bytes; NULL: unknown */
};

/* What is known of an apply beside its definition. Begin with PROFTOP_APPLY_DETAIL, which knows
 * nothing, and set what is known. */
struct proftop_apply_detail_info {
    size_t size;
    size_t value_size;    /* sizeof(struct proftop_value_info) of the caller */
    uint64_t flops;       /* floating-point operations of one call */
    uint64_t bytes;       /* of its outputs; unknown: the sum of theirs if all are known */
    uint64_t thunk_ns;    /* what it took to make it ready to run, once */
    const char *device;   /* "cuda:0"; NULL: unknown */
    const char *location; /* source line or scope; NULL: as defined */
    const struct proftop_value_info *input, *output;
    uint32_t inputs, outputs; /* at most 1,024 together */
    enum proftop_impl impl;   /* PROFTOP_IMPL_UNKNOWN: as defined */
    uint32_t one_in;          /* its values are looked at in 1 call of so many; 0: not said */
    const char *rewrite;      /* which rewrite of the graph made it; NULL: none, or unknown */
    const char *library;      /* source line of the library that made it for the location, which is
                                 the user's; NULL: none, or unknown */
};
#define PROFTOP_APPLY_DETAIL                                                                       \
    {                                                                                              \
        sizeof(struct proftop_apply_detail_info), sizeof(struct proftop_value_info),               \
            PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, NULL, NULL, NULL, NULL, 0, 0,       \
            PROFTOP_IMPL_UNKNOWN, 0, NULL, NULL                                                    \
    }

/* Says what is known of an apply, in place of what was said before. It may be called as often as
 * the program likes: viewers are sent only what differs, and a bounded part of that each tick. What
 * does not fit (64 KiB for one apply, 64 MiB for all) is counted as dropped; a figure that can't be
 * (above 2^62, a source that is no apply, the memory of no input) as invalid, and is unknown. */
PROFTOP_PROC(proftop_apply_detail,
             (struct proftop *feed, proftop_id apply, const struct proftop_apply_detail_info *info),
             (feed, apply, info));

/* 1 on the first call for an apply and on each n-th after it, to look at 1 call in n; else 0.
 * Always 0, and the turn stays, while the apply is not counted: the feed is off, the collection is
 * stopped or paused, its function or kind is left out, or with PROFTOP_ON_DEMAND=1 nobody watches.
 * Without that it is 1 in n with nobody watching, too: who attaches later is told. */
PROFTOP_FN(int, 0, proftop_detail_due, (struct proftop *feed, proftop_id apply, uint32_t n),
           (feed, apply, n));

/* The program took so long only to find out what it tells here: that is added to what profiling is
 * said to cost. */
PROFTOP_PROC(proftop_spent, (struct proftop *feed, uint64_t ns), (feed, ns));

/* ---------------------------------------------------------------------------------------- forks
 *
 * While fork() runs, the library holds the locks of all feeds. A handler of pthread_atfork() that
 * runs behind its own, and waits for threads that use feeds, would wait for ever: such a handler
 * calls unlock before, and lock behind. On a thread that isn't in fork(), and where the library's
 * handler has not run yet, both do nothing. */
PROFTOP_PROC(proftop_fork_unlock, (struct proftop *feed), (feed));
PROFTOP_PROC(proftop_fork_lock, (struct proftop *feed), (feed));

/* ------------------------------------------------------------------------------------- metrics */

/* What the values given for a metric come to. */
enum proftop_how { PROFTOP_SUM, PROFTOP_MAX, PROFTOP_LAST };

/* Declares a metric of applies, a column of its own in viewers. `unit`: "ns", "bytes", or anything
 * else for counts. The same name, unit and way give the same metric; the same name with others is
 * misuse. Gives PROFTOP_NONE if there are 16 already. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_metric,
           (struct proftop *feed, const char *name, const char *unit, enum proftop_how how),
           (feed, name, unit, how));

/* Gives one value of a metric for an apply. Sums stay at 2^62, the largest value there is. A reset
 * forgets all values. None are taken while applies are not counted, as proftop_detail_due() says,
 * nor PROFTOP_UNKNOWN, which is no value; one above 2^62 is invalid. */
PROFTOP_PROC(proftop_metric_add,
             (struct proftop *feed, proftop_id metric, proftop_id apply, uint64_t value),
             (feed, metric, apply, value));

/* -------------------------------------------------------------------------- distributed jobs */

/* Which process of a distributed job this one is, where the launcher did not put it into the
 * environment: its number from 0, and how many there are (PROFTOP_UNKNOWN: unknown). A rank that
 * isn't below `size` is misuse, and what was known stays. */
PROFTOP_PROC(proftop_rank,
             (struct proftop *feed, uint64_t rank, uint64_t size), (feed, rank, size));

#ifdef __cplusplus
}
#endif
#endif
