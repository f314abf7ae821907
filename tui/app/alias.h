/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * alias.h: names that the viewer gives to functions: by --alias, or typed on the screen.
 */
#ifndef TUI_APP_ALIAS_H
#define TUI_APP_ALIAS_H

#include "tui/cli/options.h"

/* Applies to all functions with this name. */
struct tui_alias {
    char *name;
    size_t size;
    char *alias; /* "": alias removed */
};

/* At most one entry for each name. */
struct tui_aliases {
    struct tui_alias of[TUI_NAMED_MAX];
    unsigned count;
};

/* Takes the aliases of the command line; the last one of a name wins. Returns false if out of
 * memory. */
bool tui_aliases_init(struct tui_aliases *aliases, const struct tui_options *options);
void tui_aliases_release(struct tui_aliases *aliases);
/* Sets or replaces the alias of a name. Returns false if there are too many, or no memory. */
bool tui_aliases_set(struct tui_aliases *aliases, const char *name, size_t size,
                     const char *alias);
/* Applies the aliases to the functions of a job. Without memory some functions keep their names. */
void tui_aliases_give(const struct tui_aliases *aliases, struct model_job *job);

#endif
