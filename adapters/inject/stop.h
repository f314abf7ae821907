/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stop.h: stops a thread of another process, has it do something, and lets it go on as if nothing
 * had been: registers, signal mask and an interrupted system call are as they were. No signal is
 * sent, no instruction of the process is changed. The other threads go on meanwhile.
 */
#ifndef INJECT_STOP_H
#define INJECT_STOP_H

#include "adapters/inject/registers.h"

struct inject_stop {
    pid_t thread;
    uint64_t gate;        /* where the process has an instruction that enters the kernel */
    uint64_t deadline_ns; /* of whatever is waited for */
    uint64_t began_ns;    /* when it stood still */
    uint64_t stood_ns;    /* how long, once it was let go */
    uint64_t mask;        /* signals that it blocks */
    bool at_gate;         /* it has just entered the kernel there */
    bool stands;          /* it was seen to stop, and has not been let go since */
    bool settled;         /* it stands where it can be left */
    bool halted;          /* it was sent SIGSTOP meanwhile, and is to be again when it is left */
    struct inject_registers saved;
    struct inject_vectors vectors;
};

/* Nanoseconds of the monotonic clock. */
uint64_t inject_now(void);

/* Starts the timer of this process by which all that follows keeps its deadlines. */
bool inject_stop_clock(void);

/* Seizes the thread and stops it, within `ms`. False with a sentence; then it runs on. */
bool inject_stop_begin(struct inject_stop *stop, pid_t thread, uint64_t gate, unsigned ms,
                       char *why, size_t capacity);
/* Has it call a function that takes integers. False: it could not be done, or did not come back;
 * then it has been taken out of the function. */
bool inject_stop_call(struct inject_stop *stop, uint64_t function,
                      const uint64_t args[INJECT_ARGS], uint64_t *result);
/* Has it enter the kernel. */
bool inject_stop_enter(struct inject_stop *stop, int number,
                       const uint64_t args[INJECT_ARGS], uint64_t *result);
/* Lets it go on where it was; waits for that as long as it must. False: it is not as it was, which
 * is so if it has ended. */
bool inject_stop_end(struct inject_stop *stop);

#endif
