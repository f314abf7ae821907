/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * load.h: a saved profile that is shown in the place of a running job.
 */
#ifndef TUI_APP_LOAD_H
#define TUI_APP_LOAD_H

#include "model/import.h"
#include "model/link.h"

struct tui_load {
    struct model_imported imported; /* owns the job */
    struct model_link link;         /* says that the job is a file, and of which format */
    char label[128];                /* the path, safe for the screen */
};

/* Reads a file; `-` is standard input. Returns an exit code; unless it is TUI_EXIT_FINE, `why` has
 * a sentence, and there is nothing to release. Blocks while it reads. */
int tui_load_read(const char *path, struct model_imported *imported, char *why, size_t capacity);

/* The same, and makes a job of one state of it. */
int tui_load_open(struct tui_load *load, const char *path, char *why, size_t capacity);
void tui_load_close(struct tui_load *load);

#endif
