/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * dialect.c: THE table of dialects.
 */
#include "model/dialect.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/summary_private.h"

/* Common to all releases. */
#define ROWS                                                                                       \
    .applies = 20, .ops = 20, .applies_fact = "profiling.n_apply", .ops_fact = "profiling.n_ops"
/* Common to the releases of one framework. */
#define THEANO                                                                                     \
    .word = "theano", .write = model_summary_profiles, ROWS, .framework = "Theano",                \
    .vm = "Function.fn.__call__", .compile = "Total compile time", .rewrite = "Optimizer time",    \
    .percent = "%", .percent_of_sums = "%",                                                        \
    .sum = "printed profiles at exit excluding Scan op profile."
#define AESARA                                                                                     \
    .word = "aesara", .write = model_summary_profiles, ROWS, .framework = "Aesara",                \
    .vm = "Function.vm.__call__", .rewrite = "rewrite time", .percent = "%",                       \
    .percent_of_sums = "%", .sum = "printed profiles at exit.", .hint = "profiling__time_thunks=1"
#define PYTENSOR                                                                                   \
    .word = "pytensor", .write = model_summary_profiles, ROWS, .framework = "PyTensor",            \
    .vm = "Function.vm.__call__", .compile = "Total compilation time", .rewrite = "rewrite time",  \
    .percent = "%%", .sum = "printed profiles at exit.", .hint = "profiling__time_thunks=1",       \
    .repr = true, .nodes = true, .cache = true

/* The first row of a word is the documented form. The following rows are releases, oldest first. */
static const struct model_dialect dialects[] = {
    {THEANO, .hint = "profiling.time_thunks=1"},
    {THEANO, .of = "Theano", .hint = "profiling.time_thunks=1", .nodes = true},
    {THEANO, .of = "Theano-PyMC", .hint = "profiling__time_thunks=1", .repr = true, .nodes = true,
     .decimal = true},
    {AESARA, .compile = "Total compile time"},
    {AESARA, .of = "Aesara", .compile = "Total compilation time", .repr = true, .nodes = true},
    {PYTENSOR, .percent_of_sums = "%"},
    {PYTENSOR, .of = "PyTensor", .since = 235, .percent_of_sums = "%%"},
    {.word = "profilemode",
     .write = model_summary_profilemode,
     .applies = 15,
     .ops = 20,
     .applies_fact = "ProfileMode.n_apply_to_print",
     .ops_fact = "ProfileMode.n_ops_to_print"},
};
enum { DIALECTS = sizeof(dialects) / sizeof(dialects[0]) };

const struct model_dialect *model_dialect_find(const char *word)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (!dialects[i].of && strcasecmp(dialects[i].word, word) == 0)
            return &dialects[i];
    return NULL;
}

/* Returns 231 for 2.31.7, as in the table. */
static unsigned long release_of(const struct model_identity *identity)
{
    char *rest;
    unsigned long major = strtoul(identity->framework_version.raw, &rest, 10);
    unsigned long minor = *rest == '.' ? strtoul(rest + 1, NULL, 10) : 0;
    return (major < 1000 ? major : 1000) * 100 + (minor < 99 ? minor : 99);
}

const struct model_dialect *model_dialect_in(const struct model_dialect *dialect,
                                             const struct model_identity *identity)
{
    const struct model_dialect *found = dialect;
    for (size_t i = 0; i < DIALECTS; i++)
        if (dialects[i].of && strcmp(dialects[i].word, dialect->word) == 0 &&
            strcmp(dialects[i].of, identity->framework.raw) == 0 &&
            dialects[i].since <= release_of(identity))
            found = &dialects[i];
    return found;
}

const struct model_dialect *model_dialect_of(const struct model_identity *identity)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (dialects[i].of && strcmp(dialects[i].of, identity->framework.raw) == 0)
            return model_dialect_find(dialects[i].word);
    return model_dialect_find(identity->framework.raw);
}
