/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pty_fixture.h: one job, one program in one terminal, one directory to announce jobs in; made and
 * cleared away for each test.
 */
#ifndef TESTS_TUI_PTY_FIXTURE_H
#define TESTS_TUI_PTY_FIXTURE_H

#include "../tap.h"
#include "pty.h"

extern char folder[64]; /* where this test's jobs announce themselves */
extern struct pty pty;
extern pid_t job;
extern int to_job, from_job;

void setup(void);
void teardown(void);
/* A test with this fixture, `loops` times. */
void add(Suite *s, const char *name, const TTest *test, int loops);

void start_job(const char *const argv[]);
/* The job that does as it is told (pty_job.c). */
void start_told(void);
/* Tells it `count` times and waits until it has done it. */
void tell(char letter, int count);
void end_job(int number);

/* Attaches to the job by its process id: other jobs of this user may run at the same time. */
void attach(int rows, int cols, const char *const options[]);
void run(const char *const words[]);
/* To the job by way of the picker, unless it is shown by now. */
void reach(pid_t pid);
/* By the key; the terminal is then as it was. */
void quit(int code);

/* A row of the pane, the first below the header of its columns; "" if there is none. */
const char *list_row(const struct pty *p, int at);
const char *name_of(const char *row);
bool first_is(const struct pty *p, const void *name);
/* It is paused, and has taken in at least so many frames (unsigned long) since. */
bool has_held(const struct pty *p, const void *frames);

#endif
