/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * framework_flags.h: settings that Theano and its successors read from an environment variable.
 */
#ifndef TUI_CLI_FRAMEWORK_FLAGS_H
#define TUI_CLI_FRAMEWORK_FLAGS_H

#include <stdbool.h>

/* True if a value can be part of such a variable: values are separated by commas, and contain no
 * white space. */
bool tui_flags_value(const char *value);

/* Appends NAME=VALUE to THEANO_FLAGS, AESARA_FLAGS and PYTENSOR_FLAGS of this process, for the
 * commands it starts. It is appended because the last entry of a name wins. Does nothing if `value`
 * is NULL. Returns false if out of memory. */
bool tui_flags_add(const char *name, const char *value);

#endif
