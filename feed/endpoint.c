/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * endpoint.c: which endpoints of an announcement are connected to. The rest of what libzmq takes,
 * inproc, pgm, abstract sockets and wildcards, is no way to a job.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "place.h"

static bool is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    return true;
}

/* A path that does not exist may come yet: a job short of descriptors takes its sockets away. */
static const char *fault_of_path(const char *path)
{
    struct stat st;
    if (path[0] != '/')
        return "has no absolute path";
    if (strlen(path) >= FEED_ENDPOINT_MAX)
        return "has a path that is too long for a socket";
    if (lstat(path, &st) != 0)
        return NULL;
    if (!S_ISSOCK(st.st_mode))
        return "is no socket";
    return st.st_uid == geteuid() ? NULL : "is not a socket of this user";
}

static const char *fault_of_address(const char *address)
{
    const char *colon = strrchr(address, ':');
    char *end = NULL;
    if (!colon || colon == address)
        return "has no host and port";
    if (strchr(address, '*') || strchr(address, ';') || strncmp(address, "0.0.0.0:", 8) == 0 ||
        strncmp(address, "[::]:", 5) == 0)
        return "has a wildcard in the place of a host or port";
    long port = colon[1] >= '0' && colon[1] <= '9' ? strtol(colon + 1, &end, 10) : 0;
    return port < 1 || port > 65535 || *end != '\0' ? "has no port from 1 to 65535" : NULL;
}

bool feed_endpoint_good(const char *endpoint, char *why, size_t capacity)
{
    const char *fault = "begins neither with ipc:// nor with tcp://";
    bool plain = is_plain(endpoint);
    if (!plain)
        fault = "holds control characters";
    else if (strncmp(endpoint, "ipc://", 6) == 0)
        fault = fault_of_path(endpoint + 6);
    else if (strncmp(endpoint, "tcp://", 6) == 0)
        fault = fault_of_address(endpoint + 6);
    if (fault)
        snprintf(why, capacity, "its endpoint \"%.80s\" %s", plain ? endpoint : "?", fault);
    return !fault;
}
