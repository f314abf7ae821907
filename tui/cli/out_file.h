/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * out_file.h: writes a result of a command into the file of -o, or to standard output.
 */
#ifndef TUI_CLI_OUT_FILE_H
#define TUI_CLI_OUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Calls write(of, file) with the file of this name; NULL or "-" is standard output. Returns an exit
 * code. Unless it is TUI_EXIT_FINE, or the reader of a pipe has gone, `why` has a sentence about
 * `what`: "the comparison". write() returns false if there is no memory left. */
int tui_out_file(const char *name, const char *what, bool (*write)(void *of, FILE *file), void *of,
                 char *why, size_t capacity);

#endif
