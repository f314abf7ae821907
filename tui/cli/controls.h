/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * controls.h: the commands of `proftop ctl` and the screen that change what a job collects: those
 * of feed/shared/command_table.h, and one that needs no feed. The parser, --help, the manual and
 * the list on the screen are made from them.
 */
#ifndef TUI_CLI_CONTROLS_H
#define TUI_CLI_CONTROLS_H

#include <stdbool.h>
#include <stddef.h>

#include "feed/shared/command_table.h"

struct tui_control {
    const char *name;     /* same on the wire and on the command line */
    const char *words;    /* names of its words, or "" */
    unsigned least, most; /* number of words */
    const char *help;     /* one line, lower case, no full stop */
    const char *done;     /* the resulting state, as said of a job */
    enum shared_command_way way;
};
extern const struct tui_control tui_controls[];
extern const unsigned tui_controls_count;

enum { TUI_ARG_SIZE = 4096 };

const struct tui_control *tui_control_find(const char *name);

/* Writes the words as the wire has them, one a line; words of set_config are KEY=VALUE. Returns
 * false with a sentence in `why`. */
bool tui_control_arg(const struct tui_control *control, const char *const *word, unsigned words,
                     char arg[TUI_ARG_SIZE], char *why, size_t capacity);

/* Writes all names, separated by commas. */
void tui_control_names(char *out, size_t capacity);

#endif
