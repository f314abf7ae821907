/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * signals.h: the signals that end proftop. They are blocked and read by the one place that waits
 * (session.h), which ends in order. While something else holds the program (a pipe that nobody
 * reads, a resolver that does not answer), a thread takes the signal and ends it.
 */
#ifndef TUI_APP_SIGNALS_H
#define TUI_APP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

enum { TUI_SIGNALS_PATIENCE_MS = 2000 }; /* from the signal to the end, without any progress */

/* First thing in main(): notes the signals that whoever started us wants ignored (nohup), and has
 * failed writes told by their error, not by a signal. */
void tui_signals_begin(void);

/* All signals whose default action ends a program, but for those that were to be ignored and those
 * of a crash. */
void tui_signals_ending(sigset_t *set);

/* Blocks the set and starts the thread. `rescue` is called by it just before it ends the program,
 * and may do what a signal handler may. False: no thread can be started. */
bool tui_signals_watch(const sigset_t *set, void (*rescue)(void));
/* The program waits where signals are read, or it works. Work that takes long says so again. */
void tui_signals_wait(bool waits);
/* Ends the thread and gives all signals their usual effect. */
void tui_signals_close(void);

#endif
