/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * command.c: writes a request to change what a job collects.
 */
#include "config.h"

#include "feed/viewer/stream/command.h"

#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

#include "feed/protocol/frame.h"

/* Writes the name of this user, or "user" and the number if there is no name. */
static void find_user(char *out, size_t capacity)
{
    char room[4096];
    struct passwd entry, *found = NULL;
    if (getpwuid_r(geteuid(), &entry, room, sizeof room, &found) == 0 && found)
        snprintf(out, capacity, "%s", entry.pw_name);
    else
        snprintf(out, capacity, "user %u", (unsigned)geteuid());
}

static void find_host(char out[256])
{
    out[255] = '\0';
    if (gethostname(out, 255) != 0)
        out[0] = '\0';
}

void viewer_command_asker(char *out, size_t capacity)
{
    char user[128], host[256];
    find_user(user, sizeof user);
    find_host(host);
    snprintf(out, capacity, "%s, process %ld on %s", user, (long)getpid(), host);
}

size_t viewer_command_write(const uint8_t *instance, uint64_t number, const char *what,
                            const char *arg, void *out, size_t capacity)
{
    struct wire_writer w;
    char user[128], host[256];
    find_user(user, sizeof user);
    find_host(host);
    wire_begin(&w, out, capacity, WIRE_REQUEST, 0);
    wire_put_u64(&w, WIRE_F_VER, WIRE_VERSION);
    if (instance)
        wire_put_bin16(&w, WIRE_F_INST, instance);
    wire_put_u64(&w, WIRE_F_REQ, number);
    wire_put_text(&w, WIRE_F_HOST, host);
    wire_put_u64(&w, WIRE_F_PID, (uint64_t)getpid());
    wire_put_text(&w, WIRE_F_Q, "control");
    wire_put_text(&w, WIRE_F_WHAT, what);
    if (arg)
        wire_put_text(&w, WIRE_F_ARG, arg);
    wire_put_text(&w, WIRE_F_USER, user);
    return wire_end(&w);
}
