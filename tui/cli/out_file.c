/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * out_file.c: opens, writes and closes a result, and says what failed.
 */
#include "config.h"

#include "tui/cli/out_file.h"

#include <errno.h>
#include <string.h>

#include "tui/cli/options.h"

int tui_out_file(const char *name, const char *what, bool (*write)(void *of, FILE *file), void *of,
                 char *why, size_t capacity)
{
    FILE *file = name && strcmp(name, "-") != 0 ? fopen(name, "we") : stdout;
    errno = file ? 0 : errno;
    bool good = file && write(of, file);
    good = file && fflush(file) == 0 && !ferror(file) && good;
    int error = errno;
    if (file && file != stdout && fclose(file) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good)
        return TUI_EXIT_FINE;
    if (tui_exit_of_write(error) == TUI_EXIT_WRITE)
        snprintf(why, capacity, "%s could not be written to '%s': %s", what,
                 name ? name : "standard output", error ? strerror(error) : "no memory left");
    return tui_exit_of_write(error);
}
