/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_adapter.h: what only an adapter of a framework needs: the framework's own words and
 * facts, time in its virtual machine, compilations and their phases, the inputs and outputs of an
 * apply, metrics of its own, and the process's rank in a distributed job. The rules of proftop.h
 * hold. Every call takes the feed's lock briefly and may allocate, but proftop_vm() and the ends of
 * calls. Between a begin and its end that time is part of the run.
 */
#ifndef PROFTOP_ADAPTER_H
#define PROFTOP_ADAPTER_H

#include "proftop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------- what an adapter knows of itself
 */

/* How an adapter gets its numbers and its blind spots; shown in the header. */
PROFTOP_API void proftop_route(struct proftop *feed, const char *text);

/* The adapter counts in windows that are this share of the run time so far, from 0 to 1; 1, the
 * state of a new feed: always. Viewers then mark calls and times as parts. */
PROFTOP_API void proftop_share(struct proftop *feed, double share);
/* True while a viewer wants an event of each call: such an adapter then counts always. */
PROFTOP_API int proftop_is_traced(const struct proftop *feed);

/* Facts about the program, in its framework's words: lines of `name=value`
 * ("linker=cvm\nprofiling.n_ops=3"). Each call replaces all facts. Viewers know some of the names
 * (docs/protocol.md) and show others unchanged. At most 4,095 bytes: whole lines beyond are cut. */
PROFTOP_API void proftop_facts(struct proftop *feed, const char *text);

/* ----------------------------------------------------------------------------- ops and functions
 */

/* As proftop_op(), for an op whose text is little help ("Composite{...}"). Screens show `display`
 * ("sqr(i0) + i1"); reports, JSON and comparisons keep `text`. NULL: the text. */
PROFTOP_API proftop_id proftop_op_displayed(struct proftop *feed, proftop_id op_class,
                                            const char *text, const char *display);

/* Ends a run of an apply that is defined with `exclusive` 2: adds one call and its own time, which
 * is the time since its begin without `inside`. Returns the time since its begin, to be added to
 * the `inside` of the run that encloses it on this thread. Both are in units of the feed's clock,
 * and mean nothing else; 0 if the run was not timed. Every call of such an apply is timed, whatever
 * PROFTOP_BUDGET says: its caller keeps the budget. */
PROFTOP_API uint64_t proftop_end_nested(struct proftop *feed, proftop_id apply,
                                        struct proftop_token token, uint64_t inside);

/* Converts a result of proftop_end_nested() to ns. PROFTOP_UNKNOWN: the feed is off, or its clock
 * is not measured yet, which takes some 0.2 s from its opening. */
PROFTOP_API uint64_t proftop_interval_ns(struct proftop *feed, uint64_t interval);

/* Declares after the definition that calls of this function are not observed. From now on its call
 * count is unknown instead of 0, unless some calls were counted. */
PROFTOP_API void proftop_function_unseen(struct proftop *feed, proftop_id function);

/* Ends a call that ran in the virtual machine from its begin: proftop_call_end(), and proftop_vm()
 * with the same time. */
PROFTOP_API void proftop_call_end_in_vm(struct proftop *feed, proftop_id function,
                                        struct proftop_token token);

/* Cumulative calls and call time of a PROFTOP_SET function; as proftop_set(). */
PROFTOP_API void proftop_call_set(struct proftop *feed, proftop_id function, uint64_t calls,
                                  uint64_t ns);

/* Adds `ns` to the time that the function's calls spent in the virtual machine, which runs the
 * applies in order; includes the applies (PyTensor: "Time in Function.vm.__call__"). The rest of
 * the call time went to arguments and results. Unknown until the first call. */
PROFTOP_API void proftop_vm(struct proftop *feed, proftop_id function, uint64_t ns);

/* ---------------------------------------------------------------------------------- compilations
 */

/* The compilation of a function begins on this thread. Viewers show the function, and since when.
 * Several threads may compile one function: it is shown until the last compilation ends. On one
 * thread compilations do not nest. A second begin, or the thread's exit, abandons the thread's open
 * one: it adds no time. Until then it is shown, and the time of overlapping compilations waits. */
PROFTOP_API void proftop_compile_begin(struct proftop *feed, proftop_id function);

/* Ends the thread's open compilation of the function, or else the oldest open one of another
 * thread. Each time is added to those of earlier compilations. Each may be PROFTOP_UNKNOWN; all are
 * if `times` is misuse. `times` NULL: the compilation took the time since its begin; without a
 * begin this is misuse. Overlapping compilations count their time once, when the last ends. With
 * `times` no begin is needed: for a function that is not being compiled, it reports a compilation
 * that is over. Forked children cannot end compilations of their parent. */
