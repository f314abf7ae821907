/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_info.c: finds facts by name, and facts about a function.
 */
#include "model/job_info.h"

#include <string.h>

enum { LOST_NAME_MAX = 24 };

/* Returns the next non-empty line of a text. */
static const char *next_line(const struct model_text *text, size_t *from, size_t *size)
{
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

const char *model_fact_line(const struct model_identity *who, size_t *from, size_t *size)
{
    return next_line(&who->facts, from, size);
}

bool model_fact_is_setting(const char *line, size_t size)
{
    static const char *const others[] = {
        "tip.", "mode.", "grad_ns=", "imported_ns=", "at=", "collective"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (size >= strlen(others[i]) && memcmp(line, others[i], strlen(others[i])) == 0)
            return false;
    return memchr(line, '=', size) != NULL;
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

/* MODEL_UNKNOWN if these are not digits, or too many. */
static uint64_t number_of(const char *digits, size_t size)
{
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

uint64_t model_fact_number(const struct model_identity *who, const char *name)
{
    size_t size = 0;
    const char *digits = model_fact(who, name, &size);
    return number_of(digits, size);
}

static bool is_plain(const char *name, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (name[i] < 'a' || name[i] > 'z')
            return false;
    return size > 0 && size <= LOST_NAME_MAX;
}

bool model_lost_next(const struct model_identity *who, size_t *from, struct model_lost *lost)
{
    const char *line;
    size_t size;
    while ((line = next_line(&who->lost, from, &size))) {
        const char *equals = memchr(line, '=', size);
        if (!equals || !is_plain(line, (size_t)(equals - line)))
            continue;
        lost->name = line;
        lost->size = (size_t)(equals - line);
        lost->count = number_of(equals + 1, size - lost->size - 1);
        if (lost->count != MODEL_UNKNOWN)
            return true;
    }
    return false;
}

bool model_fact_next(const struct model_identity *who, const char *name, size_t *from,
                     struct model_fact_about *about)
{
    const size_t length = strlen(name);
    const char *line, *value, *end;
    size_t size;
    while ((line = model_fact_line(who, from, &size))) {
        if (size <= length || memcmp(line, name, length) != 0 || line[length] != '.' ||
            !(value = memchr(line, '=', size)) ||
            !(end = memchr(value, ':', size - (size_t)(value - line))))
            continue;
        *about = (struct model_fact_about){.whose = value + 1,
                                           .text = end + 1,
                                           .whose_size = (size_t)(end - value) - 1,
                                           .text_size = size - (size_t)(end - line) - 1};
        return true;
    }
    return false;
}

/* Reads digits. A number that does not fit becomes an id of no function. */
static uint64_t id(const char **at, const char *end)
{
    uint64_t value = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
        value = value > UINT32_MAX ? value : value * 10 + (uint64_t)(**at - '0');
    return value;
}

bool model_fact_is_about(const struct model_fact_about *about, uint32_t function)
{
    const char *at = about->whose, *end = at + about->whose_size;
    while (at < end && *at >= '0' && *at <= '9') {
        const uint64_t first = id(&at, end);
        uint64_t last = first;
        if (at < end && *at == '-') {
            at++;
            last = id(&at, end);
        }
        if (first <= function && function <= last)
            return true;
        at += at < end && *at == ',';
    }
    return false;
}

const char *model_fact_of(const struct model_identity *who, const char *name, uint32_t function,
                          size_t *size)
{
    struct model_fact_about about;
    for (size_t from = 0; model_fact_next(who, name, &from, &about);) {
        if (!model_fact_is_about(&about, function))
            continue;
        *size = about.text_size;
        return about.text;
    }
    return NULL;
}
