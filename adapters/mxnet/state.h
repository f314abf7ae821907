/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state.h: the state of the MXNet adapter: its threads, and what is attached.
 */
#ifndef PROFTOP_MXNET_STATE_H
#define PROFTOP_MXNET_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "adapters/mxnet/mxnet.h"

/* A borrowed text with its length. */
struct text {
    const char *at;
    size_t length;
};
static inline int text_is(struct text text, const char *string)
{
    return strlen(string) == text.length && memcmp(text.at, string, text.length) == 0;
}
#define TEXT(literal) ((struct text){literal, sizeof(literal) - 1})

/* Functions of the feed that always exist (rows.h). */
enum { FUNCTION_IMPERATIVE, FUNCTION_BACKWARD, FUNCTION_ENGINE, FUNCTION_API, FUNCTIONS_FIXED };
enum { FUNCTIONS_MOST = 4096 }; /* the last one takes all later ones */

struct frame; /* frames.h */
struct row;   /* rows.h */

enum { CACHE = 1024, API_ROWS = 64, API_DEPTH = 16, CUSTOM_DEPTH = 8 };

struct thread {
    /* The innermost operator that this thread runs, or NULL. */
    struct frame *frame;
    /* Function and node to which the operators that this thread pushes belong. */
    unsigned function;
    int in_push; /* inside PushSync(), which may call PushAsync() */
    const char *attributes;
    void *const *inputs, *const *outputs; /* vectors of NDArray pointers */
    /* The queue: numbers of operators that became ready on this thread and that this thread
     * started, and the sums of their stamps. Other threads read them. */
    struct tally {
        _Atomic uint64_t begun, sum, count; /* begun differs from count only during a change */
    } ready, started;
    struct api_call {
        struct proftop_token token;
        proftop_id apply; /* PROFTOP_NONE: the call is not counted */
    } api[API_DEPTH];
    unsigned api_depth, api_attached; /* open calls; state_attachments when they began */
    /* Custom operators whose Python code this thread runs. */
    struct custom_call {
        struct proftop_token token;
        proftop_id apply;
        unsigned feeds; /* number of the feed of `apply` */
        struct text name;
    } custom[CUSTOM_DEPTH];
    unsigned custom_depth;
    unsigned feeds; /* number of the feed of the caches */
    struct {
        uint64_t hash;
        struct row *row;
    } cache[CACHE];
    struct {
        const char *name; /* a constant of MXNet, so its address is its key */
        struct row *row;
    } api_rows[API_ROWS];
    struct thread *next; /* list of all threads */
    _Atomic int taken;
};

/* The calling thread's state, or NULL if out of memory. */
struct thread *thread_state(void);
extern __thread struct thread *thread_now __attribute__((tls_model("initial-exec")));
static inline struct thread *thread_get(void)
{
    return thread_now ? thread_now : thread_state();
}
struct thread *thread_first(void); /* all threads, including ended ones */

/* The custom operator whose Python code this thread runs; empty: none. */
static inline struct text thread_custom(const struct thread *thread)
{
    unsigned depth = thread->custom_depth;
    return depth > 0 && depth <= CUSTOM_DEPTH ? thread->custom[depth - 1].name
                                              : (struct text){"", 0};
}

/* Features that are active now (enum mxnet_feature), and the number of times that features were
 * attached. */
extern _Atomic unsigned state_features, state_attachments;
/* Held while the sums of the queue are published. */
extern pthread_mutex_t publish_lock;

#endif
