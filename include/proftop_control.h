/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_control.h: control what a feed collects, and print or save the collected data. Offers
 * set_config, set_state, pause, resume, dump and dumps of MXNet's profiler.
 *
 * Rules besides those of proftop.h:
 *  - A call returns NULL on success. Otherwise it returns a sentence that names the failure, the
 *    value and the allowed values, and nothing has changed. The sentence is borrowed: it is valid
 *    until the same thread makes the next of these calls.
 *  - Any thread may call them at any time, also while other threads are inside applies.
 *  - `process` is "worker" (or NULL) for this process, or "server": then the call acts only if
 *    this process has that role (DMLC_ROLE).
 *  - Calls that need the sums (reset, dump, dumps) are run by the feed's thread. They wait for it:
 *    usually a few milliseconds, at most 10 s. After that the feed's thread still finishes a job
 *    that is under way, such as a file on a slow disk; the sentence says so.
 */
#ifndef PROFTOP_CONTROL_H
#define PROFTOP_CONTROL_H

#include "proftop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets keys: `pairs` holds key, value, ..., NULL, all texts. Sets all keys or none; other keys keep
 * their values. A key without a value is an error. A switch is 0, 1, true or false. "Default" is
 * the initial value.
 *
 *   filename            file of proftop_dump(); empty: none. Default "profile.json"
 *   gpu_memory_profile_filename_prefix
 *                       a dump also writes PREFIX-pid_PID.csv, the memory of devices by scope
 *                       ("<unk>:": in no scope), if the program publishes any, whatever
 *                       `filename` is; empty: none. If memory is freed by another id than the
 *                       allocating one, the rows add up to more than the current total; the
 *                       pool's own value in `filename` is right. Default "gpu_memory_profile"
 *   profile_symbolic    count applies of compiled graphs (PROFTOP_SYMBOLIC). Default 1
 *   profile_imperative  count applies called one by one (PROFTOP_IMPERATIVE). Default 1
 *   profile_api         count calls of an interface (PROFTOP_CALL). Default 1
 *   profile_memory      count memory events; the current value and the peak are always right.
 *                       Default 1
 *   profile_all         1: sets these four to 1, except keys named in the same call. Default 0
 *   continuous_dump     the feed's thread rewrites the dump each period; a reader always finds a
 *                       whole file. Viewers are told why a dump can't be written. Default 0
 *   dump_period         that period, in seconds, above 0 and at most 1,000,000. Default 1
 *   aggregate_stats     accepted and ignored: totals are always kept for proftop_dumps().
 *                       Default 0
 *   profile_process     worker or server: the process to set, as `process` above. Default worker */
PROFTOP_API const char *proftop_set_config(struct proftop *feed, const char *const *pairs);

/* Returns the value of a key as text; NULL: no such key, or the feed is off. Borrowed as above. */
PROFTOP_API const char *proftop_get_config(struct proftop *feed, const char *key);

/* "run": count (the initial state of a feed that is on). "stop": keep the totals and add nothing.
 * Viewers show the state. A call or apply that begins or ends while nothing is counted is not
 * counted. A call or apply that spans such a time is counted, with that time. */
PROFTOP_API const char *proftop_set_state(struct proftop *feed, const char *state,
                                          const char *process);

/* As "stop" and "run", but independent of them: the feed counts if its state is "run" and it is not
 * paused. Pauses do not nest: one resume ends any number of pauses. */
PROFTOP_API const char *proftop_pause(struct proftop *feed, const char *process);
PROFTOP_API const char *proftop_resume(struct proftop *feed, const char *process);

/* Sets all counts to 0, for all viewers. Each event is counted either before or after. */
PROFTOP_API const char *proftop_reset(struct proftop *feed);

/* Writes the counts since the last reset to the file `filename`. Writes a draft under another name
 * and renames it; it replaces a link, but not a device or a pipe. The format is JSON for readers of
 * Chrome's traces (about:tracing, Perfetto). Its events are bounded, and no reset drops them:
 *   - ended runs of tasks, frames and events: the last 8,192 of each thread and 32,768 in all (once
 *     these are used up, a new thread has 256), with the domain as category. Nested runs of one
 *     thread are "X" events, others pairs of "b" and "e". An open run appears up to the dump, with
 *     `open` among its args;
 *   - the last 4,096 instants of markers ("i");
 *   - values of counters and of pools of memory ("C"): the last 16,384, sampled by the feed's
 *     thread in its ticks (usually ten a second, 8,192 values in each) and at the dump. Values
 *     between two samples are in no event.
 * Times are microseconds of CLOCK_MONOTONIC. The object "proftop" beside the events holds the
 * number of events of each kind, the number dropped, the current readings of that clock (`mono_ns`)
 * and the wall clock (`wall_ns`), the totals of functions and applies in nanoseconds, counters and
 * spans with their extremes, and these instants. `finished` not 0: first stops the collection, as
 * set_state "stop"; if writing fails, the collection runs on. With zero counts the file is valid
 * and has no rows, and the sentence says so. If only the memory file fails, this file is still
 * written. May block on the disk. */
PROFTOP_API const char *proftop_dump(struct proftop *feed, int finished, const char *process);

/* Options of proftop_dumps(). Zero the structure, set `size`, then set the members you need. */
struct proftop_dumps_options {
    size_t size;
    const char *format;  /* "table" (or NULL) or "json" */
    const char *sort_by; /* "total" (or NULL), "avg", "min", "max" or "count" */
    int ascending;       /* 0 or 1 */
    int reset;           /* 0, or 1: reset too; nothing in between is lost or counted twice */
};

