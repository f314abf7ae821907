/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * push.c: operators that are pushed to the engine, with their function and node.
 *
 * The engine packs operators that are pushed one by one into one operator: ImperativeBulk. To count
 * them, PushSync() passes the engine the same function object with another function to call it. A
 * std::function has 16 bytes of its own. If MXNet's lambda lies on the heap, 8 of them are free.
 * They store the row and the number of the lambda's kind. So nothing is allocated or freed. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

#include "adapters/mxnet/hooks.h"

/* ----------------------------------------------------------------------------- function objects */

enum { KINDS = 64, KIND_SHIFT = 56 };
static struct {
    _Atomic(void *) invoke;
    int (*manage)(void **, void *const *, int);
} kinds[KINDS];
pthread_mutex_t kinds_lock = PTHREAD_MUTEX_INITIALIZER;

/* The number of a kind of lambda, or -1 if there are too many. */
static int kind_of(const struct function_object *function)
{
    int at = 0;
    for (; at < KINDS; at++) {
        void *known = atomic_load_explicit(&kinds[at].invoke, memory_order_acquire);
        if (known == function->invoke && kinds[at].manage == function->manage)
            return at;
        if (!known)
            break;
    }
    pthread_mutex_lock(&kinds_lock);
    for (; at < KINDS && kinds[at].invoke; at++)
        ;
    if (at < KINDS) {
        kinds[at].manage = function->manage;
        atomic_store_explicit(&kinds[at].invoke, function->invoke, memory_order_release);
    }
    pthread_mutex_unlock(&kinds_lock);
    return at < KINDS ? at : -1;
}

static struct row *noted_row(void *const *data)
{
    return (struct row *)((uintptr_t)data[1] & (((uintptr_t)1 << KIND_SHIFT) - 1));
}
static unsigned noted_kind(void *const *data)
{
    return (unsigned)((uintptr_t)data[1] >> KIND_SHIFT);
}

/* libstdc++'s operations on a function object. */
enum { GET_TYPE, GET_POINTER, CLONE, DESTROY };
static int manage(void **to, void *const *from, int what)
{
    void *const *data = what == DESTROY ? to : from;
    void *note = data[1];
    int result = kinds[noted_kind(data)].manage(to, from, what);
    if (what == CLONE)
        to[1] = note;
    return result;
}

/* Stores a row in a function object, and makes `invoke` call it. Returns 1 if possible. */
static int note(struct function_object *function, struct row *row, void *invoke)
{
    void *pointer[2] = {NULL, NULL};
    if (!row || !function->manage || function->manage == manage || (uintptr_t)row >> KIND_SHIFT)
        return 0;
    function->manage(pointer, function->data, GET_POINTER);
    if (pointer[0] != function->data[0] || pointer[0] == (void *)function->data)
        return 0; /* the lambda lies within the 16 bytes */
    int kind = kind_of(function);
    if (kind < 0)
        return 0;
    function->data[1] = (void *)((uintptr_t)row | (uintptr_t)kind << KIND_SHIFT);
    function->manage = manage;
    function->invoke = invoke;
    return 1;
}

typedef void call_value(void *const *data, struct by_value_32 context);
typedef void call_reference(void *const *data, void *context);
typedef void call_async_1(void *const *data, struct by_value_32 context,
                          struct by_value_24 complete);
typedef void call_async_2(void *const *data, void *context, void *start, void *complete);

static void invoke_value(void *const *data, struct by_value_32 context)
{
    __attribute__((cleanup(leaf_drop))) struct leaf leaf;
    leaf_begin(&leaf, noted_row(data));
    ((call_value *)kinds[noted_kind(data)].invoke)(data, context);
    leaf_end(&leaf);
}

static void invoke_reference(void *const *data, void *context)
{
    __attribute__((cleanup(leaf_drop))) struct leaf leaf;
    leaf_begin(&leaf, noted_row(data));
    ((call_reference *)kinds[noted_kind(data)].invoke)(data, context);
    leaf_end(&leaf);
}

/* Counts a push that may end later: the engine's hooks count its run as this row. */
static void set_frame_row(struct row *row)
{
    if (thread_now && thread_now->frame)
        frame_set_row(thread_now->frame, row);
}

static void invoke_async_1(void *const *data, struct by_value_32 context,
                           struct by_value_24 on_complete)
{
    set_frame_row(noted_row(data));
    ((call_async_1 *)kinds[noted_kind(data)].invoke)(data, context, on_complete);
}

static void invoke_async_2(void *const *data, void *context, void *on_start, void *on_complete)
{
    set_frame_row(noted_row(data));
    ((call_async_2 *)kinds[noted_kind(data)].invoke)(data, context, on_start, on_complete);
}

/* --------------------------------------------------------------------------------------- pushes */

/* The name of a push, with its length. Usually it is the op's own string. */
static struct text name_pushed(const char *attributes, const char *name)
{
    const char *op = attributes ? layout_pointer(attributes, layout->attributes_op) : NULL;
    if (op && layout_pointer(op, 0) == name)
        return string_at(op, 0);
    return (struct text){name, name ? strlen(name) : 0};
}

/* True if the attributes belong to the op of a push: InvokeOp() may push other ops as well. */
static int is_op_of(const char *attributes, struct text name)
{
    const char *op = layout_pointer(attributes, layout->attributes_op);
    struct text known = op ? string_at(op, 0) : TEXT("");
    return known.at == name.at ||
           (known.length == name.length && memcmp(known.at, name.at, name.length) == 0);
}

