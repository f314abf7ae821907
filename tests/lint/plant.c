/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * plant.c: faults on purpose, for sanitizers.py to see that a sanitized build finds them.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

static long shared; /* written by two threads without any order: the planted race */
static pthread_barrier_t inside, done;

static void *add(void *context)
{
    /* zmq is not instrumented and runs threads of its own, as in the real programs. */
    void *socket = zmq_socket(context, ZMQ_PAIR);

    /* Its locks put threads in order that call it one after the other: none does in between. */
    pthread_barrier_wait(&inside);
    for (int i = 0; i < 1000; i++)
        shared++;
    pthread_barrier_wait(&done);
    zmq_close(socket);
    return NULL;
}

static int race(void)
{
    void *context = zmq_ctx_new();
    pthread_t thread[2];

    pthread_barrier_init(&inside, NULL, 2);
    pthread_barrier_init(&done, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, add, context);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    zmq_ctx_term(context);
    pthread_barrier_destroy(&inside);
    pthread_barrier_destroy(&done);
    return shared > 0;
}

static int overflow(void)
{
    char *bytes = calloc(1, 8);
    volatile int end = 8;
    int found = bytes[end];

    free(bytes);
    return found & 1;
}

/* Through libc, which the sanitizer watches, so that no compiler sees it coming. */
static int use(void)
{
    char *volatile freed = calloc(1, 8);
    char copy[8];

    free(freed);
    memcpy(copy, freed, sizeof copy);
    return copy[0];
}

static int leak(void)
{
    char *volatile lost = malloc(64);

    lost = NULL;
    return lost != NULL;
}

static int undefined(void)
{
    volatile int large = 0x7fffffff;
    volatile int sum = large + 1;

    return sum == 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*plant)(void);
    } plants[] = {{"race", race}, {"overflow", overflow}, {"use", use}, {"leak", leak},
                  {"undefined", undefined}};

    for (size_t i = 0; argc == 2 && i < sizeof plants / sizeof plants[0]; i++)
        if (strcmp(argv[1], plants[i].name) == 0)
            return plants[i].plant() < 0;
    return 2;
}
