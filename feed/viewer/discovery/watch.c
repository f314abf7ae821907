/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * watch.c: waits for a job to appear: inotify on the registry directories and, where one is
 * missing, on its parent directory.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "feed/viewer/discovery/discover.h"

static void watch_place(int fd, char path[SHARED_PATH_MAX])
{
    const uint32_t inside = IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM |
                            IN_DELETE_SELF | IN_ONLYDIR;
    if (inotify_add_watch(fd, path, inside) >= 0)
        return;
    char *slash = strrchr(path, '/');
    if (!slash)
        return;
    slash[slash == path] = '\0';
    inotify_add_watch(fd, path, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR | IN_MASK_ADD);
}

/* Watches all directories. Adding a watch again changes nothing, so this may run at any time. */
static void watch_all(int fd)
{
    char(*place)[SHARED_PATH_MAX] = malloc(REGISTRY_DIRS_MAX * sizeof *place);
    size_t count = place ? registry_dirs(place) : 0;
    for (size_t i = 0; i < count; i++)
        watch_place(fd, place[i]);
    free(place);
}

int viewer_watch_open(void)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd >= 0)
        watch_all(fd);
    return fd;
}

/* Reads the events, then adds watches, because a missing directory may exist now. */
void viewer_watch_clear(int fd)
{
    char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t got;
    do
        got = read(fd, events, sizeof events);
    while (got > 0 || (got < 0 && errno == EINTR));
    watch_all(fd);
}
