/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff_job.c: publishes the applies given on standard input, one line each, up to an empty line.
 * The fields, separated by tabs, are function, class, op, text, implementation (C or Py; wait: it
 * does no work), calls, and ns of each call. A function is called as often as its first apply. The
 * job runs until the input ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proftop_adapter.h"

enum { CELLS = 7, LINE = 1 << 16, KNOWN = 1024 };

/* Names that have ids already. */
struct known {
    char *name[KNOWN];
    proftop_id id[KNOWN];
    int count;
};

static proftop_id *find(struct known *known, const char *name, int *is_new)
{
    int at = 0;
    while (at < known->count && strcmp(known->name[at], name) != 0)
        at++;
    *is_new = at == known->count;
    if (*is_new && at == KNOWN)
        exit(2);
    if (*is_new)
        known->name[known->count++] = strdup(name);
    return &known->id[at];
}

static proftop_id function_of(struct proftop *feed, const char *name, unsigned long long calls)
{
    static struct known known;
    int is_new;
    proftop_id *id = find(&known, name, &is_new);
    if (!is_new)
        return *id;
    struct proftop_function_info info = {.size = sizeof info, .name = name, .source = PROFTOP_SET};
    *id = proftop_function(feed, &info);
    proftop_call_set(feed, *id, calls, calls * 1000000);
    return *id;
}

static proftop_id op_of(struct proftop *feed, const char *op_class, const char *text)
{
    static struct known classes, ops;
    int is_new;
    proftop_id *of = find(&classes, op_class, &is_new);
    if (is_new)
        *of = proftop_class(feed, op_class);
    proftop_id *id = find(&ops, text, &is_new);
    if (is_new)
        *id = proftop_op(feed, *of, text);
    return *id;
}

static void publish(struct proftop *feed, char *line, uint32_t index)
{
    char *cell[CELLS];
    for (int i = 0; i < CELLS; i++) {
        cell[i] = strsep(&line, "\t");
        if (!cell[i])
            exit(2);
    }
    unsigned long long calls = strtoull(cell[5], NULL, 10), ns = strtoull(cell[6], NULL, 10);
    struct proftop_apply_info info = {
        .size = sizeof info,
        .function = function_of(feed, cell[0], calls),
        .op = op_of(feed, cell[1], cell[2]),
        .text = cell[3],
        .index = index,
        .source = PROFTOP_GIVEN,
        .impl = strcmp(cell[4], "Py") == 0 ? PROFTOP_IMPL_PY : PROFTOP_IMPL_C,
        .waits = strcmp(cell[4], "wait") == 0    ? PROFTOP_WAITS
                 : strcmp(cell[4], "aside") == 0 ? PROFTOP_ASIDE
                                                 : PROFTOP_WORKS};
    proftop_id apply = proftop_apply(feed, &info);
    for (unsigned long long call = 0; call < calls; call++)
        proftop_record(feed, apply, ns);
}

int main(void)
{
    static char line[LINE];
    struct proftop *feed = proftop_open(NULL);
    for (uint32_t index = 0; fgets(line, sizeof line, stdin) && line[0] != '\n'; index++) {
        line[strcspn(line, "\n")] = '\0';
        publish(feed, line, index);
    }
    printf("%s\n", proftop_is_on(feed) ? "published" : proftop_reason(feed));
    fflush(stdout);
    while (getchar() != EOF)
        ;
    proftop_close(feed);
    return 0;
}
