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

enum { DAY_SECONDS = 86400, PERCENT_MOST = 1000000 };

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

/* Reads a decimal number without a sign or an exponent, and returns where it ends; NULL: none. */
static const char *decimal(const char *text, double *number)
{
    char digits[64];
    const size_t size = strspn(text, "0123456789.");
    char *end;
    if (size == 0 || size >= sizeof digits)
        return NULL;
    memcpy(digits, text, size);
    digits[size] = '\0';
    *number = strtod(digits, &end);
    return *end || end == digits ? NULL : text + size;
}

bool tui_duration_parse(const char *text, uint64_t *ns)
{
    static const struct {
        const char *word;
        double ns;
    } unit[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    double number;
    const char *rest = decimal(text, &number);
    for (size_t i = 0; rest && i < sizeof unit / sizeof unit[0]; i++) {
        if (strcmp(rest, unit[i].word) != 0 || number * unit[i].ns > DAY_SECONDS * 1e9)
            continue;
        *ns = (uint64_t)(number * unit[i].ns + 0.5);
        return true;
    }
    return false;
}

bool tui_percent_parse(const char *text, double *ratio)
{
    double number;
    const char *rest = decimal(text, &number);
    if (!rest || (*rest && strcmp(rest, "%") != 0) || !(number > 0) || number > PERCENT_MOST)
        return false;
    *ratio = number / 100;
    return true;
}
