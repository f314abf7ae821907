/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * turn.h: the constants and the report shared by bench_train and its jobs. A turn takes some 10 ms.
 * Shorter turns are better, since the machine changes less between two of them. Over 512 steps two
 * jobs without a feed differed by 2.6 % (one standard deviation) with turns of 32 steps, by 1.0 %
 * with 8 and by 0.5 % with 4.
 */
#ifndef BENCH_TURN_H
#define BENCH_TURN_H

enum { TURN_STEPS = 4, TURN_FD = 3 }; /* a socket: one report per turn, one byte starts a turn */

enum { CPU, WALL, CLOCKS }; /* of all threads of the job, since the turn began */

struct turn_report {
    double ns[CLOCKS];
};

#endif
