/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * doctor_python.h: what there is to see in the Python of a command.
 */
#ifndef TUI_CLI_DOCTOR_PYTHON_H
#define TUI_CLI_DOCTOR_PYTHON_H

#include "tui/cli/options.h"

/* Starts the Python that the command of the options begins with, with the same options of its own
 * and the hooks of the adapters, and with examine.py of theirs in the place of the program, which
 * is not run. Gives lines of level, what and text with tabs between (to be freed); NULL with a
 * sentence in `why`. */
char *tui_examine(const struct tui_options *options, char *why, size_t capacity);

#endif
