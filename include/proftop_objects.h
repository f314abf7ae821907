/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_objects.h: data besides the graphs: counters, tasks, frames, events, markers, and the
 * memory of devices.
 *
 * All rules of proftop.h hold. A definition is identified by its kind, domain and name: a second
 * definition of the same, from any thread, returns the same id and costs nothing more. Definitions
 * live as long as the feed; the caller frees nothing. There can be 65,536 counters (including
 * memory), and as many spans, markers, domains and scopes each. Further definitions return
 * PROFTOP_NONE and are counted as dropped. Definitions, starts, stops, marks and scope pushes take
 * a lock briefly and may allocate; no call waits for a viewer.
 *
 * A reset (proftop_control.h) clears all statistics; values, instants and open runs stay.
 *
 * While the collection is stopped or paused, the values of counters and memory, and the peak of
 * memory, still follow the program, so that they are right when it resumes. Nothing is counted.
 */
#ifndef PROFTOP_OBJECTS_H
#define PROFTOP_OBJECTS_H

#include "proftop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A domain: the group of tasks, frames, counters and markers. An empty or NULL name is misuse and
 * returns PROFTOP_NONE. */
PROFTOP_API proftop_id proftop_domain(struct proftop *feed, const char *name);

/* ------------------------------------------------------------------------------------- counters
 *
 * A counter is a value that goes up and down: a signed 64-bit integer, or a double. The two are
 * never mixed: a call of the other kind is misuse. One counter of each kind may have the same
 * domain and name; proftop_dumps() prints the second as "NAME (2)". Viewers see the value, the
 * number of updates, and the smallest, largest and mean value after an update. Any number of
 * threads may update a counter: no update is lost, and none waits. */

/* A counter without a value yet. Viewers show `unit` beside it ("bytes", "rows"); the unit of the
 * first definition stays. NULL: no unit. */
PROFTOP_API proftop_id proftop_counter(struct proftop *feed, proftop_id domain, const char *name,
                                       const char *unit);
PROFTOP_API proftop_id proftop_counter_f64(struct proftop *feed, proftop_id domain,
                                           const char *name, const char *unit);

/* Defines a counter and sets its first value: one update. */
PROFTOP_API proftop_id proftop_counter_from(struct proftop *feed, proftop_id domain,
                                            const char *name, const char *unit, int64_t value);
PROFTOP_API proftop_id proftop_counter_from_f64(struct proftop *feed, proftop_id domain,
                                                const char *name, const char *unit, double value);

/* Sets a counter, or adds to it; `delta` may be negative. Adding to a counter without a value
 * starts from 0. An update that would leave the range of the value, or is no finite number, is
 * counted as invalid and not done. */
PROFTOP_API void proftop_counter_set(struct proftop *feed, proftop_id counter, int64_t value);
PROFTOP_API void proftop_counter_add(struct proftop *feed, proftop_id counter, int64_t delta);
PROFTOP_API void proftop_counter_set_f64(struct proftop *feed, proftop_id counter, double value);
PROFTOP_API void proftop_counter_add_f64(struct proftop *feed, proftop_id counter, double delta);

/* ------------------------------------------------------------------ spans: task, frame, event
 *
 * A span is a named duration. Each start returns a run, which one stop consumes, on any thread.
 * Runs may nest, overlap, and be open on many threads at once. Viewers see calls, total, self,
 * shortest, longest and last time, the threads that stopped runs, and since when one is open. Time
 * belongs to the innermost run: the self time of a run excludes runs started inside it on the same
 * thread, while they are open. A stop without an open run is counted as invalid and not added. A
 * run started or stopped while the collection is paused is not counted; a pause in between is part
 * of the run's time. A thread may have 65,536 open runs, and 4,096 threads may have open runs at a
 * time: a start beyond that starts nothing and is counted as dropped. */
struct proftop_run {
    uint64_t start;  /* ns of the library's clock; 0: nothing was started */
    uint64_t number; /* counts all runs that the thread has started */
    uint32_t place;  /* internal to the library */
    uint32_t thread; /* the thread that started it */
};

/* Returned by a start when there is no library. */
static inline struct proftop_run proftop_no_run(void)
{
    struct proftop_run none = {0, 0, 0, 0};
    return none;
}

