/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state.c: gives each thread its state, and keeps what is attached. */
#include <stdlib.h>

#include "adapters/mxnet/state.h"

_Atomic unsigned state_features, state_attachments;
pthread_mutex_t publish_lock = PTHREAD_MUTEX_INITIALIZER;

unsigned mxnet_attached(void)
{
    return state_features;
}

__thread struct thread *thread_now __attribute__((tls_model("initial-exec")));

static _Atomic(struct thread *) threads;
static pthread_key_t ended;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Called when a thread ends. Its sums stay, and another thread may continue them. */
static void give_back(void *thread)
{
    thread_now = NULL;
    atomic_store(&((struct thread *)thread)->taken, 0);
}

static int has_key;

static void make_key(void)
{
    has_key = pthread_key_create(&ended, give_back) == 0;
}

static struct thread *reuse(void)
{
    for (struct thread *thread = thread_first(); thread; thread = thread->next) {
        int no = 0;
        if (!atomic_compare_exchange_strong(&thread->taken, &no, 1))
            continue;
        thread->frame = NULL;
        thread->attributes = NULL;
        thread->api_depth = 0;
        thread->custom_depth = 0;
        thread->in_push = 0;
        thread->function = FUNCTION_IMPERATIVE;
        return thread;
    }
    return NULL;
}

struct thread *thread_state(void)
{
    pthread_once(&once, make_key);
    struct thread *thread = reuse();
    if (!thread && (thread = calloc(1, sizeof *thread))) {
        thread->taken = 1;
        thread->next = atomic_load(&threads);
        while (!atomic_compare_exchange_weak(&threads, &thread->next, thread))
            ;
    }
    if (thread && has_key)
        pthread_setspecific(ended, thread);
    return thread_now = thread;
}

struct thread *thread_first(void)
{
    return atomic_load(&threads);
}
