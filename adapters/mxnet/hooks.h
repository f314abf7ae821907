/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hooks.h: the functions that replace MXNet's, by file.
 */
#ifndef PROFTOP_MXNET_HOOKS_H
#define PROFTOP_MXNET_HOOKS_H

#include <pthread.h>

#include "adapters/mxnet/frames.h"
#include "adapters/common/slots.h"

/* Arguments of MXNet's functions that come by value, in memory. */
struct by_value_32 {
    uint64_t word[4]; /* RunContext, in 1.9.1 */
};
struct by_value_24 {
    uint64_t word[3]; /* CallbackOnStart, CallbackOnComplete */
};
/* A std::function. */
struct function_object {
    void *data[2];
    int (*manage)(void **to, void *const *from, int what);
    void *invoke;
};

/* The locks of these files, in locking order after publish_lock. libproftop's locks come after
 * them. */
extern pthread_mutex_t rows_lock, pools_lock, pending_lock, kinds_lock;

/* engine.c */
/* Sets a key's function, device and lane from the operator in a block. */
void key_from_block(struct row_key *key, const char *block);
void frame_begin(struct frame *frame, char *block);
void frame_leave(struct frame *frame);
void frame_complete(const void *block);
void frame_set_row(struct frame *frame, struct row *row);
void queue_begin(void);
void pending_forget(void);
void queue_ready(char *block);
struct queue_state {
    uint64_t ready, started, wait_stamps;
};
struct queue_state queue_state(void);

/* The hooks, and pointers to the originals. */
#define HOOK(result, name, ...)                                                                    \
    extern result (*name##_original)(__VA_ARGS__);                                                 \
    result name(__VA_ARGS__)

/* engine.c */
HOOK(void, execute_1, void *self, struct by_value_32 context, char *block);
HOOK(void, execute_2, void *self, struct by_value_32 context, char *block,
     struct by_value_24 start, struct by_value_24 complete);
HOOK(void, complete, void *engine, void *block, const void *error);
HOOK(void, ready_pooled, void *self, char *block, _Bool pusher);
HOOK(void, ready_per_device, void *self, char *block, _Bool pusher);
/* push.c */
HOOK(void, push_sync, void *self, struct function_object *function, uint64_t device,
     const void *reads, const void *writes, int property, int priority, const char *name);
HOOK(void, push_sync_naive, void *self, struct function_object *function, uint64_t device,
     const void *reads, const void *writes, int property, int priority, const char *name);
HOOK(void, push_async, void *self, struct function_object *function, uint64_t device,
     const void *reads, const void *writes, int property, int priority, const char *name,
     _Bool wait);
HOOK(void, push, void *self, void *operator_, uint64_t device, int priority, _Bool profiling);
HOOK(void *, invoke, void *result, void *self, const void *context, const char *attributes,
     void *const *inputs, void *const *outputs, const void *requests, int mode, void *state);
/* calls.c */
HOOK(void *, backward, void *result, void *self, const void *outputs, const void *gradients,
     const void *variables, _Bool train, _Bool retain, _Bool create);
HOOK(void *, dynamic_forward, void *result, void *self, const void *context, const void *inputs,
     const void *outputs, _Bool naive);
HOOK(void *, static_forward, void *result, void *self, const void *context, const void *inputs,
     const void *outputs);
HOOK(void, dynamic_backward, void *self, _Bool retain, const void *state, const void *inputs,
     const void *requests, const void *outputs);
HOOK(void, static_backward, void *self, _Bool retain, const void *state, const void *inputs,
     const void *requests, const void *outputs);
HOOK(void, executor_forward, void *self, _Bool train);
HOOK(void, executor_partial, void *self, _Bool train, int step, int *left);
HOOK(void, executor_backward, void *self, const void *gradients, _Bool train);
HOOK(void, wait_var, void *self, void *variable);
HOOK(void, wait_all, void *self);
HOOK(void, wait_var_naive, void *self, void *variable);
HOOK(void, wait_all_naive, void *self);
HOOK(void, api_enter, const char *name);
HOOK(void, api_exit, void);
/* node.c */
HOOK(void, run_fcompute, char *self, struct by_value_32 context, _Bool gpu);
HOOK(void, run_fcompute_ex, char *self, struct by_value_32 context, _Bool gpu);
HOOK(void, run_stateful, char *self, struct by_value_32 context, _Bool gpu);
HOOK(void, run_stateful_ex, char *self, struct by_value_32 context, _Bool gpu);
/* stats.c */
HOOK(void, profile_stat, void *self, const char *stat);
/* forks.c */
HOOK(void, fork_prepare, void *self);
HOOK(void, fork_parent, void *self);
HOOK(void, fork_child, void *self);
void forks_watch(void); /* call after libproftop's own handler is installed */
/* memory.c */
HOOK(void, allocate_1, void *self, char *handle);
HOOK(void, allocate_2, void *self, char *handle, _Bool failsafe);
HOOK(void, free_1, void *self, struct by_value_32 handle);
HOOK(void, free_2, void *self, char *handle);
HOOK(void, free_direct_1, void *self, struct by_value_32 handle);
HOOK(void, free_direct_2, void *self, char *handle);

#endif
