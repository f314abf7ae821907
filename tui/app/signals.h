/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * signals.h: the signals that end proftop. They are blocked. The one place that waits (session.h)
 * reads them and ends the program in order. If the program is blocked elsewhere (a pipe that nobody
 * reads, a resolver that does not answer), a thread takes the signal and ends the program.
 */
#ifndef TUI_APP_SIGNALS_H
#define TUI_APP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Time from the signal to the forced end, if there is no progress. */
enum { TUI_SIGNALS_PATIENCE_MS = 2000 };

/* Must be first in main(). Notes the signals that the parent process wants ignored (nohup). Makes
 * failed writes return an error instead of raising a signal. */
void tui_signals_begin(void);

/* Fills the set with all signals whose default action ends a program, except crash signals and
 * signals that were ignored at the start. */
void tui_signals_ending(sigset_t *set);

/* Blocks the set and starts the thread. The thread calls `rescue` just before it ends the program;
 * `rescue` may only do what a signal handler may. Returns false if no thread can be started. */
bool tui_signals_watch(const sigset_t *set, void (*rescue)(void));
/* Marks the program as waiting where signals are read, or as working. Long work calls it again to
 * show progress. */
void tui_signals_wait(bool waits);
/* Ends the thread and gives all signals their usual effect. */
void tui_signals_close(void);

#endif
