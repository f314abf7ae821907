/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * identity.c: collects the identity of the publishing process.
 */
#include "config.h"

#include "feed/publisher/record/identity.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/definitions.h"
#include "feed/shared/system_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy(char *to, size_t capacity, const char *from)
{
    size_t size = from == NULL ? 0 : publisher_text_cut(from, capacity - 1);
    if (size != 0)
        memcpy(to, from, size);
    to[size] = 0;
}

/* Fills in random bytes; if the kernel has none yet, mixes the clocks, the pid and the address. */
static void make_instance(uint8_t instance[PUBLISHER_INSTANCE_SIZE], const void *salt)
{
    if (shared_random(instance, PUBLISHER_INSTANCE_SIZE, SHARED_RANDOM_NONBLOCK) ==
        PUBLISHER_INSTANCE_SIZE)
        return;
    uint64_t half[2] = {publisher_clock_wall_ns() ^ (uint64_t)getpid() << 32,
                        publisher_clock_ns() ^ (uint64_t)(uintptr_t)salt};
    memcpy(instance, half, PUBLISHER_INSTANCE_SIZE);
}

static bool is_token(const char *text)
{
    return text != NULL && strlen(text) == SHARED_TOKEN_SIZE - 1 &&
           strspn(text, "0123456789abcdef") == SHARED_TOKEN_SIZE - 1;
}

void publisher_identity_init(struct publisher_identity *me, const struct proftop_options *options,
                             const uint8_t *parent)
{
    memset(me, 0, sizeof *me);
    make_instance(me->instance, me);
    me->has_parent = parent != NULL;
    if (parent != NULL)
        memcpy(me->parent, parent, sizeof me->parent);
    me->pid = (uint64_t)getpid();
    me->since_ns = publisher_clock_wall_ns();
    shared_rank_read(&me->place);
    if (gethostname(me->host, sizeof me->host - 1) != 0)
        me->host[0] = 0;
    copy(me->program, sizeof me->program, options->program);
    copy(me->framework, sizeof me->framework, options->framework);
    copy(me->framework_version, sizeof me->framework_version, options->framework_version);
    const char *token = secure_getenv("PROFTOP_RUN");
    if (is_token(token))
        memcpy(me->token, token, SHARED_TOKEN_SIZE);
}

void publisher_identity_alike(struct publisher_identity *me,
                              const struct publisher_identity *parent)
{
    memcpy(me->program, parent->program, sizeof me->program);
    memcpy(me->framework, parent->framework, sizeof me->framework);
    memcpy(me->framework_version, parent->framework_version, sizeof me->framework_version);
}
