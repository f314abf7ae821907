/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * alias.c: names that the viewer gives to functions. They are kept by the function's own name, so
 * they also apply to a restarted program, and to each of several jobs.
 */
#include "config.h"

#include "tui/app/alias.h"

#include <stdlib.h>
#include <string.h>

#include "model/job.h"

bool tui_aliases_init(struct tui_aliases *aliases, const struct tui_options *options)
{
    aliases->count = 0;
    for (unsigned i = 0; i < options->alias_count; i++) {
        const char *pair = options->aliases[i], *equal = strrchr(pair, '=');
        if (!tui_aliases_set(aliases, pair, (size_t)(equal - pair), equal + 1))
            return false;
    }
    return true;
}

void tui_aliases_release(struct tui_aliases *aliases)
{
    for (unsigned i = 0; i < aliases->count; i++) {
        free(aliases->of[i].name);
        free(aliases->of[i].alias);
    }
    aliases->count = 0;
}

static bool is_called(const struct tui_alias *of, const char *name, size_t size)
{
    return of->size == size && memcmp(of->name, name, size) == 0;
}

bool tui_aliases_set(struct tui_aliases *aliases, const char *name, size_t size, const char *alias)
{
    unsigned at = 0;
    while (at < aliases->count && !is_called(&aliases->of[at], name, size))
        at++;
    bool fresh = at == aliases->count;
    char *copy = at < TUI_NAMED_MAX ? strdup(alias) : NULL;
    char *called = copy && fresh ? malloc(size + 1) : NULL;
    if (!copy || (fresh && !called)) {
        free(copy);
        return false;
    }
    struct tui_alias *of = &aliases->of[at];
    if (fresh) {
        memcpy(called, name, size);
        *of = (struct tui_alias){.name = called, .size = size};
        aliases->count++;
    }
    free(of->alias);
    of->alias = copy;
    return true;
}

void tui_aliases_give(const struct tui_aliases *aliases, struct model_job *job)
{
    const uint32_t count = aliases->count ? model_job_count(job, MODEL_FUNCTION) : 0;
    for (uint32_t f = 0; f < count; f++) {
        const struct model_text *name = &model_job_function(job, f)->own;
        for (unsigned i = 0; i < aliases->count; i++)
            if (is_called(&aliases->of[i], name->raw, name->raw_size))
                model_job_set_alias(job, f, aliases->of[i].alias, strlen(aliases->of[i].alias));
    }
}
