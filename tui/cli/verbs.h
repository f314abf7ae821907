/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * verbs.h: THE table of what `proftop ctl` and the screen can ask a job to do. What is parsed, what
 * --help prints, what the manual says and what the list on the screen offers are made of it.
 */
#ifndef TUI_CLI_VERBS_H
#define TUI_CLI_VERBS_H

#include <stdbool.h>
#include <stddef.h>

enum tui_verb_way {
    TUI_VERB_ASKS,   /* asks the feed of the job */
    TUI_VERB_SHOWN,  /* the same; it takes no words, and is offered on the screen too */
    TUI_VERB_SAVES,  /* makes a file here: its words are not the job's */
    TUI_VERB_ENTERS, /* enters the process, and does not ask its feed */
};

struct tui_verb {
    const char *name;    /* as on the wire and on the command line */
    const char *words;   /* names of what it takes, or "" */
    unsigned least, most; /* how many */
    const char *help;    /* one line, lower case, no full stop */
    const char *done;    /* what then holds, to be said of a job */
    enum tui_verb_way way;
};
extern const struct tui_verb tui_verbs[];
extern const unsigned tui_verbs_count;

enum { TUI_WORDS_MAX = 24, TUI_ARG_SIZE = 4096 };

const struct tui_verb *tui_verb_find(const char *name);

/* The words as the wire wants them, a line each; those of set_config are KEY=VALUE. False with a
 * sentence in `why`. */
bool tui_verb_arg(const struct tui_verb *verb, const char *const *word, unsigned words,
                  char arg[TUI_ARG_SIZE], char *why, size_t capacity);

/* All names, with commas between. */
void tui_verb_names(char *out, size_t capacity);

#endif
