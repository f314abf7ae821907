/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_grid.c: tests tui/ui/grid.c: cutting, widths, bars, and that no text controls the terminal.
 */
#include "config.h"

#include "../tap.h"

#include "stage.h"

#include <locale.h>
#include <wchar.h>
#include <wctype.h>

static void start(void)
{
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
}

/* ------------------------------------------------------------------------------------- cutting */

static const struct {
    int width, skip;
    bool ascii;
    const char *text, *shown;
} cuts[] = {
    {10, 0, false, "Dot22", "Dot22"},
    {10, 0, false, "0123456789", "0123456789"},
    {10, 0, false, "0123456789a", "012345…89a"},
    {10, 0, true, "0123456789a", "01234..89a"},
    {11, 0, false, "Elemwise{add,no_inplace}", "Elemwi…ace}"},
    {10, 0, false, "層正規化層正規化", "層正規…化"},
    {3, 0, false, "abcdef", "ab…"},
    {2, 0, false, "abcdef", "ab"},
    {10, 4, false, "0123456789abcdef", "…56789abc…"},
    {10, 99, false, "0123456789abcdef", "…789abcdef"},
    {10, 99, false, "short", "short"},
    {6, 0, true, "軸=1",
     "?"
     "?=1"},
    {8, 0, false, "a\tb\033[1mc",
     "a\uFFFD"
     "b\uFFFD[1mc"},
    {5, 0, false, "a\tb\033[1mc",
     "a\uFFFD"
     "b…c"},
};

START_TEST(names_are_cut_in_the_middle)
{
    struct tui_grid grid = {0};
    start();
    ck_assert(tui_grid_resize(&grid, 1, 40));
    grid.ascii = cuts[_i].ascii;
    int used = tui_put_middle(&grid, 0, 0, cuts[_i].width, TUI_PLAIN, cuts[_i].text, cuts[_i].skip);
    ck_assert_int_le(used, cuts[_i].width);
    char *line = stage_line(&grid, 0);
    ck_assert_str_eq(line, cuts[_i].shown);
    free(line);
    tui_grid_release(&grid);
}
END_TEST

START_TEST(wide_characters_keep_columns)
{
    struct tui_grid grid = {0};
    start();
    ck_assert(tui_grid_resize(&grid, 1, 8));
    ck_assert_int_eq(tui_put(&grid, 0, 0, 8, TUI_PLAIN, "層正"), 4);
    ck_assert_uint_eq(grid.cell[0].ch[0], 0x5C64);
    ck_assert_uint_eq(grid.cell[1].ch[0], 0);
    /* Overwriting one half blanks the other, on both sides. */
    tui_put(&grid, 0, 1, 2, TUI_HOT, "ab");
    char *line = stage_line(&grid, 0);
    ck_assert_str_eq(line, " ab");
    free(line);
    ck_assert_uint_eq(grid.cell[0].ch[0], ' ');
    ck_assert_uint_eq(grid.cell[3].ch[0], ' ');
    /* A wide character does not fit the last column. */
    ck_assert_int_eq(tui_put(&grid, 0, 7, 8, TUI_PLAIN, "層"), 0);
    ck_assert_int_eq(tui_put_right(&grid, 0, 0, 6, TUI_PLAIN, "層"), 6);
    ck_assert_uint_eq(grid.cell[4].ch[0], 0x5C64);
    tui_grid_release(&grid);
}
END_TEST

START_TEST(two_marks_are_kept)
{
    struct tui_grid grid = {0};
    start();
    ck_assert(tui_grid_resize(&grid, 1, 4));
    ck_assert_int_eq(tui_put(&grid, 0, 0, 4, TUI_PLAIN, "e\u0301\u0302\u0303\u0304x"), 2);
    ck_assert_uint_eq(grid.cell[0].ch[0], 'e');
    ck_assert_uint_eq(grid.cell[0].ch[1], 0x301);
    ck_assert_uint_eq(grid.cell[0].ch[2], 0x302);
    ck_assert_uint_eq(grid.cell[1].ch[0], 'x');
    /* A mark without a base would combine with the character to the left of the text. */
    tui_put(&grid, 0, 2, 2, TUI_PLAIN, "\u0301");
    ck_assert_uint_eq(grid.cell[1].ch[1], 0);
    ck_assert_uint_eq(grid.cell[2].ch[0], 0xFFFD);
    tui_grid_release(&grid);
}
END_TEST

/* ------------------------------------------------------------------------------------- defence */

static bool is_bidi_or_hidden(uint32_t code)
{
    return code == 0x61C || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
           code == 0xFEFF || code == 0x2028 || code == 0x2029 ||
           (code >= 0xE0000 && code < 0xE1000);
}

static size_t encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned lead[] = {0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(lead[more] | code >> (6 * more));
    for (size_t i = 1; i <= more; i++)
        out[i] = (char)(0x80 | (code >> (6 * (more - i)) & 0x3F));
    return more + 1;
}

