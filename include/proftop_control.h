/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_control.h: steer what a feed collects, and print or save what it has collected: what
 * MXNet's profiler offers as set_config, set_state, pause, resume, dump and dumps.
 *
 * Rules besides those of proftop.h:
 *  - A call gives NULL when all is well, or a sentence that says what failed, with which value, and
 *    what is allowed; nothing has changed then. The sentence is borrowed: it is valid until the
 *    same thread makes the next of these calls.
 *  - Any thread may call them at any time, also while others are inside applies.
 *  - `process` is "worker" (or NULL) for this process, or "server": then the call acts only if this
 *    process has that role (DMLC_ROLE).
 *  - Those that need the sums (reset, dump, dumps) are run by the feed's thread: they wait for it,
 *    a few milliseconds as a rule, 10 s at most. What it is still at by then, a file on a slow disk
 *    say, it does to the end; the sentence tells.
 */
#ifndef PROFTOP_CONTROL_H
#define PROFTOP_CONTROL_H

#include "proftop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets keys: `pairs` holds key, value, ..., NULL, all texts. All or nothing; keys that are not
 * named keep their values. A key without a value is an error. A switch is 0, 1, true or false.
 *
 *   filename            file of proftop_dump(); empty: none. First "profile.json"
 *   gpu_memory_profile_filename_prefix
 *                       dump also writes PREFIX-pid_PID.csv, the memory of devices by scope
 *                       ("<unk>:": in none), if the program publishes any, whatever `filename`
 *                       is; empty: none. Where memory is freed by another id than it was
 *                       allocated by, its rows add up to more than there is now: that is the
 *                       value of the pool as a whole, in `filename`. First "gpu_memory_profile"
 *   profile_symbolic    count applies of compiled graphs (PROFTOP_SYMBOLIC). First 1
 *   profile_imperative  count applies that are called one by one (PROFTOP_IMPERATIVE). First 1
 *   profile_api         count calls of an interface (PROFTOP_CALL). First 1
 *   profile_memory      count what happens to memory; its current value and its peak are always
 *                       right. First 1
 *   profile_all         1: these four become 1, but for those that are named beside it. First 0
 *   continuous_dump     the feed's thread writes the dump anew each period; whoever reads the file
 *                       finds a whole one at any time. Viewers are told why one can't be written.
 *                       First 0
 *   dump_period         that period, in seconds, above 0 and at most 1,000,000. First 1
 *   aggregate_stats     accepted; totals are always kept, so proftop_dumps() works with either.
 *                       First 0
 *   profile_process     worker or server: whom these are for, as `process` above. First worker
 */
PROFTOP_FN(const char *, NULL, proftop_set_config,
           (struct proftop *feed, const char *const *pairs), (feed, pairs));

/* The value of a key as text; NULL: there is no such key, or the feed is off. Borrowed as above. */
PROFTOP_FN(const char *, NULL, proftop_get_config, (struct proftop *feed, const char *key),
           (feed, key));

/* "run": count (a feed that is on begins so); "stop": totals stay and nothing is added. Viewers
 * show it. A call or apply that is begun or ended while nothing is counted is not counted; one that
 * such a time lies within is, with that time. */
PROFTOP_FN(const char *, NULL, proftop_set_state,
           (struct proftop *feed, const char *state, const char *process), (feed, state, process));

/* Like "stop" and "run", but apart from them: it counts in state "run" while it is not paused. Not
 * nested: one resume ends any number of pauses. */
PROFTOP_FN(const char *, NULL, proftop_pause, (struct proftop *feed, const char *process),
           (feed, process));
PROFTOP_FN(const char *, NULL, proftop_resume, (struct proftop *feed, const char *process),
           (feed, process));

/* All counts begin again from 0, for all viewers; each event is counted either before or after. */
PROFTOP_FN(const char *, NULL, proftop_reset, (struct proftop *feed), (feed));

