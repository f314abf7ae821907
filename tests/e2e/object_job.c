/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * object_job.c: a job that uses every call of proftop_objects.h, with known figures. It prints
 * "ready" and the time of its frames, then reads commands from its standard input: "add" adds 1 to
 * the counter `live`; "dump" writes a dump; "table" and "json", followed by options, print the
 * output of proftop_dumps() and its length; anything else ends it.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proftop_control.h"
#include "proftop_objects.h"

enum { MIB = 1 << 20, FRAMES = 60, MS = 1000000 };

static struct proftop *feed;
static proftop_id io, reading, here;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

static void spin(uint64_t ns)
{
    for (uint64_t until = now_ns() + ns; now_ns() < until;)
        continue;
}

static void sleep_until(uint64_t ns)
{
    struct timespec until = {(time_t)(ns / (1000 * MS)), (long)(ns % (1000 * MS))};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void count(void)
{
    char long_name[301];
    for (int i = 0; i < 300; i++)
        long_name[i] = "\"\\/ name"[i % 8];
    long_name[300] = 0;
    proftop_id rows = proftop_counter_from(feed, io, "rows", "rows", 5);
    proftop_counter_add(feed, rows, 10);
    proftop_counter_add(feed, rows, -3);
    proftop_counter_from(feed, io, "large", NULL, 5000000000);
    proftop_counter_add(feed, proftop_counter_from(feed, io, "below", NULL, 0), -1);
    proftop_counter_from_f64(feed, io, "load", "share", 2.5);
    proftop_counter(feed, io, "none", NULL);
    proftop_counter_set(feed, proftop_counter(feed, io, long_name, NULL), 1);
    proftop_counter_from(feed, proftop_domain(feed, "net"), "rows", NULL, 7);
}

static void allocate(void)
{
    proftop_scope_push(feed, "a", 1);
    proftop_memory_alloc(feed, proftop_memory(feed, "gpu/0", "storage", NULL), 3 * MIB);
    proftop_scope_pop(feed);
    proftop_id whole = proftop_memory(feed, "gpu/1", "storage", "");
    proftop_memory_limit(feed, whole, 64 * (uint64_t)MIB);
    proftop_memory_alloc(feed, whole, 1 * MIB);
    proftop_memory_alloc(feed, whole, 3 * MIB);
    proftop_memory_free(feed, whole, 3 * MIB);
}

static void read_three_times(void)
{
    for (int i = 0; i < 3; i++) {
        struct proftop_run run = proftop_task_start(feed, reading);
        spin(MS);
        proftop_task_stop(feed, run);
    }
}

static void *run_io(void *unused)
{
    (void)unused;
    proftop_thread_name(feed, "io");
    read_three_times();
    struct proftop_run run = proftop_task_start(feed, proftop_task(feed, io, "t"));
    proftop_mark(feed, here, "thread");
    proftop_mark(feed, here, "task");
    proftop_task_stop(feed, run);
    return NULL;
}

static void nest(void)
{
    struct proftop_run outer = proftop_task_start(feed, proftop_task(feed, io, "outer"));
    spin(2 * MS);
    struct proftop_run inner = proftop_task_start(feed, proftop_task(feed, io, "inner"));
    spin(4 * MS);
    proftop_task_stop(feed, inner);
    proftop_task_stop(feed, outer);
    proftop_task_stop(feed, outer); /* once too often: invalid */
}

/* One frame per sixtieth of a second. Returns their total time. */
static uint64_t pass_frames(void)
{
    proftop_id frame = proftop_frame(feed, io, "pass"), slow = proftop_frame(feed, io, "slow");
    uint64_t begin = now_ns();
    for (uint64_t i = 0; i < FRAMES; i++) {
        struct proftop_run run = proftop_frame_start(feed, frame);
        sleep_until(begin + (i + 1) * 1000 * MS / FRAMES);
        proftop_frame_stop(feed, run);
    }
    uint64_t took = now_ns() - begin;
    for (int i = 1; i <= 100; i++) {
        struct proftop_run run = proftop_frame_start(feed, slow);
        spin(i == 42 ? 200 * MS : 1000);
        proftop_frame_stop(feed, run);
    }
    return took;
}

/* Writes the counts to the file named in its environment, and prints the result. */
static void dump(void)
{
    const char *pairs[] = {"filename", getenv("OBJECT_JOB_DUMP"),
                           "gpu_memory_profile_filename_prefix", "", NULL};
    const char *why = proftop_set_config(feed, pairs);
    if (why == NULL)
        why = proftop_dump(feed, 0, NULL);
    printf("dumped %s\n", why == NULL ? "well" : why);
    fflush(stdout);
}

/* "table avg 1 0": as a table, by mean, ascending, without a reset. */
static bool print_statistics(const char *line)
{
    char format[8] = "", sort_by[8] = "total", *text;
    struct proftop_dumps_options options = {sizeof options, format, sort_by, 0, 0};
    sscanf(line, "%7s %7s %d %d", format, sort_by, &options.ascending, &options.reset);
    if (strcmp(format, "table") != 0 && strcmp(format, "json") != 0)
        return false;
    const char *why = proftop_dumps(feed, &options, &text);
    if (why != NULL)
        printf("%s\n", why);
    else
        printf("%zu\n%s", strlen(text), text);
    fflush(stdout);
    free(text);
    return true;
}

int main(void)
{
    char line[32];
    pthread_t thread;
    feed = proftop_open(NULL);
    io = proftop_domain(feed, "io");
    reading = proftop_task(feed, io, "read");
    here = proftop_marker(feed, io, "here");
    proftop_marker(feed, io, "never");
    proftop_thread_name(feed, "main");
    count();
    allocate();
    pthread_create(&thread, NULL, run_io, NULL);
    pthread_join(thread, NULL);
    read_three_times();
    nest();
    proftop_mark(feed, here, NULL);
    proftop_mark(feed, here, "global");
    proftop_mark(feed, here, "marker");
    proftop_mark(feed, here, "foo");
    proftop_domain(feed, "");
    uint64_t frames_ns = pass_frames();
    proftop_id live = proftop_counter_from(feed, io, "live", NULL, 0);
    struct proftop_run waiting = proftop_event_start(feed, proftop_event(feed, "read"));
    printf("ready %llu\n", (unsigned long long)frames_ns);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strcmp(line, "add\n") == 0)
            proftop_counter_add(feed, live, 1);
        else if (strcmp(line, "dump\n") == 0)
            dump();
        else if (!print_statistics(line))
            break;
    }
    proftop_event_stop(feed, waiting);
    proftop_close(feed);
    return 0;
}
