/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_theme.c: tests the colour table: complete, and readable without colours.
 */
#include "../tap.h"

#include "tui/ui/theme.h"

#include <string.h>

START_TEST(every_role_has_a_name_of_its_own)
{
    for (int i = 0; i < TUI_ROLES; i++) {
        ck_assert_ptr_nonnull(tui_theme[i].name);
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(tui_theme[i].name, tui_theme[j].name);
    }
}
END_TEST

START_TEST(without_colours_there_are_none)
{
    for (int i = 0; i < TUI_ROLES; i++) {
        ck_assert_int_eq(tui_theme[i].mono.fg, -1);
        ck_assert_int_eq(tui_theme[i].mono.bg, -1);
        ck_assert_int_lt(tui_theme[i].colours.fg, 8);
        ck_assert_int_lt(tui_theme[i].colours.bg, 8);
    }
}
END_TEST

/* Pairs that stand side by side and must differ even without colours. */
static const enum tui_role beside[][2] = {
    {TUI_PLAIN, TUI_CURSOR}, {TUI_HEAD, TUI_SORTED}, {TUI_PLAIN, TUI_HOT},
    {TUI_PLAIN, TUI_PAUSE},  {TUI_PLAIN, TUI_BAD},   {TUI_PLAIN, TUI_DIM},
    {TUI_KEY, TUI_KEYTEXT},  {TUI_PLAIN, TUI_PY},    {TUI_PLAIN, TUI_MATCH},
    {TUI_CURSOR, TUI_MATCH},
};

static bool same(const struct tui_look *a, const struct tui_look *b)
{
    return a->fg == b->fg && a->bg == b->bg && a->bold == b->bold && a->dim == b->dim &&
           a->reverse == b->reverse && a->underline == b->underline;
}

START_TEST(neighbours_differ)
{
    const struct tui_theme_row *a = &tui_theme[beside[_i][0]], *b = &tui_theme[beside[_i][1]];
    ck_assert(!same(&a->mono, &b->mono));
    ck_assert(!same(&a->colours, &b->colours));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("theme");
    tap_add(s, "names", every_role_has_a_name_of_its_own);
    tap_add(s, "mono", without_colours_there_are_none);
    tap_add_loop(s, "beside", neighbours_differ, TAP_ROWS(beside));
    return s;
}

TAP_MAIN(suite)
