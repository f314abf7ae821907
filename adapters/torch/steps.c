/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * steps.c: remembers who makes the steps, and one other that has ended since. */
#include "adapters/torch/steps.h"

#include <stdatomic.h>

enum { OTHERS = 8 }; /* ends of others, after which the rival is not waited for */

static enum steps_kind kind_of_maker;
static uintptr_t maker, rival; /* 0: none */
static unsigned others;        /* ends of neither, since the rival has ended */
static _Atomic int trains;

void steps_forget(void)
{
    maker = rival = 0;
    atomic_store(&trains, 0);
}

void steps_train(void)
{
    if (!atomic_load_explicit(&trains, memory_order_relaxed))
        atomic_store(&trains, 1);
}

/* True if this one has ended before, since the last step. */
static int ends_again(uintptr_t by)
{
    if (by == rival) {
        others = 0;
        return 1;
    }
    if (rival == 0 || ++others >= OTHERS) {
        rival = by;
        others = 0;
    }
    return 0;
}

enum steps_end steps_end(enum steps_kind kind, uintptr_t by, int late)
{
    if (kind == STEPS_OPTIMIZER)
        steps_train();
    else if (atomic_load(&trains))
        return STEPS_NONE;
    if (by == maker && kind == kind_of_maker) {
        rival = 0;
        return STEPS_NEXT;
    }
    const int again = ends_again(by);
    const int first = kind == STEPS_OPTIMIZER && (maker == 0 || kind_of_maker != kind);
    if (!first && !(again && late))
        return STEPS_NONE;
    kind_of_maker = kind;
    maker = by;
    rival = 0;
    return STEPS_FIRST;
}
