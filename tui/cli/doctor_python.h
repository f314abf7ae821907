/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * doctor_python.h: examines the Python of a command.
 */
#ifndef TUI_CLI_DOCTOR_PYTHON_H
#define TUI_CLI_DOCTOR_PYTHON_H

#include "tui/cli/options.h"

/* Starts the Python of the options' command, with its own options and the hooks of the adapters. It
 * runs the adapters' examine.py in place of the program. Returns lines of level, subject and text,
 * separated by tabs (the caller frees them); NULL with a sentence in `why`. */
char *tui_examine(const struct tui_options *options, char *why, size_t capacity);

#endif
