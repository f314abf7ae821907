/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * target.c: makes the target of a subscriber from a registered job or a typed word.
 */
#include "config.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "feed/viewer/stream/subscriber.h"

/* Texts from outside are made safe for the screen here. */
void viewer_target_of(const struct registry_info *info, struct viewer_target *target)
{
    char label[sizeof target->label];
    *target = (struct viewer_target){.pid = info->pid, .start = info->start};
    model_text_hex(info->parent, strlen(info->parent), target->parent);
    snprintf(target->facts, sizeof target->facts, "%s", info->facts);
    snprintf(target->control, sizeof target->control, "%s", info->control);
    snprintf(label, sizeof label, "%.120s (%llu)%s%.80s", info->program,
             (unsigned long long)info->pid, info->via[0] ? " by ssh " : "", info->via);
    if (info->via[0]) {
        target->pid = target->start = 0;
        snprintf(target->via, sizeof target->via, "%s", info->via);
    }
    model_text_safe(label, strlen(label), target->label, sizeof target->label);
}

static bool starts(const char *word, const char *prefix)
{
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

bool viewer_target_parse(const char *word, struct viewer_target *target, char *why, size_t capacity)
{
    const char *comma = strchr(word, ',');
    *target = (struct viewer_target){0};
    model_text_safe(word, comma ? (size_t)(comma - word) : strlen(word), target->label,
                    sizeof target->label);
    return shared_endpoints_parse(word, target->facts, target->control, why, capacity);
}

/* ------------------------------------------------------------------------------ is it there? */

/* True if the path is a socket. An abstract name, with @ in front, is in no directory. */
static bool socket_there(const char *path, char *why, size_t capacity)
{
    struct stat file;
    char safe[160];
    if (path[0] == '@')
        return true;
    model_text_safe(path, strlen(path), safe, sizeof safe);
    if (stat(path, &file) != 0)
        snprintf(why, capacity, "there is no socket %s: %s; proftop -l lists the jobs", safe,
                 strerror(errno));
    else if (!S_ISSOCK(file.st_mode))
        snprintf(why, capacity, "%s is not a socket; proftop -l lists the jobs", safe);
    else
        return true;
    return false;
}

/* True if the host in `at` (host:port) has an address. An endpoint with a source address in front
 * (own;host:port) is left to ZeroMQ. */
static bool host_there(const char *at, char *why, size_t capacity)
{
    const char *colon = strrchr(at, ':');
    size_t size = colon ? (size_t)(colon - at) : strlen(at);
    char host[SHARED_ENDPOINT_MAX + 8], safe[160];
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    if (strchr(at, ';'))
        return true;
    if (size >= 2 && at[0] == '[' && at[size - 1] == ']') {
        at++;
        size -= 2;
    }
    snprintf(host, sizeof host, "%.*s", (int)size, at);
    int error = getaddrinfo(host, NULL, &hints, &found);
    if (error == 0) {
        freeaddrinfo(found);
        return true;
    }
    model_text_safe(host, strlen(host), safe, sizeof safe);
    snprintf(why, capacity, "the host '%s' has no address that is known here: %s", safe,
             gai_strerror(error));
    return false;
}

static bool endpoint_there(const char *endpoint, char *why, size_t capacity)
{
    const char *at = endpoint + strlen("ipc://");
    return starts(endpoint, "ipc://") ? socket_there(at, why, capacity)
                                      : host_there(at, why, capacity);
}

bool viewer_target_there(const struct viewer_target *target, char *why, size_t capacity)
{
    return endpoint_there(target->facts, why, capacity) &&
           endpoint_there(target->control, why, capacity);
}
