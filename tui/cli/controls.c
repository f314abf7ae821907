/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * controls.c: the commands that change what a job collects, and how their words are encoded.
 */
#include "config.h"

#include "tui/cli/controls.h"

#include <stdio.h>
#include <string.h>

#include "model/text.h"

#define ROW(name, words, least, most, wire_least, wire_most, help, done, way)                      \
    {#name, words, least, most, help, done, way},
const struct tui_control tui_controls[] = {
    SHARED_COMMANDS(ROW)
    /* No request: it works on the process itself. */
    {"detach", "", 0, 0,
     "take proftop out of a process of this machine; proftop -p PID attaches to it again", "",
     SHARED_COMMAND_ENTERS},
};
const unsigned tui_controls_count = sizeof tui_controls / sizeof tui_controls[0];

const struct tui_control *tui_control_find(const char *name)
{
    for (unsigned i = 0; i < tui_controls_count; i++)
        if (strcmp(tui_controls[i].name, name) == 0)
            return &tui_controls[i];
    return NULL;
}

void tui_control_names(char *out, size_t capacity)
{
    size_t at = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < tui_controls_count && at < capacity; i++)
        at +=
            (size_t)snprintf(out + at, capacity - at, "%s%s", i ? ", " : "", tui_controls[i].name);
}

static bool refuse(char *why, size_t capacity, const char *control, const char *what,
                   const char *word)
{
    char safe[128];
    model_text_safe(word, strlen(word), safe, sizeof safe);
    snprintf(why, capacity, "%s %s '%s'", control, what, safe);
    return false;
}

bool tui_control_arg(const struct tui_control *control, const char *const *word, unsigned words,
                     char arg[TUI_ARG_SIZE], char *why, size_t capacity)
{
    const bool pairs = strstr(control->words, "KEY=VALUE") != NULL;
    size_t size = 0;
    arg[0] = '\0';
    if (words < control->least || words > control->most) {
        snprintf(why, capacity, "usage: proftop ctl %s%s%s -p PID", control->name,
                 *control->words ? " " : "", control->words);
        return false;
    }
    for (unsigned i = 0; i < words; i++) {
        char *equal;
        if (strchr(word[i], '\n'))
            return refuse(why, capacity, control->name, "takes no line feed, as in", word[i]);
        size += (size_t)snprintf(arg + size, TUI_ARG_SIZE - size, "%s%s", i ? "\n" : "", word[i]);
        if (size >= TUI_ARG_SIZE)
            return refuse(why, capacity, control->name, "takes less than 4096 bytes of words, not",
                          word[i]);
        equal = pairs ? strchr(arg + size - strlen(word[i]), '=') : NULL;
        if (pairs && !equal)
            return refuse(why, capacity, control->name, "takes KEY=VALUE, not", word[i]);
        if (equal)
            *equal = '\n';
    }
    return true;
}
