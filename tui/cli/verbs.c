/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * verbs.c: THE table of requests to a job, and how their words are encoded.
 */
#include "config.h"

#include "tui/cli/verbs.h"

#include <stdio.h>
#include <string.h>

#include "model/text.h"

const struct tui_verb tui_verbs[] = {
    {"pause", "", 0, 0, "stop counting; the job itself goes on",
     "is paused: it counts nothing until it is resumed", TUI_VERB_SHOWN},
    {"resume", "", 0, 0, "end any number of pauses", "is not paused any more", TUI_VERB_SHOWN},
    {"reset", "", 0, 0, "begin all counts anew, for every viewer", "counts from 0 again",
     TUI_VERB_SHOWN},
    {"set_state", "run|stop", 1, 1, "stop keeps totals and adds nothing until run",
     "is in that state", TUI_VERB_ASKS},
    {"set_config", "KEY=VALUE ...", 1, TUI_WORDS_MAX,
     "set keys of the collection (profile_api, dump_period, ...): all of them or none",
     "has these values", TUI_VERB_ASKS},
    {"dump", "[FILE]", 0, 1,
     "write here what it has counted: a trace if FILE ends in .json (profile.json), else a table",
     "", TUI_VERB_SAVES},
    {"functions", "[PATTERN,...]", 0, 1,
     "count only functions of these names, and what runs in them; without a pattern all",
     "counts these functions", TUI_VERB_ASKS},
    {"detach", "", 0, 0,
     "take proftop out of a process of this machine; proftop -p PID attaches to it again",
     "", TUI_VERB_ENTERS},
};
const unsigned tui_verbs_count = sizeof tui_verbs / sizeof tui_verbs[0];

const struct tui_verb *tui_verb_find(const char *name)
{
    for (unsigned i = 0; i < tui_verbs_count; i++)
        if (strcmp(tui_verbs[i].name, name) == 0)
            return &tui_verbs[i];
    return NULL;
}

void tui_verb_names(char *out, size_t capacity)
{
    size_t at = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < tui_verbs_count && at < capacity; i++)
        at += (size_t)snprintf(out + at, capacity - at, "%s%s", i ? ", " : "", tui_verbs[i].name);
}

static bool refuse(char *why, size_t capacity, const char *verb, const char *what,
                   const char *word)
{
    char safe[128];
    model_text_safe(word, strlen(word), safe, sizeof safe);
    snprintf(why, capacity, "%s %s '%s'", verb, what, safe);
    return false;
}

bool tui_verb_arg(const struct tui_verb *verb, const char *const *word, unsigned words,
                  char arg[TUI_ARG_SIZE], char *why, size_t capacity)
{
    const bool pairs = strstr(verb->words, "KEY=VALUE") != NULL;
    size_t size = 0;
    arg[0] = '\0';
    if (words < verb->least || words > verb->most) {
        snprintf(why, capacity, "usage: proftop ctl %s%s%s -p PID", verb->name,
                 *verb->words ? " " : "", verb->words);
        return false;
    }
    for (unsigned i = 0; i < words; i++) {
        char *equal;
        if (strchr(word[i], '\n'))
            return refuse(why, capacity, verb->name, "takes no line feed, as in", word[i]);
        size += (size_t)snprintf(arg + size, TUI_ARG_SIZE - size, "%s%s", i ? "\n" : "", word[i]);
        if (size >= TUI_ARG_SIZE)
            return refuse(why, capacity, verb->name, "takes less than 4096 bytes of words, not",
                          word[i]);
        equal = pairs ? strchr(arg + size - strlen(word[i]), '=') : NULL;
        if (pairs && !equal)
            return refuse(why, capacity, verb->name, "takes KEY=VALUE, not", word[i]);
        if (equal)
            *equal = '\n';
    }
    return true;
}
