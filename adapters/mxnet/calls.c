/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * calls.c: hooks that run on the job's own threads: calls of CachedOps and Executors, the backward
 * pass, waits, and calls of the C interface. */
#include <stdio.h>

#include "adapters/mxnet/hooks.h"

/* A running call of a function, on its caller's thread. Operators that the thread pushes during the
 * call belong to the function. */
struct call {
    struct thread *thread;
    unsigned was;
    struct proftop *feed;
    proftop_id function;
    struct proftop_token token;
};

static void call_begin(struct call *call, unsigned function)
{
    call->thread = thread_get();
    call->feed = call->thread ? mxnet_feed() : NULL;
    if (!call->thread)
        return;
    call->was = call->thread->function;
    /* Backward() runs CachedOps: the operators that they push belong to them. Nested CachedOps
     * belong to the outer one. */
    if (function < FUNCTIONS_FIXED || call->was < FUNCTIONS_FIXED)
        call->thread->function = function;
    if (!call->feed)
        return;
    call->function = function_id(function);
    call->token = proftop_call_begin(call->feed, call->function);
}
static void call_end(struct call *call)
{
    if (call->feed)
        proftop_call_end(call->feed, call->function, call->token);
    call->feed = NULL;
}
static void call_leave(struct call *call)
{
    if (call->feed)
        proftop_call_fail(call->feed, call->function, call->token);
    if (call->thread)
        call->thread->function = call->was;
}
#define CALL(function)                                                                             \
    __attribute__((cleanup(call_leave))) struct call call;                                         \
    call_begin(&call, function)

/* Operators of a CachedOp's gradient belong to the CachedOp, but the gradient is no call of it. */
static void enter_gradient(struct call *call, const void *object)
{
    *call = (struct call){.thread = thread_get()};
    if (!call->thread)
        return;
    call->was = call->thread->function;
    call->thread->function = function_of(object, 0);
}
#define GRADIENT(object)                                                                           \
    __attribute__((cleanup(call_leave))) struct call call;                                         \
    enter_gradient(&call, object)

void *(*backward_original)(void *, void *, const void *, const void *, const void *, _Bool, _Bool,
                           _Bool);
void *backward(void *result, void *self, const void *outputs, const void *gradients,
               const void *variables, _Bool train, _Bool retain, _Bool create)
{
    CALL(FUNCTION_BACKWARD);
    backward_original(result, self, outputs, gradients, variables, train, retain, create);
    call_end(&call);
    return result;
}

void *(*dynamic_forward_original)(void *, void *, const void *, const void *, const void *, _Bool);
void *dynamic_forward(void *result, void *self, const void *context, const void *inputs,
                      const void *outputs, _Bool naive)
{
    CALL(function_of(self, 0));
    dynamic_forward_original(result, self, context, inputs, outputs, naive);
    call_end(&call);
    return result;
}

void *(*static_forward_original)(void *, void *, const void *, const void *, const void *);
void *static_forward(void *result, void *self, const void *context, const void *inputs,
                     const void *outputs)
{
    CALL(function_of(self, 0));
    static_forward_original(result, self, context, inputs, outputs);
    call_end(&call);
    return result;
}

void (*dynamic_backward_original)(void *, _Bool, const void *, const void *, const void *,
                                  const void *);
void dynamic_backward(void *self, _Bool retain, const void *state, const void *inputs,
                      const void *requests, const void *outputs)
{
    GRADIENT(self);
    dynamic_backward_original(self, retain, state, inputs, requests, outputs);
}

void (*static_backward_original)(void *, _Bool, const void *, const void *, const void *,
                                 const void *);
void static_backward(void *self, _Bool retain, const void *state, const void *inputs,
                     const void *requests, const void *outputs)
{
    GRADIENT(self);
    static_backward_original(self, retain, state, inputs, requests, outputs);
}

void (*executor_forward_original)(void *, _Bool);
void executor_forward(void *self, _Bool train)
{
    CALL(function_of(self, 1));
    executor_forward_original(self, train);
    call_end(&call);
}

void (*executor_partial_original)(void *, _Bool, int, int *);
void executor_partial(void *self, _Bool train, int step, int *left)
{
    CALL(function_of(self, 1));
    executor_partial_original(self, train, step, left);
    call_end(&call);
}

void (*executor_backward_original)(void *, const void *, _Bool);
void executor_backward(void *self, const void *gradients, _Bool train)
{
    GRADIENT(self);
    executor_backward_original(self, gradients, train);
}

/* ---------------------------------------------------------------------------------------- waits */

static void wait_begin(struct leaf *leaf, struct text name)
{
    struct row_key key = {.op = name,
                          .function = FUNCTION_API,
                          .kind = PROFTOP_IMPERATIVE,
                          .waits = PROFTOP_WAITS,
                          .family = "wait"};
    leaf_begin(leaf, row_of(&key));
}