struct proftop_compile_times {
    size_t size;
    uint64_t compile_ns;  /* whole compilation */
    uint64_t rewrite_ns;  /* graph rewriting, part of compile_ns */
    uint64_t validate_ns; /* validation, part of rewrite_ns */
    uint64_t link_ns;     /* code generation and linking, part of compile_ns */
};
PROFTOP_API void proftop_compile_end(struct proftop *feed, proftop_id function,
                                     const struct proftop_compile_times *times);

/* --------------------------------------------------------------------------- compile phases */

enum proftop_phase_kind {
    PROFTOP_PHASE_OTHER,
    PROFTOP_PHASE_REWRITE,
    PROFTOP_PHASE_VALIDATE,
    PROFTOP_PHASE_LINK,
    PROFTOP_PHASE_CODEGEN,
    PROFTOP_PHASE_THUNKS /* making the nodes ready to run */
};

/* A phase of the compilation of a function begins, inside another phase of the same function
 * (`parent`, its id) or at the top (PROFTOP_NONE). Viewers show the phase, and since when. Equal
 * function, parent, kind and name are one phase with several calls. If several of its calls are
 * open at once, the time from the first begin to the last end counts once. A phase whose end never
 * comes is shown as open for good and adds no more time. `name` is cut at 1 kB. `nodes` is the
 * number of nodes in the graph now, or PROFTOP_UNKNOWN. Above 14,336 phases, phases of functions
 * that have none yet are summed by parent, kind and name, as phases of one function "other
 * compilations", with unknown nodes. Returns the phase; PROFTOP_NONE if out of memory or at 16,384
 * phases. */
PROFTOP_API proftop_id proftop_phase_begin(struct proftop *feed, proftop_id function,
                                           proftop_id parent, enum proftop_phase_kind kind,
                                           const char *name, uint64_t nodes);

/* The phase ends: one call more. `validate_ns` is the part spent in validation, `nodes` the number
 * of nodes in the graph now; each may be PROFTOP_UNKNOWN. */
PROFTOP_API void proftop_phase_end(struct proftop *feed, proftop_id phase, uint64_t validate_ns,
                                   uint64_t nodes);

/* Figures of calls of a phase that have ended. Set `size` and every member, unknown ones to
 * PROFTOP_UNKNOWN. */
struct proftop_phase_times {
    size_t size;
    uint64_t calls;
    uint64_t total_ns;     /* of these calls, including the phases inside */
    uint64_t validate_ns;  /* part of total_ns */
    uint64_t nodes_before; /* nodes of the graph before the first call, */
    uint64_t nodes_after;  /* and after the last call */
};

/* As proftop_phase_begin(), for a phase whose times are known: `times` are added to the phase's
 * figures. `times` NULL only defines the phase, as a parent of others. */
PROFTOP_API proftop_id proftop_phase(struct proftop *feed, proftop_id function, proftop_id parent,
                                     enum proftop_phase_kind kind, const char *name,
                                     const struct proftop_phase_times *times);

/* --------------------------------------------------------------------------- applies in detail */

/* How an output gets its memory. */
#define PROFTOP_OWN              0u
#define PROFTOP_VIEW_OF(input)    (2u * (input) + 1u) /* shares the memory of an input */
#define PROFTOP_OVERWRITES(input) (2u * (input) + 2u) /* takes over the memory of an input */

/* One input or output of an apply. Zero means unknown, except in `rank` and `bytes`. */
struct proftop_value_info {
    const char *dtype;      /* "float32"; NULL: unknown; cut at 64 bytes */
    const uint64_t *shape;  /* `rank` sizes */
    uint32_t rank;          /* 0: a scalar; PROFTOP_NONE: the shape is unknown; at most 32 */
    uint32_t source_plus_1; /* for an input: the apply that made it, plus 1; 0: none or unknown */
    uint32_t output;        /* for an input: which output of that apply it is, from 0 */
    uint32_t alias;         /* for an output: PROFTOP_OWN, _VIEW_OF(i) or _OVERWRITES(i) */
    uint64_t bytes;         /* PROFTOP_UNKNOWN: unknown */
    uint32_t result_plus_1; /* for an output: which result of its function it is, plus 1; 0: none */
    const int64_t *strides; /* `rank` steps in bytes; NULL: unknown */
};

/* Details of an apply beyond its definition. Initialise with PROFTOP_APPLY_DETAIL, which sets all
 * to unknown, then set the known members. */
