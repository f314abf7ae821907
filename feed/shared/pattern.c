/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pattern.c: matches names against patterns.
 */
#include "config.h"

#include "feed/shared/pattern.h"

#include <fnmatch.h>
#include <locale.h>
#include <string.h>

/* Returns the next pattern, without blanks around it. NULL: no more. */
static char *next_pattern(char *patterns, char **rest)
{
    char *pattern;
    size_t size = 0;
    do {
        pattern = strtok_r(patterns, ",", rest);
        patterns = NULL;
        if (pattern == NULL)
            return NULL;
        pattern += strspn(pattern, " \t");
        for (size = strlen(pattern); size > 0 && strchr(" \t", pattern[size - 1]) != NULL;)
            size--;
    } while (size == 0); /* an empty pattern would match nameless functions */
    pattern[size] = 0;
    return pattern;
}

bool shared_pattern_leaves_out(const char *patterns, const char *name)
{
    char copy[SHARED_PATTERNS_SIZE], *rest = NULL;
    const size_t size = strlen(patterns) + 1;
    if (size == 1 || size > sizeof copy)
        return false;
    memcpy(copy, patterns, size);
    /* Both ends of a feed must agree, in any locale. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t was = plain == (locale_t)0 ? (locale_t)0 : uselocale(plain);
    char *pattern = next_pattern(copy, &rest);
    while (pattern != NULL && fnmatch(pattern, name == NULL ? "" : name, 0) != 0)
        pattern = next_pattern(NULL, &rest);
    if (plain != (locale_t)0) {
        uselocale(was);
        freelocale(plain);
    }
    return pattern == NULL;
}