#define WAIT(name)                                                                                 \
    __attribute__((cleanup(leaf_drop))) struct leaf leaf;                                          \
    wait_begin(&leaf, TEXT(name))
#define WAIT_VAR "wait for a value"
#define WAIT_ALL "wait for all"

void (*wait_var_original)(void *, void *);
void wait_var(void *self, void *variable)
{
    WAIT(WAIT_VAR);
    wait_var_original(self, variable);
    leaf_end(&leaf);
}

void (*wait_all_original)(void *);
void wait_all(void *self)
{
    WAIT(WAIT_ALL);
    wait_all_original(self);
    leaf_end(&leaf);
}

void (*wait_var_naive_original)(void *, void *);
void wait_var_naive(void *self, void *variable)
{
    WAIT(WAIT_VAR);
    wait_var_naive_original(self, variable);
    leaf_end(&leaf);
}

void (*wait_all_naive_original)(void *);
void wait_all_naive(void *self)
{
    WAIT(WAIT_ALL);
    wait_all_naive_original(self);
    leaf_end(&leaf);
}

/* ----------------------------------------------------------------------------- custom operators */

void mxnet_custom_begin(const char *name)
{
    struct thread *thread = thread_get();
    struct proftop *feed = mxnet_feed();
    char label[NAME_ROOM];
    if (!thread || thread->custom_depth++ >= CUSTOM_DEPTH)
        return;
    struct custom_call *call = &thread->custom[thread->custom_depth - 1];
    *call = (struct custom_call){.apply = PROFTOP_NONE, .name = {"", 0}};
    int length = snprintf(label, sizeof label, "%.512s::pure_python", name);
    struct row_key key = {.op = {label, (size_t)length},
                          .function = FUNCTION_IMPERATIVE,
                          .kind = PROFTOP_IMPERATIVE};
    struct row *row = feed ? row_of(&key) : NULL;
    if (!row)
        return;
    call->name = (struct text){row->op->name, (size_t)length - sizeof "::pure_python" + 1};
    call->feeds = mxnet_feeds();
    call->apply = row_apply(row, ROW_TIMED);
    call->token = proftop_begin(feed, call->apply);
}

void mxnet_custom_end(void)
{
    struct thread *thread = thread_now;
    struct proftop *feed = mxnet_feed();
    if (!thread || thread->custom_depth == 0 || thread->custom_depth-- > CUSTOM_DEPTH)
        return;
    struct custom_call *call = &thread->custom[thread->custom_depth];
    if (feed && call->apply != PROFTOP_NONE && call->feeds == mxnet_feeds())
        proftop_end(feed, call->apply, call->token);
}

/* ---------------------------------------------------------------------------------- C interface */

static struct row *api_row(struct thread *thread, const char *name)
{
    unsigned at = (unsigned)((uintptr_t)name >> 3) % API_ROWS;
    if (thread->api_rows[at].name == name && thread->feeds == mxnet_feeds())
        return thread->api_rows[at].row;
    struct row_key key = {.op = {name, strlen(name)},
                          .function = FUNCTION_API,
                          .kind = PROFTOP_CALL,
                          .waits = PROFTOP_ASIDE, /* the engine's rows count the work inside */
                          .family = "MXNET_C_API"};
    struct row *row = row_of(&key);
    if (row) {
        thread->api_rows[at].name = name;
        thread->api_rows[at].row = row;
    }
    return row;
}

/* Begins the row of a call in the thread's own stack of calls: calls of the C interface nest. */
static void api_begin(struct thread *thread, struct proftop *feed, const char *name)
{
    struct row *row = api_row(thread, name);
    struct api_call *call = &thread->api[thread->api_depth];
    call->apply = row ? row_apply(row, ROW_TIMED) : PROFTOP_NONE;
    if (row)
        call->token = proftop_begin(feed, call->apply);
}

void (*api_enter_original)(const char *);
void api_enter(const char *name)
{
    struct thread *thread = thread_get();
    struct proftop *feed = mxnet_feed();
    api_enter_original(name);
    if (!thread)
        return;
    if (thread->api_attached != state_attachments) { /* the exits of older calls had no hook */
        thread->api_attached = state_attachments;
        thread->api_depth = 0;
    }
    if (thread->api_depth < API_DEPTH) {
        thread->api[thread->api_depth].apply = PROFTOP_NONE;
        if (feed && name)
            api_begin(thread, feed, name);
    }
    thread->api_depth++;
}

void (*api_exit_original)(void);
void api_exit(void)
{
    struct thread *thread = thread_now;
    struct proftop *feed = mxnet_feed();
    if (thread && thread->api_attached == state_attachments && thread->api_depth > 0 &&
        --thread->api_depth < API_DEPTH) {
        struct api_call *call = &thread->api[thread->api_depth];
        if (feed && call->apply != PROFTOP_NONE)
            proftop_end(feed, call->apply, call->token);
    }
    api_exit_original();
}
