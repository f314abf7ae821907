/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * viewing.h: a viewer in a separate process, connected to all feeds of a job.
 */
#ifndef TESTS_FEED_VIEWING_H
#define TESTS_FEED_VIEWING_H

#include "process.h"

/* State for the next viewer to start. */
static struct {
    pid_t job;
    int ready[2]; /* a pipe */
} viewing;

static inline void viewing_view(int reads)
{
    struct client c;
    struct registry_info info;
    unsigned feeds = 1;
    while (client_info_of(client_place(), viewing.job, feeds + 1, &info))
        feeds++;
    while (feeds > 0) { /* the first feed last */
        client_open_of(&c, viewing.job, feeds--);
        client_subscribe(&c, "");
        client_hello(&c);
    }
    CHILD_NEEDS(write(viewing.ready[1], "x", 1) == 1);
    while (reads && client_receive(&c, c.sub, CLIENT_PATIENCE_MS))
        continue;
    for (;;)
        pause();
}

/* Starts the viewer and waits for its hello. It then keeps reading, or reads nothing, until it is
 * stopped or killed. */
static inline pid_t viewing_start(pid_t job, bool reads)
{
    char byte;
    viewing.job = job;
    ck_assert_int_eq(pipe2(viewing.ready, O_CLOEXEC), 0);
    pid_t viewer = process_start(viewing_view, reads);
    ck_assert_int_eq(read(viewing.ready[0], &byte, 1), 1);
    close(viewing.ready[0]);
    close(viewing.ready[1]);
    return viewer;
}

static inline void viewing_end(pid_t viewer)
{
    int status;
    kill(viewer, SIGKILL);
    ck_assert_int_eq(waitpid(viewer, &status, 0), viewer);
}

#endif
