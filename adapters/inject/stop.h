/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stop.h: stops a thread of another process, makes it run a call, and lets it continue unchanged:
 * registers, signal mask and an interrupted system call are restored. No signal is sent, and no
 * instruction of the process is changed. The other threads run on meanwhile. */
#ifndef INJECT_STOP_H
#define INJECT_STOP_H

#include "adapters/inject/registers.h"

struct inject_stop {
    pid_t thread;
    uint64_t gate;        /* address of an instruction that enters the kernel */
    uint64_t deadline_ns; /* of the current wait */
    uint64_t began_ns;    /* when the thread stopped */
    uint64_t stood_ns;    /* how long it was stopped, once released */
    uint64_t mask;        /* its blocked signals */
    bool at_gate;         /* it has just entered the kernel by the gate */
    bool stands;          /* it has stopped, and was not continued since */
    bool settled;         /* it is stopped where it can be released */
    bool halted;          /* it got SIGSTOP meanwhile, and must stop again after its release */
    struct inject_registers saved;
    struct inject_vectors vectors;
};

/* Nanoseconds of the monotonic clock. */
uint64_t inject_now(void);

/* Starts this process's timer, by which all functions below keep their deadlines. */
bool inject_stop_clock(void);

/* Seizes the thread and stops it, within `ms`. Returns false with a message; then the thread runs
 * on. */
bool inject_stop_begin(struct inject_stop *stop, pid_t thread, uint64_t gate, unsigned ms,
                       char *why, size_t capacity);
/* Makes the thread call a function with integer arguments. False: the call was not possible or did
 * not return; then the thread was taken out of the function. */
bool inject_stop_call(struct inject_stop *stop, uint64_t function,
                      const uint64_t args[INJECT_ARGS], uint64_t *result);
/* Makes the thread run a system call. */
bool inject_stop_enter(struct inject_stop *stop, int number,
                       const uint64_t args[INJECT_ARGS], uint64_t *result);
/* Releases the thread where it was. Waits as long as necessary. False: its state is not restored,
 * for example because it has ended. */
bool inject_stop_end(struct inject_stop *stop);

#endif
