/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sampling.c: finds the applies and functions that are worth sampling.
 */
#include "config.h"

#include "feed/publisher/collect/sampling.h"
#include "feed/publisher/collect/sum.h"

#include <stdlib.h>

enum {
    TIMED_PART = 10, /* at least least_calls / TIMED_PART calls are timed */
    HOT_MAX = 4096,  /* of a kind, sampled at once */
};

bool publisher_ids_reserve(struct publisher_ids *ids, size_t count)
{
    size_t capacity = ids->capacity == 0 ? 1024 : ids->capacity;
    while (capacity < count)
        capacity *= 2;
    if (capacity == ids->capacity)
        return true;
    uint32_t *grown = realloc(ids->id, capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    ids->id = grown;
    ids->capacity = capacity;
    return true;
}

bool publisher_ids_add(struct publisher_ids *ids, uint32_t id)
{
    if (ids->count == ids->capacity && !publisher_ids_reserve(ids, ids->count + 1))
        return false;
    ids->id[ids->count++] = id;
    return true;
}

void publisher_sampling_release(struct publisher_budget *budget)
{
    for (int kind = 0; kind < PUBLISHER_HOT_KINDS; kind++) {
        free(budget->hot[kind].now.id);
        free(budget->hot[kind].before.id);
    }
}

/* Returns the highest rate that leaves at least `least` of `calls`. Above 0 for hot rows with their
 * least_calls / TIMED_PART. */
static uint8_t rate_to(uint64_t calls, uint64_t least)
{
    uint8_t rate = 0;
    for (; rate < PUBLISHER_SAMPLING_RATE_MAX && least << (rate + 1) <= calls; rate++)
        ;
    return rate;
}

/* Estimates from the timed calls how many of `calls` arrived one by one. */
static uint64_t came_of(const struct publisher_sampling *sampling, uint64_t calls, uint64_t timed)
{
    const uint64_t came = timed << sampling->rate;
    return sampling->rate != 0 && came > calls - calls / 4 ? calls : came;
}

uint64_t publisher_sampling_see(struct publisher_budget *budget, enum publisher_kind kind,
                                struct publisher_sampling *sampling, uint32_t id, uint64_t calls,
                                uint64_t timed, uint64_t ns)
{
    struct publisher_hot *hot = &budget->hot[kind];
    /* Hysteresis: a sampled row must clearly differ from a hot one before its sampling ends. */
    const unsigned leave = (sampling->rate | sampling->passes) != 0 ? 2 : 1;
    const uint64_t came = came_of(sampling, calls, timed);
    bool is_hot = calls >= hot->least_calls / leave &&
                  publisher_real(ns) < hot->least_ns * leave * publisher_real(calls);
    if (!is_hot || sampling->hot || hot->now.count >= HOT_MAX || !publisher_ids_add(&hot->now, id))
        return came;
    sampling->hot = rate_to(calls, hot->least_calls / TIMED_PART);
    sampling->passes = rate_to(calls, came - came / 4);
    return came;
}