/* Writes what was counted since the last reset to the file `filename`, under another name
 * first, which takes the place of a link but of no device or pipe: JSON that readers of Chrome's
 * traces open (about:tracing, Perfetto). Its events are bounded, and no reset forgets them:
 *   - runs of tasks, frames and events that have ended, the last 8,192 of each thread and 32,768 in
 *     all (a thread that comes when these are taken has 256), with the domain as category. Runs of
 *     one thread that lie inside each other are "X" events, others pairs of "b" and "e". One that
 *     has not ended is there up to the dump, with `open` among its args;
 *   - the last 4,096 instants of markers ("i");
 *   - values of counters and of pools of memory ("C"), as the feed's thread found them in its ticks
 *     (ten a second as a rule, each 8,192 of them) and at the dump, the last 16,384. Values in
 *     between are in no event.
 * Times are microseconds of CLOCK_MONOTONIC. Beside them, under "proftop", stand how many events
 * there are of each kind and how many were dropped, what that clock (`mono_ns`) and the wall clock
 * (`wall_ns`) say now, the totals of functions and applies in nanoseconds, counters and spans
 * with their extremes, and these instants. `finished` not 0: first stops the collection, as
 * set_state "stop"; where writing fails it runs on. With nothing counted the file is whole and has
 * no rows, and the sentence says so. Where the file of memory beside it fails, this one is written.
 * May block on the disk. */
PROFTOP_FN(const char *, NULL, proftop_dump,
           (struct proftop *feed, int finished, const char *process), (feed, finished, process));

/* Options of proftop_dumps(). Zero it, set `size`, then set what is wanted. */
struct proftop_dumps_options {
    size_t size;
    const char *format;  /* "table" (or NULL) or "json" */
    const char *sort_by; /* "total" (or NULL), "avg", "min", "max" or "count" */
    int ascending;       /* 0 or 1 */
    int reset;           /* 0, or 1: a reset with nothing lost or counted twice between */
};

/* Gives in `*text` the statistics of everything counted, by category: ops as
 * `operator`, those with "::" in their names as `Custom Operator`, calls of an interface as `API`.
 * The caller frees it with free(). NULL there when the call fails. Options NULL: all defaults. The
 * feed is not closed before its rows are sorted: for 100,000 ops up to 0.1 s. */
PROFTOP_FN(const char *, NULL, proftop_dumps,
           (struct proftop *feed, const struct proftop_dumps_options *options, char **text),
           (feed, options, text));

/* ------------------------------------------------- what is otherwise than in MXNet's profiler
 * The words, the order of tables and their layout are those of mxnet.profiler (1.9.1, 2.0). But:
 *  - Every build takes every key; there one without CUDA does not know
 *    gpu_memory_profile_filename_prefix. Another state than run and stop is an error that names
 *    both; there it is a bare KeyError.
 *  - `server` goes by the role of the process that is asked, and any rank may ask: no handle, and
 *    who is no server says so. There servers are asked through a kvstore, by rank 0 alone, others
 *    in vain without a word; one that is not distributed ignores it, and without any the call fails
 *    over a handle that is null.
 *  - State, pause and every key may be changed while threads are inside calls. There, `run` beside
 *    such a thread ends the program if profile_api is on, and profile_all turns it on though it was
 *    turned off by name; here a key that is named has the last word.
 *  - A feed begins in state `run`, and memory does not grow with what is counted, but for the
 *    events of a dump, up to 1.5 MiB. There tasks and counters are recorded before any `run`, and
 *    kept one by one until a dump.
 *  - proftop_dumps() works at any time, any number of times, whatever aggregate_stats is; to turn
 *    that off forgets nothing. There the text is empty, stands still after the first time, or
 *    the program ends.
 *  - With `reset`, what happens between printing and clearing is not lost.
 *  - A setting touches no file: there `filename` is deleted at once. A dump is valid at any time;
 *    there may be any number, also after one that is `finished`, and continuous ones after that.
 *    Names are escaped. What proftop_dumps() prints is not taken from the dump.
 *  - An exit waits for no dump_period, and gives up a dump that is not done: the last whole one
 *    stays. It ends in any state; there 2.0.0b1 hangs in most exits of Gluon programs while its
 *    profiler is on.
 *  - Figures have all their digits (there 4 in JSON, 7 in the table), durations are nanoseconds of
 *    a clock that is not set back (there whole microseconds of one that is), and a minimum may be
 *    longer than 2,147 s.
 *  - Counters have 64 bits and a sign, or are doubles; they have a table and the key Value of their
 *    own, are not divided by 1000, and their mean is that of their values (there half the range).
 *  - A task and a counter of one name are two rows. Names and domains are cut at 16 KiB, not at 127
 *    bytes. An empty domain is misuse; there it ends the program.
 *  - Runs of one task have starts of their own: a second start does not move the first, and a
 *    stop without a start is counted as invalid, and not added.
 *  - A run that begins or ends in a pause is not counted; there one that began in it is, with the
 *    pause. One that a pause lies within is counted, and the pause is in its time, as there.
 *  - Frames are numbered, with their rate and the slowest; a mark of scope `task` has its task.
 *  - A forked child begins at nothing, in a feed of its own; there it has its parent's figures.
 *  - What counting costs is measured and published (proftop.h), and times of ops have one stamp at
 *    each end; there those of ops below 1 us have 0.2 to 0.8 us on top.
 *  - A scope that is left by an exception is left, in C++.
 */

