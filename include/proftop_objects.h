/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_objects.h: what a program says of itself beside its graphs: counters, tasks, frames,
 * events, markers, and the memory of its devices.
 *
 * All rules of proftop.h hold. What is defined here is found again by its kind, domain and name:
 * a second definition of the same gives the same id, from any thread, and costs nothing more.
 * Definitions live as long as the feed; nothing is ever freed by the caller. Of counters (memory
 * among them), of spans, of markers, of domains and of scopes there can be 65,536 each; what is
 * beyond that is PROFTOP_NONE and counted as dropped. Definitions, starts and stops, marks and
 * scopes that are entered take a lock for a moment, and may allocate; no call waits for a viewer.
 *
 * A reset (proftop_control.h) begins all statistics anew; values, instants and open runs stay.
 *
 * While the collection is stopped or paused, the values of counters and memory, and the peak of
 * memory, follow the program, so that they are right when it goes on; but nothing is counted.
 */
#ifndef PROFTOP_OBJECTS_H
#define PROFTOP_OBJECTS_H

#include "proftop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A domain: the group in which tasks, frames, counters and markers stand. Its name must not be
 * empty or NULL: that is misuse and gives PROFTOP_NONE. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_domain,
           (struct proftop *feed, const char *name), (feed, name));

/* ------------------------------------------------------------------------------------- counters
 *
 * A counter is a value that goes up and down: of 64 bits with sign, or a double. The two are
 * never mixed: a counter takes the calls of its kind alone, others are misuse. One of each may have
 * the same domain and name; proftop_dumps() has the second as "NAME (2)". Viewers see its value,
 * how often it was updated, and the smallest, largest and mean of the values that it had after its
 * updates. Any number of threads may update a counter: no update is lost, none waits. */

/* A counter without a value, so far. `unit` is what viewers show beside it ("bytes", "rows"); that
 * of the first definition stays. NULL: none. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_counter,
           (struct proftop *feed, proftop_id domain, const char *name, const char *unit),
           (feed, domain, name, unit));
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_counter_f64,
           (struct proftop *feed, proftop_id domain, const char *name, const char *unit),
           (feed, domain, name, unit));

/* The same, then set to a first value: one update. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_counter_from,
           (struct proftop *feed, proftop_id domain, const char *name, const char *unit,
            int64_t value),
           (feed, domain, name, unit, value));
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_counter_from_f64,
           (struct proftop *feed, proftop_id domain, const char *name, const char *unit,
            double value),
           (feed, domain, name, unit, value));

/* Sets a counter, or adds to it, which may be negative. A counter without a value counts as 0
 * when it is added to. What would leave the range of the value, or is no finite number, is counted
 * as invalid and not done. */
PROFTOP_PROC(proftop_counter_set,
             (struct proftop *feed, proftop_id counter, int64_t value), (feed, counter, value));
PROFTOP_PROC(proftop_counter_add,
             (struct proftop *feed, proftop_id counter, int64_t delta), (feed, counter, delta));
PROFTOP_PROC(proftop_counter_set_f64,
             (struct proftop *feed, proftop_id counter, double value), (feed, counter, value));
PROFTOP_PROC(proftop_counter_add_f64,
             (struct proftop *feed, proftop_id counter, double delta), (feed, counter, delta));

/* ------------------------------------------------------------------ spans: task, frame, event
 *
 * A span is a named duration. Each start gives a run that one stop takes, on any thread; runs may
 * nest, overlap, and be open on many threads at once. Viewers see calls, total, self, shortest,
 * longest, last, on which threads runs were stopped, and since when one is open. Time belongs to
 * the innermost run: the self time of a run is without the runs that were started inside it on the
 * same thread, while they are open. A stop of what is not open is counted as invalid and not
 * added. A start or a stop while the collection is paused makes a run that is not counted; a pause
 * between them is in the time of the run. 65,536 runs of a thread may be open, and of 4,096 threads
 * at a time: a start beyond that starts nothing and is counted as dropped. */
struct proftop_run {
    uint64_t start;  /* ns of the library's clock; 0: nothing was started */
    uint64_t number; /* of all runs that the thread has started */
    uint32_t place;  /* where the library keeps it */
    uint32_t thread; /* whose it is */
};

/* What a start gives when there is no library. */
static inline struct proftop_run proftop_no_run(void)
{
    struct proftop_run none = {0, 0, 0, 0};
    return none;
}

