/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * steps.c: remembers who makes the steps, and one other that has ended since. */
#include "adapters/torch/steps.h"

#include <stdatomic.h>

enum {
    OTHERS = 8,       /* ends of others, after which the rival is not waited for */
    SHORT_NS = 20000, /* calls of modules that are shorter make no steps, */
    SHORTS = 100      /* nor do any others, after so many short ones */
};

static enum steps_kind kind_of_maker;
static uintptr_t maker, rival; /* 0: none */
static uint64_t rival_ns;      /* when it ended first, since the last step */
static uint64_t ends;          /* how often it has ended since then */
static unsigned others;        /* ends of neither, since the rival has ended */
static unsigned shorts;
static _Atomic int trains; /* or calls its modules too often */

void steps_forget(void)
{
    maker = rival = 0;
    shorts = 0;
    atomic_store(&trains, 0);
}

void steps_train(void)
{
    if (!atomic_load_explicit(&trains, memory_order_relaxed))
        atomic_store(&trains, 1);
}

int steps_by_modules(void)
{
    return !atomic_load_explicit(&trains, memory_order_relaxed);
}

/* Returns the mean time between the ends of this one since the last step; 0: it is the first. */
static uint64_t between_ends(uintptr_t by, uint64_t now)
{
    if (by == rival) {
        others = 0;
        return (now - rival_ns) / ++ends;
    }
    if (rival == 0 || ++others >= OTHERS) {
        rival = by;
        rival_ns = now;
        ends = others = 0;
    }
    return 0;
}

enum steps_end steps_end(enum steps_kind kind, uintptr_t by, uint64_t now, int late)
{
    if (kind == STEPS_OPTIMIZER)
        steps_train();
    else if (atomic_load(&trains))
        return STEPS_NONE;
    if (by == maker && kind == kind_of_maker) {
        rival = 0;
        shorts = 0;
        return STEPS_NEXT;
    }
    const uint64_t between = between_ends(by, now);
    const int first = kind == STEPS_OPTIMIZER && (maker == 0 || kind_of_maker != kind);
    if (!first && !(between > 0 && late))
        return STEPS_NONE;
    if (kind == STEPS_MODULE && between < SHORT_NS) {
        if (++shorts >= SHORTS)
            steps_train();
        return STEPS_NONE;
    }
    kind_of_maker = kind;
    maker = by;
    rival = 0;
    shorts = 0;
    return STEPS_FIRST;
}
