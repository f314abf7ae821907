/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * verbs.h: THE table of requests that `proftop ctl` and the screen can send to a job. The parser,
 * --help, the manual and the list on the screen are made from it.
 */
#ifndef TUI_CLI_VERBS_H
#define TUI_CLI_VERBS_H

#include <stdbool.h>
#include <stddef.h>

enum tui_verb_way {
    TUI_VERB_ASKS,   /* sends a request to the job's feed */
    TUI_VERB_SHOWN,  /* same; takes no words, and the screen offers it too */
    TUI_VERB_SAVES,  /* writes a file here: its words are not sent to the job */
    TUI_VERB_ENTERS, /* attaches to the process itself, without a request to its feed */
};

struct tui_verb {
    const char *name;     /* same on the wire and on the command line */
    const char *words;    /* names of its words, or "" */
    unsigned least, most; /* number of words */
    const char *help;    /* one line, lower case, no full stop */
    const char *done;    /* the resulting state, as said of a job */
    enum tui_verb_way way;
};
extern const struct tui_verb tui_verbs[];
extern const unsigned tui_verbs_count;

enum { TUI_WORDS_MAX = 24, TUI_ARG_SIZE = 4096 };

const struct tui_verb *tui_verb_find(const char *name);

/* Writes the words as the wire has them, one a line; words of set_config are KEY=VALUE. Returns
 * false with a sentence in `why`. */
bool tui_verb_arg(const struct tui_verb *verb, const char *const *word, unsigned words,
                  char arg[TUI_ARG_SIZE], char *why, size_t capacity);

/* Writes all names, separated by commas. */
void tui_verb_names(char *out, size_t capacity);

#endif
