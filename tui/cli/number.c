/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * number.c: parses numbers of the command line.
 */
#include "config.h"

#include "tui/cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_SECONDS = 86400 };

bool tui_number_parse(const char *text, uint64_t max, uint64_t *number)
{
    if (text[0] < '0' || text[0] > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, 10);
    if (errno || *end || parsed > max)
        return false;
    *number = parsed;
    return true;
}

bool tui_seconds_parse(const char *text, uint64_t *ns)
{
    if ((text[0] < '0' || text[0] > '9') && text[0] != '.')
        return false;
    if (strspn(text, "0123456789.") != strlen(text))
        return false;
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || seconds > DAY_SECONDS)
        return false;
    *ns = (uint64_t)(seconds * 1e9 + 0.5);
    return true;
}
