/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pattern.h: the patterns of PROFTOP_FUNCTIONS, which choose functions by their names.
 */
#ifndef FEED_SHARED_PATTERN_H
#define FEED_SHARED_PATTERN_H

#include <stdbool.h>

enum { SHARED_PATTERNS_SIZE = 1024 }; /* bytes of all patterns, with the NUL */

/* True if no pattern matches the name. Commas separate patterns; blanks around a pattern are
 * ignored. "" leaves out nothing, and too long a list leaves out nothing. Compares bytes, in any
 * locale. `*` alone matches a nameless function (NULL or ""). */
bool shared_pattern_leaves_out(const char *patterns, const char *name);

#endif