/* A task: a piece of work of a domain, on one row whichever thread does it. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_task,
           (struct proftop *feed, proftop_id domain, const char *name), (feed, domain, name));
PROFTOP_FN(struct proftop_run, proftop_no_run(), proftop_task_start,
           (struct proftop *feed, proftop_id task), (feed, task));
PROFTOP_PROC(proftop_task_stop, (struct proftop *feed, struct proftop_run run), (feed, run));

/* A frame: one pass of something that comes again and again. Runs are numbered from 1, in the
 * order in which they start. Viewers see frames per second and, of the last 256 frames, the
 * slowest with their numbers. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_frame,
           (struct proftop *feed, proftop_id domain, const char *name), (feed, domain, name));
PROFTOP_FN(struct proftop_run, proftop_no_run(), proftop_frame_start,
           (struct proftop *feed, proftop_id frame), (feed, frame));
PROFTOP_PROC(proftop_frame_stop, (struct proftop *feed, struct proftop_run run), (feed, run));

/* An event: a stretch of code, without a domain (viewers show the domain `event`). */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_event,
           (struct proftop *feed, const char *name), (feed, name));
PROFTOP_FN(struct proftop_run, proftop_no_run(), proftop_event_start,
           (struct proftop *feed, proftop_id event), (feed, event));
PROFTOP_PROC(proftop_event_stop, (struct proftop *feed, struct proftop_run run), (feed, run));

/* ------------------------------------------------------------------------------------- markers */

/* A marker: a name for instants. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_marker,
           (struct proftop *feed, proftop_id domain, const char *name), (feed, domain, name));

/* Marks this instant, with the calling thread and the task that is open on it. `scope` says for
 * whom it is meant: "global", "process", "thread", "task" or "marker"; NULL: "process". Gives NULL,
 * or a sentence that says what is wrong with the scope; it is the calling thread's until its next
 * call. The last 4,096 instants are kept; what is lost before viewers were sent it is counted as
 * dropped. */
PROFTOP_FN(const char *, NULL, proftop_mark,
           (struct proftop *feed, proftop_id marker, const char *scope), (feed, marker, scope));

/* -------------------------------------------------------------------------- scopes and memory */

/* Enters a named scope on the calling thread, for the memory that it allocates, and as the location
 * of the applies that it defines, unless they have one. A `:` is added to the name if it has none
 * at its end. With `append` not 0 the scope around it stands in front ("net:" and "layer1" make
 * "net:layer1:"), else the name stands alone. NULL and "" are "<unk>:", the scope of a thread that
 * is in none. Gives the full name, valid until the feed is closed. Scopes nest 64 deep; what is
 * deeper keeps the name of the 64th. */
PROFTOP_FN(const char *, "<unk>:", proftop_scope_push,
           (struct proftop *feed, const char *name, int append), (feed, name, append));
/* Leaves it: the scope around it is back. Without a push it is misuse. */
PROFTOP_PROC(proftop_scope_pop, (struct proftop *feed), (feed));
/* Full name of the calling thread's scope. */
PROFTOP_FN(const char *, "<unk>:", proftop_scope, (struct proftop *feed), (feed));

/* Memory of a device ("gpu/0") in one of its pools ("storage"; NULL: the device has one), within a
 * scope: a name as above, NULL for the calling thread's scope, "" for the pool as a whole. What is
 * counted for a scope is counted for the whole pool too, so that its peak is exact as well. The
 * device must not be empty or NULL. */
PROFTOP_FN(proftop_id, PROFTOP_NONE, proftop_memory,
           (struct proftop *feed, const char *device, const char *pool, const char *scope),
           (feed, device, pool, scope));

/* `bytes` were allocated, or freed. The largest value is kept at each allocation, so no peak is
 * missed however short. Freeing more than there is leaves 0 and is counted as invalid; what would
 * make a scope or its pool more than 2^62 is counted as invalid and not done. Free by the id that
 * allocated: what another id of the pool frees leaves the whole pool right, but stays in the value
 * of the scope that has it. */
PROFTOP_PROC(proftop_memory_alloc,
             (struct proftop *feed, proftop_id memory, uint64_t bytes), (feed, memory, bytes));
PROFTOP_PROC(proftop_memory_free,
             (struct proftop *feed, proftop_id memory, uint64_t bytes), (feed, memory, bytes));
/* How much there can be; PROFTOP_UNKNOWN: not known. */
PROFTOP_PROC(proftop_memory_limit,
             (struct proftop *feed, proftop_id memory, uint64_t bytes), (feed, memory, bytes));

#ifdef __cplusplus
}
#endif
#endif
