/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * example_options.h: parses command lines by a table, for the example programs. */
#ifndef EXAMPLE_OPTIONS_H
#define EXAMPLE_OPTIONS_H

#include <stdint.h>

enum option_kind { OPTION_FLAG, OPTION_NUMBER, OPTION_TEXT };

/* One option. `to` points to a bool, a uint64_t or a const char *, by its kind. */
struct option_row {
    const char *name; /* without the two dashes */
    const char *operand;
    enum option_kind kind;
    void *to;
    uint64_t least; /* for a number */
    uint64_t most;
    const char *help;
};

/* Reads the command line into the rows; the last row has no name. `--help` prints the rows after
 * `purpose` and exits with 0. A wrong option prints a message and exits with 2. */
void options_read(const struct option_row *rows, const char *purpose, int count, char **words);

#endif
