/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * endpoint.c: decides which published endpoints may be connected to, and derives two endpoints from
 * a typed one. libzmq's other kinds (inproc, pgm, abstract sockets and wildcards) do not lead to a
 * job.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/shared/registry_dir.h"

static bool is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    return true;
}

/* A path that does not exist may appear later: a job short of descriptors removes its sockets. */
static const char *fault_of_path(const char *path)
{
    struct stat st;
    if (path[0] != '/')
        return "has no absolute path";
    if (strlen(path) >= SHARED_ENDPOINT_MAX)
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

bool shared_endpoint_is_valid(const char *endpoint, char *why, size_t capacity)
{
    const char *fault = "begins neither with ipc:// nor with tcp://";
    const bool plain = is_plain(endpoint);
    if (strncmp(endpoint, "ipc://", 6) == 0) /* a directory may have any name */
        fault = fault_of_path(endpoint + 6);
    else if (!plain)
        fault = "holds control characters";
    else if (strncmp(endpoint, "tcp://", 6) == 0)
        fault = fault_of_address(endpoint + 6);
    if (fault)
        snprintf(why, capacity, "its endpoint \"%.80s\" %s", plain ? endpoint : "?", fault);
    return !fault;
}

/* -------------------------------------------------------------------------- typed endpoints */

static bool starts(const char *word, const char *prefix)
{
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

/* Copies an endpoint of `size` bytes, if its scheme is known and it is not too long. */
static bool copy_endpoint(const char *word, size_t size, char out[SHARED_ENDPOINT_SIZE], char *why,
                          size_t capacity)
{
    if (!starts(word, "ipc://") && !starts(word, "tcp://")) {
        snprintf(why, capacity,
                 "\"%.64s\" is not an endpoint: it should begin with ipc:// or tcp://", word);
        return false;
    }
    size_t most = SHARED_ENDPOINT_MAX - 1 + strlen("ipc://");
    if (size > most || size <= strlen("ipc://")) {
        snprintf(why, capacity, "the endpoint \"%.64s\" has %zu characters; 7 to %zu are possible",
                 word, size, most);
        return false;
    }
    memcpy(out, word, size);
    out[size] = '\0';
    return true;
}

/* Derives the control endpoint from the facts endpoint: .ctl for .pub, or the next port. */
static bool derive_control(const char *facts, char control[SHARED_ENDPOINT_SIZE], char *why,
                           size_t capacity)
{
    size_t size = strlen(facts);
    if (starts(facts, "ipc://")) {
        if (size < 4 || strcmp(facts + size - 4, ".pub") != 0) {
            snprintf(why, capacity,
                     "\"%.64s\" does not end in .pub, so its control endpoint is not known: "
                     "give both as FACTS,CONTROL",
                     facts);
            return false;
        }
        snprintf(control, SHARED_ENDPOINT_SIZE, "%.*s.ctl", (int)size - 4, facts);
        return true;
    }
    const char *colon = strrchr(facts, ':');
    char *end = NULL;
    if (strcmp(colon, ":*") == 0) {
        memcpy(control, facts, size + 1);
        return true;
    }
    long port = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || port < 1 || port > 65534) {
        snprintf(why, capacity, "\"%.64s\" needs a port from 1 to 65534 at its end", facts);
        return false;
    }
    int written =
        snprintf(control, SHARED_ENDPOINT_SIZE, "%.*s:%ld", (int)(colon - facts), facts, port + 1);
    return written > 0 && written < SHARED_ENDPOINT_SIZE;
}

bool shared_endpoints_parse(const char *word, char facts[SHARED_ENDPOINT_SIZE],
                            char control[SHARED_ENDPOINT_SIZE], char *why, size_t capacity)
{
    const char *comma = strchr(word, ',');
    if (!copy_endpoint(word, comma ? (size_t)(comma - word) : strlen(word), facts, why, capacity))
        return false;
    if (comma)
        return copy_endpoint(comma + 1, strlen(comma + 1), control, why, capacity);
    return derive_control(facts, control, why, capacity);
}
