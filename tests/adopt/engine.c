/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * engine.c: an engine of several parts, compiled by forms.py: its own file, a static and a shared
 * library (engine_part.c), one feed. It prints whether libproftop is mapped, before and after.
 *
 *     engine CALLS [asked]
 */
#include <proftop_adapter.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8 };

#ifndef PROFTOP_ALONE
void near_part(struct proftop *feed, proftop_id apply, long calls);
void far_part(struct proftop *feed, proftop_id apply, long calls);
#endif

static struct proftop_options options;

static int is_mapped(void)
{
    char line[512];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        found |= strstr(line, "libproftop.so") != NULL;
    if (maps != NULL)
        fclose(maps);
    return found;
}

/* All threads open at once, so that several load the library. */
static void *open_and_close(void *on)
{
    struct proftop *feed = proftop_open(&options);
    *(int *)on = proftop_is_on(feed);
    proftop_close(feed);
    return NULL;
}

static int open_in_threads(void)
{
    pthread_t thread[THREADS];
    int on[THREADS] = {0}, sum = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, open_and_close, &on[i]) != 0)
            exit(2);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        sum += on[i];
    }
    return sum;
}

static proftop_id define(struct proftop *feed, proftop_id function, uint32_t index,
                         const char *text, enum proftop_source source)
{
    struct proftop_apply_info info;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    info.function = function;
    info.index = index;
    info.source = source;
    info.op = proftop_op(feed, proftop_class(feed, "Part"), text);
    return proftop_apply(feed, &info);
}

static void run(struct proftop *feed, long count)
{
    struct proftop_function_info info;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    info.name = "step";
    proftop_id step = proftop_function(feed, &info);
    proftop_id own = define(feed, step, 0, "own", PROFTOP_TIMED);
    proftop_id given = define(feed, step, 1, "given", PROFTOP_GIVEN);
    proftop_id near = define(feed, step, 2, "near", PROFTOP_TIMED);
    proftop_id far = define(feed, step, 3, "far", PROFTOP_TIMED);
    for (long i = 0; i < count; i++) {
        struct proftop_token call = proftop_call_begin(feed, step);
        struct proftop_token token = proftop_begin(feed, own);
        if (i % 4 == 3)
            proftop_fail(feed, own, token);
        else
            proftop_end(feed, own, token);
        proftop_record(feed, given, 100);
        proftop_call_end(feed, step, call);
    }
#ifndef PROFTOP_ALONE
    near_part(feed, near, count);
    far_part(feed, far, 2 * count);
#else
    (void)near;
    (void)far;
#endif
    proftop_vm(feed, step, 7);
}

int main(int count, char **words)
{
    options.size = sizeof options;
    if (count > 2)
        options.flags = PROFTOP_IF_ASKED;
    int before = is_mapped();
    printf("unopened %s\n", proftop_reason(NULL));
    struct proftop *feed = proftop_open(&options);
    int threads = proftop_is_on(feed) ? open_in_threads() : 0;
    run(feed, count > 1 ? atol(words[1]) : 1000);
    printf("mapped %d %d\non %d\nthreads %d\nversion %s\nreason %s\n", before, is_mapped(),
           proftop_is_on(feed), threads, proftop_version(feed), proftop_reason(feed));
    proftop_close(feed);
    return 0;
}
