/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * steps.h: which ends are the ends of a step of the job.
 *
 * A step goes from one end of an optimizer's step to the next end of the same optimizer. Of several
 * optimizers, such as the two of a GAN, the first one makes the steps. Another one takes over once
 * it has ended twice since the last step, and enough time has passed. A job that has run neither an
 * optimizer nor a backward pass infers: a step then goes from one end of an outermost call of a
 * module to the next end of the same module's. Modules compete like optimizers. Calls of less than
 * 20 us are too short for that: to tell each of them would cost more than the budget.
 *
 * What lies before the first end of one that takes over is no measure of its steps.
 *
 * One thread at a time. */
#ifndef PROFTOP_TORCH_STEPS_H
#define PROFTOP_TORCH_STEPS_H

#include <stdint.h>

enum steps_kind { STEPS_MODULE, STEPS_OPTIMIZER };

/* STEPS_FIRST: an end of one that makes the steps from now on. */
enum steps_end { STEPS_NONE, STEPS_FIRST, STEPS_NEXT };

/* Something has ended now, in ns. `by`: tells it from others of its kind, not 0. `late`: no step
 * has ended for a while. */
enum steps_end steps_end(enum steps_kind kind, uintptr_t by, uint64_t now, int late);

/* False if no end of a module is the end of a step any more. Any thread. */
int steps_by_modules(void);

/* Nobody makes steps. */
void steps_forget(void);

/* The job trains: from now on modules make no steps. Any thread. */
void steps_train(void);

#endif
