/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * key_name.c: names of keys, for help, manual and THE table of actions.
 */
#include "config.h"

#include "tui/app/action.h"

#include <string.h>

#include "tui/ui/term.h"

static const struct {
    const char *name;
    uint32_t code;
} key_names[] = {
    {"Up", TUI_KEY_UP},
    {"Down", TUI_KEY_DOWN},
    {"Left", TUI_KEY_LEFT},
    {"Right", TUI_KEY_RIGHT},
    {"PgUp", TUI_KEY_PGUP},
    {"PgDn", TUI_KEY_PGDN},
    {"Home", TUI_KEY_HOME},
    {"End", TUI_KEY_END},
    {"Tab", TUI_KEY_TAB},
    {"Enter", TUI_KEY_ENTER},
    {"Shift-Tab", TUI_KEY_BACKTAB},
    {"Backspace", TUI_KEY_BACKSPACE},
    {"Delete", TUI_KEY_DELETE},
    {"Esc", TUI_KEY_ESC},
    {"Space", ' '},
    {"F1", TUI_KEY_F1},
    {"F2", TUI_KEY_F2},
    {"F3", TUI_KEY_F3},
    {"F4", TUI_KEY_F4},
    {"F5", TUI_KEY_F5},
    {"F6", TUI_KEY_F6},
    {"F7", TUI_KEY_F7},
    {"F8", TUI_KEY_F8},
    {"F9", TUI_KEY_F9},
    {"F10", TUI_KEY_F10},
};

uint32_t tui_key_code(const char *name, size_t size)
{
    if (size == 1)
        return (unsigned char)name[0];
    if (size == 6 && memcmp(name, "Ctrl-", 5) == 0)
        return (uint32_t)name[5] & 0x1f;
    for (size_t i = 0; i < sizeof key_names / sizeof key_names[0]; i++) {
        if (strlen(key_names[i].name) == size && memcmp(key_names[i].name, name, size) == 0)
            return key_names[i].code;
    }
    return TUI_KEY_NONE;
}

uint32_t tui_key_next(const char **keys)
{
    const char *start = *keys + strspn(*keys, " ");
    size_t size = strcspn(start, " ");
    *keys = start + size;
    return size ? tui_key_code(start, size) : TUI_KEY_NONE;
}
