/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * formats.c: finds the rows of the table of formats.
 */
#include "config.h"

#include "tui/cli/formats.h"

#include <stdio.h>
#include <strings.h>

#define ROW(name, word, properties) {word, properties},
static const struct {
    const char *word;
    unsigned properties;
} formats[] = {TUI_FORMATS(ROW)};

bool tui_format_is(enum tui_format format, unsigned property)
{
    return (formats[format].properties & property) != 0;
}

const char *tui_format_word(enum tui_format format)
{
    return formats[format].word;
}

bool tui_format_find(const char *word, enum tui_format *format)
{
    for (unsigned i = 0; i < TUI_FORMAT_COUNT; i++) {
        if (strcasecmp(word, formats[i].word) == 0) {
            *format = (enum tui_format)i;
            return true;
        }
    }
    return false;
}

const char *tui_format_names(unsigned property, char *out, size_t capacity)
{
    unsigned left = 0;
    size_t at = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < TUI_FORMAT_COUNT; i++)
        left += tui_format_is((enum tui_format)i, property);
    for (unsigned i = 0; i < TUI_FORMAT_COUNT && at < capacity; i++) {
        if (!tui_format_is((enum tui_format)i, property))
            continue;
        left--;
        at += (size_t)snprintf(out + at, capacity - at, "%s%s", formats[i].word,
                               left > 1    ? ", "
                               : left == 1 ? " or "
                                           : "");
    }
    return out;
}
