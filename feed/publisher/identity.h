/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * identity.h: who publishes: process, program, instance, place in a distributed job.
 */
#ifndef FEED_IDENTITY_H
#define FEED_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/shared/rank.h"
#include "feed/shared/registry_dir.h"
#include "proftop.h"

enum { FEED_INSTANCE_SIZE = 16 };

struct feed_identity {
    uint8_t instance[FEED_INSTANCE_SIZE];
    uint8_t parent[FEED_INSTANCE_SIZE];
    bool has_parent;
    uint64_t pid, start, since_ns;
    struct feed_rank place; /* in a distributed job */
    char host[256], program[256], framework[64], framework_version[64];
    char token[FEED_TOKEN_SIZE]; /* of `proftop run`, or "" */
};

/* Reads the environment, so it is called by the thread that opens the feed. `parent` is the
 * instance of the job that forked this process, or NULL. */
void feed_identity_init(struct feed_identity *me, const struct proftop_options *options,
                        const uint8_t *parent);

/* The names that a child has as its parent. */
void feed_identity_alike(struct feed_identity *me, const struct feed_identity *parent);

#endif
