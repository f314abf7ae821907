/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unix_sockets.c: reads the kernel's list of Unix sockets.
 */
#include "config.h"

#include "feed/viewer/discovery/unix_sockets.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 512 };

/* True for "<pid>-<start>-<n>.pub". */
static bool is_socket_of_job(const char *name)
{
    for (int part = 0; part < 3; part++) {
        size_t digits = strspn(name, "0123456789");
        if (digits == 0 || (part < 2 && name[digits] != '-'))
            return false;
        name += digits + (part < 2);
    }
    return strcmp(name, ".pub") == 0;
}

static bool is_known(char place[VIEWER_BOUND_MAX][SHARED_ENDPOINT_MAX], size_t count,
                     const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(place[i], path) == 0)
            return true;
    return false;
}

size_t viewer_unix_sockets_dirs(char place[VIEWER_BOUND_MAX][SHARED_ENDPOINT_MAX])
{
    FILE *file = fopen("/proc/net/unix", "re");
    char line[LINE];
    size_t count = 0;
    while (file && count < VIEWER_BOUND_MAX && fgets(line, sizeof line, file)) {
        char *path = strstr(line, " /"), *slash = strrchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        if (!path || slash <= path + 1 || !is_socket_of_job(slash + 1))
            continue;
        *slash = '\0';
        if (strlen(++path) < SHARED_ENDPOINT_MAX && !is_known(place, count, path))
            memcpy(place[count++], path, strlen(path) + 1);
    }
    if (file)
        fclose(file);
    return count;
}
