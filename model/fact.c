/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fact.c: finds facts by their names.
 */
#include "fact.h"

#include <string.h>

const char *model_fact_line(const struct model_identity *who, size_t *from, size_t *size)
{
    const struct model_text *text = &who->facts;
    while (*from < text->raw_size) {
        const char *line = text->raw + *from;
        const size_t left = text->raw_size - *from;
        const char *end = memchr(line, '\n', left);
        *size = end ? (size_t)(end - line) : left;
        *from += *size + (end != NULL);
        if (*size)
            return line;
    }
    return NULL;
}

const char *model_fact(const struct model_identity *who, const char *name, size_t *size)
{
    const size_t length = strlen(name);
    const char *found = NULL, *line;
    size_t from = 0, whole;
    while ((line = model_fact_line(who, &from, &whole))) {
        if (whole <= length || memcmp(line, name, length) != 0 || line[length] != '=')
            continue;
        found = line + length + 1;
        *size = whole - length - 1;
    }
    return found;
}

uint64_t model_fact_number(const struct model_identity *who, const char *name)
{
    size_t size = 0;
    const char *digits = model_fact(who, name, &size);
    uint64_t number = 0;
    if (!digits || size == 0 || size > 18)
        return MODEL_UNKNOWN;
    for (size_t i = 0; i < size; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return MODEL_UNKNOWN;
        number = number * 10 + (uint64_t)(digits[i] - '0');
    }
    return number;
}
