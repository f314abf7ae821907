/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ticker.h: a thread of an adapter that calls one function at once, and then ten times a second. */
#ifndef PROFTOP_TICKER_H
#define PROFTOP_TICKER_H

/* Static. Set `tick`; the rest belongs to ticker.c. */
struct ticker {
    void (*tick)(void);
    _Atomic int wanted, runs;
};

/* Starts the thread unless it runs. The thread blocks all signals, so it takes none of the job's.
 * Returns 0 if there can be no thread. Any thread. */
int ticker_start(struct ticker *ticker);

/* Ends the thread after its tick. Does not wait. */
void ticker_stop(struct ticker *ticker);

/* Call it in a forked child, which has no such thread. */
void ticker_forked(struct ticker *ticker);

#endif
