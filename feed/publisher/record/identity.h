/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * identity.h: identity of a publisher: process, program, instance, place in a distributed job.
 */
#ifndef FEED_PUBLISHER_RECORD_IDENTITY_H
#define FEED_PUBLISHER_RECORD_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/shared/rank.h"
#include "feed/shared/registry_dir.h"
#include "feed/publisher/record/no_inline_api.h"

enum { PUBLISHER_INSTANCE_SIZE = 16 };

struct publisher_identity {
    uint8_t instance[PUBLISHER_INSTANCE_SIZE];
    uint8_t parent[PUBLISHER_INSTANCE_SIZE];
    bool has_parent;
    uint64_t pid, start, since_ns;
    struct shared_rank place; /* in a distributed job */
    char host[256], program[256], framework[64], framework_version[64];
    char token[SHARED_TOKEN_SIZE]; /* of `proftop run`, or "" */
};

/* Fills in the identity of this process. Reads the environment, so the thread that opens the feed
 * calls it. `parent` is the instance of the feed in the process that forked this one, or NULL. */
void publisher_identity_init(struct publisher_identity *me, const struct proftop_options *options,
                             const uint8_t *parent);

/* Copies the names that a child shares with its parent: program, framework and its version. */
void publisher_identity_alike(struct publisher_identity *me,
                              const struct publisher_identity *parent);

#endif
