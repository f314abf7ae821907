/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pattern.h: the patterns of PROFTOP_FUNCTIONS, which choose functions by their names.
 */
#ifndef FEED_PATTERN_H
#define FEED_PATTERN_H

#include <stdbool.h>

enum { FEED_PATTERNS_SIZE = 1024 }; /* bytes of all patterns, with the NUL */

/* Whether no pattern matches the name. Patterns have commas between them, and blanks around them
 * are none of theirs; "" leaves out nothing, and longer ones than fit neither. Compares bytes, in
 * any locale. A nameless function (NULL or "") is matched by `*` alone. */
bool feed_pattern_leaves_out(const char *patterns, const char *name);

#endif
