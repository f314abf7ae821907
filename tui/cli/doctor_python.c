/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * doctor_python.c: runs the adapters' examination in a Python.
 */
#include "config.h"

#include "tui/cli/doctor_python.h"

#include <stdlib.h>
#include <string.h>

#include "feed/viewer/launch/launch.h"
#include "tui/app/app.h"

enum { ANSWER_MAX = 64 * 1024, USUAL_MS = 180000, WORDS = 48 };

/* The words of the Python command before the program. */
struct python {
    const char *word[WORDS];
    size_t count;
    char cut[64]; /* the letters before c or m, since c or m starts the program */
};

static bool is_python(const char *command)
{
    const char *slash = strrchr(command, '/');
    const char *name = slash ? slash + 1 : command;
    return strncmp(name, "python", 6) == 0 || strncmp(name, "pypy", 4) == 0;
}

/* True if the next word is the value of this option. */
static bool wants_value(const char *option)
{
    size_t at = strcspn(option, "WX");
    return strcmp(option, "--check-hash-based-pycs") == 0 ||
           (option[1] != '-' && option[at] && !option[at + 1]);
}

/* Returns false if there are too many options. */
static bool take_options(struct python *python, char *const argv[])
{
    size_t at = 1;
    python->word[python->count++] = argv[0];
    for (; argv[at] && argv[at][0] == '-' && argv[at][1] && strcmp(argv[at], "--") != 0; at++) {
        const char *option = argv[at];
        size_t letters = option[1] == '-' ? strlen(option) : strcspn(option, "cmWX");
        bool last = option[letters] == 'c' || option[letters] == 'm';
        if (python->count + 4 > WORDS || (last && letters >= sizeof python->cut))
            return false;
        if (last) {
            memcpy(python->cut, option, letters);
            if (letters > 1)
                python->word[python->count++] = python->cut;
            return true;
        }
        python->word[python->count++] = option;
        if (wants_value(option) && argv[at + 1])
            python->word[python->count++] = argv[++at];
    }
    return true;
}

char *tui_examine(const struct tui_options *options, char *why, size_t capacity)
{
    struct python python = {.count = 0};
    struct viewer_launch *launch = calloc(1, sizeof *launch);
    char *answer = calloc(1, ANSWER_MAX), script[SHARED_PATH_MAX + 32];
    bool good = false;
    if (!launch || !answer)
        snprintf(why, capacity, "there is no memory left to examine a Python");
    else if (!is_python(options->argv[0]))
        snprintf(why, capacity, "'%.100s' is no Python: name the one that runs the job: proftop "
                 "doctor -- python", options->argv[0]);
    else if (!take_options(&python, options->argv))
        snprintf(why, capacity, "'%.100s' has more options than can be passed on",
                 options->argv[0]);
    else
        good = true;
    if (good) {
        viewer_launch_find(launch);
        snprintf(script, sizeof script, "%s/proftop/examine.py", launch->adapters);
        python.word[python.count] = script;
        int ms = options->wait_given ? (int)(options->wait_ns / TUI_NS_PER_MS) : USUAL_MS;
        good = viewer_launch_run(python.word, ms, answer, ANSWER_MAX, why, capacity);
    }
    if (!good) {
        free(answer);
        answer = NULL;
    }
    free(launch);
    return answer;
}
