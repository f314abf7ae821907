/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * node.c: nodes that executors and static CachedOps run, inside the segments that the engine
 * runs. */
#include "adapters/mxnet/hooks.h"

static struct row *row_of_node(const char *executor)
{
    const char *attributes = executor + layout->executor_attributes;
    struct thread *thread = thread_get();
    if (!thread || !mxnet_feed())
        return NULL;
    char room[NAME_ROOM], shaped[NAME_ROOM];
    struct layout_values values;
    struct row_key key = {.function = thread->function, .kind = PROFTOP_SYMBOLIC};
    key_from_attributes(&key, attributes, room);
    if (thread->frame) /* an engine's thread; NaiveEngine has no frames */
        key_from_block(&key, thread->frame->block);
    if (rows_by_shapes) {
        layout_from_executor(&values, executor);
        key_add_shapes(&key, &values, shaped);
    }
    struct row *row = row_of(&key);
    /* A custom operator continues after Run() has returned: the engine's hooks notice its end. */
    int later = thread->frame && key.waits == PROFTOP_ASIDE;
    if (row && !row_is_defined(row)) {
        layout_from_executor(&values, executor);
        row_define(row, later ? ROW_GIVEN : ROW_TIMED, &values);
    }
    if (row && later) {
        frame_set_row(thread->frame, row);
        return NULL;
    }
    return row;
}

#define RUN(hook)                                                                                  \
    void (*hook##_original)(char *, struct by_value_32, _Bool);                                    \
    void hook(char *self, struct by_value_32 context, _Bool gpu)                                   \
    {                                                                                              \
        __attribute__((cleanup(leaf_drop))) struct leaf leaf;                                      \
        leaf_begin(&leaf, row_of_node(self));                                                      \
        hook##_original(self, context, gpu);                                                       \
        leaf_end(&leaf);                                                                           \
    }
RUN(run_fcompute)
RUN(run_fcompute_ex)
RUN(run_stateful)
RUN(run_stateful_ex)
