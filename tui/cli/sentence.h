/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sentence.h: the sentences that the program prints outside of screen and reports.
 *
 * Three functions make text plain. tui_sentence() is for each line that this program prints outside
 * of screen and reports. It calls model_text_safe() (text.h), which is for all other text of the
 * viewer. shared_make_plain() (text_buffer.h) is for libproftop, which does not link utf8proc.
 */
#ifndef TUI_CLI_SENTENCE_H
#define TUI_CLI_SENTENCE_H

#include <stdio.h>

/* Prints one line. It may quote paths, names of jobs and words of the command line unchanged: a
 * terminal control character becomes U+FFFD. */
void tui_sentence(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