START_TEST(no_code_point_steers_the_terminal)
{
    struct tui_grid grid = {0};
    unsigned replaced = 0;
    start();
    ck_assert(tui_grid_resize(&grid, 1, 4));
    for (uint32_t code = 1; code < 0x110000; code++) {
        char text[8] = {0};
        tui_put(&grid, 0, 0, 4, TUI_PLAIN, "    ");
        if (code >= 0xD800 && code < 0xE000)
            continue; /* not a character: any_bytes_leave_a_whole_grid() tests such bytes */
        encode(code, text);
        int used = tui_put(&grid, 0, 0, 4, TUI_PLAIN, text);
        uint32_t shown = grid.cell[0].ch[0];
        replaced += shown == 0xFFFD;
        bool bad = code < 0x20 || (code >= 0x7F && code < 0xA0) || is_bidi_or_hidden(code);
        if (bad && shown != 0xFFFD)
            ck_abort_msg("U+%04X is shown", code);
        /* A drawn character takes the number of columns that the terminal gives it. */
        if (wcwidth((wchar_t)shown) != (used == 0 ? 1 : used))
            ck_abort_msg("U+%04X takes %d columns as U+%04X", code, used, shown);
    }
    ck_assert_uint_gt(replaced, 65);
    tui_grid_release(&grid);
}
END_TEST

static uint64_t seed;
static uint32_t roll(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static void assert_whole(const struct tui_grid *grid)
{
    for (int row = 0; row < grid->rows; row++)
        for (int col = 0; col < grid->cols; col++) {
            const struct tui_cell *cell = &grid->cell[row * grid->cols + col];
            if (cell->ch[0] == 0) {
                ck_assert_int_gt(col, 0);
                ck_assert_int_eq(wcwidth((wchar_t)cell[-1].ch[0]), 2);
                continue;
            }
            int width = wcwidth((wchar_t)cell->ch[0]);
            ck_assert_int_ge(width, 1);
            if (width == 2) {
                ck_assert_int_lt(col + 1, grid->cols);
                ck_assert_uint_eq(cell[1].ch[0], 0);
            }
        }
}

START_TEST(any_bytes_leave_a_whole_grid)
{
    static const char *const bits[] = {"層",       "e\u0301", "\033[2J", "\xC2\x9B",
                                       "\xF0\x9F", "\u202E",  "a",       "Dot",
                                       "\u200B",   "\xFF",    "█",       "\u0301"};
    struct tui_grid grid = {0};
    start();
    seed = (uint64_t)_i + 1;
    ck_assert(tui_grid_resize(&grid, 1 + (int)roll(5), 1 + (int)roll(30)));
    grid.ascii = _i % 4 == 0;
    for (int i = 0; i < 300; i++) {
        char text[256] = "";
        for (uint32_t n = roll(20); n > 0; n--)
            strcat(text, bits[roll(sizeof(bits) / sizeof(bits[0]))]);
        int row = (int)roll(7) - 1, col = (int)roll(34) - 2, width = (int)roll(40) - 2;
        switch (roll(4)) {
        case 0:
            tui_put(&grid, row, col, width, TUI_HOT, text);
            break;
        case 1:
            tui_put_right(&grid, row, col, width, TUI_HOT, text);
            break;
        case 2:
            tui_put_middle(&grid, row, col, width, TUI_HOT, text, (int)roll(20));
            break;
        default:
            tui_bar(&grid, row, col, width, TUI_HOT, roll(200) / 100.0);
        }
        assert_whole(&grid);
    }
    tui_grid_release(&grid);
}
END_TEST

/* ---------------------------------------------------------------------------------------- bars */

static const struct {
    double part;
    bool ascii;
    const char *shown;
} bars[] = {
    {0, false, ""},        {1, false, "████"},  {2, false, "████"}, {0.5, false, "██"},
    {0.001, false, "▏"},   {0.28, false, "█▏"}, {-1, false, ""},    {0.0 / 0.0, false, ""},
    {0.97, false, "███▉"}, {0.5, true, "##"},   {0.01, true, "#"},
};

START_TEST(bars_show_their_part)
{
    struct tui_grid grid = {0};
    start();
    ck_assert(tui_grid_resize(&grid, 1, 6));
    grid.ascii = bars[_i].ascii;
    tui_bar(&grid, 0, 0, 4, TUI_HOT, bars[_i].part);
    char *line = stage_line(&grid, 0);
    ck_assert_str_eq(line, bars[_i].shown);
    free(line);
    tui_grid_release(&grid);
}
END_TEST

START_TEST(every_sign_has_an_ascii_form)
{
    struct tui_grid grid = {.ascii = true}, full = {0};
    start();
    for (int i = 0; i < TUI_SIGNS; i++) {
        for (const char *at = tui_sign(&grid, (enum tui_sign)i); *at; at++)
            ck_assert_int_gt(*at, 0);
        ck_assert_int_gt(tui_text_width(tui_sign(&full, (enum tui_sign)i)), 0);
    }
}
END_TEST

START_TEST(an_impossible_size_is_refused)
{
    struct tui_grid grid = {0};
    ck_assert(!tui_grid_resize(&grid, 0, 80));
    ck_assert(!tui_grid_resize(&grid, -1, -1));
    ck_assert(!tui_grid_resize(&grid, 1, 1 << 30));
    ck_assert_int_eq(grid.rows, 0);
    ck_assert_int_eq(tui_put(&grid, 0, 0, 5, TUI_PLAIN, "x"), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("grid");
    tap_add_loop(s, "cut", names_are_cut_in_the_middle, TAP_ROWS(cuts));
    tap_add(s, "wide", wide_characters_keep_columns);
    tap_add(s, "marks", two_marks_are_kept);
    tap_add(s, "defence", no_code_point_steers_the_terminal);
    tap_add_loop(s, "fuzz", any_bytes_leave_a_whole_grid, 40);
    tap_add_loop(s, "bars", bars_show_their_part, TAP_ROWS(bars));
    tap_add(s, "signs", every_sign_has_an_ascii_form);
    tap_add(s, "size", an_impossible_size_is_refused);
    return s;
}

TAP_MAIN(suite)
