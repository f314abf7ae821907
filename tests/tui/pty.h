/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pty.h: a program in a real pseudo-terminal, with libvterm at the other end. Tests wait for the
 * screen's content, with a deadline. Only pty_listen() waits for its full time: silence is no
 * event.
 */
#ifndef TESTS_TUI_PTY_H
#define TESTS_TUI_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

enum { PTY_WAIT_MS = 10000, PTY_LINE_MAX = 1024 };

struct pty {
    VTerm *vterm;
    VTermScreen *screen;
    int master; /* -1: closed */
    int slave;  /* held open, so that the program's last output can be read */
    pid_t pid;
    int rows, cols;
    struct termios before; /* modes of the terminal before the program */
    size_t bytes, reads;   /* received so far */
    char *raw;             /* all of these bytes */
    size_t raw_capacity;
    bool alternate, cursor; /* alternate screen is on; cursor is visible */
    unsigned bells, titles; /* received by the terminal */
};

/* Starts argv in a terminal of this size; `term` is $TERM. */
void pty_start(struct pty *pty, int rows, int cols, const char *term, const char *const argv[]);
/* Ends the running program and frees. */
void pty_end(struct pty *pty);

void pty_send(struct pty *pty, const char *keys);
void pty_resize(struct pty *pty, int rows, int cols);

/* One row as UTF-8 without trailing blanks. Four static buffers are used in turn. */
const char *pty_row(const struct pty *pty, int row);
/* First row that contains the text, or -1. */
int pty_find(const struct pty *pty, const char *text);

/* Reads until the predicate holds. Returns false after the deadline. */
typedef bool pty_test(const struct pty *pty, const void *what);
bool pty_wait(struct pty *pty, pty_test *test, const void *what);
/* Waits until a row shows the text / no row does. Fails the test with the screen's contents. */
void pty_see(struct pty *pty, const char *text);
void pty_miss(struct pty *pty, const char *text);
/* Reads and consumes all output during the time. Returns the number of bytes. */
size_t pty_listen(struct pty *pty, int milliseconds);

/* Waits for the end. Returns the exit code, or 128 + signal. */
int pty_exit(struct pty *pty);
/* Checks that the terminal is as before: main screen, visible cursor, same modes. */
void pty_restored(const struct pty *pty);

/* The content of the whole screen, for messages. Static. */
const char *pty_dump(const struct pty *pty);
uint64_t pty_now_ms(void);

#endif
