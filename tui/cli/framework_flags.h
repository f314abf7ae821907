/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * framework_flags.h: settings that Theano and its heirs read from a variable of the environment.
 */
#ifndef TUI_CLI_FRAMEWORK_FLAGS_H
#define TUI_CLI_FRAMEWORK_FLAGS_H

#include <stdbool.h>

/* Whether a value can stand among others in such a variable: those have commas between them, and
 * white space is none of a value. */
bool tui_flags_value(const char *value);

/* Adds NAME=VALUE to what THEANO_FLAGS, AESARA_FLAGS and PYTENSOR_FLAGS of this process say, for
 * the commands that it starts: after what is there, since the last one of a name counts. Nothing if
 * `value` is NULL. False: there is no memory left. */
bool tui_flags_add(const char *name, const char *value);

#endif
