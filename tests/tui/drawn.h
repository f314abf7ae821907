/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * drawn.h: the text of a stage's screen, for tests that check some words.
 */
#ifndef TESTS_TUI_DRAWN_H
#define TESTS_TUI_DRAWN_H

#include "../tap.h"
#include "stage.h"

#include <locale.h>

size_t tui_help_rows(const struct tui_help_row **rows)
{
    *rows = NULL;
    return 0;
}

static inline void start(struct stage *stage, const struct sample *sample)
{
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    stage_init(stage, sample);
}

static inline void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        ck_abort_msg("\"%s\" is not in\n%s", part, text);
}

static inline void assert_drawn(struct stage *stage, int rows, int cols, const char *part)
{
    stage_draw(stage, rows, cols);
    char *text = stage_text(&stage->grid);
    assert_has(text, part);
    free(text);
}

static inline void assert_not_drawn(struct stage *stage, int rows, int cols, const char *part)
{
    stage_draw(stage, rows, cols);
    char *text = stage_text(&stage->grid);
    ck_assert_msg(!strstr(text, part), "'%s' is in:\n%s", part, text);
    free(text);
}

#endif
