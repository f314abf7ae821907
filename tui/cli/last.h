/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * last.h: `proftop last`: what jobs left behind that were killed (feed/shared/black_box.h).
 */
#ifndef TUI_CLI_LAST_H
#define TUI_CLI_LAST_H

#include <stdio.h>

#include "tui/cli/options.h"

/* Finds the file of the command line's job, or of the one that ran last, and changes the options to
 * `--load` with that file. Returns an exit code; unless it is TUI_EXIT_FINE, the reason has been
 * printed. */
int tui_last_choose(struct tui_options *options);

/* Prints a line for each file there is. Returns an exit code. */
int tui_last_print(FILE *out);

#endif
