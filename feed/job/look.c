/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * look.c: what the feed's thread finds out of who publishes.
 */
#include "config.h"

#include "identity.h"
#include "place.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void read_program(char *to, size_t capacity)
{
    int fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, to, capacity - 1);
    if (fd >= 0)
        close(fd);
    to[size > 0 ? size : 0] = 0;
    to[strcspn(to, "\n")] = 0;
}

void feed_identity_look(struct feed_identity *me)
{
    me->start = feed_process_start(me->pid);
    if (me->program[0] == 0)
        read_program(me->program, sizeof me->program);
}
