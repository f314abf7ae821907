/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sentence.h: what the program says outside of screen and reports.
 */
#ifndef TUI_SENTENCE_H
#define TUI_SENTENCE_H

#include <stdio.h>

/* One line, whatever the texts have that it quotes: paths, names of jobs, words of the command
 * line. What a terminal would obey in them is shown as U+FFFD. */
void tui_sentence(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