/* Stores the statistics since the last reset in `*text`, by category: ops as `operator`, ops with
 * "::" in their names as `Custom Operator`, calls of an interface as `API`. The caller frees the
 * text with free(). `*text` is NULL if the call fails. Options NULL: all defaults. proftop_close()
 * waits for the sorting of the rows: up to 0.1 s for 100,000 ops. */
PROFTOP_API const char *proftop_dumps(struct proftop *feed,
                                      const struct proftop_dumps_options *options, char **text);

/* ------------------------------------------------------------ differences from MXNet's profiler
 * The words, the order of tables and their layout are those of mxnet.profiler (1.9.1, 2.0). "MXNet"
 * below is its profiler. The differences:
 *  - Every build takes every key; MXNet without CUDA does not know
 *    gpu_memory_profile_filename_prefix. A state other than run and stop is an error that names
 *    both; in MXNet it is a bare KeyError.
 *  - `server` is decided by the role of the process that is asked. Any rank may ask, no handle is
 *    needed, and a process that is no server says so. MXNet asks servers through a kvstore, by
 *    rank 0 alone; requests of other ranks are ignored silently. A kvstore that is not distributed
 *    ignores the request, and without a kvstore the call fails on a null handle.
 *  - State, pause and every key may be changed while threads are inside calls. In MXNet `run`
 *    beside such a thread ends the program if profile_api is on, and profile_all turns profile_api
 *    on even if it was turned off by name; here a named key takes precedence.
 *  - A feed begins in state `run`. Memory does not grow with the counts, except for the events of
 *    a dump, up to 1.5 MiB. MXNet records tasks and counters before any `run`, and keeps each
 *    until a dump.
 *  - proftop_dumps() works at any time, any number of times, whatever aggregate_stats is; turning
 *    aggregate_stats off forgets nothing. In MXNet the text is empty, stops changing after the
 *    first time, or the program ends.
 *  - With `reset`, events between printing and clearing are not lost.
 *  - A setting touches no file; MXNet deletes `filename` at once. A dump is valid at any time.
 *    There may be any number of dumps, also after one that is `finished`, and continuous ones
 *    after that. Names are escaped. proftop_dumps() removes nothing from the dump.
 *  - exit() does not wait for a dump_period, and gives up an unfinished dump: the last whole one
 *    stays. exit() ends in any state; MXNet 2.0.0b1 hangs in most exits of Gluon programs while
 *    its profiler is on.
 *  - Figures have all their digits (MXNet: 4 in JSON, 7 in the table). Durations are nanoseconds
 *    of a clock that is never set back (MXNet: whole microseconds of one that is). A minimum may
 *    be longer than 2,147 s.
 *  - Counters have 64 bits and a sign, or are doubles. They have their own table and the key
 *    Value, and are not divided by 1000. Their mean is the mean of their values (MXNet: half the
 *    range).
 *  - A task and a counter of one name are two rows. Names and domains are cut at 16 KiB, not at
 *    127 bytes. An empty domain is misuse; in MXNet it ends the program.
 *  - Each run of a task has its own start: a second start does not move the first. A stop without
 *    a start is counted as invalid, and not added.
 *  - A run that begins or ends in a pause is not counted; MXNet counts one that began in it, with
 *    the pause. A run that spans a pause is counted, and its time includes the pause, as in MXNet.
 *  - Frames are numbered, with their rate and the slowest; a mark of scope `task` has its task.
 *  - A forked child has a feed of its own with zero counts; in MXNet it has its parent's figures.
 *  - The overhead of counting is measured and published (proftop.h). Times of ops have one stamp
 *    at each end; MXNet adds 0.2 to 0.8 us to ops below 1 us.
 *  - In C++, an exception that leaves a scope ends it. */

/* --------------------------------------------------------------------- what a call may wait for
 * All calls of all headers are listed here. These take no lock, except briefly when a thread
 * touches the feed, or one of its applies or functions, for the first time:
 *
 *   proftop_version()        proftop_is_on()            proftop_reason()
 *   proftop_begin()          proftop_end()              proftop_fail()
 *   proftop_record()         proftop_vm()               proftop_call_begin()
 *   proftop_call_end()       proftop_call_end_in_vm()   proftop_call_fail()
 *   proftop_counter_set()    proftop_counter_set_f64()  proftop_counter_add()
 *   proftop_counter_add_f64()                           proftop_end_nested()
 *   proftop_memory_alloc()   proftop_memory_free()      proftop_memory_limit()
 *   proftop_scope()          proftop_scope_pop()        proftop_fork_unlock()
 *   proftop_is_traced()
 *
 * These take a lock of the feed or of the thread. They may wait briefly for another thread, such
 * as the feed's, that holds the lock. No thread holds it over a file, a socket or a viewer:
 *
 *   proftop_class()          proftop_op()               proftop_function()
 *   proftop_op_displayed()   proftop_function_unseen()
 *   proftop_apply()          proftop_set()              proftop_call_set()
 *   proftop_compile_begin()  proftop_compile_end()      proftop_thread_name()
 *   proftop_route()          proftop_facts()            proftop_notice()
 *   proftop_rank()           proftop_node()             proftop_share()
 *   proftop_interval_ns()
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
 *   proftop_run_drop()       proftop_fork_lock()
 *   proftop_set_state()      proftop_pause()            proftop_resume()
 *
 * These wait for the feed's thread; each comment gives the limit:
 *
 *   proftop_open()           proftop_open_child()       proftop_close()
 *   proftop_reset()          proftop_dump()             proftop_dumps()
 */

#if defined(PROFTOP_OFF) || defined(PROFTOP_DYNAMIC)
#define PROFTOP_CONTROL_CALLS
#include "proftop_calls.h"
#endif

#ifdef __cplusplus
}
#endif
#endif
