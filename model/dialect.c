/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * dialect.c: THE table of dialects.
 */
#include "dialect.h"

#include <stddef.h>
#include <strings.h>

#include "summary_private.h"

static const struct model_dialect dialects[] = {
    {.word = "theano",
     .write = model_summary_profiles,
     .applies = 20,
     .ops = 20,
     .framework = "Theano",
     .vm = "Function.fn.__call__",
     .compile = "Total compile time",
     .rewrite = "Optimizer time",
     .percent = "%",
     .sum = "printed profiles at exit excluding Scan op profile.",
     .hint = "profiling.time_thunks=1"},
    {.word = "aesara",
     .write = model_summary_profiles,
     .applies = 20,
     .ops = 20,
     .framework = "Aesara",
     .vm = "Function.vm.__call__",
     .compile = "Total compile time",
     .rewrite = "rewrite time",
     .percent = "%",
     .sum = "printed profiles at exit.",
     .hint = "profiling__time_thunks=1"},
    {.word = "pytensor",
     .write = model_summary_profiles,
     .applies = 20,
     .ops = 20,
     .framework = "PyTensor",
     .vm = "Function.vm.__call__",
     .compile = "Total compilation time",
     .rewrite = "rewrite time",
     .percent = "%%",
     .sum = "printed profiles at exit.",
     .hint = "profiling__time_thunks=1",
     .repr = true,
     .nodes = true},
    {.word = "profilemode", .write = model_summary_profilemode, .applies = 15, .ops = 20},
};

const struct model_dialect *model_dialect_find(const char *word)
{
    for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++)
        if (strcasecmp(dialects[i].word, word) == 0)
            return &dialects[i];
    return NULL;
}

const char *model_dialect_word(unsigned at)
{
    return at < sizeof(dialects) / sizeof(dialects[0]) ? dialects[at].word : NULL;
}
