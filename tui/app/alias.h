/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * alias.h: what the viewer calls functions: by --alias, and by what is typed on the screen.
 */
#ifndef TUI_APP_ALIAS_H
#define TUI_APP_ALIAS_H

#include "tui/cli/options.h"

/* Of the functions of this name. */
struct tui_alias {
    char *name;
    size_t size;
    char *alias; /* "": none any more */
};

/* One for each name at most. */
struct tui_aliases {
    struct tui_alias of[TUI_NAMED_MAX];
    unsigned count;
};

/* Those of the command line; of one name the last holds. False: out of memory. */
bool tui_aliases_init(struct tui_aliases *aliases, const struct tui_options *options);
void tui_aliases_release(struct tui_aliases *aliases);
/* Sets or replaces that of a name. False: there are too many, or no memory. */
bool tui_aliases_set(struct tui_aliases *aliases, const char *name, size_t size,
                     const char *alias);
/* Gives them to the functions of a job. Without memory some keep their names. */
void tui_aliases_give(const struct tui_aliases *aliases, struct model_job *job);

#endif
