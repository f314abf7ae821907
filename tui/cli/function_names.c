/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * function_names.c: finds the functions that the user names.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tui/cli/report.h"

static bool same_or_inside(const char *name, const char *wanted, bool exact)
{
    return exact ? strcmp(name, wanted) == 0 : strstr(name, wanted) != NULL;
}

enum { NAMES_SHOWN = 6, NAME_SHOWN = 30 };

/* Writes the first function names, for a user who does not know them. */
static void list_functions(const struct model_job *job, char *out, size_t capacity)
{
    uint32_t count = model_job_count(job, MODEL_FUNCTION), id = 0;
    size_t used = 0;
    for (; id < count && id < NAMES_SHOWN; id++) {
        const char *name = model_job_function(job, id)->name.shown;
        char cut[NAME_SHOWN * 4];
        size_t size = tui_text_fit(name, NAME_SHOWN);
        snprintf(cut, sizeof cut, "%.*s%s", (int)size, name, name[size] ? "..." : "");
        size_t wants = strlen(cut) + 2;
        if (used + wants + sizeof ", and 4294967295 more" > capacity)
            break;
        used += (size_t)snprintf(out + used, capacity - used, "%s%s", id ? ", " : "", cut);
    }
    if (id < count)
        snprintf(out + used, capacity - used, "%s%u more", id ? ", and " : "", count - id);
}

/* Parses "#3": the number that JSON uses. */
static bool by_number(const char *name, uint32_t count, uint32_t *id)
{
    uint64_t number;
    if (name[0] != '#' || count == 0 || !tui_number_parse(name + 1, count - 1, &number))
        return false;
    *id = (uint32_t)number;
    return true;
}

static bool find_one(const struct model_job *job, const char *name, uint32_t *id, char *why,
                     size_t capacity)
{
    uint32_t count = model_job_count(job, MODEL_FUNCTION), found = 0;
    for (int exact = 1; exact >= 0 && found == 0; exact--) {
        if (!exact && by_number(name, count, id))
            return true;
        for (uint32_t f = 0; f < count; f++) {
            const struct model_function_def *def = model_job_function(job, f);
            if (!same_or_inside(def->own.raw, name, exact) &&
                !same_or_inside(def->alias.raw, name, exact))
                continue;
            *id = f;
            found++;
        }
    }
    if (found == 1)
        return true;
    char safe[128];
    model_text_safe(name, strlen(name), safe, sizeof safe);
    if (found)
        snprintf(why, capacity, "%u functions are called '%s'; give more of the name", found, safe);
    else if (count == 0)
        snprintf(why, capacity, "no function is called '%s': the job has none so far", safe);
    else {
        char known[256];
        list_functions(job, known, sizeof known);
        snprintf(why, capacity, "no function of the job is called '%s'; it has: %s", safe, known);
    }
    return false;
}

bool tui_scope_find(struct model_job *job, const struct tui_options *options, uint32_t *scope,
                    char *why, size_t capacity)
{
    uint32_t chosen[TUI_NAMED_MAX], id;
    *scope = MODEL_ALL;
    if (options->group) {
        if (!find_one(job, options->group, &id, why, capacity))
            return false;
        *scope = model_scope_group(job, id);
    }
    for (unsigned i = 0; i < options->function_count; i++)
        if (!find_one(job, options->functions[i], &chosen[i], why, capacity))
            return false;
    if (options->function_count == 0 ||
        model_scope_choose(job, chosen, options->function_count, scope))
        return true;
    snprintf(why, capacity, "there is no memory left to choose these functions");
    return false;
}
