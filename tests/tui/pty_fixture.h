/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pty_fixture.h: one job, one program in one terminal, one registry directory. They are created and
 * removed for each test.
 */
#ifndef TESTS_TUI_PTY_FIXTURE_H
#define TESTS_TUI_PTY_FIXTURE_H

#include "../tap.h"
#include "pty.h"

extern char folder[64]; /* where this test's jobs register */
extern struct pty pty;
extern pid_t job;
extern int to_job, from_job;

void setup(void);
void teardown(void);
/* Adds a test with this fixture, `loops` times. */
void add(Suite *s, const char *name, const TTest *test, int loops);

void start_job(const char *const argv[]);
/* Starts the job that obeys commands (pty_job.c). */
void start_told(void);
/* Sends it a command `count` times and waits until each is done. */
void tell(char letter, int count);
void end_job(int number);

/* Attaches to the job by its process id: other jobs of this user may run at the same time. */
void attach(int rows, int cols, const char *const options[]);
void run(const char *const words[]);
/* Selects the job in the picker, unless it is shown already. */
void reach(pid_t pid);
/* Quits by the key. Checks that the terminal is as before. */
void quit(int code);

/* A row of the pane. The first one is below the column headings. "" if there is none. */
const char *list_row(const struct pty *p, int at);
const char *name_of(const char *row);
bool first_is(const struct pty *p, const void *name);
/* True if the viewer is paused and has applied at least `frames` frames (unsigned long) since. */
bool has_held(const struct pty *p, const void *frames);

#endif
