/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * markers.c: markers of proftop_objects.h: a bounded ring of instants, under the feed's lock.
 */
#include "config.h"

#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/objects.h"
#include "feed/publisher/record/thread_buffer.h"
#include "proftop_objects.h"

#include <stdio.h>
#include <string.h>

const char *const feed_mark_scopes[FEED_MARK_SCOPES] = {"global", "process", "thread", "task",
                                                        "marker"};
enum { PROCESS = 1 };

proftop_id proftop_marker(struct proftop *feed, proftop_id domain, const char *name)
{
    struct feed_core *core = feed_enter(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    const char *of = feed_domain_name(core, domain);
    const struct feed_object_key key = {.kind = FEED_MARKER, .domain = of, .name = name};
    uint32_t id = of == NULL ? PROFTOP_NONE : feed_define_marker(core, &key);
    feed_leave(core);
    return id;
}

/* The innermost task that is open on the thread plus 1, or 0. */
static uint32_t open_task(struct feed_own *own)
{
    struct feed_runner *runner = own->runner;
    uint32_t task = 0;
    if (runner == NULL)
        return 0;
    pthread_mutex_lock(&runner->lock);
    for (uint32_t place = runner->top; place != 0 && task == 0;) {
        const struct feed_run *run = feed_run_at(runner, place);
        uint32_t span = atomic_load_explicit(&run->span, memory_order_relaxed);
        if (feed_span_at(own->objects, span)->kind == FEED_TASK)
            task = span + 1;
        place = run->below;
    }
    pthread_mutex_unlock(&runner->lock);
    return task;
}

/* The number of a scope; FEED_MARK_SCOPES: there is none of that name. */
static uint32_t scope_number(const char *word)
{
    uint32_t scope = 0;
    if (word == NULL)
        return PROCESS;
    while (scope < FEED_MARK_SCOPES && strcmp(word, feed_mark_scopes[scope]) != 0)
        scope++;
    return scope;
}

static void keep(struct feed_core *core, const struct feed_mark *mark)
{
    struct feed_objects *objects = core->objects;
    if (objects == NULL || mark->marker >= feed_book_count(&core->book, FEED_T_MARKER)) {
        feed_misused(core);
        return;
    }
    objects->mark[objects->marks++ % FEED_MARKS] = *mark;
}

const char *proftop_mark(struct proftop *feed, proftop_id marker, const char *scope)
{
    struct feed_block *block;
    struct feed_own *own = feed_own(feed, &block);
    if (own == NULL)
        return NULL;
    struct feed_mark mark = {.mono_ns = feed_clock_ns(), .marker = marker};
    mark.scope = scope_number(scope);
    if (mark.scope == FEED_MARK_SCOPES) {
        feed_bump(&block->misuse);
        snprintf(own->error, sizeof own->error,
                 "the scope of a marker can't be '%.64s': it must be global, process, thread, task "
                 "or marker",
                 scope);
        return own->error;
    }
    mark.thread_plus_1 = atomic_load_explicit(&block->defined, memory_order_relaxed);
    mark.task_plus_1 = open_task(own);
    struct feed_core *core = feed_counts_calls(feed) ? feed_enter(feed) : NULL;
    if (core == NULL)
        return NULL;
    keep(core, &mark);
    feed_leave(core);
    return NULL;
}
