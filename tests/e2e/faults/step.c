/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * step.c: measures how long the feed's thread serves, each time. The linker replaces the real
 * function by the one below; the job is otherwise fault_job. The maximum is printed at the end, in
 * CPU time of that thread, so that other load does not count.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "feed/publisher/publish/session.h"

bool __real_publisher_session_serve(struct publisher_session *server);
bool __wrap_publisher_session_serve(struct publisher_session *server);

static _Atomic uint64_t longest_ns, steps;

static uint64_t ran_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool __wrap_publisher_session_serve(struct publisher_session *server)
{
    const uint64_t began_ns = ran_ns();
    const bool more = __real_publisher_session_serve(server);
    const uint64_t took_ns = ran_ns() - began_ns;
    if (took_ns > longest_ns)
        longest_ns = took_ns;
    steps++;
    return more;
}

static __attribute__((destructor)) void say_longest(void)
{
    printf("longest %.3f ms of %llu steps\n", (double)longest_ns / 1e6, (unsigned long long)steps);
}