/* --------------------------------------------------------------------- what a call may wait for
 * Of all calls, in all headers. These take no lock, but for a moment where a thread touches the
 * feed, or an apply or function of it, for the first time:
 *
 *   proftop_version()        proftop_is_on()            proftop_reason()
 *   proftop_begin()          proftop_end()              proftop_fail()
 *   proftop_record()         proftop_vm()               proftop_call_begin()
 *   proftop_call_end()       proftop_call_end_in_vm()   proftop_call_fail()
 *   proftop_counter_set()    proftop_counter_set_f64()  proftop_counter_add()
 *   proftop_counter_add_f64()
 *   proftop_memory_alloc()   proftop_memory_free()      proftop_memory_limit()
 *   proftop_scope()          proftop_scope_pop()        proftop_fork_unlock()
 *
 * These take a lock of the feed or of the thread, and may wait while another thread, that of the
 * feed among them, holds it for a moment, never over a file, a socket or a viewer:
 *
 *   proftop_class()          proftop_op()               proftop_function()
 *   proftop_op_displayed()   proftop_function_unseen()
 *   proftop_apply()          proftop_set()              proftop_call_set()
 *   proftop_compile_begin()  proftop_compile_end()      proftop_thread_name()
 *   proftop_route()          proftop_facts()            proftop_notice()
 *   proftop_rank()
 *   proftop_phase_begin()    proftop_phase_end()        proftop_phase()
 *   proftop_apply_detail()   proftop_detail_due()       proftop_spent()
 *   proftop_metric()         proftop_metric_add()       proftop_domain()
 *   proftop_counter()        proftop_counter_f64()      proftop_counter_from()
 *   proftop_counter_from_f64()
 *   proftop_task()           proftop_task_start()       proftop_task_stop()
 *   proftop_frame()          proftop_frame_start()      proftop_frame_stop()
 *   proftop_event()          proftop_event_start()      proftop_event_stop()
 *   proftop_marker()         proftop_mark()             proftop_scope_push()
 *   proftop_memory()         proftop_set_config()       proftop_get_config()
 *   proftop_fork_lock()
 *   proftop_set_state()      proftop_pause()            proftop_resume()
 *
 * These wait for the feed's thread, and say for how long:
 *
 *   proftop_open()           proftop_open_child()       proftop_close()
 *   proftop_reset()          proftop_dump()             proftop_dumps()
 */

#ifdef __cplusplus
}
#endif
#endif
