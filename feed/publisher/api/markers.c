/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * markers.c: markers of proftop_objects.h: a bounded ring of instants, under the feed's lock.
 */
#include "config.h"

#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/thread_objects.h"
#include "proftop_objects.h"

#include <stdio.h>
#include <string.h>

enum { PROCESS = 1 };

proftop_id proftop_marker(struct proftop *feed, proftop_id domain, const char *name)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    const char *of = publisher_domain_name(core, domain);
    const struct publisher_object_key key = {.kind = PUBLISHER_MARKER, .domain = of, .name = name};
    uint32_t id = of == NULL ? PROFTOP_NONE : publisher_define_marker(core, &key);
    publisher_unlock(core);
    return id;
}

/* Returns the id plus 1 of the innermost open task of the thread, or 0. */
static uint32_t open_task(struct publisher_thread_objects *own)
{
    struct publisher_runner *runner = own->runner;
    uint32_t task = 0;
    if (runner == NULL)
        return 0;
    pthread_mutex_lock(&runner->lock);
    for (uint32_t place = runner->top; place != 0 && task == 0;) {
        const struct publisher_run *run = publisher_run_at(runner, place);
        uint32_t span = atomic_load_explicit(&run->span, memory_order_relaxed);
        if (publisher_span_at(own->objects, span)->kind == PUBLISHER_TASK)
            task = span + 1;
        place = run->below;
    }
    pthread_mutex_unlock(&runner->lock);
    return task;
}

/* Returns the number of a scope, or PUBLISHER_MARK_SCOPES if there is none of that name. */
static uint32_t scope_number(const char *word)
{
    uint32_t scope = 0;
    if (word == NULL)
        return PROCESS;
    while (scope < PUBLISHER_MARK_SCOPES && strcmp(word, publisher_mark_scopes[scope]) != 0)
        scope++;
    return scope;
}

static void keep(struct publisher_core *core, const struct publisher_mark *mark)
{
    struct publisher_objects *objects = core->objects;
    if (objects == NULL ||
        mark->marker >= publisher_definitions_count(&core->definitions, PUBLISHER_DEF_MARKER)) {
        publisher_count_misuse(core);
        return;
    }
    objects->mark[objects->marks++ % PUBLISHER_MARKS] = *mark;
}

const char *proftop_mark(struct proftop *feed, proftop_id marker, const char *scope)
{
    struct publisher_block *block;
    struct publisher_thread_objects *own = publisher_thread_objects(feed, &block);
    if (own == NULL)
        return NULL;
    struct publisher_mark mark = {.mono_ns = publisher_clock_ns(), .marker = marker};
    mark.scope = scope_number(scope);
    if (mark.scope == PUBLISHER_MARK_SCOPES) {
        publisher_increment(&block->misuse);
        snprintf(own->error, sizeof own->error,
                 "the scope of a marker can't be '%.64s': it must be global, process, thread, task "
                 "or marker",
                 scope);
        return own->error;
    }
    mark.thread_plus_1 = atomic_load_explicit(&block->defined, memory_order_relaxed);
    mark.task_plus_1 = open_task(own);
    struct publisher_core *core = publisher_counts_calls(feed) ? publisher_lock(feed) : NULL;
    if (core == NULL)
        return NULL;
    keep(core, &mark);
    publisher_unlock(core);
    return NULL;
}
