/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * example_options.c: parses command lines by a table. */
#include "example_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void __attribute__((format(printf, 2, 3), noreturn))
refuse(const char *program, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "%s: ", base_name(program));
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "; see %s --help\n", base_name(program));
    exit(2);
}

static void print_help(const struct option_row *rows, const char *purpose, const char *program)
{
    printf("%s: %s\n\n", base_name(program), purpose);
    for (; rows->name; rows++) {
        int used = printf("  --%s%s%s", rows->name, rows->operand ? " " : "",
                          rows->operand ? rows->operand : "");
        printf("%*s %s", used < 22 ? 22 - used : 0, "", rows->help);
        const uint64_t *number = rows->kind == OPTION_NUMBER ? rows->to : NULL;
        if (number && *number > rows->most)
            printf(" (none)");
        else if (number)
            printf(" (%" PRIu64 ")", *number);
        putchar('\n');
    }
    printf("  --help               print this\n");
    exit(0);
}

static uint64_t number_of(const struct option_row *row, const char *text, const char *program)
{
    char *end = NULL;

    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || *end || end == text || *text < '0' || *text > '9' || value < row->least ||
        value > row->most)
        refuse(program, "--%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", row->name,
               row->least, row->most, text);
    return value;
}

void options_read(const struct option_row *rows, const char *purpose, int count, char **words)
{
    for (int i = 1; i < count; i++) {
        const struct option_row *row = rows;
        if (!strcmp(words[i], "--help"))
            print_help(rows, purpose, words[0]);
        while (row->name && (strncmp(words[i], "--", 2) != 0 || strcmp(words[i] + 2, row->name)))
            row++;
        if (!row->name)
            refuse(words[0], "there is no option '%s'", words[i]);
        if (row->kind == OPTION_FLAG) {
            *(bool *)row->to = true;
            continue;
        }
        if (++i == count)
            refuse(words[0], "--%s wants %s after it", row->name, row->operand);
        if (row->kind == OPTION_NUMBER)
            *(uint64_t *)row->to = number_of(row, words[i], words[0]);
        else
            *(const char **)row->to = words[i];
    }
}