/* A task: a piece of work of a domain. All threads share its row. */
PROFTOP_API proftop_id proftop_task(struct proftop *feed, proftop_id domain, const char *name);
PROFTOP_API struct proftop_run proftop_task_start(struct proftop *feed, proftop_id task);
PROFTOP_API void proftop_task_stop(struct proftop *feed, struct proftop_run run);

/* A frame: one pass of a repeating activity. Runs are numbered from 1, in the order of their
 * starts. Viewers see frames per second and, of the last 256 frames, the slowest with their
 * numbers. */
PROFTOP_API proftop_id proftop_frame(struct proftop *feed, proftop_id domain, const char *name);
PROFTOP_API struct proftop_run proftop_frame_start(struct proftop *feed, proftop_id frame);
PROFTOP_API void proftop_frame_stop(struct proftop *feed, struct proftop_run run);

/* An event: a stretch of code, without a domain (viewers show the domain `event`). */
PROFTOP_API proftop_id proftop_event(struct proftop *feed, const char *name);
PROFTOP_API struct proftop_run proftop_event_start(struct proftop *feed, proftop_id event);
PROFTOP_API void proftop_event_stop(struct proftop *feed, struct proftop_run run);

/* Ends a run of any kind, and does not count it: when it really ended is not known. */
PROFTOP_API void proftop_run_drop(struct proftop *feed, struct proftop_run run);

/* ------------------------------------------------------------------------------------- markers */

/* A marker: a name for instants. */
PROFTOP_API proftop_id proftop_marker(struct proftop *feed, proftop_id domain, const char *name);

/* Marks this instant, with the calling thread and its open task. `scope` is the audience: "global",
 * "process", "thread", "task" or "marker"; NULL: "process". Returns NULL, or a sentence that says
 * why the scope is wrong, valid until the calling thread's next call. The last 4,096 instants are
 * kept; an instant lost before viewers were sent it is counted as dropped. */
PROFTOP_API const char *proftop_mark(struct proftop *feed, proftop_id marker, const char *scope);

/* -------------------------------------------------------------------------- scopes and memory */

/* Enters a named scope on the calling thread. The scope applies to the memory that the thread
 * allocates, and is the location of applies that it defines without one. A `:` is appended to the
 * name if missing. With `append` not 0 the name of the enclosing scope is prepended ("net:" and
 * "layer1" make "net:layer1:"). NULL and "" are "<unk>:", the scope of a thread outside any scope.
 * Returns the full name, valid until the feed is closed. Scopes nest 64 deep; deeper ones keep the
 * name of the 64th. */
PROFTOP_API const char *proftop_scope_push(struct proftop *feed, const char *name, int append);
/* Leaves the scope: the enclosing scope is current again. Without a push it is misuse. */
PROFTOP_API void proftop_scope_pop(struct proftop *feed);
/* Full name of the calling thread's scope. */
PROFTOP_API const char *proftop_scope(struct proftop *feed);

/* Memory of a device ("gpu/0") in one of its pools ("storage"; NULL: the device has one), in a
 * scope: a name as above, NULL for the calling thread's scope, "" for the pool as a whole. Amounts
 * counted for a scope also count for the whole pool, so that the pool's peak is exact too. An empty
 * or NULL device is misuse. */
PROFTOP_API proftop_id proftop_memory(struct proftop *feed, const char *device, const char *pool,
                                      const char *scope);

/* `bytes` were allocated, or freed. The peak is updated at each allocation, so even a short peak is
 * kept. Freeing more than is allocated leaves 0 and is counted as invalid. An allocation that would
 * take a scope or its pool above 2^62 is counted as invalid and not done. Free by the id that
 * allocated: memory freed by another id of the pool leaves the pool's value right, but stays in the
 * value of the allocating scope. */
PROFTOP_API void proftop_memory_alloc(struct proftop *feed, proftop_id memory, uint64_t bytes);
PROFTOP_API void proftop_memory_free(struct proftop *feed, proftop_id memory, uint64_t bytes);
/* The capacity; PROFTOP_UNKNOWN: unknown. */
PROFTOP_API void proftop_memory_limit(struct proftop *feed, proftop_id memory, uint64_t bytes);

#if defined(PROFTOP_OFF) || defined(PROFTOP_DYNAMIC)
#define PROFTOP_OBJECTS_CALLS
#include "proftop_calls.h"
#endif

#ifdef __cplusplus
}
#endif
#endif
