/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * theme.c: THE colour table. Colour is never the only sign: a sign, a word or a bar says the same.
 * The background is the terminal's own, so that it is readable on light and dark ones.
 */
#include "tui/ui/theme.h"

enum { OWN = -1, BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN };

const struct tui_theme_row tui_theme[TUI_ROLES] = {
    [TUI_PLAIN] = {"plain", {OWN, OWN, .bold = false}, {OWN, OWN, .bold = false}},
    [TUI_DIM] = {"dim", {OWN, OWN, .dim = true}, {OWN, OWN, .dim = true}},
    [TUI_TITLE] = {"title", {CYAN, OWN, .bold = false}, {OWN, OWN, .bold = true}},
    [TUI_HEAD] = {"head", {CYAN, OWN, .underline = true}, {OWN, OWN, .underline = true}},
    [TUI_SORTED] = {"sorted",
                    {CYAN, OWN, .bold = true, .reverse = true},
                    {OWN, OWN, .reverse = true}},
    [TUI_CURSOR] = {"cursor", {OWN, OWN, .reverse = true}, {OWN, OWN, .reverse = true}},
    [TUI_HOT] = {"hot", {RED, OWN, .bold = true}, {OWN, OWN, .bold = true}},
    [TUI_WARM] = {"warm", {YELLOW, OWN, .bold = false}, {OWN, OWN, .bold = false}},
    [TUI_PY] = {"py", {MAGENTA, OWN, .bold = true}, {OWN, OWN, .underline = true}},
    [TUI_GOOD] = {"good", {GREEN, OWN, .bold = true}, {OWN, OWN, .bold = true}},
    [TUI_PAUSE] = {"pause",
                   {BLACK, YELLOW, .bold = true},
                   {OWN, OWN, .bold = true, .reverse = true}},
    [TUI_WARN] = {"warn", {YELLOW, OWN, .bold = true}, {OWN, OWN, .bold = true}},
    [TUI_BAD] = {"bad",
                 {RED, OWN, .bold = true, .reverse = true},
                 {OWN, OWN, .bold = true, .reverse = true}},
    [TUI_KEY] = {"key", {OWN, OWN, .bold = true}, {OWN, OWN, .bold = true}},
    [TUI_KEYTEXT] = {"keytext", {CYAN, OWN, .reverse = true}, {OWN, OWN, .reverse = true}},
    [TUI_MATCH] = {"match",
                   {BLACK, CYAN, .bold = false},
                   {OWN, OWN, .reverse = true, .underline = true}},
};