/* "MyOp::_plus_scalar": MXNet's name for an op that a custom operator's Python code pushes. */
static struct text within_custom(struct thread *thread, struct text op, char room[NAME_ROOM])
{
    struct text custom = thread_custom(thread);
    if (custom.length == 0 || custom.length + op.length + 2 > NAME_ROOM ||
        memmem(op.at, op.length, "::", 2) || row_is_internal(op))
        return op;
    memcpy(room, custom.at, custom.length);
    memcpy(room + custom.length, "::", 2);
    memcpy(room + custom.length + 2, op.at, op.length);
    return (struct text){room, custom.length + 2 + op.length};
}

/* The row of a push of this thread. `way`: how its runs will be counted. */
static struct row *row_pushed(struct thread *thread, const char *name, uint64_t device, int lane,
                              enum row_way way)
{
    char room[NAME_ROOM], joined[NAME_ROOM], shaped[NAME_ROOM];
    struct layout_values values;
    const char *attributes = thread->attributes;
    struct text pushed = name_pushed(attributes, name);
    struct row_key key = {
        .op = pushed,
        .function = thread->function,
        .kind = thread->function >= FUNCTIONS_FIXED ? PROFTOP_SYMBOLIC : PROFTOP_IMPERATIVE,
        .device_type = (int)(device & 0xffffffffu),
        .device_id = (int)(device >> 32),
        .lane = lane,
    };
    if (attributes && is_op_of(attributes, pushed))
        key_from_attributes(&key, attributes, room);
    else
        attributes = NULL;
    if (thread->custom_depth > 0)
        key.op = within_custom(thread, key.op, joined);
    if (rows_by_shapes && attributes) {
        layout_from_pointers(&values, thread->inputs, thread->outputs);
        key_add_shapes(&key, &values, shaped);
    }
    struct row *row = row_of(&key);
    if (row && attributes && !row_is_defined(row)) {
        layout_from_pointers(&values, thread->inputs, thread->outputs);
        row_define(row, way, &values);
    }
    return row;
}

static void before_push_sync(struct thread *thread, struct function_object *function,
                             uint64_t device, int lane, const char *name)
{
    if (!mxnet_feed())
        return;
    struct row *row = row_pushed(thread, name, device, lane, ROW_TIMED);
    void *invoke = layout->context_by_value ? (void *)invoke_value : (void *)invoke_reference;
    if (!note(function, row, invoke))
        return;
    struct op *op = (struct op *)(uintptr_t)row->op->plain; /* the engine's name */
    if (op->holds == HOLDS_NOTHING)
        op->holds = HOLDS_ITSELF;
}

static void leave_push(int *was)
{
    thread_now->in_push = *was;
}

#define PUSH_SYNC(hook)                                                                            \
    void (*hook##_original)(void *, struct function_object *, uint64_t, const void *,              \
                            const void *, int, int, const char *);                                 \
    void hook(void *self, struct function_object *function, uint64_t device, const void *reads,    \
              const void *writes, int property, int priority, const char *name)                    \
    {                                                                                              \
        struct thread *thread = thread_get();                                                      \
        if (!thread) {                                                                             \
            hook##_original(self, function, device, reads, writes, property, priority, name);      \
            return;                                                                                \
        }                                                                                          \
        __attribute__((cleanup(leave_push), unused)) int was = thread->in_push;                    \
        before_push_sync(thread, function, device, property, name);                                \
        thread->in_push = 1;                                                                       \
        hook##_original(self, function, device, reads, writes, property, priority, name);          \
    }
PUSH_SYNC(push_sync)
PUSH_SYNC(push_sync_naive)

void (*push_async_original)(void *, struct function_object *, uint64_t, const void *, const void *,
                            int, int, const char *, _Bool);
void push_async(void *self, struct function_object *function, uint64_t device, const void *reads,
                const void *writes, int property, int priority, const char *name, _Bool wait)
{
    struct thread *thread = thread_get();
    if (thread && !thread->in_push && thread->attributes && mxnet_feed())
        note(function, row_pushed(thread, name, device, property, ROW_GIVEN),
             layout->context_by_value ? (void *)invoke_async_1 : (void *)invoke_async_2);
    push_async_original(self, function, device, reads, writes, property, priority, name, wait);
}

void (*push_original)(void *, void *, uint64_t, int, _Bool);
void push(void *self, void *operator_, uint64_t device, int priority, _Bool profiling)
{
    struct thread *thread = thread_get();
    if (thread && (thread->function >= FUNCTIONS_FIXED ||
                   function_kept(operator_) != FUNCTION_IMPERATIVE))
        function_keep(operator_, thread->function);
    push_original(self, operator_, device, priority, profiling);
}

/* State to restore when InvokeOp() returns. Until then its pushes belong to its node. */
struct pushing {
    struct thread *thread;
    const char *attributes;
    void *const *inputs, *const *outputs;
};
static void leave_invoke(struct pushing *was)
{
    if (!was->thread)
        return;
    was->thread->attributes = was->attributes;
    was->thread->inputs = was->inputs;
    was->thread->outputs = was->outputs;
}

void *(*invoke_original)(void *, void *, const void *, const char *, void *const *, void *const *,
                         const void *, int, void *);
void *invoke(void *result, void *self, const void *context, const char *attributes,
             void *const *inputs, void *const *outputs, const void *requests, int mode, void *state)
{
    struct thread *thread = thread_get();
    __attribute__((cleanup(leave_invoke))) struct pushing was = {.thread = thread};
    if (thread) {
        was = (struct pushing){thread, thread->attributes, thread->inputs, thread->outputs};
        thread->attributes = attributes;
        thread->inputs = inputs;
        thread->outputs = outputs;
    }
    return invoke_original(result, self, context, attributes, inputs, outputs, requests, mode,
                           state);
}
