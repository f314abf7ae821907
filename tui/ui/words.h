/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * words.h: a word and its meaning, for help and manual.
 */
#ifndef TUI_UI_WORDS_H
#define TUI_UI_WORDS_H

struct tui_words {
    const char *words, *help;
};

#endif
