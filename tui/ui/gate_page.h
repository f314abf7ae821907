/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate_page.h: the verdicts of a gate as text.
 */
#ifndef TUI_UI_GATE_PAGE_H
#define TUI_UI_GATE_PAGE_H

#include <stdio.h>

#include "model/gate.h"

/* Prints lines of at most `cols` columns; 0: no limit, no name is cut. Prints all rows that are
 * slower or cannot be told, and `same` others. Returns false if out of memory. */
bool tui_gate_print(const struct model_gate *gate, uint32_t same, int cols, bool ascii, FILE *file);

#endif