struct proftop_apply_detail_info {
    size_t size;
    size_t value_size;    /* sizeof(struct proftop_value_info) of the caller */
    uint64_t flops;       /* floating-point operations of one call */
    uint64_t bytes;       /* of its outputs; unknown: their sum, if all are known */
    uint64_t thunk_ns;    /* one-time cost of making it ready to run */
    const char *device;   /* "cuda:0"; NULL: unknown */
    const char *location; /* source line or scope; NULL: as defined */
    const struct proftop_value_info *input, *output;
    uint32_t inputs, outputs; /* at most 1,024 together */
    enum proftop_impl impl;   /* PROFTOP_IMPL_UNKNOWN: as defined */
    uint32_t one_in;          /* its values are read in 1 call of so many; 0: not stated */
    const char *rewrite;      /* rewrite of the graph that made it; NULL: none, or unknown */
    const char *library;      /* source line in the library that made it for `location`, the user's
                                 line; NULL: none, or unknown */
};
#define PROFTOP_APPLY_DETAIL                                                                       \
    {                                                                                              \
        sizeof(struct proftop_apply_detail_info), sizeof(struct proftop_value_info),               \
            PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, NULL, NULL, NULL, NULL, 0, 0,       \
            PROFTOP_IMPL_UNKNOWN, 0, NULL, NULL                                                    \
    }

/* Replaces the details of an apply. It may be called as often as the program likes: viewers are
 * sent only the differences, and a bounded part of them each tick. Details over the limits (64 KiB
 * for one apply, 64 MiB for all) are counted as dropped. An impossible figure (above 2^62, a source
 * that is no apply, the memory of a missing input) is counted as invalid, and is unknown. */
PROFTOP_API void proftop_apply_detail(struct proftop *feed, proftop_id apply,
                                      const struct proftop_apply_detail_info *info);

/* 1 on the first call for an apply and on each n-th after it, to look at 1 call in n; else 0.
 * Always 0, without advancing the turn, while the apply is not counted: the feed is off, the
 * collection is stopped or paused, its function or kind is left out, or PROFTOP_ON_DEMAND=1 and no
 * viewer is attached. Without PROFTOP_ON_DEMAND it is 1 in n without a viewer too: later viewers
 * get the details. */
PROFTOP_API int proftop_detail_due(struct proftop *feed, proftop_id apply, uint32_t n);

/* Reports `ns` spent only on gathering details for this library. It is added to the published
 * overhead of profiling. */
PROFTOP_API void proftop_spent(struct proftop *feed, uint64_t ns);

/* ---------------------------------------------------------------------------------------- forks
 *
 * While fork() runs, the library holds the locks of all feeds. A pthread_atfork() handler that runs
 * after the library's own and waits for threads that use feeds would wait for ever. Such a handler
 * calls unlock before the wait, and lock after it. On a thread that isn't in fork(), or before the
 * library's handler has run, both do nothing. */
PROFTOP_API void proftop_fork_unlock(struct proftop *feed);
PROFTOP_API void proftop_fork_lock(struct proftop *feed);

/* ------------------------------------------------------------------------------------- metrics */

/* How the values given for a metric combine. */
/* PROFTOP_INCLUSIVE is a sum of times that include the runs of other applies inside. So the sum
 * over applies of several ops counts some of them twice, and viewers do not show it. */
enum proftop_how { PROFTOP_SUM, PROFTOP_MAX, PROFTOP_LAST, PROFTOP_INCLUSIVE };

/* Declares a metric of applies, shown as its own column in viewers. `unit`: "ns", "bytes", or
 * anything else for counts. The same name, unit and `how` return the same metric; the same name
 * with another unit or `how` is misuse. Returns PROFTOP_NONE if there are 16 already. */
PROFTOP_API proftop_id proftop_metric(struct proftop *feed, const char *name, const char *unit,
                                      enum proftop_how how);

/* Gives one value of a metric for an apply. Sums are capped at 2^62, the largest value. A reset
 * clears all values. Values are ignored while the apply is not counted (see proftop_detail_due()),
 * and so is PROFTOP_UNKNOWN. A value above 2^62 is counted as invalid. */
PROFTOP_API void proftop_metric_add(struct proftop *feed, proftop_id metric, proftop_id apply,
                                    uint64_t value);

/* -------------------------------------------------------------------------- distributed jobs */

/* Sets this process's place in a distributed job, if the launcher did not put it into the
 * environment: its number from 0, and the number of processes (PROFTOP_UNKNOWN: unknown). A rank
 * that isn't below `size` is misuse, and the earlier values stay. */
PROFTOP_API void proftop_rank(struct proftop *feed, uint64_t rank, uint64_t size);

#if defined(PROFTOP_OFF) || defined(PROFTOP_DYNAMIC)
#define PROFTOP_ADAPTER_CALLS
#include "proftop_calls.h"
#endif

#ifdef __cplusplus
}
#endif
#endif
