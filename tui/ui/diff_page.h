/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff_page.h: a comparison of two jobs as text.
 */
#ifndef TUI_UI_DIFF_PAGE_H
#define TUI_UI_DIFF_PAGE_H

#include <stdio.h>

#include "model/diff.h"

/* Prints lines of at most `cols` columns; 0: no limit, no name is cut. Returns false if out of
 * memory. */
bool tui_diff_print(const struct model_diff_report *report, int cols, bool ascii, FILE *file);

#endif
